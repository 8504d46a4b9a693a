//! The blocks of a manifest: each is the design with it less the design without.

use super::built::{Built, Reports};
use super::reading::{entries, more, names, rest};
use crate::counted::{Counted, Placed};
use crate::draft::{MAX_TASKS, More, Problems};
use crate::figures::{Found, error, meant};
use crate::refusal::Refusal;
use isx_exact::quantity::{Rational, format_decimal, parse_rate};
use isx_taskset::document::{self, Field, Fields, Keys, Least};
use isx_taskset::{Diagnostic, Source, shortened};
use num_traits::{Signed, Zero};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

/// The most blocks that an unknown name is compared with.
const MAX_COMPARED: usize = 1_000;

const BLOCK_KEYS: &Keys = &Keys { of: "a block", names: &["reports", "timing", "over", "slot", "fmax"] };

/// What the manifest says in other words, or finds out.
const NOT_OF_BLOCK: &[&str] = &["name", "area", "cost", "source"];

/// A block with what was measured of it.
pub struct Block {
    pub name: String,
    /// Its amount of each resource.
    pub cost: Vec<Rational>,
    pub slot: Option<String>,
    /// In hertz.
    pub fmax: Option<Rational>,
    /// The blocks that its designs have besides, by number.
    pub over: Vec<usize>,
    pub source: String,
    pub more: More,
    pub place: Range<usize>,
}

/// The blocks of a manifest, in file order.
#[derive(Default)]
pub struct Blocks {
    pub all: Vec<Block>,
    by_name: HashMap<String, usize>,
    /// Names of refused blocks: using one of them is no further error.
    refused: HashSet<String>,
    /// What is doubtful about them.
    pub warnings: Vec<Diagnostic>,
}

impl Blocks {
    /// Reads all blocks; their designs are compared with the base.
    pub fn read(
        reports: &mut Reports<'_>,
        resources: &[Counted],
        base: &Built,
        field: Field<'_>,
    ) -> Result<Self, Refusal> {
        let source = reports.source;
        let mut blocks = Self::default();
        let mut spreads: Vec<Vec<Rational>> = Vec::new();
        let mut problems = Problems::default();
        for (name, node) in entries(source, field, "the name of a block")? {
            if blocks.all.len() >= MAX_TASKS {
                let message = format!("the manifest has more than {MAX_TASKS} blocks");
                problems.refuse(*error(source, name.place, message).label("one too many"));
                break;
            }
            let owner = format!("block `{}`", shortened(name.text));
            let further = rest(document::BLOCK_KEYS, BLOCK_KEYS, NOT_OF_BLOCK);
            let measured = Fields::with_more(source, node, owner, BLOCK_KEYS, &further)
                .and_then(|fields| blocks.measured(reports, base, &fields, &name));
            let Some((block, built)) = problems.keep(measured) else {
                blocks.refused.insert(name.text.to_owned());
                continue;
            };
            // A difference is as uncertain as each of the designs that it is taken of.
            let others = block.over.iter().filter_map(|&at| spreads.get(at)).chain([&base.spread]);
            let mut spread = built.spread.clone();
            for other in others {
                for (own, other) in spread.iter_mut().zip(other) {
                    *own = other.max(own).clone();
                }
            }
            blocks.warnings.extend(doubts(source, resources, &block, &built, base, &spread));
            spreads.push(spread);
            blocks.by_name.insert(block.name.clone(), blocks.all.len());
            blocks.all.push(block);
        }
        problems.none()?;
        Ok(blocks)
    }

    fn measured(
        &self,
        reports: &mut Reports<'_>,
        base: &Built,
        fields: &Fields<'_>,
        name: &Placed<'_>,
    ) -> Found<(Block, Built)> {
        let source = reports.source;
        let over = match fields.get_filled("over") {
            Some(field) => self.named(source, field, &fields.owner)?,
            None => Vec::new(),
        };
        let built = reports.design(fields)?;
        let mut cost: Vec<Rational> =
            built.amounts.iter().zip(&base.amounts).map(|(with, without)| with - without).collect();
        let mut told = format!("{} less {}", built.words, base.words);
        for under in over.iter().filter_map(|&at| self.all.get(at)) {
            cost.iter_mut().zip(&under.cost).for_each(|(own, under)| *own -= under);
            told = format!("{told} less {}", under.name);
        }
        let slot = fields.get_filled("slot").map(Field::label).transpose()?;
        let fmax = fmax(reports, fields)?;
        let block = Block {
            name: name.text.to_owned(),
            cost,
            slot,
            fmax,
            over,
            source: told,
            more: more(fields, BLOCK_KEYS),
            place: name.place.clone(),
        };
        Ok((block, built))
    }

