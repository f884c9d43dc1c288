//! Tables for people: a line of heads, then a line for each row, fitted to the width of the
//! terminal. Cells are safe for a terminal. A list has a line about what is not shown.

use super::output::{Style, Terminal};
use super::text::one_line;
use crate::service::{List, Pagination};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

const GAP: &str = "  ";

/// The width of a text that is kept while other columns can shrink.
const TEXT_WIDTH_MIN: usize = 12;

/// The width that every column but ids keeps, even on the narrowest terminal.
const WIDTH_LEAST: usize = 4;
const NOTHING: &str = "nothing found\n";

/// The way in which a column shrinks on a narrow terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It is cut.
    Text,
    /// It is cut, then left out where the others need its place; the last one goes first.
    Spare,
    /// It stays, and is cut only where no other column can shrink.
    Fixed,
    /// It stays whole, as it is an id.
    Id,
}

/// A column of a table: its head, and how it shrinks.
pub(super) type Column = (&'static str, Kind);

#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<Column>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new<const N: usize>(
        columns: [Column; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) -> Self {
        let clean = |cells: [String; N]| cells.map(|cell| one_line(&cell, usize::MAX)).to_vec();
        Self {
            columns: columns.to_vec(),
            rows: rows.into_iter().map(clean).collect(),
        }
    }

    /// Formats the table in lines that are no wider than the terminal.
    pub(super) fn lines(&self, terminal: Terminal) -> String {
        let widths = self.widths(terminal.width);
        let heads = self.columns.iter().map(|(head, _)| (*head, Style::Head));
        let mut out = line(heads, &widths, |_| true, terminal);
        for row in &self.rows {
            let is_id = |at: usize| matches!(self.columns.get(at), Some((_, Kind::Id)));
            let cells = row.iter().map(|cell| (cell.as_str(), Style::Id));
            out.push_str(&line(cells, &widths, is_id, terminal));
        }
        out
    }

    /// Returns the width of each column; `None` for one that is left out.
    fn widths(&self, bound: Option<usize>) -> Vec<Option<usize>> {
        let widest = |at: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(at));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let columns = self.columns.iter().enumerate();
        let natural = columns.map(|(at, (head, _))| Some(head.width().max(widest(at))));
        let natural: Vec<Option<usize>> = natural.collect();
        let Some(bound) = bound else { return natural };
        let mut widths = natural;
        loop {
            let mut tried = widths.clone();
            self.shrink(&mut tried, Kind::Spare, TEXT_WIDTH_MIN, bound);
            self.shrink(&mut tried, Kind::Text, TEXT_WIDTH_MIN, bound);
            let mut shown = self.columns.iter().zip(&widths);
            let last =
                shown.rposition(|((_, kind), width)| *kind == Kind::Spare && width.is_some());
            match last.and_then(|at| widths.get_mut(at)) {
                Some(left_out) if total(&tried) > bound => *left_out = None,
                Some(_) | None => {
                    self.shrink(&mut tried, Kind::Text, WIDTH_LEAST, bound);
                    self.shrink(&mut tried, Kind::Fixed, WIDTH_LEAST, bound);
                    return tried;
                }
            }
        }
    }

    /// Shrinks the widest columns of a kind until all fit.
    /// None becomes narrower than `least` and its head.
    fn shrink(&self, widths: &mut [Option<usize>], kind: Kind, least: usize, bound: usize) {
        for _ in bound..total(widths) {
            let of_kind = widths.iter_mut().zip(&self.columns);
            let of_kind = of_kind.filter(|(_, (_, of))| *of == kind);
            let may_shrink = of_kind.filter_map(|(width, (head, _))| {
                let width = width.as_mut()?;
                (*width > least.max(head.width())).then_some(width)
            });
            let Some(widest) = may_shrink.max() else {
                return;
            };
            *widest -= 1;
        }
    }
}

/// Formats the table of the shown part with a line about the rest; a text for an empty list.
pub(super) fn list_text<T>(list: &List<T>, table: &Table, terminal: Terminal) -> String {
    let rest = rest(list);
    if !list.items.is_empty() {
        return table.lines(terminal) + &rest;
    }
    if rest.is_empty() {
        NOTHING.to_owned()
    } else {
        rest
    }
}

/// Returns the line about the part that is not shown; empty when all is shown.
fn rest<T>(list: &List<T>) -> String {
    let Pagination { total, offset, .. } = list.pagination;
    let shown = list.items.len();
    if shown == total {
        return String::new();
    }
    format!("{shown} of {total} shown, from {offset} on; --limit and --offset show others\n")
}

