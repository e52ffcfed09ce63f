//! `forge-search search` beside ripgrep: the same arguments, the same lines (docs/cli.md).
//!
//! Needs `rg`, installed by `touchstone backends` or on PATH; without it the tests that compare pass
//! with a word on standard error, but fail where `CI` is set.

use std::{
    collections::BTreeSet, env, ffi::OsString, fmt::Write as _, fs, path::Path, process::Command,
};

use crate::place::Place;

#[path = "../../src/search/ripgrep.rs"]
#[allow(dead_code, reason = "the table alone is tested")]
mod flags;

use flags::{FLAGS, How};

const FILES: [(&str, &str); 19] = [
    ("a.rs", "fn main() {\n    let Needle = 1;\n    needle(needle);\n}\n\nfn other() {}\n// end\n"),
    ("b.py", "import needle\nNEEDLE = 2\n\ndef straße(): pass\nSTRASSE\n"),
    ("docs/read me.md", "# needle\nno\nno\nno\nneedle\nno\n-l engine\n"),
    ("docs/deep/x.txt", "needles\nneedle-work\nneedle_work\n\n  needle\nneedle"),
    ("target/out.rs", "needle in target\n"),
    ("target/keep.log", "needle in a log\n"),
    (".hidden/h.rs", "needle hidden\n"),
    (".gitignore", "/target\n*.tmp\n"),
    ("x.tmp", "needle temporary\n"),
    ("crates/web/index.html", "<p>needle</p>\n"),
    ("Makefile", "needle: all\n\tcc\n"),
    ("none.c", "nothing\n"),
    ("empty", ""),
    ("docs/list", "needle\nNEEDLE\nstra"),
    ("docs/rules", "*.rs\n/docs/deep\n"),
    (".ignore", "*.dot\n"),
    ("a.dot", "needle in a dot\n"),
    ("docs.md", "needle beside docs\n"),
    ("bin.dat", "a binary needle\n\0\n"),
];

/// PATH, with the newest ripgrep ahead that `touchstone backends` has installed.
fn path() -> OsString {
    let test = env::current_exe().unwrap();
    let backends = test.ancestors().nth(3).unwrap().join("touchstone/backends");
    let installed = fs::read_dir(backends).into_iter().flatten().flatten();
    let ripgrep = installed
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("ripgrep-"))
        .map(|entry| entry.path().join("bin"))
        .max();
    let path = env::var_os("PATH").unwrap_or_default();
    env::join_paths(ripgrep.into_iter().chain(env::split_paths(&path))).unwrap()
}

fn rg() -> Command {
    let mut rg = Command::new("rg");
    rg.env("PATH", path());
    rg
}

fn ripgrep() -> bool {
    let there = rg().arg("--version").output().is_ok_and(|out| out.status.success());
    assert!(there || env::var_os("CI").is_none(), "install ripgrep");
    if !there {
        eprintln!("there is no rg: nothing is compared");
    }
    there
}

