//! How much memory a build takes for each file: what is known of a file is held once, not once for
//! each step.

use std::{
    fs,
    io::Write,
    process::{Child, Stdio},
    thread,
};

use crate::place::Place;

/// Directories of the large tree, and files in each.
const TREE: (u64, u64) = (5_000, 4);
/// Bytes of memory for each file at most, its share of a directory with its watch included. In a
/// tree of a million files they are half as many, since buffers and caches of the store are full by
/// then.
const BYTES_PER_FILE: u64 = 800;
/// One thread, however many the machine has: each has tables of its own.
const CONFIG: &str = "[tools.search]\nindex_build_max_cpu_percent = 1\nindex_idle_boost_ms = 0\n";

/// A tree of tiny files, and the peak of anonymous memory, in bytes, of a build of its index.
fn peak(directories: u64, files: u64) -> u64 {
    let place = Place::configured(CONFIG);
    for number in 0..directories {
        let directory = place
            .tree()
            .join(format!("d{:03}", number / 1000))
            .join(format!("e{:03}", number % 1000));
        fs::create_dir_all(&directory).unwrap();
        for file in number * files..(number + 1) * files {
            fs::write(directory.join(format!("f{file}.txt")), format!("value {file}\n")).unwrap();
        }
    }
    peak_of_build(&place)
}

/// The peak of anonymous memory, in bytes, of a build.
fn peak_of_build(place: &Place) -> u64 {
    let mut program = place.program();
    program.args(["index", "build"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut build = program.spawn().unwrap();
    let mut peak = 0;
    let status = loop {
        peak = peak.max(anonymous(&build));
        match build.try_wait().unwrap() {
            Some(status) => break status,
            None => thread::yield_now(),
        }
    };
    assert!(status.success(), "{status}");
    peak
}

/// `RssAnon` of a process; 0 when it has ended.
fn anonymous(process: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Large files, and bytes of each.
const LARGE: (u64, u64) = (4, 160 << 20);

#[test]
fn a_build_has_one_large_file_in_memory_at_a_time() {
    let (files, bytes) = LARGE;
    let place = Place::configured(
        "[tools.search]\nindex_build_max_cpu_percent = 100\nindex_max_tokenized_bytes = 1073741824\n",
    );
    for number in 0..files {
        // It is read whole and has no n-grams, which would take minutes without optimisation.
        let mut file = fs::File::create(place.tree().join(format!("{number}.txt"))).unwrap();
        file.write_all(b"\xff\xfe").unwrap();
        file.set_len(bytes).unwrap();
    }
    let peak = peak_of_build(&place);
    println!("{files} files of {} MiB: {} MiB", bytes >> 20, peak >> 20);
    assert!(peak >= bytes && peak <= bytes + bytes / 2, "{} MiB", peak >> 20);
}

#[test]
fn a_build_takes_some_hundred_bytes_of_memory_for_each_file() {
    let (directories, files) = TREE;
    // A tree of one batch takes what does not grow with the tree. Its peak is short, and missed
    // now and then by who looks from outside, which would count for the files.
    let small = (0..3).map(|_| peak(100, files)).max().unwrap_or(0);
    let large = peak(directories, files);
    let each = large.saturating_sub(small) / ((directories - 100) * files);
    println!("{} MiB, then {} MiB: {each} bytes a file", small >> 20, large >> 20);
    assert!(each <= BYTES_PER_FILE, "{each} bytes a file");
}
