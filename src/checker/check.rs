//! Checks a whole certificate.

use crate::bound::Bound;
use crate::claim::{Design, Point, Sums, minimal, read_front};
use crate::cost::{Cost, Width};
use crate::covers;
use crate::failure::{Failure, Wrong};
use crate::format::{self, MAGIC};
use crate::layers::Lists;
use crate::limits::{Limits, Meter, times, words};
use crate::problem::{Kind, MOST, Problem, TaskSet, hash, hex};
use crate::read::Numbers;
use crate::reason::{Reason, moment_scenario};
use crate::resources::Resources;
use crate::scenario::{Scenario, gcd};
use crate::schedule::{is_decided_by_utilization, is_schedulable_within};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use std::io::Read;

/// What a certificate proves.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The problem.
    pub problem: Problem,
    /// What holds for it.
    pub statement: Statement,
    /// Number of pairs in all lists.
    pub pairs: u64,
    /// Size of the certificate in bytes.
    pub bytes: u64,
}

/// What holds for a problem.
#[derive(Clone, Debug)]
pub enum Statement {
    /// These points are exactly the front up to the capacity.
    Front {
        /// In order of area.
        points: Vec<Point>,
        /// For each point, whether it is known to be schedulable (`Some(true)`), or that nothing of at most its area
        /// is (`Some(false)`); empty if there is no scheduler.
        schedulable: Vec<Option<bool>>,
        /// With several resources, where utilization alone decides: the points of minimal objectives among the
        /// schedulable ones. No other objectives are minimal for a schedulable design.
        minimal: Option<Vec<usize>>,
    },
    /// No selection within the capacity costs less than this one.
    Best {
        /// The selection.
        sums: Sums,
        /// Whether every other selection of the same cost has at least as much area.
        is_lightest: bool,
    },
    /// No selection fits the capacity.
    NothingFits,
    /// This design, within this area, is schedulable.
    Schedulable {
        /// The queried area.
        area: u64,
        /// The design.
        sums: Sums,
    },
    /// No design within this area is schedulable.
    NotSchedulable {
        /// The queried area.
        area: u64,
    },
}

/// Reads a certificate and checks it without limits. `input` is the SHA-256 of the problem it must be about, if known.
/// Fails with the first error and its location, including errors in the file itself: see [`Failure`].
pub fn check(source: impl Read, input: Option<&[u8; 32]>) -> Result<Proved, Failure> {
    check_within(source, input, Limits::NONE)
}

/// As [`check`], within limits. A certificate about another input is rejected before anything is computed. Fails as
/// [`check`] does, and if a limit is exceeded.
pub fn check_within(source: impl Read, input: Option<&[u8; 32]>, limits: Limits) -> Result<Proved, Failure> {
    let mut numbers = Numbers::metered(source, Meter::new(limits));
    let proved = whole(&mut numbers, input);
    let offset = numbers.offset();
    proved.map_err(|wrong| Failure { offset, wrong })
}

/// What a certificate is about, before anything is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The kind of problem.
    pub kind: Kind,
    /// The queried capacity: area in units, or weight.
    pub capacity: u64,
    /// The area unit in terms of the task set's own, as numerator and denominator, for a task set.
    pub area_unit: Option<(BigUint, BigUint)>,
    /// The resources, for a task set with several.
    pub resources: Option<Resources>,
    /// SHA-256 of the problem.
    pub hash: [u8; 32],
}

impl About {
    /// Reads it from the start of a certificate. Fails if it is not a certificate, or exceeds a limit.
    pub fn read(source: impl Read, limits: Limits) -> Result<Self, Failure> {
        let mut numbers = Numbers::metered(source, Meter::new(limits));
        let about = header(&mut numbers).and_then(|bytes| Self::of(&bytes));
        let offset = numbers.offset();
        about.map_err(|wrong| Failure { offset, wrong })
    }

