//! Looking for keys at the bench: what a search finds in RAM and `/storage`, beside the notes. The one
//! place that looks through them for words.

use super::told::FULL_TEXT_CHARS;
use super::{Bench, TARGET_CHARS};
use crate::core::agent::ActionResult;
use crate::core::memory::directory::{ARCHIVED, Layer, is_own, member_of, values_of};
use crate::core::memory::ram::{CONTEXT, text_in, text_of};
use crate::core::memory::{Leaf, find_leaves, touched_leaves};
use crate::core::notes::{Matcher, Query};
use crate::core::prompt::{KEY_NAMED_BYTES, page, passage, shorten};
use crate::core::protocol::Search;
use crate::limits::{SEARCH_HITS_MAX, SEARCH_PREVIEW_CHARS};
use serde_json::Value;

/// The program's own keys and `context` stand in every prompt, with the words that are asked for anyhow: a
/// search for words finds them from so many characters on. Shorter ones are hardly ever cut.
const OWN_SEARCHED_CHARS_MIN: usize = 1000;

/// A key that a search found.
struct Found {
    key: String,
    layer: Layer,
    /// Characters of its whole text.
    chars: usize,
    /// What is shown of it.
    shown: String,
}

impl Found {
    /// As much of a value as there is room for, from some character on.
    fn whole(key: &str, layer: Layer, text: &str, from: usize) -> Self {
        let next = from + FULL_TEXT_CHARS;
        let goes_on = if key.len() <= KEY_NAMED_BYTES {
            format!("; record_search {key} {next} goes on")
        } else {
            format!("; record_search for the key and {next} goes on")
        };
        Self {
            key: key.to_owned(),
            layer,
            chars: text.chars().count(),
            shown: page(text, from, FULL_TEXT_CHARS, &goes_on),
        }
    }

    /// A part of a text around the words that were looked for.
    fn part(key: String, layer: Layer, text: &str, query: &Query) -> Self {
        Self {
            key,
            layer,
            chars: text.chars().count(),
            shown: passage(text, &query.places(text), SEARCH_PREVIEW_CHARS),
        }
    }
}

impl Bench<'_> {
    /// Tells which keys of RAM and `/storage` a search finds, each with its layer. An exact key brings
    /// its value, as far as there is room, and with a number what stands from that character on.
    pub(super) fn tell_keys(&mut self, search: &Search) -> usize {
        let found = self.find_keys(search);
        let count = found.len();
        for found in found {
            let where_it_is = match found.layer {
                Layer::Ram => "in RAM",
                Layer::Storage => "archived",
            };
            let message = format!("{where_it_is}, {} characters: {}", found.chars, found.shown);
            self.told.add(ActionResult {
                op: "record_search".to_owned(),
                target: shorten(&found.key, TARGET_CHARS),
                code: None,
                message,
                items: Vec::new(),
                example: None,
            });
        }
        count
    }

    /// Whether RAM or `/storage` has a key.
    pub(super) fn has_key(&self, key: &str) -> bool {
        !self.exact(key).is_empty()
    }

    /// Looks through `/storage` and RAM, one after the other. The exact key goes first.
    fn find_keys(&self, search: &Search) -> Vec<Found> {
        let (asked, query) = match search {
            Search::Query(query) => (vec![query.as_str()], Query::parse(query)),
            Search::Ids(ids) => (ids.iter().map(String::as_str).collect(), Query::parse("")),
        };
        let mut found: Vec<Found> = asked.into_iter().flat_map(|key| self.exact(key)).collect();
        if query.is_blank() {
            return found;
        }
        if let Search::Query(query) = search
            && let Some((keys, words)) = self.tagged_keys(query)
        {
            let parts = keys.into_iter().flat_map(|key| {
                let values = self.values_of(&key).collect::<Vec<_>>().into_iter();
                let words = &words;
                values.map(move |(layer, value)| {
                    Found::part(key.clone(), layer, &text_of(&value), words)
                })
            });
            found.extend(parts.take(SEARCH_HITS_MAX));
            return found;
        }
        let add = |found: &mut Vec<Found>, hit: Found| {
            let is_hit = |known: &Found| (&known.key, known.layer) == (&hit.key, hit.layer);
            if found.len() < SEARCH_HITS_MAX && !found.iter().any(is_hit) {
                found.push(hit);
            }
        };
        for leaf in self.find_leaves(&[], &query, SEARCH_HITS_MAX) {
            let hit = Found::part(leaf.name(), Layer::Storage, &leaf.text(), &query);
            add(&mut found, hit);
        }
        let mut matcher = Matcher::new(&query);
        for (key, value) in self.ram_searched() {
            if found.len() >= SEARCH_HITS_MAX {
                break;
            }
            let text = text_in(value);
            let is_long = text.chars().nth(OWN_SEARCHED_CHARS_MIN).is_some();
            let is_own = is_own(&key) || member_of(&key).is_some();
            if (is_long || !is_own) && matcher.score_text(&key, &text).is_some() {
                add(&mut found, Found::part(key, Layer::Ram, &text, &query));
            }
        }
        found
    }

    /// What RAM holds, member by member of `context`.
    fn ram_searched(&self) -> impl Iterator<Item = (String, &Value)> {
        let entries = self.ram.entries().filter(|(key, _)| *key != CONTEXT);
        let context = self.ram.get(CONTEXT).and_then(Value::as_object);
        let members = context.into_iter().flatten();
        let members = members.map(|(name, value)| (format!("{CONTEXT}.{name}"), value));
        let entries = entries.map(|(key, value)| (key.to_owned(), value));
        entries.chain(members)
    }

    /// What an exact key brings, from both layers; with a number behind it, from that character on.
    fn exact(&self, asked: &str) -> Vec<Found> {
        let asked = asked.trim();
        let numbered = asked.rsplit_once(char::is_whitespace);
        let numbered = numbered.and_then(|(key, from)| Some((key.trim_end(), from.parse().ok()?)));
        // A smaller number is a word that somebody looks for.
        let numbered = numbered.filter(|(_, from)| *from >= FULL_TEXT_CHARS);
        for (key, from) in std::iter::once((asked, 0)).chain(numbered) {
            let found = |(layer, value): (Layer, Value)| {
                let text = text_of(&value);
                (from == 0 || text.chars().nth(from).is_some())
                    .then(|| Found::whole(key, layer, &text, from))
            };
            let found: Vec<Found> = self.values_of(key).filter_map(found).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// The values of a key in both layers. `archived` stands for the whole list, of which RAM has a part.
    pub(super) fn values_of(&self, key: &str) -> impl Iterator<Item = (Layer, Value)> {
        let list = (key == ARCHIVED).then(|| self.archived_keys().join("\n"));
        let list = list.filter(|keys| !keys.is_empty());
        let is_list = list.is_some();
        let list = list.map(|keys| (Layer::Storage, Value::from(keys)));
        let values = values_of(&self.ram, &self.storage, key);
        list.into_iter().chain(values.filter(move |_| !is_list))
    }

    /// The best leaves of a scope in `/storage` for a query, as this reply has left them.
    pub(super) fn find_leaves(
        &self,
        scope: &[String],
        query: &Query,
        limit: usize,
    ) -> Vec<Leaf<'_>> {
        let changes = self.changes.iter();
        let touched = changes.flat_map(|change| touched_leaves(change.get()));
        let drafted = touched.collect();
        find_leaves(&self.storage, scope, query, limit, self.index, &drafted)
    }
}
