//! Checks a whole certificate.

use crate::asked::Asked;
use crate::cases::none_schedulable;
use crate::claim::{Design, Designs, Point, Sums, minimal, read_front};
use crate::covers;
use crate::failure::{Failure, Wrong};
use crate::format::{self, MAGIC};
use crate::limits::{Limits, Meter, times, words};
use crate::partition::{self, Division};
use crate::problem::{Kind, MOST, Problem, TaskSet, hash, hex};
use crate::read::Numbers;
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
    /// The queried capacity: area in units, or weight.
    pub capacity: u64,
    /// The area unit in terms of the task set's own, as numerator and denominator, for a task set.
    pub area_unit: Option<(BigUint, BigUint)>,
    /// The area from which areas are counted, for a task set whose processor has variants.
    pub area_offset: Option<(BigUint, BigUint)>,
    /// The resources, for a task set with several.
    pub resources: Option<Resources>,
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
        let mut numbers = Numbers::new(bytes);
        let kind_of = |numbers: &mut Numbers| {
            Ok::<_, Wrong>(numbers.within(format::problem::LAST as usize, "the kind of problem")? as u64)
        };
        let mut kind = kind_of(&mut numbers)?;
        let (mut area_unit, mut resources, mut area_offset, mut more) = (None, None, None, 0);
        if kind == format::problem::VARIANTS {
            area_offset = Some((
                numbers.big("the area of the processor")?,
                numbers.positive("the area of the processor")?,
            ));
            for what in ["the number of variants", "the number of variants", "a variant"] {
                numbers.small(what)?;
            }
            more = numbers.small("the area of a variant")?;
            numbers.small("the length of a task set")?;
            kind = kind_of(&mut numbers)?;
        }
        let mut cores = None;
        if kind == format::problem::CORES {
            cores = Some(numbers.small("the number of cores")?);
            numbers.big("the area of a core")?;
            numbers.big("the area of a core")?;
            numbers.small("the length of a task set")?;
            kind = kind_of(&mut numbers)?;
        }
        if kind == format::problem::MODES {
            for what in ["the number of modes", "the length of a task set"] {
                numbers.small(what)?;
            }
            kind = kind_of(&mut numbers)?;
        }
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
        let capacity = capacity.saturating_add(more);
        Ok(Self { kind, capacity, area_unit, area_offset, resources, cores, hash: hash(bytes) })
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
    let kind = numbers.within(format::claim::LAST as usize, "the kind of claim")? as u64;
    match (&problem.chip, kind) {
        (None, format::claim::LEAST_DIVISION | format::claim::NO_DIVISION) => {
            return Err(Wrong::Verdict("the claim is about several cores, the problem about one".into()));
        }
        (Some(_), ..format::claim::LEAST_DIVISION | format::claim::LEAST_AREA) => {
            return Err(Wrong::Verdict("the claim is about one core, the problem about several".into()));
        }
        _ => {}
    }
    let statement = match (kind, &problem.chip) {
        (format::claim::LEAST_DIVISION, Some(chip)) => {
            let division = partition::read_division(numbers, &problem, chip)?;
            pairs += partition::bounded(numbers, &problem, chip, Some(division.area))?;
            Statement::LeastDivision(division)
        }
        (_, Some(chip)) => {
            pairs += partition::bounded(numbers, &problem, chip, None)?;
            Statement::NoDivision
        }
        (format::claim::FRONT, _) => front(numbers, &problem, &mut pairs)?,
        (format::claim::BEST, _) => best(numbers, &problem, &mut pairs)?,
        (format::claim::NOTHING_FITS, _) => nothing_fits(numbers, &problem, &mut pairs)?,
        (format::claim::SCHEDULABLE, _) => schedulable(numbers, &problem)?,
        (format::claim::NOT_SCHEDULABLE, _) => not_schedulable(numbers, &mut problem, &mut pairs)?,
        _ => least_area(numbers, &mut problem, &mut pairs)?,
    };
    numbers.end()?;
    Ok(Proved { problem, statement, pairs, bytes: numbers.offset() })
}

/// Reads and checks the lists of a scenario of several resources: `claimed` are the points that all its designs of at
/// most `most` cost, above the minimum, are compared with.
fn several(
    numbers: &mut Numbers,
    problem: &Problem,
    scenario: &Scenario,
    most: Option<&BigUint>,
    claimed: &[Point],
) -> Result<u64, Wrong> {
    covers::Asked { problem, scenario, most, claimed }.check(numbers)
}

fn front(numbers: &mut Numbers, problem: &Problem, pairs: &mut u64) -> Result<Statement, Wrong> {
    let by_utilization = is_decided_by_utilization(problem.task_sets());
    let points = read_front(numbers, problem, !by_utilization)?;
    let schedulable = match &problem.task_set {
        Some(set) => verdicts(numbers, problem, set, &points)?,
        None => Vec::new(),
    };
    let scenarios =
        problem.variants().flat_map(|variant| (0..variant.clocks).map(move |clock| (variant, clock)));
    for (variant, clock) in scenarios {
        Scenario::charge(variant, variant.cost_words, &mut numbers.meter)?;
        let scenario = Scenario::of(variant, clock)?;
        if variant.has_vectors() {
            *pairs += several(numbers, variant, &scenario, None, &points)?;
            continue;
        }
        numbers.meter.work(times(&[points.len() as u64, 50 + 4 * variant.cost_words]))?;
        // A point of less area than the variant takes alone is there for all its designs.
        let area = |point: &Point| point.sums.area.saturating_sub(variant.variant.more);
        let floor = points.iter().map(|point| (area(point), &point.sums.cost)).collect();
        *pairs += Asked { scenario: &scenario, target: None, floor }.lists(numbers)?;
    }
    let minimal = match problem.task_set.as_ref().filter(|_| by_utilization && problem.resources.is_some()) {
        Some(set) => Some(minimal(&points, &BigInt::from(set.hyperperiod.clone()), problem, numbers)?),
        None => None,
    };
    Ok(Statement::Front { points, schedulable, minimal })
}

