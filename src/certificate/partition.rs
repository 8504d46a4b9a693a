//! Certificates of tasks divided among equal cores.

use super::asked::Asked;
use super::certify::{proved, refuse_unstated};
use super::error::CertifyError;
use super::numbers::Numbers;
use super::problem::of_division;
use isx_checker::Proved;
use isx_checker::shared::format::{bound, claim};
use isx_checker::shared::partition::{Part, Prices};
use isx_checker::shared::problem::{Chip, Problem};
use isx_checker::shared::scenario::Scenario;
use isx_design::partition::{Partition, Row, Status};
use isx_taskset::TaskSet;
use isx_taskset::formulate::Formulation;
use num_bigint::BigUint;
use std::io::Write;

/// Why a division has no certificate although it may be the least.
const NO_BOUND: &str = "neither all cores together nor prices of the tasks show that there is no better design; such an \
     answer rests on the search alone";

/// Gives prices of the tasks at a clock, with what is decided of each block of the chip, whether it is built.
pub type Priced<'a> = &'a dyn Fn(usize, &[Option<bool>]) -> Option<Prices>;

/// Writes the certificate of the least area with a number of cores, or that there is none, and checks it concurrently.
/// `prices` are asked for where all cores together do not show the bound.
/// Fails with [`CertifyError`]; the bytes written so far are not a certificate.
pub fn certify_division(
    task_set: &TaskSet,
    formulation: &Formulation,
    row: &Row,
    prices: Priced,
    max_bytes: u64,
    out: &mut dyn Write,
) -> Result<Proved, CertifyError> {
    refuse_unstated(std::slice::from_ref(formulation))?;
    let bytes = of_division(task_set, formulation, row.cores);
    let problem = Problem::read(&bytes)?;
    let refused = |why: &str| CertifyError::Refused(why.into());
    let chip = problem.chip.as_ref().ok_or_else(|| refused("the tasks are not divided"))?;
    let best = match &row.status {
        Status::Unknown(_) => return Err(refused("the answer is unknown")),
        Status::Infeasible(_) => None,
        Status::Proved => row.best.as_ref(),
    };
    let area = best.map(|best| area_units(&problem, chip, formulation, best)).transpose()?;
    // An area of 0 needs no reason.
    let clocks = if area == Some(0) { 0 } else { problem.clocks };
    let reason = |clock| {
        let (prices, left) = (&|decided: &[Option<bool>]| prices(clock, decided), MOST_TRIED);
        let part = Part::new(&problem, chip, clock, area);
        let reason = Search { problem: &problem, chip, prices, max_bytes, left }.reason(&part)?;
        Some((part, reason))
    };
    let reasons = (0..clocks).map(reason).collect::<Option<Vec<(Part, Reason)>>>();
    let reasons = reasons.ok_or_else(|| refused(NO_BOUND))?;
    let claim = if best.is_some() { claim::LEAST_DIVISION } else { claim::NO_DIVISION };
    proved(&bytes, &problem, claim, out, &|numbers| {
        if let Some(Partition { assignment, choices, .. }) = best {
            for (core, choice) in assignment.iter().zip(choices) {
                numbers.small((*core).into())?;
                numbers.small(choice.map_or(0, |choice| u64::from(choice) + 1))?;
            }
        }
        for (part, reason) in &reasons {
            write(numbers, part, reason, max_bytes)?;
        }
        Ok(())
    })
}

/// The area of a division in the problem's units, without that of the cores.
fn area_units(
    problem: &Problem,
    chip: &Chip,
    formulation: &Formulation,
    best: &Partition,
) -> Result<u64, CertifyError> {
    let own = best.choices.iter().enumerate();
    let own = own.filter_map(|(at, choice)| Some(formulation.costs.weight(at, (*choice)?)));
    let of_cores = best.blocks.iter().flatten().filter(|block| !chip.on_chip[**block as usize]);
    let blocks = of_cores.chain(&best.chip_blocks).map(|&block| problem.blocks[block as usize].built[0]);
    let sum = own.chain(blocks).try_fold(0u64, u64::checked_add);
    sum.ok_or_else(|| CertifyError::Refused("the area of the division is beyond 64 bits".into()))
}

/// The most reasons that are tried at a clock.
const MOST_TRIED: u32 = 64;

/// Why a part has no better division.
enum Reason {
    Together,
    Prices(Prices),
    Pinned,
    /// A block of the chip, and the reasons if it is not built and if it is.
    Branch(usize, Box<[Reason; 2]>),
}

/// Looks for reasons that hold.
struct Search<'a> {
    problem: &'a Problem,
    chip: &'a Chip,
    prices: &'a dyn Fn(&[Option<bool>]) -> Option<Prices>,
    max_bytes: u64,
    left: u32,
}

impl Search<'_> {
    fn reason(&mut self, part: &Part) -> Option<Reason> {
        self.left = self.left.checked_sub(1)?;
        if self.chip.pins.iter().flatten().any(|pin| *pin >= self.chip.cores as u64) {
            return Some(Reason::Pinned);
        }
        let holds = |reason: &Reason| {
            let mut nowhere = std::io::sink();
            matches!(write(&mut Numbers::new(&mut nowhere), part, reason, self.max_bytes), Ok(true))
        };
        if holds(&Reason::Together) {
            return Some(Reason::Together);
        }
        let prices = (self.prices)(part.decided()).filter(|prices| part.is_reached(prices));
        let reason = prices.map(Reason::Prices).filter(holds);
        if reason.is_some() {
            return reason;
        }
        let area = |block: &usize| self.problem.blocks[*block].built[0];
        let block = (0..self.problem.blocks.len())
            .filter(|&block| area(&block) > 0 && part.with(block, true).is_some())
            .max_by_key(area)?;
        let parts = [part.with(block, false)?, part.with(block, true)?];
        let [without, with] = parts.map(|part| self.reason(&part));
        Some(Reason::Branch(block, Box::new([without?, with?])))
    }
}

/// Writes a reason; returns whether it holds.
fn write(numbers: &mut Numbers, part: &Part, reason: &Reason, max_bytes: u64) -> Result<bool, CertifyError> {
    match reason {
        Reason::Pinned => {
            numbers.small(bound::PINNED)?;
            Ok(true)
        }
        Reason::Together => {
            numbers.small(bound::TOGETHER)?;
            lists(numbers, part.together(), max_bytes)
        }
        Reason::Prices(prices) => {
            numbers.small(bound::PRICES)?;
            numbers.small(prices.shift.into())?;
            numbers.small(prices.largest)?;
            numbers.amounts(&prices.worth)?;
            lists(numbers, part.one_core(prices)?, max_bytes)
        }
        Reason::Branch(block, reasons) => {
            numbers.small(bound::BRANCH)?;
            numbers.count(*block)?;
            let mut holds = true;
            for (is_built, reason) in [false, true].into_iter().zip(reasons.iter()) {
                let Some(part) = part.with(*block, is_built) else { return Ok(false) };
                holds &= write(numbers, &part, reason, max_bytes)?;
            }
            Ok(holds)
        }
    }
}

/// Writes lists of what is within the capacity; returns whether nothing of it is within the limit.
fn lists(
    numbers: &mut Numbers,
    asked: Option<(Problem, BigUint)>,
    max_bytes: u64,
) -> Result<bool, CertifyError> {
    let Some((problem, most)) = asked else { return Ok(true) };
    let scenario = &Scenario::of(&problem, 0)?;
    let Some(most) = scenario.above_least(&most.into()) else { return Ok(true) };
    Asked { scenario, most: Some(&most), claimed: &[], max_bytes }.write(numbers)
}