    /// Reads it from the bytes of a problem, only as far as needed.
    fn of(bytes: &[u8]) -> Result<Self, Wrong> {
        let mut numbers = Numbers::new(bytes);
        let kind = numbers.within(format::problem::LAST as usize, "the kind of problem")? as u64;
        let (mut area_unit, mut resources) = (None, None);
        if kind == format::problem::TASK_SET {
            area_unit = Some((numbers.big("the unit of area")?, numbers.big("the unit of area")?));
            numbers.big("the unit of time")?;
            numbers.big("the unit of time")?;
        }
        let capacity = match kind {
            format::problem::RESOURCES => resources.insert(Resources::read(&mut numbers)?).columns[0].limit,
            _ => numbers.small("the capacity")?,
        };
        let kind = match kind {
            format::problem::TASK_SET | format::problem::RESOURCES => Kind::TaskSet,
            format::problem::MCKP => Kind::Mckp { optional: numbers.flag("the rule of choice")? },
            _ => Kind::Knapsack,
        };
        Ok(Self { kind, capacity, area_unit, resources, hash: hash(bytes) })
    }
}

/// The bytes of the problem.
fn header<R: Read>(numbers: &mut Numbers<R>) -> Result<Vec<u8>, Wrong> {
    let magic = numbers.exactly(MAGIC.len(), "the first line").map_err(|wrong| match wrong {
        Wrong::Ends(_) => Wrong::Magic,
        wrong => wrong,
    })?;
    if magic != MAGIC {
        return Err(Wrong::Magic);
    }
    let length = numbers.within(MOST, "the length of the problem")?;
    numbers.exactly(length, "the problem")
}

fn whole<R: Read>(numbers: &mut Numbers<R>, input: Option<&[u8; 32]>) -> Result<Proved, Wrong> {
    let bytes = header(numbers)?;
    let found = hash(&bytes);
    if let Some(expected) = input.filter(|&expected| *expected != found) {
        return Err(Wrong::OtherInput { found: hex(&found), expected: hex(expected) });
    }
    let problem = Problem::read_within(&bytes, &mut numbers.meter)?;
    numbers.meter.release(bytes.len() as u64);
    drop(bytes);
    let mut pairs = 0;
    let statement = match numbers.within(format::claim::NOT_SCHEDULABLE as usize, "the kind of claim")? as u64
    {
        format::claim::FRONT => front(numbers, &problem, &mut pairs)?,
        format::claim::BEST => best(numbers, &problem, &mut pairs)?,
        format::claim::NOTHING_FITS => nothing_fits(numbers, &problem, &mut pairs)?,
        format::claim::SCHEDULABLE => schedulable(numbers, &problem)?,
        _ => not_schedulable(numbers, &problem, &mut pairs)?,
    };
    numbers.end()?;
    Ok(Proved { problem, statement, pairs, bytes: numbers.offset() })
}

/// What the lists of a scenario must show.
struct Asked<'a> {
    scenario: &'a Scenario<'a>,
    /// The queried cost, above the minimum, if pairs may be missing.
    target: Option<BigUint>,
    /// The claimed pairs, with areas increasing and full costs decreasing: each pair of the last list must have at
    /// least the area and the cost of one of them.
    floor: Vec<(u64, &'a BigInt)>,
}

/// Reads and checks the lists of a scenario of several resources: `claimed` are the points that all its designs of at
/// most `most` cost, above the minimum, are compared with.
fn several<R: Read>(
    numbers: &mut Numbers<R>,
    problem: &Problem,
    scenario: &Scenario,
    most: Option<&BigUint>,
    claimed: &[Point],
) -> Result<u64, Wrong> {
    covers::Asked { problem, scenario, most, claimed }.check(numbers)
}

