//! Programs that behave and programs that do not, all of them a shell.

use super::*;
use crate::question::{Pack, Show};

const YAML: &str = r#"
name: sh
says: a shell that does as it is told
command: [sh]
identify: {args: [-c, 'echo sh 1.2.3'], pattern: '^sh ([0-9.]+)'}
ask: {always: [-c, 'SCRIPT', sh], files: ['{files}'], pattern: ['{pattern}'], options: {fixed: []}}
show:
  lines: {record: "{path}\0{line}:{text}"}
  count: {record: "{path}\0{count}", unsupported: {fixed: each match counts}}
statuses: {matched: 0, none: 1, failed: 2, harmless: '^link: gone$', remarks: '^rule:', refused: '^not yet:'}
precise: [lines]
"#;

/// Longer than anything takes that does not hang.
const LONG: Duration = Duration::from_secs(60);

fn ask(script: &str) -> Result<Answer, NoAnswer> {
    asked(script, &Ask::new("x"))
}

fn asked(script: &str, ask: &Ask) -> Result<Answer, NoAnswer> {
    asked_within(&[], script, ask)
}

fn asked_within(wrapper: &[&str], script: &str, ask: &Ask) -> Result<Answer, NoAnswer> {
    let mut adapter = Adapter::parse("sh.yaml", YAML).unwrap();
    adapter.ask.always[1] = script.to_owned();
    adapter.wrapper = wrapper.iter().map(|word| (*word).to_owned()).collect();
    let adapter = Arc::new(adapter);
    let searcher = |deadline| {
        let limits = Limits { deadline, output_bytes: 1 << 20 };
        CommandSearcher::new(Arc::clone(&adapter), "sh".to_owned(), vec!["/bin/sh".into()], limits)
    };
    assert_eq!(searcher(LONG).release().as_deref(), Ok("1.2.3"));
    // One that hangs is waited for; the others may take their time on a busy machine.
    let mut searcher =
        searcher(if script.contains("sleep") { Duration::from_millis(100) } else { LONG });
    let pack = Pack::of(&[("a", "x\n")]);
    let root = tempfile::tempdir().unwrap();
    searcher.ask(PlacedPack { pack: &pack, root: root.path() }, ask)
}

