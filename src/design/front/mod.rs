//! Pareto fronts of designs: area strictly increasing, utilization strictly decreasing, with a configuration per
//! point. With several resources, no point costs no more of every objective and has no more utilization than another.
//!
//! A [`DesignFront`] is a formulated task set with a claim about it, immutable once built. Schedulability verdicts on
//! its designs are stored separately, see [`schedulability`](crate::schedulability).

use isx_exact::quantity::Rational;
use isx_problems::account::Account;
use isx_problems::mckp::Claim;
use isx_problems::value::{Value, Values};
use isx_taskset::formulate::Formulation;
use isx_taskset::{Choice, Task, TaskSet};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use std::ops::Range;

/// A design: its exact cost and benefit, and its schedulability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// Its cost in each of [`TaskSet::resources`]; in a set with one area this area alone, in the task set's unit.
    pub cost: Vec<Rational>,
    /// The number of its variant of the processor, see [`TaskSet::variants`]; 0 if there is one processor.
    pub variant: usize,
    /// Utilization.
    pub utilization: Rational,
    /// Whether this design meets all deadlines; `None` if undecided.
    pub schedulable: Option<bool>,
    /// Whether some design of at most this area meets all deadlines; with several resources, whether some design does
    /// that costs no more of any objective. `None` if undecided.
    pub schedulable_within: Option<bool>,
}

impl Design {
    /// The area of a design of a set with one area, in the task set's unit. Panics if the design was made without a
    /// cost.
    pub fn area(&self) -> &Rational {
        &self.cost[0]
    }
}

/// A design with the choice of every task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenDesign {
    /// Cost and benefit.
    pub design: Design,
    /// The choice of every task, in file order; `None` is software.
    pub choices: Vec<Option<u32>>,
}

/// The front of a task set. Points are numbered from 0 in order of area.
///
/// ```
/// use isx_explore::{Options, explore};
/// let text = "
/// name: two tasks
/// tasks:
///   - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
///   - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
/// ";
/// let task_set = isx_taskset::read_str("two-tasks.yaml", text).unwrap().task_set;
/// let front = explore(&task_set, &Options::default()).unwrap().front;
/// let utilizations: Vec<String> = front.iter().map(|point| point.utilization().to_string()).collect();
/// assert_eq!(utilizations, ["11/10", "9/10", "7/10"]);
/// assert_eq!(front.get(1).unwrap().choices(), Some(vec![Some(0), None]));
/// assert!(front.get(3).is_none());
/// ```
#[derive(Clone, Debug)]
pub struct DesignFront {
    task_set: TaskSet,
    /// One per variant of the processor that has designs, all in the same units; at least one.
    formulations: Vec<Formulation>,
    /// For each point the index of its formulation; empty if there is one.
    variants: Vec<u32>,
    claim: Claim,
    account: Account,
    /// Demand over a hyperperiod, one value per point.
    demands: Values,
    /// The hyperperiod, if it fits a machine integer.
    hyperperiod: Option<i128>,
}

impl DesignFront {
    /// The front of the task set according to the claim.
    pub fn new(task_set: TaskSet, formulation: Formulation, claim: Claim, account: Account) -> Self {
        let demands = claim.values.scaled(&formulation.base_demand, &-BigInt::one());
        let hyperperiod = formulation.hyperperiod.to_i128();
        let (formulations, variants) = (vec![formulation], Vec::new());
        Self { task_set, formulations, variants, claim, account, demands, hyperperiod }
    }

    /// The front of several variants of the processor: `further` are the formulations of all but the first, in the same
    /// units and from the same offsets, and `variants` has for every point the index of its formulation. The values of the
    /// claim are savings from the base demand of the first.
    #[must_use]
    pub fn with_variants(mut self, further: Vec<Formulation>, variants: Vec<u32>) -> Self {
        self.formulations.extend(further);
        self.variants = variants;
        self
    }

    /// The task set: names and units.
    pub fn task_set(&self) -> &TaskSet {
        &self.task_set
    }

    /// The formulated task set; with variants of the processor, that of the first variant with designs, whose units all
    /// share.
    pub fn formulation(&self) -> &Formulation {
        &self.formulations[0]
    }

    /// The formulations, one per variant of the processor that has designs.
    pub fn formulations(&self) -> &[Formulation] {
        &self.formulations
    }

    /// The formulation of the designs of variant `number`; that of [`DesignFront::formulation`] if it has none.
    pub fn formulation_in(&self, number: usize) -> &Formulation {
        self.formulations.iter().find(|one| one.variant == number).unwrap_or(&self.formulations[0])
    }

    /// How the front was computed.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// The points as computed by the engine: areas as weights, saved demands as values.
    pub fn claim(&self) -> &Claim {
        &self.claim
    }

    /// Whether the front reaches the largest useful area; false if an area budget cut it off.
    pub fn is_complete(&self) -> bool {
        self.claim.complete
    }

    /// Number of points; 0 only if the set has several resources, and no design is within their limits.
    pub fn len(&self) -> usize {
        self.claim.len()
    }

    /// Whether there is no point: some design has the least area, but none may be within limits of several resources.
    pub fn is_empty(&self) -> bool {
        self.claim.is_empty()
    }

