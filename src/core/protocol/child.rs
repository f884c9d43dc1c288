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
            "<ram_add><key>think_log</key><value>The tea is noted.</value></ram_add>",
        ),
        Tag::RamDelete => (
            &[Child::Key],
            &[],
            "<ram_delete><key>plan</key></ram_delete>",
        ),
        Tag::RecordAdd => (
            &[Child::Keywords, Child::Value],
            &[Child::Title, Child::Kind, Child::WorkspaceId],
            "<record_add><title>Green tea</title><keywords>tea, green</keywords><value>It is in the tin.</value></record_add>",
        ),
        Tag::RecordIssue => (
            &[Child::Key, Child::Value, Child::Metadata],
            &[],
            "<record_issue><key>Green tea</key><value>Which tin?</value><metadata>{}</metadata></record_issue>",
        ),
        Tag::RecordUpdate => (
            &[Child::Key, Child::Value],
            &[Child::Title, Child::Keywords, Child::Version],
            "<record_update><key>Green tea</key><value>It is in the red tin.</value></record_update>",
        ),
        Tag::RecordSearch => (
            &[],
            &[Child::Query, Child::Ids],
            "<record_search><query>green tea</query></record_search>",
        ),
        Tag::RecordDelete => (
            &[Child::Key],
            &[],
            "<record_delete><key>Green tea</key></record_delete>",
        ),
    };
    Shape {
        required,
        optional,
        sample,
    }
}

/// An element that the protocol knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    Instruction(Tag),
    Child(Child),
}

impl Known {
    /// The element name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Instruction(tag) => tag.name(),
            Self::Child(child) => child.name(),
        }
    }
}

/// A name as one number, its first byte lowest, so that names are told apart without a look at
/// memory. A name that is cut because it is too long for that fills all bytes of the number, which
/// no name of the protocol does, and so equals none of them.
pub(super) const fn pack(name: &[u8]) -> u128 {
    let mut packed = 0;
    let mut rest = name;
    while let [before @ .., last] = rest {
        packed = packed << 8 | *last as u128;
        rest = before;
    }
    packed
}

/// The packed form of what stands before the first `>` in `head`.
pub(super) const fn pack_before_end(head: [u8; 16]) -> Option<u128> {
    const ONES: u128 = u128::from_le_bytes([1; 16]);
    const HIGHS: u128 = u128::from_le_bytes([0x80; 16]);
    let word = u128::from_le_bytes(head);
    // The classic search for a zero byte: the lowest bit that is left marks the first one.
    let ends = word ^ u128::from_le_bytes([b'>'; 16]);
    let marks = ends.wrapping_sub(ONES) & !ends & HIGHS;
    if marks == 0 {
        return None;
    }
    let before = (1 << (marks.trailing_zeros() & !7)) - 1;
    Some(word & before)
}

macro_rules! names {
    ($($name:ident $text:literal $known:ident($part:ident),)*) => {
        /// A known element as the lexer hands it on: one flat byte, since it goes through
        /// registers for every tag of a reply.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Name {
            $($name,)*
        }

        impl Name {
            /// The element whose name has that [`pack`]ed form.
            pub(super) const fn of_packed(packed: u128) -> Option<Self> {
                $(if packed == const { pack($text) } { return Some(Self::$name); })*
                None
            }

            /// The length of the element's name in bytes.
            pub(super) const fn length(self) -> usize {
                match self {
                    $(Self::$name => $text.len(),)*
                }
            }

            /// What the element is.
            pub(super) const fn known(self) -> Known {
                match self {
                    $(Self::$name => Known::$known($part::$name),)*
                }
            }
        }
    };
}

names! {
    StateAdd b"state_add" Instruction(Tag),
    StateDelete b"state_delete" Instruction(Tag),
    RamAdd b"ram_add" Instruction(Tag),
    RamDelete b"ram_delete" Instruction(Tag),
    RecordAdd b"record_add" Instruction(Tag),
    RecordIssue b"record_issue" Instruction(Tag),
    RecordUpdate b"record_update" Instruction(Tag),
    RecordSearch b"record_search" Instruction(Tag),
    RecordDelete b"record_delete" Instruction(Tag),
    State b"state" Child(Child),
    Key b"key" Child(Child),
    Value b"value" Child(Child),
    Keywords b"keywords" Child(Child),
    Title b"title" Child(Child),
    Kind b"kind" Child(Child),
    WorkspaceId b"workspace_id" Child(Child),
    Metadata b"metadata" Child(Child),
    Version b"version" Child(Child),
    Query b"query" Child(Child),
    Ids b"ids" Child(Child),
    Id b"id" Child(Child),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(text: &str) -> Option<Known> {
        let packed = pack(text.as_bytes());
        if let Some(head) = format!("{text}>>{text}xxxxxxxxxxxxxxxx")
            .as_bytes()
            .first_chunk()
        {
            let fits = text.len() < head.len();
            assert_eq!(pack_before_end(*head), fits.then_some(packed));
        }
        Name::of_packed(packed).map(Name::known)
    }

    #[test]
    fn every_name_is_found_and_nothing_else() {
        for tag in Tag::ALL {
            assert_eq!(known(tag.name()), Some(Known::Instruction(tag)));
            let shape = shape(tag);
            for child in shape.required.iter().chain(shape.optional) {
                assert_eq!(known(child.name()), Some(Known::Child(*child)));
            }
        }
        assert_eq!(known("id"), Some(Known::Child(Child::Id)));
        for other in [
            "",
            "RAM_ADD",
            "Ram_add",
            "ram-add",
            "keys",
            "x:key",
            "record_write",
            "record_add_record_add_record_add",
        ] {
            assert_eq!(known(other), None);
        }
    }
}
