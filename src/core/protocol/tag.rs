//! The table of the elements that the protocol knows: the instructions, their parts, what each part
//! holds, and the set of instructions that a prompt file allows. It reads no text.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The parts of an instruction.
pub(super) struct Shape {
    /// The parts that it must have, each once.
    pub(super) required: &'static [Child],
    /// The parts that it may have, each once.
    pub(super) optional: &'static [Child],
    /// A correct instruction, short enough to be shown to a small model.
    pub(super) sample: &'static str,
}

/// The prompt files in which a tag is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    /// On in the shipped prompt file.
    Shipped,
    /// Off unless the prompt file lists it.
    Extension,
    /// Off unless the prompt file lists it; its name means nothing where no such tag is on.
    Dialect,
}

/// Declares the tags: name, group, required parts, optional parts and a correct instruction.
macro_rules! tags {
    ($(
        $tag:ident $name:literal $group:ident [$($required:ident)*] [$($optional:ident)*]
        $sample:literal,
    )*) => {
        /// The top-level elements that the program knows; [`Instruction`](super::Instruction) says what
        /// each does.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum Tag {
            $($tag,)*
        }

        impl Tag {
            /// Every tag, in the order of the documentation.
            pub const ALL: [Self; 21] = [$(Self::$tag,)*];

            /// Returns the element name.
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

        /// Returns the shape of an instruction. Where no part is required, one has to be there;
        /// `record_search` takes exactly one of its two, which only `build` checks.
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
    StateAdd "state_add" Shipped [State] []
        "<state_add><state>executing</state></state_add>",
    StateDelete "state_delete" Shipped [State] []
        "<state_delete><state>planning</state></state_delete>",
    RamAdd "ram_add" Shipped [Key Value] []
        "<ram_add><key>think_log</key><value>The tea is noted.</value></ram_add>",
    RamDelete "ram_delete" Shipped [Key] []
        "<ram_delete><key>plan</key></ram_delete>",
    RecordAdd "record_add" Shipped [Keywords Value] [Title Kind WorkspaceId]
        "<record_add><title>Green tea</title><keywords>tea, green</keywords><value>It is in the tin.</value></record_add>",
    RecordIssue "record_issue" Shipped [Key Value Metadata] []
        "<record_issue><key>Green tea</key><value>Which tin?</value><metadata>{}</metadata></record_issue>",
    RecordUpdate "record_update" Shipped [Key Value] [Title Keywords Version]
        "<record_update><key>Green tea</key><value>It is in the red tin.</value></record_update>",
    RecordSearch "record_search" Shipped [] [Query Ids]
        "<record_search><query>green tea</query></record_search>",
    RecordDelete "record_delete" Extension [Key] []
        "<record_delete><key>Green tea</key></record_delete>",
    RecordAppend "record_append" Extension [Key Value] []
        "<record_append><key>Green tea</key><value>The tin is red.</value></record_append>",
    RecordLine "record_line" Extension [Key Query Value] []
        "<record_line><key>Green tea</key><query>in the tin</query><value>It is in the jar.</value></record_line>",
    RecordCut "record_cut" Extension [Key Query] []
        "<record_cut><key>Green tea</key><query>in the tin</query></record_cut>",
    RecordLink "record_link" Extension [Key Title] []
        "<record_link><key>Green tea</key><title>Kettle</title></record_link>",
    RecordTitle "record_title" Extension [Key Title] []
        "<record_title><key>Green tea</key><title>Sencha</title></record_title>",
    RecordMerge "record_merge" Extension [Key Title] []
        "<record_merge><key>Green tea</key><title>Tea</title></record_merge>",
    Answer "answer" Dialect [Value] []
        "<answer><value>The tea is in the red tin.</value></answer>",
    // Holds tool calls.
    Actions "actions" Dialect [] []
        "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>",
    Thinking "thinking" Dialect [] [Analysis Planning ContextKeys]
        "<thinking><analysis>The tin is empty.</analysis><planning>Buy tea.</planning><context_keys>tea</context_keys></thinking>",
    // A tool call inside `<actions>` or with a `<kind>`, else what to store on disk.
    Action "action" Dialect [] [Store ContextKeys]
        "<action><store><key>tea</key><value>It is in the tin.</value><tags>tea, kitchen</tags></store></action>",
    Evaluation "evaluation" Dialect [] [Quality Enrichment Progress Recommendations]
        "<evaluation><quality>0.8</quality><progress>0.5</progress><recommendations>Look for a second tin.</recommendations></evaluation>",
    Paging "paging" Dialect [] [Archive Retrieve Delete]
        "<paging><archive>tea, kitchen</archive></paging>",
}

impl Tag {
    /// Returns whether the tag is off unless the prompt file lists it.
    pub const fn is_extension(self) -> bool {
        !matches!(self.group(), Group::Shipped)
    }

    /// Returns whether the tag is an answer or belongs to the dialects of tool calls and blocks.
    /// Their names, common words all of them, mean nothing where no such tag is switched on.
    pub const fn is_dialect(self) -> bool {
        matches!(self.group(), Group::Dialect)
    }

    /// Returns the tag with that element name; names are case-sensitive.
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
    /// Returns the eight tags of the shipped prompt file: all but the extensions.
    pub fn shipped() -> Self {
        Tag::ALL
            .into_iter()
            .filter(|tag| !tag.is_extension())
            .collect()
    }

    /// Returns whether none is switched on: the answer is prose.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// Returns whether a tag of the dialects is switched on.
    pub fn has_dialect(self) -> bool {
        let mut tags = Tag::ALL.into_iter();
        tags.any(|tag| tag.is_dialect() && self.contains(tag))
    }

    /// Returns whether `tag` is switched on.
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

/// The form of a child's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentKind {
    /// A state: to be asked for, or the one that can be left.
    State,
    /// A whole number.
    Whole,
    /// A number from 0 to 1.
    Share,
    /// A number that is not negative.
    Number,
    /// One line.
    Line,
    /// Names with commas between them.
    Names,
    /// Free text, in which markup and hidden characters are kept.
    Text,
    /// Pieces to store, each with a key, a value and tags.
    Stores,
}

/// Declares the elements inside instructions: name and content.
macro_rules! children {
    ($($child:ident $name:literal $content:ident,)*) => {
        /// The elements that may stand inside an instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Child {
            $($child,)*
        }

        impl Child {
            const ALL: &[Self] = &[$(Self::$child,)*];

            /// Returns the element name.
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$child => $name,)*
                }
            }

            /// Returns the form of the content.
            pub(super) const fn content(self) -> ContentKind {
                match self {
                    $(Self::$child => ContentKind::$content,)*
                }
            }
        }
    };
}

