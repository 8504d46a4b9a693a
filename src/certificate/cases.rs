//! Looks for a proof by cases that no design of a clock is schedulable: see [`isx_checker::shared::cases`].
//!
//! A case is given up to a reason if one holds, otherwise divided. Reasons are collected on the way: a design that the
//! linear relaxation of a known reason prefers is given to the scheduler's test, and where it fails is a new reason.
//! Relaxed in floats, a reason has a *strength*, above 1 if it seems to hold; this only decides what is tried. A task is
//! divided by WCET, where the two cases gain the most strength.
//!
//! At a moment the options of a task take their WCETs times the same number of jobs. So their lower convex hull, of area
//! against WCET, is the same at all moments, and is computed once per case and mode.

use super::numbers::Numbers;
use super::reasons::{Why, found, refute};
use isx_checker::shared::cases::Cases;
use isx_checker::shared::problem::{Offer, Problem};
use isx_checker::shared::reason::Reason;
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
/// To divide a case, so many reasons, moments of each and tasks are tried.
const REASONS: usize = 4;
const MOMENTS: usize = 12;
const TASKS: usize = 16;
/// A case of at most [`FEW`] designs tries [`MANY`] reasons, another one only [`REASONS`] of at least this strength.
const FEW: usize = 32;
const MANY: usize = 32;
const STRONG: f64 = 0.85;

/// A part of a proof by cases, in the order in which it is written.
pub(super) enum Step {
    /// The options of a task that make up the first case.
    Divide(usize, Vec<u32>),
    /// Why the current case fails.
    Fails(Why),
}

/// A reason in a mode.
struct Known {
    why: Why,
    mode: usize,
    /// For each moment how much of its time each class takes per unit of WCET.
    moments: Vec<Vec<f64>>,
    /// The moment at which it was weakest in the case before.
    weakest: usize,
}

/// The lower hull of the options that a case leaves a class, in a mode.
#[derive(Clone, Default)]
struct Hull {
    /// The part of the area that the smallest option takes, its WCET, and its number.
    first: Option<(f64, f64, u32)>,
    /// From one option to the next: more area, less WCET, and the number of the next.
    steps: Vec<(f64, f64, u32)>,
}

/// The hulls of all classes in each mode.
type Hulls = Vec<Vec<Hull>>;

/// A reason by strength: the strength, its index, and the design at its weakest moment.
type Ranked = (f64, usize, Vec<u32>);

pub(super) struct Search<'a> {
    /// At the clock of the proof.
    formulation: &'a Formulation,
    clock: usize,
    max_bytes: u64,
    known: Vec<Known>,
    /// The unit of WCETs in floats.
    unit: BigUint,
    effort: Effort,
    steps: u64,
}

