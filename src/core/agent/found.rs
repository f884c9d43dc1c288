//! What a prompt shows of the notes that its request or step names, before anybody asked: a small
//! model should decide, not search. Titles while it plans, so that it changes what is there in place of
//! writing it again; the note itself while it works. Orders nothing.

use super::bench::item;
use super::{ActionResult, LoopState};
use crate::core::guard::Scope;
use crate::core::journal::State;
use crate::core::notes::{Named, named_in};
use crate::core::prompt::shorten;
use crate::core::protocol::Tag;
use crate::limits::{FOUND_MAX, FOUND_TEXT_CHARS, LINK_TITLE_CHARS};

/// Whether a prompt of that state may name notes, so that they have to be known.
pub fn wants_notes(state: &State, ran_in: LoopState) -> bool {
    is_looking(ran_in) && state.ram.request().is_some()
}

const fn is_looking(ran_in: LoopState) -> bool {
    matches!(ran_in, LoopState::Planning | LoopState::Executing)
}

/// The notes of the own workspace that the request names, or its next step, as results of a search.
pub fn found(
    state: &State,
    scope: &Scope,
    ran_in: LoopState,
    request: Option<&str>,
) -> Vec<ActionResult> {
    let Some(request) = request.filter(|_| is_looking(ran_in)) else {
        return Vec::new();
    };
    let step = state
        .ram
        .steps()
        .first()
        .and_then(serde_json::Value::as_str);
    let own = state.notes.iter();
    let own = own.filter(|note| note.workspace_id == scope.workspace_id);
    let results = state.results.iter().flat_map(|result| &result.items);
    let is_known = |it: &Named<'_>| results.clone().any(|item| item.id == it.note.id);
    if ran_in == LoopState::Planning {
        let named = named_in(request, own, FOUND_MAX);
        let titles = named.iter().filter(|it| !is_known(it));
        let titles = titles.map(|it| shorten(&it.note.title, LINK_TITLE_CHARS));
        let titles: Vec<String> = titles.collect();
        if titles.is_empty() {
            return Vec::new();
        }
        return vec![told(format!("there is already: {}", titles.join("; ")))];
    }
    let Some(step) = step else {
        return Vec::new();
    };
    let named = named_in(step, own, FOUND_MAX);
    let best = named.first().map(|it| it.share);
    let same = named
        .iter()
        .filter(|it| Some(it.share) == best && !is_known(it));
    let items: Vec<_> = same.map(|it| item(it.note, FOUND_TEXT_CHARS)).collect();
    if items.is_empty() {
        return Vec::new();
    }
    vec![ActionResult {
        items,
        ..told(String::new())
    }]
}

fn told(message: String) -> ActionResult {
    ActionResult {
        op: Tag::RecordSearch.name().to_owned(),
        target: String::new(),
        code: None,
        message,
        items: Vec::new(),
        example: None,
    }
}
