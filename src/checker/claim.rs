//! Recomputes the designs that a certificate claims from their options.

use crate::failure::Wrong;
use crate::limits::times;
use crate::problem::{MOST, Offer, Problem};
use crate::read::Numbers;
use crate::undominated::Undominated;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// A design and its sums at every clock, updated as options change.
pub struct Design<'a> {
    problem: &'a Problem,
    options: Vec<u32>,
    /// The number of options that use each block.
    users: Vec<u32>,
    /// The amount of every resource, from the options and the blocks; at least 0.
    amounts: Vec<i128>,
    /// Costs in every mode at every clock; in machine integers if all sums fit.
    costs: Costs<'a>,
    /// Number of classes whose option does not exist.
    missing: usize,
    /// The index of the design, for messages.
    number: usize,
}

/// Sums of costs, one per mode and clock.
enum Costs<'a> {
    /// The costs of every class's offers, and their sums.
    Small(Vec<Vec<Vec<i128>>>, Vec<i128>),
    /// Only the sums.
    Big(&'a Problem, Vec<BigInt>),
}

impl<'a> Costs<'a> {
    /// Sums of no offers.
    fn new(problem: &'a Problem) -> Self {
        let largest = |class: &Vec<Offer>| {
            class.iter().flat_map(|offer| &offer.costs).map(|cost| cost.magnitude().clone()).max()
        };
        let sum: num_bigint::BigUint = problem.classes.iter().filter_map(largest).sum();
        if sum.bits() > 120 {
            return Self::Big(problem, vec![BigInt::ZERO; problem.cost_count()]);
        }
        let small = |cost: &BigInt| cost.to_i128().unwrap_or_default();
        let of_offer = |offer: &Offer| offer.costs.iter().map(small).collect();
        let of_class = |class: &Vec<Offer>| class.iter().map(of_offer).collect();
        Self::Small(problem.classes.iter().map(of_class).collect(), vec![0; problem.cost_count()])
    }

    fn add(&mut self, class: usize, offer: usize, is_added: bool) {
        match self {
            Self::Small(costs, sums) => {
                for (sum, cost) in sums.iter_mut().zip(&costs[class][offer]) {
                    *sum = if is_added { *sum + cost } else { *sum - cost };
                }
            }
            Self::Big(problem, sums) => {
                for (sum, cost) in sums.iter_mut().zip(&problem.classes[class][offer].costs) {
                    if is_added { *sum += cost } else { *sum -= cost }
                }
            }
        }
    }

    /// The largest of any mode at one of so many clocks.
    fn at(&self, clock: usize, clocks: usize) -> BigInt {
        match self {
            Self::Small(_, sums) => sums[clock..].iter().step_by(clocks).max().copied().unwrap_or(0).into(),
            Self::Big(_, sums) => sums[clock..].iter().step_by(clocks).max().cloned().unwrap_or_default(),
        }
    }
}

/// The totals of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Area, each block counted once; with several resources, the amount of the first.
    pub area: u64,
    /// The amounts of the other resources.
    pub further: Vec<u64>,
    /// Demand over a hyperperiod at its clock, in the mode where it is largest, or the negated value.
    pub cost: BigInt,
    /// The clock it runs at.
    pub clock: usize,
    /// The variant of the processor, by its place among those of the problem.
    pub variant: usize,
}

impl Sums {
    /// The amount of a resource.
    pub fn amount(&self, resource: usize) -> u64 {
        resource.checked_sub(1).map_or(self.area, |at| self.further[at])
    }

    /// The amounts of the objectives after the first.
    fn objectives(&self, problem: &Problem) -> &[u64] {
        let objectives = problem.resources.as_ref().map_or(1, |resources| resources.objectives);
        &self.further[..objectives - 1]
    }
}

impl<'a> Design<'a> {
    /// The empty design.
    pub fn new(problem: &'a Problem) -> Self {
        let mut design = Self {
            problem,
            options: vec![0; problem.classes.len()],
            users: vec![0; problem.blocks.len()],
            amounts: unbuilt(problem),
            costs: Costs::new(problem),
            missing: 0,
            number: 0,
        };
        (0..problem.classes.len()).for_each(|class| design.add(class, true));
        design
    }

    /// The option of every class; 0 means none.
    pub fn options(&self) -> &[u32] {
        &self.options
    }

    /// The index of a class's offer.
    fn offer(&self, class: usize) -> Option<usize> {
        let offers = &self.problem.classes[class];
        offers.binary_search_by_key(&self.options[class], |offer| offer.option).ok()
    }

    /// Adds or removes the option of a class.
    fn add(&mut self, class: usize, is_added: bool) {
        let Some(at) = self.offer(class) else {
            self.missing = if is_added { self.missing + 1 } else { self.missing - 1 };
            return;
        };
        self.costs.add(class, at, is_added);
        let offer = &self.problem.classes[class][at];
        let sign = if is_added { 1 } else { -1 };
        self.change(sign, &|resource| offer.amount(resource));
        for &block in &offer.blocks {
            let users = &mut self.users[block as usize];
            let before = *users;
            *users = if is_added { before + 1 } else { before - 1 };
            if before.min(*users) == 0 {
                let block = &self.problem.blocks[block as usize];
                self.change(sign, &|resource| block.built(resource));
                self.change(-sign, &|resource| block.unbuilt(resource));
            }
        }
    }

