//! The proof that a formula has no solution, from lists of the pairs that the first classes can reach.

use super::formula::{ClassConstraints, Formula, Gap, MOST_BLOCKS, Terms, TooMany, software, sum_text};
use super::steps::Steps;
use isx_checker::shared::scenario::{Opt, Scenario};
use isx_exact::order;
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// An area and a cost: a clause of a staircase states that the area or the cost is reached. As area `None` means more
/// than possible, as cost `None` means more than any.
type Corner = (Option<u64>, Option<BigUint>);

/// Writes the refutation of a formula in at most `most` steps. Fails with [`TooMany`].
pub fn write_refutation(formula: &Formula, most: u64, out: &mut dyn Write) -> Result<(), TooMany> {
    let blocks: Vec<u32> = formula.blocks.keys().copied().collect();
    if blocks.len() > MOST_BLOCKS {
        return Err(TooMany::Blocks { found: blocks.len() });
    }
    let clocks = formula.problem.clocks;
    let mut steps = Steps::new(out, formula.constraints())?;
    let mut budget = Budget { found: 0, most, done: 0, all: clocks << blocks.len() };
    for clock in 0..clocks {
        let scenario = Scenario::in_one_mode(&formula.problem, clock);
        let gaps = &formula.gaps[clock];
        let in_gap = define_in_gap(&mut steps, gaps)?;
        let clock = Clock { formula, scenario: &scenario, gaps, in_gap, blocks: &blocks };
        clock.refute(&mut steps, &mut Vec::new(), &mut budget)?;
    }
    steps.clause("", &[])?;
    Ok(steps.end()?)
}

/// The maximum number of steps.
struct Budget {
    found: u64,
    most: u64,
    done: usize,
    all: usize,
}

impl Budget {
    fn take(&mut self, steps: u64) -> Result<(), TooMany> {
        self.found += steps;
        let Self { found, most, done, all } = *self;
        if found > most { Err(TooMany::Steps { found, most, done, all }) } else { Ok(()) }
    }
}

/// A variable that is true if and only if the design lies in one of the gaps.
fn define_in_gap(steps: &mut Steps, gaps: &[Gap]) -> io::Result<String> {
    let variable = steps.fresh();
    let any: String = gaps.iter().map(|gap| format!("+1 x{} ", gap.variable)).collect();
    steps.define(&format!("{any}+1 ~{variable} "), &1.into(), &variable, 0)?;
    for gap in gaps {
        steps.define(&format!("+1 {variable} +1 ~x{} ", gap.variable), &1.into(), &variable, 1)?;
    }
    Ok(variable)
}

/// The designs of a clock.
struct Clock<'a> {
    formula: &'a Formula,
    scenario: &'a Scenario,
    gaps: &'a [Gap],
    /// Whether the design lies in one of the gaps.
    in_gap: String,
    blocks: &'a [u32],
}

impl Clock<'_> {
    /// Shows that no design with these `built` blocks (all of the first ones decided) lies in a gap; the last step is
    /// the clause that states it.
    fn refute(&self, steps: &mut Steps, built: &mut Vec<bool>, budget: &mut Budget) -> Result<(), TooMany> {
        if built.len() < self.blocks.len() {
            for is_built in [false, true] {
                built.push(is_built);
                self.refute(steps, built, budget)?;
                built.pop();
            }
        } else {
            let paid = self.blocks.iter().zip(&*built).filter(|(_, built)| **built);
            let paid: Vec<u32> = paid.map(|(block, _)| *block).collect();
            if slots_allow(self.formula, &paid) {
                let plain = Plain::new(self.formula, self.scenario, &paid, self.assumed(built));
                plain.refute(steps, self.gaps, budget)?;
            }
            budget.done += 1;
        }
        steps.clause(&self.assumed(built), &[])?;
        Ok(())
    }

    /// The negations of the assumptions.
    fn assumed(&self, built: &[bool]) -> String {
        let block = |(block, &is_built): (&u32, &bool)| {
            format!("+1 {}x{} ", if is_built { "~" } else { "" }, self.formula.blocks[block])
        };
        format!("+1 ~{} ", self.in_gap) + &self.blocks.iter().zip(built).map(block).collect::<String>()
    }
}

