//! The folder of an index as the search library sees it.
//! Files are read piece by piece, so that they take no memory, and written without a sync:
//! checksums detect a torn index. The disk below refuses all names but those of the index's own
//! plain files.

use crate::store::disk::{Disk as _, RealDisk};
use crate::store::layout;
use rustix::fs::OFlags;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tantivy::HasLen;
use tantivy::directory::error::{DeleteError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, FileHandle, OwnedBytes, TerminatingWrite, WatchCallback, WatchHandle,
    WritePtr,
};

/// The largest size of the small files that are read and written at once, in bytes.
const SMALL_BYTES_MAX: usize = 1024 * 1024;

/// A folder in `data/index` on a real disk.
#[derive(Clone, Debug)]
pub(super) struct Folder {
    disk: Arc<Mutex<RealDisk>>,
    path: &'static str,
}

impl Folder {
    /// Returns a folder below the root of a disk.
    pub(super) fn of(disk: Arc<Mutex<RealDisk>>, path: &'static str) -> Self {
        Self { disk, path }
    }

    /// Locks the disk of the folder.
    fn disk(&self) -> MutexGuard<'_, RealDisk> {
        // A panic leaves no partial work: each operation is one call.
        self.disk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a small file of the folder.
    pub(super) fn read(&self, name: &str, bytes_max: usize) -> io::Result<Vec<u8>> {
        self.disk().read(&self.at(Path::new(name)), bytes_max)
    }

    /// Returns whether the file that marks the index as complete exists, or cannot be checked.
    pub(super) fn is_complete(&self) -> bool {
        let covers = self.at(Path::new(layout::INDEX_COVERS));
        !matches!(self.disk().stat(&covers), Ok(None))
    }

    /// Creates the folder, or empties it.
    pub(super) fn clear(&self) -> io::Result<()> {
        let mut disk = self.disk();
        let folder = Path::new(self.path);
        disk.create_folder(folder)?;
        // The mark of a complete index goes first.
        let covers = self.at(Path::new(layout::INDEX_COVERS));
        if disk.stat(&covers)?.is_some() {
            disk.remove(&covers)?;
        }
        for name in disk.list(folder)? {
            disk.remove(&self.at(Path::new(&name)))?;
        }
        Ok(())
    }

    /// Returns the path of a file of the folder, relative to the root.
    fn at(&self, name: &Path) -> PathBuf {
        Path::new(self.path).join(name)
    }
}

/// A file that is open for reading.
#[derive(Debug)]
struct IndexFileReader {
    file: File,
    bytes: usize,
}

impl HasLen for IndexFileReader {
    fn len(&self) -> usize {
        self.bytes
    }
}

impl FileHandle for IndexFileReader {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let mut bytes = vec![0; range.len()];
        let from = u64::try_from(range.start).map_err(io::Error::other)?;
        self.file.read_exact_at(&mut bytes, from)?;
        Ok(OwnedBytes::new(bytes))
    }
}

/// A file that is being written.
struct IndexFileWriter(File);

impl Write for IndexFileWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for IndexFileWriter {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        Ok(())
    }
}

fn not_read(error: io::Error, path: &Path) -> OpenReadError {
    if error.kind() == io::ErrorKind::NotFound {
        OpenReadError::FileDoesNotExist(path.to_path_buf())
    } else {
        OpenReadError::wrap_io_error(error, path.to_path_buf())
    }
}

impl Directory for Folder {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        let open = || {
            let file = self.disk().open_regular(&self.at(path), OFlags::RDONLY)?;
            let bytes = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
            Ok(IndexFileReader { file, bytes })
        };
        let opened = open().map_err(|error| not_read(error, path))?;
        Ok(Arc::new(opened))
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        let removed = self.disk().remove(&self.at(path));
        removed.map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                DeleteError::FileDoesNotExist(path.to_path_buf())
            } else {
                DeleteError::IoError {
                    io_error: Arc::new(error),
                    filepath: path.to_path_buf(),
                }
            }
        })
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        let stat = self.disk().stat(&self.at(path));
        let stat = stat.map_err(|error| not_read(error, path))?;
        Ok(stat.is_some())
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let access = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL;
        let created = self.disk().open_regular(&self.at(path), access);
        let file = created.map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                OpenWriteError::FileAlreadyExists(path.to_path_buf())
            } else {
                OpenWriteError::wrap_io_error(error, path.to_path_buf())
            }
        })?;
        Ok(BufWriter::new(Box::new(IndexFileWriter(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        let read = self.disk().read(&self.at(path), SMALL_BYTES_MAX);
        read.map_err(|error| not_read(error, path))
    }

    fn atomic_write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let path = self.at(path);
        let temporary = layout::temporary_path(&path);
        let mut disk = self.disk();
        if disk.stat(&temporary)?.is_some() {
            disk.remove(&temporary)?;
        }
        disk.create(&temporary, bytes)?;
        disk.rename(&temporary, &path)
    }

    fn sync_directory(&self) -> io::Result<()> {
        // A lost index is built again.
        Ok(())
    }

    fn watch(&self, _: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}
