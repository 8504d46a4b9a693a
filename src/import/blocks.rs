//! The table of blocks, hardware that choices share, one block per row; and the cells of choices that name blocks.
//!
//! ```text
//! block,  area [NAND2], slot,   fmax_MHz
//! sbox,   464,          crypto, 90
//! ```
//!
//! Columns are `block` or `name`, `area` or the costs in several [resources](super::price), and optionally `slot`, `fmax` and `source`. A choice names its blocks in its
//! column `uses`: with spaces, commas or semicolons between them; a name that holds one of these stands alone.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use num_traits::Zero;

use super::draft::MAX_TASKS;
use super::draft::{Draft, DraftBlock, named_again, one_too_many};
use super::figures::{Figure, Found, meant};
use super::format::Options;
use super::measured::price;
use super::price::PriceColumns;
use super::printed::Part;
use super::refusal::{Need, Refusal};
use super::table::{Row, Table, wrong_unit};
use isx_exact::quantity::{Rational, parse_rate};
use isx_taskset::{Source, name_problem, printable, shortened};
use isx_text::Problems;

const HELP: &str = "the columns of blocks are `block`, `area` (or `cost.LUT`, `cost.DSP` ..) and, if there are any, `slot`, `fmax` and `source`";

/// The units of `fmax`.
const UNITS: &[&str] = &["Hz", "kHz", "MHz", "GHz"];

fn is_unit(text: &str) -> bool {
    UNITS.iter().any(|unit| unit.eq_ignore_ascii_case(text))
}

struct Columns {
    block: usize,
    price: PriceColumns,
    slot: Option<usize>,
    fmax: Option<usize>,
    source: Option<usize>,
}

/// Adds the blocks to the draft.
pub(super) fn add(draft: &mut Draft, source: &Arc<Source>, options: &Options) -> Result<(), Refusal> {
    let mut table = Table::new(source, is_unit)?;
    let columns = Columns {
        block: table.required(&["block", "name"], HELP)?,
        price: match PriceColumns::of(&table, draft)? {
            Some(price) => price,
            None => PriceColumns::Area(table.required(&["area"], HELP)?),
        },
        slot: table.find(&["slot"])?,
        fmax: match table.columns.iter().any(|column| column.name.starts_with("fmax_")) {
            // With a unit that is not known: designs must not seem faster than they are.
            true => Some(table.required(&["fmax"], HELP)?),
            false => table.find(&["fmax"])?,
        },
        source: table.find(&["source"])?,
    };
    let mut read = vec![Some(columns.block), columns.slot, columns.fmax, columns.source];
    read.extend(columns.price.indices());
    table.leave_out(draft, &read, "columns that no block has");
    if let Some(fmax) = columns.fmax
        && !table.columns[fmax].unit.is_empty()
        && !is_unit(&table.columns[fmax].unit)
    {
        return Err(wrong_unit(source, &table.columns[fmax], "expected Hz, kHz, MHz or GHz").into());
    }
    let mut figures = columns.price.indices();
    figures.push(columns.fmax);
    table.find_decimal_mark(options.decimal, &figures)?;
    let mut seen: HashMap<String, Range<usize>> = HashMap::new();
    let mut problems = Problems::default();
    for (before, row) in table.rows().enumerate() {
        let Some(row) = problems.keep(row) else { continue };
        let place = row.cells[columns.block].place.clone();
        if before >= MAX_TASKS {
            problems.refuse(*one_too_many(source, place, "blocks"));
            break;
        }
        let Some(block) = problems.keep(block(draft, &table, &columns, &row, options)) else { continue };
        if let (Some(fmax), None) = (row.filled(columns.fmax), &draft.clock) {
            let message = format!("`fmax` of block `{}` needs the processor's clock", shortened(&block.name));
            let refused = row.error(fmax, message).label("a design with it runs at most this fast");
            return Err(Refusal::needs(Need::Clock, refused));
        }
        if let Some(first) = seen.get(&block.name) {
            problems.refuse(*named_again(source, "block", &block.name, place, first));
            continue;
        }
        seen.insert(block.name.clone(), place);
        draft.blocks.push(block);
    }
    problems.none()?;
    draft.taken.push(format!("Blocks are from {}: {}.", source.file_name(), draft.blocks.len()));
    Ok(())
}

