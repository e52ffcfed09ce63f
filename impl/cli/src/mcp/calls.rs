//! The life of a call: it waits for its turn, runs on a thread of its own, reports how far it is,
//! is cancelled, ends.
//!
//! Invariants: turns are taken in the order in which calls came, by those that may wait for
//! somebody outside among themselves; a call that is cancelled while it waits never runs; one that
//! is cancelled while it runs is answered at once and keeps its place until its thread has really
//! ended, so that cancelled calls cannot pile up either.

use std::sync::Arc;

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
    stage: watch::Receiver<Stage>,
}

/// What became of a call.
pub(super) enum Outcome {
    Done(Reply),
    /// Too many wait already, which a sentence says.
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
        Self { limits, running, outside, accepted, stage }
    }

    /// Begins a call, if there is a place for it, and sees it to its end.
    pub(super) async fn carry_out(
        &self,
        arguments: Map<String, Value>,
        begin: impl FnOnce(Map<String, Value>) -> Result<Arc<dyn Work>, Reply>,
        context: &RequestContext<RoleServer>,
    ) -> Outcome {
        let Ok(_accepted) = Arc::clone(&self.accepted).try_acquire_owned() else {
            let most = self.limits.running + self.limits.waiting;
            return Outcome::NoPlace(format!("{most} calls are running or waiting"));
        };
        let work = match begin(arguments) {
            Ok(work) => work,
            Err(refused) => return Outcome::Done(refused),
        };
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
        let turns = if work.open_world() { &self.outside } else { &self.running };
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
                // The thread that could change the stage is gone.
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = leaving => {}
        }
    }
}
