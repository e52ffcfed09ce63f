//! Every adapter that is shipped, held against the programs of this machine.
//!
//! A program that is not here is passed over and named, unless `CI` says that all of them have to
//! be.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use touchstone::golden::workspace;
use touchstone::hunt::command::{CommandSearcher, Limits};
use touchstone::hunt::meanings::meanings;
use touchstone::hunt::question::{Ask, Pack};
use touchstone::hunt::searcher::{PlacedPack, Searcher};
use touchstone::hunt::smoke::{SmokeFailure, Smoked, smoke};
use touchstone::hunt::subjects::{Adapters, installed};
use touchstone_spec::Adapter;
use touchstone_spec::adapter::{Dialect, Drive};

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file())
}

fn shipped(name: &str) -> Adapter {
    let adapter = Adapters::shipped().unwrap().get(name);
    Adapter::clone(&adapter.unwrap_or_else(|| panic!("no adapter `{name}`")))
}

/// The program that the adapter names, from PATH.
fn on_this_machine(adapter: Adapter) -> Option<CommandSearcher> {
    let program = vec![OsString::from(on_path(adapter.command.first()?)?)];
    let name = format!("{}@system", adapter.name);
    Some(CommandSearcher::new(Arc::new(adapter), name, program, Limits::default()))
}

/// Every release that is installed, and the program on PATH.
fn searchers(name: &str) -> Vec<CommandSearcher> {
    let adapter = Arc::new(shipped(name));
    let releases = installed(name).into_iter().map(|release| {
        let name = format!("{name}@{}", release.version);
        CommandSearcher::new(Arc::clone(&adapter), name, release.command, Limits::default())
    });
    // A wrapper takes what is installed beside the program.
    let here = if adapter.wrapper.is_empty() { Some(Adapter::clone(&adapter)) } else { None };
    releases.chain(here.and_then(on_this_machine)).collect()
}

/// Smokes one program.
fn smoked(searcher: &mut CommandSearcher) -> Smoked {
    smoke(searcher).unwrap_or_else(|failure| panic!("{}: {failure}", searcher.name()))
}

/// Says that there is no program, which is no failure but where `CI` is set.
#[track_caller]
fn pass_over(name: &str) {
    assert!(env::var_os("CI").is_none(), "there is no program for `{name}` here and CI is set");
    println!("passed over: there is no program for `{name}` here");
}

/// Smokes every release there is, which can all be asked the same but for what came later.
#[track_caller]
fn cannot(name: &str, unsupported: &[&str], later: &[&str]) {
    let searchers = searchers(name);
    if searchers.is_empty() {
        pass_over(name);
    }
    for mut searcher in searchers {
        let smoked = smoked(&mut searcher);
        let mut told: BTreeSet<&str> = smoked.unsupported.keys().copied().collect();
        told.retain(|one| !later.contains(one));
        assert_eq!(told, unsupported.iter().copied().collect(), "{}: {smoked:#?}", searcher.name());
    }
}

#[test]
fn the_ripgrep_adapter_passes_its_smoke_test() {
    cannot("ripgrep", &[], &[]);
}

#[test]
fn the_ugrep_adapter_passes_its_smoke_test() {
    cannot("ugrep", &[], &[]);
}

#[test]
fn the_adapter_of_ugrep_with_an_index_passes_its_smoke_test() {
    cannot("ugrep-index", &["files_without", "invert", "spans"], &[]);
}

/// It is asked for its lines, their number, and the files that have some; the rest it does not have.
#[test]
fn the_codesearch_adapter_passes_its_smoke_test() {
    let without = [
        "after",
        "before",
        "context",
        "files_without",
        "fixed",
        "invert",
        "line",
        "max_count",
        "several",
        "smart",
        "spans",
        "word",
    ];
    // The program that its adapter names is `sh`, which is everywhere.
    match on_path("csearch") {
        Some(_) => cannot("csearch", &without, &[]),
        None => pass_over("csearch"),
    }
}

#[test]
fn the_gnu_grep_adapter_passes_its_smoke_test() {
    cannot("grep", &["smart"], &[]);
}

#[test]
fn the_git_grep_adapter_passes_its_smoke_test() {
    cannot("git-grep", &["line", "smart", "spans"], &["max_count"]);
}

#[test]
fn the_silver_searcher_adapter_passes_its_smoke_test() {
    cannot("ag", &["count", "line", "max_count", "several"], &[]);
}

#[test]
fn the_ack_adapter_passes_its_smoke_test() {
    cannot("ack", &["line", "several", "spans", "word"], &[]);
}

#[test]
fn the_busybox_grep_adapter_passes_its_smoke_test() {
    cannot("busybox", &["smart", "spans"], &[]);
}

