//! The real program under strace: which system calls it makes below its root, and one of them failed.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a campaign may stop at once; it starts the program and reads what was traced"
)]

use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long strace may take to write the end of its account after the program has ended.
const LOG_DEADLINE: Duration = Duration::from_secs(5);

/// The mark of a call that was failed on purpose.
const INJECTED: &str = "(INJECTED)";

/// A sort of system call, and the errors that it is failed with.
#[derive(Debug)]
pub(crate) struct Kind {
    name: &'static str,
    errors: &'static [&'static str],
}

const fn kind(name: &'static str, errors: &'static [&'static str]) -> Kind {
    Kind { name, errors }
}

/// The calls that are failed: all by which the store reads, writes, names and secures.
const KINDS: &[Kind] = &[
    kind("write", &["EIO", "ENOSPC"]),
    kind("pwrite64", &["EIO", "ENOSPC"]),
    kind("fdatasync", &["EIO", "ENOSPC"]),
    kind("fsync", &["EIO", "ENOSPC"]),
    kind("syncfs", &["EIO", "ENOSPC"]),
    kind("rename", &["EIO", "ENOSPC", "EACCES"]),
    kind("renameat", &["EIO", "ENOSPC", "EACCES"]),
    kind("renameat2", &["EIO", "ENOSPC", "EACCES"]),
    kind("openat", &["EIO", "ENOSPC", "EACCES", "EMFILE"]),
    kind("openat2", &["EIO", "EACCES", "EMFILE"]),
    kind("newfstatat", &["EIO", "EACCES"]),
    kind("fstat", &["EIO"]),
    kind("statx", &["EIO", "EACCES"]),
    kind("unlinkat", &["EIO", "EACCES"]),
    kind("ftruncate", &["EIO"]),
    kind("mkdirat", &["EIO", "ENOSPC", "EACCES"]),
    kind("pread64", &["EIO"]),
    kind("getdents64", &["EIO"]),
];

/// One call that the program made below the root.
#[derive(Debug)]
struct Call {
    thread: String,
    kind: &'static Kind,
    /// The paths below the root that it named, or had open; the root itself is the empty one.
    paths: BTreeSet<PathBuf>,
}

/// What the program did in a phase in which nothing failed.
#[derive(Debug)]
pub(crate) struct Plan(Vec<Call>);

impl Plan {
    /// Reads the account of a run in which nothing failed.
    pub(crate) fn read(log: &Path, root: &Path) -> Self {
        let log = std::fs::read(log).unwrap();
        let log = String::from_utf8_lossy(&log);
        Self(log.lines().filter_map(|line| call_in(line, root)).collect())
    }

    /// Calls in all.
    pub(crate) fn calls(&self) -> usize {
        self.0.len()
    }

    /// How many calls of each sort the busiest thread made that had to do with one of `paths`.
    fn counts(&self, paths: &BTreeSet<PathBuf>) -> BTreeMap<&'static str, (&'static Kind, u64)> {
        let mut by_thread: BTreeMap<(&str, &'static str), u64> = BTreeMap::new();
        let mut most = BTreeMap::new();
        for call in self.0.iter().filter(|it| !it.paths.is_disjoint(paths)) {
            let name = call.kind.name;
            let count = by_thread.entry((&call.thread, name)).or_default();
            *count += 1;
            let (_, highest) = most.entry(name).or_insert((call.kind, 0));
            *highest = (*highest).max(*count);
        }
        most
    }

    /// Draws a call that there is, and how it fails: mostly of all calls below the root, else of those
    /// that have to do with one file or folder.
    pub(crate) fn draw(&self, random: &mut Random) -> Fault {
        let all: BTreeSet<PathBuf> = self.0.iter().flat_map(|call| call.paths.clone()).collect();
        let paths = if random.below(3) > 0 {
            all
        } else {
            let one = all.iter().nth(random.index(all.len())).unwrap();
            BTreeSet::from([one.clone()])
        };
        let counts = self.counts(&paths);
        let (kind, count) = *counts.values().nth(random.index(counts.len())).unwrap();
        Fault {
            call: kind.name,
            error: kind.errors[random.index(kind.errors.len())],
            number: 1 + random.below(count),
            is_sticky: random.below(3) == 0,
            paths,
        }
    }
}

/// A call that fails: the one of that number in its thread, or that and all later ones.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    call: &'static str,
    error: &'static str,
    number: u64,
    is_sticky: bool,
    paths: BTreeSet<PathBuf>,
}

