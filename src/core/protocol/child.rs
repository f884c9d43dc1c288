//! The names that the protocol knows: the instructions' and those of the elements inside them.
//! Owns how they are told apart quickly; which instruction takes which is `shape`'s business.

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
    TargetPath,
    SourcePath,
    Content,
    Analysis,
    Planning,
    ContextKeys,
    Store,
    Tags,
    Quality,
    Enrichment,
    Progress,
    Recommendations,
    Archive,
    Retrieve,
    Delete,
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
            Self::TargetPath => "target_path",
            Self::SourcePath => "source_path",
            Self::Content => "content",
            Self::Analysis => "analysis",
            Self::Planning => "planning",
            Self::ContextKeys => "context_keys",
            Self::Store => "store",
            Self::Tags => "tags",
            Self::Quality => "quality",
            Self::Enrichment => "enrichment",
            Self::Progress => "progress",
            Self::Recommendations => "recommendations",
            Self::Archive => "archive",
            Self::Retrieve => "retrieve",
            Self::Delete => "delete",
        }
    }

    /// Whether the content is free text, in which markup and hidden characters are kept.
    pub(super) const fn is_free_text(self) -> bool {
        matches!(
            self,
            Self::Value
                | Self::Metadata
                | Self::Content
                | Self::Analysis
                | Self::Planning
                | Self::Recommendations
        )
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
    (
        $($name:ident $text:literal $known:ident($part:ident),)*;
        $($more:ident $more_text:literal $more_known:ident($more_part:ident),)*
    ) => {
        /// A known element as the lexer hands it on: one flat byte, since it goes through
        /// registers for every tag of a reply.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Name {
            $($name,)*
            $($more,)*
        }

        impl Name {
            /// The element whose name has that [`pack`]ed form; one of the dialects only where
            /// they are on.
            pub(super) const fn of_packed(packed: u128, with_dialects: bool) -> Option<Self> {
                $(if packed == const { pack($text) } { return Some(Self::$name); })*
                if with_dialects {
                    $(if packed == const { pack($more_text) } { return Some(Self::$more); })*
                }
                None
            }

            /// The length of the element's name in bytes.
            pub(super) const fn length(self) -> usize {
                match self {
                    $(Self::$name => $text.len(),)*
                    $(Self::$more => $more_text.len(),)*
                }
            }

            /// What the element is.
            pub(super) const fn known(self) -> Known {
                match self {
                    $(Self::$name => Known::$known($part::$name),)*
                    $(Self::$more => Known::$more_known($more_part::$more),)*
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
    RecordAppend b"record_append" Instruction(Tag),
    RecordLine b"record_line" Instruction(Tag),
    RecordCut b"record_cut" Instruction(Tag),
    RecordLink b"record_link" Instruction(Tag),
    RecordTitle b"record_title" Instruction(Tag),
    RecordMerge b"record_merge" Instruction(Tag),
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
    // The dialects.
    ;
    Answer b"answer" Instruction(Tag),
    Actions b"actions" Instruction(Tag),
    Thinking b"thinking" Instruction(Tag),
    Action b"action" Instruction(Tag),
    Evaluation b"evaluation" Instruction(Tag),
    Paging b"paging" Instruction(Tag),
    TargetPath b"target_path" Child(Child),
    SourcePath b"source_path" Child(Child),
    Content b"content" Child(Child),
    Analysis b"analysis" Child(Child),
    Planning b"planning" Child(Child),
    ContextKeys b"context_keys" Child(Child),
    Store b"store" Child(Child),
    Tags b"tags" Child(Child),
    Quality b"quality" Child(Child),
    Enrichment b"enrichment" Child(Child),
    Progress b"progress" Child(Child),
    Recommendations b"recommendations" Child(Child),
    Archive b"archive" Child(Child),
    Retrieve b"retrieve" Child(Child),
    Delete b"delete" Child(Child),
}

/// Whether an element of that name belongs inside an instruction.
pub(super) fn is_child(name: &str) -> bool {
    let known = Name::of_packed(pack(name.as_bytes()), true).map(Name::known);
    matches!(known, Some(Known::Child(_)))
}

#[cfg(test)]
mod tests {
    use super::super::shape::shape;
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
        let found = Name::of_packed(packed, true).map(Name::known);
        let is_dialect = |known| match known {
            Known::Instruction(tag) => tag.is_dialect(),
            Known::Child(child) => !OF_THE_EIGHT.contains(&child),
        };
        let without = found.filter(|known| !is_dialect(*known));
        assert_eq!(Name::of_packed(packed, false).map(Name::known), without);
        found
    }

    const OF_THE_EIGHT: [Child; 12] = [
        Child::State,
        Child::Key,
        Child::Value,
        Child::Keywords,
        Child::Title,
        Child::Kind,
        Child::WorkspaceId,
        Child::Metadata,
        Child::Version,
        Child::Query,
        Child::Ids,
        Child::Id,
    ];

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
