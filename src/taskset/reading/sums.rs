//! Whether blocks add up: combinations that were built, against the sums of their blocks.
//!
//! ```yaml
//! merge_above: 5 %                                            # this if left out
//! check: [{blocks: [crc, sha], reports: [both.json], timing: [both.pnr.json]}]
//! ```
//!
//! Two units together take more or less than one after the other, since tools share and move logic. A task set adds blocks, so
//! it may name combinations that were built: a sum that is off by more than `merge_above` is a warning. The notes on the set
//! then offer blocks that were measured as one, in a slot that lets a design have one of them: with them the front is that of
//! what was built.

use std::collections::BTreeSet;
use std::ops::Range;

use isx_exact::quantity::{Rational, format_decimal, format_rate};
use isx_reports::shares::{is_off, parse_share, percent, relative};
use num_bigint::BigInt;
use num_traits::One;

use super::fields::Fields;
use super::keys::{CHECK_KEYS, SET_KEYS};
use super::measured::{Combination, Freezer, MOST_NAMED};
use super::resources::listed;
use super::tree::Node;
use crate::diagnostics::{Diagnostic, Found, scalar, shortened};
use crate::in_percent;

/// The share by which a sum of blocks may be off, in percent, if the set does not say it.
const MERGE_ABOVE: u32 = 5;

/// A combination of blocks that was built.
struct Check {
    /// Its blocks, by number in file order.
    blocks: Vec<usize>,
    sum: Vec<Rational>,
    built: Vec<Rational>,
    /// The clock that its blocks allow, and the one that was reached, in hertz.
    clocks: Option<[Rational; 2]>,
    place: Range<usize>,
}

/// Compares the combinations of `check` with the sums of their blocks: adds notes on them, and warnings of those that are too
/// slow; returns a warning for each sum that is off.
pub fn check(freezer: &mut Freezer<'_>, root: &Node<'_>) -> Found<Vec<Diagnostic>> {
    let set = Fields::new(freezer.source, root, "the task set".to_owned(), SET_KEYS)?;
    let merge_above = match set.get_filled("merge_above") {
        Some(field) => parse_share(field.text("a share such as `5 %`")?).map_err(|problem| {
            field.refused(format!("{field}: {problem}")).label("expected a share such as `5 %`")
        })?,
        None => Rational::new(BigInt::from(MERGE_ABOVE), BigInt::from(100)),
    };
    let Some(field) = set.get_filled("check") else { return Ok(Vec::new()) };
    let mut checks = Vec::new();
    for (at, node) in field.list()?.iter().enumerate() {
        let check = read(freezer, at, node);
        checks.extend(freezer.problems.keep(check).flatten());
    }
    let sums = Sums { freezer, checks: &checks, merge_above: &merge_above };
    let (notes, too_slow, off) = (sums.notes(), sums.too_slow(), sums.off());
    freezer.measured.notes.extend(notes);
    freezer.warnings.extend(too_slow);
    Ok(off)
}

/// A check; `None` if one of its blocks was refused.
fn read(freezer: &mut Freezer<'_>, at: usize, node: &Node<'_>) -> Found<Option<Check>> {
    let owner = format!("check {}", at + 1);
    let fields = Fields::new(freezer.source, node, owner.clone(), CHECK_KEYS)?;
    let field = fields.required("blocks")?;
    let names = listed(field, "the name of a block", "crc, sha", MOST_NAMED)?;
    let blocks = freezer.named(&names, &field.to_string())?;
    if blocks.len() < 2 {
        return Err(field
            .error("names one block")
            .label("expected two or more")
            .help("a check is about blocks built together"));
    }
    let with = freezer.design(&fields)?.amounts;
    let base = freezer.base_of(node, &owner)?;
    let built = with.iter().zip(&base.amounts).map(|(with, without)| with - without).collect();
    let mut files: Vec<String> = Vec::new();
    for field in ["reports", "timing"].into_iter().filter_map(|key| fields.get_filled(key)) {
        files.extend(freezer.paths(field)?.iter().map(|path| path.text.to_owned()));
    }
    let reached = fields.get_filled("timing").map(|field| freezer.clock(field, None)).transpose()?;
    let limits = blocks.iter().filter_map(|&number| freezer.blocks.get(number)?.fmax.as_ref());
    let allowed = limits.chain(&freezer.fastest).min().cloned();
    let clocks = allowed.zip(reached).map(|(allowed, (reached, _))| [allowed, reached]);
    let names = blocks.iter().map(|&number| freezer.blocks[number].name.clone()).collect();
    freezer.measured.combinations.push(Combination { blocks: names, files });
    let sum = freezer.sum(&blocks);
    Ok(sum.map(|sum| Check { blocks, sum, built, clocks, place: node.bytes.clone() }))
}

