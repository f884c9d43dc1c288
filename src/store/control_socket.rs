//! The control socket of a daemon: a socket in the data folder that only its owner can open.
//! A stale name is replaced only if nobody answers at it. The path goes through the open folder, so
//! that roots with a long path work, too. Exchanges no messages.

use super::disk::RealDisk;
use super::layout;
use rustix::fd::{AsRawFd as _, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode};
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The hidden name of a socket until its mode is private.
const UNFINISHED: &str = ".control.sock.tmp";

/// A bound socket name. Dropping it removes the name, if it is still the same socket.
#[derive(Debug)]
pub struct ControlSocket {
    disk: RealDisk,
    inode: u64,
}

impl ControlSocket {
    /// Binds the socket of a root and listens.
    /// The caller holds the folder. The socket has a single handle, so that clients are refused as
    /// soon as nobody accepts any more.
    ///
    /// # Errors
    /// [`io::ErrorKind::AddrInUse`] if another process answers there, and
    /// [`io::ErrorKind::AlreadyExists`] if the name is not a socket.
    pub fn bind(root: &Path) -> io::Result<(Self, UnixListener)> {
        let mut disk = RealDisk::open(root, false)?;
        let (folder, name) = disk.place(Path::new(layout::CONTROL_SOCKET))?;
        match fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) != FileType::Socket => {
                let message = format!("{} is no socket", layout::CONTROL_SOCKET);
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
            }
            Ok(_) => check_silent(&below(&folder, Path::new(name)))?,
        }
        match fs::unlinkat(&folder, UNFINISHED, AtFlags::empty()) {
            Ok(()) | Err(rustix::io::Errno::NOENT) => {}
            Err(error) => return Err(error.into()),
        }
        let listener = UnixListener::bind(below(&folder, Path::new(UNFINISHED)))?;
        fs::chmodat(
            &folder,
            UNFINISHED,
            Mode::RUSR | Mode::WUSR,
            AtFlags::empty(),
        )?;
        let stat = fs::statat(&folder, UNFINISHED, AtFlags::SYMLINK_NOFOLLOW)?;
        fs::renameat(&folder, UNFINISHED, &folder, name)?;
        listener.set_nonblocking(true)?;
        let socket = Self {
            inode: stat.st_ino,
            disk,
        };
        Ok((socket, listener))
    }
}

impl Drop for ControlSocket {
    fn drop(&mut self) {
        let Ok((folder, name)) = self.disk.place(Path::new(layout::CONTROL_SOCKET)) else {
            return;
        };
        let found = fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW);
        if found.is_ok_and(|stat| stat.st_ino == self.inode)
            && let Err(error) = fs::unlinkat(&folder, name, AtFlags::empty())
        {
            tracing::debug!(%error, "the control socket stays");
        }
    }
}

/// Connects to the process that listens at the root's socket.
pub fn connect(disk: &mut RealDisk) -> io::Result<UnixStream> {
    let (folder, name) = disk.place(Path::new(layout::CONTROL_SOCKET))?;
    UnixStream::connect(below(&folder, Path::new(name)))
}

/// Returns a short path to a name in an open folder.
fn below(folder: &OwnedFd, name: &Path) -> PathBuf {
    let number = folder.as_raw_fd();
    Path::new("/proc/self/fd")
        .join(number.to_string())
        .join(name)
}

/// Refuses a socket at which another process answers.
fn check_silent(path: &Path) -> io::Result<()> {
    match UnixStream::connect(path) {
        Ok(_) => {
            let message = "another process answers at the control socket";
            Err(io::Error::new(io::ErrorKind::AddrInUse, message))
        }
        Err(error) if error.kind() == io::ErrorKind::ConnectionRefused => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}
