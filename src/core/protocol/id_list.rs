//! The ids of a search.

use super::build::each_once;
use super::characters::is_hidden;
use super::child::Child;
use std::borrow::Cow;

/// A list of ids parted by commas or blanks, or each in an `<id>` of its own.
pub(super) fn ids_in(text: &str) -> Result<Vec<String>, String> {
    let bare = bare_ids(text).ok_or("<ids> must hold ids with commas between them.")?;
    let parts = bare.split(|c: char| c == ',' || c.is_whitespace());
    let ids = each_once(parts, Child::Ids)?;
    if ids.is_empty() {
        return Err("<ids> is empty.".to_owned());
    }
    if bare.contains(['<', '>']) || ids.iter().any(|id| id.chars().any(is_hidden)) {
        return Err("<ids> must hold ids with commas between them.".to_owned());
    }
    Ok(ids)
}

/// `text` without the tags around each id. `None` if one of them is not closed.
fn bare_ids(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('<') {
        return Some(Cow::Borrowed(text));
    }
    let mut parts = text.split("<id>");
    let mut bare = parts.next()?.to_owned();
    for part in parts {
        let (id, after) = part.split_once("</id>")?;
        bare.extend([" ", id, " ", after]);
    }
    Some(Cow::Owned(bare))
}
