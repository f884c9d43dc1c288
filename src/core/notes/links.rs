//! Links, both ways. A text points to a note by `[[id]]` or `[[title]]`; a note's `links` hold the
//! ids that were found when it was written. The way back is derived and stands in no file, so it is
//! right after every change, whoever made it.
//!
//! A link by title is looked up whenever it is shown: it finds a note that is written later, and
//! names none while no note, or more than one, has the title. An id in `links` outlives a new title
//! of its target. What points to a note that is gone is missing, and shown as such.

use super::collection::Notes;
use super::note::{Note, links_in, names_in};
use super::spelling::composed;
use super::tokens::hash_of;
use crate::ids::{NoteId, WorkspaceId};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Who is called what, and who points where.
#[derive(Clone, Debug, Default)]
pub(super) struct LinkGraph {
    /// Number of a title, and the note.
    titles: BTreeSet<(u32, NoteId)>,
    /// Target and source, by the ids in `links`.
    inward: BTreeSet<(NoteId, NoteId)>,
    /// Number of a title that a text names, and the note with that text.
    named: BTreeSet<(u32, NoteId)>,
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Link {
    /// To a note.
    To(NoteId),
    /// To a note that is gone, or was never here.
    GoneNote(NoteId),
    /// To a title that no note has, or several have.
    NoSuchTitle(String),
}

impl LinkGraph {
    /// The graph of all these notes, made in one go.
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
    /// The notes with that title, where case does not count.
    pub fn all_titled(&self, title: &str) -> impl Iterator<Item = &Note> {
        let number = number_of(title);
        let range = self.graph().titles.range((number, NoteId::FIRST)..);
        let same = range.take_while(move |(other, _)| *other == number);
        let same = same.filter_map(|(_, id)| self.get(*id));
        same.filter(move |note| is_title(title, &note.title))
    }

    /// The one note of a workspace with that title, where case does not count. What another workspace
    /// calls its notes changes nothing.
    pub fn titled(&self, title: &str, workspace_id: WorkspaceId) -> Option<&Note> {
        let same = self.all_titled(title);
        let mut same = same.filter(|note| note.workspace_id == workspace_id);
        let first = same.next()?;
        same.next().is_none().then_some(first)
    }

    /// The notes of a workspace that a text names by their titles.
    pub fn titles_in(&self, text: &str, workspace_id: WorkspaceId) -> Vec<NoteId> {
        let named = names_in(text).filter_map(|name| self.titled(name, workspace_id));
        named.map(|note| note.id).collect()
    }

    /// The links of a note that a person wrote, in a workspace; see [`links_after`].
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

    /// Where a note points, in the order of its `links` and then of its text, each target once.
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

    /// The notes that point to this one, oldest first.
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

/// The links of a note once its list or its text is written: those of the list, and those that the text
/// names. Where the list is as it was `before`, what only the text named then does not stay. `titled` finds
/// the note of a title.
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

/// The number of a title as a link names it.
fn number_of(title: &str) -> u32 {
    hash_of(&folded(title))
}

/// Whether a link by that name means a note of that title.
pub fn is_title(name: &str, title: &str) -> bool {
    folded(name) == folded(title)
}

/// A title as it is compared: without case, and in one spelling.
fn folded(title: &str) -> String {
    let lower = composed(title.trim()).to_lowercase();
    match composed(&lower) {
        Cow::Owned(whole) => whole,
        Cow::Borrowed(_) => lower,
    }
}
