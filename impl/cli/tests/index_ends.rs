//! The server ends within two seconds, whatever its index does: end of input and SIGTERM at random
//! moments.

#![expect(clippy::disallowed_methods, reason = "tests start programs")]
#![expect(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use assert_cmd::cargo::cargo_bin;

/// How many ends of each kind.
const MOMENTS: u64 = 100;
/// Within which one is chosen after the start: a build of this tree, and what follows it.
const SPAN_MS: u64 = 400;
/// As long as an end may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Files of different words, and as many names again of a tenth of them.
fn tree(root: &Path) {
    for number in 0..2_000 {
        let directory = root.join(format!("d{}", number % 20));
        fs::create_dir_all(&directory).unwrap();
        let file = directory.join(format!("f{number}"));
        fs::write(&file, format!("word{number} and line {}\n", number * 7).repeat(20)).unwrap();
        if number % 10 == 0 {
            for name in 0..10 {
                fs::hard_link(&file, directory.join(format!("l{number}-{name}"))).unwrap();
            }
        }
    }
}

fn start(root: &Path, config: &Path) -> Child {
    let mut command = Command::new(cargo_bin("forge-search"));
    command.current_dir(root).arg("--config").arg(config).arg("mcp");
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Ends a server, by a signal or by the end of its input. How long that took.
fn end(mut child: Child, by_signal: bool) -> Duration {
    let input = child.stdin.take();
    let started = Instant::now();
    if by_signal {
        let told = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
        assert!(told.success(), "it had ended before");
    } else {
        drop(input);
    }
    let (done, ended) = mpsc::channel();
    let id = child.id();
    let waiting = thread::spawn(move || {
        let _ = child.wait();
        let _ = done.send(());
    });
    if ended.recv_timeout(LIMIT * 5).is_err() {
        let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
    }
    waiting.join().unwrap();
    started.elapsed()
}

#[test]
fn the_server_ends_within_two_seconds_of_a_signal() {
    ends(true, 0x9E37_79B9_7F4A_7C15);
}

#[test]
fn the_server_ends_within_two_seconds_of_the_end_of_its_input() {
    ends(false, 0x2545_F491_4F6C_DD1D);
}

fn ends(by_signal: bool, mut state: u64) {
    let scratch = tempfile::tempdir().unwrap();
    let root = scratch.path().join("tree");
    tree(&root);
    let mut longest = Duration::ZERO;
    for number in 0..MOMENTS {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        // Every fourth begins with an index that does not exist yet.
        let cache = scratch.path().join(format!("cache{}", number / 4));
        let config = scratch.path().join(format!("config{number}.toml"));
        fs::write(
            &config,
            format!("[tools.search]\nindex_mode = \"on\"\nindex_path = '{}'\n", cache.display()),
        )
        .unwrap();
        let child = start(&root, &config);
        let (_never, moment) = mpsc::channel::<()>();
        let _ = moment.recv_timeout(Duration::from_millis(state % SPAN_MS));
        let took = end(child, by_signal);
        assert!(took <= LIMIT, "end {number}: {took:?}");
        longest = longest.max(took);
    }
    println!("the longest of {MOMENTS} ends took {longest:?}");
}