    /// The blocks that a list names, by number in file order; every block that one of them was measured over must be
    /// named too.
    pub fn named(&self, source: &Arc<Source>, field: Field<'_>, owner: &str) -> Found<Vec<usize>> {
        let mut numbers: Vec<(usize, Range<usize>)> = Vec::new();
        for name in names(source, field, "the name of a block")? {
            if self.refused.contains(name.text) {
                continue;
            }
            let Some(&number) = self.by_name.get(name.text) else {
                let message = format!("`{}` of {owner}: unknown block `{}`", field.key, shortened(name.text));
                let known = self.all.iter().take(MAX_COMPARED).map(|block| block.name.as_str());
                let label = meant(name.text, known);
                return Err(error(source, name.place, message)
                    .label(label.unwrap_or_else(|| "the name of a block is due here".to_owned()))
                    .help("a block stands under `blocks`, above the blocks that are measured over it"));
            };
            numbers.push((number, name.place));
        }
        numbers.sort_by_key(|(number, _)| *number);
        let mut slots: HashMap<&str, &Block> = HashMap::new();
        for (number, place) in &numbers {
            let Some(block) = self.all.get(*number) else { continue };
            let is_named = |under: &usize| numbers.binary_search_by_key(under, |(number, _)| *number).is_ok();
            if let Some(under) = block.over.iter().find(|under| !is_named(under)) {
                let under = self.all.get(*under).map_or("", |block| &block.name);
                let (name, under) = (shortened(&block.name), shortened(under));
                let message = format!("`{}` of {owner}: `{name}` without `{under}`", field.key);
                return Err(error(source, place.clone(), message)
                    .label(format!("measured over `{under}`"))
                    .help(format!("name `{under}` too: what `{name}` takes without it was not measured")));
            }
            if let Some(slot) = &block.slot
                && let Some(rival) = slots.insert(slot, block)
            {
                let (name, rival, slot) = (shortened(&block.name), shortened(&rival.name), shortened(slot));
                let message =
                    format!("`{}` of {owner}: `{rival}` and `{name}` are of one slot, `{slot}`", field.key);
                return Err(error(source, place.clone(), message).label("a design has at most one of them"));
            }
        }
        Ok(numbers.into_iter().map(|(number, _)| number).collect())
    }

    /// The names of these blocks.
    pub fn names_of(&self, numbers: &[usize]) -> Vec<String> {
        numbers.iter().filter_map(|&number| Some(self.all.get(number)?.name.clone())).collect()
    }
}

/// The worst clock of all timing reports, or the one that is given.
pub fn fmax(reports: &mut Reports<'_>, fields: &Fields<'_>) -> Found<Option<Rational>> {
    let given = fields.get_filled("fmax");
    let Some(timing) = fields.get_filled("timing") else {
        return given.map(clock).transpose();
    };
    if let Some(given) = given {
        return Err(given
            .error("stands beside `timing`")
            .label("a clock by hand")
            .also(timing.place(), "clocks by reports")
            .help("leave one of the two out"));
    }
    let mut worst: Option<Rational> = None;
    for path in names(reports.source, timing, "the path of a report")? {
        let report = reports.get(&path)?;
        let Some(least) = report.clocks.values().min().filter(|least| least.is_positive()) else {
            let message = format!("report `{}` ({}) names no clock", shortened(path.text), report.tool);
            return Err(error(reports.source, path.place, message)
                .label("this report")
                .help("`timing` takes the reports of placed and routed designs, such as those of `nextpnr --report`"));
        };
        worst = Some(worst.map_or_else(|| least.clone(), |worst| worst.min(least.clone())));
    }
    Ok(worst)
}

/// A clock above 0, in hertz.
pub fn clock(field: Field<'_>) -> Found<Rational> {
    let rate = field.quantity("a clock rate", Least::AboveZero, parse_rate)?;
    field.not_zero(&rate)?;
    Ok(rate)
}

/// A warning for each amount that is negative, or smaller than the builds of one design lie apart.
fn doubts(
    source: &Arc<Source>,
    resources: &[Counted],
    block: &Block,
    built: &Built,
    base: &Built,
    spread: &[Rational],
) -> Vec<Diagnostic> {
    let doubt = |((counted, cost), spread): ((&Counted, &Rational), &Rational)| {
        let (name, amount, resource) = (shortened(&block.name), format_decimal(cost), &counted.name);
        let (what, label) = if cost.is_negative() {
            (
                format!("block `{name}` takes {amount} {resource}: the design with it is smaller"),
                "a negative difference",
            )
        } else if !cost.is_zero() && cost < spread {
            let spread = format_decimal(spread);
            (
                format!(
                    "block `{name}` takes {amount} {resource}, and builds of one design lie {spread} apart"
                ),
                "a difference within the noise",
            )
        } else {
            return None;
        };
        let files = [built.files.join(", "), base.files.join(", ")].join(" less ");
        let help = "give reports of more recipes or seeds, of both designs; the best of each counts";
        Some(
            *Diagnostic::warning(source, block.place.clone(), format!("{what} ({files})"))
                .label(label)
                .help(help),
        )
    };
    resources.iter().zip(&block.cost).zip(spread).filter_map(doubt).collect()
}
