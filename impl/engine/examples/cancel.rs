//! Cancels a search: the answer is what was found until then.
//!
//! `cargo run -p forge-search-engine --example cancel -- DIRECTORY`

use std::{
    env,
    error::Error,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

use forge_search_engine::{Config, Preset, Response, Sandbox, Service, requests::Builder};

/// Searches for every line, and cancels at the first.
pub(crate) fn run(root: &Path) -> Result<Response, Box<dyn Error>> {
    let sandbox = Sandbox::new(&[root.to_owned()], root)?;
    let service = Service::new(Config::preset(Preset::Agent), sandbox)?;
    let request = service.search_request(".").max_results(10_000).build()?;
    // Any thread may set it at any time. `Service::cancel_switch` ends all calls of a service.
    let cancelled = AtomicBool::new(false);
    let response = service.search_each(&request, &cancelled, &mut |_| {
        cancelled.store(true, Ordering::Relaxed);
    })?;
    Ok(response)
}

#[allow(dead_code, reason = "a test runs what it calls")]
fn main() -> Result<(), Box<dyn Error>> {
    let root = env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    let response = run(Path::new(&root))?;
    println!("{} results until then; cancelled: {}", response.count, response.timed_out);
    Ok(())
}
