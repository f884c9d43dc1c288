//! Finds numbers that do not keep their value when JSON is read. A double holds about 17 digits:
//! the rest of a longer number would be lost silently.

use super::{JsonProblem, problem_at, scalar_end, walk, without_mark};
use serde_json::Number;

const SHOWN_CHARS: usize = 40;

/// Returns the problem of the first number that would lose its value.
/// `bytes` must be JSON.
pub(super) fn first_lossy(bytes: &[u8]) -> Option<JsonProblem> {
    let body = without_mark(bytes);
    let mut lossy = None;
    walk(body, |_, found| {
        lossy = literal_at(body, found.value)
            .filter(|literal| !comes_back(literal))
            .map(|literal| (found.value, literal));
        lossy.is_some()
    });
    let (at, literal) = lossy?;
    let shown: String = literal.chars().take(SHOWN_CHARS).collect();
    let more = if shown.len() < literal.len() {
        "…"
    } else {
        ""
    };
    let message = format!("the number {shown}{more} would lose digits; write it in quotes");
    Some(problem_at(body, at, message))
}

/// Returns the text with quotes around numbers that would lose their value; `None` without any.
/// `text` must be JSON.
pub(super) fn quoting_lossy(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let (mut quoted, mut copied) = (String::new(), 0);
    walk(bytes, |_, found| {
        let literal = literal_at(bytes, found.value).filter(|literal| !comes_back(literal));
        if let Some(literal) = literal {
            quoted.extend([
                text.get(copied..found.value).unwrap_or_default(),
                "\"",
                literal,
                "\"",
            ]);
            copied = found.value + literal.len();
        }
        false
    });
    (copied > 0).then(|| quoted + text.get(copied..).unwrap_or_default())
}

fn literal_at(body: &[u8], start: usize) -> Option<&str> {
    let first = body.get(start)?;
    let is_number = first.is_ascii_digit() || *first == b'-';
    let literal = is_number.then(|| body.get(start..scalar_end(body, start)))?;
    std::str::from_utf8(literal?).ok()
}

/// Returns whether a number keeps its value when it is read: `1.10` does, as `1.1`.
fn comes_back(literal: &str) -> bool {
    let read: Result<Number, _> = serde_json::from_str(literal);
    let written = decimal(literal);
    written.is_some() && read.is_ok_and(|number| decimal(&number.to_string()) == written)
}

/// Returns whether a number is negative, its digits without zeros at either end, and the power of
/// ten of the last digit.
fn decimal(literal: &str) -> Option<(bool, String, i64)> {
    let unsigned = literal.strip_prefix('-');
    let rest = unsigned.unwrap_or(literal);
    let (mantissa, power) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let digits = all.trim_end_matches('0');
    let zeros = all.len() - digits.len();
    let digits = digits.trim_start_matches('0').to_owned();
    if digits.is_empty() {
        // Zero is zero, whatever its sign and its power.
        return Some((false, digits, 0));
    }
    let power: i64 = power.parse().ok()?;
    let exponent = power
        .checked_add(i64::try_from(zeros).ok()?)?
        .checked_sub(i64::try_from(fraction.len()).ok()?)?;
    Some((unsigned.is_some(), digits, exponent))
}

#[cfg(test)]
mod tests {
    use super::super::{parse, parse_exact, parse_lossless};
    use super::comes_back;
    use proptest::prelude::{any, prop_assert_eq, proptest};
    use serde_json::json;

    #[test]
    fn a_number_comes_back_or_is_told() {
        let same = [
            "0",
            "-0",
            "-0.0",
            "0e999999999999999999999",
            "7",
            "-7",
            "1.10",
            "1e3",
            "1E+3",
            "1000e-3",
            "0.1",
            "1.5e-7",
            "9007199254740993",
            "18446744073709551615",
            "-9223372036854775808",
            "100000000000000000000000",
            "1e308",
            "5e-324",
        ];
        for literal in same {
            assert!(comes_back(literal), "{literal}");
            assert!(parse_exact(literal.as_bytes()).is_ok(), "{literal}");
        }
        let lossy = [
            "98765432109876543210987",
            "18446744073709551617",
            "-9223372036854775809",
            "0.1234567890123456789",
            "1.00000000000000000000001",
            "123456789012345678901234567890e-5",
            "1e-400",
            "3e-324",
        ];
        for literal in lossy {
            assert!(!comes_back(literal), "{literal}");
            assert!(parse(literal.as_bytes()).is_ok(), "{literal}");
        }
    }

    #[test]
    fn a_number_that_would_lose_digits_is_told_with_its_place() {
        let text = "{\"a\": [1.10, \"98765432109876543210987\"],\n \"é\": 98765432109876543210987}";
        let problem = parse_exact(text.as_bytes()).unwrap_err();
        assert_eq!((problem.line, problem.column), (2, 7), "{problem}");
        let expected = "the number 98765432109876543210987 would lose digits; write it in quotes";
        assert_eq!(problem.message, expected);
        let long = format!("[{}1]", "1234567890".repeat(30));
        let problem = parse_exact(long.as_bytes()).unwrap_err();
        assert!(problem.message.len() < 120, "{problem}");
        let twice = parse_exact(b"{\"p\": 1, \"p\": 2}").unwrap_err();
        assert!(twice.message.contains("stands twice"), "{twice}");
    }

    #[test]
    fn a_number_that_would_lose_digits_is_read_as_its_text() {
        let long = "98765432109876543210987";
        let text = format!("{{\"a\": [{long}, 1.10, -{long}e2 ], \"{long}\": \"{long}\"}}");
        let expected = json!({"a": [long, 1.10, format!("-{long}e2")], long: long});
        assert_eq!(parse_lossless(&text).unwrap(), expected);
        assert_eq!(parse_lossless(long).unwrap(), json!(long));
        assert_eq!(parse_lossless("[7]").unwrap(), json!([7]));
        assert!(parse_lossless("{\"a\": }").is_err());
    }

    proptest! {
        #[test]
        fn what_the_program_writes_always_comes_back(number in any::<f64>(), whole in any::<i64>()) {
            if number.is_finite() {
                let text = json!([number, whole]).to_string();
                prop_assert_eq!(parse_exact(text.as_bytes()).unwrap().to_string(), text);
            }
        }
    }
}
