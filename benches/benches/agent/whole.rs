//! From a client's request to the answer in its hands: `forge-search mcp` as a client starts it,
//! over its standard input and output.

use std::{path::Path, time::Duration};

use criterion::{Criterion, SamplingMode};
use touchstone_benches::{
    queries,
    server::{Server, configure},
};

use crate::{CALLS, PATIENCE};

/// Step through the lists of queries: enough of each kind.
const EVERY: usize = 4;

/// Times questions of all tools over the protocol, on the index that is in `cache`.
pub(crate) fn measure(criterion: &mut Criterion, tree: &Path, cache: &Path) {
    let mut server = Server::start(tree, &configure(cache, ""));
    server.wait_for_the_index(PATIENCE);
    let mut group = criterion.benchmark_group("agent end to end");
    let short = Duration::from_millis(1);
    group
        .sampling_mode(SamplingMode::Flat)
        .sample_size(CALLS)
        .warm_up_time(short)
        .measurement_time(short);
    let lists = [
        ("search_text", queries::texts()),
        ("find_files", queries::paths()),
        ("grep", queries::lines()),
    ];
    for (tool, queries) in lists {
        for query in queries.iter().step_by(EVERY) {
            let name = format!("{tool} {}", query.name);
            group
                .bench_function(name, |bencher| bencher.iter(|| server.call(tool, &query.request)));
        }
    }
    group.finish();
    server.end();
}
