//! Recomputes the designs that a certificate claims from their options.

use crate::shared::failure::Wrong;
use crate::shared::limits::times;
use crate::shared::problem::{MOST, Offer, Problem};
use crate::shared::read::Numbers;
use crate::shared::undominated::Undominated;
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The totals of a design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Its amount of every resource, each block counted once.
    pub amounts: Vec<u64>,
    /// Demand over a hyperperiod at its clock, in the mode where it is largest, or the negated value.
    pub cost: BigInt,
    /// The clock it runs at.
    pub clock: usize,
    /// The variant of the processor, by its place among those of the problem.
    pub variant: usize,
}

impl Sums {
    /// Its amounts of the objectives.
    pub fn objectives(&self, problem: &Problem) -> &[u64] {
        &self.amounts[..problem.resources.objectives]
    }
}

/// A design, read as the difference from the one before.
struct Design<'a> {
    problem: &'a Problem,
    options: Vec<u32>,
    /// The costs of every class's offers, if all sums of them are machine integers.
    costs: Option<Vec<Vec<Vec<i128>>>>,
    /// How many options of the design use each block.
    users: Vec<u32>,
}

impl<'a> Design<'a> {
    /// The empty design.
    fn new(problem: &'a Problem) -> Self {
        let largest = |class: &Vec<Offer>| {
            class.iter().flat_map(|offer| &offer.costs).map(|cost| cost.magnitude()).max().cloned()
        };
        let sum: num_bigint::BigUint = problem.classes.iter().filter_map(largest).sum();
        let small = |cost: &BigInt| cost.to_i128().unwrap_or_default();
        let of_class =
            |class: &Vec<Offer>| class.iter().map(|offer| offer.costs.iter().map(small).collect()).collect();
        let costs = (sum.bits() <= 120).then(|| problem.classes.iter().map(of_class).collect());
        let options = vec![0; problem.classes.len()];
        Self { problem, options, costs, users: vec![0; problem.blocks.len()] }
    }

    /// Reads the changes from this design to the next, and applies them. Fails with what is wrong with the design: an option
    /// does not exist, two blocks share a slot, or it exceeds a limit.
    fn read(&mut self, numbers: &mut Numbers) -> Result<Result<Sums, String>, Wrong> {
        let classes = self.options.len();
        let mut next = 0;
        let changes = numbers.within(classes, "the number of changes")?;
        numbers.meter.work(times(&[changes as u64, 50]))?;
        for _ in 0..changes {
            let class = numbers.within(classes, "the class of a change")?.saturating_add(next);
            if class >= classes {
                return Ok(Err(format!("there is no class {class} to change")));
            }
            let option = numbers.within(u32::MAX as usize, "an option")? as u32;
            if option == self.options[class] {
                return Ok(Err(format!("class {class} is listed as changed and keeps its option")));
            }
            self.options[class] = option;
            next = class + 1;
        }
        let words = if self.costs.is_some() { 1 } else { self.problem.cost_words };
        let width = self.problem.width() as u64;
        let modes = self.problem.modes.len().max(1) as u64;
        numbers.meter.work(times(&[classes as u64, 30 + 4 * width + 8 * modes * words]))?;
        numbers.meter.work(50 + times(&[self.users.len() as u64, 8 + 4 * width]))?;
        let mut uses = 0;
        let sums = self.sums(&mut uses);
        numbers.meter.work(4 * uses)?;
        Ok(sums)
    }

