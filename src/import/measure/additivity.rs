//! Whether blocks add up: combinations that were built, against the sums of their blocks.
//!
//! Two units together take more or less than one after the other, since tools share and move logic. A task set adds blocks, so
//! a manifest may name combinations that were built (`check`), and the imported file says how far each sum is off. Where one
//! is off by more than `merge_above`, blocks are offered that were measured as one, in a slot that lets a design have one of
//! them: with them the front is that of what was built.

use super::blocks::{self, Block, Blocks};
use super::built::{Built, Reports, as_cost};
use super::shares::{is_off, parse_share, percent, relative};
use crate::counted::Counted;
use crate::draft::Problems;
use crate::figures::{Found, error};
use crate::refusal::Refusal;
use crate::write::{rate, scalar};
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::document::{Field, Fields, Keys, Node};
use isx_taskset::{Diagnostic, Source, in_percent, shortened};
use num_traits::One;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Writes amounts by resource as a task set has them: `cost: {LUT: 41}`, or an area.
type InYaml<'a> = dyn Fn(&[(String, Rational)]) -> String + 'a;

const CHECK_KEYS: &Keys = &Keys { of: "a check", names: &["blocks", "reports", "timing"] };

/// A combination of blocks that was built.
pub struct Check {
    /// Its blocks, by number in file order.
    blocks: Vec<usize>,
    predicted: Vec<Rational>,
    built: Vec<Rational>,
    /// The clock that its blocks allow, and the one that was reached, in hertz.
    clocks: Option<[Rational; 2]>,
    pub place: Range<usize>,
}

impl Check {
    /// The clocks in words, if the one that was reached is lower by more than this share.
    pub fn too_slow(&self, blocks: &Blocks, share: &Rational) -> Option<String> {
        let [allowed, reached] = self.clocks.as_ref()?;
        let words = |hertz: &Rational| rate(hertz).unwrap_or_else(|| format_decimal(hertz));
        (*reached < allowed * (Rational::one() - share)).then(|| {
            format!(
                "{} together reach {}, and each of them allows {}: designs with all of them are slower than the set says",
                blocks.names_of(&self.blocks).join(" + "),
                words(reached),
                words(allowed)
            )
        })
    }
}

/// Reads all checks.
pub fn read(
    reports: &mut Reports<'_>,
    blocks: &Blocks,
    base: &Built,
    fastest: &Rational,
    field: Field<'_>,
) -> Result<Vec<Check>, Refusal> {
    let mut problems = Problems::default();
    let mut checks = Vec::new();
    for (at, node) in field.list()?.iter().enumerate() {
        checks.extend(problems.keep(check(reports, blocks, base, fastest, at, node)));
    }
    problems.none()?;
    Ok(checks)
}

fn check(
    reports: &mut Reports<'_>,
    blocks: &Blocks,
    base: &Built,
    fastest: &Rational,
    at: usize,
    node: &Node<'_>,
) -> Found<Check> {
    let owner = format!("check {}", at + 1);
    let fields = Fields::new(reports.source, node, owner.clone(), CHECK_KEYS)?;
    let field = fields.required("blocks")?;
    let numbers = blocks.named(reports.source, field, &owner)?;
    if numbers.len() < 2 {
        let place = field.node.bytes.clone();
        return Err(error(reports.source, place, format!("{field} names one block"))
            .label("two or more are due here")
            .help("a check is about blocks built together"));
    }
    let built = reports.design(&fields)?;
    let built = built.amounts.iter().zip(&base.amounts).map(|(with, without)| with - without).collect();
    let limits = numbers.iter().filter_map(|&number| blocks.all.get(number)?.fmax.as_ref());
    let allowed = limits.chain([fastest]).min().cloned().unwrap_or_default();
    let clocks = blocks::fmax(reports, &fields)?.map(|reached| [allowed, reached]);
    let place = field.node.bytes.clone();
    Ok(Check { predicted: sum(blocks, &numbers), blocks: numbers, built, clocks, place })
}

/// What blocks take by the sum of their amounts.
fn sum(blocks: &Blocks, numbers: &[usize]) -> Vec<Rational> {
    let costs = || numbers.iter().filter_map(|&number| blocks.all.get(number)).map(|block| &block.cost);
    let resources = costs().next().map_or(0, Vec::len);
    (0..resources).map(|at| costs().filter_map(|cost| cost.get(at)).sum()).collect()
}

/// A share as the value of a key.
pub fn share(field: Field<'_>) -> Found<Rational> {
    let text = field.text("a share such as `5 %`")?;
    parse_share(text).map_err(|problem| {
        field.refused(format!("{field}: {problem}")).label("a share such as `5 %` is due here")
    })
}

/// A warning for each combination that is far from the sum of its blocks.
pub fn doubts(
    source: &Arc<Source>,
    resources: &[Counted],
    blocks: &Blocks,
    checks: &[Check],
    merge_above: &Rational,
) -> Vec<Diagnostic> {
    let off = checks.iter().filter(|check| is_off(&check.predicted, &check.built, merge_above));
    let warning = |check: &Check| {
        let amounts = resources.iter().zip(check.predicted.iter().zip(&check.built));
        let far =
            amounts.filter(|(_, (sum, built))| is_off(&[(*sum).clone()], &[(*built).clone()], merge_above));
        let far: Vec<String> = far
            .map(|(counted, (sum, built))| {
                let share = percent(relative(sum, built).as_ref());
                let name = &counted.name;
                format!(
                    "{} {name} built, {} {name} by their sum ({share})",
                    format_decimal(built),
                    format_decimal(sum)
                )
            })
            .collect();
        let names = blocks.names_of(&check.blocks).iter().map(|name| shortened(name)).collect::<Vec<_>>();
        let message = format!("blocks {} together: {}", names.join(" + "), far.join("; "));
        *Diagnostic::warning(source, check.place.clone(), message)
            .label(format!("more than {} apart", in_percent(merge_above)))
            .help("a front by sums is wrong by as much: the head of the imported file has blocks to compute with instead")
    };
    off.map(warning).collect()
}

