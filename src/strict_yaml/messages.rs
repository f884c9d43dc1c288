//! Words the errors of the YAML parser for a person, and finds the tab or the template that may
//! have caused them.

use super::{Position, end_of, position, problem};
use crate::strict_json::JsonProblem;
use granit_parser::{ErrorKind, Marker, ScanError};

pub(super) const TOO_DEEP: &str = "lists and mappings are nested deeper than 64 levels here";
pub(super) const TAB_INDENTS: &str = "a tab cannot indent; use spaces";
pub(super) const TEMPLATE: &str = "`{{ ... }}` must stand in quotes here";

/// What to tell about each kind of error, without those that hold a character.
static MESSAGES: &[(&[ErrorKind], &str)] = &[
    (
        &[
            ErrorKind::TabNotAllowed,
            ErrorKind::TabInBlockIndentation,
            ErrorKind::TabInIndentation,
            ErrorKind::TabInPlainScalar,
            ErrorKind::TabAtBlockScalarStart,
            ErrorKind::InvalidBlockEntryWhitespace,
            ErrorKind::InvalidMappingValueWhitespace,
        ],
        TAB_INDENTS,
    ),
    (&[ErrorKind::RecursionLimitExceeded], TOO_DEEP),
    (
        &[
            ErrorKind::UnexpectedEofFlowSequence,
            ErrorKind::UnexpectedEofFlowMapping,
            ErrorKind::UnexpectedEofImplicitFlowMapping,
            ErrorKind::UnexpectedEofBlockSequence,
            ErrorKind::UnexpectedEofBlockMapping,
            ErrorKind::UnexpectedEof,
            ErrorKind::ExpectedNodeContent,
            ErrorKind::UnexpectedEndOfPlainScalar,
        ],
        "a value is expected here",
    ),
    (
        &[ErrorKind::ExpectedBlockMappingKey],
        "a key is expected here, in the column of the keys above; check the indentation",
    ),
    (
        &[ErrorKind::ExpectedBlockSequenceEntry],
        "a `-` is expected here, in the column of the items above; check the indentation",
    ),
    (
        &[ErrorKind::ExpectedFlowMappingSeparator],
        "a `,` or `}` is expected here",
    ),
    (
        &[ErrorKind::ExpectedFlowSequenceSeparator],
        "a `,` or `]` is expected here",
    ),
    (
        &[ErrorKind::SimpleKeyExpected],
        "this is not a key, as no `: ` follows it on its line",
    ),
    (
        &[ErrorKind::InvalidSimpleKey],
        "a key and its `:` must stand on one line, within 1024 characters",
    ),
    (
        &[ErrorKind::InvalidColonPlacement],
        "a `:` cannot stand here; is a `]` missing above?",
    ),
    (
        &[
            ErrorKind::MappingValueNotAllowed,
            ErrorKind::MappingKeyNotAllowed,
            ErrorKind::FlowMappingValueAdjacentCollection,
        ],
        "a key cannot stand here; check the indentation, or put the whole text in quotes",
    ),
    (
        &[
            ErrorKind::BlockSequenceEntryNotAllowed,
            ErrorKind::BlockEntryInFlowCollection,
        ],
        "an item with `-` cannot stand here; begin it on a line of its own",
    ),
    (
        &[ErrorKind::PlainScalarStartsWithDashFlowIndicator],
        "a lone `-` must stand in quotes here",
    ),
    (
        &[
            ErrorKind::ExpectedDocumentStart,
            ErrorKind::InvalidDocumentEnd,
        ],
        "the document has ended before this text",
    ),
    (
        &[
            ErrorKind::DirectiveDisallowed,
            ErrorKind::MissingDocumentEndBeforeDirective,
        ],
        "directives, which begin with `%`, are not supported",
    ),
    (
        &[
            ErrorKind::InvalidIndentation,
            ErrorKind::InvalidBlockScalarIndent,
            ErrorKind::InvalidQuotedScalarIndent,
            ErrorKind::InvalidFlowScalarIndent,
        ],
        "the indentation does not fit the lines above",
    ),
    (
        &[ErrorKind::BomInsideDocument],
        "a byte order mark can stand only at the start of the file",
    ),
    (
        &[ErrorKind::CommentInterceptedScalar],
        "a comment cannot interrupt a text",
    ),
    (
        &[
            ErrorKind::CommentNotSeparated,
            ErrorKind::ExpectedWhitespace,
        ],
        "a space is missing here",
    ),
    (
        &[ErrorKind::UnknownAnchor],
        "no anchor of this name stands before this alias",
    ),
    (
        &[ErrorKind::MissingAnchorOrAliasName],
        "a name must follow `&` and `*`; put a text that begins so in quotes",
    ),
    (
        &[
            ErrorKind::UndeclaredTagHandle,
            ErrorKind::ExpectedTagBang,
            ErrorKind::InvalidGlobalTagCharacter,
            ErrorKind::InvalidTagTerminator,
            ErrorKind::MissingTagUri,
            ErrorKind::UnclosedVerbatimTag,
            ErrorKind::InvalidTagEscape,
            ErrorKind::InvalidTagUtf8LeadingByte,
            ErrorKind::InvalidTagUtf8TrailingByte,
            ErrorKind::InvalidTagUtf8,
        ],
        "this tag is not supported; put a text that begins with `!` in quotes",
    ),
    (
        &[ErrorKind::MisplacedFlowCollectionEnd],
        "this bracket closes nothing",
    ),
    (
        &[
            ErrorKind::ZeroBlockScalarIndent,
            ErrorKind::InvalidBlockScalarHeader,
        ],
        "the text after `|` or `>` must begin on the next line",
    ),
    (
        &[ErrorKind::DocumentIndicatorInQuotedScalar],
        "a line within quotes cannot begin with `---` or `...`",
    ),
    (
        &[ErrorKind::UnclosedQuotedScalar],
        "this quote is never closed",
    ),
    (
        &[
            ErrorKind::InvalidTrailingSingleQuotedScalar,
            ErrorKind::InvalidTrailingDoubleQuotedScalar,
        ],
        "the quotes are closed before this text; put the whole text in quotes",
    ),
    (
        &[
            ErrorKind::UnknownQuotedScalarEscape,
            ErrorKind::InvalidQuotedScalarHexEscape,
            ErrorKind::InvalidLowSurrogateHexEscape,
            ErrorKind::InvalidLowSurrogate,
            ErrorKind::MissingLowSurrogate,
            ErrorKind::UnpairedLowSurrogate,
            ErrorKind::InvalidUnicodeEscape,
        ],
        "an escape in this text is not valid; a backslash itself is written `\\\\`",
    ),
];