impl Asked<'_> {
    /// Reads and checks the lists, and that the last one improves on no claimed pair; returns the number of pairs.
    fn lists<R: Read>(&self, numbers: &mut Numbers<R>) -> Result<u64, Wrong> {
        let bound = match (numbers.flag("whether pairs are left out")?, &self.target) {
            (false, _) => None,
            (true, Some(target)) => Some(Bound::read(numbers, self.scenario, target)?),
            (true, None) => {
                return Err(Wrong::List {
                    list: 0,
                    problem: "pairs may not be left out of a front's".into(),
                });
            }
        };
        if bound.as_ref().is_some_and(|bound| bound.room.is_none()) {
            return Ok(0);
        }
        if let Some(bound) = &bound {
            let products =
                times(&[words(&bound.numerator) + words(&bound.denominator), self.scenario.words()]);
            numbers.meter.work(times(&[self.scenario.options(), 100 + 8 * products]))?;
        }
        let largest = bound.as_ref().map(|bound| bound.largest(self.scenario));
        match Width::of(largest.as_ref().unwrap_or(&self.scenario.most)) {
            Width::Bits32 => self.lists_in::<u32, R>(numbers, bound),
            Width::Bits64 => self.lists_in::<u64, R>(numbers, bound),
            Width::Bits128 => self.lists_in::<u128, R>(numbers, bound),
            Width::Any => self.lists_in::<BigUint, R>(numbers, bound),
        }
    }

    fn lists_in<C: Cost, R: Read>(
        &self,
        numbers: &mut Numbers<R>,
        bound: Option<Bound>,
    ) -> Result<u64, Wrong> {
        let (last, pairs) = Lists::<C>::read(numbers, self.scenario, bound)?.finish(numbers)?;
        // A floor above all possible costs is undercut by any pair.
        let floor = |&(area, full): &(u64, &BigInt)| (area, C::from_big(&self.scenario.at_least(full)));
        let floor: Vec<(u64, Option<C>)> = self.floor.iter().map(floor).collect();
        let mut at = 0;
        for (&area, cost) in last.areas.iter().zip(&last.costs) {
            while floor.get(at + 1).is_some_and(|(next, _)| *next <= area) {
                at += 1;
            }
            let holds = |(own, least): &(u64, Option<C>)| {
                *own <= area && least.as_ref().is_some_and(|least| least <= cost)
            };
            if !floor.get(at).is_some_and(holds) {
                let cost = self.scenario.full(&cost.to_big()).to_string();
                return Err(Wrong::BeyondClaim { area, cost });
            }
        }
        Ok(pairs)
    }
}

fn front<R: Read>(numbers: &mut Numbers<R>, problem: &Problem, pairs: &mut u64) -> Result<Statement, Wrong> {
    let test = problem.task_set.as_ref().filter(|set| !is_decided_by_utilization(set));
    let points = read_front(numbers, problem, test.is_some())?;
    let schedulable = match &problem.task_set {
        Some(set) => verdicts(numbers, set, &points)?,
        None => Vec::new(),
    };
    for clock in 0..problem.clocks {
        Scenario::charge(problem, problem.cost_words, &mut numbers.meter)?;
        let scenario = Scenario::new(problem, clock);
        if problem.resources.is_some() {
            *pairs += several(numbers, problem, &scenario, None, &points)?;
            continue;
        }
        numbers.meter.work(times(&[points.len() as u64, 50 + 4 * problem.cost_words]))?;
        let floor = points.iter().map(|point| (point.sums.area, &point.sums.cost)).collect();
        *pairs += Asked { scenario: &scenario, target: None, floor }.lists(numbers)?;
    }
    let decided = problem.task_set.as_ref().filter(|set| is_decided_by_utilization(set));
    let minimal = match decided.filter(|_| problem.resources.is_some()) {
        Some(set) => Some(minimal(&points, &BigInt::from(set.hyperperiod.clone()), problem, numbers)?),
        None => None,
    };
    Ok(Statement::Front { points, schedulable, minimal })
}

