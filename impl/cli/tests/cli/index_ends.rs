//! The server ends within two seconds, whatever its index does: end of input and SIGTERM at random
//! moments.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use assert_cmd::cargo::cargo_bin;

/// How many ends of each kind.
const MOMENTS: u64 = 100;
/// How many servers live at a time: they wait more than they work.
const AT_ONCE: usize = 3;
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
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % SPAN_MS
    };
    let moments: Vec<u64> = (0..MOMENTS).map(|_| random()).collect();
    // Servers of one index come one after the other; the first finds none.
    let indexes: Vec<&[u64]> = moments.chunks(4).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(moments) = indexes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    ends_of_one_index(&root, moments, by_signal);
                }
            });
        }
    });
}

fn ends_of_one_index(root: &Path, moments: &[u64], by_signal: bool) {
    let scratch = tempfile::tempdir().unwrap();
    let config = scratch.path().join("config.toml");
    let cache = scratch.path().join("cache");
    fs::write(
        &config,
        format!("[tools.search]\nindex_mode = \"on\"\nindex_path = '{}'\n", cache.display()),
    )
    .unwrap();
    for moment in moments {
        let child = start(root, &config);
        let (_never, waiting) = mpsc::channel::<()>();
        let _ = waiting.recv_timeout(Duration::from_millis(*moment));
        let took = end(child, by_signal);
        assert!(took <= LIMIT, "an end after {moment} ms: {took:?}");
    }
}
