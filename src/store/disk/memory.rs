//! A disk in memory, for a temporary root that only this program can reach.
//! Its content is lost with its last handle. Without a risk of power cuts, a sync does nothing. It
//! has no owners and no clock: every change gives a file another length or another number.

use super::{AppendError, Disk, FileKind, FileStat, check_path, invalid};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A disk in memory. Clones are handles to one disk.
#[derive(Clone, Debug)]
pub struct MemoryDisk(Rc<RefCell<Content>>);

#[derive(Debug)]
struct Content {
    files: BTreeMap<PathBuf, MemoryFile>,
    /// The folders; the root has the empty path.
    folders: BTreeSet<PathBuf>,
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
            files: BTreeMap::new(),
            folders: BTreeSet::from([PathBuf::new()]),
            next_inode: FOLDER_INODE + 1,
            bytes: 0,
            bytes_max,
        })))
    }
}

impl Content {
    /// Returns the error for a path without a file.
    fn not_a_file(&self, path: &Path) -> io::Error {
        if self.folders.contains(path) {
            invalid("not a regular file")
        } else {
            io::ErrorKind::NotFound.into()
        }
    }

    fn file(&self, path: &Path) -> io::Result<&MemoryFile> {
        check_path(path)?;
        let file = self.files.get(path);
        file.ok_or_else(|| self.not_a_file(path))
    }

    /// Checks that a path may get a file: it names one, and its folder exists.
    fn check_place(&self, path: &Path) -> io::Result<()> {
        check_path(path)?;
        let folder = path.parent();
        let folder = folder.ok_or_else(|| invalid("not a regular file"))?;
        if self.folders.contains(folder) {
            Ok(())
        } else {
            Err(io::ErrorKind::NotFound.into())
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

    fn take_out(&mut self, path: &Path) -> io::Result<MemoryFile> {
        self.file(path)?;
        let file = self.files.remove(path);
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn release(&mut self, file: &MemoryFile) {
        self.bytes = self.bytes.saturating_sub(length(file.bytes.len()));
    }

    fn add_file(&mut self, path: &Path, bytes: &[u8]) {
        let inode = self.next_inode;
        self.next_inode += 1;
        let bytes = bytes.to_vec();
        self.files
            .insert(path.to_path_buf(), MemoryFile { bytes, inode });
    }
}

fn length(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

impl Disk for MemoryDisk {
    fn read_at(&mut self, path: &Path, offset: u64, bytes_max: usize) -> io::Result<Vec<u8>> {
        let content = self.0.borrow();
        let bytes = &content.file(path)?.bytes;
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = bytes.get(from..).unwrap_or_default();
        let (part, _) = rest.split_at(bytes_max.min(rest.len()));
        Ok(part.to_vec())
    }

    fn stat(&mut self, path: &Path) -> io::Result<Option<FileStat>> {
        check_path(path)?;
        let content = self.0.borrow();
        let (kind, bytes, inode) = match content.files.get(path) {
            Some(file) => (FileKind::File, length(file.bytes.len()), file.inode),
            None if content.folders.contains(path) => (FileKind::Folder, 0, FOLDER_INODE),
            None => return Ok(None),
        };
        Ok(Some(FileStat {
            kind,
            bytes,
            modified_ns: 0,
            inode,
        }))
    }

    fn list(&mut self, folder: &Path) -> io::Result<Vec<String>> {
        let content = self.0.borrow();
        check_path(folder)?;
        if content.files.contains_key(folder) {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let paths = content.files.keys().chain(&content.folders);
        let inside = paths.filter(|path| path.parent() == Some(folder));
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
            if content.files.contains_key(&path) {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            content.folders.insert(path.clone());
        }
        Ok(())
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError> {
        let before = |error: io::Error| AppendError::before_writing(error);
        let mut content = self.0.borrow_mut();
        content.check_place(path).map_err(before)?;
        content.take_room(bytes.len()).map_err(before)?;
        match content.files.get_mut(path) {
            Some(file) => file.bytes.extend_from_slice(bytes),
            None => content.add_file(path, bytes),
        }
        Ok(())
    }

    fn sync(&mut self, path: &Path) -> io::Result<()> {
        self.0.borrow().file(path).map(drop)
    }

    fn forget(&mut self, path: &Path, _offset: u64) -> io::Result<()> {
        self.sync(path)
    }

    fn sync_folder(&mut self, folder: &Path) -> io::Result<()> {
        check_path(folder)?;
        let content = self.0.borrow();
        if content.folders.contains(folder) {
            Ok(())
        } else if content.files.contains_key(folder) {
            Err(io::ErrorKind::NotADirectory.into())
        } else {
            Err(io::ErrorKind::NotFound.into())
        }
    }

    fn truncate(&mut self, path: &Path, bytes: u64) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        let before = length(content.file(path)?.bytes.len());
        if before < bytes {
            return Err(invalid("a cut cannot lengthen a file"));
        }
        if let Some(file) = content.files.get_mut(path) {
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            file.bytes.truncate(bytes);
        }
        content.bytes = content.bytes.saturating_sub(before - bytes);
        Ok(())
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.check_place(path)?;
        if content.files.contains_key(path) || content.folders.contains(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        content.take_room(bytes.len())?;
        content.add_file(path, bytes);
        Ok(())
    }

    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.file(b)?;
        let one = content.take_out(a)?;
        if let Some(other) = content.files.insert(b.to_path_buf(), one) {
            content.files.insert(a.to_path_buf(), other);
        }
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.check_place(to)?;
        if content.folders.contains(to) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = content.take_out(from)?;
        if let Some(replaced) = content.files.insert(to.to_path_buf(), file) {
            content.release(&replaced);
        }
        Ok(())
    }

    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        if self.0.borrow().files.contains_key(to) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.check_place(path)?;
        if content.folders.contains(path) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = content.take_out(path)?;
        content.release(&file);
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
