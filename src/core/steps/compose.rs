//! Composes the whole text of a note after one small change.
//! Everything outside the place of the change stays, to the byte.

use super::lines::{Line, ListMark, joined, lines_of};
use super::spans::bare_words;
use crate::core::notes::Terms;

/// The separators between the items of a list in one line.
const ITEM_SEPARATORS: [&str; 4] = [", ", "; ", "\u{3001}", "\u{ff0c}"];

/// Appends to a text in the manner of its end.
/// The addition becomes the next item of a list, another part of an enumeration, a sentence, or a
/// line of its own.
pub fn appended(text: &str, addition: &str) -> String {
    let (kept, addition) = (text.trim_end(), addition.trim());
    let Some(last) = kept.lines().last().filter(|_| !addition.is_empty()) else {
        return if kept.is_empty() {
            addition.to_owned()
        } else {
            text.to_owned()
        };
    };
    if let Some(mark) = ListMark::of(last) {
        return with_items(kept, mark, addition);
    }
    let ends_sentence =
        |text: &str| text.ends_with(['.', '!', '?', '\u{3002}', '\u{ff01}', '\u{ff1f}']);
    let is_single = !kept.contains('\n') && !addition.contains('\n');
    let is_unspaced = kept.ends_with(['\u{3002}', '\u{ff01}', '\u{ff1f}']);
    let separator = match separator_of(last) {
        Some(separator) if !ends_sentence(last) && !ends_sentence(addition) => {
            let items: Vec<&str> = addition.lines().map(str::trim).collect();
            return [kept, separator, &items.join(separator)].concat();
        }
        _ if is_single && is_unspaced => "",
        _ if is_single && ends_sentence(last) => " ",
        _ => "\n",
    };
    [kept, separator, addition].concat()
}

/// Appends each line of the addition as an item.
fn with_items(kept: &str, mark: ListMark<'_>, addition: &str) -> String {
    let mut text = kept.to_owned();
    let mut next = mark.next();
    let items = addition.lines().flat_map(|line| items_of(line, kept));
    for item in items.map(str::trim).filter(|item| !item.is_empty()) {
        text.push('\n');
        let own = ListMark::of(item).is_some_and(|own| own.mark.contains('['));
        if own {
            text.push_str(mark.indent);
            text.push_str(item);
        } else {
            text.push_str(&next);
            text.push_str(ListMark::text_of(item));
        }
        next = ListMark::of(&next).map(ListMark::next).unwrap_or(next);
    }
    text
}

/// The maximum number of words of an item of an enumeration that is a list.
const ITEM_WORDS_MAX: usize = 3;

/// Returns whether a part of an enumeration is short enough for an item of a list.
pub(super) fn is_short_item(item: &str) -> bool {
    let words = item.split_whitespace().count();
    (1..=ITEM_WORDS_MAX).contains(&words) && !item.contains(['.', ':', '\n', '\u{3002}'])
}

/// Returns the items of a line that is added to a list, each alone. Behind one comma may stand what describes
/// the item, and so it may in a list that has commas; in a script without spaces a mark of its own divides.
fn items_of<'a>(line: &'a str, list: &str) -> Vec<&'a str> {
    let Some(separator) = separator_of(line).filter(|_| separator_of(list).is_none()) else {
        return vec![line];
    };
    let items: Vec<&str> = line.split(separator).collect();
    let is_divided = items.len() > 2 || !separator.is_ascii();
    if is_divided && items.iter().all(|it| is_short_item(it)) {
        items
    } else {
        vec![line]
    }
}

/// Returns the text with the line at an index replaced.
/// The new line keeps the mark of its list. An index without a line changes nothing.
pub fn with_line(text: &str, index: usize, new: &str) -> String {
    let mut lines = lines_of(text);
    let new = new.trim();
    let Some(line) = lines.get_mut(index) else {
        return text.to_owned();
    };
    let marked = match ListMark::of(line.text) {
        Some(mark) if ListMark::of(new).is_none() => [mark.indent, mark.mark, new].concat(),
        Some(mark) => [mark.indent, new].concat(),
        None => new.to_owned(),
    };
    line.text = &marked;
    joined(lines)
}

/// Returns the text without the line at an index.
/// If the line is an enumeration and `what` names just one item of it, only that item goes.
pub fn without(text: &str, index: usize, what: &str) -> String {
    let lines = lines_of(text);
    let Some(line) = lines.get(index) else {
        return text.to_owned();
    };
    let shorter = without_item(line.text, what).filter(|_| !is_one_item(&lines, index, what));
    if let Some(shorter) = shorter {
        return with_line(text, index, &shorter);
    }
    let mut kept: Vec<Line<'_>> = lines.clone();
    let gone = kept.remove(index);
    // The last sentence of a line goes with the blanks before it, and the end of the line stays.
    if let Some(before) = index.checked_sub(1).and_then(|at| kept.get_mut(at))
        && !before.separator.contains('\n')
        && (gone.separator.contains('\n') || gone.separator.is_empty())
    {
        before.separator = gone.separator;
    }
    let text = joined(kept);
    let is_last = index + 1 == lines.len() && gone.separator.is_empty();
    if is_last {
        text.trim_end_matches('\n').to_owned()
    } else {
        text
    }
}

