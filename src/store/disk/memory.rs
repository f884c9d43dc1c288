//! A disk in memory, for a temporary root that only this program can reach.
//! Its content is lost with its last handle. Without a risk of power cuts, a sync does nothing. It
//! has no owners and no clock: every change gives a file another length or another number.

use super::{AppendError, Disk, FileKind, FileStat, check_path, invalid};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A disk in memory. Clones are handles to one disk.
#[derive(Clone, Debug)]
pub struct MemoryDisk(Rc<RefCell<Content>>);

#[derive(Debug)]
struct Content {
    /// The files, and the folders as `None`; the root has the empty path.
    nodes: BTreeMap<PathBuf, Option<MemoryFile>>,
    /// The inode number of the next file.
    next_inode: u64,
    bytes: u64,
    bytes_max: u64,
}

#[derive(Debug)]
struct MemoryFile {
    bytes: Vec<u8>,
    inode: u64,
}

/// The inode number of every folder, since folders are never replaced.
const FOLDER_INODE: u64 = 0;

impl MemoryDisk {
    /// Returns an empty disk with room for `bytes_max` bytes.
    pub fn with_room(bytes_max: u64) -> Self {
        Self(Rc::new(RefCell::new(Content {
            nodes: BTreeMap::from([(PathBuf::new(), None)]),
            next_inode: FOLDER_INODE + 1,
            bytes: 0,
            bytes_max,
        })))
    }
}

impl Content {
    fn file(&mut self, path: &Path) -> io::Result<&mut MemoryFile> {
        check_path(path)?;
        let node = self.nodes.get_mut(path).ok_or(io::ErrorKind::NotFound)?;
        node.as_mut().ok_or_else(|| invalid("not a regular file"))
    }

    fn is_folder(&self, path: &Path) -> bool {
        matches!(self.nodes.get(path), Some(None))
    }

    fn check_folder(&self, path: &Path) -> io::Result<()> {
        match self.nodes.get(path) {
            Some(None) => Ok(()),
            Some(Some(_)) => Err(io::ErrorKind::NotADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Checks that a path may get a file: it names one, its folder exists, and it is no folder.
    fn check_place(&self, path: &Path) -> io::Result<()> {
        check_path(path)?;
        let folder = path.parent();
        let folder = folder.ok_or_else(|| invalid("not a regular file"))?;
        if !self.is_folder(folder) {
            Err(io::ErrorKind::NotFound.into())
        } else if self.is_folder(path) {
            Err(io::ErrorKind::IsADirectory.into())
        } else {
            Ok(())
        }
    }

    /// Reserves room for bytes to be written.
    fn take_room(&mut self, bytes: usize) -> io::Result<()> {
        let after = self.bytes.saturating_add(length(bytes));
        if after > self.bytes_max {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes = after;
        Ok(())
    }

    fn take_out(&mut self, path: &Path) -> io::Result<Option<MemoryFile>> {
        self.file(path)?;
        Ok(self.nodes.remove(path).flatten())
    }

    fn release(&mut self, file: Option<MemoryFile>) {
        let bytes = file.map_or(0, |file| length(file.bytes.len()));
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    fn add_file(&mut self, path: &Path, bytes: &[u8]) {
        let (bytes, inode) = (bytes.to_vec(), self.next_inode);
        self.next_inode += 1;
        self.nodes
            .insert(path.to_path_buf(), Some(MemoryFile { bytes, inode }));
    }
}

fn length(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

impl Disk for MemoryDisk {
    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>> {
        let mut content = self.0.borrow_mut();
        let bytes = &content.file(path)?.bytes;
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = bytes.get(from..).unwrap_or_default();
        let (part, _) = rest.split_at(bytes_max.min(rest.len()));
        Ok(part.to_vec())
    }

    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>> {
        check_path(path)?;
        let content = self.0.borrow();
        let stat = content.nodes.get(path).map(|node| match node {
            Some(file) => (FileKind::File, length(file.bytes.len()), file.inode),
            None => (FileKind::Folder, 0, FOLDER_INODE),
        });
        Ok(stat.map(|(kind, bytes, inode)| FileStat {
            kind,
            bytes,
            modified_ns: 0,
            inode,
        }))
    }

    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        let content = self.0.borrow();
        check_path(folder)?;
        if let Some(Some(_)) = content.nodes.get(folder) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let inside = content.nodes.keys();
        let inside = inside.filter(|path| path.parent() == Some(folder));
        let names = inside.filter_map(|path| path.file_name()?.to_str());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        check_path(folder)?;
        let mut content = self.0.borrow_mut();
        let mut path = PathBuf::new();
        for name in folder {
            path.push(name);
            content.nodes.entry(path.clone()).or_default();
            content.check_folder(&path)?;
        }
        Ok(())
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError> {
        let before = |error: io::Error| AppendError::before_writing(error);
        let mut content = self.0.borrow_mut();
        content.check_place(path).map_err(before)?;
        content.take_room(bytes.len()).map_err(before)?;
        match content.nodes.get_mut(path) {
            Some(Some(file)) => file.bytes.extend_from_slice(bytes),
            Some(None) | None => content.add_file(path, bytes),
        }
        Ok(())
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        self.0.borrow_mut().file(path).map(drop)
    }

    fn forget(&mut self, path: &Path, _offset: u64) -> io::Result<()> {
        self.sync(path)
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        check_path(folder)?;
        self.0.borrow().check_folder(folder)
    }

    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        let file = content.file(path)?;
        let before = length(file.bytes.len());
        if before < bytes {
            return Err(invalid("a cut cannot lengthen a file"));
        }
        let length = usize::try_from(bytes).unwrap_or(usize::MAX);
        file.bytes.truncate(length);
        content.bytes = content.bytes.saturating_sub(before - bytes);
        Ok(())
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        // The root has no parent, and is refused below.
        if path.parent().is_some() && content.nodes.contains_key(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        content.check_place(path)?;
        content.take_room(bytes.len())?;
        content.add_file(path, bytes);
        Ok(())
    }

    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.file(b)?;
        let one = content.take_out(a)?;
        if let Some(other) = content.nodes.insert(b.to_path_buf(), one) {
            content.nodes.insert(a.to_path_buf(), other);
        }
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.check_place(to)?;
        let file = content.take_out(from)?;
        let replaced = content.nodes.insert(to.to_path_buf(), file);
        content.release(replaced.flatten());
        Ok(())
    }

    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        if matches!(self.0.borrow().nodes.get(to), Some(Some(_))) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.check_place(path)?;
        let file = content.take_out(path)?;
        content.release(file);
        Ok(())
    }

    fn free_bytes(&mut self) -> io::Result<u64> {
        let content = self.0.borrow();
        Ok(content.bytes_max.saturating_sub(content.bytes))
    }

    fn is_private(&self) -> bool {
        true
    }
}