#[test]
fn the_toybox_grep_adapter_passes_its_smoke_test() {
    cannot("toybox", &["smart"], &[]);
}

#[test]
fn the_adapter_of_gnu_grep_with_perl_expressions_passes_its_smoke_test() {
    cannot("grep-perl", &["several", "smart"], &[]);
}

/// Some releases refuse literals together with UTF-8.
#[test]
fn the_pcre2grep_adapter_passes_its_smoke_test() {
    cannot("pcre2grep", &["smart", "spans", "word"], &["fixed"]);
}

#[test]
fn every_shipped_adapter_has_a_smoke_test() {
    let here = [
        "ack",
        "ag",
        "busybox",
        "csearch",
        "git-grep",
        "grep-perl",
        "grep",
        "pcre2grep",
        "ripgrep",
        "toybox",
        "ugrep-index",
        "ugrep",
    ];
    let adapters = Adapters::shipped().unwrap();
    let commands: Vec<&str> = adapters
        .iter()
        .filter(|adapter| adapter.drive == Drive::Command)
        .map(|adapter| adapter.name.as_str())
        .collect();
    assert_eq!(commands, here);
}

#[test]
fn a_shipped_adapter_has_at_most_60_lines() {
    for adapter in Adapters::shipped().unwrap().iter() {
        let text = fs::read_to_string(workspace().join("spec").join(&adapter.file)).unwrap();
        assert!(text.lines().count() <= 60, "{}", adapter.file);
    }
}

/// What docs/adapters.md says.
fn documentation() -> String {
    fs::read_to_string(workspace().join("docs/adapters.md")).unwrap()
}

#[test]
fn the_first_example_of_the_documentation_returns_answers() {
    let text = documentation();
    let (_, example) = text.split_once("```yaml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let adapter = Adapter::parse("mine.yaml", example).unwrap();
    assert_eq!(adapter.defects(), [""; 0]);
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("mine");
    let script = "case $1 in --version) echo mine 1.0;; *) shift; case \" $* \" in *' -F '*) ;; *) set -- -E \"$@\";; esac; exec grep \"$@\";; esac";
    fs::write(&program, script).unwrap();
    let command = vec![OsString::from("/bin/sh"), program.into_os_string()];
    let mut searcher =
        CommandSearcher::new(Arc::new(adapter), "mine".to_owned(), command, Limits::default());
    assert_eq!(smoked(&mut searcher).right, ["lines", "nothing", "regex", "fixed"]);
}

#[test]
fn the_documentation_names_every_option_and_every_difference() {
    use touchstone_spec::adapter::{Difference, Feature};
    let text = documentation();
    let options =
        Feature::ALL.iter().filter(|feature| feature.is_option()).map(|feature| feature.name());
    let differences = Difference::ALL.iter().map(|difference| difference.name());
    let missing: Vec<&str> = options
        .filter(|name| !text.contains(&format!("{name}: ")))
        .chain(differences.filter(|name| !text.contains(&format!("\n| `{name}` |"))))
        .collect();
    assert_eq!(missing, [""; 0]);
}

/// GNU grep's adapter with one thing wrong.
fn broken(change: impl Fn(&mut Adapter)) -> SmokeFailure {
    let mut adapter = shipped("grep");
    change(&mut adapter);
    let mut searcher = on_this_machine(adapter).unwrap();
    smoke(&mut searcher).unwrap_err()
}

#[test]
fn a_faulty_adapter_is_distinguished_from_a_faulty_program() {
    use touchstone_spec::adapter::{Feature, Show};
    let reads = |record: &'static str| {
        move |adapter: &mut Adapter| {
            adapter.show.get_mut(&Show::Lines).unwrap().record = Some(record.to_owned());
        }
    };
    let asks = |feature: Feature, word: &'static str| {
        move |adapter: &mut Adapter| {
            adapter.ask.options.insert(feature, vec![word.to_owned()]);
        }
    };
    let failures = [
        broken(reads("{path}:{line}:{text}")),
        broken(reads("{path}\0{text}")),
        broken(asks(Feature::Insensitive, "--no-ignore-case")),
        broken(asks(Feature::Word, "--no-such-option")),
        broken(|adapter| {
            adapter.show.get_mut(&Show::Lines).unwrap().args.retain(|word| word != "-n");
        }),
    ];
    for failure in failures {
        assert!(matches!(failure, SmokeFailure::AdapterBroken { .. }), "{failure}");
    }
    let unidentified =
        broken(|adapter| adapter.identify.pattern = "nothing of the kind ([0-9]+)".to_owned());
    assert!(matches!(unidentified, SmokeFailure::NotIdentified(_)), "{unidentified}");
}

