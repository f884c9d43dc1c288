//! Single characters: those that a person cannot see, those that a name may hold, and those that
//! references stand for. Owns no structure.

/// The characters that XML calls white space; the blanks that are cut from both ends of a value.
pub(super) const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// Returns whether `c` shows nothing by itself or changes how its neighbours are shown: controls,
/// bidi controls, zero-width characters, fillers, tag characters and noncharacters. Variation
/// selectors 1 to 16 are not among them, since half of all emoji carry one.
pub(super) const fn is_hidden(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}'
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns whether words of a human language may not hold `c`. The two joiners are part of Persian
/// and Hindi spelling and of many emoji, and a list of keywords may run over lines.
pub(super) const fn is_barred_in_words(c: char) -> bool {
    is_hidden(c) && !matches!(c, '\u{200c}' | '\u{200d}' | '\t' | '\r' | '\n')
}

/// Returns whether no text may hold `byte`: the controls below the blank that XML 1.0 does not
/// know.
pub(super) const fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\r' | b'\n')
}

/// Returns whether `text` holds such a control anywhere. One look at all bytes without a branch,
/// because every value goes through here.
pub(super) fn has_control(text: &str) -> bool {
    text.bytes()
        .fold(false, |found, byte| found | is_control(byte))
}

pub(super) fn without_controls(text: &str) -> String {
    let is_kept = |c: &char| !u8::try_from(*c).is_ok_and(is_control);
    text.chars().filter(is_kept).collect()
}

/// Resolves the references in a text, and returns whether each `&` began one. Others stay as they
/// are.
pub(super) fn resolved(text: &str) -> (String, bool) {
    let mut parts = text.split('&');
    let mut resolved = parts.next().unwrap_or_default().to_owned();
    let mut is_all = true;
    for part in parts {
        let reference = part.split_once(';');
        let reference = reference.and_then(|(name, after)| Some((decode(name)?, after)));
        if let Some((character, after)) = reference {
            resolved.push(character);
            resolved.push_str(after);
        } else {
            is_all = false;
            resolved.push('&');
            resolved.push_str(part);
        }
    }
    (resolved, is_all)
}

/// Returns the character that a reference stands for: one of the five entities of XML, or a number.
/// `None` if the entity is unknown or the number is no character that a text may hold.
pub(super) fn decode(reference: &str) -> Option<char> {
    match reference {
        "amp" => return Some('&'),
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => {}
    }
    let number = reference.strip_prefix('#')?;
    let (digits, radix) = match number.strip_prefix('x') {
        Some(digits) => (digits, 16),
        None => (number, 10),
    };
    // `from_str_radix` takes a sign, XML does not.
    if digits.starts_with('+') {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    let refused = u8::try_from(c).is_ok_and(is_control) || matches!(c, '\u{fffe}' | '\u{ffff}');
    (!refused).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decoded_or_left_alone() {
        let table = [
            ("lt", Some('<')),
            ("apos", Some('\'')),
            ("#65", Some('A')),
            ("#x1F600", Some('\u{1f600}')),
            ("#10", Some('\n')),
            ("nbsp", None),
            ("", None),
            ("#", None),
            ("#x", None),
            ("#X41", None),
            ("#+65", None),
            ("#-65", None),
            ("#0", None),
            ("#1", None),
            ("#xD800", None),
            ("#xFFFE", None),
            ("#x110000", None),
            ("LT", None),
        ];
        for (reference, expected) in table {
            assert_eq!(decode(reference), expected, "&{reference};");
        }
        assert_eq!(decode(&format!("#{}", "9".repeat(100_000))), None);
    }
}
