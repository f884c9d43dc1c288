//! The sum of what several notes say in one unit.

use super::spans::bare_words;

/// The maximum number of digits of a number that is added up.
const DIGITS_MAX: usize = 12;

/// Returns the sum of the numbers before a unit that every line of an answer has once, as
/// `74 + 120 = 194 euros`. `None` for a single line, and unless there is one such unit; of several, the
/// one that the question has.
pub fn sum_in(answer: &str, question: &str) -> Option<String> {
    let lines: Vec<Vec<(&str, String)>> = answer.lines().map(counts_of).collect();
    let [first, others @ ..] = lines.as_slice() else {
        return None;
    };
    let is_shared = |unit: &&String| lines.iter().all(|line| number_of(line, unit).is_some());
    let shared = first.iter().map(|(_, unit)| unit).filter(is_shared);
    let shared: Vec<&String> = shared.collect();
    let asked = question.to_lowercase();
    let is_asked = |unit: &&&String| bare_words(&asked).any(|word| word == unit.as_str());
    let unit = match shared.as_slice() {
        [unit] => unit,
        several => several.iter().find(is_asked)?,
    };
    let numbers = lines.iter().filter_map(|line| number_of(line, unit));
    let numbers: Vec<Number<'_>> = numbers.collect();
    let scale = numbers.iter().map(|number| number.decimals).max()?;
    let mut sum: u64 = 0;
    for number in &numbers {
        sum = sum.checked_add(number.in_scale(scale)?)?;
    }
    let mark = numbers.iter().find_map(|number| number.mark).unwrap_or('.');
    let terms: Vec<&str> = numbers.iter().map(|number| number.text).collect();
    let sum = written(sum, scale, mark);
    let is_enough = !others.is_empty();
    is_enough.then(|| format!("{} = {sum} {unit}", terms.join(" + ")))
}

/// Returns the number that a line has before a unit, if it has one such number.
fn number_of<'a>(line: &[(&'a str, String)], unit: &str) -> Option<Number<'a>> {
    let mut found = line.iter().filter(|(_, it)| it == unit);
    let (number, _) = found.next().filter(|_| found.next().is_none())?;
    Number::of(number)
}

/// Returns the numbers of a line with the words behind them, in lower case.
fn counts_of(line: &str) -> Vec<(&str, String)> {
    let words: Vec<&str> = bare_words(line).collect();
    let pairs = words.windows(2).filter_map(|pair| match pair {
        [number, unit] if unit.chars().any(char::is_alphabetic) => {
            Number::of(number).map(|_| (*number, unit.to_lowercase()))
        }
        _ => None,
    });
    pairs.collect()
}

/// A number of digits, with a decimal mark at most.
struct Number<'a> {
    text: &'a str,
    /// Its digits without the mark.
    digits: u64,
    decimals: u32,
    mark: Option<char>,
}

impl<'a> Number<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let mark = text.chars().find(|it| !it.is_ascii_digit());
        let parts = mark.and_then(|mark| text.split_once(mark));
        // Three digits behind the mark may be thousands.
        let decimals = parts.map_or(0, |(_, behind)| behind.len());
        let is_number = matches!(mark, None | Some('.' | ',')) && decimals < 3;
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let is_plain = text.len() == digits.len() + usize::from(mark.is_some());
        if !is_number || !is_plain || digits.len() > DIGITS_MAX {
            return None;
        }
        Some(Self {
            text,
            digits: digits.parse().ok()?,
            decimals: u32::try_from(decimals).ok()?,
            mark,
        })
    }

    fn in_scale(&self, decimals: u32) -> Option<u64> {
        let factor = 10_u64.checked_pow(decimals.checked_sub(self.decimals)?)?;
        self.digits.checked_mul(factor)
    }
}

fn written(sum: u64, decimals: u32, mark: char) -> String {
    let unit = 10_u64.pow(decimals);
    if decimals == 0 {
        return sum.to_string();
    }
    let width = usize::try_from(decimals).unwrap_or_default();
    format!("{}{mark}{:0width$}", sum / unit, sum % unit)
}

#[cfg(test)]
mod tests {
    use super::sum_in;

    #[test]
    fn what_two_lines_say_in_one_unit_is_added_up() {
        let cups = "Trophies: Three cups for 74 euros.\nNew boards: Eight, 120 euros for all.";
        let hay = "Moss: 5 bales a week at 20 kg\nThistle: 4 bales a week at 18 kg";
        for (answer, question, expected) in [
            (
                cups,
                "what did they cost together?",
                Some("74 + 120 = 194 euros"),
            ),
            (hay, "how many bales altogether?", Some("5 + 4 = 9 bales")),
            (hay, "how much altogether?", None),
            (
                "A: 2,50 euros\nB: 3 euros",
                "altogether?",
                Some("2,50 + 3 = 5,50 euros"),
            ),
            ("A: 2 eggs\nB: 3 euros", "altogether?", None),
            ("A: 2 eggs", "altogether?", None),
            ("A: 8:10 train\nB: 9:10 train", "altogether?", None),
        ] {
            assert_eq!(sum_in(answer, question).as_deref(), expected, "{answer}");
        }
    }
}
