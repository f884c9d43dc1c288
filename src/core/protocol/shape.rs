//! What each instruction is made of. Owns the table and the sample forms shown to a model; it reads
//! no text itself.

use super::child::Child;
use super::tag::Tag;
use super::tool_call::Takes;
use crate::core::agent::Tool;

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
        Tag::RecordAppend
        | Tag::RecordLine
        | Tag::RecordCut
        | Tag::RecordLink
        | Tag::RecordTitle
        | Tag::RecordMerge => return edit_shape(tag),
        Tag::Answer => (
            &[Child::Value],
            &[],
            "<answer><value>The tea is in the red tin.</value></answer>",
        ),
        Tag::Actions | Tag::Thinking | Tag::Action | Tag::Evaluation | Tag::Paging => {
            return block_shape(tag);
        }
    };
    Shape {
        required,
        optional,
        sample,
    }
}

/// The shape of a change of a part of a note.
const fn edit_shape(tag: Tag) -> Shape {
    let (required, sample): (&[Child], &str) = match tag {
        Tag::RecordAppend => (
            &[Child::Key, Child::Value],
            "<record_append><key>Green tea</key><value>The tin is red.</value></record_append>",
        ),
        Tag::RecordLine => (
            &[Child::Key, Child::Query, Child::Value],
            "<record_line><key>Green tea</key><query>in the tin</query><value>It is in the jar.</value></record_line>",
        ),
        Tag::RecordCut => (
            &[Child::Key, Child::Query],
            "<record_cut><key>Green tea</key><query>in the tin</query></record_cut>",
        ),
        Tag::RecordLink => (
            &[Child::Key, Child::Title],
            "<record_link><key>Green tea</key><title>Kettle</title></record_link>",
        ),
        Tag::RecordTitle => (
            &[Child::Key, Child::Title],
            "<record_title><key>Green tea</key><title>Sencha</title></record_title>",
        ),
        Tag::RecordMerge
        | Tag::StateAdd
        | Tag::StateDelete
        | Tag::RamAdd
        | Tag::RamDelete
        | Tag::RecordAdd
        | Tag::RecordIssue
        | Tag::RecordUpdate
        | Tag::RecordSearch
        | Tag::RecordDelete
        | Tag::Answer
        | Tag::Actions
        | Tag::Thinking
        | Tag::Action
        | Tag::Evaluation
        | Tag::Paging => (
            &[Child::Key, Child::Title],
            "<record_merge><key>Green tea</key><title>Tea</title></record_merge>",
        ),
    };
    Shape {
        required,
        optional: &[],
        sample,
    }
}

/// The shape of a block; none of its parts is required, but one has to be there.
const fn block_shape(tag: Tag) -> Shape {
    let (optional, sample): (&[Child], &str) = match tag {
        Tag::Thinking => (
            &[Child::Analysis, Child::Planning, Child::ContextKeys],
            "<thinking><analysis>The tin is empty.</analysis><planning>Buy tea.</planning><context_keys>tea</context_keys></thinking>",
        ),
        Tag::Action => (
            &[Child::Store, Child::ContextKeys],
            "<action><store><key>tea</key><value>It is in the tin.</value><tags>tea, kitchen</tags></store></action>",
        ),
        Tag::Evaluation => (
            &[
                Child::Quality,
                Child::Enrichment,
                Child::Progress,
                Child::Recommendations,
            ],
            "<evaluation><quality>0.8</quality><progress>0.5</progress><recommendations>Look for a second tin.</recommendations></evaluation>",
        ),
        Tag::Paging => (
            &[Child::Archive, Child::Retrieve, Child::Delete],
            "<paging><archive>tea, kitchen</archive></paging>",
        ),
        Tag::Actions
        | Tag::StateAdd
        | Tag::StateDelete
        | Tag::RamAdd
        | Tag::RamDelete
        | Tag::RecordAdd
        | Tag::RecordIssue
        | Tag::RecordUpdate
        | Tag::RecordSearch
        | Tag::RecordDelete
        | Tag::RecordAppend
        | Tag::RecordLine
        | Tag::RecordCut
        | Tag::RecordLink
        | Tag::RecordTitle
        | Tag::RecordMerge
        | Tag::Answer => (&[], TOOL_SAMPLE),
    };
    Shape {
        required: &[],
        optional,
        sample,
    }
}

/// A correct tool call.
const TOOL_SAMPLE: &str =
    "<actions><action><kind>ls</kind><target_path>/storage</target_path></action></actions>";

/// The shape of an `<action>` that is to be a tool call and names no tool.
pub(super) const NO_TOOL: Shape = Shape {
    required: &[Child::Kind],
    optional: &[Child::TargetPath, Child::SourcePath, Child::Content],
    sample: TOOL_SAMPLE,
};

/// The shape of a call. A tool that takes words takes them from one of two children, which the two
/// lists cannot say; `action` checks it.
pub(super) const fn tool_shape(tool: &Tool) -> Shape {
    let (required, optional): (&[Child], &[Child]) = match tool.takes {
        Takes::Nothing => (&[Child::Kind, Child::TargetPath], &[]),
        Takes::Content => (&[Child::Kind, Child::TargetPath, Child::Content], &[]),
        Takes::Source => (&[Child::Kind, Child::SourcePath, Child::TargetPath], &[]),
        Takes::Words => (
            &[Child::Kind, Child::TargetPath],
            &[Child::Content, Child::Query],
        ),
    };
    Shape {
        required,
        optional,
        sample: tool.sample,
    }
}
