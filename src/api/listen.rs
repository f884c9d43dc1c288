//! Listening sockets: that of the data folder, and TCP on this machine where configured.
//!
//! A client has little time and little room for a request, and takes no open file that the loop
//! needs. Runs on a thread of its own, which ends when the program does.

use super::Control;
use super::answer::router;
use super::gate::Gate;
use super::problem::Problem;
use super::slots::{PendingCount, Slot, Slots};
use crate::config::Secret;
use crate::daemon::{Clock, Share, Stop, check_for_start};
use crate::failure::{Code, Failure};
use crate::limits::{
    API_CONNECTIONS_MAX, API_HEAD_BYTES_MAX, API_HEADERS_MAX, API_LISTENERS_MAX, API_READ_MS_MAX,
    API_WRITE_MS_MAX, STOP_BESIDE_MS,
};
use crate::store::ControlSocket;
use axum::Router;
use axum::http::Request;
use axum::response::IntoResponse as _;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpListener, UnixListener};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutWriter;

/// The pause after a failed accept: there may be no file descriptor left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The most threads that answer requests and read the journal for event listeners.
const BLOCKING_THREADS_MAX: usize = 8;

/// The sockets to listen on.
#[derive(Debug)]
pub struct ListenConfig<'a> {
    /// Whether to listen on the socket of this root.
    pub socket: bool,
    /// An address of this machine, and the token that is required there.
    pub tcp: Option<(SocketAddr, &'a Secret)>,
    /// The limits of each socket.
    pub bounds: Bounds,
}

/// The limits of a socket: times and numbers of connections.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The longest time for a head, for a body after it, and for silence on a connection.
    pub read: Duration,
    /// The longest time for which a client may leave output unread.
    pub write: Duration,
    /// The most connections at once; others wait, and silent ones make room for them.
    pub connections: usize,
    /// The most connections that listen to events.
    pub listeners: usize,
}

impl Default for Bounds {
    /// Returns as many connections as the limit of open files leaves beside the needs of the loop.
    fn default() -> Self {
        let share = Share::of_limit(API_CONNECTIONS_MAX, API_LISTENERS_MAX);
        Self {
            read: Duration::from_millis(API_READ_MS_MAX),
            write: Duration::from_millis(API_WRITE_MS_MAX),
            connections: share.connections,
            listeners: share.listeners,
        }
    }
}

/// The open sockets. Dropping this removes the socket's name and closes them.
#[derive(Debug)]
pub struct OpenSockets {
    socket: Option<ControlSocket>,
    /// The address at which TCP listens.
    pub tcp: Option<SocketAddr>,
    /// Dropped when nothing is left that carries out requests.
    is_served: oneshot::Sender<Infallible>,
    /// Disconnected when every client is answered, or has waited for long enough.
    answering: mpsc::Receiver<Infallible>,
}

impl OpenSockets {
    /// Removes the socket's name, so that no client finds it any more.
    pub fn hide(&mut self) {
        self.socket = None;
    }

    /// Closes the sockets, and waits a moment until all pending requests are answered.
    ///
    /// Whatever carries out requests must be gone, or have answered.
    pub fn drain(self) {
        drop(self.is_served);
        drop(self.socket);
        // The thread bounds its own wait; this bound is for a thread that hangs.
        let wait = 2 * Duration::from_millis(STOP_BESIDE_MS);
        match self.answering.recv_timeout(wait) {
            Ok(never) => match never {},
            Err(mpsc::RecvTimeoutError::Disconnected) => {}
            Err(mpsc::RecvTimeoutError::Timeout) => {
                tracing::debug!("the control interface does not end");
            }
        }
    }
}

/// Opens the sockets, and serves clients until `stop` is asked for or the result is dropped.
///
/// Clients that are connected by then still get their answers. The caller holds the folder.
///
/// # Errors
/// Where a socket, a thread or the runtime cannot be had.
pub fn open(
    config: &ListenConfig<'_>,
    control: &Control,
    stop: Stop,
) -> Result<OpenSockets, Failure> {
    let failed = |what: String| {
        move |error: io::Error| Failure::new(Code::ControlUnavailable, format!("{what}: {error}"))
    };
    let bounds = config.bounds;
    let routers = router(control, bounds);
    let (mut socket, mut unix) = (None, None);
    if config.socket {
        let (name, listener) = ControlSocket::bind(control.session.root())
            .map_err(failed("the control socket cannot be opened".into()))?;
        socket = Some(name);
        unix = Some((listener, routers(Gate::with(None))));
    }
    let (mut tcp, mut address) = (None, None);
    if let Some((wanted, token)) = config.tcp {
        let at_tcp = failed(format!("`api.tcp` {wanted} cannot be opened"));
        let listener = std::net::TcpListener::bind(wanted).map_err(&at_tcp)?;
        listener.set_nonblocking(true).map_err(&at_tcp)?;
        address = Some(listener.local_addr().map_err(&at_tcp)?);
        tcp = Some((listener, routers(Gate::with(Some(token)))));
    }
    check_for_start()?;
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .build()
        .map_err(failed("no runtime can be had".into()))?;
    let thread = thread::Builder::new().name("control".to_owned());
    let (is_served, served) = oneshot::channel();
    let (answers, answering) = mpsc::channel::<Infallible>();
    let state = ServerState {
        bounds,
        clock: Arc::clone(&control.clock),
        pending: PendingCount::default(),
    };
    let answered = thread.spawn(move || {
        if let Err(error) = serve(runtime, unix, tcp, &state, &stop, served) {
            tracing::error!(%error, "the control interface has ended");
        }
        drop(answers);
    });
    drop(answered.map_err(failed("no thread can be had".into()))?);
    Ok(OpenSockets {
        socket,
        tcp: address,
        is_served,
        answering,
    })
}

