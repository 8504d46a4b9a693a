//! The front of an exploration: its head, and its points one by one.

use super::blocks;
use super::margins::mode_areas;
use super::{EngineWords, Head, NamedTask, Number, Point};
use isx_design::exploration::Exploration;
use isx_design::front::{Design, Point as Found};
use isx_design::schedulability::Smallest;
use isx_exact::quantity::{Rational, format_decimal};
use isx_taskset::formulate::Formulation;
use isx_taskset::{Task, TaskSet};
use num_traits::ToPrimitive;
use std::io;
use std::ops::Range;

/// Makes the points of an explored front.
pub struct Explored<'a> {
    pub explored: &'a Exploration,
    hyperperiod: Option<u128>,
    /// For every resource its dimension in the problem, and how amounts in it are decimals.
    costs: Vec<(usize, Option<Decimals>)>,
    /// The number of each variant with designs, and the index of its first clock among those of all.
    clocks: Vec<(usize, usize)>,
}

/// A cost is the offset plus amount times factor, divided by the power of ten.
struct Decimals {
    offset: i128,
    factor: i128,
    power: u128,
}

impl Decimals {
    /// `None` if offset and unit are no decimals, or have too many digits.
    fn of(offset: &Rational, unit: &Rational) -> Option<Self> {
        let [offset, unit] = [offset, unit].map(Number::from);
        let places = offset.places()?.max(unit.places()?);
        let [offset, factor] = [offset.digits(places)?, unit.digits(places)?];
        Some(Self { offset, factor, power: 10u128.checked_pow(places)? })
    }

    fn cost(&self, amount: u64) -> Option<Number> {
        let digits = i128::from(amount).checked_mul(self.factor)?.checked_add(self.offset)?;
        Some(Number::of(digits, self.power))
    }
}

impl<'a> Explored<'a> {
    pub fn new(explored: &'a Exploration) -> Self {
        let formulation = explored.front.formulation();
        let costs = &formulation.costs;
        let dimension = |resource| costs.resources.iter().position(|&other| other == resource);
        let decimals = |at: usize| (at, Decimals::of(&costs.offset[at], &costs.units[at]));
        let costs = (0..costs.resources.len()).filter_map(dimension).map(decimals).collect();
        let mut next = 0;
        let first = |one: &Formulation| {
            let first = next;
            next += clocks(one).count();
            (one.variant, first)
        };
        let clocks = explored.front.formulations().iter().map(first).collect();
        Self { explored, hyperperiod: formulation.hyperperiod.to_u128(), costs, clocks }
    }

    pub fn head(&self) -> Head {
        let (explored, set) = (self.explored, self.explored.task_set());
        let account = explored.front.account();
        let verdicts = &explored.verdicts;
        let smallest = explored.smallest().filter(|_| verdicts.minimal.is_empty());
        let minimal = smallest.into_iter().chain(&verdicts.minimal);
        let named = |task: &Task| NamedTask {
            name: task.name.clone(),
            part: task.part.clone(),
            choices: task.choices.iter().map(|choice| choice.name.clone()).collect(),
        };
        Head {
            taskset: set.name.clone(),
            resources: set.resources.clone(),
            scheduler: set.scheduler,
            ties: explored.front.formulations().iter().any(Formulation::has_ties),
            by_margin: !explored.point_margins.is_empty(),
            clock: explored.clock_of_measure(),
            engine: Some(EngineWords {
                ran_on: account.ran_on(),
                arithmetic: account.arithmetic.to_string(),
                why: account.why.clone(),
            }),
            what_if: set.what_if.clone(),
            overruns: set.overruns,
            base: self.design(&explored.base(), &vec![None; set.tasks.len()]),
            minimal: minimal.map(|chosen| self.design(&chosen.design, &chosen.choices)).collect(),
            minimal_unknown: match &verdicts.smallest {
                Smallest::Unknown(why) => Some(why.clone()),
                Smallest::At(_) | Smallest::None => None,
            },
            margins: explored.margins.clone(),
            mode_areas: mode_areas(explored),
            larger_margins_unknown: explored.larger_margins_unknown.clone(),
            status: Some(explored.status.name().to_owned()),
            complete: explored.front.is_complete(),
            tasks: set.tasks.iter().map(named).collect(),
            has_blocks: !set.blocks.is_empty(),
            blocks: set.blocks.iter().map(|block| block.name.clone()).collect(),
            variants: set.variants.iter().map(|variant| variant.name.clone()).collect(),
            modes: set.modes.clone(),
            clocks: explored.front.formulations().iter().flat_map(clocks).collect(),
        }
    }

