//! What matches by the contract, found by looking at every identifier of every file.

use std::{collections::HashMap, thread};

use crate::{
    tree::File,
    words::{Term, identifiers, occurs},
};

/// For every query, the numbers of the files that hold all of its terms.
pub fn matches(files: &[File], queries: &[Vec<Term>]) -> Vec<Vec<u32>> {
    let terms: Vec<&Term> = queries.iter().flatten().collect();
    assert!(terms.len() <= 64, "{} terms", terms.len());
    let half = files.len().div_ceil(2);
    let found: Vec<u64> = thread::scope(|scope| {
        let terms = &terms;
        let workers: Vec<_> =
            files.chunks(half).map(|files| scope.spawn(move || held(files, terms))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no panic")).collect()
    });
    let mut first = 0;
    queries
        .iter()
        .map(|query| {
            let mask = (u64::MAX >> (64 - query.len())) << first;
            first += query.len();
            (0..).zip(&found).filter(|(_, held)| *held & mask == mask).map(|(number, _)| number).collect()
        })
        .collect()
}

/// Which terms each file holds, as bits.
fn held(files: &[File], terms: &[&Term]) -> Vec<u64> {
    let mut known: HashMap<String, u64> = HashMap::new();
    let phrases: Vec<(usize, &str)> = terms
        .iter()
        .enumerate()
        .filter_map(|(at, term)| match term {
            Term::Phrase(text) => Some((at, text.as_str())),
            Term::Word(_) => None,
        })
        .collect();
    let mut one = |file: &File| {
        let Some(text) = file.text() else { return 0 };
        let mut held = 0;
        for line in text.lines() {
            for (_, identifier) in identifiers(line) {
                held |= match known.get(identifier) {
                    Some(bits) => *bits,
                    None => {
                        let bits = bits(identifier, terms);
                        known.insert(identifier.to_owned(), bits);
                        bits
                    }
                };
            }
        }
        let folded = text.to_ascii_lowercase();
        for (at, phrase) in &phrases {
            held |= u64::from(memchr::memmem::find(folded.as_bytes(), phrase.as_bytes()).is_some()) << at;
        }
        held
    };
    files.iter().map(&mut one).collect()
}

fn bits(identifier: &str, terms: &[&Term]) -> u64 {
    // No word occurs where its letters do not stand in a row, underscores aside; most are settled
    // by that.
    let letters = identifier.replace('_', "").to_ascii_lowercase();
    let holds = |term: &&Term| matches!(term, Term::Word(word) if letters.contains(&word.concat()) && occurs(word, identifier));
    terms.iter().enumerate().map(|(at, term)| u64::from(holds(term)) << at).sum()
}
