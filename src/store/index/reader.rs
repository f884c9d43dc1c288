//! An open index: the entries that contain a query's terms, best first.
//! Only reads files; an unreadable one is an error, and damage may even cause a panic inside the
//! search library, which the caller must expect. Readers that do not hold the root need only read
//! the notes that may match a query.

use super::build::{DIGEST, IndexEntry, IndexFields, NoteEntry, UPDATED};
use super::folder::Folder;
use super::maintainer::is_behind;
use super::{FORMAT, IndexCoverage};
use crate::core::notes::{Atom, Fields, Note, Query, SearchCandidate, Term};
use crate::ids::NoteId;
use crate::store::disk::RealDisk;
use crate::store::error::Error;
use crate::store::journal::reader::read_range;
use crate::store::journal::recover;
use crate::store::layout;
use crate::store::views::start::read_good;
use crate::time::Timestamp;
use serde::de::DeserializeOwned;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex};
use tantivy::columnar::Column;
use tantivy::postings::{Postings as _, SegmentPostings, TermInfo};
use tantivy::schema::{Field, IndexRecordOption, Value as _};
use tantivy::{
    DocId, DocSet as _, Index, InvertedIndexReader, SegmentReader, TERMINATED, TantivyDocument,
    TantivyError,
};

/// The longest `covers.json`, in bytes.
const COVERS_BYTES_MAX: usize = 4096;

/// The factor by which a list must be longer than the remaining documents to be searched.
/// Shorter lists are read on.
const LONGER_MIN: usize = 8;

/// Returns the coverage of an index; `None` if there is no complete one.
pub(super) fn covers(folder: &Folder) -> Option<IndexCoverage> {
    let bytes = folder.read(layout::INDEX_COVERS, COVERS_BYTES_MAX).ok()?;
    let covers: IndexCoverage = serde_json::from_slice(&bytes).ok()?;
    (covers.format == FORMAT).then_some(covers)
}

/// An open index.
pub(super) struct IndexReader<E: IndexEntry> {
    terms: Arc<InvertedIndexReader>,
    /// The keys by document. They are read at once, so that damage is found at once.
    keys: Vec<E::Key>,
    updated: Column<i64>,
    segment: SegmentReader,
}

/// A document that contains every term; the greater, the better.
/// Documents are sorted by key, so of equal ones the first has the smaller key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Hit {
    score: u32,
    updated: i64,
    doc: Reverse<DocId>,
}

impl<E: IndexEntry> IndexReader<E> {
    /// Opens a complete index after all its checksums were verified.
    pub(super) fn open(folder: &Folder, covers: &IndexCoverage) -> Result<Self, TantivyError> {
        let odd = |what: &str| TantivyError::from(io::Error::other(what.to_owned()));
        let index = Index::open(folder.clone())?;
        if !index.validate_checksum()?.is_empty() {
            return Err(odd("its bytes are not those that were written"));
        }
        let (schema, columns) = IndexFields::schema();
        if index.schema() != schema {
            return Err(odd("it has another form"));
        }
        let segments = index.searchable_segments()?;
        let [segment] = segments.as_slice() else {
            return Err(odd("it has no single segment"));
        };
        let segment = SegmentReader::open(segment)?;
        if usize::try_from(segment.max_doc()).ok() != Some(covers.entries) {
            return Err(odd("it covers another number of entries"));
        }
        let fast = segment.fast_fields();
        Ok(Self {
            terms: segment.inverted_index(columns.terms)?,
            keys: read_keys(&segment, columns.key)?,
            updated: fast.i64(UPDATED)?,
            segment,
        })
    }

    pub(super) fn len(&self) -> usize {
        usize::try_from(self.segment.max_doc()).unwrap_or(usize::MAX)
    }

    /// Returns the keys whose present content the index does not know, also those that are gone.
    /// `present` has every entry, sorted by key, with the beginning of its digest if known.
    pub(super) fn outdated(
        &self,
        present: impl Iterator<Item = (E::Key, Option<u64>)>,
    ) -> Result<BTreeSet<E::Key>, TantivyError> {
        let digests = self.segment.fast_fields().u64(DIGEST)?;
        let known = self.keys.iter().zip(0..);
        let mut known = known.map(|(key, doc)| (key, digests.first(doc))).peekable();
        let mut outdated = BTreeSet::new();
        for (key, digest) in present {
            while let Some((gone, _)) = known.next_if(|(other, _)| **other < key) {
                outdated.insert(gone.clone());
            }
            let same = known.next_if(|(other, _)| **other == key);
            if digest.is_none() || same.and_then(|(_, indexed)| indexed) != digest {
                outdated.insert(key);
            }
        }
        outdated.extend(known.map(|(gone, _)| gone.clone()));
        Ok(outdated)
    }