impl<'a> Search<'a> {
    pub fn new(formulation: &'a Formulation, clock: usize, max_bytes: u64) -> Self {
        let effort = Effort::new(Limits::default());
        let unit = formulation.tasks.iter().map(|task| task.period.magnitude()).max();
        let unit = unit.cloned().unwrap_or_default();
        Self { formulation, clock, max_bytes, known: Vec::new(), unit, effort, steps: 0 }
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
            let left = self.left(cases.problem());
            let hulls = self.hulls(cases.problem(), &left);
            if let Some(why) = self.reason(cases.problem(), &left, &hulls) {
                proof.push(Step::Fails(why));
                if !cases.advance() {
                    return Some(proof);
                }
                continue;
            }
            let (class, listed) = self.division(cases.problem(), left, hulls)?;
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
    fn reason(&mut self, problem: &Problem, left: &[Vec<&Offer>], hulls: &Hulls) -> Option<Why> {
        let designs = left.iter().try_fold(1usize, |all, class| all.checked_mul(class.len()));
        let is_small = designs.is_some_and(|designs| designs <= FEW);
        let mut tried = vec![false; self.known.len()];
        loop {
            let mut ranked = self.strongest(hulls, if is_small { MANY } else { REASONS });
            // That no design fits is an overload too, however little is to be done.
            let last = (is_small && !tried.is_empty()).then_some((STRONG, 0));
            for (strength, at) in ranked.iter().map(|ranked| (ranked.0, ranked.1)).chain(last) {
                if (is_small || strength > STRONG) && !std::mem::replace(&mut tried[at], true) {
                    let why = self.known[at].why.clone();
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

    /// Tests a design, and records the reason if it fails.
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
        let modes = if why.0 == Reason::Overload { 0..problem.modes.len() } else { why.1..why.1 + 1 };
        for mode in modes {
            let moments = self.moments(problem, &why.0, mode);
            self.known.extend(moments.map(|moments| Known { why: why.clone(), mode, moments, weakest: 0 }));
        }
    }

    /// For each moment of a reason the part of its time that a class takes per unit of WCET; `None` if there are too many.
    fn moments(&self, problem: &Problem, reason: &Reason, mode: usize) -> Option<Vec<Vec<f64>>> {
        let set = problem.modes.get(mode)?;
        let part = |jobs: &BigUint, time: &BigUint| ratio(&(jobs * &self.unit), time);
        let moments = reason.moments(set).ok()?.take(MOST_MOMENTS + 1);
        let moments = moments.map(|moment| moment.jobs.iter().map(|jobs| part(jobs, &moment.time)).collect());
        let moments: Vec<Vec<f64>> = moments.collect();
        (moments.len() <= MOST_MOMENTS).then_some(moments)
    }

    /// The options that a case leaves at the clock, by WCET in the first mode.
    fn left<'b>(&self, problem: &'b Problem) -> Vec<Vec<&'b Offer>> {
        let fits = |offer: &&Offer| offer.clock <= self.clock && problem.allows(&offer.amounts);
        let of_class = |(class, offers): (usize, &'b Vec<Offer>)| {
            let wcet =
                |offer: &Offer| &problem.modes[0].tasks[class].wcets[self.clock][offer.option as usize];
            let mut own: Vec<&Offer> = offers.iter().filter(fits).collect();
            order::sort_by(&mut own, |a, b| {
                (wcet(a), &a.amounts, a.option).cmp(&(wcet(b), &b.amounts, b.option))
            });
            own
        };
        problem.classes.iter().enumerate().map(of_class).collect()
    }

    fn hulls(&self, problem: &Problem, left: &[Vec<&Offer>]) -> Hulls {
        let of_mode =
            |mode| left.iter().enumerate().map(|(class, own)| self.hull(problem, mode, class, own)).collect();
        (0..problem.modes.len()).map(of_mode).collect()
    }

    /// The hull of some options of a class. Several resources count equally.
    fn hull(&self, problem: &Problem, mode: usize, class: usize, options: &[&Offer]) -> Hull {
        let Some(set) = problem.modes.get(mode) else { return Hull::default() };
        let limits =
            (0..problem.width()).map(|at| problem.limit(at)).enumerate().filter(|(_, limit)| *limit > 0);
        let limits: Vec<(usize, f64)> = limits.map(|(at, limit)| (at, limit as f64)).collect();
        let point = |offer: &&Offer| {
            let parts = limits.iter().map(|&(at, limit)| offer.amounts[at] as f64 / limit);
            let wcet = &set.tasks[class].wcets[self.clock][offer.option as usize];
            (parts.sum::<f64>() / limits.len().max(1) as f64, ratio(wcet, &self.unit), offer.option)
        };
        let mut points: Vec<(f64, f64, u32)> = options.iter().map(point).collect();
        order::sort_by(&mut points, |a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
        let mut hull: Vec<(f64, f64, u32)> = Vec::new();
        for one in points {
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
        let step = |pair: &[(f64, f64, u32)]| (pair[1].0 - pair[0].0, pair[0].1 - pair[1].1, pair[1].2);
        Hull { first: hull.first().copied(), steps: hull.windows(2).map(step).collect() }
    }

    /// The strongest reasons, by falling strength. No reason is stronger than at any of its moments, so others are looked
    /// at only where they were weakest before.
    fn strongest(&mut self, hulls: &Hulls, most: usize) -> Vec<Ranked> {
        let options = hulls.iter().flatten().map(|hull| 1 + hull.steps.len() as u64).sum::<u64>();
        let at_weakest = |known: &Known| relaxed(&hulls[known.mode], &known.moments[known.weakest]).0;
        let strength =
            |known: &Known| if known.moments.is_empty() { f64::INFINITY } else { at_weakest(known) };
        let mut bounds: Vec<(f64, usize)> =
            self.known.iter().enumerate().map(|(at, known)| (strength(known), at)).collect();
        order::sort_by(&mut bounds, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        self.steps += options * bounds.len() as u64;
        let mut ranked: Vec<Ranked> = Vec::new();
        for (bound, at) in bounds {
            if ranked.len() >= most && ranked[most - 1].0 >= bound {
                break;
            }
            let known = &mut self.known[at];
            let mut weakest = (f64::INFINITY, Vec::new());
            for (number, moment) in known.moments.iter().enumerate() {
                let found = relaxed(&hulls[known.mode], moment);
                if found.0 < weakest.0 {
                    (known.weakest, weakest) = (number, found);
                }
            }
            self.steps += options * known.moments.len() as u64;
            let place = ranked.partition_point(|one| one.0 >= weakest.0);
            ranked.insert(place, (weakest.0, at, weakest.1));
        }
        ranked.truncate(most);
        ranked
    }

    /// The task to divide, and the options of its first case; `None` if each task has one option.
    fn division(
        &mut self,
        problem: &Problem,
        left: Vec<Vec<&Offer>>,
        mut hulls: Hulls,
    ) -> Option<(usize, Vec<u32>)> {
        let ranked = self.strongest(&hulls, REASONS);
        let before = ranked.first().map_or(0.0, |first| first.0);
        // The weakest moments of the strongest reasons.
        let mut known: Vec<(usize, Vec<&Vec<f64>>)> = Vec::new();
        for (_, at, _) in &ranked {
            let Known { mode, moments, .. } = &self.known[*at];
            let mut weak: Vec<_> =
                moments.iter().map(|moment| (relaxed(&hulls[*mode], moment).0, moment)).collect();
            order::sort_by(&mut weak, |a, b| a.0.total_cmp(&b.0));
            known.push((*mode, weak.into_iter().take(MOMENTS).map(|(_, moment)| moment).collect()));
        }
        let strength = |hulls: &Hulls| {
            let of = |(mode, moments): &(usize, Vec<&Vec<f64>>)| {
                let all = moments.iter().map(|moment| relaxed(&hulls[*mode], moment).0);
                all.fold(f64::INFINITY, f64::min)
            };
            known.iter().map(of).fold(0.0, f64::max)
        };
        // Tasks whose options differ the most come first.
        let spread = |class: usize| {
            let of = |(mode, moments): &(usize, Vec<&Vec<f64>>)| {
                let saved = hulls[*mode][class].steps.iter().map(|step| step.1).sum::<f64>();
                moments.iter().map(|moment| saved * moment[class]).fold(0.0, f64::max)
            };
            known.iter().map(of).fold(0.0, f64::max)
        };
        let classes = (0..left.len()).filter(|&class| left[class].len() > 1);
        let mut classes: Vec<(f64, usize)> = classes.map(|class| (spread(class), class)).collect();
        order::sort_by(&mut classes, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut best: Option<(f64, usize, Vec<u32>)> = None;
        let mut evaluated = 0;
        for (_, class) in classes.into_iter().take(TASKS) {
            let options = &left[class];
            let whole: Vec<Hull> = hulls.iter().map(|mode| mode[class].clone()).collect();
            for fast in 1..options.len() {
                let mut gained = 1.0;
                for part in [&options[..fast], &options[fast..]] {
                    for (mode, hulls) in hulls.iter_mut().enumerate() {
                        hulls[class] = self.hull(problem, mode, class, part);
                    }
                    gained *= (strength(&hulls).min(1.1) - before).max(1e-6);
                }
                evaluated += 2;
                if best.as_ref().is_none_or(|(most, ..)| gained > *most) {
                    let mut listed: Vec<u32> = options[..fast].iter().map(|offer| offer.option).collect();
                    order::sort(&mut listed);
                    best = Some((gained, class, listed));
                }
            }
            hulls.iter_mut().zip(whole).for_each(|(mode, whole)| mode[class] = whole);
        }
        let each: usize = known.iter().map(|(_, moments)| moments.len()).sum();
        self.steps += problem.offers * each as u64 * evaluated;
        best.map(|(_, class, listed)| (class, listed))
    }
}

/// A quotient, near enough; of 0 and 0 it is 0.
fn ratio(number: &BigUint, by: &BigUint) -> f64 {
    let shift = number.bits().max(by.bits()).saturating_sub(1000);
    let [number, by] = [number, by].map(|one| (one >> shift).to_f64().unwrap_or(f64::MAX));
    if number == 0.0 { 0.0 } else { (number / by).min(1e9) }
}

/// The least share of a moment's time that the options left take, if fractions of options may be taken, and the design
/// that takes whole ones; infinite if not even the smallest options fit.
fn relaxed(hulls: &[Hull], moment: &[f64]) -> (f64, Vec<u32>) {
    let (mut room, mut least) = (1.0 + 1e-9, 0.0);
    let (mut design, mut steps) = (Vec::with_capacity(hulls.len()), Vec::new());
    for (class, (hull, share)) in hulls.iter().zip(moment).enumerate() {
        let Some(first) = hull.first else { return (f64::INFINITY, Vec::new()) };
        room -= first.0;
        least += first.1 * share;
        design.push(first.2);
        if *share > 0.0 {
            let step = |&(area, saved, option): &(f64, f64, u32)| (saved * share / area, area, class, option);
            steps.extend(hull.steps.iter().map(step));
        }
    }
    if room < 0.0 {
        return (f64::INFINITY, design);
    }
    order::sort_by(&mut steps, |a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    for (slope, area, class, option) in steps {
        if area > room {
            return (least - slope * room, design);
        }
        (room, least, design[class]) = (room - area, least - slope * area, option);
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
