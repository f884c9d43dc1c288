//! `notes search`: the notes with all words of a query; where there is none, those with most of them.

use super::arguments::Page;
use super::context::Context;
use super::notes::{Row, row_of, table};
use super::output::Answer;
use crate::config::Config;
use crate::core::notes::{Note, Query, search, search_nearest};
use crate::daemon::store_options;
use crate::failure::{Code, Failure};
use crate::service::List;
use crate::service::warn_of_notes;
use crate::store::notes_worth_a_look;
use serde::Serialize;
use std::collections::BTreeMap;

/// What was found.
#[derive(Debug, Serialize)]
struct Found<'a> {
    #[serde(flatten)]
    list: List<Row<'a>>,
    /// Said where no note has all words.
    partial: Option<Partial>,
}

/// That the notes found have only some of the words.
#[derive(Clone, Copy, Debug, Serialize)]
struct Partial {
    /// How many each of them has.
    words_found: usize,
    /// How many were asked for.
    words: usize,
}

/// Answers the verb.
pub(super) fn run(context: &Context, query: &str, page: Page) -> Result<Answer, Failure> {
    if query.trim().is_empty() {
        let failure = Failure::new(Code::Usage, "the query is empty");
        return Err(failure.only_hint("`notes list` shows all notes."));
    }
    let query = Query::parse(query);
    let config = context.session.load()?.config;
    let few = worth_a_look(context, &config, &query)?;
    let mut notes = match few {
        Some(notes) => notes,
        None => all(context, &config)?,
    };
    let has_all = !search(notes.iter(), &query, 1).is_empty();
    if !has_all {
        notes = with_some(context, &config, &query)?;
    }
    let nearest = (!has_all).then(|| search_nearest(notes.iter(), &query));
    let (found, partial) = match nearest.flatten() {
        None => (search(notes.iter(), &query, usize::MAX), None),
        Some(nearest) => {
            let partial = Partial {
                words_found: nearest.words_found,
                words: nearest.words,
            };
            (nearest.notes, Some(partial))
        }
    };
    shown(context, &found, partial, page)
}

fn shown(
    context: &Context,
    found: &[&Note],
    partial: Option<Partial>,
    page: Page,
) -> Result<Answer, Failure> {
    let list = List::page(found.to_vec(), page.into());
    warn_of_notes(&context.session, list.items.iter().copied())?;
    let list = list.map(|note| row_of(note));
    let before = partial.map(|Partial { words_found, words }| {
        format!("no note has all {words} words; these have {words_found} of them:\n")
    });
    let found = Found { list, partial };
    context.list_with(&found, &found.list, &before.unwrap_or_default(), || {
        table(context, &found.list)
    })
}

/// The notes that the index names for a query; `None` where it cannot tell.
fn worth_a_look(
    context: &Context,
    config: &Config,
    query: &Query,
) -> Result<Option<Vec<Note>>, Failure> {
    let kv_path = store_options(config).kv_path;
    Ok(notes_worth_a_look(
        &mut context.session.disk()?,
        &kv_path,
        query,
    )?)
}

fn all(context: &Context, config: &Config) -> Result<Vec<Note>, Failure> {
    Ok(context.session.state(config)?.notes.into_notes())
}

/// The notes that may have some word of a query, and perhaps others.
fn with_some(context: &Context, config: &Config, query: &Query) -> Result<Vec<Note>, Failure> {
    let mut notes = BTreeMap::new();
    for part in query.parts() {
        let Some(few) = worth_a_look(context, config, &part)? else {
            return all(context, config);
        };
        notes.extend(few.into_iter().map(|note| (note.id, note)));
    }
    Ok(notes.into_values().collect())
}