/// A program that does as grep does but for one thing, written as a script.
fn impostor(script: &str) -> SmokeFailure {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("grep.sh");
    fs::write(&program, script).unwrap();
    let command = vec![OsString::from("/bin/sh"), program.into_os_string()];
    let adapter = Arc::new(shipped("grep"));
    let mut searcher = CommandSearcher::new(adapter, "grep".to_owned(), command, Limits::default());
    smoke(&mut searcher).unwrap_err()
}

#[test]
fn a_faulty_program_is_distinguished_from_a_faulty_adapter() {
    for script in [
        "grep \"$@\" | sed '$d'; exit 0",
        "case $1 in --version) grep --version;; *) kill -SEGV $$;; esac",
        "case \" $* \" in *' --word-regexp '*) grep -E -n -H -Z -a 'four' a.txt;; *) grep \"$@\";; esac",
    ] {
        let failure = impostor(script);
        let told =
            matches!(failure, SmokeFailure::BackendBroken { .. } | SmokeFailure::NotIdentified(_));
        assert!(told, "{script}: {failure}");
    }
    let gone = CommandSearcher::new(
        Arc::new(shipped("grep")),
        "grep".to_owned(),
        vec!["/nowhere".into()],
        Limits::default(),
    );
    let mut gone = gone;
    assert!(matches!(smoke(&mut gone), Err(SmokeFailure::CannotBeRun(_))));
}

#[test]
fn a_feature_missing_in_an_old_release_is_unsupported_there() {
    let adapter = Arc::new(shipped("git-grep"));
    let pack = Pack::of(&[("a", "x\n")]);
    let placed = PlacedPack { pack: &pack, root: std::path::Path::new("/") };
    let ask = Ask { max_count: Some(1), ..Ask::new("x") };
    let shell = |name: &str| {
        CommandSearcher::new(
            Arc::clone(&adapter),
            name.to_owned(),
            vec!["git".into()],
            Limits::default(),
        )
        .shell(placed, &ask)
    };
    assert_eq!(shell("git-grep@2.30.2"), None);
    assert!(shell("git-grep@2.38.0").is_some());
    assert!(shell("git-grep@system").is_some());
}

/// What a program means otherwise shows in its answers: the shipped dialect of GNU grep is proposed
/// to an adapter without one, and nothing to an adapter that has it.
#[test]
fn a_dialect_is_derived_from_the_answers_of_a_program() {
    let adapter = shipped("grep");
    let told = |adapter: Adapter| meanings(&on_this_machine(adapter).unwrap()).unwrap();
    assert!(told(adapter.clone()).is_empty());
    let bare = Adapter {
        dialect: Dialect::default(),
        declared: BTreeMap::new(),
        unsupported: BTreeMap::new(),
        ..adapter
    };
    let expected = [("fold", "unicode"), ("cr", "kept"), ("bom", "kept"), ("spans", "longest")];
    let expected = expected.into_iter().chain([("after_max", "context")]);
    let expected: Vec<_> = expected.map(|(key, value)| (key, Some(value))).collect();
    assert_eq!(told(bare), expected);
}

/// The session of the documentation, run again: what is printed is what stands there, but for
/// releases. `BLESS=1` writes it anew.
#[test]
fn the_documented_session_is_up_to_date() {
    let text = documentation();
    let (before, rest) = text.split_once("```console\n").unwrap();
    let (session, behind) = rest.split_once("```\n").unwrap();
    let place = tempfile::tempdir().unwrap();
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_touchstone")).parent().unwrap();
    let others = env::var_os("PATH").unwrap();
    let path = env::join_paths([own.to_owned()].into_iter().chain(env::split_paths(&others)));
    let path = path.unwrap();
    let mut fresh = String::new();
    for line in session.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let mut shell = std::process::Command::new("/bin/sh");
        shell.args(["-c", line]).current_dir(place.path()).env("PATH", &path);
        let said = shell.output().unwrap();
        fresh.extend(["$ ", line, "\n", &String::from_utf8_lossy(&said.stdout)]);
    }
    // Another release of the program is no reason to write it anew.
    let number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()) && !part.is_empty();
    let is_release = |word: &&str| word.contains('.') && word.split('.').all(number);
    let plain = |text: &str| -> Vec<String> {
        let words = text.split_inclusive([' ', '\n']);
        let plain = words.map(|word| if is_release(&word.trim_end()) { "N" } else { word });
        plain.map(str::to_owned).collect()
    };
    if env::var_os("BLESS").is_some() {
        let whole = format!("{before}```console\n{fresh}```\n{behind}");
        fs::write(workspace().join("docs/adapters.md"), whole).unwrap();
    } else {
        assert!(plain(&fresh) == plain(session), "{fresh}\nstands there as\n{session}");
    }
}
