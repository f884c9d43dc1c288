//! The search for keys in RAM and `/storage`, beside the search for notes.
//! No other module searches them for words. Lists have names of their own, by which a search
//! returns what a prompt had no room for: the keys of RAM, the names in a directory, the links of a
//! note.

use super::feedback::FULL_TEXT_CHARS;
use super::paging::archived_keys;
use super::record_search::{link_name, linked, note_called};
use super::tools::{list, look, result_at, result_of, text_at};
use super::{Executor, TARGET_CHARS};
use crate::core::agent::{ActionResult, path_of_result};
use crate::core::memory::directory::{self, ARCHIVED, Layer, TagQuery, is_own, member_of};
use crate::core::memory::ram::{CONTEXT, text_in, text_of};
use crate::core::memory::{self, KeyDirectory, Leaf, StorePath, Tree, touched_leaves};
use crate::core::notes::{Matcher, Query};
use crate::core::prompt::{TextPage, shorten};
use crate::core::protocol::Search;
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Reverse;

/// The length from which a search for words finds own keys and members of `context`.
/// In characters. Every prompt shows these keys, and shorter ones are rarely cut.
const OWN_SEARCHED_CHARS_MIN: usize = 1000;

/// The hint that more keys were found than are shown.
const MORE_KEYS: &str = "there are more keys; say it with more words";

/// The place of a list, which has no layer: it is computed when it is asked for.
const LISTED: &str = "listed";

/// The name of the list of the keys in RAM.
pub(in crate::core) const RAM_LIST: &str = "ram";

/// The name of the list of a directory; the path follows.
pub(super) const LIST: &str = "ls";

/// The name of the list of linked notes; a title or id follows.
pub(super) const LINKS: &str = "links";

/// A key that a search found.
struct KeyHit {
    key: String,
    place: &'static str,
    /// The part of its text that is shown.
    page: TextPage,
    /// The text of that part, with its marks.
    shown: String,
}

impl KeyHit {
    /// Returns a hit with as much of a text as fits, from character `from` on.
    fn full(key: &str, place: &'static str, text: &str, from: usize) -> Self {
        let (page, shown) = TextPage::of(text, key, from, FULL_TEXT_CHARS);
        let key = key.to_owned();
        Self {
            key,
            place,
            page,
            shown,
        }
    }

    /// Returns a hit with a part of a text around the words of a query.
    fn part(key: String, asked: &str, layer: Layer, text: &str, query: &Query) -> Self {
        let (page, shown) =
            TextPage::around(text, asked, &query.places(text), SEARCH_PREVIEW_CHARS);
        Self {
            key,
            place: name_of(layer),
            page,
            shown,
        }
    }
}

/// Returns the name of a layer in messages.
const fn name_of(layer: Layer) -> &'static str {
    match layer {
        Layer::Ram => "in RAM",
        Layer::Storage => "archived",
    }
}

/// Returns the readings of a name: as it is, or with a number behind it, the first character.
pub(super) fn readings(asked: &str) -> impl Iterator<Item = (&str, usize)> {
    let asked = asked.trim();
    let numbered = asked.rsplit_once(char::is_whitespace);
    let numbered = numbered.and_then(|(name, from)| Some((name.trim_end(), from.parse().ok()?)));
    std::iter::once((asked, 0)).chain(numbered)
}

/// Reports the keys of RAM and `/storage` that a search finds, and returns their number.
/// An exact key or path shows its value as far as it fits; a number behind it is the first
/// character.
pub(super) fn report_keys(executor: &mut Executor<'_>, search: &Search) -> usize {
    let (found, more) = find_keys(executor, search);
    let asked = asked_in(executor, search);
    let again = asked
        .iter()
        .filter_map(|asked| repeated_result(executor, asked));
    let again: Vec<ActionResult> = again.collect();
    let count = found.len() + again.len();
    for result in again {
        executor.feedback.add(result);
    }
    for found in found {
        let KeyHit {
            key,
            place,
            page,
            shown,
        } = found;
        let message = format!("{place}, {} characters: {shown}", page.total);
        report_search(executor, &key, message, Some(page));
    }
    if let (true, Search::Query(query)) = (more, search) {
        report_search(executor, query, MORE_KEYS.to_owned(), None);
    }
    count
}

fn report_search(
    executor: &mut Executor<'_>,
    target: &str,
    message: String,
    page: Option<TextPage>,
) {
    executor.feedback.add(ActionResult {
        op: "record_search".to_owned(),
        target: shorten(target, TARGET_CHARS),
        message,
        page,
        ..ActionResult::default()
    });
}

/// Returns the names that a search may mean.
fn asked_in(executor: &Executor<'_>, search: &Search) -> Vec<String> {
    match search {
        Search::Query(query) => vec![query.clone()],
        Search::Ids(ids) => names_in(executor, ids),
    }
}

