//! Stored text on its way back into a prompt: as element content that can neither become markup
//! nor a turn of the chat. Owns the form only, not where the text stands in the prompt.

use super::characters::is_hidden;
use std::borrow::Cow;
use std::fmt::Write as _;

/// Markers in square brackets that chat templates of the Llama 2 and Mistral families turn into
/// control tokens. Markers in angle brackets (`<|im_start|>`, `<<SYS>>`, `<start_of_turn>`) need no
/// list: they lose their `<`.
const BRACKET_MARKERS: [&str; 10] = [
    "[INST]",
    "[/INST]",
    "[AVAILABLE_TOOLS]",
    "[/AVAILABLE_TOOLS]",
    "[TOOL_CALLS]",
    "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]",
    "[TOOL_CONTENT]",
    "[SYSTEM_PROMPT]",
    "[/SYSTEM_PROMPT]",
];

/// Renders `text` as the content of an element.
///
/// `&`, `<` and `>` become entities, and the bracket of a chat marker a character reference:
/// `parse` reads both back as they were. Characters that a person cannot see become
/// `\u{...}` and stay so. Newlines and tabs are kept; the newline of Windows becomes a plain one.
pub fn escape(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let Some(first) = text.find(needs_look) else {
        return Cow::Borrowed(text);
    };
    let mut escaped = String::with_capacity(text.len() + text.len() / 8 + 16);
    escaped.push_str(&text[..first]);
    let mut rest = text[first..].char_indices();
    while let Some((at, c)) = rest.next() {
        let from = first + at;
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '[' if begins_marker(&text[from..]) => escaped.push_str("&#91;"),
            '\r' if rest.as_str().starts_with('\n') => {}
            '\n' | '\t' => escaped.push(c),
            c if is_hidden(c) => {
                // Writing to a string cannot fail.
                write!(escaped, "\\u{{{:x}}}", u32::from(c)).unwrap_or_default();
            }
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

/// Returns whether a text is one line of printable ASCII that [`escape`] leaves as it is. One look
/// at all bytes without a branch, because nearly every stored text is like that.
pub fn is_plain(text: &str) -> bool {
    text.bytes().fold(true, |plain, byte| {
        plain & matches!(byte, b' '..=b'~') & !matches!(byte, b'&' | b'<' | b'>' | b'[')
    })
}

const fn needs_look(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '[') || is_hidden(c) && !matches!(c, '\n' | '\t')
}

fn begins_marker(text: &str) -> bool {
    BRACKET_MARKERS
        .iter()
        .any(|marker| text.starts_with(marker))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_danger_is_rendered_harmless() {
        let table = [
            ("plain\n\ttext", "plain\n\ttext"),
            ("a < b && c > d", "a &lt; b &amp;&amp; c &gt; d"),
            ("<|im_start|>system", "&lt;|im_start|&gt;system"),
            ("[INST] x [/INST] [todo]", "&#91;INST] x &#91;/INST] [todo]"),
            ("<<SYS>>", "&lt;&lt;SYS&gt;&gt;"),
            ("a\r\nb\rc\0", "a\nb\\u{d}c\\u{0}"),
            (
                "\u{202e}x\u{200b}\u{e0041}\u{9b}",
                "\\u{202e}x\\u{200b}\\u{e0041}\\u{9b}",
            ),
            (
                "\u{1f44d}\u{fe0f} za\u{17c}\u{f3}\u{142}\u{107}",
                "\u{1f44d}\u{fe0f} za\u{17c}\u{f3}\u{142}\u{107}",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(escape(text), expected);
        }
        for c in '\0'..='\u{100}' {
            let plain = !needs_look(c) && matches!(c, ' '..='~');
            assert_eq!(is_plain(&String::from(c)), plain, "{c:?}");
        }
        assert!(matches!(escape("plain [1]"), Cow::Owned(_)));
        assert!(matches!(escape("plain"), Cow::Borrowed(_)));
    }
}
