//! Searches a tree with a typed request.
//!
//! `cargo run -p forge-search-engine --example search_tree -- DIRECTORY PATTERN`

use std::{env, error::Error, path::Path};

use forge_search_engine::{
    Config, EventType, Preset, Sandbox, Service,
    requests::{Builder, CaseMode},
};

/// The lines of `root` that match `pattern`, as `path:line: text`.
pub(crate) fn run(root: &Path, pattern: &str) -> Result<Vec<String>, Box<dyn Error>> {
    // Nothing outside the sandbox is opened, whatever a request says.
    let sandbox = Sandbox::new(&[root.to_owned()], root)?;
    let service = Service::new(Config::preset(Preset::Agent), sandbox)?;
    let request = service
        .search_request(pattern)
        .case(CaseMode::Smart)
        .include_glob(["*.rs", "*.md"])
        .context(1)
        .max_results(100)
        .build()?;
    let response = service.search(&request)?;
    if !response.complete() {
        // A cap or the deadline cut the answer; `stats` says which.
        eprintln!("incomplete: {}", response.content);
    }
    let shown = response.matches.iter().map(|event| {
        let data = &event.data;
        let mark = if event.r#type == EventType::Match { ':' } else { '-' };
        format!("{}{mark}{}{mark} {}", data.path.text, data.line_number, data.lines.text)
    });
    Ok(shown.collect())
}

#[allow(dead_code, reason = "a test runs what it calls")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let pattern = arguments.next().unwrap_or_else(|| "TODO".to_owned());
    for line in run(Path::new(&root), &pattern)? {
        println!("{line}");
    }
    Ok(())
}
