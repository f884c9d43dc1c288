//! Counts and days of the week in scripts without spaces.

use super::spans::exchange_of;

/// The digits of counts in scripts without spaces.
const COUNT_DIGITS: &str = "〇一二三四五六七八九十百千";

/// The letters of days of the week, and the one behind them: `木曜` is Thursday.
const DAYS: &str = "月火水木金土日";
const OF_DAY: char = '曜';

/// The letter for half a unit more, behind that unit: `六時半` is half past six.
const HALF: char = '半';

/// A count or a day of the week in a script without spaces.
#[derive(Debug, PartialEq, Eq)]
struct Count {
    /// The digits or the day with the letter behind them, and `HALF` if it stands there.
    text: String,
    /// The letter behind the digits, which says what is counted.
    unit: char,
}

/// Returns the count of a line that a text repeats, and the other count of the same things in that
/// text. An example is `四人じゃなくて五人`, four people and five people, for a line with `四人`.
pub(super) fn exchanged_count(line: &str, text: &str) -> Option<(String, String)> {
    let (old, said) = (counts_of(line), counts_of(text));
    let is_new = |count: &Count, gone: &Count| {
        !line.contains(&count.text) && count.unit == gone.unit && count != gone
    };
    let (gone, come) = exchange_of(&old, &said, is_new)?;
    Some((gone.text.clone(), come.text.clone()))
}

/// Returns the counts of a text.
fn counts_of(text: &str) -> Vec<Count> {
    let mut counts: Vec<Count> = Vec::new();
    let mut run = String::new();
    let mut is_behind_count = false;
    let mut before = ' ';
    for letter in text.chars() {
        if letter == OF_DAY && DAYS.contains(before) {
            counts.push(Count {
                text: [before, letter].iter().collect(),
                unit: letter,
            });
        }
        before = letter;
        if COUNT_DIGITS.contains(letter) {
            run.push(letter);
        } else if !run.is_empty() {
            run.push(letter);
            counts.push(Count {
                text: std::mem::take(&mut run),
                unit: letter,
            });
            is_behind_count = true;
            continue;
        } else if let (true, HALF, Some(count)) = (is_behind_count, letter, counts.last_mut()) {
            count.text.push(HALF);
        }
        is_behind_count = false;
    }
    counts
}
