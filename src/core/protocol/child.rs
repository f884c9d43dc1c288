//! The elements inside an instruction, and which instruction takes which.
//! Owns the table and the sample forms shown to a model; it reads no text itself.

use super::Tag;

/// The elements that may stand inside an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    State,
    Key,
    Value,
    Keywords,
    Title,
    Kind,
    WorkspaceId,
    Metadata,
    Version,
    Query,
    Ids,
    /// One id inside `Ids`; belongs to no instruction directly.
    Id,
}

impl Child {
    /// The element name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Key => "key",
            Self::Value => "value",
            Self::Keywords => "keywords",
            Self::Title => "title",
            Self::Kind => "kind",
            Self::WorkspaceId => "workspace_id",
            Self::Metadata => "metadata",
            Self::Version => "version",
            Self::Query => "query",
            Self::Ids => "ids",
            Self::Id => "id",
        }
    }

    /// Whether the content is free text, in which markup and hidden characters are kept.
    pub(super) const fn is_free_text(self) -> bool {
        matches!(self, Self::Value | Self::Metadata)
    }
}

/// What an instruction is made of.
pub(super) struct Shape {
    /// Each of these must stand in it once.
    pub(super) required: &'static [Child],
    /// Each of these may stand in it once.
    pub(super) optional: &'static [Child],
    /// A correct instruction, short enough to be shown to a small model.
    pub(super) sample: &'static str,
}

/// The shape of an instruction. `record_search` takes exactly one of its two children, which the
/// two lists cannot say; `build` checks it.
pub(super) const fn shape(tag: Tag) -> Shape {
    let (required, optional, sample): (&[Child], &[Child], &str) = match tag {
        Tag::StateAdd => (
            &[Child::State],
            &[],
            "<state_add><state>executing</state></state_add>",
        ),
        Tag::StateDelete => (
            &[Child::State],
            &[],
            "<state_delete><state>planning</state></state_delete>",
        ),
        Tag::RamAdd => (
            &[Child::Key, Child::Value],
            &[],
            "<ram_add><key>plan</key><value>text</value></ram_add>",
        ),
        Tag::RamDelete => (
            &[Child::Key],
            &[],
            "<ram_delete><key>plan</key></ram_delete>",
        ),
        Tag::RecordAdd => (
            &[Child::Keywords, Child::Value],
            &[Child::Title, Child::Kind, Child::WorkspaceId],
            "<record_add><keywords>tea, green</keywords><value>text</value></record_add>",
        ),
        Tag::RecordIssue => (
            &[Child::Key, Child::Value, Child::Metadata],
            &[],
            "<record_issue><key>note</key><value>text</value><metadata>{}</metadata></record_issue>",
        ),
        Tag::RecordUpdate => (
            &[Child::Key, Child::Value],
            &[Child::Title, Child::Keywords, Child::Version],
            "<record_update><key>note</key><value>text</value></record_update>",
        ),
        Tag::RecordSearch => (
            &[],
            &[Child::Query, Child::Ids],
            "<record_search><query>green tea</query></record_search>",
        ),
        Tag::RecordDelete => (
            &[Child::Key],
            &[],
            "<record_delete><key>note</key></record_delete>",
        ),
    };
    Shape {
        required,
        optional,
        sample,
    }
}

/// An element name that the protocol knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Instruction(Tag),
    Child(Child),
}

impl Known {
    /// Finds a name. Names differ in length more than in anything else, so length comes first:
    /// this stands in the innermost loop.
    pub(super) fn of(text: &str) -> Option<Self> {
        match text.len() {
            2 => child(text, &[Child::Id]),
            3 => child(text, &[Child::Key, Child::Ids]),
            4 => child(text, &[Child::Kind]),
            5 => child(
                text,
                &[Child::Value, Child::State, Child::Query, Child::Title],
            ),
            7 => tag(text, &[Tag::RamAdd]).or_else(|| child(text, &[Child::Version])),
            8 => child(text, &[Child::Keywords, Child::Metadata]),
            9 => tag(text, &[Tag::StateAdd]),
            10 => tag(text, &[Tag::RecordAdd, Tag::RamDelete]),
            12 => tag(text, &[Tag::StateDelete, Tag::RecordIssue])
                .or_else(|| child(text, &[Child::WorkspaceId])),
            13 => tag(
                text,
                &[Tag::RecordUpdate, Tag::RecordSearch, Tag::RecordDelete],
            ),
            _ => None,
        }
    }

    /// The element name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Instruction(tag) => tag.name(),
            Self::Child(child) => child.name(),
        }
    }
}

fn tag(text: &str, candidates: &[Tag]) -> Option<Known> {
    let found = candidates.iter().find(|tag| tag.name() == text);
    found.map(|tag| Known::Instruction(*tag))
}

fn child(text: &str, candidates: &[Child]) -> Option<Known> {
    let found = candidates.iter().find(|child| child.name() == text);
    found.map(|child| Known::Child(*child))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found_and_nothing_else() {
        for tag in Tag::ALL {
            assert_eq!(Known::of(tag.name()), Some(Known::Instruction(tag)));
            let shape = shape(tag);
            for child in shape.required.iter().chain(shape.optional) {
                assert_eq!(Known::of(child.name()), Some(Known::Child(*child)));
            }
        }
        assert_eq!(Known::of("id"), Some(Known::Child(Child::Id)));
        for other in [
            "",
            "RAM_ADD",
            "Ram_add",
            "ram-add",
            "keys",
            "x:key",
            "record_write",
        ] {
            assert_eq!(Known::of(other), None);
        }
    }
}
