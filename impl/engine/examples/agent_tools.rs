//! Calls the agent's tools with typed requests: where a name is defined, and every line with it.
//!
//! `cargo run -p forge-search-engine --example agent_tools -- DIRECTORY NAME`

use std::{env, error::Error, path::Path, sync::Arc};

use forge_search_engine::{
    Call, Config, Preset, Profile, Reason, Sandbox, Service, Toolbox,
    requests::{Builder, grep, search_text},
};

/// The best file for `name`, and all lines with it, however many pages they take.
pub(crate) fn run(root: &Path, name: &str) -> Result<(Option<String>, Vec<u64>), Box<dyn Error>> {
    let sandbox = Sandbox::new(&[root.to_owned()], root)?;
    let service = Service::new(Config::preset(Preset::Agent), sandbox)?;
    let toolbox = Toolbox::new(Arc::new(service), Profile::Default);
    // Each session has its own rate limit, which refuses calls beyond it.
    let (session, defaults) = (toolbox.session(), toolbox.defaults());

    let request = search_text::Request::builder(name, &defaults).max_results(1).build()?;
    let answer = toolbox.search_text(&session, &request, &Call::new())?;
    let best = answer.results.into_iter().next().map(|found| found.path);

    let (mut lines, mut next) = (Vec::new(), Some(0));
    while let Some(offset) = next {
        let request = grep::Request::builder(name, &defaults)
            .max_results(100)
            .offset(offset as u64)
            .context_lines(0)
            .build()?;
        let page = toolbox.grep(&session, &request, &Call::new())?;
        if page.incomplete_because.contains(&Reason::Timeout) {
            eprintln!("{}", page.text);
        }
        lines.extend(page.results.iter().filter_map(|found| match found {
            grep::Found::Line(found) => Some(found.line),
            // Only with `output`: `files`.
            grep::Found::File(_) => None,
        }));
        next = page.next_offset;
    }
    Ok((best, lines))
}

#[allow(dead_code, reason = "a test runs what it calls")]
fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let name = arguments.next().unwrap_or_else(|| "Service".to_owned());
    let (best, lines) = run(Path::new(&root), &name)?;
    println!("{} lines; look into {} first", lines.len(), best.as_deref().unwrap_or("no file"));
    Ok(())
}