// The children of a note up to its metadata stand in the order in which a model is led through
// them: what a note is called comes before its text, as in the examples. All after `Id` are of the
// dialects.
children! {
    State "state" State,
    Key "key" Line,
    Title "title" Line,
    Kind "kind" Line,
    Keywords "keywords" Line,
    Query "query" Line,
    Ids "ids" Line,
    Version "version" Whole,
    Value "value" Text,
    Metadata "metadata" Text,
    WorkspaceId "workspace_id" Line,
    // One id inside `Ids`; belongs to no instruction directly.
    Id "id" Line,
    TargetPath "target_path" Line,
    SourcePath "source_path" Line,
    Content "content" Text,
    Analysis "analysis" Text,
    Planning "planning" Text,
    ContextKeys "context_keys" Names,
    Store "store" Stores,
    Tags "tags" Line,
    Quality "quality" Number,
    Enrichment "enrichment" Number,
    Progress "progress" Share,
    Recommendations "recommendations" Text,
    Archive "archive" Names,
    Retrieve "retrieve" Names,
    Delete "delete" Names,
}

impl Child {
    /// Returns the child with that element name; names are case-sensitive.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|child| child.name() == name)
    }

    /// Returns its place among those that a model is led through; all others share the last one.
    pub(super) fn rank(self) -> u8 {
        (self as u8).min(Self::WorkspaceId as u8)
    }

    /// Returns whether only the instructions of the dialects hold it.
    const fn is_dialect(self) -> bool {
        self as u8 > Self::Id as u8
    }

    /// Returns whether the content is free text.
    pub(super) const fn is_free_text(self) -> bool {
        matches!(self.content(), ContentKind::Text)
    }
}

/// An element that the protocol knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Instruction(Tag),
    Child(Child),
}

impl Element {
    /// Returns the element name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Instruction(tag) => tag.name(),
            Self::Child(child) => child.name(),
        }
    }

    /// Returns the element of that name; one of the dialects only where they are on.
    pub(super) fn parse(name: &str, with_dialects: bool) -> Option<Self> {
        let (known, is_dialect) = match (Tag::parse(name), Child::parse(name)) {
            (Some(tag), _) => (Self::Instruction(tag), tag.is_dialect()),
            (None, Some(child)) => (Self::Child(child), child.is_dialect()),
            (None, None) => return None,
        };
        (with_dialects || !is_dialect).then_some(known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_nothing_else() {
        for tag in Tag::ALL {
            let known = |with_dialects| Element::parse(tag.name(), with_dialects);
            assert_eq!(known(true), Some(Element::Instruction(tag)));
            assert_eq!(known(false).is_none(), tag.is_dialect());
            let shape = shape(tag);
            for child in shape.required.iter().chain(shape.optional) {
                let found = Element::parse(child.name(), tag.is_dialect());
                assert_eq!(found, Some(Element::Child(*child)));
            }
        }
        assert_eq!(Element::parse("tags", false), None);
        for other in [
            "",
            "RAM_ADD",
            "Ram_add",
            "ram-add",
            "keys",
            "x:key",
            "record_write",
        ] {
            assert_eq!(Element::parse(other, true), None);
        }
    }
}
