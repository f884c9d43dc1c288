//! A disk in memory that can lose its power, fail any call, or die with the process at any call.
//! It keeps two pictures: what the process sees, and what a power cut would leave. It never syncs
//! more than it was asked to: a name is safe only after its folder was synced.

#![expect(clippy::unwrap_used, reason = "a test may stop at once")]

mod platter;
mod state;

use crate::random::Random;
use kjxlkj_agent::store::disk::{AppendError, Disk, FileKind, FileStat, check_path, invalid};
use platter::{Content, NameChange, Names, Node};
use state::State;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

pub(crate) use state::{Deed, Fault};

/// A handle to a simulated disk; clones share one disk.
#[derive(Clone, Debug)]
pub(crate) struct SimDisk(Rc<RefCell<State>>);

impl SimDisk {
    /// An empty disk. The seed decides how much of an append a crash lets in.
    pub(crate) fn new(seed: u64) -> Self {
        Self::with_names(Names::new(), BTreeMap::new(), 1, seed)
    }

    fn with_names(
        names: Names,
        contents: BTreeMap<u64, Content>,
        next_inode: u64,
        seed: u64,
    ) -> Self {
        Self(Rc::new(RefCell::new(State::new(
            names, contents, next_inode, seed,
        ))))
    }

    /// Calls so far that would have changed or synced something.
    pub(crate) fn calls(&self) -> u64 {
        self.0.borrow().calls
    }

    /// Lets the `call`th such call fail, counted from 1, and with `sticky` all that follow.
    pub(crate) fn fail_call(&self, call: u64, fault: Fault, sticky: bool) {
        self.0.borrow_mut().faults.push((call, fault, sticky));
    }

    /// Lets the process die in the `call`th such call, counted from 1: it and all later ones
    /// return an error, and of an append or a new file any part may have got in.
    pub(crate) fn crash_at_call(&self, call: u64) {
        self.0.borrow_mut().crash_at = Some(call);
    }

    /// What each call so far was for, in order.
    pub(crate) fn deeds(&self) -> Vec<Deed> {
        self.0.borrow().deeds.clone()
    }

    /// Questions so far: reads, looks at names, lists.
    pub(crate) fn questions(&self) -> u64 {
        self.0.borrow().questions
    }

    /// Lets the `question`th of them fail, counted from 1.
    pub(crate) fn fail_question(&self, question: u64) {
        self.0.borrow_mut().broken_question = Some(question);
    }

    /// Takes back every planned failure: the disk was repaired, or somebody freed some room.
    pub(crate) fn heal(&self) {
        let mut state = self.0.borrow_mut();
        state.faults.clear();
        state.crash_at = None;
        state.broken_question = None;
    }

    /// The most bytes that one read gave.
    pub(crate) fn read_bytes_max(&self) -> usize {
        self.0.borrow().read_bytes_max
    }

    /// Sets the time of what is changed from now on.
    pub(crate) fn set_clock_ms(&self, millis: i64) {
        self.0.borrow_mut().clock_ns = millis * 1_000_000;
    }

    /// Sets what `free_bytes` answers.
    pub(crate) fn set_free_bytes(&self, bytes: u64) {
        self.0.borrow_mut().free_bytes = bytes;
    }

    /// Makes it a file system that knows plain renames alone.
    pub(crate) fn refuse_exchanges(&self) {
        self.0.borrow_mut().exchanges = false;
    }

    /// Puts a file there, safe at once, past all plans and counters: a person's hand, or rot.
    pub(crate) fn plant(&self, path: &Path, bytes: &[u8]) {
        let mut state = self.0.borrow_mut();
        let inode = state.new_content(bytes);
        state.contents.get_mut(&inode).unwrap().sync();
        state.clock_ns += 1_000_000;
        state.change_names(NameChange::settled(path, Node::File(inode)));
    }

    /// Gives a file another content in place, safe at once, past all plans and counters.
    pub(crate) fn rewrite(&self, path: &Path, bytes: &[u8]) {
        let mut state = self.0.borrow_mut();
        state.clock_ns += 1_000_000;
        let now_ns = state.clock_ns;
        let content = state.content(path).unwrap();
        content.truncate(0, now_ns);
        content.append(bytes, now_ns);
        content.sync();
    }

    /// Lets another disk's content take the place of this one's just before a question is asked: what
    /// somebody else did meanwhile.
    pub(crate) fn become_at_question(&self, question: u64, other: &Self) {
        let other = other.0.borrow();
        let after = (other.seen.clone(), other.contents.clone());
        self.0.borrow_mut().becomes = Some((question, after));
    }

