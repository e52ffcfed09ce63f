//! Prints each result as soon as it is final, in the order of the answer.
//!
//! `cargo run -p forge-search-engine --example stream_results -- DIRECTORY PATTERN`

use std::{
    env,
    error::Error,
    path::Path,
    sync::{atomic::AtomicBool, mpsc::sync_channel},
    thread,
};

use forge_search_engine::{Config, Preset, Sandbox, Service, requests::Builder};

/// Passes the matching lines to `show` while the search runs. Returns their number.
pub(crate) fn run(
    root: &Path,
    pattern: &str,
    mut show: impl FnMut(&str),
) -> Result<u64, Box<dyn Error>> {
    let sandbox = Sandbox::new(&[root.to_owned()], root)?;
    let service = Service::new(Config::preset(Preset::Agent), sandbox)?;
    let request = service.search_request(pattern).max_results(10_000).build()?;
    // The search waits while 64 results are unprinted.
    let (sender, results) = sync_channel(64);
    let (service, request) = (&service, &request);
    thread::scope(|scope| {
        let search = scope.spawn(move || {
            let over = AtomicBool::new(false);
            service.search_each(request, &over, &mut |event| {
                let place = format!("{}:{}", event.data.path.text, event.data.line_number);
                // A dropped receiver wants no more results.
                drop(sender.send(place));
            })
        });
        for place in results {
            show(&place);
        }
        let response = search.join().map_err(|_| "the search panicked")??;
        Ok(response.count)
    })
}

#[allow(dead_code, reason = "a test runs what it calls")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let pattern = arguments.next().unwrap_or_else(|| "fn main".to_owned());
    let count = run(Path::new(&root), &pattern, |place| println!("{place}"))?;
    println!("{count} results");
    Ok(())
}
