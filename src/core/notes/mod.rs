//! Notes: versioned texts, how they are found, and how they link.
//! Pure data and queries; files and journal are the store's business.

mod collection;
mod find;
mod note;

pub use collection::Notes;
pub use find::{Resolved, answers_to, resolve, search};
pub use note::{CreatedBy, Issue, Note, NoteAuthor, links_in, split_keywords, title_and_text};
