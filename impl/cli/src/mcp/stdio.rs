//! Serving over standard input and output: one message a line.
//!
//! Threads of their own read and write, because neither can be interrupted and nobody may have to
//! wait for them. Input is no longer read while
//! more answers than `UNWRITTEN` bytes have not been taken away, so that a client that only sends
//! cannot fill the memory.
//!
//! Invariants: messages are written in the order in which they were handed over, each whole; when
//! the input ends, calls in progress have a moment (`Limits::grace`) to end by themselves, and are
//! cut then; when the output is gone, or somebody interrupts, they are cut at once. A client that
//! has closed its output and reads nothing cannot keep the program.

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
use tokio::sync::{Notify, mpsc, watch};

use super::{
    Limits, Server, Stage, Tools,
    message::{Reader, Taken},
};

/// Longest line that is read, in bytes without its end.
const LINE_BYTES: u64 = 8 << 20;
/// Bytes of answers that may wait for the client to read them.
const UNWRITTEN: usize = 64 << 20;
/// Memory that a waiting message takes beside its bytes.
const PARCEL_BYTES: usize = 128;
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
    let closed = Arc::new(Notify::new());
    let hang_up = Arc::clone(&closed);
    thread::Builder::new().name("mcp-end".to_owned()).spawn(move || {
        if wait_for_hang_up() {
            hang_up.notify_one();
        }
    })?;
    serve(tools, limits, BufReader::new(io::stdin()), io::stdout(), closed)
}

/// The same on any input and output of this kind.
pub fn over<T, I, O>(tools: T, limits: &Limits, input: I, output: O) -> Result<(), StartError>
where
    T: Tools,
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
{
    serve(tools, limits, input, output, Arc::default())
}

/// Waits until the client has closed standard input, even if not all of it has been read. `false`
/// if that cannot be known.
#[cfg(unix)]
fn wait_for_hang_up() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    let stdin = io::stdin();
    let mut ends = [PollFd::new(&stdin, PollFlags::empty())];
    loop {
        match poll(&mut ends, None) {
            Ok(_) => return ends.iter().any(|end| end.revents().contains(PollFlags::HUP)),
            Err(rustix::io::Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

#[cfg(not(unix))]
fn wait_for_hang_up() -> bool {
    false
}

/// Serves until the end; `closed` tells that the client has closed the input.
fn serve<T, I, O>(
    tools: T,
    limits: &Limits,
    input: I,
    output: O,
    closed: Arc<Notify>,
) -> Result<(), StartError>
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
        let transport = Stdio::open(&stage, input, output, closed, limits.grace)?;
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
        let signals = [SignalKind::terminate(), SignalKind::hangup()].map(signal);
        if let [Ok(mut terminate), Ok(mut hang_up)] = signals {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
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

/// What the writing thread and those who hand messages over share.
#[derive(Debug, Default)]
struct Unwritten {
    bytes: AtomicUsize,
    /// Messages that have been written.
    written: AtomicUsize,
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

    /// Until the client has closed the input and read nothing for this long.
    async fn stuck(&self, closed: &Notify, patience: Duration) {
        closed.notified().await;
        // Other waits are notified by this.
        closed.notify_one();
        loop {
            let before = self.written.load(Ordering::Relaxed);
            tokio::time::sleep(patience).await;
            if self.written.load(Ordering::Relaxed) == before {
                return;
            }
        }
    }
}

/// Standard input and output as the SDK wants them.
struct Stdio {
    lines: mpsc::Receiver<Line>,
    out: blocking::Sender<Vec<u8>>,
    unwritten: Arc<Unwritten>,
    /// Notified when the client has closed the input.
    closed: Arc<Notify>,
    /// How long a client that has closed the input may read nothing.
    patience: Duration,
    reader: Arc<Mutex<Reader>>,
    stage: Arc<watch::Sender<Stage>>,
    watched: watch::Receiver<Stage>,
}

impl Stdio {
    fn open<I, O>(
        stage: &Arc<watch::Sender<Stage>>,
        input: I,
        output: O,
        closed: Arc<Notify>,
        patience: Duration,
    ) -> io::Result<Self>
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
            closed,
            patience,
            reader: Arc::default(),
            stage: Arc::clone(stage),
            watched: stage.subscribe(),
        })
    }

    /// Queues a message. Nobody waits until it is written: what waits would hold its call in memory.
    fn hand_over(&self, message: &TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
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
        // Most answers are shorter than what the buffer begins with.
        bytes.shrink_to_fit();
        self.unwritten.bytes.fetch_add(charged(&bytes), Ordering::Relaxed);
        self.out.send(bytes).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn refuse(&self, error: ErrorData, id: Option<rmcp::model::RequestId>) {
        // If it cannot be said, nobody listens, and the writing thread has noticed.
        drop(self.hand_over(&JsonRpcMessage::error(error, id)));
    }

    /// The next line, when there is room for its answer; none once it is over.
    async fn next(&mut self) -> Option<Line> {
        let coming = async {
            tokio::select! {
                () = self.unwritten.at_most(UNWRITTEN) => {}
                () = self.unwritten.stuck(&self.closed, self.patience) => {
                    self.stage.send_replace(Stage::Leaving);
                    return None;
                }
            }
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
        async move { handed }
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

/// The memory of a message that waits.
fn charged(message: &Vec<u8>) -> usize {
    message.capacity() + PARCEL_BYTES
}

/// Writes what it is handed until nobody hands anything over any more.
fn write(
    parcels: &blocking::Receiver<Vec<u8>>,
    mut out: impl Write,
    unwritten: &Unwritten,
) -> io::Result<()> {
    while let Ok(parcel) = parcels.recv() {
        out.write_all(&parcel)?;
        out.flush()?;
        unwritten.bytes.fetch_sub(charged(&parcel), Ordering::Relaxed);
        unwritten.written.fetch_add(1, Ordering::Relaxed);
        unwritten.fewer.notify_waiters();
    }
    Ok(())
}

#[cfg(test)]
mod tests;
