//! Expressions of the tables, made ready once.
//!
//! Left to neighbours: what they are asked of. Invariants: an expression depends on its text alone,
//! so that whoever comes first may make it; there are never more than [`CACHED`].

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use regex_automata::nfa::thompson::pikevm::PikeVM;

/// How many are held. The tables have some 700.
const CACHED: usize = 2_048;

/// The expression of a text; nothing if it is none.
pub(super) fn ready(text: &str) -> Option<Arc<PikeVM>> {
    static READY: Mutex<Option<HashMap<String, Arc<PikeVM>>>> = Mutex::new(None);
    let mut ready = READY.lock().unwrap_or_else(PoisonError::into_inner);
    let ready = ready.get_or_insert_default();
    if let Some(expression) = ready.get(text) {
        return Some(Arc::clone(expression));
    }
    let expression = Arc::new(PikeVM::new(text).ok()?);
    if ready.len() >= CACHED {
        ready.clear();
    }
    ready.insert(text.to_owned(), Arc::clone(&expression));
    Some(expression)
}