fn block(
    draft: &mut Draft,
    table: &Table<'_>,
    columns: &Columns,
    row: &Row<'_>,
    options: &Options,
) -> Found<DraftBlock> {
    let name = row.cells[columns.block].text.to_string();
    let owner = format!("block `{}`", shortened(&name));
    let check = |column: usize, what: &str| match name_problem(&row.cells[column].text) {
        Some(problem) => Err(row.error(column, format!("{what} {problem}")).label("expected a name")),
        None => Ok(row.cells[column].text.to_string()),
    };
    check(columns.block, "the name of a block")?;
    let slot = row.filled(columns.slot).map(|slot| check(slot, &format!("`slot` of {owner}"))).transpose()?;
    let by_report = price(&options.measured, draft, row, Some(&columns.price), (columns.block, &owner))?;
    let (cost, from) = match by_report {
        Some((cost, from)) => (cost, from),
        None => (columns.price.read(row, &owner)?, row.origin(columns.source)),
    };
    let mut part = Part::named(&name);
    part.price(cost, draft.resources.is_empty());
    slot.iter().for_each(|slot| part.words("slot", slot));
    if let Some(column) = row.filled(columns.fmax) {
        part.rate("fmax", &fmax(row.figure(column, &owner), &table.columns[column].unit)?);
    }
    part.words("source", &printable(&from));
    Ok(DraftBlock { name, slot, part })
}

/// A clock in hertz: with its unit in the header, or in the cell.
fn fmax(figure: Figure<'_>, unit: &str) -> Found<Rational> {
    if unit.is_empty() {
        return figure.rate();
    }
    let in_unit = figure.number().map_err(|refused| {
        refused.help(format!("the header gives the unit, {unit}: the cell has the number alone"))
    })?;
    let one = parse_rate(&format!("1 {unit}")).unwrap_or_else(|_| Rational::zero());
    figure.above_zero(in_unit * one)
}

/// The names of the blocks that a cell of the column `uses` names.
pub(super) fn used(draft: &Draft, row: &Row<'_>, column: usize, owner: &str) -> Found<Vec<String>> {
    let cell = &row.cells[column];
    let refuse = |message: String, label: String| {
        let refused = row.error(column, message).label(label);
        Err(refused.help("block names stand with spaces, commas or semicolons between them"))
    };
    let find = |name: &str| draft.blocks.iter().find(|block| block.name == name);
    let between = |c: char| c.is_whitespace() || matches!(c, ',' | ';');
    let names: Vec<&str> = match find(&cell.text) {
        Some(block) => vec![&block.name],
        None => cell.text.split(between).filter(|name| !name.is_empty()).collect(),
    };
    let mut used: Vec<&DraftBlock> = Vec::with_capacity(names.len());
    for name in names {
        let Some(block) = find(name) else {
            let known = draft.blocks.iter().map(|block| block.name.as_str());
            let label = meant(name, known).unwrap_or_else(|| "expected the name of a block".to_owned());
            return refuse(format!("`uses` of {owner}: no block is named `{}`", shortened(name)), label);
        };
        let name = shortened(name);
        if used.iter().any(|other| other.name == block.name) {
            return refuse(format!("{owner} uses block `{name}` twice"), "once is enough".to_owned());
        }
        let rival = used.iter().find(|other| block.slot.is_some() && other.slot == block.slot);
        if let (Some(rival), Some(slot)) = (rival, &block.slot) {
            let (rival, slot) = (shortened(&rival.name), shortened(slot));
            let message = format!("{owner} uses blocks `{rival}` and `{name}` of one slot, `{slot}`");
            return refuse(message, "a design builds at most one block of a slot".to_owned());
        }
        used.push(block);
    }
    Ok(used.into_iter().map(|block| block.name.clone()).collect())
}
