//! The boundary around the data for a language model (section 7). The wording around the data is
//! free.
//!
//! Invariant: the data does not contain its boundary.

use sha2::{Digest as _, Sha256};

use super::Config;
use super::request::Call;
use super::secrets::Secrets;

/// The number of redactions outside the data: in the query, and in its terms.
pub(super) fn redacted_around(config: &Config, call: &Call) -> u64 {
    let secrets = Secrets::of(config.tables);
    let terms = call.terms.iter().map(|term| &term.given);
    let terms: u64 = terms.map(|text| secrets.clean(text).redacted).sum();
    terms + secrets.clean_lines(&call.query).redacted
}

/// The boundary around `data`: the first `digits` digits of its hash.
pub fn boundary(data: &str, digits: u64) -> String {
    let mut boundary = of_digits(data, digits);
    while data.contains(&boundary) {
        boundary = of_digits(&format!("{boundary}{data}"), digits);
    }
    boundary
}

fn of_digits(text: &str, digits: u64) -> String {
    let most = usize::try_from(digits).unwrap_or(usize::MAX);
    let halves =
        Sha256::digest(text.as_bytes()).into_iter().flat_map(|byte| [byte >> 4, byte & 0xf]);
    let digits = halves.filter_map(|half| char::from_digit(u32::from(half), 16)).take(most);
    format!("hits-{}", digits.collect::<String>())
}
