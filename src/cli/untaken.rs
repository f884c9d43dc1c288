//! Saying that what is shown is older than what a person wrote into a file by hand: verbs that only read
//! take nothing in. While a process holds the folder there is nothing to say, it takes edits in at once.

use super::context::Context;
use super::holder::holder;
use super::text::count;
use crate::config::Config;
use crate::core::memory::Ram;
use crate::core::notes::Note;
use crate::daemon::store_options;
use crate::failure::Failure;
use crate::store::{is_ram_untaken, layout, untaken_notes};

/// Notes whose files are named one by one; of more the number is told.
const NAMED_MAX: usize = 3;

/// What becomes of it.
const NEXT: &str = "the next daemon, run or changing verb takes it in";

/// Warns of notes that are shown and whose files say something else.
pub(super) fn warn_of_notes<'a>(
    context: &Context,
    notes: impl Iterator<Item = &'a Note>,
) -> Result<(), Failure> {
    of_notes(context, notes)?
        .iter()
        .for_each(|warning| context.warn(warning));
    Ok(())
}

/// Warns of a KV file that says something else than what is shown.
pub(super) fn warn_of_ram(context: &Context, config: &Config, ram: &Ram) -> Result<(), Failure> {
    of_ram(context, config, ram)?
        .iter()
        .for_each(|warning| context.warn(warning));
    Ok(())
}

/// What there is to say of notes, a line each.
pub(super) fn of_notes<'a>(
    context: &Context,
    notes: impl Iterator<Item = &'a Note>,
) -> Result<Vec<String>, Failure> {
    let mut disk = context.disk()?;
    if holder(&mut disk).is_some() {
        return Ok(Vec::new());
    }
    let edited = untaken_notes(&mut disk, notes)?;
    if edited.len() > NAMED_MAX {
        let files = count(edited.len(), "file");
        return Ok(vec![format!(
            "{files} in {} were edited by hand and are not taken in yet; {NEXT}",
            layout::NOTES
        )]);
    }
    let line = |id| was_edited(&layout::note_path(id).display().to_string());
    Ok(edited.into_iter().map(line).collect())
}

/// What there is to say of the KV file.
pub(super) fn of_ram(
    context: &Context,
    config: &Config,
    ram: &Ram,
) -> Result<Option<String>, Failure> {
    let mut disk = context.disk()?;
    if holder(&mut disk).is_some() {
        return Ok(None);
    }
    let path = store_options(config).kv_path;
    let is_untaken = is_ram_untaken(&mut disk, &path, ram)?;
    Ok(is_untaken.then(|| was_edited(&path.display().to_string())))
}

fn was_edited(file: &str) -> String {
    format!("{file} was edited by hand and is not taken in yet; {NEXT}")
}
