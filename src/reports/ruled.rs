//! Tables drawn in text: rules `+---+---+` between rows whose cells are separated by `|` or `;`.

use crate::content::Content;
use crate::report::Report;
use isx_exact::quantity::Rational;
use isx_text::Found;
use isx_text::cells::{Cell, cells, lines};
use isx_text::figures::error;
use isx_text::{printable, shortened};
use std::collections::BTreeMap;

/// The amounts of a table by name: `None` for a name with several amounts, an error for a cell that is not a number.
pub type Amounts = BTreeMap<String, Found<Option<Rational>>>;

/// A line of the text and its offset.
pub type Line<'t> = (usize, &'t str);

/// A table: the rows between each two of its rules.
pub struct Ruled<'t> {
    pub groups: Vec<Vec<Line<'t>>>,
    last: Line<'t>,
    is_closed: bool,
}

/// The tables of a text whose cells stand between `separator`.
pub fn tables(text: &str, separator: char) -> impl Iterator<Item = Ruled<'_>> {
    let mut lines = lines(text, 0);
    std::iter::from_fn(move || {
        let first = lines.find(|(_, line)| line.starts_with("+-"))?;
        let mut table = Ruled { groups: vec![Vec::new()], last: first, is_closed: true };
        for (start, line) in lines.by_ref() {
            let is_rule = line.starts_with("+-");
            if !is_rule && !line.starts_with(separator) {
                break;
            }
            (table.last, table.is_closed) = ((start, line), is_rule);
            if is_rule {
                table.groups.push(Vec::new());
            } else if let Some(group) = table.groups.last_mut() {
                group.push((start, line.trim_end()));
            }
        }
        table.groups.retain(|group| !group.is_empty());
        Some(table)
    })
}

impl Ruled<'_> {
    /// Refuses a table without its last rule: the file is cut off.
    pub fn refuse_open(&self, content: &Content<'_>) -> Found<()> {
        if self.is_closed {
            return Ok(());
        }
        let (start, line) = self.last;
        let refused =
            error(content.source, start..start + line.len(), "the table does not end: it has no last rule");
        Err(refused.label("its last line").help("the file is cut off: write the report again"))
    }
}

/// The cells of a row.
pub fn row<'t>(content: &Content<'t>, line: Line<'t>, separator: char) -> Found<Vec<Cell<'t>>> {
    let (start, text) = line;
    let inner = text.strip_prefix(separator).and_then(|text| text.strip_suffix(separator));
    match inner {
        Some(inner) => cells(content.source, start + separator.len_utf8(), inner, separator),
        None => {
            let refused =
                error(content.source, start..start + text.len(), "the row of the table does not end");
            Err(refused
                .label(format!("expected `{separator}` at its end"))
                .help("the file is cut off: write the report again"))
        }
    }
}

/// Refuses a row with more or fewer cells than its head.
pub fn refuse_ragged(content: &Content<'_>, line: Line<'_>, found: &[Cell<'_>], wanted: usize) -> Found<()> {
    if found.len() == wanted {
        return Ok(());
    }
    let name = found.first().map_or("", |cell| &cell.text);
    let message = format!("the row `{}` has {} cells, the head {wanted}", shortened(name), found.len());
    Err(error(content.source, line.0..line.0 + line.1.len(), message)
        .label("expected as many cells as in the head"))
}

/// The name without the star that points to a footnote.
pub fn without_star(name: &str) -> &str {
    name.trim_end_matches('*').trim()
}

/// Notes an amount of a table; a name with two amounts has none.
pub fn note(of_table: &mut Amounts, name: &str, amount: Found<Rational>) {
    let name = printable(name);
    let amount = amount.map(Some);
    let first = of_table.entry(name).or_insert_with(|| amount.clone());
    if *first != amount {
        *first = Ok(None);
    }
}

/// Adds the amounts of a table whose names no table before it has.
pub fn merge(report: &mut Report, of_table: Amounts) {
    for (name, amount) in of_table {
        match amount {
            _ if report.amounts.contains_key(&name) || report.unread.contains_key(&name) => {}
            Ok(Some(amount)) => drop(report.amounts.insert(name, amount)),
            Ok(None) => {}
            Err(refused) => drop(report.unread.insert(name, refused)),
        }
    }
}
