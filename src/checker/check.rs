//! A certificate from its first byte to its last.

use crate::bound::Bound;
use crate::claim::{Design, Point, Sums, read_front};
use crate::cost::{Cost, Width};
use crate::layers::Lists;
use crate::problem::{Kind, MOST, Problem, TaskSet, hex};
use crate::read::{Failure, Numbers, Wrong};
use crate::scenario::Scenario;
use crate::schedule::{Moment, is_decided_by_utilization, is_schedulable, jobs_due, moments};
use num_bigint::{BigInt, BigUint};
use num_traits::Zero;
use std::io::Read;

/// What a certificate begins with.
pub const MAGIC: &[u8] = b"isx certificate 1\n";

/// What was shown.
#[derive(Clone, Debug)]
pub struct Proved {
    /// The problem.
    pub problem: Problem,
    /// What holds of it.
    pub statement: Statement,
    /// Pairs in all lists.
    pub pairs: u64,
    /// Bytes of the certificate.
    pub bytes: u64,
}

/// What holds of a problem.
#[derive(Clone, Debug)]
pub enum Statement {
    /// These points are the front up to the capacity: all of it and nothing else.
    Front {
        /// In order of area.
        points: Vec<Point>,
        /// Of each, whether it is known to be schedulable (`Some(true)`), or that nothing of its area or less is
        /// (`Some(false)`); empty where there is no scheduler.
        schedulable: Vec<Option<bool>>,
    },
    /// No selection within the capacity costs less than this one.
    Best {
        /// The selection.
        sums: Sums,
        /// Whether none that costs as little has less area, either.
        is_lightest: bool,
    },
    /// No selection fits the capacity.
    NothingFits,
    /// This design, within this area, is schedulable.
    Schedulable {
        /// The area asked about.
        area: u64,
        /// The design.
        sums: Sums,
    },
    /// No design within this area is schedulable.
    NotSchedulable {
        /// The area asked about.
        area: u64,
    },
}

/// Reads a certificate and checks it. `input` is the SHA-256 of the problem that it must be about, if that is known.
///
/// # Errors
///
/// The first thing that is wrong, and where. What is wrong with the file itself comes under [`Failure`] too.
pub fn check(source: impl Read, input: Option<&[u8; 32]>) -> Result<Proved, Failure> {
    let mut numbers = Numbers::new(source);
    let proved = whole(&mut numbers, input);
    let offset = numbers.offset();
    proved.map_err(|wrong| Failure { offset, wrong })
}

/// Reads what a certificate is about, and nothing after that.
///
/// # Errors
///
/// If it is no certificate.
pub fn read_problem(source: impl Read) -> Result<Problem, Failure> {
    let mut numbers = Numbers::new(source);
    let problem = header(&mut numbers);
    let offset = numbers.offset();
    problem.map_err(|wrong| Failure { offset, wrong })
}

fn header<R: Read>(numbers: &mut Numbers<R>) -> Result<Problem, Wrong> {
    let magic = numbers.exactly(MAGIC.len(), "the first line").map_err(|wrong| match wrong {
        Wrong::Ends(_) => Wrong::Magic,
        wrong => wrong,
    })?;
    if magic != MAGIC {
        return Err(Wrong::Magic);
    }
    let length = numbers.within(MOST, "the length of the problem")?;
    Problem::read(&numbers.exactly(length, "the problem")?)
}

fn whole<R: Read>(numbers: &mut Numbers<R>, input: Option<&[u8; 32]>) -> Result<Proved, Wrong> {
    let problem = header(numbers)?;
    if let Some(expected) = input.filter(|&expected| *expected != problem.hash) {
        return Err(Wrong::OtherInput { found: problem.hash_text(), expected: hex(expected) });
    }
    let mut pairs = 0;
    let statement = match numbers.within(4, "the kind of claim")? {
        0 => front(numbers, &problem, &mut pairs)?,
        1 => best(numbers, &problem, &mut pairs)?,
        2 => nothing_fits(&problem)?,
        3 => schedulable(numbers, &problem)?,
        _ => not_schedulable(numbers, &problem, &mut pairs)?,
    };
    numbers.end()?;
    Ok(Proved { problem, statement, pairs, bytes: numbers.offset() })
}

/// What is asked of the lists of a scenario.
struct Asked<'a> {
    scenario: &'a Scenario<'a>,
    /// The cost that is asked about where pairs may be missing, above the least.
    target: Option<BigUint>,
    /// What no pair of the last list may beat, areas rising and full costs falling: of each pair one has no more area
    /// and no more cost.
    floor: Vec<(u64, &'a BigInt)>,
}

impl Asked<'_> {
    /// Reads and checks the lists, and that the last one beats nothing; the number of pairs.
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
        // A floor above all costs there can be is beaten by any pair.
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
        let scenario = Scenario::new(problem, clock);
        let floor = points.iter().map(|point| (point.sums.area, &point.sums.cost)).collect();
        *pairs += Asked { scenario: &scenario, target: None, floor }.lists(numbers)?;
    }
    Ok(Statement::Front { points, schedulable })
}

