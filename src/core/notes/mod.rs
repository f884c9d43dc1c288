//! Notes: versioned texts, how they are found and linked, and which of them are near-duplicates.
//! Pure data and queries; the store deals with files and the journal.

mod collection;
mod diff;
mod file_name;
mod find;
mod front_matter;
mod links;
mod mentioned_notes;
mod note;
mod note_fields;
mod organize;
mod portable;
mod query;
mod search;
mod similar;
mod similarity_index;
mod spelling;
mod terms;
mod tokens;
mod words;

pub use collection::{Notes, Preparation, PreparedIndex, packed};
pub use diff::unified;
pub use file_name::file_names;
pub use find::{KeyMatch, answers_to, resolve};
pub use front_matter::FrontMatterProblem as MarkdownProblem;
pub use links::{Link, is_title, links_after};
pub use mentioned_notes::{MentionedNote, named_in, titled_in};
pub use note::{
    CreatedBy, Issue, Note, NoteAuthor, links_in, names_in, split_keywords, title_and_text,
    with_links_of,
};
pub use note_fields::NoteFields;
pub use organize::{
    OrganizeOffer, OrganizeScan, OrganizeState, OrganizeTask, RewrittenNote, ShownNote, scan_notes,
};
pub use portable::{PortableNote, from_markdown, to_markdown};
pub use query::{Atom, Fields, Matcher, Query, Term, index_terms};
pub use search::{
    Candidates, NoIndex, PartialMatches, SearchCandidate, SearchIndex, Searchable, search,
    search_indexed, search_nearest,
};
pub use similar::{NoteFeatures, NotePolicy, SimilarNotes, similar_to};
pub use spelling::composed;
pub use terms::{Terms, phrase_count, phrase_stands_apart, phrase_stands_in};
pub use words::{is_hiragana, is_unspaced};