    /// Passes on points with all of their fields.
    pub fn each(
        &self,
        points: Range<usize>,
        take: &mut dyn FnMut(usize, &Point) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut made = Point::default();
        self.explored.front.each_chosen(points, |found, choices| {
            self.set_figures(&found, &mut made);
            self.set_choices(found.formulation().variant, choices, &mut made);
            take(found.index(), &made)
        })
    }

    /// Passes on the figures and verdicts of points.
    pub fn figures(&self, points: Range<usize>, take: &mut dyn FnMut(usize, &Point)) {
        let mut made = Point::default();
        for found in points.filter_map(|index| self.explored.front.get(index)) {
            self.set_figures(&found, &mut made);
            take(found.index(), &made);
        }
    }

    fn set(&self) -> &'a TaskSet {
        self.explored.task_set()
    }

    fn set_figures(&self, found: &Found, made: &mut Point) {
        let cost = |(at, decimals): &(usize, Option<Decimals>)| decimals.as_ref()?.cost(found.amount(*at));
        made.cost.clear();
        made.cost.extend(self.costs.iter().map_while(cost));
        if made.cost.len() < self.costs.len() {
            made.cost = found.cost().iter().map(Number::from).collect();
        }
        let demand = found.demand_in::<i128>().filter(|demand| *demand >= 0);
        made.utilization = match demand.zip(self.hyperperiod) {
            Some((demand, hyperperiod)) => Number::of(demand, hyperperiod),
            None => Number::from(&found.utilization()),
        };
        let (index, verdicts) = (found.index(), &self.explored.verdicts);
        made.margin = self.explored.point_margins.get(index).map(Number::from);
        made.schedulable = verdicts.points.get(index).copied().flatten();
        made.schedulable_within = verdicts.within(index);
    }

    fn set_choices(&self, variant: usize, choices: &[Option<u32>], made: &mut Point) {
        let set = self.set();
        made.choices.clear();
        made.choices.extend_from_slice(choices);
        blocks::find(set, choices, &mut made.blocks);
        made.variant = (!set.variants.is_empty()).then_some(variant as u32);
        if !set.modes.is_empty() {
            let modes = self.explored.front.formulation_in(variant).mode_utilizations(choices);
            made.modes = modes.iter().map(Number::from).collect();
        }
        made.clock = set.limits_clock().then(|| self.clock(variant, choices));
    }

    /// The index of the clock of a design among those of all variants.
    fn clock(&self, variant: usize, choices: &[Option<u32>]) -> u32 {
        let first = self.clocks.iter().find(|(other, _)| *other == variant).map_or(0, |(_, first)| *first);
        (first + self.explored.front.formulation_in(variant).clock_number(choices)) as u32
    }

    /// A design that need not be on the front.
    fn design(&self, design: &Design, choices: &[Option<u32>]) -> Point {
        let mut made = Point {
            cost: design.cost.iter().map(Number::from).collect(),
            utilization: Number::from(&design.utilization),
            schedulable: design.schedulable,
            schedulable_within: design.schedulable_within,
            ..Point::default()
        };
        self.set_choices(design.variant, choices, &mut made);
        made
    }
}

/// The exact figure in hertz of every clock of a formulation, by index; none if no block limits the clock.
fn clocks(formulation: &Formulation) -> impl Iterator<Item = String> {
    let clocks = &formulation.clocks;
    (0..clocks.count()).filter_map(|number| clocks.hertz(number)).map(format_decimal)
}

#[cfg(test)]
mod tests {
    use crate::front::Front;
    use crate::testing::{all_fronts, built, front_of, random};

    #[test]
    fn points_are_those_of_the_exploration() {
        let mut fronts = all_fronts();
        fronts.push(front_of(&random(14, 6, 3)));
        let mut points = 0;
        for explored in &fronts {
            let front = Front::of(explored);
            for ((found, design), index) in explored.designs().zip(0..) {
                let (point, figures) = (front.point(index), front.figures_of(index));
                assert_eq!(
                    (point.exact_cost(), point.utilization.exact()),
                    (design.cost, design.utilization)
                );
                assert_eq!((&figures.cost, &figures.utilization), (&point.cost, &point.utilization));
                let verdicts = (design.schedulable, design.schedulable_within);
                assert_eq!((point.schedulable, point.schedulable_within), verdicts);
                assert_eq!(Some(&point.choices), found.choices().as_ref());
                assert_eq!(front.head.built(&point), built(explored, &point.choices));
                points += 1;
            }
        }
        assert!(points > 300, "only {points} points were compared");
    }
}
