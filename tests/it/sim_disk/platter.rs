//! What a power cut leaves of contents and names that were not synced.
//! It never loses a synced byte or a synced name; of everything else it keeps whatever is unkind.

use crate::random::Random;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What a device writes whole or not at all, in bytes.
const SECTOR_BYTES: usize = 512;

/// What a name stands for, with its inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Node {
    File(u64),
    Folder(u64),
}

/// Every name beneath the root, by its whole path.
pub(super) type Names = BTreeMap<PathBuf, Node>;

/// One change of names that happens whole or not at all.
#[derive(Clone, Debug)]
pub(super) struct NameChange {
    entries: Vec<(PathBuf, Option<Node>)>,
    /// Folders that have to be synced before the change is safe.
    unsynced: BTreeSet<PathBuf>,
    /// A sync of one of them failed; no later one makes the change safe.
    doubtful: bool,
}

impl NameChange {
    pub(super) fn new(entries: Vec<(PathBuf, Option<Node>)>) -> Self {
        let folders = entries.iter().filter_map(|(path, _)| path.parent());
        Self {
            unsynced: folders.map(Path::to_path_buf).collect(),
            entries,
            doubtful: false,
        }
    }

    /// A change that is safe already.
    pub(super) fn settled(path: &Path, node: Node) -> Self {
        Self {
            entries: vec![(path.to_path_buf(), Some(node))],
            unsynced: BTreeSet::new(),
            doubtful: false,
        }
    }

    /// The folders whose names it changes.
    pub(super) fn folders(&self) -> BTreeSet<PathBuf> {
        let folders = self.entries.iter().filter_map(|(path, _)| path.parent());
        folders.map(Path::to_path_buf).collect()
    }

    pub(super) fn apply(&self, names: &mut Names) {
        for (path, node) in &self.entries {
            match node {
                Some(node) => names.insert(path.clone(), *node),
                None => names.remove(path),
            };
        }
    }

    /// A name that is safely gone.
    pub(super) fn uprooted(path: &Path) -> Self {
        Self {
            entries: vec![(path.to_path_buf(), None)],
            unsynced: BTreeSet::new(),
            doubtful: false,
        }
    }

    pub(super) fn synced(&mut self, folder: &Path) {
        if !self.doubtful {
            self.unsynced.remove(folder);
        }
    }

    pub(super) fn sync_failed(&mut self, folder: &Path) {
        self.doubtful |= self.unsynced.contains(folder);
    }

    /// A sync of everything failed.
    pub(super) fn doubt(&mut self) {
        self.doubtful = true;
    }

    pub(super) fn is_settled(&self) -> bool {
        self.unsynced.is_empty()
    }
}

/// The names that a cut leaves: all safe ones, and of the changes since either those up to some
/// moment, or any of them.
pub(super) fn names_after_cut(
    settled: &Names,
    pending: &[NameChange],
    random: &mut Random,
) -> Names {
    let in_order = random.index(2) == 0;
    let safe = pending.iter().rposition(NameChange::is_settled);
    let moment = random.between(safe.map_or(0, |at| at + 1), pending.len());
    let mut names = settled.clone();
    for (at, change) in pending.iter().enumerate() {
        let kept = if in_order {
            at < moment
        } else {
            change.is_settled() || random.index(2) == 0
        };
        if kept {
            change.apply(&mut names);
        }
    }
    let reachable = |path: &Path, names: &Names| {
        let above = path.ancestors().skip(1);
        above
            .filter(|folder| !folder.as_os_str().is_empty())
            .all(|folder| matches!(names.get(folder), Some(Node::Folder(_))))
    };
    let all = names.clone();
    names.retain(|path, _| reachable(path, &all));
    names
}

/// The bytes of one file, as seen and as they reach the platter.
#[derive(Clone, Debug)]
pub(super) struct Content {
    seen: Vec<u8>,
    /// What a sync would make safe: as seen, save what a failed sync made the kernel forget.
    cached: Vec<u8>,
    durable: Vec<u8>,
    /// Where `cached` begins to differ from `durable`.
    dirty_from: Option<usize>,
    pub(super) modified_ns: i64,
}

impl Content {
    pub(super) fn new(bytes: &[u8], now_ns: i64) -> Self {
        Self {
            seen: bytes.to_vec(),
            cached: bytes.to_vec(),
            durable: Vec::new(),
            dirty_from: Some(0),
            modified_ns: now_ns,
        }
    }

    fn after_restart(bytes: Vec<u8>, modified_ns: i64) -> Self {
        Self {
            seen: bytes.clone(),
            cached: bytes.clone(),
            durable: bytes,
            dirty_from: None,
            modified_ns,
        }
    }

    pub(super) fn seen(&self) -> &[u8] {
        &self.seen
    }

    pub(super) fn append(&mut self, bytes: &[u8], now_ns: i64) {
        self.touch(self.seen.len(), now_ns);
        self.seen.extend_from_slice(bytes);
        self.cached.extend_from_slice(bytes);
    }

    pub(super) fn truncate(&mut self, bytes: usize, now_ns: i64) {
        self.touch(bytes, now_ns);
        self.seen.truncate(bytes);
        self.cached.truncate(bytes);
    }

    fn touch(&mut self, from: usize, now_ns: i64) {
        self.dirty_from = Some(self.dirty_from.map_or(from, |dirty| dirty.min(from)));
        self.modified_ns = now_ns;
    }

    pub(super) fn sync(&mut self) {
        if let Some(from) = self.dirty_from.take() {
            self.durable.truncate(from);
            self.durable.extend_from_slice(&self.cached[from..]);
        }
    }

    /// After a failed sync the kernel takes its pages for clean: the process goes on seeing them,
    /// and no later sync writes them.
    pub(super) fn forget_unsynced(&mut self) {
        let from = self.dirty_from.unwrap_or(self.cached.len());
        for at in from..self.cached.len() {
            self.cached[at] = self.durable.get(at).copied().unwrap_or(0);
        }
    }

    /// Shows what was synced, where nothing waits for a sync.
    pub(super) fn forget(&mut self) {
        if self.dirty_from.is_none() {
            self.seen.clone_from(&self.cached);
        }
    }

    /// The content that a cut leaves, safe from then on.
    pub(super) fn after_cut(&self, random: &mut Random) -> Self {
        let bytes = match self.dirty_from {
            None => self.durable.clone(),
            Some(from) => self.torn(from, random),
        };
        Self::after_restart(bytes, self.modified_ns)
    }

    fn torn(&self, from: usize, random: &mut Random) -> Vec<u8> {
        let (new, old) = (&self.cached, &self.durable);
        match random.index(5) {
            0 => old.clone(),
            1 => new.clone(),
            2 => {
                // The length got there, the bytes did not.
                let mut bytes = new[..from].to_vec();
                bytes.resize(new.len(), 0);
                bytes
            }
            3 => new[..random.between(from, new.len())].to_vec(),
            _ => {
                let mut bytes = new[..from].to_vec();
                let length = random.between(from, new.len().max(old.len()));
                while bytes.len() < length {
                    let source: &[u8] = match random.index(3) {
                        0 => new,
                        1 => old,
                        _ => &[],
                    };
                    let at = bytes.len();
                    let sector_end = (at / SECTOR_BYTES + 1) * SECTOR_BYTES;
                    let byte = |at: usize| source.get(at).copied().unwrap_or(0);
                    bytes.extend((at..sector_end.min(length)).map(byte));
                }
                bytes
            }
        }
    }
}
