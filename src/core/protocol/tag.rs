//! The table of the top-level elements: their names, their parts, and the set of them that a prompt
//! file allows. It reads no text.

use super::child::Child;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an instruction is made of.
pub(super) struct Shape {
    /// Each of these must stand in it once.
    pub(super) required: &'static [Child],
    /// Each of these may stand in it once.
    pub(super) optional: &'static [Child],
    /// A correct instruction, short enough to be shown to a small model.
    pub(super) sample: &'static str,
}

/// Who may use a tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// On in the shipped prompt file.
    Shipped,
    /// Off unless the prompt file lists it.
    Extension,
    /// The same, and its name means nothing where no such tag is on.
    Dialect,
}

/// Makes of one list the tags, their names, and what each is made of: the parts that must stand in it
/// once, those that may, and a correct instruction, short enough to be shown to a small model.
macro_rules! tags {
    ($(
        $(#[$doc:meta])*
        $tag:ident $name:literal $group:ident [$($required:ident)*] [$($optional:ident)*]
        $sample:literal,
    )*) => {
        /// The top-level elements that the program knows.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum Tag {
            $($(#[$doc])* $tag,)*
        }

        impl Tag {
            /// Every tag, in the order of the documentation.
            pub const ALL: [Self; 21] = [$(Self::$tag,)*];

            /// The element name.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$tag => $name,)*
                }
            }

            const fn group(self) -> Group {
                match self {
                    $(Self::$tag => Group::$group,)*
                }
            }
        }

        /// The shape of an instruction. Where no part is required, one has to be there; `record_search`
        /// takes exactly one of its two, which the lists cannot say; `build` checks it.
        pub(super) const fn shape(tag: Tag) -> Shape {
            match tag {
                $(Tag::$tag => Shape {
                    required: &[$(Child::$required,)*],
                    optional: &[$(Child::$optional,)*],
                    sample: $sample,
                },)*
            }
        }
    };
}

tags! {
    /// Ask for a state.
    StateAdd "state_add" Shipped [State] []
        "<state_add><state>executing</state></state_add>",
    /// Leave a state.
    StateDelete "state_delete" Shipped [State] []
        "<state_delete><state>planning</state></state_delete>",
    /// Set a RAM key.
    RamAdd "ram_add" Shipped [Key Value] []
        "<ram_add><key>think_log</key><value>The tea is noted.</value></ram_add>",
    /// Remove a RAM key.
    RamDelete "ram_delete" Shipped [Key] []
        "<ram_delete><key>plan</key></ram_delete>",
    /// Create a note.
    RecordAdd "record_add" Shipped [Keywords Value] [Title Kind WorkspaceId]
        "<record_add><title>Green tea</title><keywords>tea, green</keywords><value>It is in the tin.</value></record_add>",
    /// Flag something about a note.
    RecordIssue "record_issue" Shipped [Key Value Metadata] []
        "<record_issue><key>Green tea</key><value>Which tin?</value><metadata>{}</metadata></record_issue>",
    /// Replace a note's text.
    RecordUpdate "record_update" Shipped [Key Value] [Title Keywords Version]
        "<record_update><key>Green tea</key><value>It is in the red tin.</value></record_update>",
    /// Find notes.
    RecordSearch "record_search" Shipped [] [Query Ids]
        "<record_search><query>green tea</query></record_search>",
    /// Delete a note. An extension: off unless the prompt file lists it.
    RecordDelete "record_delete" Extension [Key] []
        "<record_delete><key>Green tea</key></record_delete>",
    /// Add to a note's text. This and the next five are extensions, too.
    RecordAppend "record_append" Extension [Key Value] []
        "<record_append><key>Green tea</key><value>The tin is red.</value></record_append>",
    /// Replace one line of a note.
    RecordLine "record_line" Extension [Key Query Value] []
        "<record_line><key>Green tea</key><query>in the tin</query><value>It is in the jar.</value></record_line>",
    /// Take one line out of a note.
    RecordCut "record_cut" Extension [Key Query] []
        "<record_cut><key>Green tea</key><query>in the tin</query></record_cut>",
    /// Link a note to another.
    RecordLink "record_link" Extension [Key Title] []
        "<record_link><key>Green tea</key><title>Kettle</title></record_link>",
    /// Give a note another title.
    RecordTitle "record_title" Extension [Key Title] []
        "<record_title><key>Green tea</key><title>Sencha</title></record_title>",
    /// Put one note into another.
    RecordMerge "record_merge" Extension [Key Title] []
        "<record_merge><key>Green tea</key><title>Tea</title></record_merge>",
    /// Answer the person's question. This and the next five are off unless the prompt file lists them.
    Answer "answer" Dialect [Value] []
        "<answer><value>The tea is in the red tin.</value></answer>",
    /// Holds tool calls.
    Actions "actions" Dialect [] []
        "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>",
    /// Analysis and planning, with the keys that matter.
    Thinking "thinking" Dialect [] [Analysis Planning ContextKeys]
        "<thinking><analysis>The tin is empty.</analysis><planning>Buy tea.</planning><context_keys>tea</context_keys></thinking>",
    /// A tool call inside `<actions>` or with a `<kind>`, else what to store on disk.
    Action "action" Dialect [] [Store ContextKeys]
        "<action><store><key>tea</key><value>It is in the tin.</value><tags>tea, kitchen</tags></store></action>",
    /// What the work came to.
    Evaluation "evaluation" Dialect [] [Quality Enrichment Progress Recommendations]
        "<evaluation><quality>0.8</quality><progress>0.5</progress><recommendations>Look for a second tin.</recommendations></evaluation>",
    /// What to put away, to bring back and to delete.
    Paging "paging" Dialect [] [Archive Retrieve Delete]
        "<paging><archive>tea, kitchen</archive></paging>",
}

impl Tag {
    /// Returns whether the tag is off unless the prompt file lists it.
    pub const fn is_extension(self) -> bool {
        !matches!(self.group(), Group::Shipped)
    }

    /// Whether it is an answer or belongs to the dialects of tool calls and blocks. Their names, common words all
    /// of them, mean nothing where no such tag is switched on.
    pub const fn is_dialect(self) -> bool {
        matches!(self.group(), Group::Dialect)
    }

    /// The tag with that element name; names are case-sensitive.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tag| tag.name() == name)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The set of tags that a prompt file switches on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct AllowedTags {
    bits: u32,
}

impl AllowedTags {
    /// The eight tags of the shipped prompt file: all but the extensions.
    pub fn shipped() -> Self {
        Tag::ALL
            .into_iter()
            .filter(|tag| !tag.is_extension())
            .collect()
    }

    /// Whether none is switched on: the answer is prose.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Whether a tag of the dialects is switched on.
    pub fn has_dialect(self) -> bool {
        let mut tags = Tag::ALL.into_iter();
        tags.any(|tag| tag.is_dialect() && self.contains(tag))
    }

    /// Whether `tag` is switched on.
    pub const fn contains(self, tag: Tag) -> bool {
        self.bits & (1 << tag as u16) != 0
    }
}

impl FromIterator<Tag> for AllowedTags {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        let bits = tags.into_iter().fold(0, |bits, tag| bits | 1 << tag as u16);
        Self { bits }
    }
}