/// Exit status and lines, sorted: ripgrep's files come in any order. Without times.
fn lines(command: &mut Command, separator: u8, sorts: bool) -> (Option<i32>, Vec<Vec<u8>>) {
    let output = command.stdin(std::process::Stdio::null()).output().unwrap();
    let mut lines: Vec<Vec<u8>> =
        output.stdout.split(|byte| *byte == separator).map(<[u8]>::to_vec).collect();
    lines.retain(|line| !line.windows(9).any(|part| part == b" seconds "));
    if sorts {
        lines.sort();
    }
    if output.status.code() == Some(2) {
        eprintln!("{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    (output.status.code(), lines)
}

fn both(place: &Place, args: &[&str]) -> [(Option<i32>, Vec<Vec<u8>>); 2] {
    let nul = args == ["-l", "-0", "needle", "."] || args == ["--files", "-0"];
    let separator = if nul { b'\0' } else { b'\n' };
    let mut rg = rg();
    rg.args(["--no-config", "--no-require-git"]).args(args).current_dir(place.tree());
    let mut ours = place.command();
    ours.arg("search").args(args).env("PATH", path());
    let sorts = !args.contains(&"path") && !args.contains(&"--sort-files");
    [lines(&mut rg, separator, sorts), lines(&mut ours, separator, sorts)]
}

#[test]
fn arguments_shared_with_ripgrep_find_the_same_lines() {
    let place = Place::new(&FILES);
    if ripgrep() {
        assert!(compare(&place, |_| true) > 180);
    }
}

#[test]
fn an_index_or_another_backend_changes_no_line_of_output() {
    let place = Place::new(&FILES);
    if !ripgrep() {
        return;
    }
    let (status, out, err) = place.run(&["index", "build"]);
    assert_eq!(status, Some(0), "{out}{err}");
    let (_, status, _) = place.run(&["index", "status"]);
    assert!(!status.contains("ABSENT"), "{status}");
    let words = ["-v", "--files-w", "-i", "-S", "-m1", "--count", "-x", "-w", "-F", "-l"];
    let some = |case: &str| words.iter().any(|word| case.starts_with(word));
    assert!(compare(&place, some) > 50);
    place.configure("[tools.search]\nbackend = \"rg\"\n");
    assert!(compare(&place, some) > 50);
}

/// Compares the arguments that are wanted; how many there were.
fn compare(place: &Place, wanted: impl Fn(&str) -> bool) -> usize {
    let cases = include_str!("ripgrep_parity/arguments.txt");
    let mut wrong = Vec::new();
    let mut asked = BTreeSet::new();
    let cases = cases.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    for case in cases.filter(|case| wanted(case)) {
        assert!(asked.insert(case), "twice: {case}");
        let args: Vec<String> = case.split(' ').map(|word| word.replace('␣', " ")).collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let [theirs, ours] = both(place, &args);
        if theirs != ours {
            let shown = |(status, lines): &(Option<i32>, Vec<Vec<u8>>)| {
                let text = String::from_utf8_lossy(&lines.join(&b'\n')).into_owned();
                format!("{status:?}\n{text}")
            };
            wrong.push(format!("{case}\nrg {}\nours {}", shown(&theirs), shown(&ours)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), asked.len(), wrong.join("\n\n"));
    asked.len()
}

#[test]
fn json_events_equal_those_of_ripgrep_except_times_and_byte_counts() {
    let place = Place::new(&FILES);
    if !ripgrep() {
        return;
    }
    for args in [
        &["needle", "."][..],
        &["-i", "needle", "-C1", "."],
        &["x*", "b.py", "a.rs"],
        &["-r", "<$0>", "needle", "a.rs"],
    ] {
        let events = |json: &str| {
            let args = [&[json], args].concat();
            let [theirs, ours] = both(&place, &args);
            let (_, lines) = if json == "--json" { theirs } else { ours };
            let kept = lines.iter().filter(|line| !line.is_empty()).map(|line| {
                let mut event: serde_json::Value = serde_json::from_slice(line).unwrap();
                let summary = event["type"] == "summary";
                for stats in ["/data/stats", "/data"] {
                    let Some(stats) = event.pointer_mut(stats) else { continue };
                    let stats = stats.as_object_mut().unwrap();
                    for best_effort in ["elapsed", "elapsed_total", "bytes_printed"] {
                        stats.remove(best_effort);
                    }
                    if summary {
                        stats.remove("searches");
                        stats.remove("bytes_searched");
                    }
                }
                event.to_string()
            });
            kept.collect::<BTreeSet<String>>()
        };
        assert_eq!(events("--json"), events("--json=rg"), "{args:?}");
    }
}

/// The names of a flag, without the sign of a value.
fn names(row: &str) -> impl Iterator<Item = &str> {
    row.split(' ').map(|name| name.trim_matches(['[', ']', '=']))
}

#[test]
fn every_flag_of_ripgrep_is_compared_or_refused_with_what_does_the_work() {
    let place = Place::new(&FILES);
    let cases = include_str!("ripgrep_parity/arguments.txt");
    let words: BTreeSet<&str> =
        cases.split_ascii_whitespace().map(|word| word.split('=').next().unwrap()).collect();
    for (row, how) in FLAGS {
        let name = names(row).next().unwrap();
        if let How::Sub(advice) = how {
            let value =
                if row.split(' ').any(|name| name.ends_with('=')) { &["x"][..] } else { &[] };
            let args = [&["search", name], value, &["needle", "."]].concat();
            let (status, out, err) = place.run(&args);
            assert_eq!((status, out.as_str()), (Some(2), ""), "{row}");
            assert!(err.contains(advice), "{row}: {err}");
        } else if !["-h", "-V", "--json", "--type-list"].contains(&name) {
            let short =
                |one: &str| one.len() == 2 && words.iter().any(|word| word.starts_with(one));
            assert!(names(row).any(|one| words.contains(one) || short(one)), "{row}");
        }
    }
    if !ripgrep() {
        return;
    }
    let known: BTreeSet<&str> = FLAGS.iter().flat_map(|(row, _)| names(row)).collect();
    let listed = rg().args(["--generate", "complete-bash"]).output().unwrap().stdout;
    let listed = String::from_utf8(listed).unwrap();
    let theirs = listed.split_once("opts=\"").unwrap().1.split('"').next().unwrap();
    let missing: Vec<&str> = theirs
        .split_ascii_whitespace()
        .filter(|word| word.starts_with('-') && !known.contains(word))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn the_page_has_a_row_for_each_flag() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    let text = fs::read_to_string(&page).unwrap();
    let (before, rest) = text.split_once("<!-- flags -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- /flags -->").unwrap();
    let mut table = "\n| flag of ripgrep | here |\n| --- | --- |\n".to_owned();
    for (row, how) in FLAGS {
        let flags: Vec<String> = names(row).map(|name| format!("`{name}`")).collect();
        let here = match how {
            How::Same => "the same".to_owned(),
            How::Differs(what) => format!("the same, but: {what}"),
            How::Idle(why) => format!("taken, without effect: {why}"),
            How::Sub(what) => format!("refused: {what}"),
        };
        writeln!(table, "| {} | {here} |", flags.join(", ")).unwrap();
    }
    let fresh = format!("{before}<!-- flags -->\n{table}\n<!-- /flags -->{after}");
    if fresh != text {
        fs::write(&page, &fresh).unwrap();
        panic!("the table was stale and is rewritten; look at the diff and run again");
    }
}

#[test]
fn the_type_list_has_every_type_of_ripgrep() {
    let place = Place::new(&FILES);
    if !ripgrep() {
        return;
    }
    let [(_, theirs), (status, ours)] = both(&place, &["--type-list"]);
    // The types of the argument `type` are a copy.
    let copy = include_str!("../../../engine/src/json/file_types.txt");
    let mut printed: Vec<Vec<u8>> = copy.split('\n').map(|line| line.as_bytes().to_vec()).collect();
    printed.sort();
    assert!(ours == printed, "the copy differs from what `--type-list` prints");
    assert_eq!(status, Some(0));
    let name = |line: &Vec<u8>| {
        String::from_utf8_lossy(line).split(':').next().unwrap_or_default().to_owned()
    };
    let ours: BTreeSet<String> = ours.iter().map(name).collect();
    let missing: Vec<String> =
        theirs.iter().map(name).filter(|name| !ours.contains(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
