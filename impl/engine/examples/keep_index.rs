//! Keeps an index of a tree while it changes: same answers, most files unread.
//!
//! `cargo run -p forge-search-engine --example keep_index -- DIRECTORY NAME`

use std::{env, error::Error, path::Path, time::Duration};

use forge_search_engine::{
    Config, IndexMode, IndexOptions, IndexStorage, IndexUse, Preset, Sandbox, Service,
    requests::Builder,
};

/// The number of files that contain `name`, and of files that the index excluded.
pub(crate) fn run(root: &Path, name: &str) -> Result<(usize, u64), Box<dyn Error>> {
    let mut config = Config::preset(Preset::Agent);
    config.index.index_mode = IndexMode::On;
    // `Sqlite` keeps it for the next process, in the user's cache directory.
    config.index.index_storage = IndexStorage::Memory;
    let sandbox = Sandbox::new(&[root.to_owned()], root)?;
    // A thread builds the index, watches the tree and updates the index.
    let options = IndexOptions { using: IndexUse::Background, ..IndexOptions::default() };
    let service = Service::with_index(config, sandbox, options)?;
    // Optional: until the index is complete, every file is read.
    service.index_wait(Duration::from_secs(30));
    let request = service.search_request(name).fixed_strings(true).build()?;
    let response = service.search(&request)?;
    let mut files: Vec<&str> =
        response.matches.iter().map(|event| event.data.path.text.as_str()).collect();
    files.dedup();
    let unread = response.stats.as_ref().map_or(0, |stats| stats.candidates_excluded);
    let found = files.len();
    // Stops the thread within its time limit.
    service.index_shutdown();
    Ok((found, unread))
}

#[allow(dead_code, reason = "a test runs what it calls")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let name = arguments.next().unwrap_or_else(|| "Service".to_owned());
    let (found, unread) = run(Path::new(&root), &name)?;
    println!("{found} files hold {name}; {unread} were left out unread");
    Ok(())
}
