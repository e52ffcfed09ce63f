//! Serving over standard input and output: one message a line.
//!
//! Threads of their own read and write, because neither can be interrupted and nobody may have to
//! wait for them. Input is no longer read while
//! more answers than `UNWRITTEN` bytes have not been taken away, so that a client that only sends
//! cannot fill the memory.
//!
//! Invariants: messages are written in the order in which they were handed over, each whole; when
//! the input ends, calls in progress have a moment
//! (`Limits::grace`) to end by themselves, and are cut then; when the output is gone, or somebody
//! interrupts, they are cut at once.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
        mpsc as blocking,
    },
    thread,
    time::Duration,
};

use rmcp::{
    RoleServer, ServiceExt,
    model::{ErrorCode, ErrorData, JsonRpcMessage},
    service::{RxJsonRpcMessage, ServerInitializeError, TxJsonRpcMessage},
    transport::Transport,
};
use thiserror::Error;
use tokio::sync::{Notify, mpsc, oneshot, watch};

use super::{
    Limits, Server, Stage, Tools,
    message::{Reader, Taken},
};

/// Longest line that is read, in bytes without its end.
const LINE_BYTES: u64 = 8 << 20;
/// Bytes of answers that may wait for the client to read them.
const UNWRITTEN: usize = 64 << 20;
/// Lines read ahead: each may be of the longest, and the calls before them want to begin first.
const READ_AHEAD: usize = 1;
/// How long calls that have been cut may take to end.
const CUT_TIME: Duration = Duration::from_millis(300);

/// Why nothing could be served.
#[derive(Debug, Error)]
pub enum StartError {
    /// No thread could be started.
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    /// The first messages did not open a session.
    #[error("the client does not speak the protocol: {0}")]
    Client(String),
}

/// Serves tools on standard input and output until the input ends, the output is gone, or somebody
/// interrupts.
pub fn over_stdio<T: Tools>(tools: T, limits: &Limits) -> Result<(), StartError> {
    over(tools, limits, BufReader::new(io::stdin()), io::stdout())
}

/// The same on any input and output of this kind.
pub fn over<T, I, O>(tools: T, limits: &Limits, input: I, output: O) -> Result<(), StartError>
where
    T: Tools,
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
{
    // One thread: its tasks begin in the order in which messages came, so calls take their turns in
    // that order.
    let runtime = tokio::runtime::Builder::new_current_thread()
        // As many for calls that work here as for those that may wait for somebody outside.
        .max_blocking_threads(2 * limits.running.max(1))
        .thread_name("mcp")
        .enable_all()
        .build()?;
    let stage = Arc::new(watch::Sender::new(Stage::Open));
    let outcome = runtime.block_on(async {
        let transport = Stdio::open(&stage, input, output)?;
        let unwritten = Arc::clone(&transport.unwritten);
        let server = Server::until(tools, limits.clone(), stage.subscribe());
        let serving = async {
            match server.serve(transport).await {
                Ok(running) => {
                    // How it ended makes no difference any more.
                    drop(running.waiting().await);
                    Ok(())
                }
                // It ended before a word was said.
                Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
                Err(err) => Err(StartError::Client(err.to_string())),
            }
        };
        let ended = tokio::select! {
            ended = serving => ended,
            () = leave(&stage, limits.grace) => Ok(()),
        };
        // The last words; a client that does not take them goes without.
        drop(tokio::time::timeout(CUT_TIME, unwritten.at_most(0)).await);
        ended
    });
    // Running calls have been cancelled and are not awaited.
    stage.send_replace(Stage::Leaving);
    runtime.shutdown_timeout(CUT_TIME);
    outcome
}

/// From the first sign that it is over until there is no more time.
async fn leave(stage: &watch::Sender<Stage>, grace: Duration) {
    let mut watched = stage.subscribe();
    tokio::select! {
        _ = watched.wait_for(|stage| *stage >= Stage::Ending) => {}
        () = interrupted() => { stage.send_replace(Stage::Leaving); }
    }
    tokio::select! {
        _ = watched.wait_for(|stage| *stage == Stage::Leaving) => {}
        () = interrupted() => {}
        () = tokio::time::sleep(grace) => {}
    }
    stage.send_replace(Stage::Leaving);
    tokio::time::sleep(CUT_TIME).await;
}

/// Until somebody at the terminal, or the system, wants the program to end.
async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminate) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// A line of input.
enum Line {
    Whole(Vec<u8>),
    TooLong,
}

/// A message to be written, and whom to tell that it has been.
struct Parcel {
    bytes: Vec<u8>,
    written: oneshot::Sender<()>,
}

/// What the writing thread and those who hand messages over share.
#[derive(Debug, Default)]
struct Unwritten {
    bytes: AtomicUsize,
    fewer: Notify,
}

impl Unwritten {
    /// Until no more than this is left to write.
    async fn at_most(&self, bytes: usize) {
        loop {
            let fewer = self.fewer.notified();
            if self.bytes.load(Ordering::Relaxed) <= bytes {
                return;
            }
            fewer.await;
        }
    }
}

