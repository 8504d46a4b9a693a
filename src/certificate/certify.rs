//! Certificates of fronts and of best selections, written and checked at the same time.

use super::asked::{self, Asked};
use super::error::CertifyError;
use super::numbers::Numbers;
use super::problem::{of_knapsack, of_mckp, of_task_set, of_variants, states_deadlines};
use super::selection::Selections;
use isx_checker::Proved;
use isx_checker::Wrong;
use isx_checker::shared::format::{self, claim};
use isx_checker::shared::problem::{Problem, TaskSet};
use isx_checker::shared::scenario::Claimed;
use isx_checker::shared::scenario::Scenario;
use isx_checker::shared::schedule::{is_decided_by_utilization, is_schedulable};
use isx_design::front::{DesignFront, Point};
use isx_machine::allocated;
use isx_problems::knapsack::{self, Knapsack};
use isx_problems::mckp::{self, Mckp};
use isx_taskset::formulate::Formulation;
use num_bigint::BigInt;
use std::io::{self, PipeWriter, Write};
use std::thread::Builder;

/// An upper bound on the bytes needed to write and check a certificate of any answer about a formulation.
pub fn most_bytes(formulation: &Formulation) -> u64 {
    most_bytes_of(&of_task_set(formulation), true)
}

/// As [`most_bytes`], for the best selection of a 0-1 knapsack problem.
pub fn most_bytes_of_knapsack(problem: &Knapsack) -> u64 {
    most_bytes_of(&of_knapsack(problem), false)
}

/// As [`most_bytes`], for the whole front or the best selection of a multiple-choice knapsack problem.
pub fn most_bytes_of_mckp<V: Clone + Into<BigInt>>(problem: &Mckp<V>, is_front: bool) -> u64 {
    most_bytes_of(&of_mckp(problem), is_front)
}

fn most_bytes_of(bytes: &[u8], is_front: bool) -> u64 {
    let Ok(problem) = Problem::read(bytes) else { return 0 };
    let lists = |clock| Some(asked::most_bytes(&Scenario::of(&problem, clock).ok()?));
    let lists = (0..problem.clocks).filter_map(lists).max();
    let designs = problem.classes.iter().fold(1u64, |sum, class| sum.saturating_mul(class.len() as u64));
    let costs = if problem.width() == 1 { problem.limit(0).saturating_add(1) } else { u64::MAX };
    let points = if is_front { designs.min(costs) } else { 0 };
    lists.unwrap_or(0).saturating_add(points.saturating_mul(point_bytes(&problem)))
}

/// An upper bound on the checker's memory per point, in bytes.
fn point_bytes(problem: &Problem) -> u64 {
    let tested = !is_decided_by_utilization(&problem.modes);
    320 + if tested { 8 * problem.classes.len() as u64 } else { 0 }
}

/// Rejects a front of more points than the checker has memory for.
fn room_for(points: usize, problem: &Problem, bytes: &[u8], max_bytes: u64) -> Result<(), CertifyError> {
    let needed = (points as u64).saturating_mul(point_bytes(problem));
    if allocated::beyond_the_program().saturating_add(needed) <= max_bytes {
        return Ok(());
    }
    Err(CertifyError::memory(0, problem.classes.len(), most_bytes_of(bytes, true), max_bytes))
}

/// Writes the certificate of a front whose choices are all known and whose points have these verdicts, and checks it
/// concurrently. Proofs keep two lists in memory, of at most `max_bytes`. Fails with [`CertifyError`]; the bytes
/// written so far are not a certificate.
pub fn certify(
    front: &DesignFront,
    verdicts: &[Option<bool>],
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    let bytes = of_variants(front.formulations());
    let problem = Problem::read(&bytes)?;
    room_for(front.len(), &problem, &bytes, max_bytes)?;
    proved(&bytes, &problem, claim::FRONT, out, &|numbers| {
        write_points(front, numbers)?;
        write_verdicts(front, verdicts, &problem, numbers)?;
        let points = loads_of(front)?;
        let claimed: Vec<Claimed> = points.iter().map(|(area, load)| (&area[..], load)).collect();
        for problem in problem.variants() {
            for clock in 0..problem.clocks {
                let scenario = &Scenario::of(problem, clock)?;
                Asked { scenario, most: None, claimed: &claimed, max_bytes }.write(numbers)?;
            }
        }
        Ok(())
    })
}