#[test]
fn a_program_runs_in_the_directory_of_the_pack() {
    let answer = ask(r#"printf '%s\0001:%s\n' "$2" "$1""#).unwrap();
    assert_eq!(answer.status, Status::Matched);
    let (path, file) = answer.files.into_iter().next().unwrap();
    assert_eq!((&*path.0, &*file.lines[0].text.as_ref().unwrap().0), (&b"a"[..], &b"x"[..]));
    assert_eq!(ask("exit 1").unwrap().status, Status::None);
}

#[test]
fn a_wrapper_is_started_with_the_program_as_its_words() {
    let wrapper = ["env", "SEEN=yes"];
    let script = r#"test "$SEEN" && printf 'a\0001:x\n'"#;
    let answer = asked_within(&wrapper, script, &Ask::new("x")).unwrap();
    assert_eq!(answer.status, Status::Matched);
    assert_eq!(ask(script).unwrap().status, Status::None);
}

#[test]
fn the_environment_of_the_harness_is_not_passed_on() {
    // `PWD` and the like are the shell's own.
    let answer = ask(r#"test -z "$HOME$CARGO" && exit 1"#);
    assert_eq!(answer.unwrap().status, Status::None);
}

#[test]
fn every_kind_of_missing_answer_is_distinguished() {
    assert!(
        matches!(ask("echo no >&2; exit 2"), Err(NoAnswer::Failed { status: 2, stderr }) if stderr == "no")
    );
    assert!(matches!(ask("kill -SEGV $$"), Err(NoAnswer::Killed { signal: 11, .. })));
    assert!(matches!(ask("sleep 600"), Err(NoAnswer::Hung { milliseconds: 100 })));
    assert!(matches!(ask("exec >&- 2>&-; sleep 600"), Err(NoAnswer::Hung { .. })));
    assert!(matches!(ask("while :; do echo flood flood flood; done"), Err(NoAnswer::Flood { .. })));
    assert!(matches!(ask("printf torn"), Err(NoAnswer::Garbled { .. })));
    // A failure with output is a failure, even where part of the output could be read.
    assert!(matches!(ask(r"printf 'a\0001:x\n'; exit 2"), Err(NoAnswer::Failed { .. })));
}

#[test]
fn a_failure_declared_harmless_is_read_by_its_output() {
    let printed = ask(r"printf 'a\0001:x\n'; echo 'link: gone' >&2; exit 2").unwrap();
    assert_eq!((printed.files.len(), printed.status), (1, Status::Matched));
    assert_eq!(ask("echo 'link: gone' >&2; exit 2").unwrap().status, Status::None);
    let beside = ask("echo 'rule: what?' >&2; echo 'link: gone' >&2; exit 2").unwrap();
    assert_eq!(beside.status, Status::None);
    assert!(matches!(ask("echo 'rule: what?' >&2; exit 2"), Err(NoAnswer::Failed { .. })));
    let beside = ask("echo 'link: gone' >&2; echo 'error: x' >&2; exit 2");
    assert!(matches!(beside, Err(NoAnswer::Failed { .. })));
    // A panic has a status of its own, whatever was complained of before.
    assert!(matches!(ask("echo 'link: gone' >&2; exit 101"), Err(NoAnswer::Failed { .. })));
    assert!(matches!(ask("echo 'link: gone' >&2; kill -ABRT $$"), Err(NoAnswer::Killed { .. })));
    assert!(matches!(ask("exit 2"), Err(NoAnswer::Failed { .. })));
}

#[test]
fn a_failure_declared_a_refusal_is_unsupported() {
    let refused = ask("echo head >&2; echo ' not yet: lazy' >&2; exit 2");
    assert_eq!(refused, Err(NoAnswer::Unsupported("not yet: lazy".to_owned())));
    assert!(matches!(ask("echo other >&2; exit 2"), Err(NoAnswer::Failed { .. })));
}

#[test]
fn an_option_that_does_not_go_with_a_kind_of_answer_is_unsupported_there() {
    let fixed = Ask { fixed: true, ..Ask::new("x") };
    assert!(asked("exit 1", &fixed).is_ok());
    let counted = Ask { show: Show::Count, ..fixed };
    let why = "fixed with count: each match counts".to_owned();
    assert_eq!(asked("exit 1", &counted), Err(NoAnswer::Unsupported(why)));
}

#[test]
fn child_processes_of_a_program_end_with_it() {
    let root = tempfile::tempdir().unwrap();
    let mark = root.path().join("mark");
    std::fs::write(&mark, "").unwrap();
    let made =
        rustix::fs::mkfifoat(rustix::fs::CWD, root.path().join("pipe"), rustix::fs::Mode::RWXU);
    made.unwrap();
    // The grandchild keeps the write end of the pipe open for as long as it lives.
    let pipe = root.path().join("pipe");
    let script = format!("sleep 600 3<>'{}' & sleep 600", pipe.display());
    assert!(matches!(ask(&script), Err(NoAnswer::Hung { .. })));
    // With no writer left, a reader that does not wait gets the end of file, not that nothing came
    // yet.
    let read = rustix::fs::open(
        &pipe,
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::NONBLOCK,
        rustix::fs::Mode::empty(),
    )
    .unwrap();
    let until = Instant::now() + LONG;
    let mut buffer = [0; 1];
    while rustix::io::read(&read, &mut buffer) == Err(rustix::io::Errno::AGAIN) {
        assert!(Instant::now() < until, "the grandchild still lives");
        thread::yield_now();
    }
}

#[test]
fn a_missing_program_is_unstartable() {
    let adapter = Arc::new(Adapter::parse("sh.yaml", YAML).unwrap());
    let searcher = CommandSearcher::new(
        adapter,
        "sh".to_owned(),
        vec!["/nowhere/sh".into()],
        Limits::default(),
    );
    assert!(matches!(searcher.release(), Err(NoAnswer::Unstartable(_))));
}

#[test]
fn the_shown_command_names_the_program_and_no_directory() {
    let adapter = Arc::new(Adapter::parse("sh.yaml", YAML).unwrap());
    let searcher =
        CommandSearcher::new(adapter, "sh".to_owned(), vec!["/bin/sh".into()], Limits::default());
    let pack = Pack::of(&[("a b", "")]);
    let told = searcher.shell(PlacedPack { pack: &pack, root: Path::new("/") }, &Ask::new("x|y"));
    assert_eq!(told.as_deref(), Some("sh -c SCRIPT sh 'x|y' 'a b'"));
}
