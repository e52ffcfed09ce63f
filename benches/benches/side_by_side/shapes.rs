//! Trees of other shapes: very many files, very large ones, and the kernel five times over.

use std::{
    fmt::Write as _,
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

use serde_json::json;
use touchstone::provision::available;
use touchstone_benches::{
    corpus, median, rival,
    server::{Server, configure, program},
    time_first_lines, time_rival,
};

use crate::{
    PATIENCE,
    questions::{RESULTS, timed},
};

/// Directories of the tree of tiny files, and files in each. Every directory takes a watch.
const TINY: (u64, u64) = (250_000, 4);
/// Files of the tree of large files, and bytes of each.
const LARGE: (u64, u64) = (20, 200 << 20);
/// Copies of the kernel.
const COPIES: u64 = 5;
/// Times that each question is asked.
const ROUNDS: usize = 3;
/// More than a tree of many files takes.
const UNLIMITED: &str = "index_max_db_bytes = 16000000000\nindex_build_timeout_ms = 3600000\n";

struct Shape {
    name: &'static str,
    make: fn(&Path),
    /// Lines of configuration, beyond [`UNLIMITED`].
    more: &'static str,
    rival: &'static str,
    patterns: &'static [&'static str],
}

const SHAPES: [Shape; 3] = [
    Shape {
        name: "1,000,000 tiny files",
        make: tiny,
        more: "",
        rival: "32M",
        patterns: &["token_777777", "token_1234567890", "shared_42", "value"],
    },
    Shape {
        name: "20 files of 200 MB",
        make: large,
        more: "max_file_size_bytes = 268435456\nindex_max_tokenized_bytes = 268435456\n",
        rival: "256M",
        patterns: &["token_777777", "token_99999999999", "needle_at_the_end", "value"],
    },
    Shape {
        name: "the kernel five times",
        make: kernels,
        more: "",
        rival: "32M",
        patterns: &[
            "kvm_vcpu_kick",
            "frobnicate_widget_zz",
            "pm_runtime_get_sync",
            "race condition between",
        ],
    },
];

/// Where Linux keeps how many watches a user may have.
const WATCHES: &str = "/proc/sys/fs/inotify/max_user_watches";
/// More than [`TINY`] has directories.
const WATCHES_NEEDED: u64 = 300_000;

/// The limit of watches as it was, to be put back.
struct Watches(u64);

impl Watches {
    fn raised() -> Self {
        let usual = fs::read_to_string(WATCHES).ok().and_then(|text| text.trim().parse().ok());
        let usual: u64 = usual.unwrap_or(u64::MAX);
        if usual < WATCHES_NEEDED {
            let raised = fs::write(WATCHES, WATCHES_NEEDED.to_string());
            let how = if raised.is_ok() { "raised" } else { "not raised, which takes root" };
            println!(
                "inotify watches: {usual}; the tree of tiny files takes {WATCHES_NEEDED}: {how}"
            );
        }
        Self(usual)
    }
}

impl Drop for Watches {
    fn drop(&mut self) {
        // Without the right to raise it there is nothing to put back.
        let _ = fs::write(WATCHES, self.0.to_string());
    }
}