fn total(widths: &[Option<usize>]) -> usize {
    let shown = widths.iter().flatten();
    let gaps = shown.clone().count().saturating_sub(1);
    shown.sum::<usize>() + gaps * GAP.len()
}

/// Formats a line of cells, each but the last padded to its width.
fn line<'a>(
    cells: impl Iterator<Item = (&'a str, Style)>,
    widths: &[Option<usize>],
    is_painted: impl Fn(usize) -> bool,
    terminal: Terminal,
) -> String {
    let (mut out, mut room) = (String::new(), terminal.width.unwrap_or(usize::MAX));
    // Blanks are written once something follows them.
    let mut blanks = 0;
    for (at, ((cell, style), width)) in cells.zip(widths).enumerate() {
        let Some(width) = width else { continue };
        let text = cut(cell, (*width).min(room.saturating_sub(blanks)));
        if !text.is_empty() {
            out.push_str(&" ".repeat(blanks));
            room = room.saturating_sub(blanks + text.width());
            blanks = 0;
            let painted = is_painted(at).then(|| terminal.painted(style, &text));
            out.push_str(&painted.unwrap_or_else(|| text.clone()));
        }
        blanks += width.saturating_sub(text.width()) + GAP.len();
    }
    out.push('\n');
    out
}

/// Cuts a text with an ellipsis where it is wider than `width`.
fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut left = width.saturating_sub(1);
    let fits = |c: &char| {
        let wide = c.width().unwrap_or(0);
        let fits = wide <= left;
        left = left.saturating_sub(wide);
        fits
    };
    let kept: String = text.chars().take_while(fits).collect();
    if width == 0 { kept } else { kept + "\u{2026}" }
}

#[cfg(test)]
mod tests {
    use super::Kind::{Fixed, Id, Spare, Text};
    use super::{Table, Terminal};
    use unicode_width::UnicodeWidthStr as _;

    fn notes() -> Table {
        let row = |title: &str, keywords: &str| {
            ["0190a3b4", "5 min ago", title, keywords].map(str::to_owned)
        };
        let columns = [
            ("ID", Id),
            ("UPDATED", Fixed),
            ("TITLE", Text),
            ("KEYWORDS", Spare),
        ];
        let long = "What the harbour master said about the boat and its anchor";
        Table::new(
            columns,
            [
                row(long, "boat, harbour, anchor"),
                row("歯医者の予約は火曜日の午後三時", ""),
            ],
        )
    }

    fn of_width(width: Option<usize>) -> Terminal {
        Terminal {
            width,
            ..Terminal::PLAIN
        }
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for width in 1..140 {
            let text = notes().lines(of_width(Some(width)));
            for line in text.lines() {
                assert!(line.width() <= width, "{width}: {line:?}");
            }
        }
        let whole = notes().lines(Terminal::PLAIN);
        assert!(whole.contains("about the boat and its anchor  boat, harbour, anchor\n"));
        assert_eq!(notes().lines(of_width(Some(200))), whole);
    }

    #[test]
    fn spare_columns_go_first_and_ids_stay() {
        let text = notes().lines(of_width(Some(44)));
        assert!(!text.contains("KEYWORDS"), "{text}");
        assert!(
            text.contains("0190a3b4  5 min ago  What the harbour maste\u{2026}\n"),
            "{text}"
        );
        let text = notes().lines(of_width(Some(24)));
        assert!(
            text.contains("0190a3b4  5 min \u{2026}  What\u{2026}\n"),
            "{text}"
        );
    }

    #[test]
    fn wide_characters_take_two_columns() {
        let rows = ["歯医者", "tea"].map(|name| [name.to_owned(), "x".to_owned()]);
        let table = Table::new([("NAME", Text), ("V", Fixed)], rows);
        assert_eq!(
            table.lines(Terminal::PLAIN),
            "NAME    V\n歯医者  x\ntea     x\n"
        );
        assert_eq!(
            table.lines(of_width(Some(8))),
            "NAME   V\n歯医\u{2026}  x\ntea    x\n"
        );
    }

    #[test]
    fn nothing_in_a_cell_steers_the_terminal() {
        let terminal = Terminal {
            width: None,
            has_colours: true,
        };
        let rows = [["a\u{1b}[2J\nb\tc".to_owned(), "0190".to_owned()]];
        let table = Table::new([("KEY", Text), ("ID", Id)], rows);
        assert_eq!(
            table.lines(terminal),
            "\u{1b}[1mKEY\u{1b}[0m             \u{1b}[1mID\u{1b}[0m\na\\u{1b}[2J b c  \u{1b}[2m0190\u{1b}[0m\n"
        );
    }
}