/// What the header of the task set says of the checks, a line each.
pub fn report(
    resources: &[Counted],
    blocks: &Blocks,
    checks: &[Check],
    merge_above: &Rational,
    amounts: &InYaml<'_>,
) -> Vec<String> {
    if checks.is_empty() {
        return Vec::new();
    }
    let mut lines = vec!["Built combinations against the sums of their blocks:".to_owned()];
    for check in checks {
        let one = |((counted, predicted), built): ((&Counted, &Rational), &Rational)| {
            format!(
                "predicted {} {}, built {}, difference {} ({})",
                format_decimal(predicted),
                counted.name,
                format_decimal(built),
                format_decimal(&(built - predicted)),
                percent(relative(predicted, built).as_ref())
            )
        };
        let clocks = check.clocks.as_ref().map(|clocks| {
            let [allowed, reached] =
                clocks.each_ref().map(|hertz| rate(hertz).unwrap_or_else(|| format_decimal(hertz)));
            format!("predicted {allowed}, reached {reached}")
        });
        let amounts = resources.iter().zip(&check.predicted).zip(&check.built).map(one);
        let amounts: Vec<String> = amounts.chain(clocks).collect();
        lines.push(format!("- {}: {}", blocks.names_of(&check.blocks).join(" + "), amounts.join("; ")));
    }
    let off: Vec<&Check> =
        checks.iter().filter(|check| is_off(&check.predicted, &check.built, merge_above)).collect();
    if off.is_empty() {
        lines.push(format!("Every sum is within {} of what was built.", in_percent(merge_above)));
        return lines;
    }
    let taken: BTreeSet<&str> = blocks.all.iter().filter_map(|block| block.slot.as_deref()).collect();
    let slots = (1..).map(slot_name).filter(|name| !taken.contains(name.as_str()));
    for (together, slot) in joined(blocks, &off).iter().zip(slots) {
        lines.extend(offer(resources, blocks, checks, merge_above, amounts, together, &slot));
    }
    lines
}

fn slot_name(number: usize) -> String {
    if number == 1 { "together".to_owned() } else { format!("together-{number}") }
}

/// The blocks that must share a slot: those of a sum that is off, those that they exclude already, and so on.
fn joined(blocks: &Blocks, off: &[&Check]) -> Vec<BTreeSet<usize>> {
    let mut groups: Vec<BTreeSet<usize>> = Vec::new();
    for check in off {
        let slots: BTreeSet<&str> =
            check.blocks.iter().filter_map(|&at| blocks.all.get(at)?.slot.as_deref()).collect();
        let of_slots = blocks
            .all
            .iter()
            .enumerate()
            .filter(|(_, block)| block.slot.as_deref().is_some_and(|slot| slots.contains(slot)));
        let mut group: BTreeSet<usize> =
            check.blocks.iter().copied().chain(of_slots.map(|(at, _)| at)).collect();
        let (touched, apart): (Vec<_>, Vec<_>) =
            groups.into_iter().partition(|other| !other.is_disjoint(&group));
        group.extend(touched.into_iter().flatten());
        groups = apart;
        groups.push(group);
    }
    groups
}

/// Blocks in place of sums that are off, as YAML, and what to do with them.
fn offer(
    resources: &[Counted],
    blocks: &Blocks,
    checks: &[Check],
    merge_above: &Rational,
    amounts: &InYaml<'_>,
    together: &BTreeSet<usize>,
    slot: &str,
) -> Vec<String> {
    let members: Vec<usize> = together.iter().copied().collect();
    let is_member = |numbers: &[usize]| numbers.iter().all(|number| together.contains(number));
    let yaml = |numbers: &[usize], cost: &[Rational]| {
        let name = scalar(&blocks.names_of(numbers).join("+"));
        format!("- {{name: {name}, {}, slot: {slot}}}", amounts(&as_cost(resources, cost)))
    };
    let mut lines = vec![
        format!(
            "Sums of {} are off by more than {}. To compute with what was built in their place, change this file:",
            blocks.names_of(&members).join(", "),
            in_percent(merge_above)
        ),
        format!("1. these blocks get `slot: {slot}` in place of the slots that they have, so that a design builds one of the slot;"),
        "2. the blocks below are added, each of them several of these built and measured as one;".to_owned(),
        "3. a choice that uses several of these uses the one block below that is just these, and every choice is repeated, under \
         a name of its own, for each larger block below that has all it uses: so tasks can share that block."
            .to_owned(),
        "Designs with others of these blocks together are then left out: a further check adds them.".to_owned(),
    ];
    let measured = checks.iter().filter(|check| is_member(&check.blocks));
    lines.extend(measured.map(|check| yaml(&check.blocks, &check.built)));
    let single = |(at, block): (usize, &Block)| {
        let numbers: Vec<usize> = block.over.iter().copied().chain([at]).collect();
        let is_one = !block.over.is_empty() && is_member(&numbers);
        let is_checked = || checks.iter().any(|check| check.blocks == numbers);
        (is_one && !is_checked()).then(|| yaml(&numbers, &sum(blocks, &numbers)))
    };
    lines.extend(blocks.all.iter().enumerate().filter_map(single));
    lines
}
