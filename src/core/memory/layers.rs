//! Both layers of the memory as one JSON document. Renders; decides nothing.

use super::ram::file_of;
use super::{Ram, Storage};
use serde::Serialize;

/// RAM and the `/storage` tree together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Layers<'a> {
    /// The content of RAM as in its own file.
    pub working: &'a Ram,
    /// The tree as in its own file.
    pub storage: &'a Storage,
}

impl Layers<'_> {
    /// Returns the file: nested, pretty-printed, with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        file_of(self)
    }
}
