//! Requests and trees that are small as they come in and were large once read: how much memory they
//! take, and how late they are. Each test runs itself again in a process of bounded memory.

#![expect(clippy::disallowed_methods, reason = "tests start programs")]
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Barrier,
    thread,
    time::{Duration, Instant},
};

use forge_search_engine::{
    Config, Preset, Sandbox, Service,
    requests::{Builder, search::RequestBuilder},
};
use serde_json::{Value, json};

/// Set in the bounded process.
const BOUNDED: &str = "TOUCHSTONE_BOUNDED";

/// Memory that a bounded process may ask for, in MiB; a program of this size needs some 100 to
/// start.
const MEMORY: u64 = 640;

/// What a deadline may be missed by: 100 ms are promised, by an optimized program on a machine of
/// its own.
const SLACK: Duration = Duration::from_millis(900);

/// Runs the test of this name in a process of bounded memory.
fn bounded(name: &str, test: impl FnOnce()) {
    if env::var_os(BOUNDED).is_some() {
        return test();
    }
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v \"$1\" && exec \"$2\" \"$3\" --exact --nocapture", "sh"]);
    shell.arg((MEMORY << 10).to_string()).arg(env::current_exe().unwrap()).arg(name);
    let status = shell.env(BOUNDED, "1").env("MALLOC_ARENA_MAX", "1").status().unwrap();
    assert!(status.success(), "{name}: {status}");
}

struct Place {
    _dir: tempfile::TempDir,
    root: PathBuf,
}

fn place() -> Place {
    let dir = tempfile::tempdir().unwrap();
    let root = dunce::canonicalize(dir.path()).unwrap();
    fs::write(root.join("found.txt"), "needle\n").unwrap();
    Place { _dir: dir, root }
}

/// The answer, and how long it took.
fn search(root: &Path, fill: impl FnOnce(RequestBuilder) -> RequestBuilder) -> (Value, Duration) {
    let config = Config { threads: 2, ..Config::preset(Preset::Agent) };
    let sandbox = Sandbox::new(&[root.to_owned()], root).unwrap();
    let service = Service::new(config, sandbox).unwrap();
    let started = Instant::now();
    let request = fill(service.search_request("needle")).build().unwrap();
    let answer = service.search(&request).unwrap();
    (serde_json::to_value(answer).unwrap(), started.elapsed())
}

/// A glob of 4,096 bytes that stands for 1,024.
fn unfolding() -> String {
    "{a,b}".repeat(10) + &"?".repeat(4_046)
}

#[test]
fn globs_of_many_alternatives_take_bounded_memory() {
    bounded("globs_of_many_alternatives_take_bounded_memory", || {
        let place = place();
        let mut globs = vec![unfolding(); 255];
        globs.push("*.{txt,md}".to_owned());
        let request =
            |b: RequestBuilder| b.include_glob(globs).exclude_glob(vec![unfolding(); 256]);
        let (answer, _) = search(&place.root, request);
        assert_eq!((&answer["count"], &answer["timed_out"]), (&json!(1), &json!(false)));
    });
}

#[test]
fn globs_of_many_alternatives_are_read_in_time() {
    bounded("globs_of_many_alternatives_are_read_in_time", || {
        let place = place();
        let request = |b: RequestBuilder| b.include_glob(vec![unfolding(); 6]).timeout_ms(100);
        let (answer, elapsed) = search(&place.root, request);
        assert!(elapsed < SLACK, "{elapsed:?}");
        assert_eq!(answer["count"], json!(0));
    });
}

/// Sixteen directories, one in the other, each with an ignore file of 1 MiB.
fn nested(root: &Path, ignore_file: impl Fn(usize) -> Vec<u8>) {
    let mut directory = root.to_owned();
    for depth in 0..16 {
        directory = directory.join("directory");
        fs::create_dir(&directory).unwrap();
        let mut rules = ignore_file(depth);
        rules.truncate(1 << 20);
        fs::write(directory.join(".gitignore"), rules).unwrap();
        fs::write(directory.join("x"), "needle\n").unwrap();
        fs::write(directory.join("found.txt"), "needle\n").unwrap();
    }
}

#[test]
fn equal_ignore_files_are_held_once() {
    bounded("equal_ignore_files_are_held_once", || {
        let place = place();
        nested(&place.root, |_| b"?\n".repeat(1 << 19));
        let (answer, elapsed) = search(&place.root, |b: RequestBuilder| b.timeout_ms(60_000));
        assert_eq!((&answer["count"], &answer["timed_out"]), (&json!(17), &json!(false)));
        assert!(elapsed < Duration::from_secs(20), "{elapsed:?}");
    });
}

