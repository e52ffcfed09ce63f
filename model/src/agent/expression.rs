//! Compiles the regular expressions of the tables once. At most [`CACHED`] are cached.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use regex_automata::nfa::thompson::pikevm::PikeVM;

/// Cache size. The tables have some 700 expressions.
const CACHED: usize = 2_048;

/// The compiled expression; `None` if the text is invalid.
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