/// The points of a front of several modes, in the checker's numbers: lists leave out what these beat. Empty of others.
fn loads_of(front: &DesignFront) -> io::Result<Vec<(Vec<u64>, BigInt)>> {
    let mut points = Vec::new();
    if front.formulation().modes.is_empty() {
        return Ok(points);
    }
    front.each_chosen(0..front.len(), |point, choices| {
        let formulation = point.formulation();
        // A design that does not exist is refused by the checker.
        let amounts = formulation.amounts(choices).unwrap_or_else(|| vec![0; formulation.costs.objectives]);
        let demand = formulation.utilization(choices) * &formulation.hyperperiod;
        points.push((amounts, demand.to_integer()));
        Ok::<_, io::Error>(())
    })?;
    Ok(points)
}

/// Refuses what is about deadlines if a certificate of this set does not state them.
pub(super) fn refuse_unstated(formulations: &[Formulation]) -> Result<(), CertifyError> {
    if formulations.iter().all(states_deadlines) {
        return Ok(());
    }
    let why = "certificates do not contain jitter, blocking, locks, parts that cannot be interrupted, and priorities of only \
               some tasks of equal period or deadline, nor under fixed priorities parts of tasks where a deadline is longer \
               than its period: of a set with them, `isx explore --prove` proves the front, and a \
               verdict is proved if every design overloads the processor";
    Err(CertifyError::Refused(why.into()))
}

/// The certificate that no design of a task set, formulated for every variant of the processor, is within its limits; as
/// [`certify`].
pub fn nothing_fits(
    formulations: &[Formulation],
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    let bytes = of_variants(formulations);
    let problem = Problem::read(&bytes)?;
    proved(&bytes, &problem, claim::NOTHING_FITS, out, &|numbers| {
        for problem in problem.variants() {
            let scenario = &Scenario::without_costs(problem);
            Asked { scenario, most: None, claimed: &[], max_bytes }.write(numbers)?;
        }
        Ok(())
    })
}

/// The certificate of the whole front of a multiple-choice knapsack problem whose items are all known; as
/// [`certify`].
pub fn front_of_mckp<V: Clone + Into<BigInt>>(
    problem: &Mckp<V>,
    claimed: &mckp::Claim,
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    let bytes = of_mckp(problem);
    let problem = Problem::read(&bytes)?;
    room_for(claimed.len(), &problem, &bytes, max_bytes)?;
    proved(&bytes, &problem, claim::FRONT, out, &|numbers| {
        numbers.count(claimed.len())?;
        let mut selections = Selections::new(problem.classes.len());
        claimed.each_items(0..claimed.len(), |_, items| selections.write(numbers, items))?;
        let scenario = &Scenario::of(&problem, 0)?;
        Asked { scenario, most: None, claimed: &[], max_bytes }.write(numbers).map(drop)
    })
}

/// The certificate that the last point of a claim is the best of a multiple-choice knapsack problem, and the lightest
/// of the best; `None` stands for the claim that nothing fits. As [`certify`].
pub fn best_of_mckp<V: Clone + Into<BigInt>>(
    problem: &Mckp<V>,
    claim: Option<&mckp::Claim>,
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    let items = claim.map(|claim| claim.items(claim.len().saturating_sub(1)).ok_or_else(unknown));
    best(&of_mckp(problem), items.transpose()?.as_deref(), true, max_bytes, out)
}

/// The certificate that the last point of a claim is a best one of a 0-1 knapsack problem; as [`certify`].
pub fn best_of_knapsack(
    problem: &Knapsack,
    claim: &knapsack::Claim,
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    let mut items = vec![None; problem.items.len()];
    for item in claim.items(claim.len().saturating_sub(1)).ok_or_else(unknown)? {
        items[item as usize] = Some(0);
    }
    best(&of_knapsack(problem), Some(&items), false, max_bytes, out)
}

fn unknown() -> CertifyError {
    CertifyError::Refused("the items of the best selection are not known".into())
}

fn best(
    bytes: &[u8],
    items: Option<&[Option<u32>]>,
    is_lightest: bool,
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    let problem = Problem::read(bytes)?;
    let claim = if items.is_some() { claim::BEST } else { claim::NOTHING_FITS };
    proved(bytes, &problem, claim, out, &|numbers| {
        let Some(items) = items else {
            let scenario = &Scenario::without_costs(&problem);
            return Asked { scenario, most: None, claimed: &[], max_bytes }.write(numbers).map(drop);
        };
        numbers.flag(is_lightest)?;
        Selections::new(items.len()).write(numbers, items)?;
        let offers = problem.classes.iter().zip(items).filter_map(|(class, item)| {
            let option = item.map_or(0, |item| item + 1);
            class.iter().find(|offer| offer.option == option)
        });
        let cost: BigInt = offers.map(|offer| &offer.costs[0]).sum();
        let better = if is_lightest { cost } else { cost - 1 };
        let scenario = &Scenario::of(&problem, 0)?;
        if let Some(most) = scenario.above_least(&better) {
            Asked { scenario, most: Some(&most), claimed: &[], max_bytes }.write(numbers)?;
        }
        Ok(())
    })
}