    /// The sums; `uses` counts the uses of blocks.
    fn sums(&mut self, uses: &mut u64) -> Result<Sums, String> {
        let problem = self.problem;
        self.users.fill(0);
        let mut amounts = vec![0u128; problem.width()];
        let add = |sums: &mut [u128], amounts: &[u64]| {
            sums.iter_mut().zip(amounts).for_each(|(sum, amount)| *sum += u128::from(*amount));
        };
        let (mut chosen, mut clock) = (Vec::with_capacity(self.options.len()), 0);
        for (class, (offers, option)) in problem.classes.iter().zip(&self.options).enumerate() {
            let at = offers.binary_search_by_key(option, |offer| offer.option);
            let at = at.map_err(|_| format!("class {class} has no option {option} within the capacity"))?;
            let offer = &offers[at];
            add(&mut amounts, &offer.amounts);
            offer.blocks.iter().for_each(|&block| self.users[block as usize] += 1);
            *uses += offer.blocks.len() as u64;
            clock = clock.max(offer.clock);
            chosen.push(at);
        }
        let mut slots: Vec<u64> = Vec::new();
        for (block, users) in problem.blocks.iter().zip(&self.users) {
            add(&mut amounts, if *users > 0 { &block.built } else { &block.unbuilt });
            slots.extend(block.slot.filter(|_| *users > 0));
        }
        slots.sort_unstable();
        if slots.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err("two blocks share a slot".into());
        }
        if !problem.resources.is_possible {
            return Err("no design is within the limits".into());
        }
        let within = |(at, sum): (usize, &u128)| {
            let limit = problem.limit(at);
            let within = u64::try_from(*sum).ok().filter(|sum| *sum <= limit);
            within.ok_or_else(|| format!("its amount {sum} of resource {at} is beyond the limit {limit}"))
        };
        let amounts = amounts.iter().enumerate().map(within).collect::<Result<_, String>>()?;
        let modes = (clock..problem.cost_count()).step_by(problem.clocks);
        let cost = |mode: usize| -> BigInt {
            let chosen = chosen.iter().enumerate();
            match &self.costs {
                Some(costs) => chosen.map(|(class, &at)| costs[class][at][mode]).sum::<i128>().into(),
                None => chosen.map(|(class, &at)| &problem.classes[class][at].costs[mode]).sum(),
            }
        };
        let cost = modes.map(cost).max().unwrap_or_default();
        Ok(Sums { amounts, cost, clock, variant: 0 })
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

    /// Reads the next design. Fails if it is not a design of the problem.
    pub fn read(&mut self, numbers: &mut Numbers) -> Result<Sums, Wrong> {
        let variant = match self.variants.len() {
            1 => 0,
            count => numbers.within(count - 1, "a variant")?,
        };
        let sums = self.variants[variant].read(numbers)?;
        let sums = sums.map_err(|problem| Wrong::Point { point: self.read, problem })?;
        self.read += 1;
        Ok(Sums { variant, ..sums })
    }

    /// The options of the design that was read last.
    pub fn options(&self, sums: &Sums) -> &[u32] {
        &self.variants[sums.variant].options
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

/// Reads the points of a front: the objectives in lexicographic order, and no point dominated by another. `keep_options`
/// keeps the options of all points. Fails if a point is invalid or out of order.
pub fn read_front(numbers: &mut Numbers, problem: &Problem, keep_options: bool) -> Result<Vec<Point>, Wrong> {
    let count = numbers.within(MOST, "the number of points")?;
    let mut points: Vec<Point> = Vec::new();
    let mut designs = Designs::new(problem);
    let options = if keep_options { 4 * problem.classes.len() as u64 + 16 } else { 0 };
    let variants = problem.others.len() as u64;
    numbers.meter.hold(times(&[variants, 4 * problem.classes.len() as u64 + 1024]))?;
    for point in 0..count {
        // Counted twice, since the vector grows by doubling.
        numbers.meter.hold(2 * POINT + options + 16 * problem.width() as u64 + 8 * problem.cost_words)?;
        let sums = designs.read(numbers)?;
        let is_later = |last: &Point| sums.objectives(problem) > last.sums.objectives(problem);
        if points.last().is_some_and(|last| !is_later(last)) {
            let problem = "its objectives do not come after those of the one before".into();
            return Err(Wrong::Point { point, problem });
        }
        let options = if keep_options { designs.options(&sums).to_vec() } else { Vec::new() };
        points.push(Point { sums, options });
    }
    if points.is_empty() {
        return Err(Wrong::Point { point: 0, problem: "a front has at least one point".into() });
    }
    refuse_dominated(&points, problem, numbers)?;
    Ok(points)
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
        let (tail, value) = (&point.sums.objectives(problem)[1..], rank(point));
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
    let most = |at| problem.variants().map(|variant| variant.limit(at)).max().unwrap_or(0);
    (1..problem.resources.objectives).map(most).collect()
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
        let tail = &point.sums.objectives(problem)[1..];
        if seen.dominating(tail, 0).is_none() {
            numbers.meter.hold(16 + seen.insert(tail, 0, at))?;
            minimal.push(at);
        }
    }
    Ok(minimal)
}