impl Fault {
    /// Whether it says that the program may not have what it asks for: the answer to a question, and no
    /// failure of a device.
    pub(crate) fn is_denial(&self) -> bool {
        self.error == "EACCES"
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let later = if self.is_sticky { "+" } else { "" };
        write!(
            f,
            "{}:error={}:when={}{later}",
            self.call, self.error, self.number
        )?;
        match self.paths.first() {
            Some(path) if self.paths.len() == 1 => write!(f, " of /{}", path.display()),
            _ => Ok(()),
        }
    }
}

/// The call that a line of the account tells of, if it is one of ours below the root.
fn call_in(line: &str, root: &Path) -> Option<Call> {
    let (thread, rest) = line.split_once(' ')?;
    let (name, _) = rest.trim_start().split_once('(')?;
    let kind = KINDS.iter().find(|kind| kind.name == name)?;
    let mut paths = BTreeSet::new();
    let root = root.to_str().unwrap();
    for (at, _) in line.match_indices(root) {
        let below = &line[at + root.len()..];
        let (below, _) = below.split_once(['>', '"'])?;
        paths.insert(PathBuf::from(below.trim_start_matches('/')));
    }
    let thread = thread.to_owned();
    (!paths.is_empty()).then_some(Call {
        thread,
        kind,
        paths,
    })
}

/// Why nothing can be traced here, if so.
pub(crate) fn unavailable(scratch: &Path) -> Option<String> {
    let log = scratch.join("probe.strace");
    let mut command = traced(None, scratch, &log);
    let output = match command.arg("--version").output() {
        Ok(output) => output,
        Err(error) => return Some(format!("strace cannot be started: {error}")),
    };
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Some(format!("strace may not trace: {}", said.trim()));
    }
    (!is_complete(&log)).then(|| "strace wrote nothing down".to_owned())
}

/// The program as the process that is started, with strace beside it.
pub(crate) fn traced(fault: Option<&Fault>, root: &Path, log: &Path) -> Command {
    drop(std::fs::remove_file(log));
    let mut command = Command::new("strace");
    command.args(["-D", "-f", "-y", "--seccomp-bpf", "-e", "signal=none", "-o"]);
    command.arg(log);
    // A name that this machine does not know is passed over.
    let names: Vec<String> = KINDS.iter().map(|kind| format!("?{}", kind.name)).collect();
    command.arg(format!("-etrace={}", names.join(",")));
    if let Some(fault) = fault {
        for path in &fault.paths {
            // Joined to an empty path, a slash would stand at the end.
            let path = root.components().chain(path.components());
            command.arg("-P").arg(path.collect::<PathBuf>());
        }
        let later = if fault.is_sticky { "+" } else { "" };
        let Fault {
            call,
            error,
            number,
            ..
        } = fault;
        command.arg(format!(
            "-einject={call}:error={error}:when={number}{later}"
        ));
    }
    command.arg(env!("CARGO_BIN_EXE_kjxlkj-agent"));
    command.stdin(Stdio::null()).current_dir("/");
    command
}

/// Waits until the account has its end, which strace writes beside the program.
fn is_complete(log: &Path) -> bool {
    let deadline = Instant::now() + LOG_DEADLINE;
    loop {
        let written = std::fs::read(log).unwrap_or_default();
        let text = String::from_utf8_lossy(&written);
        // The first line is the first thread's, which ends last.
        let first = text.split(' ').next().unwrap_or_default();
        let is_end = |line: &str| line.starts_with(first) && line.contains(" +++ ");
        if !first.is_empty() && text.lines().any(is_end) {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The calls that were failed, once the account is complete.
pub(crate) fn injected(log: &Path) -> Vec<String> {
    is_complete(log);
    let log = std::fs::read(log).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let failed = log.lines().filter(|line| line.contains(INJECTED));
    failed.map(str::to_owned).collect()
}
