//! The life of a call: it waits for its turn, runs on a thread of its own, reports how far it is,
//! is cancelled, ends.
//!
//! Invariants: turns are taken in the order in which calls came, by those that may wait for
//! somebody outside among themselves; a call that is cancelled while it waits never runs; one that
//! is cancelled while
//! it runs is told so at once and keeps its place until its thread has really ended, so that
//! cancelled calls cannot pile up either.

use std::{mem::size_of, sync::Arc};

use rmcp::{RoleServer, service::RequestContext};
use serde_json::{Map, Value};
use tokio::sync::{Semaphore, watch};

use super::{Limits, Reply, Stage, Work, notices::Reports};

/// The calls of one connection.
#[derive(Debug)]
pub(super) struct Calls {
    limits: Limits,
    running: Arc<Semaphore>,
    outside: Arc<Semaphore>,
    accepted: Arc<Semaphore>,
    arguments_kib: Arc<Semaphore>,
    stage: watch::Receiver<Stage>,
}

/// What became of a call.
pub(super) enum Outcome {
    Done(Reply),
    /// Too many wait already, or hold too much; a sentence says which.
    NoPlace(String),
    /// Before its turn came.
    Cancelled,
    /// Its thread panicked.
    Died,
}

impl Calls {
    pub(super) fn new(limits: Limits, stage: watch::Receiver<Stage>) -> Self {
        let running = Arc::new(Semaphore::new(limits.running));
        let outside = Arc::new(Semaphore::new(limits.running));
        let accepted = Arc::new(Semaphore::new(limits.running + limits.waiting));
        let arguments_kib = Arc::new(Semaphore::new(limits.arguments_kib as usize));
        Self { limits, running, outside, accepted, arguments_kib, stage }
    }

    /// Begins a call, if there is a place for it and for its arguments, and sees it to its end.
    pub(super) async fn carry_out(
        &self,
        arguments: Map<String, Value>,
        begin: impl FnOnce(Map<String, Value>) -> Arc<dyn Work>,
        context: &RequestContext<RoleServer>,
    ) -> Outcome {
        let Ok(_accepted) = Arc::clone(&self.accepted).try_acquire_owned() else {
            let most = self.limits.running + self.limits.waiting;
            return Outcome::NoPlace(format!("{most} calls are running or waiting"));
        };
        let kib = kib(&arguments);
        let Ok(_held) = Arc::clone(&self.arguments_kib).try_acquire_many_owned(kib) else {
            let (free, most) = (self.arguments_kib.available_permits(), self.limits.arguments_kib);
            return Outcome::NoPlace(format!(
                "the arguments of this call take {kib} KiB, and those of calls that are running or \
                 waiting leave {free} of {most}"
            ));
        };
        let work = begin(arguments);
        let mut reports = Reports::new(&self.limits, context);
        let mut life = std::pin::pin!(self.live(Arc::clone(&work), context));
        let mut over = std::pin::pin!(self.over(context));
        let mut told = false;
        let outcome = loop {
            tokio::select! {
                biased;
                outcome = &mut life => break outcome,
                () = &mut over, if !told => {
                    told = true;
                    work.cancel();
                }
                () = reports.due(), if !told => reports.report(work.progress()),
            }
        };
        // A report that is on its way must not come after the answer.
        reports.last().await;
        outcome
    }

    /// Waits for its turn and runs.
    async fn live(&self, work: Arc<dyn Work>, context: &RequestContext<RoleServer>) -> Outcome {
        let turns = if work.waits_outside() { &self.outside } else { &self.running };
        let turn = tokio::select! {
            biased;
            () = self.over(context) => return Outcome::Cancelled,
            turn = Arc::clone(turns).acquire_owned() => turn,
        };
        let Ok(turn) = turn else { return Outcome::Cancelled };
        let ran = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work.carry_out()
        });
        ran.await.map_or(Outcome::Died, Outcome::Done)
    }

    /// Until nobody waits for the answer any more.
    async fn over(&self, context: &RequestContext<RoleServer>) {
        let mut stage = self.stage.clone();
        let leaving = async {
            if stage.wait_for(|stage| *stage == Stage::Leaving).await.is_err() {
                // Whoever could change the stage is gone: it stays as it is.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = leaving => {}
        }
    }
}

/// About how much memory arguments take, in KiB, at least one. Their nesting is bounded by the
/// reader of JSON.
fn kib(arguments: &Map<String, Value>) -> u32 {
    u32::try_from(object_bytes(arguments).div_ceil(1 << 10)).unwrap_or(u32::MAX).max(1)
}

fn object_bytes(object: &Map<String, Value>) -> usize {
    object.iter().map(|(key, value)| size_of::<String>() + key.len() + bytes(value)).sum()
}

fn bytes(value: &Value) -> usize {
    let text = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(bytes).sum(),
        Value::Object(object) => object_bytes(object),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    size_of::<Value>() + text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_take_what_their_keys_values_and_texts_do() {
        let arguments = |text: usize| {
            let value = serde_json::json!({ "key": ["y".repeat(text), 1, { "in": null }] });
            value.as_object().cloned().unwrap_or_default()
        };
        // Two keys, and five values: the list, its three items, and null.
        let beside = 2 * size_of::<String>() + "key".len() + "in".len() + 5 * size_of::<Value>();
        assert_eq!(kib(&Map::new()), 1);
        assert_eq!(kib(&arguments(1024 - beside)), 1);
        assert_eq!(kib(&arguments(1024 - beside + 1)), 2);
    }
}