    /// Adds amounts, or subtracts them.
    fn change(&mut self, sign: i128, amount: &dyn Fn(usize) -> u64) {
        for (resource, sum) in self.amounts.iter_mut().enumerate() {
            *sum += sign * i128::from(amount(resource));
        }
    }

    /// Reads the changes from this design to the next, and applies them. Fails if the design is invalid: an option
    /// does not exist, two blocks share a slot, or it exceeds the capacity.
    pub fn read(&mut self, numbers: &mut Numbers) -> Result<Sums, Wrong> {
        let classes = self.options.len();
        let mut next = 0;
        let changes = numbers.within(classes, "the number of changes")?;
        // Every change removes one option and adds one; all their blocks are visited.
        let clocks = self.problem.cost_count() as u64;
        let words = if matches!(self.costs, Costs::Small(..)) { 1 } else { self.problem.cost_words };
        let resources = self.amounts.len() as u64;
        numbers.meter.work(times(&[changes as u64, 50 + 8 * clocks * words + 8 * resources]))?;
        numbers.meter.work(50 + 4 * self.users.len() as u64)?;
        for _ in 0..changes {
            let class = numbers.within(classes, "the class of a change")?.saturating_add(next);
            if class >= classes {
                return Err(self.wrong(format!("there is no class {class} to change")));
            }
            let option = numbers.within(u32::MAX as usize, "an option")? as u32;
            if option == self.options[class] {
                return Err(self.wrong(format!("class {class} is said to change and does not")));
            }
            self.add(class, false);
            self.options[class] = option;
            self.add(class, true);
            let users = self.offer(class).map_or(0, |at| self.problem.classes[class][at].blocks.len());
            numbers.meter.work(times(&[users as u64, 8 * resources]))?;
            next = class + 1;
        }
        let sums = self.sums()?;
        self.number += 1;
        Ok(sums)
    }

    fn sums(&self) -> Result<Sums, Wrong> {
        if self.missing > 0 {
            let class = (0..self.options.len()).find(|&class| self.offer(class).is_none()).unwrap_or(0);
            return Err(self
                .wrong(format!("class {class} has no option {} within the capacity", self.options[class])));
        }
        if self.problem.blocks.is_empty() {
            return self.with_area(0);
        }
        let used = || self.users.iter().zip(&self.problem.blocks).filter(|(users, _)| **users > 0);
        let mut slots: Vec<u64> = used().filter_map(|(_, block)| block.slot).collect();
        slots.sort_unstable();
        if slots.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(self.wrong("two blocks go into one slot".into()));
        }
        self.with_area(used().map(|(_, block)| block.clock).max().unwrap_or(0))
    }

    /// The sums at a clock, if they are within the limits.
    fn with_area(&self, clock: usize) -> Result<Sums, Wrong> {
        if self.problem.resources.as_ref().is_some_and(|resources| !resources.is_possible) {
            return Err(self.wrong("no design is within the limits".into()));
        }
        let mut further = Vec::with_capacity(self.amounts.len() - 1);
        let mut area = 0;
        for (resource, &sum) in self.amounts.iter().enumerate() {
            let within = u64::try_from(sum).ok().filter(|&sum| sum <= self.problem.limit(resource));
            let within = within.ok_or_else(|| self.wrong(self.beyond(resource, sum)))?;
            if resource == 0 { area = within } else { further.push(within) }
        }
        Ok(Sums { area, further, cost: self.costs.at(clock, self.problem.clocks), clock, variant: 0 })
    }

    fn beyond(&self, resource: usize, sum: i128) -> String {
        match &self.problem.resources {
            None => format!("area {sum} is beyond the capacity"),
            Some(_) => {
                let limit = self.problem.limit(resource);
                format!("its amount {sum} of resource {resource} is beyond the limit {limit}")
            }
        }
    }

    fn wrong(&self, problem: String) -> Wrong {
        Wrong::Point { point: self.number, problem }
    }
}

/// Designs of all variants of the processor, each read as the difference from the one before of its variant.
pub struct Designs<'a> {
    variants: Vec<Design<'a>>,
    read: usize,
}

impl<'a> Designs<'a> {
    /// One empty design per variant.
    pub fn new(problem: &'a Problem) -> Self {
        Self { variants: problem.variants().map(Design::new).collect(), read: 0 }
    }

    /// The number of the variant of the next design, and its sums; fails as [`Design::read`].
    pub fn read(&mut self, numbers: &mut Numbers) -> Result<Sums, Wrong> {
        let variant = match self.variants.len() {
            1 => 0,
            count => numbers.within(count - 1, "a variant")?,
        };
        let design = &mut self.variants[variant];
        design.number = self.read;
        let sums = design.read(numbers)?;
        self.read += 1;
        let area = sums.area.checked_add(design.problem.variant.more);
        let area = area.ok_or_else(|| design.wrong("its area is beyond 64 bits".into()))?;
        Ok(Sums { area, variant, ..sums })
    }

