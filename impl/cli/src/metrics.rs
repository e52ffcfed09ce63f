//! The figures of a running server: kept in memory, left in the cache directory for `forge-search
//! stats`, and given to a collector that asks for them.
//!
//! Responsible for: when figures are put down, and that they are at the end; the flags for that.
//! Not here: which figures there are (the engine's `observe`), how they are kept
//! ([`recorder`], [`histogram`]), stored ([`snapshot`]), written for a
//! collector ([`text`]) and handed out ([`endpoint`]).
//! Invariants: a server works the same whether or not its figures can be stored; a file is replaced
//! whole, at most once in `EVERY`; nothing is listened to unless
//! somebody asks for it, and never beyond this machine.

use std::{
    net::SocketAddr,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
    time::Duration,
};

use clap::Args;
use forge_search_engine::{Service, ToolError, observe};

use crate::log::Level;

mod endpoint;
mod histogram;
mod recorder;
pub(crate) mod snapshot;
mod text;

pub(crate) use recorder::Figures;
use snapshot::{Place, Server};

/// How often figures are stored, at most.
const EVERY: Duration = Duration::from_secs(1);

/// The figures of a server.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct Watch {
    /// From which level on events are logged, on standard error
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = Level::Info)]
    pub(crate) log: Level,
    /// Hand out figures to Prometheus at http://ADDRESS/metrics, such as 127.0.0.1:9184; nowhere if
    /// absent
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) metrics: Option<SocketAddr>,
}

/// Figures that are being kept.
#[derive(Debug)]
pub(crate) struct Watching {
    /// Dropped when it is over.
    ending: Option<mpsc::Sender<()>>,
    keeper: Option<JoinHandle<()>>,
}

/// Keeps figures from now on.
///
/// # Errors
/// The address cannot be listened at.
pub(crate) fn begin(watch: Watch, service: &Arc<Service>) -> Result<Watching, ToolError> {
    let figures = Arc::new(Figures::default());
    // Only a second server in one process would be refused; its figures are the first one's.
    if metrics::set_global_recorder(Arc::clone(&figures)).is_ok() {
        observe::describe();
    }
    if let Some(address) = watch.metrics {
        let (figures, service) = (Arc::clone(&figures), Arc::clone(service));
        let written = move || {
            observe::index_state(&service.index_status());
            text::written(&figures)
        };
        let at =
            endpoint::begin(address, written).map_err(|why| ToolError::bad_args("metrics", why))?;
        eprintln!("forge-search: figures at http://{at}/metrics");
    }
    let server = Server::new(&std::env::current_dir().unwrap_or_default());
    let place = service.cache_directory(true).and_then(|cache| Place::take(&cache, server.pid));
    let (ending, ended) = mpsc::channel();
    let service = Arc::clone(service);
    let keeper = place.and_then(|place| {
        let keep = move || keep(&place, &server, &figures, &service, &ended);
        thread::Builder::new().name("forge-figures".to_owned()).spawn(keep).ok()
    });
    Ok(Watching { ending: Some(ending), keeper })
}

impl Watching {
    /// Stores the figures once more, as those of a server that has ended.
    pub(crate) fn end(self) {
        drop(self);
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.ending.take();
        if let Some(keeper) = self.keeper.take() {
            // It does not panic; if it did, figures would be missing and nothing else.
            let _ = keeper.join();
        }
    }
}

/// Stores the figures whenever they have changed, until it is over.
fn keep(
    place: &Place,
    server: &Server,
    figures: &Figures,
    service: &Service,
    ended: &mpsc::Receiver<()>,
) {
    let mut stored = None;
    loop {
        let over = ended.recv_timeout(EVERY) != Err(mpsc::RecvTimeoutError::Timeout);
        observe::index_state(&service.index_status());
        let current = figures.summary();
        if over || stored.as_ref() != Some(&current) {
            // There is no reader to report this to; the next write may succeed.
            let _ = place.put(&server.with(current.clone(), over));
            stored = Some(current);
        }
        if over {
            return;
        }
    }
}
