//! Many searches at once.
//!
//! Not here: what one answer has to be (`searches`). Invariants: the tree does not change
//! meanwhile, so that every request has one answer; a search after the index was switched off
//! excludes nothing.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use forge_search_engine::{IndexMode, Service};
use touchstone_cases::case::Case;

use super::life::Crowd;
use super::searches::{self, Answered};

/// Has everybody ask everything; the calling thread takes the indexer's turns meanwhile, if it is
/// `stepped`. Returns the answers.
///
/// # Errors
/// What is wrong with one of them.
pub(super) fn gather(
    service: &Service,
    case: &Case,
    root: &str,
    wanted: &Crowd,
    stepped: bool,
) -> Result<Vec<Answered>, String> {
    let all = Mutex::new(Vec::new());
    let wrong = Mutex::new(None);
    let (off, done, running) =
        (AtomicBool::new(false), AtomicUsize::new(0), AtomicUsize::new(wanted.threads));
    let total =
        wanted.threads * wanted.requests.len() * usize::try_from(wanted.rounds).unwrap_or(1);
    thread::scope(|scope| {
        for number in 0..wanted.threads {
            let (all, wrong, off, done, running) = (&all, &wrong, &off, &done, &running);
            scope.spawn(move || {
                for turn in 0..wanted.rounds as usize * wanted.requests.len() {
                    // Each begins elsewhere, so that different requests meet.
                    let Some(request) =
                        wanted.requests.get((turn + number) % wanted.requests.len().max(1))
                    else {
                        break;
                    };
                    let case = Case { request: request.clone(), ..case.clone() };
                    let was_off = off.load(Ordering::SeqCst);
                    let answered = searches::ask(service, &case, root);
                    done.fetch_add(1, Ordering::SeqCst);
                    let told = match &answered {
                        Err(told) => Some(told.clone()),
                        Ok(one) if was_off && one.narrowed() => Some(
                            "files could be excluded after the index was switched off".to_owned(),
                        ),
                        Ok(one) => searches::against_model(one, std::slice::from_ref(&case)),
                    };
                    if let Some(told) = told {
                        *wrong.lock().unwrap_or_else(PoisonError::into_inner) =
                            Some(format!("request {request}\n{told}"));
                        break;
                    }
                    all.lock().unwrap_or_else(PoisonError::into_inner).extend(answered);
                }
                running.fetch_sub(1, Ordering::SeqCst);
            });
        }
        while running.load(Ordering::SeqCst) > 0 {
            if wanted.switched_off
                && !off.load(Ordering::SeqCst)
                && done.load(Ordering::SeqCst) * 2 >= total
            {
                service.index_set_mode(IndexMode::Off);
                off.store(true, Ordering::SeqCst);
            }
            if !stepped || !service.index_turn() {
                thread::yield_now();
            }
        }
    });
    match wrong.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(told) => Err(told),
        None => Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner)),
    }
}
