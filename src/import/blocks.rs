//! The third file: hardware that choices share, one block per row, and the cells of choices that name blocks.
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
use super::draft::{Draft, DraftBlock};
use super::figures::meant;
use super::figures::{Found, error};
use super::format::Options;
use super::measured::price;
use super::price::PriceColumns;
use super::refusal::{Need, Refusal};
use super::table::{Cell, Row, Table, no_unit_of, wrong_unit};
use super::write::{self, scalar};
use isx_exact::quantity::{Rational, parse_rate};
use isx_taskset::written::Mapping;
use isx_taskset::{Diagnostic, Source, name_problem, printable, shortened};
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
        return Err(wrong_unit(source, &table.columns[fmax], "Hz, kHz, MHz or GHz is due here").into());
    }
    let mut figures = columns.price.indices();
    figures.push(columns.fmax);
    table.find_decimal_mark(options.decimal, &figures)?;
    let mut seen: HashMap<String, Range<usize>> = HashMap::new();
    let mut problems = Problems::default();
    let mut doubts = Vec::new();
    for (before, row) in table.rows().enumerate() {
        let Some(row) = problems.keep(row) else { continue };
        let place = row.cells[columns.block].place.clone();
        if before >= MAX_TASKS {
            let message = format!("the file has more than {MAX_TASKS} blocks");
            problems.refuse(*error(source, place, message).label("one too many"));
            break;
        }
        let Some(block) = problems.keep(block(draft, &table, &columns, &row, options, &mut doubts)) else {
            continue;
        };
        let fmax = columns.fmax.filter(|&fmax| !row.cells[fmax].text.is_empty());
        if let (Some(fmax), None) = (fmax, &draft.clock) {
            let message = format!("`fmax` of block `{}` needs the processor's clock", shortened(&block.name));
            let refused = error(source, row.cells[fmax].place.clone(), message);
            return Err(Refusal::needs(
                Need::Clock,
                refused.label("a design with it runs at most this fast"),
            ));
        }
        if let Some(first) = seen.get(&block.name) {
            let line = source.line(first.start);
            let name = shortened(&block.name);
            let message = format!("a second block is named `{name}`, the first is in line {line}");
            let refused = error(source, place, message).label("named again here");
            problems.refuse(*refused.also(first.clone(), "first named here"));
            continue;
        }
        seen.insert(block.name.clone(), place);
        draft.blocks.push(block);
    }
    problems.none()?;
    draft.warnings.append(&mut doubts);
    draft.taken.push(format!("Blocks are from {}: {}.", source.file_name(), draft.blocks.len()));
    Ok(())
}

fn block(
    draft: &Draft,
    table: &Table<'_>,
    columns: &Columns,
    row: &Row<'_>,
    options: &Options,
    doubts: &mut Vec<Diagnostic>,
) -> Found<DraftBlock> {
    let source = table.source;
    let name = &row.cells[columns.block];
    let owner = format!("block `{}`", shortened(&name.text));
    let refuse = |cell: &Cell<'_>, what: &str, problem: &str| {
        error(source, cell.place.clone(), format!("{what} {problem}")).label("a name is due here")
    };
    if let Some(problem) = name_problem(&name.text) {
        return Err(refuse(name, "the name of a block", &problem.to_string()));
    }
    let filled = |column: Option<usize>| {
        column.map(|column| (column, &row.cells[column])).filter(|(_, cell)| !cell.text.is_empty())
    };
    let slot = filled(columns.slot).map(|(_, cell)| cell);
    if let Some((cell, problem)) = slot.and_then(|cell| Some((cell, name_problem(&cell.text)?))) {
        return Err(refuse(cell, &format!("`slot` of {owner}"), &problem.to_string()));
    }
    let told = filled(columns.source).map(|(_, cell)| cell.text.to_string());
    let by_report =
        price(&options.measured, draft, source, row, Some(&columns.price), (name, &owner), doubts)?;
    let (cost, from) = match by_report {
        Some((cost, from)) => (cost, Some(from)),
        None => (columns.price.read(table, row, &owner)?, None),
    };
    let fmax = filled(columns.fmax).map(|(column, _)| fmax(table, row, column, &owner)).transpose()?;
    let mut written = Mapping::named(&name.text);
    write::put_price(&mut written, &cost, draft.resources.is_empty());
    slot.iter().for_each(|slot| written.put("slot", scalar(&slot.text)));
    fmax.iter().for_each(|fmax| written.figure("fmax", write::rate(fmax)));
    let told = from.or(told).unwrap_or_else(|| table.told(row));
    written.put("source", scalar(&printable(&told)));
    let slot = slot.map(|cell| cell.text.to_string());
    Ok(DraftBlock { name: name.text.to_string(), slot, written })
}

/// A clock in hertz: with its unit in the header, or in the cell.
fn fmax(table: &Table<'_>, row: &Row<'_>, column: usize, owner: &str) -> Found<Rational> {
    let figure = table.figure(row, column, owner);
    let unit = &table.columns[column].unit;
    if unit.is_empty() {
        return figure.rate();
    }
    let in_unit = figure.number().map_err(|refused| no_unit_of(refused, unit))?;
    let one = parse_rate(&format!("1 {unit}")).unwrap_or_else(|_| Rational::zero());
    figure.above_zero(in_unit * one)
}

/// The names of the blocks that a cell of the column `uses` names.
pub(super) fn used(draft: &Draft, source: &Arc<Source>, cell: &Cell<'_>, owner: &str) -> Found<Vec<String>> {
    let refuse = |message: String, label: String| {
        let refused = error(source, cell.place.clone(), message).label(label);
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
            let label = meant(name, known).unwrap_or_else(|| "the name of a block is due here".to_owned());
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
