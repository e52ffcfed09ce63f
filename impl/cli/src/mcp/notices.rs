//! Reports of a call's progress, to a client that asked for them.
//!
//! Invariants: what is reported only grows; there is one report on its way at most, so that a
//! client that does not read is not buried.

use std::{future::Future, pin::Pin};

use rmcp::{
    Peer, RoleServer,
    model::{ProgressNotificationParam, ProgressToken},
    service::RequestContext,
};
use tokio::time::{Instant, sleep_until};

use super::{Limits, Progress};

/// The reports of one call.
pub(super) struct Reports {
    /// Whom to tell, under which token; nobody, if the request did not ask.
    to: Option<(Peer<RoleServer>, ProgressToken)>,
    limits: Limits,
    next: Instant,
    last: Option<u64>,
    on_its_way: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Reports {
    pub(super) fn new(limits: &Limits, context: &RequestContext<RoleServer>) -> Self {
        let to = context.meta.get_progress_token().map(|token| (context.peer.clone(), token));
        let next = Instant::now() + limits.quiet;
        Self { to, limits: limits.clone(), next, last: None, on_its_way: None }
    }

    /// Until it is time for a report; never, if nobody wants one.
    pub(super) async fn due(&mut self) {
        if self.to.is_none() {
            std::future::pending::<()>().await;
        }
        if let Some(report) = &mut self.on_its_way {
            report.await;
            self.on_its_way = None;
        }
        sleep_until(self.next).await;
    }

    /// Sends one, if there is something new.
    pub(super) fn report(&mut self, progress: Option<Progress>) {
        self.next = Instant::now() + self.limits.between_reports;
        let (Some((peer, token)), Some(progress)) = (&self.to, progress) else { return };
        if self.last.is_some_and(|last| progress.done <= last) {
            return;
        }
        self.last = Some(progress.done);
        let mut notice = ProgressNotificationParam::new(token.clone(), exact(progress.done));
        notice.total = progress.total.map(exact);
        notice.message = progress.message;
        let peer = peer.clone();
        // A client that has gone away needs no report.
        self.on_its_way = Some(Box::pin(async move { drop(peer.notify_progress(notice).await) }));
    }

    /// Until none is on its way.
    pub(super) async fn last(&mut self) {
        if let Some(report) = self.on_its_way.take() {
            report.await;
        }
    }
}

/// As the protocol's numbers are; exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "nobody counts so many files")]
fn exact(count: u64) -> f64 {
    count as f64
}
