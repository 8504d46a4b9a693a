//! Looks for a proof by cases that no design of a clock is schedulable: see [`isx_checker::cases`].
//!
//! A case is given up to a reason if one holds, otherwise divided. Reasons are collected on the way: a design that the
//! linear relaxation of a known reason likes best is put to the scheduler's test, and where it fails is a new reason.
//! Relaxed in floats, a reason has a *strength*, above 1 if it seems to hold; this only decides what is tried. A task is
//! divided by WCET, where the two cases gain the most strength.

use super::because::{Why, found, refute};
use super::numbers::Numbers;
use isx_checker::cases::Cases;
use isx_checker::problem::{Offer, Problem};
use isx_checker::reason::Reason;
use isx_design::schedulability::{Effort, Limits, Outcome, schedulable};
use isx_exact::order;
use isx_taskset::formulate::Formulation;
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use std::io::{self, Write};

/// The most steps of a search: options looked at, and [`BYTE`] per byte of a proof that is tried.
const MOST_STEPS: u64 = 1 << 30;
const BYTE: u64 = 16;
/// The most moments of a reason that is used in cases.
const MOST_MOMENTS: usize = 1000;
/// The most reasons that are collected.
const MOST_REASONS: usize = 500;
/// Of so many reasons, moments and tasks it is tried how to divide a case.
const REASONS: usize = 4;
const MOMENTS: usize = 12;
const TASKS: usize = 16;
/// A case of at most so many designs tries every reason, another one only [`REASONS`] of at least this strength.
const FEW: usize = 32;
const STRONG: f64 = 0.85;

/// A part of a proof by cases, in the order in which it is written.
pub(super) enum Step {
    /// The options of a task that make up the first case.
    Divide(usize, Vec<u32>),
    /// Why the current case fails.
    Fails(Why),
}

/// A reason, and for each of its moments the share of the time that each option of each class takes.
struct Known {
    why: Why,
    moments: Vec<Vec<Vec<f64>>>,
}

/// Indices of options that a case leaves, by class.
type Left<'a> = Vec<Vec<&'a Offer>>;

pub(super) struct Search<'a> {
    /// At the clock of the proof.
    formulation: &'a Formulation,
    clock: usize,
    max_bytes: u64,
    known: Vec<Known>,
    effort: Effort,
    steps: u64,
}

impl<'a> Search<'a> {
    pub fn new(formulation: &'a Formulation, clock: usize, max_bytes: u64) -> Self {
        let effort = Effort::new(Limits::default());
        Self { formulation, clock, max_bytes, known: Vec::new(), effort, steps: 0 }
    }

    /// The proof; `None` if none is found within the steps. `reasons` are tried first.
    pub fn proof(mut self, problem: &Problem, reasons: Vec<Why>) -> Option<Vec<Step>> {
        for why in reasons {
            if self.holds(problem, &why) {
                return Some(vec![Step::Fails(why)]);
            }
            self.learn(problem, why);
        }
        let (mut own, mut proof) = (problem.clone(), Vec::new());
        let mut cases = Cases::new(&mut own);
        loop {
            if self.steps > MOST_STEPS {
                return None;
            }
            if let Some(why) = self.reason(cases.problem()) {
                proof.push(Step::Fails(why));
                if !cases.advance() {
                    return Some(proof);
                }
                continue;
            }
            let (class, listed) = self.division(cases.problem())?;
            cases.divide(class, &listed).ok()?;
            proof.push(Step::Divide(class, listed));
        }
    }

    /// Whether a reason holds in a case; counts the steps to find out.
    fn holds(&mut self, problem: &Problem, why: &Why) -> bool {
        let mut size = Size(0);
        let mut numbers = Numbers::new(&mut size);
        let holds = matches!(refute(&mut numbers, problem, self.clock, why, self.max_bytes), Ok(true));
        let flushed = numbers.flush().is_ok();
        self.steps += problem.offers + BYTE * size.0;
        holds && flushed
    }

    /// A reason that holds in a case.
    fn reason(&mut self, problem: &Problem) -> Option<Why> {
        let left = self.left(problem);
        let designs = left.iter().try_fold(1usize, |all, class| all.checked_mul(class.len()));
        let is_small = designs.is_some_and(|designs| designs <= FEW);
        let mut tried = vec![false; self.known.len()];
        loop {
            let mut ranked = self.ranked(problem, &left);
            let most = if is_small { usize::MAX } else { REASONS };
            for (strength, at, _) in ranked.iter().take(most) {
                if (is_small || *strength > STRONG) && !std::mem::replace(&mut tried[*at], true) {
                    let why = self.known[*at].why.clone();
                    if self.holds(problem, &why) {
                        return Some(why);
                    }
                }
            }
            ranked.truncate(REASONS);
            let learnt = self.known.len();
            for (_, _, design) in ranked {
                self.test(problem, &design);
            }
            if self.known.len() == learnt || self.steps > MOST_STEPS {
                return None;
            }
            tried.resize(self.known.len(), false);
        }
    }

