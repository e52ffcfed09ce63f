use std::{
    fs::{self, File, FileTimes},
    path::Path,
    time::{Duration, SystemTime},
};

use tempfile::TempDir;

use super::{
    FIGURES, Found, KEPT, KEPT_FOR, LOCK, Place, Server, Summary, Tool, forget, path, pids, stored,
};

fn server(pid: u32, calls: u64, ended: bool) -> Server {
    let tool = Tool { complete: calls, ..Tool::default() };
    let summary = Summary { tools: [("grep".to_owned(), tool)].into(), indexes: Vec::new() };
    Server { pid, ..Server::new(Path::new("/tree")).with(summary, ended) }
}

fn found(cache: &TempDir) -> Vec<Found> {
    stored(cache.path())
}

#[test]
fn stats_of_a_running_server_are_found_and_replaced_whole() {
    let cache = TempDir::new().unwrap();
    let place = Place::take(cache.path(), 7).unwrap();
    for calls in [1, 100_000, 2] {
        let server = server(7, calls, false);
        place.put(&server).unwrap();
        assert_eq!(found(&cache), [Found { running: true, server }]);
    }
    assert_eq!(
        fs::read_dir(cache.path()).unwrap().count(),
        2,
        "figures and lock, nothing half-written"
    );
}

#[test]
fn running_ended_and_killed_servers_are_distinguished() {
    let cache = TempDir::new().unwrap();
    let [running, ended, killed] = [1, 2, 3].map(|pid| Place::take(cache.path(), pid).unwrap());
    running.put(&server(1, 1, false)).unwrap();
    ended.put(&server(2, 1, true)).unwrap();
    killed.put(&server(3, 1, false)).unwrap();
    drop((ended, killed));
    let told: Vec<(u32, bool, bool)> = found(&cache)
        .iter()
        .map(|found| (found.server.pid, found.running, found.server.ended))
        .collect();
    assert_eq!(told[0], (1, true, false));
    assert!(told.contains(&(2, false, true)) && told.contains(&(3, false, false)), "{told:?}");
}

#[test]
fn a_stats_file_in_use_is_not_assigned_twice() {
    let cache = TempDir::new().unwrap();
    let place = Place::take(cache.path(), 7).unwrap();
    assert!(Place::take(cache.path(), 7).is_none());
    drop(place);
    assert!(
        Place::take(cache.path(), 7).is_some(),
        "its number is given away again once it has ended"
    );
}

#[test]
fn foreign_and_broken_files_in_the_stats_directory_are_ignored() {
    let cache = TempDir::new().unwrap();
    assert_eq!(found(&cache), []);
    for (name, text) in [
        ("0123.sqlite", "an index"),
        ("server-1.stats.lock", ""),
        ("server-2.stats.lock", ""),
        ("server-2.stats.json", "{ half"),
        ("server-x.stats.lock", ""),
    ] {
        fs::write(cache.path().join(name), text).unwrap();
    }
    assert_eq!(found(&cache), []);
    assert_eq!(stored(&cache.path().join("absent")), []);
}

#[test]
fn stats_of_ended_servers_are_removed_after_a_week_or_beyond_a_number() {
    let cache = TempDir::new().unwrap();
    let now = SystemTime::now();
    let leave = |pid: u32, age: Duration, running: bool| {
        let place = Place::take(cache.path(), pid).unwrap();
        place.put(&server(pid, 1, !running)).unwrap();
        let file = File::options().write(true).open(path(cache.path(), pid, FIGURES)).unwrap();
        file.set_times(FileTimes::new().set_modified(now - age)).unwrap();
        place
    };
    let second = Duration::from_secs(1);
    let _running = leave(1, KEPT_FOR * 2, true);
    drop(leave(2, KEPT_FOR + second, false));
    drop(leave(3, KEPT_FOR / 2, false));
    forget(cache.path(), now);
    let mut left = pids(cache.path());
    left.sort_unstable();
    assert_eq!(left, [1, 3]);
    assert!(!path(cache.path(), 2, FIGURES).exists() && !path(cache.path(), 2, LOCK).exists());
    let many = u32::try_from(KEPT).unwrap();
    for pid in 0..many {
        drop(leave(100 + pid, second * (pid + 1), false));
    }
    forget(cache.path(), now);
    let left = pids(cache.path());
    // The oldest of those that have ended, which is number 3, had to go.
    assert!(left.len() == KEPT + 1 && left.contains(&1) && !left.contains(&3), "{left:?}");
}

#[cfg(unix)]
#[test]
fn stats_files_are_private_and_not_written_through_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let cache = TempDir::new().unwrap();
    let place = Place::take(cache.path(), 7).unwrap();
    place.put(&server(7, 1, false)).unwrap();
    for ending in [FIGURES, LOCK] {
        assert_eq!(
            path(cache.path(), 7, ending).metadata().unwrap().permissions().mode() & 0o777,
            0o600
        );
    }
    let elsewhere = cache.path().join("elsewhere");
    fs::write(&elsewhere, "mine").unwrap();
    symlink(&elsewhere, path(cache.path(), 7, "stats.new")).unwrap();
    assert!(place.put(&server(7, 2, false)).is_err());
    assert_eq!(fs::read_to_string(&elsewhere).unwrap(), "mine");
}
