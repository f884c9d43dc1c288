//! Links between notes, in both directions.
//! A text points to a note by `[[id]]` or `[[title]]`; a note's `links` hold the ids that were
//! resolved when it was written. The reverse direction is derived and stored nowhere, so it is
//! right after every change.
//!
//! A link by title is resolved whenever it is shown: it finds a note that is written later, and
//! none while no note or several notes have the title. An id in `links` stays valid when its target
//! gets a new title. A link to a deleted note is shown as missing.

use super::collection::Notes;
use super::note::{Note, links_in, names_in};
use super::spelling::composed;
use super::tokens::hash_of;
use crate::ids::{NoteId, WorkspaceId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The titles of notes and the links between them.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkGraph {
    /// The hash of each title, with its note.
    titles: BTreeSet<(u32, NoteId)>,
    /// The target and source of each link in `links`.
    inward: BTreeSet<(NoteId, NoteId)>,
    /// The hash of each title that a text names, with the note of that text.
    named: BTreeSet<(u32, NoteId)>,
}

/// The target of a link.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// A note.
    To(NoteId),
    /// A note that was deleted or never existed.
    GoneNote(NoteId),
    /// A title that no note has, or several have.
    NoSuchTitle(String),
}

impl LinkGraph {
    /// Returns the graph of all these notes.
    pub(super) fn of<'a>(notes: impl Iterator<Item = &'a Note> + Clone) -> Self {
        let inward = notes
            .clone()
            .flat_map(|note| note.links.iter().map(|to| (*to, note.id)));
        let named = notes
            .clone()
            .flat_map(|note| names_in(&note.value).map(|name| (number_of(name), note.id)));
        Self {
            inward: inward.collect(),
            named: named.collect(),
            titles: notes
                .map(|note| (number_of(&note.title), note.id))
                .collect(),
        }
    }

    pub(super) fn put(&mut self, note: &Note) {
        self.titles.insert((number_of(&note.title), note.id));
        self.inward
            .extend(note.links.iter().map(|to| (*to, note.id)));
        let names = names_in(&note.value);
        self.named
            .extend(names.map(|name| (number_of(name), note.id)));
    }

    pub(super) fn remove(&mut self, note: &Note) {
        self.titles.remove(&(number_of(&note.title), note.id));
        for to in &note.links {
            self.inward.remove(&(*to, note.id));
        }
        for name in names_in(&note.value) {
            self.named.remove(&(number_of(name), note.id));
        }
    }
}

impl Notes {
    /// Returns the notes with a title, where case does not count.
    pub fn all_titled(&self, title: &str) -> impl Iterator<Item = &Note> {
        let number = number_of(title);
        let range = self.graph().titles.range((number, NoteId::FIRST)..);
        let same = range.take_while(move |(other, _)| *other == number);
        let same = same.filter_map(|(_, id)| self.get(*id));
        same.filter(move |note| is_title(title, &note.title))
    }

    /// Returns the one note of a workspace with a title, where case does not count.
    /// Notes of other workspaces are ignored.
    pub fn titled(&self, title: &str, workspace_id: WorkspaceId) -> Option<&Note> {
        let same = self.all_titled(title);
        let mut same = same.filter(|note| note.workspace_id == workspace_id);
        let first = same.next()?;
        same.next().is_none().then_some(first)
    }

    /// Returns the notes of a workspace that a text names by their titles.
    pub fn titles_in(&self, text: &str, workspace_id: WorkspaceId) -> Vec<NoteId> {
        let named = names_in(text).filter_map(|name| self.titled(name, workspace_id));
        named.map(|note| note.id).collect()
    }

    /// Returns the links of a note that a person wrote, see [`links_after`].
    pub fn links_written(
        &self,
        before: Option<&Note>,
        list: Option<Vec<NoteId>>,
        text: &str,
        workspace_id: WorkspaceId,
    ) -> Vec<NoteId> {
        let titled = |name: &str| Some(self.titled(name, workspace_id)?.id);
        links_after(before, list, text, titled)
    }

    /// Returns the links of a note in the order of its `links` and its text, each target once.
    pub fn links_of(&self, note: &Note) -> Vec<Link> {
        let by_id = note.links.iter().map(|id| match self.get(*id) {
            Some(_) => Link::To(*id),
            None => Link::GoneNote(*id),
        });
        let by_title =
            names_in(&note.value).map(|name| match self.titled(name, note.workspace_id) {
                Some(target) => Link::To(target.id),
                None => Link::NoSuchTitle(name.to_owned()),
            });
        let mut seen = BTreeSet::from([Link::To(note.id)]);
        let links = by_id.chain(by_title);
        links.filter(|link| seen.insert(link.clone())).collect()
    }

    /// Returns the notes that link to this one, oldest first.
    pub fn linked_from(&self, note: &Note) -> Vec<NoteId> {
        let graph = self.graph();
        let range = graph.inward.range((note.id, NoteId::FIRST)..);
        let by_id = range.take_while(|(to, _)| *to == note.id);
        let mut from: BTreeSet<NoteId> = by_id.map(|(_, from)| *from).collect();
        let only = self.titled(&note.title, note.workspace_id);
        if only.is_some_and(|it| it.id == note.id) {
            let number = number_of(&note.title);
            let range = graph.named.range((number, NoteId::FIRST)..);
            let same = range.take_while(|(other, _)| *other == number);
            let names_it = |id: &NoteId| {
                let source = self.get(*id);
                let source = source.filter(|it| it.workspace_id == note.workspace_id);
                let mut names = source.iter().flat_map(|source| names_in(&source.value));
                names.any(|name| is_title(name, &note.title))
            };
            from.extend(same.map(|(_, id)| *id).filter(names_it));
        }
        from.remove(&note.id);
        from.into_iter().collect()
    }
}

/// Returns the links of a note after its list or its text is written.
/// They are those of the list and of the text. If the list is unchanged since `before`, links that
/// only the old text named are removed. `titled` finds the note of a title.
pub fn links_after(
    before: Option<&Note>,
    list: Option<Vec<NoteId>>,
    text: &str,
    titled: impl Fn(&str) -> Option<NoteId>,
) -> Vec<NoteId> {
    let named = |text| {
        let by_title = names_in(text).filter_map(&titled);
        links_in(text).into_iter().chain(by_title)
    };
    let untouched = before.filter(|before| list.as_ref().is_none_or(|it| *it == before.links));
    let named_before: BTreeSet<NoteId> = untouched
        .into_iter()
        .flat_map(|before| named(&before.value))
        .collect();
    let list = list
        .or_else(|| Some(before?.links.clone()))
        .unwrap_or_default();
    let mut links: Vec<NoteId> = list;
    links.retain(|id| !named_before.contains(id));
    links.extend(named(text));
    let mut seen = BTreeSet::new();
    links.retain(|id| seen.insert(*id));
    links
}

/// Returns the hash under which a title is kept.
fn number_of(title: &str) -> u32 {
    hash_of(&folded(title))
}

/// Returns whether a link with a name means a note with a title.
pub fn is_title(name: &str, title: &str) -> bool {
    folded(name) == folded(title)
}

/// Returns the form in which titles are compared: without case and with composed letters.
fn folded(title: &str) -> String {
    let lower = composed(title.trim()).to_lowercase();
    match composed(&lower) {
        Cow::Owned(whole) => whole,
        Cow::Borrowed(_) => lower,
    }
}
