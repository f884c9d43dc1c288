//! A disk in memory, for a temporary root that only this program can reach.
//! Its content is lost with its last handle. Without a risk of power cuts, a sync does nothing. It
//! has no owners and no clock: every change gives a file another length or another number.

use super::{AppendError, Disk, FileKind, FileStat, check_path, invalid};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A disk in memory. Clones are handles to one disk.
#[derive(Clone, Debug)]
pub struct MemoryDisk(Rc<RefCell<Content>>);

#[derive(Debug)]
struct Content {
    /// The content of each folder by its path; the root has the empty path.
    folders: HashMap<PathBuf, Folder>,
    /// The inode number of the next file.
    next_inode: u64,
    bytes: u64,
    bytes_max: u64,
}

#[derive(Debug, Default)]
struct Folder {
    files: BTreeMap<OsString, File>,
    folders: BTreeSet<OsString>,
}

#[derive(Debug)]
struct File {
    bytes: Vec<u8>,
    inode: u64,
}

/// The inode number of every folder, since folders are never replaced.
const FOLDER_INODE: u64 = 0;

impl MemoryDisk {
    /// Returns an empty disk with room for `bytes_max` bytes.
    pub fn with_room(bytes_max: u64) -> Self {
        Self(Rc::new(RefCell::new(Content {
            folders: HashMap::from([(PathBuf::new(), Folder::default())]),
            next_inode: FOLDER_INODE + 1,
            bytes: 0,
            bytes_max,
        })))
    }
}

/// Splits a path into its folder and its name.
fn parts(path: &Path) -> io::Result<(&Path, &OsStr)> {
    check_path(path)?;
    let parts = path.parent().zip(path.file_name());
    parts.ok_or_else(|| invalid("not a regular file"))
}

impl Content {
    fn is_folder(&self, path: &Path) -> bool {
        self.folders.contains_key(path)
    }

    fn get(&self, path: &Path) -> Option<&File> {
        let folder = self.folders.get(path.parent()?)?;
        folder.files.get(path.file_name()?)
    }

    fn file(&self, path: &Path) -> io::Result<&File> {
        check_path(path)?;
        match self.get(path) {
            Some(file) => Ok(file),
            None if self.is_folder(path) => Err(invalid("not a regular file")),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Returns the folder of a path and the name, to add or remove that name.
    fn place<'path>(&mut self, path: &'path Path) -> io::Result<(&mut Folder, &'path OsStr)> {
        let (folder, name) = parts(path)?;
        let folder = self.folders.get_mut(folder);
        Ok((folder.ok_or(io::ErrorKind::NotFound)?, name))
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

    fn take_out(&mut self, path: &Path) -> io::Result<File> {
        self.file(path)?;
        let (folder, name) = self.place(path)?;
        let file = folder.files.remove(name);
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// Puts a file at a path and returns the replaced file.
    fn put(&mut self, path: &Path, file: File) -> io::Result<Option<File>> {
        let (folder, name) = self.place(path)?;
        Ok(folder.files.insert(name.to_owned(), file))
    }

    fn release(&mut self, file: Option<&File>) {
        let bytes = file.map_or(0, |file| length(file.bytes.len()));
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    fn new_file(&mut self, bytes: &[u8]) -> File {
        let inode = self.next_inode;
        self.next_inode += 1;
        File {
            bytes: bytes.to_vec(),
            inode,
        }
    }
}

fn length(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

impl Disk for MemoryDisk {
    fn read(&mut self, path: &Path, bytes_max: usize) -> io::Result<Vec<u8>> {
        let content = self.0.borrow();
        let bytes = &content.file(path)?.bytes;
        if bytes.len() > bytes_max {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes.clone())
    }

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
        let (kind, bytes, inode) = match content.get(path) {
            Some(file) => (FileKind::File, length(file.bytes.len()), file.inode),
            None if content.is_folder(path) => (FileKind::Folder, 0, FOLDER_INODE),
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
        let Some(inside) = content.folders.get(folder) else {
            return match content.get(folder) {
                Some(_) => Err(io::ErrorKind::NotADirectory.into()),
                None => Ok(Vec::new()),
            };
        };
        let names = inside.files.keys().chain(&inside.folders);
        let names = names.filter_map(|name| name.to_str());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        check_path(folder)?;
        let mut content = self.0.borrow_mut();
        let mut path = PathBuf::new();
        for name in folder {
            let (above, _) = content.place(&path.join(name))?;
            if above.files.contains_key(name) {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            above.folders.insert(name.to_owned());
            path.push(name);
            content.folders.entry(path.clone()).or_default();
        }
        Ok(())
    }

    fn append(&mut self, path: &Path, bytes: &[u8]) -> Result<(), AppendError> {
        let before = |error: io::Error| AppendError::before_writing(error);
        let mut content = self.0.borrow_mut();
        content.place(path).map_err(before)?;
        content.take_room(bytes.len()).map_err(before)?;
        let (folder, name) = content.place(path).map_err(before)?;
        if let Some(file) = folder.files.get_mut(name) {
            file.bytes.extend_from_slice(bytes);
        } else {
            let file = content.new_file(bytes);
            content.put(path, file).map_err(before)?;
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
        if content.is_folder(folder) {
            Ok(())
        } else if content.get(folder).is_some() {
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
        let (folder, name) = content.place(path)?;
        if let Some(file) = folder.files.get_mut(name) {
            let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
            file.bytes.truncate(bytes);
        }
        content.bytes = content.bytes.saturating_sub(before - bytes);
        Ok(())
    }

    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.place(path)?;
        if content.get(path).is_some() || content.is_folder(path) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        content.take_room(bytes.len())?;
        let file = content.new_file(bytes);
        content.put(path, file).map(drop)
    }

    fn exchange(&mut self, a: &Path, b: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.file(b)?;
        let one = content.take_out(a)?;
        if let Some(other) = content.put(b, one)? {
            content.put(a, other)?;
        }
        Ok(())
    }

    fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let mut content = self.0.borrow_mut();
        content.place(to)?;
        if content.is_folder(to) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = content.take_out(from)?;
        let replaced = content.put(to, file)?;
        content.release(replaced.as_ref());
        Ok(())
    }

    fn rename_new(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        if self.0.borrow().get(to).is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.rename(from, to)
    }

    fn remove(&mut self, path: &Path) -> io::Result<()> {
        parts(path)?;
        let mut content = self.0.borrow_mut();
        if content.is_folder(path) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let file = content.take_out(path)?;
        content.release(Some(&file));
        Ok(())
    }

    fn free_bytes(&mut self) -> io::Result<u64> {
        let content = self.0.borrow();
        Ok(content.bytes_max.saturating_sub(content.bytes))
    }

    fn check_root(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn is_private(&self) -> bool {
        true
    }
}
