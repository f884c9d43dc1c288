//! Both layers of the memory as one JSON document. Shows; decides nothing.

use super::ram::file_of;
use super::{Ram, Storage};
use serde::Serialize;

/// RAM and the `/storage` tree together.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Layers<'a> {
    /// RAM as its own file holds it.
    pub working: &'a Ram,
    /// The tree as its own file holds it.
    pub storage: &'a Storage,
}

impl Layers<'_> {
    /// The file: nested, pretty-printed, with a final newline.
    pub fn to_file(&self) -> Vec<u8> {
        file_of(self)
    }
}
