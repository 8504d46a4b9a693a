//! Checks a whole certificate.

use crate::cases::none_schedulable;
use crate::claim::{Designs, Point, Sums, minimal, read_front};
use crate::lists::Asked;
use crate::partition::{self, Division};
use crate::shared::failure::{Failure, Wrong};
use crate::shared::format::{MAGIC, claim, problem as kinds};
use crate::shared::limits::{Limits, Meter, times, words};
use crate::shared::problem::{Kind, MOST, Problem, TaskSet, hash, hex};
use crate::shared::read::Numbers;
use crate::shared::resources::Resources;
use crate::shared::scenario::{Claimed, Scenario, gcd};
use crate::shared::schedule::{is_decided_by_utilization, is_schedulable_within};
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
    /// These points are exactly the front within the limits.
    Front {
        /// In lexicographic order of the objectives.
        points: Vec<Point>,
        /// For each point, whether it is known to be schedulable (`Some(true)`), or that nothing of at most its area
        /// is (`Some(false)`); empty if there is no scheduler.
        schedulable: Vec<Option<bool>>,
        /// Where utilization alone decides: the points of minimal objectives among the schedulable ones. No other
        /// objectives are minimal for a schedulable design.
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
    /// This design, within the limits, is schedulable.
    Schedulable {
        /// The design.
        sums: Sums,
    },
    /// No design within the limits is schedulable.
    NotSchedulable,
    /// This design is schedulable, and none of less area is.
    LeastArea {
        /// The design.
        sums: Sums,
    },
    /// This division among cores meets all deadlines, and none that does has less area.
    LeastDivision(Division),
    /// No division among the cores meets all deadlines.
    NoDivision,
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
    whole(&mut numbers, input).map_err(|wrong| Failure { offset: numbers.offset(), wrong })
}

/// What a certificate is about, before anything is checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The kind of problem.
    pub kind: Kind,
    /// Its resources; of a knapsack problem the weight.
    pub resources: Resources,
    /// The number of cores among which its tasks are divided, for a task set that is divided.
    pub cores: Option<u64>,
    /// SHA-256 of the problem.
    pub hash: [u8; 32],
}

impl About {
    /// Reads it from the start of a certificate. Fails if it is not a certificate, or exceeds a limit.
    pub fn read(source: impl Read, limits: Limits) -> Result<Self, Failure> {
        let mut numbers = Numbers::metered(source, Meter::new(limits));
        let about = header(&mut numbers).and_then(|bytes| Self::of(&bytes));
        about.map_err(|wrong| Failure { offset: numbers.offset(), wrong })
    }

    /// Reads it from the bytes of a problem, only as far as needed.
    fn of(bytes: &[u8]) -> Result<Self, Wrong> {
        let (mut numbers, mut cores) = (Numbers::new(bytes), None);
        let kind = numbers.within(kinds::LAST as usize, "the kind of problem")? as u64;
        let before = match kind {
            kinds::TASK_SET => ["the number of variants", "the number of variants", "a variant"].as_slice(),
            kinds::CORES => {
                cores = Some(numbers.small("the number of cores")?);
                numbers.big("the area of a core")?;
                numbers.big("the area of a core")?;
                &[]
            }
            _ => {
                let resources = Resources::one(numbers.small("the capacity")?);
                let kind = match kind {
                    kinds::MCKP => Kind::Mckp { optional: numbers.flag("the rule of choice")? },
                    _ => Kind::Knapsack,
                };
                return Ok(Self { kind, resources, cores, hash: hash(bytes) });
            }
        };
        before.iter().try_for_each(|what| numbers.small(what).map(drop))?;
        let resources = Resources::read(&mut numbers)?;
        Ok(Self { kind: Kind::TaskSet, resources, cores, hash: hash(bytes) })
    }
}

