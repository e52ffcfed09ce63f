//! The queries of all subjects.

use std::time::Instant;

use serde_json::{Value, json};
use touchstone_benches::{
    drawn::{COMMON, EXPRESSIONS, IDENTIFIERS, PHRASES},
    literals::LITERALS,
    server::Server,
};

/// Results that are asked for, and lines after which a sorted rival is stopped.
pub(crate) const RESULTS: usize = 200;

/// A kind of query; results list each by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Literals,
    Identifiers,
    Phrases,
    Common,
    Expressions,
}

impl Group {
    pub(crate) const ALL: [Self; 5] =
        [Self::Literals, Self::Identifiers, Self::Phrases, Self::Common, Self::Expressions];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Literals => "37 literals",
            Self::Identifiers => "20 drawn identifiers",
            Self::Phrases => "10 drawn phrases",
            Self::Common => "10 short or common words",
            Self::Expressions => "10 expressions",
        }
    }
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question {
    pub(crate) group: Group,
    pub(crate) pattern: &'static str,
    pub(crate) folded: bool,
}

impl Question {
    pub(crate) fn is_literal(self) -> bool {
        self.group != Group::Expressions
    }

    pub(crate) fn search(self) -> Value {
        let case = if self.folded { "insensitive" } else { "sensitive" };
        json!({
            "pattern": self.pattern, "fixed_strings": self.is_literal(), "case": case,
            "max_results": RESULTS, "timeout_ms": 120_000,
        })
    }

    pub(crate) fn grep(self) -> Value {
        let case = if self.folded { "insensitive" } else { "sensitive" };
        json!({ "pattern": self.pattern, "regex": !self.is_literal(), "case": case, "max_results": RESULTS })
    }
}

/// All questions.
pub(crate) fn all() -> Vec<Question> {
    let literals = LITERALS.iter().map(|literal| (Group::Literals, literal.text, literal.folded));
    let of = |group, patterns: &'static [&'static str]| {
        patterns.iter().map(move |pattern| (group, *pattern, false))
    };
    literals
        .chain(of(Group::Identifiers, &IDENTIFIERS))
        .chain(of(Group::Phrases, &PHRASES))
        .chain(of(Group::Common, &COMMON))
        .chain(of(Group::Expressions, &EXPRESSIONS))
        .map(|(group, pattern, folded)| Question { group, pattern, folded })
        .collect()
}

/// Whether a question has the same answer with an index as without; an answer that differs is not
/// timed.
pub(crate) fn check(server: &mut Server, plain: &mut Server, question: &Question) {
    for (tool, request, list) in
        [("Search", question.search(), "matches"), ("grep", question.grep(), "results")]
    {
        let pointer = format!("/structuredContent/{list}");
        let [with, without] = [&mut *server, &mut *plain].map(|server| server.call(tool, &request));
        let same =
            with.pointer(&pointer).is_some_and(|found| Some(found) == without.pointer(&pointer));
        assert!(
            same,
            "`{}` has another answer of {tool} with an index than without",
            question.pattern
        );
    }
}

/// Milliseconds from the request to the answer in the client's hands.
pub(crate) fn timed(server: &mut Server, tool: &str, request: &Value) -> f64 {
    let started = Instant::now();
    server.call(tool, request);
    started.elapsed().as_secs_f64() * 1000.0
}