/// Kinds of errors that often come from a tab that indents.
const OF_INDENTATION: [ErrorKind; 6] = [
    ErrorKind::ExpectedBlockMappingKey,
    ErrorKind::ExpectedBlockSequenceEntry,
    ErrorKind::ExpectedDocumentStart,
    ErrorKind::MappingValueNotAllowed,
    ErrorKind::SimpleKeyExpected,
    ErrorKind::InvalidIndentation,
];

/// Words an error of the parser for a person.
pub(super) fn describe(text: &str, error: &ScanError) -> JsonProblem {
    let (mark, kind) = (error.marker(), error.kind());
    if let Some(at) = template_before(text, mark) {
        return problem(at, TEMPLATE);
    }
    let known = MESSAGES.iter().find(|(kinds, _)| kinds.contains(kind));
    let message = known.map_or_else(
        || described_with_characters(kind),
        |known| known.1.to_owned(),
    );
    let tab = if message == TAB_INDENTS {
        tab_before(text, mark).or_else(|| tab_below(text, mark))
    } else if OF_INDENTATION.contains(kind) {
        tab_before(text, mark)
    } else {
        None
    };
    tab.map_or_else(
        || problem(position(mark), message),
        |at| problem(at, TAB_INDENTS),
    )
}

fn described_with_characters(kind: &ErrorKind) -> String {
    if let ErrorKind::UnexpectedCharacter { character } = kind {
        return format!("a text cannot begin with `{character}`; put it in quotes");
    }
    if let ErrorKind::UnclosedFlowCollection { open } = kind {
        return format!("this `{open}` is never closed");
    }
    if let ErrorKind::MismatchedFlowCollectionEnd { open, close } = kind {
        return format!("this `{open}` is closed by a `{close}`");
    }
    "this is not valid YAML".to_owned()
}

/// Returns the place of a `{{` that begins a value in the line of `mark` and not after it.
pub(super) fn template_before(text: &str, mark: &Marker) -> Option<Position> {
    let (before, after) = text.split_at_checked(mark.byte_offset()?)?;
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let braces = after
        .bytes()
        .take(2)
        .take_while(|byte| *byte == b'{')
        .count();
    let line = text.get(line_start..before.len() + braces)?;
    let ends_line = |at: &usize| line_start + at + 1 >= before.len();
    let begins_value = |at: &usize| {
        let outside = line.get(..*at).unwrap_or_default();
        let last = outside.trim_end().chars().next_back();
        !outside.contains(['"', '\'', '#'])
            && last.is_none_or(|last| matches!(last, ':' | '-' | '?' | ',' | '[' | '{'))
    };
    let at =
        (line.rfind("{{").filter(ends_line)).or_else(|| line.find("{{").filter(begins_value))?;
    Some(end_of(text.get(..line_start + at)?))
}

/// Returns the place of the first tab among the blanks right before `mark`.
pub(super) fn tab_before(text: &str, mark: &Marker) -> Option<Position> {
    let before = text.get(..mark.byte_offset()?)?;
    let filled = before.trim_end_matches([' ', '\t']);
    let tab = before.get(filled.len()..)?.find('\t')?;
    Some(end_of(before.get(..filled.len() + tab)?))
}

/// Returns the place of the first tab that indents a line below `mark`.
fn tab_below(text: &str, mark: &Marker) -> Option<Position> {
    let mut offset = mark.byte_offset()?;
    loop {
        offset += text.get(offset..)?.find('\n')? + 1;
        let line = text.get(offset..)?;
        let filled = line.trim_start_matches(' ');
        if filled.starts_with('\t') {
            return Some(end_of(text.get(..offset + line.len() - filled.len())?));
        }
    }
}
