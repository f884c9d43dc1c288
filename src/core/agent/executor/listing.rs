//! Lists that a search brings by a name of their own: the keys of RAM, the names in a directory, the notes
//! that a note is linked with. What a prompt had no room for is asked for by these names. Changes nothing.

use super::Executor;
use super::hits::{link_name, linked, note_called};
use super::tools::{list, look};
use crate::core::memory::StorePath;

/// What the keys of RAM are listed by.
pub(in crate::core) const RAM_LIST: &str = "ram";

/// What the names in a directory are listed by, in front of its path.
pub(super) const LIST: &str = "ls";

/// What the notes around a note are listed by, in front of its title or id.
pub(super) const LINKS: &str = "links";

/// The list that a name asks for, a line for each entry.
pub(super) fn list_of(executor: &Executor<'_>, asked: &str) -> Option<String> {
    let lines = if asked == RAM_LIST {
        let keys = executor.overlay.ram().rendered().into_iter();
        let lines = keys.map(|(key, _)| key.replace(['\n', '\r'], " "));
        lines.collect::<Vec<_>>().join("\n")
    } else {
        let (kind, of) = asked.split_once(' ')?;
        match kind {
            LIST => list(look(executor, &StorePath::shown(of.trim())?)?.as_directory()?),
            LINKS => {
                let note = note_called(executor, of.trim())?;
                let linked = linked(executor, note).into_iter();
                let names = linked.map(|note| link_name(executor, note));
                names.collect::<Vec<_>>().join("\n")
            }
            _ => return None,
        }
    };
    (!lines.is_empty()).then_some(lines)
}
