//! Pseudo-Boolean constraints stating that some design lies outside the staircase of a front.

use crate::problem::of_task_set;
use isx_checker::shared::problem::{Offer, Problem};
use isx_checker::shared::scenario::{Opt, Scenario};
use isx_design::front::DesignFront;
use isx_exact::order;
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The maximum number of used blocks for which a refutation enumerates all sets.
pub const MOST_BLOCKS: usize = 10;

/// Why a formula or proof is too large.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum TooMany {
    #[error("{found} blocks are in use; a refutation enumerates the sets of at most {MOST_BLOCKS} blocks")]
    Blocks { found: usize },
    #[error(
        "the refutation takes more than {most} steps: after {done} of {all} plain problems it has {found}"
    )]
    Steps { found: u64, most: u64, done: usize, all: usize },
    /// It cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

/// A gap of the staircase at a clock: designs of at most `area` that cost less than the previous point, if there is
/// one.
pub(super) struct Gap {
    pub variable: usize,
    pub area: u64,
    /// The number of the constraint on the area.
    pub area_constraint: u64,
    /// The number of the constraint on the cost; `None` before the first point.
    pub cost_constraint: Option<u64>,
}

/// The constraint numbers of a class.
#[derive(Clone, Copy, Default)]
pub(super) struct ClassConstraints {
    /// At most one option.
    pub at_most_one: Option<u64>,
    /// At least one option, if the class must take one.
    pub at_least_one: Option<u64>,
}

/// A pseudo-Boolean formula: variables are numbered from 1, every constraint is a sum that is at least a given
/// number.
pub struct Formula {
    pub(super) problem: Problem,
    /// The variables of each class's options.
    pub(super) options: Vec<BTreeMap<u32, usize>>,
    /// The variable of each block that some option uses.
    pub(super) blocks: BTreeMap<u32, usize>,
    pub(super) classes: Vec<ClassConstraints>,
    /// The gaps of each clock.
    pub(super) gaps: Vec<Vec<Gap>>,
    text: String,
    variables: usize,
    constraints: u64,
    names: Vec<String>,
}

/// A sum of variables with coefficients.
pub(super) type Terms = Vec<(BigInt, usize)>;

impl Formula {
    /// Makes the formula of a front. Fails if the set counts several resources, or if the problem's numbers are
    /// inconsistent, which does not happen for a front.
    pub fn new(front: &DesignFront) -> Result<Self, isx_checker::Wrong> {
        if !front.formulation().costs.is_line() {
            let why = "a formula counts one area, and this task set counts several resources";
            return Err(isx_checker::Wrong::Verdict(why.into()));
        }
        // The area of the processor is that of every design.
        if front.formulation().variants > 0 || !front.formulation().modes.is_empty() {
            let why = "a formula is about one processor in one mode, and this task set has variants or modes";
            return Err(isx_checker::Wrong::Verdict(why.into()));
        }
        let problem = Problem::read(&of_task_set(front.formulation()))?;
        let classes = vec![ClassConstraints::default(); problem.classes.len()];
        let gaps = (0..problem.clocks).map(|_| Vec::new()).collect();
        let mut formula = Self {
            options: vec![BTreeMap::new(); problem.classes.len()],
            blocks: BTreeMap::new(),
            classes,
            gaps,
            text: String::new(),
            variables: 0,
            constraints: 0,
            names: Vec::new(),
            problem,
        };
        formula.declare(front);
        formula.say_designs();
        formula.say_gaps(front);
        Ok(formula)
    }

    /// The number of constraints.
    pub fn constraints(&self) -> u64 {
        self.constraints
    }

