//! Finds out who holds the data folder, without touching the lock, and holds it.
//!
//! To try the lock, even for an instant, could turn away a daemon that starts at that instant. Who
//! holds it is information only, never a permission. A change takes hardly any time, so that another
//! holder is waited for.

use super::session::Session;
use crate::config::{Config, changed_since, read_file};
use crate::daemon::{
    self, Clock as _, DaemonStatus, LockedRoot, Purpose, STATUS_BYTES_MAX, SystemClock,
};
use crate::failure::{Code, Failure};
use crate::limits::{FOLDER_LOOK_MS_MAX, FOLDER_WAIT_MS, FOLDER_WORD_MS};
use crate::store::disk::{Disk as _, RealDisk};
use crate::store::{connect, layout};
use std::path::Path;
use std::time::Duration;

/// The file in which Linux lists the locks on files: one a line, with process and inode.
const LOCKS: &str = "/proc/locks";

/// The largest list of locks that is read, in bytes; a line has about sixty.
const LOCKS_BYTES_MAX: usize = 4 * 1024 * 1024;

/// The number of further reads of the list for a process that lives and is not in it.
const LOOKS_MORE: u32 = 3;

/// The most bytes read of the lock file and of a process's name.
const SHORT_BYTES_MAX: usize = 64;

/// The process that holds the folder.
#[derive(Debug)]
pub struct Holder {
    pub process: u32,
    /// The status of the process: its purpose, and what it waits for.
    pub status: DaemonStatus,
}

impl Holder {
    /// Returns whether it is a daemon, which works on the requests in the inbox.
    pub fn is_daemon(&self) -> bool {
        self.status.purpose.is_daemon()
    }
}

/// Returns the holder of the folder, if there is one.
pub fn holder(disk: &mut RealDisk) -> Option<Holder> {
    let process = process(disk)?;
    let status = status(disk).unwrap_or_default();
    Some(Holder { process, status })
}

/// Returns the warning that a daemon has not read a file as it is now.
///
/// The daemon goes on with what it has read.
pub(super) fn unread(session: &Session, config: &Config) -> Option<String> {
    unread_by(&holder(&mut session.disk().ok()?)?, session, config)
}

/// Like [`unread`], but for a holder that is known.
pub(super) fn unread_by(holder: &Holder, session: &Session, config: &Config) -> Option<String> {
    let read_at = holder.status.read_at.filter(|_| holder.is_daemon())?;
    let rules = session.root().join("data/rules.json");
    let all = [
        session.root().join("data/config.json"),
        rules,
        config.prompt_path.clone(),
    ];
    let changed = all.iter().filter(|path| changed_since(path, read_at));
    let names = changed.map(|path| path.strip_prefix(session.root()).unwrap_or(path));
    let names: Vec<String> = names.map(|name| name.display().to_string()).collect();
    (!names.is_empty()).then(|| {
        let names = names.join(" and ");
        format!(
            "the daemon has not read {names} since it was changed: what is shown is the file, in force is \
             what was read before. SIGHUP has it read"
        )
    })
}

/// Adds to the failure that the folder is held a hint about its holder.
pub fn explained(session: &Session, failure: Failure) -> Failure {
    let held = failure.code == Code::DataLocked;
    let disk = held.then(|| session.disk().ok()).flatten();
    let holder = disk.and_then(|mut disk| holder(&mut disk));
    match holder.filter(|holder| !holder.is_daemon()) {
        None => failure,
        Some(Holder { process, status }) => {
            let name = status.purpose.name();
            failure.only_hint(format!(
                "Process {process} is {name}, no daemon: repeat this when it has ended, or end it."
            ))
        }
    }
}

fn process(disk: &mut RealDisk) -> Option<u32> {
    named_process(disk).or_else(|| {
        // The lock file may have been removed under its holder, which holds the journal's folder,
        // too.
        let inode = disk.stat(Path::new(layout::JOURNAL)).ok()??.inode;
        let locks = read_file(Path::new(LOCKS), LOCKS_BYTES_MAX).ok()?;
        holders(&String::from_utf8_lossy(&locks), inode).next()
    })
}

/// Returns the process that the lock file names, if it holds the file.
fn named_process(disk: &mut RealDisk) -> Option<u32> {
    let path = Path::new(layout::LOCK);
    let inode = disk.stat(path).ok()??.inode;
    let text = disk.read_at(path, 0, SHORT_BYTES_MAX).ok()?;
    let first = std::str::from_utf8(&text).ok()?.lines().next()?;
    let process = first.trim().parse().ok()?;
    let is_held = || match read_file(Path::new(LOCKS), LOCKS_BYTES_MAX) {
        Ok(locks) => {
            holders(&String::from_utf8_lossy(&locks), inode).any(|holder| holder == process)
        }
        // Without the list: a living process of that id and our name.
        Err(_) => is_ours(process),
    };
    // A line can be missed where the list changes while it is read, so a process that lives is
    // looked for again.
    let held = is_held() || (is_ours(process) && (0..LOOKS_MORE).any(|_| is_held()));
    held.then_some(process)
}

