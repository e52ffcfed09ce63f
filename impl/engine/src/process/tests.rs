use super::*;

fn shell(script: &str, deadline: Duration) -> Invocation<'_> {
    Invocation {
        program: Path::new("/bin/sh"),
        args: vec!["-c".into(), script.into()],
        cwd: None,
        stdin: None,
        deadline: Instant::now() + deadline,
    }
}

const LONG: Duration = Duration::from_secs(60);

fn ended(script: &str) -> (ProcessEnd, String) {
    let mut output = Vec::new();
    let ended = run(shell(script, LONG), &|| false, &mut |piece| {
        output.extend_from_slice(piece);
        ControlFlow::Continue(())
    });
    (ended.expect("a shell runs"), String::from_utf8_lossy(&output).into_owned())
}

/// Waits, with a bound, until no process has `mark` among its arguments.
fn is_gone(mark: &str) -> bool {
    let deadline = Instant::now() + Duration::from_secs(10);
    while Instant::now() < deadline {
        if is_gone_now(mark) {
            return true;
        }
        thread::yield_now();
    }
    false
}

fn is_gone_now(mark: &str) -> bool {
    !std::fs::read_dir("/proc").unwrap().flatten().any(|entry| {
        std::fs::read(entry.path().join("cmdline"))
            .is_ok_and(|args| args.windows(mark.len()).any(|window| window == mark.as_bytes()))
    })
}

#[test]
fn output_exit_code_and_errors_are_returned_and_nothing_is_inherited() {
    let (end, output) = ended("echo out; echo err >&2; cat; echo \"[$HOME]\"; exit 3");
    assert_eq!(end, ProcessEnd::Exited { code: Some(3), stderr: "err\n".to_owned() });
    assert_eq!(output, "out\n[]\n", "input is closed and the environment is empty");
}

#[test]
fn a_child_killed_by_a_signal_has_no_exit_code() {
    assert_eq!(ended("kill -9 $$").0, ProcessEnd::Exited { code: None, stderr: String::new() });
}

#[cfg(target_os = "linux")]
#[test]
fn at_the_deadline_the_whole_process_group_is_killed() {
    let script = "sleep 612.75 & sleep 612.75";
    let end = run(shell(script, Duration::from_millis(100)), &|| false, &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), ProcessEnd::Deadline);
    assert!(is_gone("612.75"), "a grandchild survived");
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_that_closes_its_output_and_lingers_is_killed() {
    let script = "exec >&- 2>&-; sleep 613.25";
    let end = run(shell(script, Duration::from_millis(100)), &|| false, &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), ProcessEnd::Deadline);
    assert!(is_gone("613.25"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_caller_that_stops_ends_the_child() {
    let script = "echo 1; sleep 614.5";
    let end = run(shell(script, LONG), &|| false, &mut |_| ControlFlow::Break(()));
    assert_eq!(end.unwrap(), ProcessEnd::Stopped);
    assert!(is_gone("614.5"));
    let end = run(shell("sleep 615.5", LONG), &|| true, &mut |_| ControlFlow::Continue(()));
    assert_eq!(end.unwrap(), ProcessEnd::Stopped);
    assert!(is_gone("615.5"));
}

#[test]
fn standard_error_is_kept_up_to_a_bound_and_never_blocks() {
    let (end, _) = ended("head -c 1000000 /dev/zero | tr '\\0' x >&2");
    let ProcessEnd::Exited { code: Some(0), stderr } = end else { panic!("{end:?}") };
    assert_eq!(stderr.len() as u64, STDERR_BYTES);
}

#[test]
fn a_missing_program_is_an_error() {
    let run = super::run(
        Invocation {
            program: Path::new("/nope"),
            args: vec![],
            cwd: None,
            stdin: None,
            deadline: Instant::now() + LONG,
        },
        &|| false,
        &mut |_| ControlFlow::Continue(()),
    );
    assert!(run.is_err());
}

#[cfg(target_os = "linux")]
#[test]
fn a_background_process_of_a_child_in_another_group_is_not_awaited() {
    // It holds both streams, and nobody ends it before its time: this is a library here.
    let script = "setsid sleep 1.5371 & echo out; exit 0";
    let mut output = Vec::new();
    let end = run(shell(script, LONG), &|| false, &mut |piece| {
        output.extend_from_slice(piece);
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), ProcessEnd::Exited { code: Some(0), stderr: LEFT_BEHIND.to_owned() });
    assert_eq!(output, b"out\n");
    assert!(!is_gone_now("1.5371"), "the call came to its end first");
    let script = "setsid sleep 1.2519 & sleep 60";
    let end = run(shell(script, Duration::from_millis(100)), &|| false, &mut |_| {
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), ProcessEnd::Deadline);
    assert!(!is_gone_now("1.2519"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_adopts_orphans_ends_them() {
    adopt_orphans();
    let script = "setsid sh -c 'sleep 615.125 & setsid sleep 615.125' & setsid true & echo out";
    let (end, output) = ended(script);
    assert_eq!(end, ProcessEnd::Exited { code: Some(0), stderr: LEFT_BEHIND.to_owned() });
    assert_eq!(output, "out\n");
    assert!(is_gone_now("615.125"), "an orphan survived the call");
    let end = run(
        shell("setsid sleep 615.25 & sleep 60", Duration::from_millis(100)),
        &|| false,
        &mut |_| ControlFlow::Continue(()),
    );
    assert_eq!(end.unwrap(), ProcessEnd::Deadline);
    assert!(is_gone_now("615.25"), "an orphan survived the deadline");
}

#[cfg(target_os = "linux")]
#[test]
fn concurrent_calls_do_not_reap_or_await_each_others_children() {
    adopt_orphans();
    thread::scope(|scope| {
        for code in 1..=8 {
            scope.spawn(move || {
                for _ in 0..20 {
                    let (end, _) = ended(&format!("setsid sleep 616.5 & exit {code}"));
                    let ProcessEnd::Exited { code: got, .. } = end else { panic!("{end:?}") };
                    assert_eq!(got, Some(code));
                }
            });
        }
    });
    assert!(is_gone("616.5"), "an orphan survived its call");
}

#[test]
fn a_stream_with_unread_output_or_without_a_writer_is_not_held() {
    let (stream, mut writer) = std::io::pipe().unwrap();
    let held = Held::of(&stream).unwrap();
    assert!(held.is_held(), "its writer may still write");
    writer.write_all(b"late").unwrap();
    assert!(!held.is_held(), "its reader has not run yet");
    let mut seen = [0; 4];
    (&stream).read_exact(&mut seen).unwrap();
    assert!(held.is_held());
    drop(writer);
    assert!(!held.is_held(), "its reader has not seen the end yet");
}
