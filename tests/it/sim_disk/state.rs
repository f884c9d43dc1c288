//! The present of a simulated disk: names, contents and the failures that are planned.
//! It never decides what a power cut leaves.

use super::platter::{Content, NameChange, Names, Node};
use crate::random::Random;
use kjxlkj_agent::limits::FILE_NAME_BYTES_MAX;
use kjxlkj_agent::store::disk::{check_path, invalid};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// What the simulated machine does with a call that was planned to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The device fails (EIO). A sync that fails forgets what was not yet on the platter.
    Broken,
    /// No room (ENOSPC). Cuts, removals and syncs need none and pass.
    Full,
    /// No room after that many bytes of an append; elsewhere as [`Fault::Full`].
    FullAfter(usize),
    /// Over the user's quota (EDQUOT); else as [`Fault::Full`].
    Quota,
    /// Over the largest file allowed (EFBIG); else as [`Fault::Full`].
    TooBig,
    /// The room that a write was promised is not there when it is synced or cut (ENOSPC).
    FullAtSync,
    /// Somebody put another file in the place of the one that is synced (ENOENT).
    Replaced,
    /// The system does not allow it (EACCES). Syncs and cuts pass.
    Denied,
}

const ENOENT: i32 = 2;
const EIO: i32 = 5;
const EACCES: i32 = 13;
const EFBIG: i32 = 27;
const ENOSPC: i32 = 28;
const ENAMETOOLONG: i32 = 36;
const EDQUOT: i32 = 122;

/// What a call does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// Needs room: an append, a new file, a new name.
    Write,
    /// Removes a name.
    Remove,
    /// Syncs a file, or cuts off what was written to it.
    Secure,
    /// Syncs the names in a folder.
    SecureNames,
    /// Syncs everything.
    SecureAll,
}

impl Fault {
    /// What the system answers when a call of this kind meets the fault, if it fails at all, and how
    /// many bytes of an append get in before.
    fn strikes(self, deed: Deed) -> Option<(i32, usize)> {
        let write = |number| (deed == Deed::Write).then_some((number, 0));
        let secures = matches!(deed, Deed::Secure | Deed::SecureNames | Deed::SecureAll);
        match self {
            Self::Broken => Some((EIO, 0)),
            Self::Full => write(ENOSPC),
            Self::FullAfter(count) => (deed == Deed::Write).then_some((ENOSPC, count)),
            Self::Quota => write(EDQUOT),
            Self::TooBig => write(EFBIG),
            Self::FullAtSync => secures.then_some((ENOSPC, 0)),
            Self::Replaced => (deed == Deed::Secure).then_some((ENOENT, 0)),
            Self::Denied => (!secures).then_some((EACCES, 0)),
        }
    }
}

/// Names, and the contents that they stand for.
pub(super) type Picture = (Names, BTreeMap<u64, Content>);

#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) random: Random,
    /// Contents by inode.
    pub(super) contents: BTreeMap<u64, Content>,
    /// Names as the process sees them.
    pub(super) seen: Names,
    /// Names that are safe, and the changes since.
    pub(super) settled: Names,
    pub(super) pending: Vec<NameChange>,
    pub(super) next_inode: u64,
    pub(super) clock_ns: i64,
    /// When names last appeared in a folder or vanished from it.
    pub(super) folder_changes: BTreeMap<PathBuf, i64>,
    pub(super) free_bytes: u64,
    pub(super) exchanges: bool,
    pub(super) calls: u64,
    pub(super) read_bytes_max: usize,
    /// What each of them was for.
    pub(super) deeds: Vec<Deed>,
    /// Questions so far: reads, looks, lists.
    pub(super) questions: u64,
    /// The question that meets a broken device.
    pub(super) broken_question: Option<u64>,
    /// The question before which the names and contents change to these.
    pub(super) becomes: Option<(u64, Picture)>,
    /// First call, fault, and whether all later calls meet it too.
    pub(super) faults: Vec<(u64, Fault, bool)>,
    pub(super) crash_at: Option<u64>,
}

/// Why a call did not happen, and how many bytes of it did.
pub(super) struct Stopped {
    pub(super) error: io::Error,
    pub(super) written: usize,
    pub(super) crashed: bool,
}

impl From<Stopped> for io::Error {
    fn from(stopped: Stopped) -> Self {
        stopped.error
    }
}

impl State {
    /// A disk on which everything is safe.
    pub(super) fn new(
        names: Names,
        contents: BTreeMap<u64, Content>,
        next_inode: u64,
        seed: u64,
    ) -> Self {
        Self {
            random: Random(seed),
            contents,
            seen: names.clone(),
            settled: names,
            pending: Vec::new(),
            next_inode,
            clock_ns: 0,
            folder_changes: BTreeMap::new(),
            free_bytes: u64::MAX,
            exchanges: true,
            calls: 0,
            read_bytes_max: 0,
            deeds: Vec::new(),
            questions: 0,
            broken_question: None,
            becomes: None,
            faults: Vec::new(),
            crash_at: None,
        }
    }