/// Reads the status of the holder. It is true only while a process holds the folder.
fn status(disk: &mut RealDisk) -> Option<DaemonStatus> {
    let path = Path::new(layout::LOCK);
    let text = disk.read_at(path, 0, STATUS_BYTES_MAX).ok()?;
    let line = text.split(|byte| *byte == b'\n').nth(1)?;
    serde_json::from_slice(line).ok()
}

/// Returns the processes that a list of locks has on an inode.
///
/// A line is `1: FLOCK  ADVISORY  WRITE 13826 fe:00:10010644 0 EOF`.
fn holders(locks: &str, inode: u64) -> impl Iterator<Item = u32> {
    let place = format!(":{inode}");
    locks.lines().filter_map(move |line| {
        let mut words = line.split_whitespace().skip(1);
        (words.next()? == "FLOCK").then_some(())?;
        let process = words.nth(2)?.parse().ok()?;
        words.next()?.ends_with(&place).then_some(process)
    })
}

fn is_ours(process: u32) -> bool {
    let name = format!("/proc/{process}/comm");
    read_file(Path::new(&name), SHORT_BYTES_MAX)
        .is_ok_and(|name| name.trim_ascii_end() == env!("CARGO_PKG_NAME").as_bytes())
}

/// Holds the folder, and waits for it as long as a change may take.
///
/// # Errors
/// `DATA_LOCKED` at once where a daemon answers at its socket, else after [`FOLDER_WAIT_MS`].
pub fn hold(session: &Session, purpose: Purpose) -> Result<LockedRoot, Failure> {
    let mut wait = FolderWait::begin(session);
    loop {
        match daemon::hold_for(session.root(), purpose) {
            Err(refused) if refused.code == Code::DataLocked => wait.go_on(refused)?,
            held => return held,
        }
    }
}

/// Waits until nobody holds the folder, or a daemon does that answers at its socket.
///
/// # Errors
/// `DATA_LOCKED` where neither comes in time.
pub fn check_reachable(session: &Session) -> Result<(), Failure> {
    let mut wait = FolderWait::begin(session);
    loop {
        let mut disk = session.disk()?;
        match holder(&mut disk) {
            Some(holder) if connect(&mut disk).is_err() => {
                let process = holder.process;
                let message = format!("process {process} holds the data folder");
                wait.go_on(Failure::new(Code::DataLocked, message))?;
            }
            Some(_) | None => return Ok(()),
        }
    }
}

/// A wait for the folder. All waits of one command line share the bound.
#[derive(Debug)]
struct FolderWait<'a> {
    session: &'a Session,
    pause_ms: u64,
    has_reported: bool,
}

impl<'a> FolderWait<'a> {
    const fn begin(session: &'a Session) -> Self {
        Self {
            session,
            pause_ms: 1,
            has_reported: false,
        }
    }

    /// Lets a moment pass.
    ///
    /// # Errors
    /// The refusal, where a longer wait is of no use: a daemon answers or has no socket, or the
    /// time is over.
    fn go_on(&mut self, refused: Failure) -> Result<(), Failure> {
        let now = SystemClock.uptime_ms();
        let since = *self.session.waits_since.get_or_init(|| now);
        let waited = now.saturating_sub(since);
        let session = self.session;
        let is_answered = || {
            session
                .disk()
                .is_ok_and(|mut disk| connect(&mut disk).is_ok())
        };
        if waited >= FOLDER_WAIT_MS || is_answered() {
            return Err(refused);
        }
        if waited >= FOLDER_WORD_MS && !self.has_reported {
            if self.is_deaf() {
                return Err(refused);
            }
            self.session
                .inform(&format!("waiting: {}", refused.message));
            self.has_reported = true;
        }
        std::thread::sleep(Duration::from_millis(self.pause_ms));
        self.pause_ms = (2 * self.pause_ms).min(FOLDER_LOOK_MS_MAX);
        Ok(())
    }

    /// Returns whether the holder is a daemon that started without a socket, and never has one.
    fn is_deaf(&self) -> bool {
        let disk = self.session.disk().ok();
        let holder = disk.and_then(|mut disk| holder(&mut disk));
        holder.is_some_and(|it| it.is_daemon() && it.status.read_at.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::holders;

    #[test]
    fn only_the_named_process_on_the_named_file_counts() {
        let locks = "1: POSIX  ADVISORY  WRITE 7 fe:00:42 0 EOF\n\
                     2: FLOCK  ADVISORY  WRITE 13826 fe:00:10010644 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 9 fe:00:10010644 0 EOF\n";
        for (inode, process, expected) in [
            (10_010_644, 13826, true),
            (10_010_644, 9, false),
            (644, 13826, false),
            (10_010_645, 13826, false),
            (42, 7, false),
        ] {
            let is_held = holders(locks, inode).any(|holder| holder == process);
            assert_eq!(is_held, expected, "{inode} {process}");
        }
    }
}
