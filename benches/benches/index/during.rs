//! Cost of a search during a build, relative to the same search without an index.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use forge_search_engine::{IndexMode, IndexOptions, IndexUse, Sandbox, Service};
use serde_json::json;
use touchstone::provision::Backends;
use touchstone_benches::{config, median, p99, service, time_call};

use crate::Bounds;

/// Searches at each place, and builds at most during which they are made.
const SEARCHES: usize = 200;
const BUILDS: usize = 20;
/// How long a build is held back at least by calls without a pause.
const HELD_BACK: Duration = Duration::from_secs(50);
/// Most milliseconds that a build may add to a search.
const ALLOWED_MS: f64 = 5.0;

/// A directory of the tree, and how long searches below it took.
struct Place {
    name: &'static str,
    beside: Vec<f64>,
    without: Vec<f64>,
}

/// Measures a search of everything, of a large and of a small directory.
pub(crate) fn measure(tree: &Path, scratch: &Path, backends: &Backends, bounds: &mut Bounds) {
    let plain = service(tree, "native", backends).expect("the embedded backend");
    let new = |name| Place { name, beside: Vec::new(), without: Vec::new() };
    let mut places = [new("."), new("drivers/usb"), new("mm")];
    let enough = |places: &[Place]| places.iter().all(|place| place.beside.len() >= SEARCHES);
    for number in 0..BUILDS {
        if enough(&places) {
            break;
        }
        // The default settings: callers meet a throttled build.
        let mut settings = config("native", backends).expect("the embedded backend");
        settings.index.index_mode = IndexMode::On;
        settings.index.index_path =
            scratch.join(format!("during-{number}")).to_string_lossy().into_owned();
        let sandbox = Sandbox::new(&[tree.to_owned()], tree).expect("a tree that can be searched");
        let options = IndexOptions { using: IndexUse::Background, ..IndexOptions::default() };
        let building =
            Service::with_index(settings, sandbox, options).expect("a valid configuration");
        let begun = Instant::now();
        while begun.elapsed() < HELD_BACK
            && !building.index_wait(Duration::ZERO)
            && !enough(&places)
        {
            for place in &mut places {
                place.beside.push(search(&building, place.name));
            }
        }
        building.index_shutdown();
    }
    for _ in 0..SEARCHES {
        for place in &mut places {
            place.without.push(search(&plain, place.name));
        }
    }
    println!("\nwhile an index is built:");
    for Place { name, beside, without } in &places {
        let (during, before) = (p99(beside), p99(without));
        println!(
            "  `{name}`: median {:.1} ms, p99 {during:.1}; without an index {:.1}, p99 {before:.1}",
            median(beside),
            median(without)
        );
        let more = during - before;
        bounds.note(
            format!("a build adds {more:+.1} ms to the p99 of searches below `{name}`, at most {ALLOWED_MS}"),
            more <= ALLOWED_MS,
        );
    }
}

fn search(service: &Service, path: &str) -> f64 {
    let request = json!({"pattern": "usb_hub_for_each_child", "fixed_strings": true, "path": path});
    time_call(service, &request).expect("an answer").as_secs_f64() * 1000.0
}