/// A table of builds, and one of questions.
pub(crate) fn measure(scratch: &Path) -> String {
    let _watches = Watches::raised();
    let mut builds = String::from(
        "| tree | build, s | peak of anonymous memory, MiB | index, MB |\n| --- | --- | --- | --- |\n",
    );
    let mut asked = String::from(
        "| tree | question | `Search`, ms | `rg --sort path`, 200 lines | `rg` |\n| --- | --- | --- | --- | --- |\n",
    );
    let backends = available().expect("a build directory");
    let ripgrep = backends.ripgrep.as_deref().expect("ripgrep");
    for shape in &SHAPES {
        let tree = scratch.join(shape.name.replace([' ', ','], "-"));
        (shape.make)(&tree);
        let config = configure(
            &scratch.join(format!("cache-{}", shape.rival)),
            &format!("{UNLIMITED}{}", shape.more),
        );
        let built = build(&tree, &config);
        let _ = writeln!(
            builds,
            "| {} | {:.1} | {} | {} |",
            shape.name,
            built.seconds,
            built.peak_kib / 1024,
            built.index_bytes / 1_000_000
        );
        println!("{builds}");
        let mut server = Server::start(&tree, &config);
        server.wait_for_the_index(PATIENCE);
        for pattern in shape.patterns {
            let request = json!({
                "pattern": pattern, "fixed_strings": true, "case": "sensitive", "max_results": RESULTS,
                "timeout_ms": 120_000,
            });
            let mut took = [const { Vec::new() }; 3];
            timed(&mut server, "Search", &request);
            for _ in 0..ROUNDS {
                let plain = [
                    "--no-config",
                    "-n",
                    "--no-require-git",
                    "--max-filesize",
                    shape.rival,
                    "-F",
                    "-s",
                ];
                let sorted = [&plain[..], &["--sort", "path"]].concat();
                let first = time_first_lines(&mut rival(&tree, ripgrep, &sorted, pattern), RESULTS);
                let all = time_rival(&mut rival(&tree, ripgrep, &plain, pattern));
                took[0].push(timed(&mut server, "Search", &request));
                took[1].push(first.expect("ripgrep runs").as_secs_f64() * 1000.0);
                took[2].push(all.expect("ripgrep runs").as_secs_f64() * 1000.0);
            }
            let [own, sorted, all] = took.map(|took| median(&took));
            let _ = writeln!(
                asked,
                "| {} | `{pattern}` | {own:.1} | {sorted:.0} | {all:.0} |",
                shape.name
            );
        }
        server.end();
        println!("{asked}");
        fs::remove_dir_all(&tree).expect("the tree can go");
    }
    format!("{builds}\n{asked}")
}

struct Built {
    seconds: f64,
    peak_kib: u64,
    index_bytes: u64,
}

/// Builds the index in a process of its own, and looks at its anonymous memory meanwhile.
fn build(tree: &Path, config: &Path) -> Built {
    let started = Instant::now();
    let mut child = Command::new(program())
        .arg("--config")
        .arg(config)
        .args(["index", "build"])
        .current_dir(tree)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut peak_kib = 0;
    let status = loop {
        peak_kib = peak_kib.max(anonymous_kib(child.id()));
        if let Some(status) = child.try_wait().expect("the build ends") {
            break status;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    let seconds = started.elapsed().as_secs_f64();
    assert!(status.success(), "the index of {} is built", tree.display());
    let cache = config.with_extension("");
    let files = fs::read_dir(cache).expect("a cache").flatten();
    let index_bytes = files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
    Built { seconds, peak_kib, index_bytes }
}

/// `RssAnon` of a process, in KiB; 0 when it has ended.
fn anonymous_kib(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// A hash, for numbers that look random and are the same on every run.
fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

fn tiny(tree: &Path) {
    let (directories, files) = TINY;
    for number in 0..directories {
        let directory =
            tree.join(format!("d{:03}", number / 1000)).join(format!("e{:03}", number % 1000));
        fs::create_dir_all(&directory).expect("a directory");
        for file in number * files..(number + 1) * files {
            let text =
                format!("token_{file} = {}\nshared_{} value\n", mixed(file), mixed(file) % 1000);
            fs::write(directory.join(format!("f{file}.txt")), text).expect("a file");
        }
    }
}

fn large(tree: &Path) {
    fs::create_dir_all(tree).expect("a directory");
    let (files, bytes) = LARGE;
    for number in 0..files {
        let file = File::create(tree.join(format!("log{number:02}.txt"))).expect("a file");
        let mut file = BufWriter::new(file);
        let (mut written, mut line) = (0, number * 10_000_000);
        while written < bytes {
            let text =
                format!("token_{line} value {} {}\n", mixed(line), mixed(line + 1) % 100_000);
            file.write_all(text.as_bytes()).expect("room on disk");
            written += text.len() as u64;
            line += 1;
        }
        if number + 1 == files {
            file.write_all(b"needle_at_the_end\n").expect("room on disk");
        }
        file.flush().expect("room on disk");
    }
}

fn kernels(tree: &Path) {
    fs::create_dir_all(tree).expect("a directory");
    let kernel: PathBuf = corpus().expect("a tree to search");
    for number in 1..=COPIES {
        let copied =
            Command::new("cp").arg("-r").arg(&kernel).arg(tree.join(number.to_string())).status();
        assert!(copied.is_ok_and(|status| status.success()), "the tree can be copied");
    }
}
