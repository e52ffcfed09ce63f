//! Eight clients at once, each with a server of its own on one index, against one.

use std::{path::Path, thread};

use touchstone_benches::{median, p99, server::Server};

use crate::{
    PATIENCE,
    questions::{self, Group, Question},
};

/// Clients at once.
const CLIENTS: usize = 8;
/// Times that each client asks the questions.
const ROUNDS: usize = 3;

/// Measures one client, then all of them.
pub(crate) fn measure(tree: &Path, config: &Path) -> String {
    let asked: Vec<Question> = questions::all()
        .into_iter()
        .filter(|question| {
            matches!(question.group, Group::Literals | Group::Identifiers | Group::Phrases)
        })
        .collect();
    let alone = client(tree, config, &asked);
    let together: Vec<f64> = thread::scope(|scope| {
        let clients: Vec<_> =
            (0..CLIENTS).map(|_| scope.spawn(|| client(tree, config, &asked))).collect();
        clients.into_iter().flat_map(|client| client.join().expect("a client ends")).collect()
    });
    format!(
        "One client: median {:.1} ms, p99 {:.1}. {CLIENTS} at once: median {:.1}, p99 {:.1} ({:.1} times).",
        median(&alone),
        p99(&alone),
        median(&together),
        p99(&together),
        p99(&together) / p99(&alone)
    )
}

fn client(tree: &Path, config: &Path, asked: &[Question]) -> Vec<f64> {
    let mut server = Server::start(tree, config);
    server.wait_for_the_index(PATIENCE);
    let mut took = Vec::new();
    // The first answers wait for what is loaded once.
    for question in asked {
        questions::timed(&mut server, "Search", &question.search());
    }
    for _ in 0..ROUNDS {
        took.extend(
            asked
                .iter()
                .map(|question| questions::timed(&mut server, "Search", &question.search())),
        );
    }
    server.end();
    took
}
