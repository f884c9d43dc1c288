//! The name at which a daemon is spoken to: a socket in the data folder that only its owner can open.
//! A left-over name is taken over only where nobody answers at it. The path below the open folder is
//! used, so that a root with a long path has a socket, too. Speaks with nobody.

use super::disk::RealDisk;
use super::layout;
use rustix::fd::{AsRawFd as _, OwnedFd};
use rustix::fs::{self, AtFlags, FileType, Mode};
use std::io;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

/// The hidden name under which a socket is made until it is private.
const UNFINISHED: &str = ".control.sock.tmp";

/// The name of a socket that is listened at. Dropping it takes the name away, if it still is ours.
#[derive(Debug)]
pub struct ControlSocket {
    disk: RealDisk,
    inode: u64,
}

impl ControlSocket {
    /// Listens at the root's name. The caller holds the folder. There is one handle of the socket alone, so that
    /// whoever connects is refused as soon as nobody accepts any more.
    ///
    /// # Errors
    /// [`io::ErrorKind::AddrInUse`] where somebody answers there, and
    /// [`io::ErrorKind::AlreadyExists`] where something else than a socket stands.
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

/// Connects to whoever listens at the root's name.
pub fn connect(disk: &mut RealDisk) -> io::Result<UnixStream> {
    let (folder, name) = disk.place(Path::new(layout::CONTROL_SOCKET))?;
    UnixStream::connect(below(&folder, Path::new(name)))
}

/// A short path to a name in an open folder.
fn below(folder: &OwnedFd, name: &Path) -> PathBuf {
    let number = folder.as_raw_fd();
    Path::new("/proc/self/fd")
        .join(number.to_string())
        .join(name)
}

/// Nobody must answer at a name that is taken over.
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