#[test]
fn ignore_files_take_memory_by_their_text_and_time_within_the_deadline() {
    bounded("ignore_files_take_memory_by_their_text_and_time_within_the_deadline", || {
        let place = place();
        nested(&place.root, |depth| {
            let line = |number: usize| format!("{:x}?\n", number * 16 + depth);
            (0..300_000).map(line).collect::<Vec<String>>().concat().into_bytes()
        });
        let (answer, elapsed) = search(&place.root, |b: RequestBuilder| b.timeout_ms(500));
        assert!(elapsed < Duration::from_millis(500) + 2 * SLACK, "{elapsed:?}");
        assert_eq!(answer["errors"], json!([]));
        assert_eq!(answer["timed_out"], answer["truncated"]);
        let (answer, _) = search(&place.root, |b: RequestBuilder| b.timeout_ms(600_000));
        assert_eq!(answer["count"], json!(33), "`x` matches no rule");
    });
}

#[test]
fn a_walk_of_many_names_with_many_globs_obeys_the_deadline() {
    bounded("a_walk_of_many_names_with_many_globs_obeys_the_deadline", || {
        let place = place();
        for number in 0..20_000 {
            fs::write(place.root.join(format!("{number:05}{}", "ab".repeat(40))), "").unwrap();
        }
        let globs: Vec<String> =
            (0..256).map(|number| format!("*a*b*a*b*{{c,d}}*{number}")).collect();
        let request = |b: RequestBuilder| b.include_glob(globs).timeout_ms(100);
        let (answer, elapsed) = search(&place.root, request);
        assert!(elapsed < SLACK, "{elapsed:?}");
        assert_eq!((&answer["timed_out"], &answer["truncated"]), (&json!(true), &json!(true)));
        assert_eq!(
            answer["files_scanned"],
            json!(0),
            "nothing of a directory that was not read to its end"
        );
    });
}

#[test]
fn concurrent_calls_share_the_memory_of_the_process() {
    bounded("concurrent_calls_share_the_memory_of_the_process", || {
        const CALLS: usize = 24;
        let place = place();
        let line = format!("{}\n", "x".repeat(1_023));
        fs::write(place.root.join("large.txt"), line.repeat(24 << 10) + "needle\n").unwrap();
        let config = Config { threads: 1, ..Config::preset(Preset::Agent) };
        let root = &place.root;
        let sandbox = Sandbox::new(std::slice::from_ref(root), root).unwrap();
        let service = Service::new(config, sandbox).unwrap();
        let all_at_once = Barrier::new(CALLS);
        let ask = || {
            let request = service.search_request("needle").timeout_ms(600_000).build().unwrap();
            service.search(&request)
        };
        let answers: Vec<_> = thread::scope(|scope| {
            let call = || {
                all_at_once.wait();
                ask()
            };
            let calls: Vec<_> = (0..CALLS).map(|_| scope.spawn(call)).collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        let answered = answers.iter().filter(|answer| answer.is_ok()).count();
        println!("{answered} of {CALLS} calls answered");
        assert!(answered > 0);
        for answer in answers {
            match answer {
                Ok(answer) => assert!(answer.count == 2 && !answer.timed_out),
                Err(error) => assert!(error.is_busy(), "{error}"),
            }
        }
        assert_eq!(ask().unwrap().count, 2, "what they held is free again");
    });
}

#[test]
fn ignore_files_beyond_a_total_size_are_errors() {
    let place = place();
    nested(&place.root, |_| b"#".repeat(1 << 20));
    let deepest = place.root.join(["directory"; 16].join("/"));
    fs::create_dir(deepest.join("below")).unwrap();
    fs::write(deepest.join("below/.gitignore"), "found.txt\n").unwrap();
    fs::write(deepest.join("below/found.txt"), "needle\n").unwrap();
    let (answer, _) = search(&place.root, |b: RequestBuilder| b);
    let path = ["directory"; 16].join("/") + "/below/.gitignore";
    assert_eq!(answer["errors"], json!([{"path": path, "error": "ignore file cannot be read"}]));
    assert_eq!(answer["count"], json!(34), "what cannot be read counts as empty");
    fs::create_dir(deepest.join("below/.git")).unwrap();
    let (answer, _) = search(&place.root, |b: RequestBuilder| b);
    assert_eq!(
        (&answer["errors"], &answer["count"]),
        (&json!([]), &json!(33)),
        "a repository starts anew"
    );
}