    /// Point `index`.
    pub fn get(&self, index: usize) -> Option<Point<'_>> {
        (index < self.len()).then_some(Point { front: self, index })
    }

    /// The points in order of area; with several resources, in lexicographic order of their costs in the objectives.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Point<'_>> + DoubleEndedIterator + Clone {
        (0..self.len()).map(|index| Point { front: self, index })
    }

    /// Passes the points to `take` one by one, each with its choices as [`Point::choices`] returns them. This is
    /// faster than querying every point. Points whose choices were not requested are skipped. Fails with the first
    /// error of `take`, which ends the iteration.
    pub fn each_chosen<'a, E>(
        &'a self,
        points: Range<usize>,
        mut take: impl FnMut(Point<'a>, &[Option<u32>]) -> Result<(), E>,
    ) -> Result<(), E> {
        self.claim.each_items(points, |index, choices| take(Point { front: self, index }, choices))
    }

    /// The last point within an area, which has the least utilization there; `None` if no point fits. Only for a set with
    /// one area.
    pub fn within(&self, area: &Rational) -> Option<Point<'_>> {
        if area.is_negative() {
            return None;
        }
        let costs = &self.formulation().costs;
        let budget = ((area - &costs.offset[0]) / &costs.units[0]).floor().to_integer();
        if budget.is_negative() {
            return None;
        }
        let count = self.claim.within(budget.to_u64().unwrap_or(u64::MAX));
        self.get(count.checked_sub(1)?)
    }

    /// The least utilization of a point.
    pub fn least_utilization(&self) -> Option<Rational> {
        let best = (0..self.len())
            .max_by(|&a, &b| self.claim.values.get_i128(a).cmp(&self.claim.values.get_i128(b)));
        let best = match &self.claim.values {
            Values::Big(values) => (0..values.len()).max_by_key(|&at| &values[at]),
            _ => best,
        };
        best.and_then(|at| self.get(at)).map(|point| point.utilization())
    }

    /// The software-only design on the first variant of the processor, which has no hardware but the processor; it is not
    /// on the front if a choice of area 0 saves time.
    pub fn base(&self) -> Design {
        let least = self.formulations.iter().min_by(|a, b| a.base_demand.cmp(&b.base_demand));
        let least = least.filter(|_| self.task_set.overruns.is_some());
        let formulation = least.unwrap_or(self.formulation());
        let software = vec![None; self.task_set.tasks.len()];
        let utilization = Rational::new(formulation.base_demand.clone(), formulation.hyperperiod.clone());
        let cost = formulation.cost(&software).unwrap_or_default();
        let variant = formulation.variant;
        Design { cost, variant, utilization, schedulable: None, schedulable_within: None }
    }
}

impl<'a> IntoIterator for &'a DesignFront {
    type Item = Point<'a>;
    type IntoIter = Box<dyn Iterator<Item = Point<'a>> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

/// A point of a front.
#[derive(Clone, Copy, Debug)]
pub struct Point<'a> {
    front: &'a DesignFront,
    index: usize,
}

impl<'a> Point<'a> {
    /// The formulated task set, in the point's variant of the processor.
    pub fn formulation(&self) -> &'a Formulation {
        &self.front.formulations[self.formulation_number()]
    }

    /// The index of its formulation in [`DesignFront::formulations`].
    pub fn formulation_number(&self) -> usize {
        self.front.variants.get(self.index).map_or(0, |&number| number as usize)
    }

    /// Its 0-based index.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its area in a set with one area, in the task set's unit; see [`Point::cost`].
    pub fn area(&self) -> Rational {
        self.front.formulation().in_area_unit(self.amount(0))
    }

    /// Its exact cost in each of [`TaskSet::resources`]; in a set with one area this area alone.
    pub fn cost(&self) -> Vec<Rational> {
        let amounts = self.front.claim.costs(self.index).unwrap_or_default();
        self.front.formulation().costs.in_resources(&amounts)
    }

    /// Its amount in this dimension of [`Formulation::costs`]. Panics if there is no such dimension.
    pub fn amount(&self, dimension: usize) -> u64 {
        let claim = &self.front.claim;
        let column = if dimension == 0 { &claim.weights } else { &claim.further[dimension - 1] };
        column[self.index]
    }

    /// Its utilization.
    pub fn utilization(&self) -> Rational {
        Rational::new(self.demand(), self.front.formulation().hyperperiod.clone())
    }

    /// Its demand over a hyperperiod: its utilization times the hyperperiod.
    pub fn demand(&self) -> BigInt {
        self.front.demands.get(self.index)
    }

    /// As [`Point::demand`], as an integer of type `V` if it fits.
    pub fn demand_in<V: Value>(&self) -> Option<V> {
        V::at(&self.front.demands, self.index)
    }

    /// Whether its utilization is at most 1.
    pub fn fits(&self) -> bool {
        match self.demand_in::<i128>().zip(self.front.hyperperiod) {
            Some((demand, hyperperiod)) => demand <= hyperperiod,
            None => self.demand() <= self.front.formulation().hyperperiod,
        }
    }

    /// Its cost and benefit, without a verdict.
    pub fn design(&self) -> Design {
        let (cost, utilization, variant) = (self.cost(), self.utilization(), self.formulation().variant);
        Design { cost, variant, utilization, schedulable: None, schedulable_within: None }
    }

    /// The choice of every task, in file order (`None` is software); `None` if choices were not requested.
    pub fn choices(&self) -> Option<Vec<Option<u32>>> {
        self.front.claim.items(self.index)
    }

    /// Every task with its choice (`None` is software), in file order; empty if the choices are unknown.
    pub fn chosen(&self) -> impl Iterator<Item = (&'a Task, Option<&'a Choice>)> + use<'a> {
        let chosen = self.front.task_set.tasks.iter().zip(self.choices().unwrap_or_default());
        chosen.map(|(task, choice)| (task, choice.and_then(|choice| task.choices.get(choice as usize))))
    }
}
