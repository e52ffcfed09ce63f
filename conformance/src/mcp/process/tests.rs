//! Servers that do what they should not, as a few words of shell.

use std::fs;

use serde_json::json;

use super::*;

fn start(command: &str) -> Process {
    Process::start(Command::new("sh").args(["-c", command]).current_dir("/")).unwrap()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(20)
}

/// The next line, which is the number of a process.
fn number(process: &mut Process) -> u32 {
    String::from_utf8(process.line(soon()).unwrap()).unwrap().trim().parse().unwrap()
}

/// Whether there is such a process; one that only waits for its parent to look is none.
fn runs(number: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{number}/stat"));
    state.is_ok_and(|stat| !stat.rsplit_once(')').unwrap().1.trim_start().starts_with(['Z', 'X']))
}

#[track_caller]
fn ends(number: u32) {
    let until = soon();
    while runs(number) {
        assert!(Instant::now() < until, "process {number} is left");
        thread::yield_now();
    }
}

#[test]
fn a_process_that_never_reads_is_killed_in_time() {
    let mut process = start("echo $$; exec tail -f /dev/null");
    let number = number(&mut process);
    // More than a pipe holds.
    process.send(&json!("x".repeat(1 << 20)));
    assert_eq!(process.line(Instant::now() + Duration::from_millis(20)), Err(ReadError::Hung));
    assert!(runs(number));
    assert!(matches!(process.hung(Duration::from_secs(7)), Broken::Hung { seconds: 7, .. }));
    ends(number);
}

#[test]
fn child_processes_of_a_server_are_ended() {
    for end in ["exec tail -f /dev/null", "cat", ":"] {
        let mut process = start(&format!("tail -f /dev/null & echo $!; {end}"));
        let number = number(&mut process);
        assert!(runs(number));
        drop(process);
        ends(number);
    }
    let mut process = start("tail -f /dev/null & echo $!; cat");
    let number = number(&mut process);
    process.finish().unwrap();
    ends(number);
}

#[test]
fn an_ended_process_is_reported_with_its_status_and_last_output() {
    let mut process = start("yes first | head -n 100000 >&2; printf torn; echo last >&2; exit 3");
    assert_eq!(process.line(soon()), Err(ReadError::Ended));
    let Broken::Died { status, stderr } = process.died() else { panic!("it ended") };
    assert_eq!(status, "exit status: 3");
    assert!(stderr.len() <= TOLD && stderr.ends_with("first\nlast"), "{stderr}");
}

#[test]
fn a_line_without_end_is_cut_off_as_an_error() {
    let mut process = start("cat /dev/zero");
    assert_eq!(process.line(soon()), Err(ReadError::Endless(LINE_BYTES)));
}

#[test]
fn remaining_output_of_an_ending_server_is_drained_and_its_status_checked() {
    let process = start("cat; yes | head -n 100000");
    process.finish().unwrap();
    let process = start("cat; exit 4");
    let ended = process.finish().unwrap_err();
    assert_eq!(ended, Broken::Died { status: "exit status: 4".to_owned(), stderr: String::new() });
}