/// The bytes of the problem.
fn header(numbers: &mut Numbers) -> Result<Vec<u8>, Wrong> {
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

fn whole(numbers: &mut Numbers, input: Option<&[u8; 32]>) -> Result<Proved, Wrong> {
    let bytes = header(numbers)?;
    let found = hash(&bytes);
    if let Some(expected) = input.filter(|&expected| *expected != found) {
        return Err(Wrong::OtherInput { found: hex(&found), expected: hex(expected) });
    }
    let mut problem = Problem::read_within(&bytes, &mut numbers.meter)?;
    numbers.meter.release(bytes.len() as u64);
    drop(bytes);
    let mut pairs = 0;
    let kind = numbers.within(claim::LAST as usize, "the kind of claim")? as u64;
    let is_of_cores = matches!(kind, claim::LEAST_DIVISION | claim::NO_DIVISION);
    let is_of_task_sets =
        matches!(kind, claim::SCHEDULABLE | claim::NOT_SCHEDULABLE | claim::LEAST_AREA) || is_of_cores;
    let wrong = |problem: &str| Err(Wrong::Verdict(problem.into()));
    match &problem.chip {
        _ if is_of_task_sets && problem.kind != Kind::TaskSet => {
            return wrong("the claim is about deadlines or cores, and the problem is not a task set");
        }
        None if is_of_cores => return wrong("the claim is about several cores, the problem about one"),
        Some(_) if !is_of_cores => return wrong("the claim is about one core, the problem about several"),
        _ if kind == claim::BEST && problem.kind == Kind::TaskSet => {
            return wrong("the claim is about a best selection, and the problem is a task set");
        }
        _ if kind == claim::LEAST_AREA && problem.width() > 1 => {
            return wrong("of several resources, no area is the smallest");
        }
        _ => {}
    }
    let statement = match (kind, &problem.chip) {
        (claim::LEAST_DIVISION, Some(chip)) => {
            let division = partition::read_division(numbers, &problem, chip)?;
            pairs += partition::bounded(numbers, &problem, chip, Some(division.area))?;
            Statement::LeastDivision(division)
        }
        (_, Some(chip)) => {
            pairs += partition::bounded(numbers, &problem, chip, None)?;
            Statement::NoDivision
        }
        (claim::FRONT, _) => front(numbers, &problem, &mut pairs)?,
        (claim::BEST, _) => best(numbers, &problem, &mut pairs)?,
        (claim::NOTHING_FITS, _) => {
            for variant in problem.variants() {
                Scenario::charge(variant, 1, &mut numbers.meter)?;
                let scenario = &Scenario::without_costs(variant);
                pairs += Asked { scenario, most: None, claimed: &[] }.check(numbers)?;
            }
            Statement::NothingFits
        }
        (claim::SCHEDULABLE, _) => Statement::Schedulable { sums: passing(numbers, &problem)? },
        (claim::NOT_SCHEDULABLE, _) => {
            pairs += none_schedulable(numbers, &mut problem)?;
            Statement::NotSchedulable
        }
        _ => {
            let sums = passing(numbers, &problem)?;
            if let Some(most) = sums.amounts[0].checked_sub(1) {
                // Only designs of less area are left.
                numbers.meter.hold(times(&[problem.offers, 512 + 16 * problem.cost_words]))?;
                let mut below = problem.with_most(most);
                pairs += none_schedulable(numbers, &mut below)?;
            }
            Statement::LeastArea { sums }
        }
    };
    numbers.end()?;
    Ok(Proved { problem, statement, pairs, bytes: numbers.offset() })
}

fn front(numbers: &mut Numbers, problem: &Problem, pairs: &mut u64) -> Result<Statement, Wrong> {
    let by_utilization = is_decided_by_utilization(&problem.modes);
    let points = read_front(numbers, problem, !by_utilization)?;
    let schedulable = match problem.kind {
        Kind::TaskSet => verdicts(numbers, problem, &points)?,
        _ => Vec::new(),
    };
    numbers.meter.hold(times(&[points.len() as u64, 32]))?;
    let claimed: Vec<Claimed> =
        points.iter().map(|Point { sums, .. }| (sums.objectives(problem), &sums.cost)).collect();
    for variant in problem.variants() {
        for clock in 0..variant.clocks {
            Scenario::charge(variant, variant.cost_words, &mut numbers.meter)?;
            let scenario = &Scenario::of(variant, clock)?;
            *pairs += Asked { scenario, most: None, claimed: &claimed }.check(numbers)?;
        }
    }
    let minimal = match by_utilization && problem.kind == Kind::TaskSet {
        true => Some(minimal(&points, &problem.hyperperiod.clone().into(), problem, numbers)?),
        false => None,
    };
    Ok(Statement::Front { points, schedulable, minimal })
}

/// The verdicts on a front's points: points claimed to be schedulable are tested, those of a utilization above 1 fail
/// without a claim.
fn verdicts(numbers: &mut Numbers, problem: &Problem, points: &[Point]) -> Result<Vec<Option<bool>>, Wrong> {
    let sets: Vec<&[TaskSet]> = problem.variants().map(|variant| &variant.modes[..]).collect();
    let by_utilization = is_decided_by_utilization(&problem.modes);
    let hyperperiod = BigInt::from(problem.hyperperiod.clone());
    // Nothing of at most this area has a lower cost.
    let overloaded = |point: &Point| (point.sums.cost > hyperperiod).then_some(false);
    let mut verdicts: Vec<Option<bool>> = points.iter().map(overloaded).collect();
    let mut next = 0;
    for run in 0..numbers.within(points.len() + 1, "the number of runs")? {
        let length = numbers.within(points.len() - next, "a run of points")?;
        let claimed = (next..next + length).filter(|_| run % 2 == 1);
        for point in claimed {
            let Point { sums, options } = &points[point];
            let holds = if by_utilization {
                Some(sums.cost <= hyperperiod)
            } else {
                is_schedulable_within(sets[sums.variant], sums.clock, options, &mut numbers.meter)?
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

fn best(numbers: &mut Numbers, problem: &Problem, pairs: &mut u64) -> Result<Statement, Wrong> {
    let is_lightest = numbers.flag("whether the best is the lightest")?;
    let sums = Designs::new(problem).read(numbers)?;
    Scenario::charge(problem, problem.cost_words, &mut numbers.meter)?;
    let scenario = &Scenario::of(problem, 0)?;
    // The maximum cost of a better selection.
    let better = if is_lightest { sums.cost.clone() } else { &sums.cost - 1 };
    if let Some(most) = scenario.above_least(&better) {
        // A selection that costs the same is no better, if it weighs at least as much.
        let claimed = [(&sums.amounts[..], &sums.cost)];
        let claimed = &claimed[..usize::from(is_lightest)];
        *pairs += Asked { scenario, most: Some(&most), claimed }.check(numbers)?;
    }
    Ok(Statement::Best { sums, is_lightest })
}

/// Reads a design within the limits, and checks that it is schedulable.
fn passing(numbers: &mut Numbers, problem: &Problem) -> Result<Sums, Wrong> {
    let mut designs = Designs::new(problem);
    let sums = designs.read(numbers)?;
    let modes = &problem.variants().nth(sums.variant).unwrap_or(problem).modes;
    match is_schedulable_within(modes, sums.clock, designs.options(&sums), &mut numbers.meter)? {
        Some(true) => Ok(sums),
        Some(false) => Err(Wrong::Verdict("the design is not schedulable".into())),
        None => Err(Wrong::Verdict("whether the design is schedulable takes too many steps to check".into())),
    }
}

impl Proved {
    /// The number of steps to reduce the costs of all points to lowest terms.
    pub fn printing_steps(&self) -> u64 {
        let Statement::Front { points, .. } = &self.statement else { return 0 };
        let words = words(&self.problem.hyperperiod);
        times(&[points.len() as u64, 300 + times(&[words - 1, words + 64, 64])])
    }

    /// The utilization or value that a cost stands for: numerator and denominator in lowest terms.
    pub fn in_lowest_terms(&self, cost: &BigInt) -> (BigInt, BigUint) {
        if self.problem.kind != Kind::TaskSet {
            return (-cost.clone(), BigUint::from(1u32));
        }
        let divisor = gcd(cost.magnitude().clone(), self.problem.hyperperiod.clone());
        if divisor.is_zero() {
            return (BigInt::ZERO, BigUint::from(1u32));
        }
        (cost / BigInt::from(divisor.clone()), &self.problem.hyperperiod / divisor)
    }
}