/// The verdicts on a front's points: claimed schedulable points are tested; points that utilization decides need no
/// claim.
fn verdicts(
    numbers: &mut Numbers,
    problem: &Problem,
    set: &TaskSet,
    points: &[Point],
) -> Result<Vec<Option<bool>>, Wrong> {
    let sets: Vec<&[TaskSet]> = problem.variants().map(Problem::task_sets).collect();
    let by_utilization = is_decided_by_utilization(problem.task_sets());
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
    if !problem.others.is_empty() || problem.variant.offset.is_some() || !problem.modes.is_empty() {
        return Err(Wrong::Verdict("no selection is the best of several variants or modes".into()));
    }
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

fn nothing_fits(numbers: &mut Numbers, problem: &Problem, pairs: &mut u64) -> Result<Statement, Wrong> {
    for variant in problem.variants() {
        fits_nothing(numbers, variant, pairs)?;
    }
    Ok(Statement::NothingFits)
}

fn fits_nothing(numbers: &mut Numbers, problem: &Problem, pairs: &mut u64) -> Result<(), Wrong> {
    if problem.resources.is_some() {
        Scenario::charge(problem, 1, &mut numbers.meter)?;
        let scenario = without_costs(problem);
        *pairs += several(numbers, problem, &scenario, None, &[])?;
        return Ok(());
    }
    let least = |class: &Vec<crate::problem::Offer>| class.iter().map(|offer| u128::from(offer.area)).min();
    let sum = problem.classes.iter().map(least).try_fold(0u128, |sum, least| sum.checked_add(least?));
    match sum.filter(|&sum| sum <= u128::from(problem.capacity)) {
        None => Ok(()),
        Some(sum) => Err(Wrong::Verdict(format!("a selection of area {sum} fits, as far as own areas tell"))),
    }
}

/// All designs, which all may run at the slowest clock, with costs of 0.
pub fn without_costs(problem: &Problem) -> Scenario<'_> {
    Scenario::weighted(problem, problem.clocks - 1, problem.capacity, &|_, _| BigInt::ZERO)
}

fn task_set(problem: &Problem) -> Result<&TaskSet, Wrong> {
    let set = problem.task_set.as_ref().filter(|_| problem.kind == Kind::TaskSet);
    set.ok_or_else(|| Wrong::Verdict("only task sets are schedulable".into()))
}

fn schedulable(numbers: &mut Numbers, problem: &Problem) -> Result<Statement, Wrong> {
    let area = numbers.small("the area asked about")?;
    asked_about(area, problem)?;
    let sums = passing(numbers, problem)?;
    Ok(Statement::Schedulable { area, sums })
}

/// Reads a design within the capacity, and checks that it is schedulable.
fn passing(numbers: &mut Numbers, problem: &Problem) -> Result<Sums, Wrong> {
    task_set(problem)?;
    let mut designs = Designs::new(problem);
    let sums = designs.read(numbers)?;
    let modes = problem.variants().nth(sums.variant).unwrap_or(problem).task_sets();
    match is_schedulable_within(modes, sums.clock, designs.options(&sums), &mut numbers.meter)? {
        Some(true) => Ok(sums),
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

fn not_schedulable(
    numbers: &mut Numbers,
    problem: &mut Problem,
    pairs: &mut u64,
) -> Result<Statement, Wrong> {
    task_set(problem)?;
    let area = numbers.small("the area asked about")?;
    asked_about(area, problem)?;
    *pairs += none_schedulable(numbers, problem)?;
    for variant in &mut problem.others {
        *pairs += none_schedulable(numbers, variant)?;
    }
    Ok(Statement::NotSchedulable { area })
}

fn least_area(numbers: &mut Numbers, problem: &mut Problem, pairs: &mut u64) -> Result<Statement, Wrong> {
    if problem.resources.is_some() {
        return Err(Wrong::Verdict("of several resources, no area is the smallest".into()));
    }
    let sums = passing(numbers, problem)?;
    let Some(below) = sums.area.checked_sub(1) else { return Ok(Statement::LeastArea { sums }) };
    let mut others = std::mem::take(&mut problem.others);
    for variant in std::iter::once(&mut *problem).chain(&mut others) {
        // Only designs of less area are left of a variant, or none.
        let Some(most) = below.checked_sub(variant.variant.more) else { continue };
        let capacity = std::mem::replace(&mut variant.capacity, most);
        *pairs += none_schedulable(numbers, variant)?;
        variant.capacity = capacity;
    }
    problem.others = others;
    Ok(Statement::LeastArea { sums })
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