    /// Takes a file away, safe at once, past all plans and counters.
    pub(crate) fn uproot(&self, path: &Path) {
        let mut state = self.0.borrow_mut();
        state.clock_ns += 1_000_000;
        state.change_names(NameChange::uprooted(path));
    }

    /// Every file with its bytes, as the process sees them.
    pub(crate) fn files(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let state = self.0.borrow();
        let files = state.seen.iter().filter_map(|(path, node)| match node {
            Node::File(inode) => Some((path.clone(), state.contents[inode].seen().to_vec())),
            Node::Folder(_) => None,
        });
        files.collect()
    }

    /// The disk as the next process finds it when only the process died.
    pub(crate) fn process_crash(&self) -> Self {
        let mut state = self.0.borrow().clone();
        state.calls = 0;
        state.deeds.clear();
        state.questions = 0;
        state.faults.clear();
        state.crash_at = None;
        state.broken_question = None;
        Self(Rc::new(RefCell::new(state)))
    }

    /// One of the disks that the next process may find when the power went. This disk is left as
    /// it is, so that many cuts can be made at the same instant.
    pub(crate) fn power_cut(&self, seed: u64) -> Self {
        let state = self.0.borrow();
        let mut random = Random(seed);
        let mut names = platter::names_after_cut(&state.settled, &state.pending, &mut random);
        let mut contents = BTreeMap::new();
        let mut next_inode = state.next_inode;
        for node in names.values_mut() {
            if let Node::File(inode) = node {
                let content = state.contents[inode].after_cut(&mut random);
                *inode = next_inode;
                contents.insert(next_inode, content);
                next_inode += 1;
            }
        }
        Self::with_names(names, contents, next_inode, seed)
    }
}

