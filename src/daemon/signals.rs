//! Signals, on a thread of their own, so that neither a slow disk nor a long call silences them.
//! The first asks the loop to end; the second ends the process at once.

use super::stop::StopHandle;
use crate::failure::{Code, Failure};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a hang-up asks for.
pub type OnHangUp = Box<dyn Fn() + Send>;

/// Listens for SIGTERM, SIGINT and SIGHUP from now on. SIGXFSZ is caught as well, so that a file
/// size limit comes back as an error of the write and not as a death.
pub fn listen(stop: StopHandle, on_hang_up: OnHangUp) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::new(
            Code::Internal,
            format!("signals cannot be received: {error}"),
        )
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(failed)?;
    let guard = runtime.enter();
    let terminate = signal(SignalKind::terminate()).map_err(failed)?;
    let interrupt = signal(SignalKind::interrupt()).map_err(failed)?;
    let hang_up = signal(SignalKind::hangup()).map_err(failed)?;
    let file_size = signal(SignalKind::from_raw(SIGXFSZ)).map_err(failed)?;
    drop(guard);
    let thread = std::thread::Builder::new().name("signals".to_owned());
    let listening = thread.spawn(move || {
        let _file_size = file_size;
        runtime.block_on(wait(terminate, interrupt, hang_up, &stop, &on_hang_up));
    });
    listening.map(drop).map_err(failed)
}

/// The number of SIGXFSZ on Linux.
const SIGXFSZ: i32 = 25;

async fn wait(
    mut terminate: Signal,
    mut interrupt: Signal,
    mut hang_up: Signal,
    stop: &StopHandle,
    on_hang_up: &OnHangUp,
) {
    let mut asked = false;
    loop {
        // A signal that comes while another is handled is kept by its stream.
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
            _ = hang_up.recv() => {
                on_hang_up();
                continue;
            }
        }
        if asked {
            end_at_once();
        }
        asked = true;
        stop.stop();
    }
}

#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "a second signal means: now"
)]
fn end_at_once() -> ! {
    // 130 is what shells report for a program that was interrupted.
    std::process::exit(130)
}
