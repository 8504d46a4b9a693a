//! The smallest schedulable area with all WCETs longer by a margin of 10, 20 and 30 %.
//!
//! A WCET is an estimate; a designer asks what it costs to be safe if all are too short. Longer WCETs change no area
//! and, if all grow alike, not the front: at factor f a design of utilization U has f U. So if utilization decides,
//! the answer is the first point of the front with U <= 1/f, found by bisection. Otherwise the search of
//! [`verdict`](mod@super::verdict) runs again on the longer WCETs, with two short cuts: an area that suffices at a
//! factor is never below that of a smaller factor, so a design that is the smallest at one factor and still passes at
//! the next is the smallest there too, and where no design suffices none does later.
//!
//! Margins count from the WCETs of the set without a margin of its own (`TaskSet::margin`): with a set that is 20 %
//! longer already, the factors are 1.1/1.2, 1 and 1.3/1.2, and the areas are those of the set itself.
//!
//! Worked instance: utilizations 1.1, 0.95 and 0.8 at areas 0, 120 and 420. With 10 % more, 0.95 becomes 1.045: the
//! smallest area is 420, as with 20 % more, where 0.8 becomes 0.96; with 30 % more it is 1.04, and no area suffices.

use super::analysis::{Analysis, decided_by_utilization};
use super::effort::Effort;
use super::outcome::{Outcome, SmallestArea};
use super::points::{Smallest, SmallestSchedulable, SmallestWithin, Tested};
use super::task::scheduled_tasks;
use super::verdict::smallest_area;
use crate::front::{DesignFront, Point};
use isx_exact::quantity::Rational;
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use num_traits::One;

/// The margins, in percent.
const PERCENTS: [u32; 3] = [10, 20, 30];

/// The fewest steps that the search at each margin may take.
const LEAST_STEPS: u64 = 1 << 22;
/// If deciding the set itself took more than that, the part of its steps that the search at each margin may take.
const PART_OF_STEPS: u64 = 4;

/// The smallest schedulable area with longer WCETs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtMargin {
    /// By how much all WCETs are longer, as a fraction of the WCETs without a margin: 1/10 for 10 %.
    pub margin: Rational,
    /// The smallest area, in the task set's unit, at which some design is then schedulable.
    pub smallest: SmallestWithin,
}

/// The smallest schedulable area with margins of 10, 20 and 30 %, among the designs that the front considers;
/// `smallest` is that of the set itself. The choices of the front must be known, unless utilization decides.
///
/// The steps count towards `effort`; what is not decided within some of them is [`Smallest::Unknown`].
pub fn smallest_with_margins(
    front: &DesignFront,
    smallest: &SmallestSchedulable,
    effort: &mut Effort,
) -> Vec<AtMargin> {
    let own = Rational::one() + &front.task_set().margin;
    // Context switches do not grow: then the front of longer WCETs is another one.
    let by_utilization = decided_by_utilization(front.formulation()) && !front.task_set().has_switches();
    let steps = LEAST_STEPS.max(effort.spent() / PART_OF_STEPS);
    let mut search = Search { front, steps, below: None };
    let mut is_own_known = false;
    let at = |percent| {
        let margin = Rational::new(BigInt::from(percent), BigInt::from(100));
        let factor = (Rational::one() + &margin) / &own;
        if by_utilization {
            let first = front.get(first_fitting(front, &factor));
            return AtMargin {
                margin,
                smallest: first.map_or(Smallest::None, |point| Smallest::At(point.area())),
            };
        }
        if factor >= Rational::one() && !is_own_known {
            is_own_known = true;
            search.below = match smallest {
                Smallest::At(chosen) => Some(Smallest::At(chosen.choices.clone())),
                Smallest::None => Some(Smallest::None),
                Smallest::Unknown(_) => None,
            };
            if factor.is_one() {
                return AtMargin { margin, smallest: area_of(smallest) };
            }
        }
        AtMargin { margin, smallest: search.at(&factor, effort) }
    };
    PERCENTS.into_iter().map(at).collect()
}

fn area_of(smallest: &SmallestSchedulable) -> SmallestWithin {
    match smallest {
        Smallest::At(chosen) => Smallest::At(chosen.design.area().clone()),
        Smallest::None => Smallest::None,
        Smallest::Unknown(why) => Smallest::Unknown(why.clone()),
    }
}

/// The first point whose utilization is at most 1 / `factor`; the number of points if there is none. With context
/// switches, which do not grow, a point before it may also fit.
fn first_fitting(front: &DesignFront, factor: &Rational) -> usize {
    let available = &front.formulation().hyperperiod * factor.denom();
    let fits = |point: Point| point.demand() * factor.numer() <= available;
    let (mut low, mut high) = (0, front.len());
    while low < high {
        let middle = low.midpoint(high);
        if front.get(middle).is_some_and(fits) { high = middle } else { low = middle + 1 }
    }
    low
}

/// The search for the smallest schedulable design at rising factors.
struct Search<'a> {
    front: &'a DesignFront,
    /// The most steps at each factor.
    steps: u64,
    /// The smallest schedulable design at a smaller factor, if that was decided.
    below: Option<Smallest<Vec<Option<u32>>>>,
}

impl Search<'_> {
    fn at(&mut self, factor: &Rational, effort: &mut Effort) -> SmallestWithin {
        if self.below == Some(Smallest::None) {
            return Smallest::None;
        }
        let formulation = self.front.formulation().with_longer_wcets(factor);
        let found = effort.share(self.steps, |effort| self.found(&formulation, factor, effort));
        self.below = match &found {
            SmallestArea { best, undecided: None } => Some(best.clone().map_or(Smallest::None, Smallest::At)),
            // The smallest design at a smaller factor is still a lower bound.
            _ => self.below.take(),
        };
        Smallest::of(found, |choices| formulation.area(&choices))
    }

    fn found(&self, formulation: &Formulation, factor: &Rational, effort: &mut Effort) -> SmallestArea {
        if let Some(Smallest::At(choices)) = &self.below {
            let tasks = scheduled_tasks(formulation, choices);
            if Analysis::new(formulation).test(&tasks.tasks(), effort) == Outcome::Passes {
                return SmallestArea { best: Some(choices.clone()), undecided: None };
            }
        }
        let tested = Tested::longer(self.front, formulation, first_fitting(self.front, factor));
        let known = tested.schedulable_point(effort);
        smallest_area(formulation, formulation.capacity(), known.as_deref(), effort)
    }
}