/// Returns a numbered result again: its message or its notes from some position on.
/// It works also for results that have left the tree: it shows what their prompt had no room for.
fn repeated_result(executor: &Executor<'_>, asked: &str) -> Option<ActionResult> {
    readings(asked).find_map(|(name, from)| {
        let number = result_at(&StorePath::shown(name)?)?;
        let result = result_of(executor, number)?;
        let path = path_of_result(number);
        let again = |message, items, page| ActionResult {
            op: "record_search".to_owned(),
            target: path.clone(),
            code: None,
            message,
            items,
            example: result.example.clone(),
            page,
        };
        if from > 0 && result.items.is_empty() {
            let (page, shown) = TextPage::of(&result.message, &path, from, FULL_TEXT_CHARS);
            return (page.shown > 0).then(|| again(shown, Vec::new(), Some(page)));
        }
        let items = result.items.get(from.saturating_sub(1)..)?.to_vec();
        let code = result.code.map(|code| format!(", {code}"));
        let code = code.unwrap_or_default();
        // A repeated result already begins with its source.
        let is_again = StorePath::shown(&result.target).is_some_and(|it| result_at(&it).is_some());
        let head = if is_again {
            String::new()
        } else {
            format!("{} {}{code}: ", result.op, result.target)
        };
        Some(again(head + &result.message, items, result.page.clone()))
    })
}

/// Returns the names in a list.
/// A number belongs to the name before it, unless it is a key itself.
pub(super) fn names_in(executor: &Executor<'_>, list: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in list {
        let is_number = name.parse::<usize>().is_ok() && !has_key(executor, name);
        match names.last_mut().filter(|_| is_number) {
            Some(last) => last.extend([" ", name]),
            None => names.push(name.clone()),
        }
    }
    names
}

/// Returns whether RAM or `/storage` has a key, or a list or result has that name.
pub(super) fn has_key(executor: &Executor<'_>, key: &str) -> bool {
    !exact(executor, key).is_empty() || repeated_result(executor, key).is_some()
}

/// Searches RAM and `/storage`, and returns whether there are more hits than shown.
/// The exact key comes first.
fn find_keys(executor: &Executor<'_>, search: &Search) -> (Vec<KeyHit>, bool) {
    let query = match search {
        Search::Query(query) => query,
        Search::Ids(_) => "",
    };
    let query = Query::parse(query);
    let asked = asked_in(executor, search);
    let found = asked.iter().flat_map(|key| exact(executor, key));
    let mut found: Vec<KeyHit> = found.collect();
    if query.is_blank() {
        return (found, false);
    }
    let tagged = match search {
        Search::Query(query) => tagged_keys(executor, query),
        Search::Ids(_) => None,
    };
    let hits = match tagged {
        Some((keys, words)) => parts_of_keys(executor, keys, &words),
        None => parts_with_words(executor, &query),
    };
    let is_new = |hit: &KeyHit| {
        let is_hit = |known: &KeyHit| (&known.key, known.place) == (&hit.key, hit.place);
        !found.iter().any(is_hit)
    };
    let room = SEARCH_HITS_MAX.saturating_sub(found.len());
    let mut hits: Vec<KeyHit> = hits.into_iter().filter(is_new).collect();
    let more = hits.len() > room;
    hits.truncate(room);
    found.extend(hits);
    (found, more)
}

/// Returns the hits for some keys, at most one more than is shown.
fn parts_of_keys(executor: &Executor<'_>, keys: Vec<String>, words: &Query) -> Vec<KeyHit> {
    let parts = keys.into_iter().flat_map(|key| {
        let values = values_of(executor, &key).collect::<Vec<_>>().into_iter();
        values.map(move |(layer, value)| {
            KeyHit::part(key.clone(), &key, layer, &text_of(&value), words)
        })
    });
    parts.take(SEARCH_HITS_MAX + 1).collect()
}

/// Returns the hits for the words of a query, best first, with RAM before `/storage` in ties.
/// At most the exact hit and one more than is shown.
fn parts_with_words(executor: &Executor<'_>, query: &Query) -> Vec<KeyHit> {
    let mut matcher = Matcher::new(query);
    let mut ranked: Vec<(Reverse<Option<u32>>, KeyHit)> = Vec::new();
    for (key, value) in ram_searched(executor) {
        let text = text_in(value);
        let is_long = text.chars().nth(OWN_SEARCHED_CHARS_MIN).is_some();
        let is_own = is_own(&key) || member_of(&key).is_some();
        let score = matcher.score_text(&key, &text);
        if (is_long || !is_own) && score.is_some() {
            let hit = KeyHit::part(key.clone(), &key, Layer::Ram, &text, query);
            ranked.push((Reverse(score), hit));
        }
    }
    for leaf in find_leaves(executor, &[], query, SEARCH_HITS_MAX + 2) {
        let (name, path, text) = (leaf.name(), leaf.path(), leaf.text());
        let score = matcher.score_text(&name, &text);
        let asked = match path.archived_key() {
            Some(key) => key.to_owned(),
            None => path.to_string(),
        };
        let hit = KeyHit::part(name, &asked, Layer::Storage, &text, query);
        ranked.push((Reverse(score), hit));
    }
    ranked.sort_by_key(|(score, _)| *score);
    let best = ranked.into_iter().take(SEARCH_HITS_MAX + 2);
    best.map(|(_, hit)| hit).collect()
}