/// The verdicts of a front's points: what is claimed to be schedulable is tested, what utilization decides needs no claim.
fn verdicts<R: Read>(
    numbers: &mut Numbers<R>,
    set: &TaskSet,
    points: &[Point],
) -> Result<Vec<Option<bool>>, Wrong> {
    let hyperperiod = BigInt::from(set.hyperperiod.clone());
    // Nothing of this area or less has a lower cost.
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
                is_schedulable(set, sums.clock, options)
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
    // What a better selection costs at most.
    let better = if is_lightest { sums.cost.clone() } else { &sums.cost - 1 };
    for clock in 0..problem.clocks {
        let scenario = Scenario::new(problem, clock);
        let Some(target) = scenario.above_least(&better) else { continue };
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

fn nothing_fits(problem: &Problem) -> Result<Statement, Wrong> {
    let least = |class: &Vec<crate::problem::Offer>| class.iter().map(|offer| u128::from(offer.area)).min();
    let sum = problem.classes.iter().map(least).try_fold(0u128, |sum, least| sum.checked_add(least?));
    match sum.filter(|&sum| sum <= u128::from(problem.capacity)) {
        None => Ok(Statement::NothingFits),
        Some(sum) => Err(Wrong::Verdict(format!("a selection of area {sum} fits, as far as own areas tell"))),
    }
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
    if sums.area > area {
        return Err(Wrong::Verdict(format!(
            "the design has area {}, more than the {area} asked about",
            sums.area
        )));
    }
    match is_schedulable(set, sums.clock, design.options()) {
        Some(true) => Ok(Statement::Schedulable { area, sums }),
        Some(false) => Err(Wrong::Verdict("the design is not schedulable".into())),
        None => Err(Wrong::Verdict("whether the design is schedulable takes too many steps to check".into())),
    }
}

fn not_schedulable<R: Read>(
    numbers: &mut Numbers<R>,
    problem: &Problem,
    pairs: &mut u64,
) -> Result<Statement, Wrong> {
    let set = task_set(problem)?;
    let area = numbers.small("the area asked about")?;
    if area > problem.capacity {
        return Err(Wrong::Verdict(format!(
            "area {area} is beyond the problem's capacity {}",
            problem.capacity
        )));
    }
    let mut reasons = Vec::new();
    for _ in 0..problem.clocks {
        reasons.push(Reason::read(numbers, set)?);
    }
    for (clock, reason) in reasons.iter().enumerate() {
        for moment in reason.moments(set)? {
            let scenario = moment_scenario(problem, set, clock, area, &moment);
            let limit = BigInt::from(moment.time);
            let Some(target) = scenario.above_least(&limit) else { continue };
            let floor = &limit + 1;
            let floor = vec![(0, &floor)];
            *pairs += Asked { scenario: &scenario, target: Some(target), floor }.lists(numbers)?;
        }
    }
    Ok(Statement::NotSchedulable { area })
}

/// The designs of a clock within an area, the time that jobs take by a moment as their cost.
pub fn moment_scenario<'a>(
    problem: &'a Problem,
    set: &TaskSet,
    clock: usize,
    area: u64,
    moment: &Moment,
) -> Scenario<'a> {
    let cost = |class: usize, at: usize| {
        let option = problem.classes[class][at].option as usize;
        BigInt::from(&set.tasks[class].wcets[clock][option] * &moment.jobs[class])
    };
    Scenario::weighted(problem, clock, area, cost)
}

/// Why no design of a clock is schedulable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The utilization is above 1.
    Overload,
    /// Earliest deadline first: the jobs due by a time take longer.
    Demand(BigUint),
    /// Fixed priorities: a job of a task is late, counted from 1.
    Late(usize, BigUint),
}

/// Moments that a late job may have.
pub const MOST_MOMENTS: usize = 100_000;

impl Reason {
    fn read<R: Read>(numbers: &mut Numbers<R>, set: &TaskSet) -> Result<Self, Wrong> {
        let reason = match numbers.within(2, "the reason")? {
            0 => Self::Overload,
            1 => Self::Demand(numbers.big("a time")?),
            _ => {
                let task = numbers.within(set.tasks.len().saturating_sub(1), "a task")?;
                Self::Late(task, numbers.big("a job")?)
            }
        };
        let fits = match &reason {
            Self::Overload => true,
            Self::Demand(_) => !set.fixed,
            Self::Late(_, job) => set.fixed && !job.is_zero() && !set.tasks.is_empty(),
        };
        if fits {
            Ok(reason)
        } else {
            Err(Wrong::Verdict("the scheduler does not fail for such a reason".into()))
        }
    }

    /// The moments at one of which a schedulable design must be done with its jobs.
    ///
    /// # Errors
    ///
    /// If there are more than [`MOST_MOMENTS`].
    pub fn moments(&self, set: &TaskSet) -> Result<Vec<Moment>, Wrong> {
        let jobs = |count: &dyn Fn(&crate::problem::Task) -> BigUint| set.tasks.iter().map(count).collect();
        match self {
            Self::Overload => {
                let (time, jobs) = (set.hyperperiod.clone(), jobs(&|task| &set.hyperperiod / &task.period));
                Ok(vec![Moment { time, jobs }])
            }
            Self::Demand(time) => {
                let jobs = jobs(&|task| jobs_due(time, &task.period, &task.deadline));
                Ok(vec![Moment { time: time.clone(), jobs }])
            }
            Self::Late(task, job) => moments(set, *task, job, MOST_MOMENTS)
                .ok_or_else(|| Wrong::Verdict(format!("the late job has more than {MOST_MOMENTS} moments"))),
        }
    }
}

impl Proved {
    /// The utilization, or the value, behind a cost: numerator and denominator in lowest terms.
    pub fn in_lowest_terms(&self, cost: &BigInt) -> (BigInt, BigUint) {
        let Some(set) = &self.problem.task_set else { return (-cost.clone(), BigUint::from(1u32)) };
        let divisor = num_integer::Integer::gcd(cost.magnitude(), &set.hyperperiod);
        if divisor.is_zero() {
            return (BigInt::ZERO, BigUint::from(1u32));
        }
        (cost / BigInt::from(divisor.clone()), &set.hyperperiod / divisor)
    }
}