impl Freezer<'_> {
    /// What blocks take by the sum of their amounts; `None` if that of one is not known.
    fn sum(&self, numbers: &[usize]) -> Option<Vec<Rational>> {
        let mut sum = vec![Rational::default(); self.resources.len()];
        for &number in numbers {
            let cost = self.blocks.get(number)?.cost.as_ref()?;
            sum.iter_mut().zip(cost).for_each(|(sum, own)| *sum += own);
        }
        Some(sum)
    }
}

struct Sums<'s> {
    freezer: &'s Freezer<'s>,
    checks: &'s [Check],
    merge_above: &'s Rational,
}

impl Sums<'_> {
    fn is_off(&self, check: &Check) -> bool {
        is_off(&check.sum, &check.built, self.merge_above)
    }

    fn names(&self, numbers: &[usize], between: &str) -> String {
        let name = |&number: &usize| self.freezer.blocks.get(number).map(|block| block.name.as_str());
        numbers.iter().filter_map(name).collect::<Vec<_>>().join(between)
    }

    /// A warning for each combination that is slower than each of its blocks allows.
    fn too_slow(&self) -> Vec<Diagnostic> {
        let warning = |check: &Check| {
            let [allowed, reached] = check.clocks.as_ref()?;
            (*reached < allowed * (Rational::one() - self.merge_above)).then(|| {
                let message = format!(
                    "{} together reach {}, and each of them allows {}: designs with all of them are slower than the set says",
                    shortened(&self.names(&check.blocks, " + ")),
                    format_rate(reached),
                    format_rate(allowed)
                );
                *Diagnostic::warning(self.freezer.source, check.place.clone(), message)
            })
        };
        self.checks.iter().filter_map(warning).collect()
    }

    /// A warning for each combination that is far from the sum of its blocks.
    fn off(&self) -> Vec<Diagnostic> {
        let warning = |check: &Check| {
            let amounts = self.freezer.resources.iter().zip(check.sum.iter().zip(&check.built));
            let far = amounts.filter_map(|(counted, (sum, built))| {
                let one = std::slice::from_ref;
                is_off(one(sum), one(built), self.merge_above).then(|| {
                    let (name, share) = (&counted.name, percent(relative(sum, built).as_ref()));
                    let [built, sum] = [built, sum].map(format_decimal);
                    format!("{built} {name} built, {sum} {name} by their sum ({share})")
                })
            });
            let far: Vec<String> = far.collect();
            let names = shortened(&self.names(&check.blocks, " + "));
            let message = format!("blocks {names} together: {}", far.join("; "));
            *Diagnostic::warning(self.freezer.source, check.place.clone(), message)
                .label(format!("more than {} apart", in_percent(self.merge_above)))
                .help("a front computed from these sums is off by as much: the first lines of the file that `isx import` writes offer measured blocks in their place")
        };
        self.checks.iter().filter(|check| self.is_off(check)).map(warning).collect()
    }

    /// What is to be known of the combinations, a line each.
    fn notes(&self) -> Vec<String> {
        if self.checks.is_empty() {
            return Vec::new();
        }
        let mut lines = vec!["Built combinations against the sums of their blocks:".to_owned()];
        for check in self.checks {
            let amounts = self.freezer.resources.iter().zip(check.sum.iter().zip(&check.built));
            let amounts = amounts.map(|(counted, (sum, built))| {
                format!(
                    "predicted {} {}, built {}, difference {} ({})",
                    format_decimal(sum),
                    counted.name,
                    format_decimal(built),
                    format_decimal(&(built - sum)),
                    percent(relative(sum, built).as_ref())
                )
            });
            let clocks = check.clocks.as_ref();
            let clocks = clocks.map(|[allowed, reached]| {
                format!("predicted {}, reached {}", format_rate(allowed), format_rate(reached))
            });
            let all: Vec<String> = amounts.chain(clocks).collect();
            lines.push(format!("- {}: {}", self.names(&check.blocks, " + "), all.join("; ")));
        }
        let off: Vec<&Check> = self.checks.iter().filter(|check| self.is_off(check)).collect();
        if off.is_empty() {
            lines.push(format!("Every sum is within {} of what was built.", in_percent(self.merge_above)));
        }
        let taken: BTreeSet<&str> =
            self.freezer.blocks.iter().filter_map(|block| block.slot.as_deref()).collect();
        let slot =
            |number: usize| if number == 1 { "together".to_owned() } else { format!("together-{number}") };
        let slots = (1..).map(slot).filter(|name| !taken.contains(name.as_str()));
        for (together, slot) in self.joined(&off).iter().zip(slots) {
            lines.extend(self.offer(together, &slot));
        }
        lines
    }

    /// The blocks that must share a slot: those of a sum that is off, those that they exclude already, and so on.
    fn joined(&self, off: &[&Check]) -> Vec<BTreeSet<usize>> {
        let all = &self.freezer.blocks;
        let mut groups: Vec<BTreeSet<usize>> = Vec::new();
        for check in off {
            let is_excluded = |slot: &str| {
                check
                    .blocks
                    .iter()
                    .any(|&at| all.get(at).is_some_and(|block| block.slot.as_deref() == Some(slot)))
            };
            let excluded = (0..all.len()).filter(|&at| all[at].slot.as_deref().is_some_and(is_excluded));
            let mut group: BTreeSet<usize> = check.blocks.iter().copied().chain(excluded).collect();
            let (touched, apart): (Vec<_>, Vec<_>) =
                groups.into_iter().partition(|other| !other.is_disjoint(&group));
            group.extend(touched.into_iter().flatten());
            groups = apart;
            groups.push(group);
        }
        groups
    }

    /// Blocks in place of sums that are off, as YAML, and what to do with them.
    fn offer(&self, together: &BTreeSet<usize>, slot: &str) -> Vec<String> {
        let is_member = |numbers: &[usize]| numbers.iter().all(|number| together.contains(number));
        let yaml = |numbers: &[usize], cost: &[Rational]| {
            let name = scalar(&self.names(numbers, "+"));
            format!("- {{name: {name}, cost: {{{}}}, slot: {slot}}}", self.freezer.costs(cost))
        };
        let members: Vec<usize> = together.iter().copied().collect();
        let mut lines = vec![
            format!(
                "Sums of {} are off by more than {}. To compute with what was built in their place, change this file:",
                self.names(&members, ", "),
                in_percent(self.merge_above)
            ),
            format!("1. these blocks get `slot: {slot}` instead of the slots that they have, so that a design builds one of the slot;"),
            "2. the blocks below are added, each of them several of these built and measured as one;".to_owned(),
            "3. a choice that uses several of these uses the one block below that is just these, and every choice is repeated, under \
             a name of its own, for each larger block below that has all it uses: so tasks can share that block."
                .to_owned(),
            "Designs with others of these blocks together are then left out: a further check adds them.".to_owned(),
        ];
        let measured = self.checks.iter().filter(|check| is_member(&check.blocks));
        lines.extend(measured.map(|check| yaml(&check.blocks, &check.built)));
        for (at, block) in self.freezer.blocks.iter().enumerate().filter(|(_, block)| !block.less.is_empty())
        {
            let numbers: Vec<usize> = block.less.iter().copied().chain([at]).collect();
            let is_checked = self.checks.iter().any(|check| check.blocks == numbers);
            if let Some(sum) = self.freezer.sum(&numbers).filter(|_| is_member(&numbers) && !is_checked) {
                lines.push(yaml(&numbers, &sum));
            }
        }
        lines
    }
}