    /// Puts a design to the test, and learns where it fails.
    fn test(&mut self, problem: &Problem, design: &[u32]) {
        if design.len() < problem.classes.len() {
            return;
        }
        let choices: Vec<Option<u32>> = design.iter().map(|option| option.checked_sub(1)).collect();
        if let Outcome::Fails(failure) = schedulable(self.formulation, &choices, &mut self.effort) {
            self.learn(problem, found(&failure));
        }
    }

    fn learn(&mut self, problem: &Problem, why: Why) {
        if self.known.len() >= MOST_REASONS || self.known.iter().any(|known| known.why == why) {
            return;
        }
        // In a set with several modes an overload is that of any.
        let modes = if why.0 == Reason::Overload { 0..problem.modes.len().max(1) } else { why.1..why.1 + 1 };
        for mode in modes {
            let moments = moments(problem, self.clock, &why.0, mode);
            self.known.extend(moments.map(|moments| Known { why: why.clone(), moments }));
        }
    }

    /// The options that a case leaves at the clock.
    fn left<'b>(&self, problem: &'b Problem) -> Left<'b> {
        let fits = |offer: &&Offer| offer.clock <= self.clock && offer.area <= problem.capacity;
        problem.classes.iter().map(|class| class.iter().filter(fits).collect()).collect()
    }

    /// The reasons by falling strength, each with the design at its weakest moment.
    fn ranked(&mut self, problem: &Problem, left: &Left) -> Vec<(f64, usize, Vec<u32>)> {
        let mut ranked = Vec::new();
        for (at, known) in self.known.iter().enumerate() {
            let moments = known.moments.iter().map(|shares| relaxed(problem, left, shares));
            let weakest = moments.min_by(|a, b| a.0.total_cmp(&b.0));
            self.steps += problem.offers * known.moments.len() as u64;
            let (strength, design) = weakest.unwrap_or((f64::INFINITY, Vec::new()));
            ranked.push((strength, at, design));
        }
        order::sort_by(&mut ranked, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        ranked
    }

    /// The task to divide, and the options of its first case; `None` if each task has one option.
    fn division(&mut self, problem: &Problem) -> Option<(usize, Vec<u32>)> {
        let mut left = self.left(problem);
        let ranked = self.ranked(problem, &left);
        let before = ranked.first().map_or(0.0, |first| first.0);
        let mut known: Vec<Vec<&Vec<Vec<f64>>>> = Vec::new();
        for (_, at, _) in ranked.iter().take(REASONS) {
            let moments = self.known[*at].moments.iter();
            let mut weak: Vec<_> =
                moments.map(|shares| (relaxed(problem, &left, shares).0, shares)).collect();
            order::sort_by(&mut weak, |a, b| a.0.total_cmp(&b.0));
            known.push(weak.into_iter().take(MOMENTS).map(|(_, shares)| shares).collect());
        }
        let strength = |left: &Left| {
            let of = |moments: &Vec<&Vec<Vec<f64>>>| {
                let all = moments.iter().map(|shares| relaxed(problem, left, shares).0);
                all.fold(f64::INFINITY, f64::min)
            };
            known.iter().map(of).fold(0.0, f64::max)
        };
        // Tasks whose options differ the most come first.
        let wcet = |class: usize, offer: &Offer| {
            let set = problem.task_set.as_ref();
            set.map(|set| &set.tasks[class].wcets[self.clock][offer.option as usize])
        };
        let spread = |class: usize| {
            let share = |shares: &Vec<Vec<f64>>| {
                let own = left[class].iter().map(|offer| shares[class][offer.option as usize]);
                own.clone().fold(0.0, f64::max) - own.fold(f64::INFINITY, f64::min)
            };
            known.iter().flatten().map(|shares| share(shares)).fold(0.0, f64::max)
        };
        let mut classes: Vec<(f64, usize)> = (0..left.len())
            .filter(|&class| left[class].len() > 1)
            .map(|class| (spread(class), class))
            .collect();
        order::sort_by(&mut classes, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(f64, usize, Vec<u32>)> = None;
        let mut evaluated = 0;
        for (_, class) in classes.into_iter().take(TASKS) {
            let mut options = std::mem::take(&mut left[class]);
            order::sort_by(&mut options, |a, b| {
                (wcet(class, a), a.area, a.option).cmp(&(wcet(class, b), b.area, b.option))
            });
            for fast in 1..options.len() {
                let mut gained = 1.0;
                for part in [&options[..fast], &options[fast..]] {
                    left[class] = part.to_vec();
                    gained *= (strength(&left).min(1.1) - before).max(1e-6);
                }
                evaluated += 2;
                if best.as_ref().is_none_or(|(most, ..)| gained > *most) {
                    let mut listed: Vec<u32> = options[..fast].iter().map(|offer| offer.option).collect();
                    order::sort(&mut listed);
                    best = Some((gained, class, listed));
                }
            }
            left[class] = options;
        }
        let each: usize = known.iter().map(Vec::len).sum();
        self.steps += problem.offers * each as u64 * evaluated;
        best.map(|(_, class, listed)| (class, listed))
    }
}

/// For each moment of a reason the share of its time that each option takes, by class and option; `None` if there are
/// too many.
fn moments(problem: &Problem, clock: usize, reason: &Reason, mode: usize) -> Option<Vec<Vec<Vec<f64>>>> {
    let set = problem.modes.get(mode).or(problem.task_set.as_ref())?;
    let mut moments = Vec::new();
    for moment in reason.moments(set).ok()? {
        if moments.len() == MOST_MOMENTS {
            return None;
        }
        let share = |wcet: &BigUint, jobs: &BigUint| ratio(&(wcet * jobs), &moment.time);
        let of_class = |(task, jobs): (&isx_checker::problem::Task, &BigUint)| {
            task.wcets[clock].iter().map(|wcet| share(wcet, jobs)).collect()
        };
        moments.push(set.tasks.iter().zip(&moment.jobs).map(of_class).collect());
    }
    Some(moments)
}

/// A quotient, near enough; of 0 and 0 it is 0.
fn ratio(number: &BigUint, by: &BigUint) -> f64 {
    let shift = number.bits().max(by.bits()).saturating_sub(1000);
    let [number, by] = [number, by].map(|one| (one >> shift).to_f64().unwrap_or(f64::MAX));
    if number == 0.0 { 0.0 } else { (number / by).min(1e9) }
}

/// The least share of a moment's time that the options left take, if fractions of options may be taken, and the design
/// that takes whole ones; infinite if not even the smallest options fit. Several resources count equally.
fn relaxed(problem: &Problem, left: &Left, shares: &[Vec<f64>]) -> (f64, Vec<u32>) {
    let limits = (0..problem.width()).map(|at| problem.limit(at)).enumerate().filter(|(_, limit)| *limit > 0);
    let limits: Vec<(usize, f64)> = limits.map(|(at, limit)| (at, limit as f64)).collect();
    let part = |offer: &Offer| {
        let parts = limits.iter().map(|&(at, limit)| offer.amount(at) as f64 / limit);
        parts.sum::<f64>() / limits.len().max(1) as f64
    };
    let (mut room, mut least, mut design, mut steps) = (1.0 + 1e-9, 0.0, Vec::new(), Vec::new());
    for (class, offers) in left.iter().enumerate() {
        let own =
            offers.iter().map(|offer| (part(offer), shares[class][offer.option as usize], offer.option));
        let mut own: Vec<(f64, f64, u32)> = own.collect();
        order::sort_by(&mut own, |a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut hull: Vec<(f64, f64, u32)> = Vec::new();
        for one in own {
            if hull.last().is_some_and(|last| one.1 >= last.1) {
                continue;
            }
            while let [.., first, last] = &hull[..] {
                if (first.1 - last.1) * (one.0 - last.0) > (last.1 - one.1) * (last.0 - first.0) {
                    break;
                }
                hull.pop();
            }
            hull.push(one);
        }
        let Some(first) = hull.first() else { return (f64::INFINITY, Vec::new()) };
        room -= first.0;
        least += first.1;
        design.push(first.2);
        steps.extend(hull.windows(2).map(|pair| {
            let (area, saved) = (pair[1].0 - pair[0].0, pair[0].1 - pair[1].1);
            (saved / area, area, saved, class, pair[1].2)
        }));
    }
    if room < 0.0 {
        return (f64::INFINITY, design);
    }
    order::sort_by(&mut steps, |a, b| b.0.total_cmp(&a.0).then(a.3.cmp(&b.3)));
    for (_, area, saved, class, option) in steps {
        if area > room {
            return (least - saved * room / area, design);
        }
        (room, least, design[class]) = (room - area, least - saved, option);
    }
    (least, design)
}

/// Counts bytes.
struct Size(u64);

impl Write for Size {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