    /// The options of the design that was read last.
    pub fn options(&self, sums: &Sums) -> &[u32] {
        self.variants[sums.variant].options()
    }
}

/// Bytes of a point without its options and the digits of its cost.
const POINT: u64 = size_of::<Point>() as u64 + 32;

/// A point of a front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Point {
    /// The totals of its design.
    pub sums: Sums,
    /// Its options, if a scheduler needs them.
    pub options: Vec<u32>,
}

/// The amounts of a design without options: those of blocks that are not built.
fn unbuilt(problem: &Problem) -> Vec<i128> {
    let sum = |resource| problem.blocks.iter().map(|block| i128::from(block.unbuilt(resource))).sum();
    (0..problem.width()).map(sum).collect()
}

/// Reads the points of a front: area strictly increasing, cost strictly decreasing; with several resources, the
/// objectives in lexicographic order and no point dominated by another. `keep_options` keeps the options of all points.
/// Fails if a point is invalid or out of order.
pub fn read_front(numbers: &mut Numbers, problem: &Problem, keep_options: bool) -> Result<Vec<Point>, Wrong> {
    let count = numbers.within(MOST, "the number of points")?;
    let mut points: Vec<Point> = Vec::new();
    let mut designs = Designs::new(problem);
    let options = if keep_options { 4 * problem.classes.len() as u64 + 16 } else { 0 };
    let variants = problem.others.len() as u64;
    numbers.meter.hold(times(&[variants, 4 * problem.classes.len() as u64 + 1024]))?;
    let amounts = if problem.resources.is_some() { 32 + 16 * problem.width() as u64 } else { 0 };
    for point in 0..count {
        // Counted twice, since the vector grows by doubling.
        numbers.meter.hold(2 * POINT + options + amounts + 8 * problem.cost_words)?;
        let sums = designs.read(numbers)?;
        if let Some(problem) = points.last().and_then(|last| out_of_order(&last.sums, &sums, problem)) {
            return Err(Wrong::Point { point, problem });
        }
        let options = if keep_options { designs.options(&sums).to_vec() } else { Vec::new() };
        points.push(Point { sums, options });
    }
    if points.is_empty() {
        return Err(Wrong::Point { point: 0, problem: "a front has at least one point".into() });
    }
    if problem.resources.is_some() {
        refuse_dominated(&points, problem, numbers)?;
    }
    Ok(points)
}

/// Why a point may not follow another one.
fn out_of_order(last: &Sums, next: &Sums, problem: &Problem) -> Option<String> {
    if problem.resources.is_some() {
        let is_later = (next.area, next.objectives(problem)) > (last.area, last.objectives(problem));
        return (!is_later).then(|| "its objectives do not come after those of the one before".into());
    }
    let rises = next.area > last.area && next.cost < last.cost;
    (!rises).then(|| "it does not rise in area and fall in cost from the one before".into())
}

/// Refuses points of which one dominates another.
fn refuse_dominated(points: &[Point], problem: &Problem, numbers: &mut Numbers) -> Result<(), Wrong> {
    // Costs are compared as often as resources, so their ranks take their place.
    numbers.meter.hold(16 * points.len() as u64)?;
    numbers.meter.work(times(&[points.len() as u64, 64 * (10 + problem.cost_words)]))?;
    let mut costs: Vec<&BigInt> = points.iter().map(|point| &point.sums.cost).collect();
    costs.sort_unstable();
    let rank = |point: &Point| costs.partition_point(|&cost| *cost < point.sums.cost) as u64;
    let mut seen = Undominated::new(&tails(problem));
    for (at, point) in points.iter().enumerate() {
        numbers.meter.work(2 * seen.steps())?;
        let (tail, value) = (point.sums.objectives(problem), rank(point));
        if let Some(by) = seen.dominating(tail, value) {
            let problem = format!("point {by} has no more of any objective and no more cost");
            return Err(Wrong::Point { point: at, problem });
        }
        numbers.meter.hold(seen.insert(tail, value, at))?;
    }
    Ok(())
}

/// The largest amounts of the objectives after the first.
fn tails(problem: &Problem) -> Vec<u64> {
    let objectives = problem.resources.as_ref().map_or(1, |resources| resources.objectives);
    (1..objectives).map(|objective| problem.limit(objective)).collect()
}

/// The points of minimal objectives among those of a cost of at most `most`: no other of them has no more of any.
pub fn minimal(
    points: &[Point],
    most: &BigInt,
    problem: &Problem,
    numbers: &mut Numbers,
) -> Result<Vec<usize>, Wrong> {
    let mut seen = Undominated::new(&tails(problem));
    let mut minimal = Vec::new();
    for (at, point) in points.iter().enumerate().filter(|(_, point)| point.sums.cost <= *most) {
        numbers.meter.work(2 * seen.steps())?;
        let tail = point.sums.objectives(problem);
        if seen.dominating(tail, 0).is_none() {
            numbers.meter.hold(16 + seen.insert(tail, 0, at))?;
            minimal.push(at);
        }
    }
    Ok(minimal)
}