    /// Writes the formula in the OPB format, after comments that explain the variables.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "* #variable= {} #constraint= {}", self.variables, self.constraints)?;
        for (number, name) in (1..).zip(&self.names) {
            writeln!(out, "* x{number}: {name}")?;
        }
        out.write_all(self.text.as_bytes())
    }

    fn variable(&mut self, name: String) -> usize {
        self.variables += 1;
        self.names.push(name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect());
        self.variables
    }

    /// Adds the constraint that the sum of the terms is at least `least`; returns its number.
    fn say(&mut self, terms: &Terms, least: &BigInt) -> u64 {
        self.text += &format!("{}>= {least} ;\n", sum_text(terms));
        self.constraints += 1;
        self.constraints
    }

    fn declare(&mut self, front: &DesignFront) {
        let set = front.task_set();
        let used: Vec<Vec<(u32, Vec<u32>)>> = self
            .problem
            .classes
            .iter()
            .map(|class| class.iter().map(|offer| (offer.option, offer.blocks.clone())).collect())
            .collect();
        for (class, offers) in used.iter().enumerate() {
            for (option, _) in offers.iter().filter(|(option, _)| *option > 0) {
                let task = &set.tasks[class];
                let choice = task.choices.get(*option as usize - 1).map_or("?", |choice| &choice.name);
                let variable = self.variable(format!("task `{}` takes choice `{choice}`", task.name));
                self.options[class].insert(*option, variable);
            }
        }
        for block in used.iter().flatten().flat_map(|(_, blocks)| blocks) {
            if !self.blocks.contains_key(block) {
                let name = set.blocks.get(*block as usize).map_or("?", |block| &block.name);
                let variable = self.variable(format!("block `{name}` is built"));
                self.blocks.insert(*block, variable);
            }
        }
    }

    /// The constraints of a design: one option per class, the blocks it uses, one block per slot.
    fn say_designs(&mut self) {
        let one = || BigInt::from(1);
        for class in 0..self.problem.classes.len() {
            let variables: Vec<usize> = self.options[class].values().copied().collect();
            if variables.len() > 1 {
                let terms = variables.iter().map(|&variable| (-one(), variable)).collect();
                self.classes[class].at_most_one = Some(self.say(&terms, &-one()));
            }
            if self.problem.classes[class].first().is_none_or(|offer| offer.option > 0) {
                let terms = variables.iter().map(|&variable| (one(), variable)).collect();
                self.classes[class].at_least_one = Some(self.say(&terms, &one()));
            }
            let uses = |offer: &Offer| offer.blocks.iter().map(|&block| (offer.option, block)).collect();
            let uses: Vec<Vec<(u32, u32)>> = self.problem.classes[class].iter().map(uses).collect();
            for (option, block) in uses.into_iter().flatten() {
                let terms = vec![(one(), self.blocks[&block]), (-one(), self.options[class][&option])];
                self.say(&terms, &BigInt::ZERO);
            }
        }
        let slot =
            |(&block, &variable): (&u32, &usize)| Some((self.problem.blocks[block as usize].slot?, variable));
        let mut slots: Vec<(u64, usize)> = self.blocks.iter().filter_map(slot).collect();
        order::sort_by(&mut slots, |a, b| a.0.cmp(&b.0));
        for slot in slots.chunk_by(|a, b| a.0 == b.0).filter(|slot| slot.len() > 1) {
            let terms = slot.iter().map(|&(_, variable)| (-one(), variable)).collect();
            self.say(&terms, &-one());
        }
    }

    /// The gaps between the points, and that a design lies in one of them.
    fn say_gaps(&mut self, front: &DesignFront) {
        let points: Vec<(u64, BigInt)> =
            front.iter().map(|point| (point.amount(0), point.demand())).collect();
        for clock in 0..self.problem.clocks {
            let scenario = Scenario::in_one_mode(&self.problem, clock);
            for at in 0..=points.len() {
                let area = match points.get(at) {
                    Some((0, _)) => continue,
                    Some((next, _)) => next - 1,
                    None => scenario.limits[0],
                };
                let cost =
                    match at.checked_sub(1).map(|before| scenario.above_least(&(&points[before].1 - 1))) {
                        None => None,
                        // No design costs so little.
                        Some(None) => continue,
                        Some(cost) => cost,
                    };
                let gap = self.say_gap(&scenario, clock, at, area, cost);
                self.gaps[clock].push(gap);
            }
        }
        let all: Vec<usize> = self.gaps.iter().flatten().map(|gap| gap.variable).collect();
        let terms = all.into_iter().map(|variable| (BigInt::from(1), variable)).collect();
        self.say(&terms, &BigInt::from(1));
    }

    fn say_gap(
        &mut self,
        scenario: &Scenario,
        clock: usize,
        at: usize,
        area: u64,
        cost: Option<BigUint>,
    ) -> Gap {
        let variable = self.variable(format!("the design lies in gap {at}, at clock {clock}"));
        let area_constraint = self.say_in_gap(variable, self.areas(scenario), &-BigInt::from(area));
        let cost_constraint = cost.map(|cost| {
            let (terms, software) = self.costs(scenario);
            self.say_in_gap(variable, terms, &(software - BigInt::from(cost)))
        });
        // Options missing from a scenario are not taken in its gaps.
        let mut missing: Terms = Vec::new();
        for (class, options) in self.options.iter().enumerate() {
            let lacks = |option: u32| scenario.classes[class].iter().all(|one| one.option != option);
            let lacking = options.iter().filter(|(option, _)| lacks(**option));
            missing.extend(lacking.map(|(_, &variable)| (BigInt::from(1), variable)));
        }
        if !missing.is_empty() {
            self.say_in_gap(variable, missing, &BigInt::ZERO);
        }
        Gap { variable, area, area_constraint, cost_constraint }
    }

    /// Adds the constraint that the negated sum of the terms is at least `least` if a design lies in a gap.
    fn say_in_gap(&mut self, gap: usize, mut terms: Terms, least: &BigInt) -> u64 {
        terms.iter_mut().for_each(|(coefficient, _)| *coefficient = -&*coefficient);
        let lowest: BigInt = terms.iter().map(|(c, _)| c).filter(|c| **c < BigInt::ZERO).sum();
        let spare = (least - lowest).max(BigInt::ZERO);
        terms.push((-&spare, gap));
        self.say(&terms, &(least - spare))
    }

    /// The area terms of the scenario's options and of blocks.
    fn areas(&self, scenario: &Scenario) -> Terms {
        let mut terms = Vec::new();
        for (class, options) in scenario.classes.iter().enumerate() {
            for option in options.iter().filter(|option| option.option > 0) {
                terms.push((BigInt::from(option.amounts[0]), self.options[class][&option.option]));
            }
        }
        let blocks = self.blocks.iter();
        terms.extend(blocks.map(|(&block, &variable)| {
            (BigInt::from(self.problem.blocks[block as usize].built[0]), variable)
        }));
        terms
    }

    /// The terms that the scenario's options add to the cost of software, and that cost.
    fn costs(&self, scenario: &Scenario) -> (Terms, BigInt) {
        let (mut terms, mut sum) = (Vec::new(), BigInt::ZERO);
        for (class, options) in scenario.classes.iter().enumerate() {
            let software = software(options);
            for option in options.iter().filter(|option| option.option > 0) {
                let more = BigInt::from(option.cost.clone()) - &software;
                terms.push((more, self.options[class][&option.option]));
            }
            sum += software;
        }
        (terms, sum)
    }
}

/// The cost of taking none; 0 if none is not allowed.
pub(super) fn software<'a>(options: impl IntoIterator<Item = &'a Opt>) -> BigInt {
    let none = options.into_iter().find(|option| option.option == 0);
    none.map(|none| none.cost.clone().into()).unwrap_or_default()
}

/// The non-zero terms.
pub(super) fn sum_text(terms: &Terms) -> String {
    let terms = terms.iter().filter(|(coefficient, _)| !coefficient.is_zero());
    terms.map(|(coefficient, variable)| format!("{coefficient:+} x{variable} ")).collect()
}