    /// Counts a call and says whether it happens. `bytes` is what it would write.
    pub(super) fn enter(&mut self, deed: Deed, bytes: usize) -> Result<(), Stopped> {
        self.calls += 1;
        self.deeds.push(deed);
        self.clock_ns += 1_000_000;
        let call = self.calls;
        if let Some(crash) = self.crash_at.filter(|&crash| call >= crash) {
            let written = if call == crash {
                self.random.index(bytes + 1)
            } else {
                0
            };
            let error = io::Error::other("simulated crash");
            return Err(Stopped {
                error,
                written,
                crashed: true,
            });
        }
        let planned = self
            .faults
            .iter()
            .find(|&&(first, _, sticky)| call == first || sticky && call > first);
        let Some((number, written)) = planned.and_then(|(_, fault, _)| fault.strikes(deed)) else {
            return Ok(());
        };
        Err(Stopped {
            error: io::Error::from_raw_os_error(number),
            written: written.min(bytes.saturating_sub(1)),
            crashed: false,
        })
    }

    /// Counts a question and says whether it is answered.
    pub(super) fn ask(&mut self) -> io::Result<()> {
        self.questions += 1;
        let question = self.questions;
        if let Some((_, after)) = self.becomes.take_if(|(at, _)| *at == question) {
            (self.seen, self.contents) = after;
        }
        if self.broken_question == Some(self.questions) {
            return Err(io::Error::from_raw_os_error(EIO));
        }
        Ok(())
    }

    pub(super) fn new_content(&mut self, bytes: &[u8]) -> u64 {
        let inode = self.next_inode;
        self.next_inode += 1;
        let content = Content::new(bytes, self.clock_ns);
        self.contents.insert(inode, content);
        inode
    }

    pub(super) fn node(&self, path: &Path) -> io::Result<Node> {
        check_names(path)?;
        if path.as_os_str().is_empty() {
            return Ok(Node::Folder(0));
        }
        let node = self.seen.get(path).copied();
        node.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    pub(super) fn inode(&self, path: &Path) -> io::Result<u64> {
        match self.node(path)? {
            Node::File(inode) => Ok(inode),
            Node::Folder(_) => Err(invalid("not a regular file")),
        }
    }

    pub(super) fn content(&mut self, path: &Path) -> io::Result<&mut Content> {
        let inode = self.inode(path)?;
        Ok(self.contents.get_mut(&inode).unwrap())
    }

    /// Checks that a name can be made in the folder of `path`.
    pub(super) fn check_folder(&self, path: &Path) -> io::Result<()> {
        check_names(path)?;
        let parent = path.parent().ok_or_else(|| invalid("a name is needed"))?;
        match self.node(parent)? {
            Node::Folder(_) => Ok(()),
            Node::File(_) => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    pub(super) fn change(&mut self, entries: Vec<(PathBuf, Option<Node>)>) {
        self.change_names(NameChange::new(entries));
    }

    /// Changes names as the process sees them; what is safe of it is the change's own matter.
    pub(super) fn change_names(&mut self, change: NameChange) {
        for folder in change.folders() {
            self.folder_changes.insert(folder, self.clock_ns);
        }
        change.apply(&mut self.seen);
        self.pending.push(change);
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let node = Node::File(self.inode(from)?);
        self.check_folder(to)?;
        if matches!(self.node(to), Ok(Node::Folder(_))) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        self.change(vec![
            (from.to_path_buf(), None),
            (to.to_path_buf(), Some(node)),
        ]);
        Ok(())
    }

    /// Makes every change of names safe that no failed sync has left in doubt.
    pub(super) fn settle_all(&mut self) {
        let folders = self.pending.iter().flat_map(NameChange::folders);
        for folder in folders.collect::<BTreeSet<_>>() {
            self.settle(&folder);
        }
    }

    /// Makes the changes in a folder safe, as far as they wait for no other folder.
    pub(super) fn settle(&mut self, folder: &Path) {
        for change in &mut self.pending {
            change.synced(folder);
        }
        let safe = self.pending.iter().take_while(|it| it.is_settled()).count();
        for change in self.pending.drain(..safe) {
            change.apply(&mut self.settled);
        }
    }
}

/// Checks a path, and that no name in it is longer than a file system takes.
fn check_names(path: &Path) -> io::Result<()> {
    check_path(path)?;
    if path.iter().any(|name| name.len() > FILE_NAME_BYTES_MAX) {
        return Err(io::Error::from_raw_os_error(ENAMETOOLONG));
    }
    Ok(())
}