/// Returns the entries of RAM, with the members of `context` as entries of their own.
fn ram_searched<'e>(executor: &'e Executor<'_>) -> impl Iterator<Item = (String, &'e Value)> {
    let entries = executor
        .overlay
        .ram()
        .entries()
        .filter(|(key, _)| *key != CONTEXT);
    let context = executor.overlay.ram().context();
    let members = context.into_iter().flatten();
    let members = members.map(|(name, value)| (format!("{CONTEXT}.{name}"), value));
    let entries = entries.map(|(key, value)| (key.to_owned(), value));
    entries.chain(members)
}

/// Returns the hits for an exact key in both layers, for a path or for a list.
/// A number behind the name is the first character.
fn exact(executor: &Executor<'_>, asked: &str) -> Vec<KeyHit> {
    for (key, from) in readings(asked) {
        let found = |(place, text): (&'static str, String)| {
            (from == 0 || text.chars().nth(from).is_some())
                .then(|| KeyHit::full(key, place, &text, from))
        };
        let found: Vec<KeyHit> = texts_of(executor, key)
            .into_iter()
            .filter_map(found)
            .collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// Returns the texts of a key in both layers, else of a path, and of the list of that name.
fn texts_of(executor: &Executor<'_>, key: &str) -> Vec<(&'static str, String)> {
    let values = values_of(executor, key);
    let mut texts: Vec<_> = values
        .map(|(layer, it)| (name_of(layer), text_of(&it)))
        .collect();
    let path = StorePath::shown(key).filter(|path| texts.is_empty() && result_at(path).is_none());
    if let Some(path) = path {
        let layer = match path.tree() {
            Tree::WorkingMemory => Layer::Ram,
            Tree::Storage => Layer::Storage,
        };
        let text = text_at(executor, &path);
        texts.extend(text.map(|text| (name_of(layer), text)));
    }
    texts.extend(list_of(executor, key).map(|list| (LISTED, list)));
    texts
}

/// Returns the values of a key in both layers.
/// `archived` stands for the whole list, of which RAM has a part.
pub(super) fn values_of(
    executor: &Executor<'_>,
    key: &str,
) -> impl Iterator<Item = (Layer, Value)> {
    let list = (key == ARCHIVED).then(|| archived_keys(executor).join("\n"));
    let list = list.filter(|keys| !keys.is_empty());
    let is_list = list.is_some();
    let list = list.map(|keys| (Layer::Storage, Value::from(keys)));
    let values = directory::values_of(executor.overlay.ram(), executor.overlay.storage(), key);
    list.into_iter().chain(values.filter(move |_| !is_list))
}

/// Returns the best leaves of a scope in `/storage` for a query, as this reply has left them.
pub(super) fn find_leaves<'e>(
    executor: &'e Executor<'_>,
    scope: &[String],
    query: &Query,
    limit: usize,
) -> Vec<Leaf<'e>> {
    let changes = executor.overlay.changes.iter();
    let touched = changes.flat_map(|change| touched_leaves(change.get()));
    let drafted = touched.collect();
    memory::find_leaves(
        executor.overlay.storage(),
        scope,
        query,
        limit,
        executor.context.index,
        &drafted,
    )
}

/// Returns the list of a name, one line for each entry.
fn list_of(executor: &Executor<'_>, asked: &str) -> Option<String> {
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

/// Returns the keys with the tags of a query, last used first, and its other words.
/// The keys also match these words. `None` if the query has no tags.
fn tagged_keys(executor: &Executor<'_>, query: &str) -> Option<(Vec<String>, Query)> {
    let (tags, words) = TagQuery::parse(query);
    if tags.is_blank() {
        return None;
    }
    let words = Query::parse(&words);
    let mut matcher = Matcher::new(&words);
    let mut answers = |key: &str| {
        let mut values = values_of(executor, key);
        values.any(|(_, value)| matcher.score_text(key, &text_in(&value)).is_some())
    };
    let keys = keys_now(executor);
    let mut tagged = keys.tagged(&tags);
    tagged.sort_by_key(|key| Reverse(keys.get(key).map(|entry| entry.last_use)));
    let found = tagged.into_iter().filter(|key| answers(key));
    Some((found.map(str::to_owned).collect(), words))
}

/// Returns the directory of keys with the changes of this reply.
fn keys_now<'e>(executor: &'e Executor<'_>) -> Cow<'e, KeyDirectory> {
    if executor.overlay.changes.is_empty() && executor.overlay.noted.is_empty() {
        return Cow::Borrowed(&executor.context.working.keys);
    }
    let mut keys = executor.context.working.keys.clone();
    for change in &executor.overlay.changes {
        keys.apply(change.get(), executor.context.now);
    }
    keys.note(&executor.overlay.noted, executor.context.now);
    Cow::Owned(keys)
}