fn slots_allow(formula: &Formula, built: &[u32]) -> bool {
    let slot = |&block: &u32| formula.problem.blocks[block as usize].slot;
    let mut slots: Vec<u64> = built.iter().filter_map(slot).collect();
    order::sort(&mut slots);
    slots.windows(2).all(|pair| pair[0] != pair[1])
}

/// A threshold of a sum, with the variable that is true if and only if it is reached.
struct Threshold {
    variable: String,
    /// The constraint that the sum reaches the threshold if the variable is true.
    reached: u64,
    /// The constraint that it does not if the variable is false.
    missed: u64,
}

/// The designs of one clock with one set of blocks.
struct Plain<'a> {
    classes: Vec<Vec<&'a Opt>>,
    options: &'a [BTreeMap<u32, usize>],
    constraints: &'a [ClassConstraints],
    /// The maximum own area that is relevant; `None` if the blocks alone exceed it.
    capacity: Option<u64>,
    /// The area of the blocks.
    paid: u64,
    assumed: String,
}

/// The proof state after some classes.
struct Known {
    /// The terms of the sums, and the cost of software.
    areas: Terms,
    costs: Terms,
    software: BigInt,
    /// The constraint that the cost is non-negative; `None` while there is no choice.
    floor: Option<u64>,
    /// The pairs, with areas increasing and costs decreasing.
    pairs: Vec<(u64, BigUint)>,
    corners: Vec<Corner>,
    /// For each corner its thresholds and its clause.
    clauses: Vec<(Option<Threshold>, Option<Threshold>, Option<u64>)>,
    /// The proof steps of this state.
    steps: (u64, u64),
}

