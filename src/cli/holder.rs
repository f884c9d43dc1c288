//! Who holds the data folder, found out without touching the lock: trying it, even for an instant,
//! could turn away a daemon that starts at that instant. Information only; never a permission.

use crate::config::read_file;
use crate::store::disk::{Disk as _, HOLDER_WORDS_BYTES_MAX, RealDisk};
use crate::store::layout;
use serde::Serialize;
use std::path::Path;

/// Where Linux lists the locks on files: one a line, with process and inode.
const LOCKS: &str = "/proc/locks";

/// Largest list of locks that is read, in bytes; a line has about sixty.
const LOCKS_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Longest text looked at in a process's name, in bytes.
const NAME_BYTES_MAX: usize = 64;

/// What the holder of a folder waits for.
#[derive(Debug, Serialize)]
pub(super) struct Wait {
    /// The stable code.
    pub(super) code: String,
    /// One sentence.
    pub(super) message: String,
}

/// What the process that holds the folder waits for, if it says so.
pub(super) fn wait(disk: &mut RealDisk) -> Option<Wait> {
    let text = lock_text(disk)?;
    let (code, message) = text.lines().nth(1)?.split_once(' ')?;
    Some(Wait {
        code: code.to_owned(),
        message: message.to_owned(),
    })
}

/// The process that holds the folder, if one does.
pub(super) fn holder(disk: &mut RealDisk) -> Option<u32> {
    let inode = disk.stat(Path::new(layout::LOCK)).ok()??.inode;
    let process = lock_text(disk)?.lines().next()?.trim().parse().ok()?;
    let held = match read_file(Path::new(LOCKS), LOCKS_BYTES_MAX) {
        Ok(locks) => lists(&String::from_utf8_lossy(&locks), inode, process),
        // Without the list: a living process of that number and our name.
        Err(_) => is_ours(process),
    };
    held.then_some(process)
}

fn lock_text(disk: &mut RealDisk) -> Option<String> {
    // Twice the longest line: a shorter one may still have the end of the last one behind it.
    let bytes = disk.read(Path::new(layout::LOCK), 2 * HOLDER_WORDS_BYTES_MAX);
    String::from_utf8(bytes.ok()?).ok()
}

/// Whether a list of locks has one of that process on that inode:
/// `1: FLOCK  ADVISORY  WRITE 13826 fe:00:10010644 0 EOF`.
fn lists(locks: &str, inode: u64, process: u32) -> bool {
    let place = format!(":{inode}");
    locks.lines().any(|line| {
        let mut words = line.split_whitespace().skip(1);
        words.next() == Some("FLOCK")
            && words.nth(2) == Some(process.to_string().as_str())
            && words.next().is_some_and(|word| word.ends_with(&place))
    })
}

fn is_ours(process: u32) -> bool {
    let name = format!("/proc/{process}/comm");
    read_file(Path::new(&name), NAME_BYTES_MAX)
        .is_ok_and(|name| name.trim_ascii_end() == env!("CARGO_PKG_NAME").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::lists;

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
            assert_eq!(lists(locks, inode, process), expected, "{inode} {process}");
        }
    }
}
