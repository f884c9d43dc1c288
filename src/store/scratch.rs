//! Scratch folders for external programs, one for each call, in the system's temporary folder.
//! A folder is private to this user, and is removed after the call with all its content. Folders of
//! a killed process are removed by the next one. Folders in use are never touched.

use super::disk::{FileKind, RealDisk};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The prefix of the names of these folders.
const PREFIX: &str = "kjxlkj-call-";

/// A scratch folder, which is removed when this value is dropped.
#[derive(Debug)]
pub struct ScratchFolder {
    path: PathBuf,
    /// The lock of the folder, which the kernel releases when this process ends.
    _held: File,
}

impl ScratchFolder {
    /// Creates a scratch folder in `place`.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn make(place: &Path) -> io::Result<Self> {
        let path = place.join(format!("{PREFIX}{}", Uuid::new_v4().simple()));
        DirBuilder::new().mode(0o700).create(&path)?;
        let held = hold(&path)?;
        Ok(Self { path, _held: held })
    }
}

impl AsRef<Path> for ScratchFolder {
    fn as_ref(&self) -> &Path {
        &self.path
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Err(error) = remove(&self.path) {
            // A program that is just being killed may still have created a file there.
            tracing::debug!(%error, "a scratch folder stays until the next start");
        }
    }
}

/// Removes the scratch folders in `place` that no process uses.
/// A folder that cannot be removed stays.
pub fn sweep(place: &Path) {
    let entries = RealDisk::open(place, false).and_then(|disk| disk.entries(Path::new("")));
    let is_ours = |name: &str| name.starts_with(PREFIX);
    for (name, kind) in entries.unwrap_or_default() {
        if kind != FileKind::Folder || !name.to_str().is_some_and(is_ours) {
            continue;
        }
        let path = place.join(name);
        if let Err(error) = hold(&path).and_then(|_held| remove(&path)) {
            tracing::debug!(%error, "a scratch folder is in use, or somebody else's");
        }
    }
}

/// Locks a folder that no process uses.
#[expect(
    clippy::disallowed_methods,
    reason = "no file of a person's, nor one of the data folder"
)]
fn hold(folder: &Path) -> io::Result<File> {
    let held = File::open(folder)?;
    held.try_lock()?;
    Ok(held)
}

/// Removes a folder; links are removed, never followed.
#[expect(
    clippy::disallowed_methods,
    reason = "this program made the folder for itself; nothing in it is a person's"
)]
fn remove(path: &Path) -> io::Result<()> {
    fs::remove_dir_all(path)
}

#[cfg(test)]
mod tests {
    use super::{PREFIX, ScratchFolder, sweep};
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "what others put there")]
    fn what_nobody_holds_is_swept_and_what_is_in_use_is_not() {
        let place = tempfile::tempdir().unwrap();
        let used = ScratchFolder::make(place.path()).unwrap();
        let mode = fs::metadata(&used).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        fs::write(used.as_ref().join("own"), "x").unwrap();
        // A folder of a dead process with content, and folders of others.
        let left = place.path().join(format!("{PREFIX}left"));
        fs::create_dir_all(left.join("deep")).unwrap();
        fs::write(left.join("deep/file"), "x").unwrap();
        fs::create_dir(place.path().join("other")).unwrap();
        fs::write(place.path().join(format!("{PREFIX}file")), "x").unwrap();
        sweep(place.path());
        assert!(used.as_ref().join("own").exists() && !left.exists());
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 3);
        drop(used);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2);
    }
}
