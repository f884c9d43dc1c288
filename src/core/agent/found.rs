//! What a prompt shows of the notes that its request or step names, before anybody asked: a small
//! model should decide, not search. Titles while it plans, so that it changes what is there in place of
//! writing it again; the note itself while it works. Orders nothing.

use super::bench::item;
use super::{ActionResult, LoopState, ResultItem};
use crate::core::guard::Scope;
use crate::core::journal::State;
use crate::core::notes::{Named, named_in};
use crate::core::prompt::shorten;
use crate::core::protocol::Tag;
use crate::limits::{FOUND_MAX, FOUND_TEXT_CHARS, LINK_TITLE_CHARS};
use serde_json::Value;

/// Whether a prompt of that state may name notes, so that they have to be known.
pub fn wants_notes(state: &State, ran_in: LoopState) -> bool {
    matches!(ran_in, LoopState::Planning | LoopState::Executing) && state.ram.request().is_some()
}

/// The notes of the own workspace that the request names, or its next step, as the result of a search.
pub fn found(
    state: &State,
    scope: &Scope,
    ran_in: LoopState,
    request: Option<&str>,
) -> Option<ActionResult> {
    let request = request?;
    let own = state.notes.iter();
    let own = own.filter(|note| note.workspace_id == scope.workspace_id);
    let (message, items) = match ran_in {
        LoopState::Planning => {
            let named = named_in(request, own, FOUND_MAX);
            (
                titles_of(named.iter().filter(|it| is_new(it, state)))?,
                Vec::new(),
            )
        }
        LoopState::Executing => {
            let step = state.ram.steps().first().and_then(Value::as_str)?;
            let named = named_in(step, own, FOUND_MAX);
            let best = named.first()?.share;
            let same = named
                .iter()
                .filter(|it| it.share == best && is_new(it, state));
            let items: Vec<ResultItem> = same
                .map(|it| item(it.note, &state.notes, FOUND_TEXT_CHARS))
                .collect();
            (
                String::new(),
                Some(items).filter(|items| !items.is_empty())?,
            )
        }
        LoopState::Evaluating
        | LoopState::Paging
        | LoopState::RecordOrganizing
        | LoopState::Idle => return None,
    };
    Some(ActionResult {
        op: Tag::RecordSearch.name().to_owned(),
        target: String::new(),
        code: None,
        message,
        items,
        example: None,
        page: None,
    })
}

/// What a plan is told of them; nothing of none.
fn titles_of<'a>(named: impl Iterator<Item = &'a Named<'a>>) -> Option<String> {
    let titles = named.map(|it| shorten(&it.note.title, LINK_TITLE_CHARS));
    let titles: Vec<String> = titles.collect();
    (!titles.is_empty()).then(|| format!("there is already: {}", titles.join("; ")))
}

/// Whether no result of the iteration before shows the note.
fn is_new(named: &Named<'_>, state: &State) -> bool {
    let mut shown = state.results.iter().flat_map(|result| &result.items);
    !shown.any(|item| item.id == named.note.id)
}