fn write_points(front: &DesignFront, numbers: &mut Numbers) -> io::Result<()> {
    numbers.count(front.len())?;
    let classes = front.formulation().tasks.len();
    let mut variants: Vec<Selections> =
        front.formulations().iter().map(|_| Selections::new(classes)).collect();
    front.each_chosen(0..front.len(), |point, choices| {
        let number = point.formulation_number();
        if variants.len() > 1 {
            numbers.count(number)?;
        }
        variants[number].write(numbers, choices)
    })
}

/// Claims the schedulable points, as far as the checker can test them within its step limit.
fn write_verdicts(
    front: &DesignFront,
    verdicts: &[Option<bool>],
    problem: &Problem,
    numbers: &mut Numbers,
) -> io::Result<()> {
    let sets: Vec<&[TaskSet]> = problem.variants().map(|variant| &variant.modes[..]).collect();
    let by_utilization = is_decided_by_utilization(&problem.modes);
    let claims = |(point, verdict): (Point, &Option<bool>)| {
        *verdict == Some(true) && (by_utilization || can_be_tested(sets[point.formulation_number()], &point))
    };
    // Lengths of runs: not claimed, claimed, not claimed ..
    let mut runs = vec![0];
    for claimed in front.iter().zip(verdicts).map(claims) {
        if claimed == (runs.len() % 2 == 1) {
            runs.push(0);
        }
        if let Some(last) = runs.last_mut() {
            *last += 1;
        }
    }
    numbers.count(runs.len())?;
    runs.into_iter().try_for_each(|length| numbers.count(length))
}

fn can_be_tested(modes: &[TaskSet], point: &Point) -> bool {
    let choices = point.choices().unwrap_or_default();
    let clock = point.formulation().clock_number(&choices);
    is_schedulable(modes, clock, &options(&choices)).is_some()
}

/// Choices as options of a certificate: 0 means none.
pub(super) fn options(choices: &[Option<u32>]) -> Vec<u32> {
    choices.iter().map(|choice| choice.map_or(0, |choice| choice + 1)).collect()
}

/// A writer whose bytes are also sent to the checker.
struct Tee<'a> {
    out: &'a mut dyn Write,
    checker: PipeWriter,
}

impl Write for Tee<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Once the checker has stopped reading, its error is reported instead of this one.
        self.checker.write_all(bytes).map_err(|_| io::ErrorKind::BrokenPipe)?;
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes what is before the claim's own data.
fn begin(numbers: &mut Numbers, problem: &[u8], claim: u64) -> io::Result<()> {
    numbers.bytes(format::MAGIC)?;
    numbers.count(problem.len())?;
    numbers.bytes(problem)?;
    numbers.small(claim)
}

/// Writes a claim about a problem, given as `bytes` too, with what `write` adds, and runs the checker on it.
pub(super) fn proved(
    bytes: &[u8],
    problem: &Problem,
    claim: u64,
    out: &mut dyn Write,
    write: &dyn Fn(&mut Numbers) -> Result<(), CertifyError>,
) -> Result<Proved, CertifyError> {
    let (reader, writer) = io::pipe()?;
    std::thread::scope(|threads| {
        let checker = Builder::new()
            .spawn_scoped(threads, move || isx_checker::check(reader, Some(&problem.hash)))
            .map_err(CertifyError::Thread)?;
        let mut tee = Tee { out, checker: writer };
        let mut numbers = Numbers::new(&mut tee);
        let begun = begin(&mut numbers, bytes, claim).map_err(CertifyError::from);
        let written = begun.and_then(|()| write(&mut numbers));
        let written = written.and_then(|()| Ok(numbers.flush()?)).and_then(|()| Ok(tee.flush()?));
        drop(tee);
        let checked = checker.join();
        match (written, checked) {
            (Ok(()), Ok(checked)) => Ok(checked?),
            (Err(CertifyError::Write(_)), Ok(Err(failure))) if !matches!(failure.wrong, Wrong::Ends(_)) => {
                Err(failure.into())
            }
            (Err(error), _) => Err(error),
            (Ok(()), Err(_)) => Err(CertifyError::Refused("the checker ended unexpectedly".into())),
        }
    })
}
