//! The search for notes with all words of a query, or else with most of them.

use super::super::list::{List, PageQuery};
use super::super::pending_edits::warn_of_notes;
use super::super::session::Session;
use super::NoteRow;
use crate::config::Config;
use crate::core::notes::{Note, Query, search, search_nearest};
use crate::daemon::store_options;
use crate::failure::{Code, Failure};
use crate::store::notes_worth_a_look;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A request to search notes.
#[derive(Args, Clone, Debug, Deserialize)]
pub struct SearchNotes {
    /// Words; quotes make a phrase.
    #[arg(allow_hyphen_values = true)]
    pub query: String,
    #[command(flatten)]
    #[serde(flatten)]
    pub page: PageQuery,
}

/// The result of a search.
#[derive(Debug, Serialize)]
pub struct FoundNotes {
    #[serde(flatten)]
    pub list: List<NoteRow>,
    /// The numbers of words, where no note has all of them.
    pub partial: Option<PartialMatch>,
}

/// The numbers of words, where the notes found have only some of them.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PartialMatch {
    pub words_found: usize,
    pub words: usize,
}

/// Searches notes.
///
/// # Errors
/// `USAGE` for an empty query.
pub fn search_notes(session: &Session, asked: SearchNotes) -> Result<FoundNotes, Failure> {
    let SearchNotes { query, page } = asked;
    if query.trim().is_empty() {
        let failure = Failure::new(Code::Usage, "the query is empty");
        return Err(failure.only_hint("`notes list` shows all notes."));
    }
    let query = Query::parse(&query);
    let config = session.load()?.config;
    let few = worth_a_look(session, &config, &query)?;
    let mut notes = match few {
        Some(notes) => notes,
        None => all(session, &config)?,
    };
    let has_all = !search(notes.iter(), &query, 1).is_empty();
    if !has_all {
        notes = with_some(session, &config, &query)?;
    }
    let nearest = (!has_all).then(|| search_nearest(notes.iter(), &query));
    let (found, partial) = match nearest.flatten() {
        None => (search(notes.iter(), &query, usize::MAX), None),
        Some(nearest) => {
            let partial = PartialMatch {
                words_found: nearest.words_found,
                words: nearest.words,
            };
            (nearest.notes, Some(partial))
        }
    };
    let list = List::page(found, page);
    warn_of_notes(session, list.items.iter().copied())?;
    let list = list.map(NoteRow::of);
    Ok(FoundNotes { list, partial })
}

/// Returns the notes that the index names for a query; `None` where it cannot tell.
fn worth_a_look(
    session: &Session,
    config: &Config,
    query: &Query,
) -> Result<Option<Vec<Note>>, Failure> {
    let kv_path = store_options(config).kv_path;
    Ok(notes_worth_a_look(&mut session.disk()?, &kv_path, query)?)
}

fn all(session: &Session, config: &Config) -> Result<Vec<Note>, Failure> {
    Ok(session.state(config)?.notes.into_notes())
}

/// Returns the notes that may have some word of a query, and perhaps others.
fn with_some(session: &Session, config: &Config, query: &Query) -> Result<Vec<Note>, Failure> {
    let mut notes = BTreeMap::new();
    for part in query.parts() {
        let Some(few) = worth_a_look(session, config, &part)? else {
            return all(session, config);
        };
        notes.extend(few.into_iter().map(|note| (note.id, note)));
    }
    Ok(notes.into_values().collect())
}
