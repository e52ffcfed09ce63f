//! Every adapter that is shipped, held against the programs of this machine.
//!
//! A program that is not here is passed over and named, unless `CI` says that all of them have to be.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a test that fails says so by panicking")]

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use touchstone::hunt::command::{CommandSearcher, Limits};
use touchstone::hunt::question::{Ask, Pack};
use touchstone::hunt::searcher::{Laid, Searcher};
use touchstone::hunt::smoke::{SmokeFailure, Smoked, smoke};
use touchstone::hunt::subjects::{Adapters, installed};
use touchstone_spec::Adapter;
use touchstone_spec::adapter::Drive;

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|directory| directory.join(program)).find(|file| file.is_file())
}

fn shipped(name: &str) -> Adapter {
    let adapter = Adapters::shipped().unwrap().get(name);
    Adapter::clone(&adapter.unwrap_or_else(|| panic!("no adapter `{name}`")))
}

/// The program that the adapter names, or a release of it that is installed.
fn searcher(adapter: Adapter) -> Option<CommandSearcher> {
    let release = installed(&adapter.name).pop();
    let (program, name) = match release {
        Some(release) => (release.command, format!("{}@{}", adapter.name, release.version)),
        None => (vec![OsString::from(on_path(&adapter.command[0])?)], adapter.name.clone()),
    };
    Some(CommandSearcher::new(Arc::new(adapter), name, program, Limits::default()))
}

/// Smokes one adapter; nothing if its program is not here.
fn smoked(name: &str) -> Option<Smoked> {
    let Some(mut searcher) = searcher(shipped(name)) else {
        assert!(env::var_os("CI").is_none(), "there is no program for `{name}` here and CI is set");
        println!("passed over: there is no program for `{name}` here");
        return None;
    };
    Some(smoke(&mut searcher).unwrap_or_else(|failure| panic!("{name}: {failure}")))
}

#[track_caller]
fn cannot(name: &str, unsupported: &[&str]) {
    if let Some(smoked) = smoked(name) {
        let told: BTreeSet<&str> = smoked.unsupported.keys().copied().collect();
        assert_eq!(told, unsupported.iter().copied().collect(), "{smoked:#?}");
    }
}

#[test]
fn ripgrep_is_asked_and_read_rightly() {
    cannot("ripgrep", &[]);
}

#[test]
fn ugrep_is_asked_and_read_rightly() {
    cannot("ugrep", &[]);
}

#[test]
fn gnu_grep_is_asked_and_read_rightly() {
    cannot("grep", &["smart"]);
}

#[test]
fn git_grep_is_asked_and_read_rightly() {
    let old = smoked("git-grep").is_some_and(|smoked| smoked.unsupported.contains_key("max_count"));
    cannot("git-grep", if old { &["line", "max_count", "smart"] } else { &["line", "smart"] });
}

#[test]
fn the_silver_searcher_is_asked_and_read_rightly() {
    cannot("ag", &["count", "line", "max_count", "several"]);
}

#[test]
fn ack_is_asked_and_read_rightly() {
    cannot("ack", &["line", "several", "spans", "word"]);
}

#[test]
fn grep_of_busybox_is_asked_and_read_rightly() {
    cannot("busybox", &["smart", "spans"]);
}

#[test]
fn every_shipped_adapter_is_smoked_here() {
    let here = ["ack", "ag", "busybox", "git-grep", "grep", "ripgrep", "ugrep"];
    let adapters = Adapters::shipped().unwrap();
    let commands: Vec<&str> = adapters
        .iter()
        .filter(|adapter| adapter.drive == Drive::Command)
        .map(|adapter| adapter.name.as_str())
        .collect();
    assert_eq!(commands, here);
}

/// GNU grep's adapter with one thing wrong.
fn broken(change: impl Fn(&mut Adapter)) -> SmokeFailure {
    let mut adapter = shipped("grep");
    change(&mut adapter);
    let mut searcher = searcher(adapter).unwrap();
    smoke(&mut searcher).unwrap_err()
}

#[test]
fn an_adapter_that_reads_or_asks_wrongly_is_told_from_its_program() {
    use touchstone_spec::adapter::{Feature, Show};
    let reads = |record: &'static str| {
        move |adapter: &mut Adapter| {
            adapter.show.get_mut(&Show::Lines).unwrap().record = Some(record.to_owned())
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
        broken(|adapter| adapter.show.get_mut(&Show::Lines).unwrap().args.retain(|word| word != "-n")),
    ];
    for failure in failures {
        assert!(matches!(failure, SmokeFailure::AdapterBroken { .. }), "{failure}");
    }
    let unidentified = broken(|adapter| adapter.identify.pattern = "nothing of the kind ([0-9]+)".to_owned());
    assert!(matches!(unidentified, SmokeFailure::NotIdentified(_)), "{unidentified}");
}

/// A program that does as grep does but for one thing, written as a script.
fn impostor(script: &str) -> SmokeFailure {
    let place = tempfile::tempdir().unwrap();
    let program = place.path().join("grep.sh");
    std::fs::write(&program, script).unwrap();
    let command = vec![OsString::from("/bin/sh"), program.into_os_string()];
    let adapter = Arc::new(shipped("grep"));
    let mut searcher = CommandSearcher::new(adapter, "grep".to_owned(), command, Limits::default());
    smoke(&mut searcher).unwrap_err()
}

#[test]
fn a_program_that_answers_wrongly_is_told_from_its_adapter() {
    for script in [
        "grep \"$@\" | sed '$d'; exit 0",
        "case $1 in --version) grep --version;; *) kill -SEGV $$;; esac",
        "case \" $* \" in *' --word-regexp '*) grep -E -n -H -Z -a 'four' a.txt;; *) grep \"$@\";; esac",
    ] {
        let failure = impostor(script);
        let told = matches!(failure, SmokeFailure::BackendBroken { .. } | SmokeFailure::NotIdentified(_));
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
fn a_feature_that_an_old_release_has_not_is_unsupported_there() {
    let adapter = Arc::new(shipped("git-grep"));
    let pack = Pack::of(&[("a", "x\n")]);
    let laid = Laid { pack: &pack, root: std::path::Path::new("/") };
    let ask = Ask { max_count: Some(1), ..Ask::new("x") };
    let shell = |name: &str| {
        CommandSearcher::new(Arc::clone(&adapter), name.to_owned(), vec!["git".into()], Limits::default())
            .shell(laid, &ask)
    };
    assert_eq!(shell("git-grep@2.30.2"), None);
    assert!(shell("git-grep@2.38.0").is_some());
    assert!(shell("git-grep@system").is_some());
}