#[derive(Debug)]
struct ServerState {
    bounds: Bounds,
    clock: Arc<dyn Clock>,
    pending: PendingCount,
}

/// Accepts clients at every socket until the end is asked for, then answers those that remain.
///
/// Answers as long as something carries out requests, which ends `served`, and a moment longer.
fn serve(
    runtime: Runtime,
    unix: Option<(std::os::unix::net::UnixListener, Router)>,
    tcp: Option<(std::net::TcpListener, Router)>,
    state: &ServerState,
    stop: &Stop,
    mut served: oneshot::Receiver<Infallible>,
) -> io::Result<()> {
    runtime.block_on(async {
        let unix = unix.map(|(it, router)| UnixListener::from_std(it).map(|it| (it, router)));
        let tcp = tcp.map(|(it, router)| TcpListener::from_std(it).map(|it| (it, router)));
        let (unix, tcp) = (unix.transpose()?, tcp.transpose()?);
        let from_unix = async |listener: &UnixListener| Ok(listener.accept().await?.0);
        let from_tcp = async |listener: &TcpListener| Ok(listener.accept().await?.0);
        // The sockets close when their arms are dropped; each connection has a task of its own.
        let is_served = tokio::select! {
            _ = &mut served => false,
            () = stop.asked() => true,
            () = serve_socket(unix, state, from_unix) => true,
            () = serve_socket(tcp, state, from_tcp) => true,
        };
        if is_served {
            drop(served.await);
        }
        // Connections run on this thread, so an answer that is no longer counted is with the
        // system.
        let moment = Duration::from_millis(STOP_BESIDE_MS);
        if timeout(moment, state.pending.none()).await.is_err() {
            tracing::debug!("a request was still being answered at the end");
        }
        io::Result::Ok(())
    })?;
    runtime.shutdown_background();
    Ok(())
}

/// Serves the connections of a socket; without a socket, waits for ever.
async fn serve_socket<L, S>(
    socket: Option<(L, Router)>,
    state: &ServerState,
    accept: impl AsyncFn(&L) -> io::Result<S>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let Some((listener, router)) = socket else {
        return std::future::pending().await;
    };
    let slots = Slots::of(state.bounds.connections, state.pending.clone());
    loop {
        match accept(&listener).await {
            Ok(stream) => match slots.take().await {
                Some(slot) => serve_connection(stream, router.clone(), state, slot),
                None => return,
            },
            Err(error) => {
                tracing::debug!(%error, "a connection was lost before it was made");
                // There may be no file descriptor left for it.
                slots.close_silent(Duration::ZERO);
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Serves one connection until it ends, is silent too long, sends too much, or is sent away.
#[expect(
    clippy::disallowed_methods,
    reason = "a connection's task ends with it, at the latest after its silence"
)]
fn serve_connection<S>(stream: S, router: Router, state: &ServerState, slot: Slot)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let bounds = state.bounds;
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.read)
        .max_headers(API_HEADERS_MAX)
        .max_buf_size(API_HEAD_BYTES_MAX);
    let answers = TowerToHyperService::new(router);
    let (waiting, asking) = (slot.connection(), slot.connection());
    let service = service_fn(move |request: Request<Incoming>| {
        let asked = asking.begin_request();
        let answer = answers.call(request);
        async move { Ok::<_, Infallible>(asked.until_sent(answer.await?)) }
    });
    let mut stream = TimeoutWriter::new(stream);
    stream.set_timeout(Some(bounds.write));
    let stream = Box::pin(stream);
    if state.clock.now().millis < 0 {
        drop(tokio::spawn(async move {
            if let Err(error) = turn_away(stream, bounds.read).await {
                tracing::debug!(%error, "a connection ended badly");
            }
            drop(slot);
        }));
        return;
    }
    let connection = http.serve_connection(TokioIo::new(stream), service);
    drop(tokio::spawn(async move {
        tokio::select! {
            // Polled before anything is read: a connection that is sent away has not asked anything
            // yet.
            biased;
            () = waiting.closed() => {
                tracing::debug!("a silent connection made room for another one");
            }
            ended = connection => if let Err(error) = ended {
                tracing::debug!(%error, "a connection ended badly");
            },
        }
        drop(slot);
    }));
}

/// Answers a request that comes within `wait` with a problem, and closes the connection.
///
/// Ordinary responses carry a date, and the code that formats it panics before 1970.
async fn turn_away(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    wait: Duration,
) -> io::Result<()> {
    // Every request gets the same answer; a client that asks nothing gets none.
    let mut asked = vec![0; API_HEAD_BYTES_MAX];
    if timeout(wait, stream.read(&mut asked)).await?? > 0 {
        stream.write_all(&turning_away().await).await?;
    }
    stream.shutdown().await
}

async fn turning_away() -> Vec<u8> {
    let message = "the clock is before 1970, so that no answer can be given; nothing was changed";
    let failure = Failure::new(Code::DaemonBusy, message);
    let problem = Problem::from(failure.only_hint("Set the clock, and repeat it."));
    let (head, body) = problem.into_response().into_parts();
    let body = body.collect().await.unwrap_or_default().to_bytes();
    let mut text = format!("HTTP/1.1 {}\r\n", head.status);
    for (name, value) in &head.headers {
        let value = value.to_str().unwrap_or_default();
        // Writing into a string cannot fail.
        write!(text, "{name}: {value}\r\n").unwrap_or_default();
    }
    let end = format!(
        "content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [text.as_bytes(), end.as_bytes(), &body].concat()
}