impl<'a> Plain<'a> {
    /// The designs with these `built` blocks and no others.
    fn new(formula: &'a Formula, scenario: &'a Scenario, built: &[u32], assumed: String) -> Self {
        let area = |&block: &u32| u128::from(formula.problem.blocks[block as usize].built[0]);
        let paid: u128 = built.iter().map(area).sum();
        let paid = u64::try_from(paid).unwrap_or(u64::MAX);
        let allowed = |class: &'a Vec<Opt>| {
            class.iter().filter(|option| option.blocks.iter().all(|block| built.contains(block))).collect()
        };
        Self {
            classes: scenario.classes.iter().map(allowed).collect(),
            options: &formula.options,
            constraints: &formula.classes,
            capacity: scenario.limits[0].checked_sub(paid),
            paid,
            assumed,
        }
    }

    fn refute(&self, steps: &mut Steps, gaps: &[Gap], budget: &mut Budget) -> Result<(), TooMany> {
        let Some(capacity) = self.capacity else { return Ok(()) };
        if self.classes.iter().any(Vec::is_empty) {
            return Ok(());
        }
        let mut known = Known {
            areas: Vec::new(),
            costs: Vec::new(),
            software: BigInt::ZERO,
            floor: None,
            pairs: vec![(0, BigUint::ZERO)],
            corners: vec![(Some(0), None), (None, Some(BigUint::ZERO))],
            clauses: vec![(None, None, None), (None, None, None)],
            steps: (steps.next(), steps.next()),
        };
        for class in 0..self.classes.len() {
            let next = self.next(steps, &known, class, capacity, budget)?;
            steps.forget(known.steps.0, known.steps.1)?;
            known = next;
        }
        gaps.iter().try_for_each(|gap| self.close(steps, &known, gap).map(drop))?;
        Ok(())
    }

    /// Derives the clauses after one more class.
    fn next(
        &self,
        steps: &mut Steps,
        known: &Known,
        class: usize,
        capacity: u64,
        budget: &mut Budget,
    ) -> Result<Known, TooMany> {
        let first = steps.next();
        let mut next = self.with(known, class, capacity);
        budget.take((next.corners.len() * (self.classes[class].len() + 3) * 3) as u64)?;
        let defined: Result<Vec<_>, io::Error> = next
            .corners
            .iter()
            .map(|(area, cost)| {
                let area = area.filter(|&area| area > 0).map(BigInt::from);
                let area = area.map(|area| threshold(steps, &next.areas, &area)).transpose()?;
                let cost = cost.as_ref().filter(|cost| !cost.is_zero());
                let cost = cost.map(|cost| BigInt::from(cost.clone()) - &next.software);
                let cost = cost.map(|cost| threshold(steps, &next.costs, &cost)).transpose()?;
                Ok((area, cost, None))
            })
            .collect();
        next.clauses = defined?;
        next.floor = self.floor(steps, known.floor, class)?;
        for at in 0..next.corners.len() {
            // Nothing to show if either bound is reached by every design.
            let (area, cost) = &next.corners[at];
            if *area == Some(0) || cost.as_ref().is_some_and(Zero::is_zero) {
                continue;
            }
            next.clauses[at].2 = Some(self.step(steps, known, &next, class, at)?);
        }
        next.steps = (first, steps.next());
        Ok(next)
    }

    /// The sums and pairs after one more class.
    fn with(&self, known: &Known, class: usize, capacity: u64) -> Known {
        let options = &self.classes[class];
        let (mut areas, mut costs) = (known.areas.clone(), known.costs.clone());
        let none = software(options.iter().copied());
        for option in options.iter().filter(|option| option.option > 0) {
            let variable = self.options[class][&option.option];
            areas.push((option.amounts[0].into(), variable));
            costs.push((BigInt::from(option.cost.clone()) - &none, variable));
        }
        let mut sums: Vec<(u64, BigUint)> = Vec::new();
        for option in options {
            let sum = |(area, cost): &(u64, BigUint)| {
                let area = area.checked_add(option.amounts[0]).filter(|&area| area <= capacity)?;
                Some((area, cost + &option.cost))
            };
            sums.extend(known.pairs.iter().filter_map(sum));
        }
        order::sort(&mut sums);
        let mut pairs: Vec<(u64, BigUint)> = Vec::new();
        for (area, cost) in sums {
            if pairs.last().is_none_or(|(_, last)| cost < *last) {
                pairs.push((area, cost));
            }
        }
        let most: BigInt = areas.iter().map(|(area, _)| area).sum();
        let beyond = capacity.checked_add(1).filter(|&beyond| BigInt::from(beyond) <= most);
        let next_areas = pairs.iter().map(|(area, _)| Some(*area)).chain([beyond]);
        let costs_before = std::iter::once(None).chain(pairs.iter().map(|(_, cost)| Some(cost.clone())));
        let corners = next_areas.zip(costs_before).collect();
        Known {
            areas,
            costs,
            software: &known.software + none,
            floor: known.floor,
            pairs,
            corners,
            clauses: Vec::new(),
            steps: (0, 0),
        }
    }

    /// Derives the constraint that the cost is non-negative, after one more class: from the cost of taking none, the
    /// constraint of at most one choice, and the cost of every choice.
    fn floor(&self, steps: &mut Steps, before: Option<u64>, class: usize) -> io::Result<Option<u64>> {
        let none = self.classes[class].iter().find(|option| option.option == 0);
        let none = none.map(|none| none.cost.clone()).unwrap_or_default();
        let variables = &self.options[class];
        let mut terms: Vec<String> = before.iter().map(u64::to_string).collect();
        match (self.constraints[class].at_most_one, variables.values().next()) {
            _ if none.is_zero() => {}
            (Some(at_most_one), _) => terms.push(format!("{at_most_one} {none} *")),
            (None, Some(only)) => terms.push(format!("~x{only} {none} *")),
            (None, None) => {}
        }
        for option in self.classes[class].iter().filter(|one| one.option > 0 && !one.cost.is_zero()) {
            terms.push(format!("x{} {} *", variables[&option.option], option.cost));
        }
        if terms.is_empty() { Ok(None) } else { steps.sum(&terms).map(Some) }
    }

    /// Derives the clause of corner `at` after class `class` from the previous ones.
    fn step(
        &self,
        steps: &mut Steps,
        known: &Known,
        next: &Known,
        class: usize,
        at: usize,
    ) -> io::Result<u64> {
        let (area, cost) = &next.corners[at];
        let (area_threshold, cost_threshold, _) = &next.clauses[at];
        let literal = |threshold: &Option<Threshold>| {
            threshold.as_ref().map_or_else(String::new, |threshold| format!("+1 {} ", threshold.variable))
        };
        let reached = literal(area_threshold) + &literal(cost_threshold) + &self.assumed;
        let mut hints: Vec<u64> = self.constraints[class].at_most_one.into_iter().collect();
        let mut of_none = Vec::new();
        for option in &self.classes[class] {
            let left = area.map(|area| area.saturating_sub(option.amounts[0]));
            let left_cost = cost
                .as_ref()
                .map(|cost| if *cost > option.cost { cost - &option.cost } else { BigUint::ZERO });
            let mut why = Vec::new();
            why.extend(area_threshold.as_ref().map(|threshold| threshold.missed));
            why.extend(cost_threshold.as_ref().map(|threshold| threshold.missed));
            // If the option alone reaches one of the two bounds, that is the reason.
            if left != Some(0) && left_cost.as_ref().is_none_or(|cost| !cost.is_zero()) {
                let from = known.corners.iter().position(|(area, _)| at_least(area.as_ref(), left.as_ref()));
                let (area_before, cost_before, clause) = &known.clauses[from.unwrap_or(0)];
                for (now, before) in [(area_threshold, area_before), (cost_threshold, cost_before)] {
                    if let (Some(now), Some(before)) = (now, before) {
                        why.push(steps.add(now.missed, before.reached)?);
                    }
                }
                why.extend(clause);
            } else if let (true, Some(floor), Some(now)) = (left != Some(0), known.floor, cost_threshold) {
                why.push(steps.add(now.missed, floor)?);
            }
            if option.option == 0 {
                of_none = why;
                continue;
            }
            let variable = self.options[class][&option.option];
            let at_most_one = self.constraints[class].at_most_one.into_iter();
            let why: Vec<u64> = at_most_one.chain(why).collect();
            hints.push(steps.clause(&format!("{reached}+1 ~x{variable} "), &why)?);
        }
        hints.extend(self.constraints[class].at_least_one);
        hints.extend(of_none);
        // Choices that need unbuilt blocks are not taken; the proof checker finds the constraints that say so.
        let all =
            self.options[class].len() == self.classes[class].iter().filter(|one| one.option > 0).count();
        steps.clause(&reached, if all { &hints } else { &[] })
    }

    /// Shows that no design with these blocks lies in a gap.
    fn close(&self, steps: &mut Steps, known: &Known, gap: &Gap) -> io::Result<u64> {
        // The own area of a design in the gap is less than this.
        let area = gap.area.saturating_add(1).saturating_sub(self.paid);
        let from = known.corners.iter().position(|(reached, _)| at_least(reached.as_ref(), Some(&area)));
        let (area_threshold, cost_threshold, _) = &known.clauses[from.unwrap_or(0)];
        if area > 0 {
            if let Some(threshold) = area_threshold {
                steps.add(gap.area_constraint, threshold.reached)?;
            }
            if let (Some(threshold), Some(constraint)) = (cost_threshold, gap.cost_constraint) {
                steps.add(constraint, threshold.reached)?;
            }
        }
        steps.clause(&format!("{}+1 ~x{} ", self.assumed, gap.variable), &[])
    }
}