impl Disk for SimDisk {
    fn read(&mut self, path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
        let mut state = self.0.borrow_mut();
        state.ask()?;
        let bytes = state.content(path)?.seen();
        if bytes.len() > bytes_max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.to_vec())
    }

    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>> {
        let mut state = self.0.borrow_mut();
        state.ask()?;
        let bytes = state.content(path)?.seen();
        let from = usize::try_from(offset).unwrap().min(bytes.len());
        let to = from.saturating_add(bytes_max).min(bytes.len());
        let bytes = bytes[from..to].to_vec();
        state.read_bytes_max = state.read_bytes_max.max(bytes.len());
        Ok(bytes)
    }

    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>> {
        let mut state = self.0.borrow_mut();
        state.ask()?;
        let (kind, bytes, modified_ns, inode) = match state.node(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
            Ok(Node::Folder(inode)) => {
                let changed_ns = state.folder_changes.get(path).copied().unwrap_or(0);
                (FileKind::Folder, 0, changed_ns, inode)
            }
            Ok(Node::File(inode)) => {
                let content = &state.contents[&inode];
                let bytes = u64::try_from(content.seen().len()).unwrap();
                (FileKind::File, bytes, content.modified_ns, inode)
            }
        };
        Ok(Some(FileStat {
            kind,
            bytes,
            modified_ns,
            inode,
        }))
    }

    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        let mut state = self.0.borrow_mut();
        state.ask()?;
        match state.node(folder) {
            Ok(Node::Folder(_)) => {}
            Ok(Node::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        }
        let inside = state.seen.keys().filter(|it| it.parent() == Some(folder));
        let mut names: Vec<String> = inside
            .filter_map(|it| it.file_name()?.to_str())
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        Ok(names)
    }

    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        check_path(folder)?;
        state.enter(Deed::Write, 0)?;
        let mut path = PathBuf::new();
        for name in folder {
            let parent = path.clone();
            path.push(name);
            match state.node(&path) {
                Ok(Node::Folder(_)) => {}
                Ok(Node::File(_)) => return Err(io::ErrorKind::NotADirectory.into()),
                Err(_) => {
                    let node = Node::Folder(state.next_inode);
                    state.next_inode += 1;
                    state.change(vec![(path.clone(), Some(node))]);
                }
            }
            state.settle(&parent);
        }
        Ok(())
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError> {
        let mut state = self.0.borrow_mut();
        state
            .check_folder(path)
            .map_err(AppendError::before_writing)?;
        let stopped = state.enter(Deed::Write, bytes.len()).err();
        let written = stopped.as_ref().map_or(bytes.len(), |it| it.written);
        let inode = match state.inode(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(AppendError::before_writing(error));
            }
            Err(_) if stopped.is_some() && written == 0 => None,
            Err(_) => {
                let inode = state.new_content(&[]);
                state.change(vec![(path.to_path_buf(), Some(Node::File(inode)))]);
                Some(inode)
            }
            Ok(inode) => Some(inode),
        };
        let now = state.clock_ns;
        if let Some(inode) = inode.filter(|_| written > 0) {
            let content = state.contents.get_mut(&inode).unwrap();
            content.append(&bytes[..written], now);
        }
        stopped.map_or(Ok(()), |it| {
            Err(AppendError {
                written,
                source: it.error,
            })
        })
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.inode(path)?;
        let outcome = state.enter(Deed::Secure, 0);
        let content = state.content(path)?;
        match outcome {
            Ok(()) => content.sync(),
            Err(stopped) => {
                if !stopped.crashed {
                    content.forget_unsynced();
                }
                return Err(stopped.error);
            }
        }
        Ok(())
    }

    fn sync_all(&mut self, folder: &Path) -> io::Result<bool> {
        let mut state = self.0.borrow_mut();
        state.node(folder)?;
        if let Err(stopped) = state.enter(Deed::SecureAll, 0) {
            if !stopped.crashed {
                let State {
                    contents, pending, ..
                } = &mut *state;
                contents.values_mut().for_each(Content::forget_unsynced);
                pending.iter_mut().for_each(NameChange::doubt);
            }
            return Err(stopped.error);
        }
        state.contents.values_mut().for_each(Content::sync);
        state.settle_all();
        Ok(true)
    }

    fn forget(&mut self, path: &Path, _offset: u64) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.ask()?;
        state.content(path)?.forget();
        Ok(())
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        match state.node(folder)? {
            Node::Folder(_) => {}
            Node::File(_) => return Err(io::ErrorKind::NotADirectory.into()),
        }
        if let Err(stopped) = state.enter(Deed::SecureNames, 0) {
            if !stopped.crashed {
                for change in &mut state.pending {
                    change.sync_failed(folder);
                }
            }
            return Err(stopped.error);
        }
        state.settle(folder);
        Ok(())
    }

    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        let length = usize::try_from(bytes).unwrap();
        if state.content(path)?.seen().len() < length {
            return Err(invalid("a cut cannot lengthen a file"));
        }
        state.enter(Deed::Secure, 0)?;
        let now = state.clock_ns;
        state.content(path)?.truncate(length, now);
        Ok(())
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.check_folder(path)?;
        if state.node(path).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let stopped = state.enter(Deed::Write, bytes.len()).err();
        let written = match &stopped {
            None => bytes.len(),
            Some(stopped) if stopped.crashed && stopped.written > 0 => stopped.written,
            Some(_) => 0,
        };
        if stopped.is_none() || written > 0 {
            let inode = state.new_content(&bytes[..written]);
            state.change(vec![(path.to_path_buf(), Some(Node::File(inode)))]);
        }
        stopped.map_or(Ok(()), |it| Err(it.error))
    }

    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        let (one, other) = (state.inode(a)?, state.inode(b)?);
        if !state.exchanges {
            return Err(io::ErrorKind::Unsupported.into());
        }
        state.enter(Deed::Write, 0)?;
        state.change(vec![
            (a.to_path_buf(), Some(Node::File(other))),
            (b.to_path_buf(), Some(Node::File(one))),
        ]);
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.inode(from)?;
        state.enter(Deed::Write, 0)?;
        state.rename(from, to)
    }

    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.inode(from)?;
        if !state.exchanges {
            return Err(io::ErrorKind::Unsupported.into());
        }
        if state.node(to).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        state.enter(Deed::Write, 0)?;
        state.rename(from, to)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let mut state = self.0.borrow_mut();
        state.check_folder(path)?;
        match state.node(path)? {
            Node::File(_) => {}
            Node::Folder(_) => return Err(io::ErrorKind::IsADirectory.into()),
        }
        state.enter(Deed::Remove, 0)?;
        state.change(vec![(path.to_path_buf(), None)]);
        Ok(())
    }

    fn free_bytes(&mut self) -> io::Result<u64> {
        Ok(self.0.borrow().free_bytes)
    }

    fn check_root(&mut self) -> io::Result<()> {
        Ok(())
    }
}