    /// Returns the entries that may match a query, best first, and whether all of them match.
    /// They are sorted lazily.
    pub(super) fn find<'a>(
        &'a self,
        query: &Query,
    ) -> Result<
        (
            impl Iterator<Item = SearchCandidate<E::Key>> + use<'a, E>,
            bool,
        ),
        TantivyError,
    > {
        let terms = query.terms();
        let sought = terms.iter().map(|term| self.seek(term));
        let mut sought = sought.collect::<Result<Vec<_>, _>>()?;
        // The rarest comes first: of the others, only its documents are checked.
        sought.sort_by_key(|term| term.docs);
        let mut found: Option<Vec<(DocId, u32)>> = None;
        for term in &sought {
            found = Some(self.find_term(term, found)?);
        }
        let hits = found.unwrap_or_default().into_iter();
        let hits = hits.map(|(doc, score)| Hit {
            score,
            updated: self.updated.first(doc).unwrap_or_default(),
            doc: Reverse(doc),
        });
        let mut hits: BinaryHeap<Hit> = hits.collect();
        let ranked = std::iter::from_fn(move || {
            let hit = hits.pop()?;
            let doc = usize::try_from(hit.doc.0).ok()?;
            Some(SearchCandidate {
                key: self.keys.get(doc)?.clone(),
                score: hit.score,
                updated_at: Timestamp::from_millis(hit.updated),
            })
        });
        Ok((ranked, terms.iter().all(|term| term.is_exact)))
    }

    /// Looks up the index terms for a word or phrase.
    fn seek(&self, term: &Term) -> Result<TermLookup, TantivyError> {
        let atoms = term.atoms.iter().map(|atom| self.infos(atom));
        let mut atoms = atoms.collect::<Result<Vec<_>, _>>()?;
        let docs = |infos: &Vec<TermInfo>| {
            let each = infos.iter().map(|info| u64::from(info.doc_freq));
            each.sum::<u64>()
        };
        atoms.sort_by_key(docs);
        let docs = atoms.first().map_or(0, docs);
        Ok(TermLookup { atoms, docs })
    }

    /// Returns the documents of `before` that contain a term, with their new scores.
    /// Without `before`, all documents are searched.
    fn find_term(
        &self,
        term: &TermLookup,
        before: Option<Vec<(DocId, u32)>>,
    ) -> Result<Vec<(DocId, u32)>, TantivyError> {
        let everywhere = |before: &Vec<(DocId, u32)>| {
            let docs = before.iter().map(|(doc, _)| (*doc, Fields::ALL));
            docs.collect::<Vec<_>>()
        };
        let mut fields = before.as_ref().map(everywhere);
        for infos in &term.atoms {
            fields = Some(self.find_atom(infos, fields)?);
        }
        let fields = fields.unwrap_or_default().into_iter();
        let weighed = fields.map(|(doc, fields)| (doc, fields.weight()));
        let weighed = weighed.filter(|(_, weight)| *weight > 0);
        let mut before = before.into_iter().flatten();
        Ok(weighed
            .map(|(doc, weight)| {
                let same = before.find(|(earlier, _)| *earlier == doc);
                (doc, weight + same.map_or(0, |(_, score)| score))
            })
            .collect())
    }

    /// Returns the documents of `before` that contain one of the terms; all such without `before`.
    /// Their fields are those that contain the terms of every atom so far.
    fn find_atom(
        &self,
        infos: &[TermInfo],
        before: Option<Vec<(DocId, Fields)>>,
    ) -> Result<Vec<(DocId, Fields)>, TantivyError> {
        let open = |info: &TermInfo| {
            let option = IndexRecordOption::WithFreqs;
            self.terms.read_postings_from_terminfo(info, option)
        };
        let mut lists = infos.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        let Some(mut before) = before else {
            return Ok(union(lists));
        };
        if let [only] = lists.as_mut_slice() {
            // With few remaining documents, most of a long list is skipped.
            let docs = usize::try_from(only.doc_freq()).unwrap_or(usize::MAX);
            let is_long = docs / LONGER_MIN > before.len();
            before.retain_mut(|(doc, fields)| {
                let mut found = only.doc();
                if found < *doc && is_long {
                    found = only.seek(*doc);
                }
                while found < *doc {
                    found = only.advance();
                }
                if found == *doc {
                    *fields = fields.and(Fields::from_bits(only.term_freq()));
                }
                found == *doc
            });
            return Ok(before);
        }
        let mut here = union(lists).into_iter().peekable();
        before.retain_mut(|(doc, fields)| {
            while here.next_if(|(earlier, _)| *earlier < *doc).is_some() {}
            let found = here.next_if(|(same, _)| *same == *doc);
            *fields = fields.and(found.map(|(_, fields)| fields).unwrap_or_default());
            found.is_some()
        });
        Ok(before)
    }

    /// Returns the index terms of an atom.
    fn infos(&self, atom: &Atom) -> Result<Vec<TermInfo>, TantivyError> {
        let terms = self.terms.terms();
        let mut infos: Vec<TermInfo> = Vec::new();
        match atom {
            Atom::Whole(term) => infos.extend(terms.get(term.as_bytes())?),
            Atom::Beginning(start) => {
                let start = start.as_bytes();
                let mut stream = terms.range().ge(start).into_stream()?;
                while stream.advance() && stream.key().starts_with(start) {
                    infos.push(stream.value().clone());
                }
            }
        }
        Ok(infos)
    }
}