/// Whether a corner's area is at least another's; `None` exceeds any area.
fn at_least(area: Option<&u64>, other: Option<&u64>) -> bool {
    match (area, other) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(area), Some(other)) => area >= other,
    }
}

/// Defines the variable that is true if and only if the sum of `terms` is at least `least`.
fn threshold(steps: &mut Steps, terms: &Terms, least: &BigInt) -> io::Result<Threshold> {
    let variable = steps.fresh();
    let lowest: BigInt = terms.iter().map(|(c, _)| c).filter(|c| **c < BigInt::ZERO).sum();
    let highest: BigInt = terms.iter().map(|(c, _)| c).filter(|c| **c > BigInt::ZERO).sum();
    let negated: Terms = terms.iter().map(|(c, variable)| (-c, *variable)).collect();
    let [sum, negative] = [terms, &negated].map(sum_text);
    let down: BigInt = (least - lowest).max(BigInt::ZERO);
    let up: BigInt = highest - least + 1;
    let up = up.max(BigInt::ZERO);
    let reached = steps.define(&format!("{sum}{down:+} ~{variable} "), least, &variable, 0)?;
    let missed =
        steps.define(&format!("{negative}{up:+} {variable} "), &(BigInt::from(1) - least), &variable, 1)?;
    Ok(Threshold { variable, reached, missed })
}
