//! The names that the protocol knows: the instructions' and those of the elements inside them.
//! Which instruction takes which stands in the table of `tag`.

use super::Tag;

/// Makes the enum of the elements and their names of one list.
macro_rules! children {
    ($($(#[$doc:meta])* $child:ident $name:literal,)*) => {
        /// The elements that may stand inside an instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Child {
            $($(#[$doc])* $child,)*
        }

        impl Child {
            const ALL: &[Self] = &[$(Self::$child,)*];

            /// The element name.
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$child => $name,)*
                }
            }
        }
    };
}

children! {
    State "state",
    Key "key",
    Value "value",
    Keywords "keywords",
    Title "title",
    Kind "kind",
    WorkspaceId "workspace_id",
    Metadata "metadata",
    Version "version",
    Query "query",
    Ids "ids",
    /// One id inside `Ids`; belongs to no instruction directly.
    Id "id",
    TargetPath "target_path",
    SourcePath "source_path",
    Content "content",
    Analysis "analysis",
    Planning "planning",
    ContextKeys "context_keys",
    Store "store",
    Tags "tags",
    Quality "quality",
    Enrichment "enrichment",
    Progress "progress",
    Recommendations "recommendations",
    Archive "archive",
    Retrieve "retrieve",
    Delete "delete",
}

impl Child {
    /// The one with that element name; names are case-sensitive.
    pub(super) fn parse(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|child| child.name() == name)
    }

    /// Whether only the instructions of the dialects hold it.
    const fn is_dialect(self) -> bool {
        !matches!(
            self,
            Self::State
                | Self::Key
                | Self::Value
                | Self::Keywords
                | Self::Title
                | Self::Kind
                | Self::WorkspaceId
                | Self::Metadata
                | Self::Version
                | Self::Query
                | Self::Ids
                | Self::Id
        )
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
    /// The element of that name; one of the dialects only where they are on.
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
    use super::super::tag::shape;
    use super::*;

    #[test]
    fn every_name_is_found_and_nothing_else() {
        for tag in Tag::ALL {
            let known = |with_dialects| Known::parse(tag.name(), with_dialects);
            assert_eq!(known(true), Some(Known::Instruction(tag)));
            assert_eq!(known(false).is_none(), tag.is_dialect());
            let shape = shape(tag);
            for child in shape.required.iter().chain(shape.optional) {
                let found = Known::parse(child.name(), tag.is_dialect());
                assert_eq!(found, Some(Known::Child(*child)));
            }
        }
        assert_eq!(Known::parse("tags", false), None);
        let others = [
            "",
            "RAM_ADD",
            "Ram_add",
            "ram-add",
            "keys",
            "x:key",
            "record_write",
        ];
        for other in others {
            assert_eq!(Known::parse(other, true), None);
        }
    }
}