/// Returns the keys of all documents, in order.
fn read_keys<K: DeserializeOwned>(
    segment: &SegmentReader,
    field: Field,
) -> Result<Vec<K>, TantivyError> {
    let stored = segment.get_store_reader(0)?;
    let keys = stored.iter::<TantivyDocument>(None).map(|document| {
        let document = document?;
        let key = document.get_first(field).and_then(|key| key.as_str());
        let key = key.ok_or_else(|| io::Error::other("an entry has no key"))?;
        Ok(serde_json::from_str(key).map_err(io::Error::other)?)
    });
    keys.collect()
}

/// The index terms of a word or phrase.
struct TermLookup {
    /// The terms of each atom; the rarest atom first.
    atoms: Vec<Vec<TermInfo>>,
    /// The most documents that can contain it.
    docs: u64,
}

/// Returns all documents of some lists, in order, each with the fields of all lists.
fn union(lists: Vec<SegmentPostings>) -> Vec<(DocId, Fields)> {
    let is_one = lists.len() == 1;
    let mut all = Vec::new();
    for mut list in lists {
        let mut doc = list.doc();
        while doc != TERMINATED {
            all.push((doc, Fields::from_bits(list.term_freq())));
            doc = list.advance();
        }
    }
    if !is_one {
        all.sort_unstable_by_key(|(doc, _)| *doc);
        all.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                kept.1 = kept.1.or(later.1);
            }
            same
        });
    }
    all
}

/// Returns the coverage of the index over a root's notes, if there is a complete one.
pub fn index_covers(disk: RealDisk) -> Option<IndexCoverage> {
    covers(&folder(disk))
}

fn folder(disk: RealDisk) -> Folder {
    Folder::of(Arc::new(Mutex::new(disk)), NoteEntry::FOLDER)
}

/// Returns every note that may match a query after the last complete commit, and some others.
/// The order is arbitrary. `None` means that there is no usable index, and all notes must be read.
pub fn notes_worth_a_look(
    disk: &mut RealDisk,
    kv_path: &Path,
    query: &Query,
) -> Result<Option<Vec<Note>>, Error> {
    let path = disk.path().to_path_buf();
    let Ok(second) = RealDisk::open(&path, false) else {
        return Ok(None);
    };
    // Bytes that are not an index may make the library panic.
    let opened = catch_unwind(AssertUnwindSafe(|| open(&folder(second), query)));
    let Some((reader, hits)) = opened.ok().flatten() else {
        return Ok(None);
    };
    let mut replayed = read_range(disk, &mut |disk| recover::replay(disk, kv_path))?;
    if replayed.state.notes.is_complete() {
        return Ok(None);
    }
    let digests = replayed.views.notes.read()?;
    let present = digests.iter();
    let present = present.map(|(id, digest)| (*id, Some(digest.beginning())));
    let outdated = catch_unwind(AssertUnwindSafe(|| reader.outdated(present)));
    let Ok(Ok(outdated)) = outdated else {
        return Ok(None);
    };
    if is_behind(outdated.len(), digests.len()) {
        return Ok(None);
    }
    let mut notes = Vec::new();
    for id in outdated.union(&hits) {
        let Some(digest) = digests.get(id) else {
            // The note is deleted.
            continue;
        };
        let known = replayed.state.notes.get(*id).cloned();
        let Some(note) = known.or_else(|| read_good(disk, *id, *digest)) else {
            // Only the journal has this note.
            return Ok(None);
        };
        notes.push(note);
    }
    Ok(Some(notes))
}

/// Opens the index, and returns it with the notes that it finds.
fn open(folder: &Folder, query: &Query) -> Option<(IndexReader<NoteEntry>, BTreeSet<NoteId>)> {
    if query.is_blank() {
        return None;
    }
    let covers = covers(folder)?;
    let reader = IndexReader::<NoteEntry>::open(folder, &covers).ok()?;
    let (ranked, _) = reader.find(query).ok()?;
    let hits = ranked.map(|candidate| candidate.key).collect();
    Some((reader, hits))
}