/// The verdicts on a front's points: claimed schedulable points are tested; points that utilization decides need no
/// claim.
fn verdicts<R: Read>(
    numbers: &mut Numbers<R>,
    set: &TaskSet,
    points: &[Point],
) -> Result<Vec<Option<bool>>, Wrong> {
    let hyperperiod = BigInt::from(set.hyperperiod.clone());
    // Nothing of at most this area has a lower cost.
    let overloaded = |point: &Point| (point.sums.cost > hyperperiod).then_some(false);
    let mut verdicts: Vec<Option<bool>> = points.iter().map(overloaded).collect();
    let mut next = 0;
    for run in 0..numbers.within(points.len() + 1, "the number of runs")? {
        let length = numbers.within(points.len() - next, "a run of points")?;
        let claimed = (next..next + length).filter(|_| run % 2 == 1);
        for point in claimed {
            let Point { sums, options } = &points[point];
            let holds = if is_decided_by_utilization(set) {
                Some(sums.cost <= hyperperiod)
            } else {
                is_schedulable_within(set, sums.clock, options, &mut numbers.meter)?
            };
            match holds {
                Some(true) => verdicts[point] = Some(true),
                Some(false) => {
                    return Err(Wrong::Verdict(format!("point {point} is claimed schedulable and is not")));
                }
                None => {
                    return Err(Wrong::Verdict(format!(
                        "whether point {point} is schedulable takes too many steps to check"
                    )));
                }
            }
        }
        next += length;
    }
    Ok(verdicts)
}

fn best<R: Read>(numbers: &mut Numbers<R>, problem: &Problem, pairs: &mut u64) -> Result<Statement, Wrong> {
    let is_lightest = numbers.flag("whether the best is the lightest")?;
    let sums = Design::new(problem).read(numbers)?;
    // The maximum cost of a better selection.
    let better = if is_lightest { sums.cost.clone() } else { &sums.cost - 1 };
    if is_lightest && problem.resources.is_some() {
        return Err(Wrong::Verdict("of several resources, no selection is the lightest".into()));
    }
    for clock in 0..problem.clocks {
        Scenario::charge(problem, problem.cost_words, &mut numbers.meter)?;
        let scenario = Scenario::new(problem, clock);
        let Some(target) = scenario.above_least(&better) else { continue };
        if problem.resources.is_some() {
            *pairs += several(numbers, problem, &scenario, Some(&target), &[])?;
            continue;
        }
        let more = &sums.cost + 1;
        let lightest = if is_lightest { sums.area } else { 0 };
        let mut floor = vec![(0, &more), (lightest, &sums.cost)];
        floor.dedup_by(|later, earlier| {
            later.0 == earlier.0 && {
                earlier.1 = later.1;
                true
            }
        });
        *pairs += Asked { scenario: &scenario, target: Some(target), floor }.lists(numbers)?;
    }
    Ok(Statement::Best { sums, is_lightest })
}

fn nothing_fits<R: Read>(
    numbers: &mut Numbers<R>,
    problem: &Problem,
    pairs: &mut u64,
) -> Result<Statement, Wrong> {
    if problem.resources.is_some() {
        Scenario::charge(problem, 1, &mut numbers.meter)?;
        let scenario = without_costs(problem);
        *pairs += several(numbers, problem, &scenario, None, &[])?;
        return Ok(Statement::NothingFits);
    }
    let least = |class: &Vec<crate::problem::Offer>| class.iter().map(|offer| u128::from(offer.area)).min();
    let sum = problem.classes.iter().map(least).try_fold(0u128, |sum, least| sum.checked_add(least?));
    match sum.filter(|&sum| sum <= u128::from(problem.capacity)) {
        None => Ok(Statement::NothingFits),
        Some(sum) => Err(Wrong::Verdict(format!("a selection of area {sum} fits, as far as own areas tell"))),
    }
}

/// All designs, which all may run at the slowest clock, with costs of 0.
pub fn without_costs(problem: &Problem) -> Scenario<'_> {
    Scenario::weighted(problem, problem.clocks - 1, problem.capacity, |_, _| BigInt::ZERO)
}