/// The number of words from which a part of a sentence is a clause and no item.
const CLAUSE_WORDS_MIN: usize = 3;

/// The number of words from which what follows an item describes it.
const DESCRIPTION_WORDS_MIN: usize = 2;

/// Returns whether a line of a list is one item, and `what` names the beginning of it: the rest,
/// as in `- Old Mill, seats 90`, only describes it. Most other lines of that list enumerate nothing,
/// or each line has as many parts as the others, or it begins with a name: `- Emre, left wing`.
fn is_one_item(lines: &[Line<'_>], index: usize, what: &str) -> bool {
    let is_enumeration = |text: &str| separator_of(text).is_some();
    let is_other =
        |(at, line): &(usize, &Line<'_>)| *at != index && ListMark::of(line.text).is_some();
    let others = lines.iter().enumerate().filter(is_other);
    let (joined, single): (Vec<_>, Vec<_>) = others.partition(|(_, it)| is_enumeration(it.text));
    let own = lines.get(index).map_or("", |line| line.text);
    let first = separator_of(own).and_then(|separator| own.split(separator).next());
    let wanted = Terms::of(what);
    let is_first = first.is_some_and(|first| {
        let first = Terms::of(ListMark::text_of(first));
        !first.is_empty() && first.shared(&wanted) > 0
    });
    let parts = |text: &str| -> Vec<usize> {
        let parts = separator_of(text).map(|separator| text.split(separator));
        let words = |part: &str| part.split_whitespace().count();
        parts.into_iter().flatten().map(words).collect()
    };
    let count = parts(own).len();
    // Items of one word describe nothing: `- nails, screws`.
    let is_described = |text: &str| {
        let parts = parts(text);
        let most = parts.iter().skip(1).max();
        parts.len() == count && most.is_some_and(|words| *words >= DESCRIPTION_WORDS_MIN)
    };
    let is_mostly_single = single.len() > joined.len() && single.len() > 1;
    let is_each_described = !joined.is_empty()
        && joined.iter().all(|(_, line)| is_described(line.text))
        && is_described(own);
    let has_name = first.is_some_and(|first| is_name_in(ListMark::text_of(first), what));
    let mut rest = separator_of(own)
        .into_iter()
        .flat_map(|it| own.split(it).skip(1));
    let is_person = has_name && rest.all(|part| part.starts_with(char::is_lowercase));
    let is_one = is_mostly_single || is_each_described || is_person;
    ListMark::of(own).is_some() && is_first && is_one
}

/// Returns whether a word with a capital stands so in another text, too: the name of someone.
fn is_name_in(name: &str, text: &str) -> bool {
    name.starts_with(char::is_uppercase) && bare_words(text).any(|word| word == name)
}

/// Returns the line without the only item that `what` names.
/// `None` if the line is no enumeration, if no item or several are named, or if nothing would be
/// left.
fn without_item(line: &str, what: &str) -> Option<String> {
    let separator = separator_of(line)?;
    let wanted = Terms::of(what);
    let mark = ListMark::of(line).map_or(0, |it| it.indent.len() + it.mark.len());
    let (mark, body) = line.split_at_checked(mark)?;
    // A heading such as `To buy:` is no part of the first item.
    let start = body.find(": ").map_or(0, |at| at + 2);
    let (heading, body) = body.split_at_checked(start)?;
    let items: Vec<&str> = body.split(separator).collect();
    let is_clause = |item: &&str| item.split_whitespace().count() >= CLAUSE_WORDS_MIN;
    if items.len() == 2 && items.iter().all(is_clause) && body.trim_end().ends_with('.') {
        return None;
    }
    let names = |item: &&str| {
        let item = Terms::of(item);
        !item.is_empty() && !wanted.is_empty() && (wanted.are_in(&item) || item.are_in(&wanted))
    };
    let mut named = items.iter().filter(|item| names(item));
    named.next().filter(|_| named.next().is_none())?;
    let kept: Vec<&str> = items.iter().copied().filter(|item| !names(item)).collect();
    let mut body = kept.join(separator);
    // The full stop stands behind the last item.
    let end = |text: &str| text.trim_end().ends_with('.');
    if end(line) && !end(&body) {
        body.push('.');
    }
    (!kept.is_empty()).then(|| [mark, heading, &body].concat())
}

/// Returns the separator between the items of an enumeration.
fn separator_of(line: &str) -> Option<&'static str> {
    let found = |separator: &&&str| line.contains(**separator);
    ITEM_SEPARATORS.iter().find(found).copied()
}

#[cfg(test)]
mod tests {
    use super::{appended, with_line, without};

    #[test]
    fn an_addition_goes_on_in_the_manner_of_the_text() {
        for (text, addition, expected) in [
            ("- milk\n- eggs\n", "butter", "- milk\n- eggs\n- butter"),
            ("- milk", "butter\nbread", "- milk\n- butter\n- bread"),
            ("1. one\n2. two", "- three", "1. one\n2. two\n3. three"),
            (
                "- tea",
                "oats, jam, rye bread",
                "- tea\n- oats\n- jam\n- rye bread",
            ),
            (
                "- tea",
                "oats, the fine ones",
                "- tea\n- oats, the fine ones",
            ),
            (
                "- tea, green",
                "oats, jam, rye",
                "- tea, green\n- oats, jam, rye",
            ),
            (
                "・豚肉",
                "玉ねぎ三個、福神漬け",
                "・豚肉\n・玉ねぎ三個\n・福神漬け",
            ),
            ("- [x] rope", "paint", "- [x] rope\n- [ ] paint"),
            ("- [ ] rope", "- [x] paint", "- [ ] rope\n- [x] paint"),
            ("milk, eggs", "butter", "milk, eggs, butter"),
            (
                "Milk, eggs and bread.",
                "Butter is left.",
                "Milk, eggs and bread. Butter is left.",
            ),
            ("It rains.", "It is cold.", "It rains. It is cold."),
            ("雨です。", "寒いです。", "雨です。寒いです。"),
            ("To do", "paint", "To do\npaint"),
            ("One.\nTwo.", "Three.", "One.\nTwo.\nThree."),
            ("", "first", "first"),
            ("text\n", " ", "text\n"),
        ] {
            assert_eq!(appended(text, addition), expected, "{text}");
        }
    }

    #[test]
    fn a_changed_line_leaves_every_other_byte() {
        for (text, index, new, expected) in [
            ("One.  Two.\r\nSix.\n", 1, "Ten.", "One.  Ten.\r\nSix.\n"),
            ("- milk\n  - eggs\n", 1, "bread", "- milk\n  - bread\n"),
            ("- [ ] sails", 0, "- [x] sails", "- [x] sails"),
            ("one", 4, "two", "one"),
        ] {
            assert_eq!(with_line(text, index, new), expected, "{text}");
        }
    }

    #[test]
    fn what_goes_takes_its_separator_along() {
        for (text, index, what, expected) in [
            ("- milk\n- eggs\n- bread\n", 1, "eggs", "- milk\n- bread\n"),
            ("- milk\n- eggs", 1, "eggs", "- milk"),
            ("A one. B two. C three.", 1, "B", "A one. C three."),
            ("A one. B two.\nC three.", 1, "B", "A one.\nC three."),
            ("A one. B two.", 1, "B", "A one."),
            (
                "To buy: milk, eggs, bread.",
                0,
                "the eggs",
                "To buy: milk, bread.",
            ),
            (
                "To buy: milk, eggs, bread.",
                0,
                "eggs",
                "To buy: milk, bread.",
            ),
            ("milk, eggs, bread.", 0, "bread", "milk, eggs."),
            // What describes an item goes with it; a list of enumerations loses one part of a line.
            (
                "- Old Mill, seats 90\n- Hall, with a stage\n- Barn\n- Inn",
                0,
                "old mill",
                "- Hall, with a stage\n- Barn\n- Inn",
            ),
            (
                "- blue Fabia, 61,000 km\n- green Octavia, tow bar\n- an estate car",
                1,
                "green octavia",
                "- blue Fabia, 61,000 km\n- an estate car",
            ),
            (
                "- milk, eggs\n- nails, glue\n- bread",
                0,
                "milk",
                "- eggs\n- nails, glue\n- bread",
            ),
            (
                "- Old Mill, seats 90\n- Barn\n- Inn",
                0,
                "seats 90",
                "- Old Mill\n- Barn\n- Inn",
            ),
            (
                "- Benedikt, in goal\n- Emre, left wing\n- Juraj\n- Samir, captain",
                1,
                "Emre's done his ligament in, take Emre out",
                "- Benedikt, in goal\n- Juraj\n- Samir, captain",
            ),
            ("- Ann; Bob\n- Cleo", 0, "Ann", "- Bob\n- Cleo"),
            ("only", 0, "only", ""),
        ] {
            assert_eq!(without(text, index, what), expected, "{text}");
        }
    }
}
