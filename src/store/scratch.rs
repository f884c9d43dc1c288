//! Empty folders that the programs of others run in, one for each call, in the system's temporary folder:
//! made for this user alone, and gone after the call with whatever was put into them. What a process
//! that was killed has left behind, the next one sweeps up. Never touches a folder that somebody holds.

use super::disk::{FileKind, RealDisk};
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// How the names of these folders begin.
const PREFIX: &str = "kjxlkj-call-";

/// Such a folder. It is removed with this value.
#[derive(Debug)]
pub struct ScratchFolder {
    path: PathBuf,
    /// Locked as long as the folder is in use, and by the kernel's doing no longer than this process
    /// lives.
    _held: File,
}

impl ScratchFolder {
    /// A new one in `place`.
    ///
    /// # Errors
    /// Of the disk.
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
            // A program that is being killed may still have put something there.
            tracing::debug!(%error, "a scratch folder stays until the next start");
        }
    }
}

/// Removes those in `place` that nobody holds any more. What cannot be removed stays.
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

/// Takes a folder that nobody holds.
#[expect(
    clippy::disallowed_methods,
    reason = "no file of a person's, nor one of the data folder"
)]
fn hold(folder: &Path) -> io::Result<File> {
    let held = File::open(folder)?;
    held.try_lock()?;
    Ok(held)
}

/// Links are removed, never followed.
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
        // Left behind by a process that is no more, with something in it, and things of others.
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
