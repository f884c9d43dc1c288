//! The doors: the socket of the data folder, and TCP on this machine where that is wanted. Who comes in
//! has little time for what it says and little room for it. Lives on a thread of its own, which ends when
//! the program does.

use super::Control;
use super::answer::router;
use super::gate::Gate;
use super::patience::Patient;
use super::undated;
use crate::config::Secret;
use crate::daemon::{Clock as _, Stop, SystemClock};
use crate::failure::{Code, Failure};
use crate::limits::{
    API_CONNECTIONS_MAX, API_HEAD_BYTES_MAX, API_HEADERS_MAX, API_READ_MS_MAX, API_WRITE_MS_MAX,
};
use crate::store::ControlSocket;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, UnixListener};
use tokio::runtime::Builder;
use tokio::sync::Semaphore;

/// Pause after an accept that failed: there may be no file handle left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Threads on which verbs are answered and the journal is read for listeners.
const BLOCKING_THREADS_MAX: usize = 8;

/// Which doors are wanted.
#[derive(Debug)]
pub struct Doors<'a> {
    /// The socket of this root.
    pub socket: bool,
    /// An address of this machine, and the token that is asked for there.
    pub tcp: Option<(SocketAddr, &'a Secret)>,
    /// How patient each door is, and with how many.
    pub bounds: Bounds,
}

/// How patient a door is, and with how many.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// How long a head may take, and then a body, and how long a connection may be silent.
    pub read: Duration,
    /// How long a client may leave what it is told unread.
    pub write: Duration,
    /// Connections that are open at once; others wait.
    pub connections: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            read: Duration::from_millis(API_READ_MS_MAX),
            write: Duration::from_millis(API_WRITE_MS_MAX),
            connections: API_CONNECTIONS_MAX,
        }
    }
}

/// Open doors. Dropping this takes the socket's name away.
#[derive(Debug)]
pub struct Listening {
    _socket: Option<ControlSocket>,
    /// Where TCP listens.
    pub tcp: Option<SocketAddr>,
}

/// Opens the doors and answers whoever comes, until `stop` is asked for. The caller holds the folder.
pub fn open(doors: &Doors<'_>, control: &Control, stop: Stop) -> Result<Listening, Failure> {
    let failed = |what: String| {
        move |error: io::Error| Failure::new(Code::ControlUnavailable, format!("{what}: {error}"))
    };
    let at_socket = failed("the control socket cannot be opened".into());
    let socket = doors.socket.then(|| ControlSocket::bind(&control.root));
    let socket = socket.transpose().map_err(&at_socket)?;
    let bounds = doors.bounds;
    let routers = router(control, bounds.read);
    let mut unix = None;
    if let Some(socket) = &socket {
        let listener = socket.listener().map_err(&at_socket)?;
        unix = Some((listener, routers(Gate::with(None))));
    }
    let (mut tcp, mut address) = (None, None);
    if let Some((wanted, token)) = doors.tcp {
        let at_tcp = failed(format!("`api.tcp` {wanted} cannot be opened"));
        let listener = std::net::TcpListener::bind(wanted).map_err(&at_tcp)?;
        listener.set_nonblocking(true).map_err(&at_tcp)?;
        address = Some(listener.local_addr().map_err(&at_tcp)?);
        tcp = Some((listener, routers(Gate::with(Some(token)))));
    }
    let thread = thread::Builder::new().name("control".to_owned());
    let answering = thread.spawn(move || {
        if let Err(error) = answer_all(unix, tcp, bounds, &stop) {
            tracing::error!(%error, "the control interface has ended");
        }
    });
    drop(answering.map_err(failed("no thread can be had".into()))?);
    Ok(Listening {
        _socket: socket,
        tcp: address,
    })
}

/// Answers at every door until `stop` is asked for.
fn answer_all(
    unix: Option<(std::os::unix::net::UnixListener, Router)>,
    tcp: Option<(std::net::TcpListener, Router)>,
    bounds: Bounds,
    stop: &Stop,
) -> io::Result<()> {
    let runtime = Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .build()?;
    runtime.block_on(async {
        let unix = unix.map(|(door, router)| Ok((UnixListener::from_std(door)?, router)));
        let tcp = tcp.map(|(door, router)| Ok((TcpListener::from_std(door)?, router)));
        let unix: io::Result<Option<_>> = unix.transpose();
        let tcp: io::Result<Option<_>> = tcp.transpose();
        let (unix, tcp) = (unix?, tcp?);
        tokio::select! {
            () = stop.asked() => {}
            () = answer_at(unix, bounds, async |door: &UnixListener| Ok(door.accept().await?.0)) => {}
            () = answer_at(tcp, bounds, async |door: &TcpListener| Ok(door.accept().await?.0)) => {}
        }
        io::Result::Ok(())
    })?;
    // Whoever is still being answered has had the time that the loop had.
    runtime.shutdown_background();
    Ok(())
}

/// Answers whoever comes in at a door, for ever; one that is not there lets nobody in.
async fn answer_at<L, S>(
    door: Option<(L, Router)>,
    bounds: Bounds,
    accept: impl AsyncFn(&L) -> io::Result<S>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let Some((listener, router)) = door else {
        return std::future::pending().await;
    };
    let places = Arc::new(Semaphore::new(bounds.connections));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        match accept(&listener).await {
            Ok(stream) => speak(stream, router.clone(), bounds, place),
            Err(error) => rest(&error).await,
        }
    }
}

async fn rest(error: &io::Error) {
    tracing::debug!(%error, "a connection was lost before it was made");
    tokio::time::sleep(ACCEPT_PAUSE).await;
}

/// Answers one connection until it ends, is silent for too long, or says too much.
#[expect(
    clippy::disallowed_methods,
    reason = "a connection's task ends with it, at the latest after its silence"
)]
fn speak<S>(stream: S, router: Router, bounds: Bounds, place: tokio::sync::OwnedSemaphorePermit)
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(bounds.read)
        .max_headers(API_HEADERS_MAX)
        .max_buf_size(API_HEAD_BYTES_MAX);
    let service = TowerToHyperService::new(router);
    let stream = Patient::new(stream, bounds.write);
    if SystemClock.now().millis < 0 {
        drop(tokio::spawn(async move {
            if let Err(error) = undated::turn_away(stream, bounds.read).await {
                tracing::debug!(%error, "a connection ended badly");
            }
            drop(place);
        }));
        return;
    }
    let connection = http.serve_connection(TokioIo::new(stream), service);
    drop(tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended badly");
        }
        drop(place);
    }));
}