fn task_set(problem: &Problem) -> Result<&TaskSet, Wrong> {
    let set = problem.task_set.as_ref().filter(|_| problem.kind == Kind::TaskSet);
    set.ok_or_else(|| Wrong::Verdict("only task sets are schedulable".into()))
}

fn schedulable<R: Read>(numbers: &mut Numbers<R>, problem: &Problem) -> Result<Statement, Wrong> {
    let set = task_set(problem)?;
    let area = numbers.small("the area asked about")?;
    let mut design = Design::new(problem);
    let sums = design.read(numbers)?;
    asked_about(area, problem)?;
    match is_schedulable_within(set, sums.clock, design.options(), &mut numbers.meter)? {
        Some(true) => Ok(Statement::Schedulable { area, sums }),
        Some(false) => Err(Wrong::Verdict("the design is not schedulable".into())),
        None => Err(Wrong::Verdict("whether the design is schedulable takes too many steps to check".into())),
    }
}

/// A verdict refers to the whole capacity and to no other area.
fn asked_about(area: u64, problem: &Problem) -> Result<(), Wrong> {
    if area == problem.capacity {
        return Ok(());
    }
    Err(Wrong::Verdict(format!(
        "the verdict is about area {area}, not about the capacity {}",
        problem.capacity
    )))
}

fn not_schedulable<R: Read>(
    numbers: &mut Numbers<R>,
    problem: &Problem,
    pairs: &mut u64,
) -> Result<Statement, Wrong> {
    let set = task_set(problem)?;
    let area = numbers.small("the area asked about")?;
    asked_about(area, problem)?;
    let mut reasons = Vec::new();
    for _ in 0..problem.clocks {
        reasons.push(Reason::read(numbers, set)?);
    }
    let tasks = set.tasks.len() as u64;
    let longest =
        set.tasks.iter().flat_map(|task| [&task.period, &task.deadline]).map(words).max().unwrap_or(1);
    for (clock, reason) in reasons.iter().enumerate() {
        let times_held = reason.most_times().saturating_mul(64 + 8 * (reason.words() + longest + 1));
        numbers.meter.hold(times_held)?;
        numbers.meter.work(reason.most_times().saturating_mul(50))?;
        for moment in reason.moments(set)? {
            let time = words(&moment.time);
            numbers.meter.work(times(&[tasks, 200 + times(&[time, longest, 4])]))?;
            Scenario::charge(problem, problem.cost_words + time, &mut numbers.meter)?;
            let scenario = moment_scenario(problem, set, clock, area, &moment);
            let limit = BigInt::from(moment.time);
            let Some(target) = scenario.above_least(&limit) else { continue };
            if problem.resources.is_some() {
                *pairs += several(numbers, problem, &scenario, Some(&target), &[])?;
                continue;
            }
            let floor = &limit + 1;
            let floor = vec![(0, &floor)];
            *pairs += Asked { scenario: &scenario, target: Some(target), floor }.lists(numbers)?;
        }
        numbers.meter.release(times_held);
    }
    Ok(Statement::NotSchedulable { area })
}

impl Proved {
    /// The number of steps to reduce the costs of all points to lowest terms.
    pub fn printing_steps(&self) -> u64 {
        let (Statement::Front { points, .. }, Some(set)) = (&self.statement, &self.problem.task_set) else {
            return 0;
        };
        let words = words(&set.hyperperiod);
        times(&[points.len() as u64, 300 + times(&[words - 1, words + 64, 64])])
    }

    /// The utilization or value that a cost stands for: numerator and denominator in lowest terms.
    pub fn in_lowest_terms(&self, cost: &BigInt) -> (BigInt, BigUint) {
        let Some(set) = &self.problem.task_set else { return (-cost.clone(), BigUint::from(1u32)) };
        let divisor = gcd(cost.magnitude().clone(), set.hyperperiod.clone());
        if divisor.is_zero() {
            return (BigInt::ZERO, BigUint::from(1u32));
        }
        (cost / BigInt::from(divisor.clone()), &set.hyperperiod / divisor)
    }
}