/// Standard input and output as the SDK wants them.
struct Stdio {
    lines: mpsc::Receiver<Line>,
    out: blocking::Sender<Parcel>,
    unwritten: Arc<Unwritten>,
    reader: Arc<Mutex<Reader>>,
    stage: Arc<watch::Sender<Stage>>,
    watched: watch::Receiver<Stage>,
}

impl Stdio {
    fn open<I, O>(stage: &Arc<watch::Sender<Stage>>, input: I, output: O) -> io::Result<Self>
    where
        I: BufRead + Send + 'static,
        O: Write + Send + 'static,
    {
        let (line, lines) = mpsc::channel(READ_AHEAD);
        let (out, parcels) = blocking::channel();
        let unwritten = Arc::new(Unwritten::default());
        thread::Builder::new().name("mcp-in".to_owned()).spawn(move || read(input, &line))?;
        let (shared, gone) = (Arc::clone(&unwritten), Arc::clone(stage));
        thread::Builder::new().name("mcp-out".to_owned()).spawn(move || {
            if write(&parcels, output, &shared).is_err() {
                gone.send_replace(Stage::Leaving);
            }
        })?;
        Ok(Self {
            lines,
            out,
            unwritten,
            reader: Arc::default(),
            stage: Arc::clone(stage),
            watched: stage.subscribe(),
        })
    }

    /// Queues a message and gives what tells when it has been written.
    fn hand_over(
        &self,
        message: &TxJsonRpcMessage<RoleServer>,
    ) -> io::Result<oneshot::Receiver<()>> {
        let id = match message {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(id) = id {
            self.reader.lock().unwrap_or_else(PoisonError::into_inner).answered(id);
        }
        let mut bytes = serde_json::to_vec(message)?;
        bytes.push(b'\n');
        let (written, told) = oneshot::channel();
        self.unwritten.bytes.fetch_add(bytes.len(), Ordering::Relaxed);
        self.out.send(Parcel { bytes, written }).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(told)
    }

    fn refuse(&self, error: ErrorData, id: Option<rmcp::model::RequestId>) {
        // If it cannot be said, nobody listens, and the writing thread has noticed.
        drop(self.hand_over(&JsonRpcMessage::error(error, id)));
    }

    /// The next line, when there is room for its answer; none once it is over.
    async fn next(&mut self) -> Option<Line> {
        let coming = async {
            self.unwritten.at_most(UNWRITTEN).await;
            // Calls that have been read begin first: until then no limit counts them.
            tokio::task::yield_now().await;
            self.lines.recv().await
        };
        tokio::select! {
            biased;
            _ = self.watched.wait_for(|stage| *stage == Stage::Leaving) => None,
            line = coming => line,
        }
    }
}

impl Transport<RoleServer> for Stdio {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        // Handed over here and not when the future is polled: that may happen in any order.
        let handed = self.hand_over(&item);
        async move { handed?.await.map_err(|_| io::ErrorKind::BrokenPipe.into()) }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = match self.next().await {
                Some(Line::Whole(line)) => line,
                Some(Line::TooLong) => {
                    let why = format!("a message has at most {LINE_BYTES} bytes");
                    self.refuse(ErrorData::new(ErrorCode::INVALID_REQUEST, why, None), None);
                    continue;
                }
                None => {
                    self.stage.send_if_modified(|stage| {
                        let first = *stage == Stage::Open;
                        *stage = Stage::Ending.max(*stage);
                        first
                    });
                    return None;
                }
            };
            let taken = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take(&line);
            match taken {
                Taken::Message(message) => return Some(*message),
                Taken::Refused(error, id) => self.refuse(error, id),
                Taken::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        Ok(())
    }
}

/// Reads lines until there are none. One that does not end in a line feed counts, too.
fn read(mut input: impl BufRead, lines: &mpsc::Sender<Line>) {
    loop {
        let mut line = Vec::new();
        let Ok(length) = (&mut input).take(LINE_BYTES + 1).read_until(b'\n', &mut line) else {
            return;
        };
        if length == 0 {
            return;
        }
        let whole = line.last() == Some(&b'\n') || length as u64 <= LINE_BYTES;
        let line = if whole { Line::Whole(line) } else { Line::TooLong };
        if !whole && input.skip_until(b'\n').is_err() {
            return;
        }
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// Writes what it is handed until nobody hands anything over any more.
fn write(
    parcels: &blocking::Receiver<Parcel>,
    mut out: impl Write,
    unwritten: &Unwritten,
) -> io::Result<()> {
    while let Ok(parcel) = parcels.recv() {
        out.write_all(&parcel.bytes)?;
        out.flush()?;
        unwritten.bytes.fetch_sub(parcel.bytes.len(), Ordering::Relaxed);
        unwritten.fewer.notify_waiters();
        // The sender may have stopped waiting.
        let _ = parcel.written.send(());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
