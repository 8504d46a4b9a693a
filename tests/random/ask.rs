//! Asks isx about a drawn set and compares every answer with brute force, or where there are too many designs with the
//! answers of other engines, numbers of threads and equal sets.

use super::Random;
use super::cores;
use super::deadlines::{demand, is_lower, response};
use super::judge::{Design, Judge, no_larger};
use super::proofs;
use super::set::{Block, MOST_DESIGNS, Set, Variant};
use super::shrink;
use isx::engine::{Choice, EngineError, Refusal};
use isx::exploration::Exploration;
use isx::explore::resources::{check_costs, fit_each, least};
use isx::explore::{ExploreError, Options, check_within, explore, explore_margins};
use isx::machine::Machine;
use isx::report::compare::Side;
use isx::report::front::Front;
use isx::report::json;
use isx::report::plot::PlotData;
use isx::report::svg;
use isx::schedulability::{
    BudgetVerdict, Effort, Failure, Limits, NoResponseTime, Outcome, Smallest, Verdict, margin,
    response_times, schedulable, scheduled_tasks, slowdown,
};
use isx::solve::SolveError;
use isx::taskset::formulate::Formulation;
use isx::taskset::{TaskSet, WhatIf, read_str};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, ToPrimitive, Zero};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What differs: in few words, by which a smaller set is known to show the same, and with all figures.
#[derive(Clone, Debug)]
pub struct Fault {
    pub what: String,
    pub details: String,
}

pub type Checked<T = ()> = Result<T, Fault>;

pub fn fault<T>(what: &str, details: impl std::fmt::Debug) -> Checked<T> {
    Err(Fault { what: what.to_owned(), details: format!("{details:?}") })
}

/// A fault unless this holds.
pub fn holds(is_so: bool, what: &str, details: &dyn Fn() -> String) -> Checked {
    if is_so { Ok(()) } else { Err(Fault { what: what.to_owned(), details: details() }) }
}

/// What was asked, refused and left open, with how often.
#[derive(Clone, Debug, Default)]
pub struct Tally(pub BTreeMap<String, u64>);

impl Tally {
    pub fn count(&mut self, what: impl Into<String>) {
        *self.0.entry(what.into()).or_default() += 1;
    }

    pub fn add(&mut self, other: Self) {
        other.0.into_iter().for_each(|(what, count)| *self.0.entry(what).or_default() += count);
    }

    pub fn of(&self, what: &str) -> u64 {
        self.0.get(what).copied().unwrap_or(0)
    }
}

/// One set as isx has it, with its judge.
pub struct Case<'a> {
    pub judge: &'a Judge,
    pub task_set: TaskSet,
    /// Whether all numbers are small and steps many, so that every question is decided.
    pub is_small: bool,
    pub limits: Limits,
}

/// What isx is known to refuse or to get wrong, and why; it is counted, and printed.
pub const KNOWN: [(&str, &str); 3] = [
    (
        "have too large a common multiple",
        "several resources, unrelated periods: no engine adds numbers so wide",
    ),
    ("hyperperiod is too long", "periods of more than 53 bits on several cores"),
    ("of all modes has more than bits", "modes of unrelated periods: no certificate of numbers so wide"),
];

static DEFAULT: LazyLock<Options> = LazyLock::new(Options::default);
static MACHINES: LazyLock<[Machine; 3]> = LazyLock::new(|| {
    [1, 2, 16].map(|threads| Machine::default().with_threads(threads).with_max_memory(1 << 28))
});

impl<'a> Case<'a> {
    /// The set as isx has it; `None` if what is asked for contradicts itself.
    pub fn of(judge: &'a Judge, tally: &mut Tally) -> Checked<Option<Self>> {
        let Some(task_set) = read(&judge.set, tally)? else { return Ok(None) };
        let mut timings = judge.set.tasks.iter().flat_map(|task| task.timing.iter().flatten());
        let is_small = timings.all(|timing| timing.0 < 1000);
        // Of large numbers and of large sets what takes many steps is left open.
        let limits = match (is_small, judge.is_known) {
            (true, true) => Limits::default(),
            (true, false) => Limits { steps: 20_000_000, design_steps: 2_000_000 },
            (false, _) => Limits { steps: 1_000_000, design_steps: 100_000 },
        };
        Ok(Some(Self { judge, task_set, is_small, limits }))
    }

    fn options(&self, threads: usize) -> Options<'static> {
        Options { machine: MACHINES[threads.min(3) - 1].clone(), limits: self.limits, ..DEFAULT.clone() }
    }

    fn effort(&self) -> Effort {
        Effort::new(self.limits)
    }
}

/// The most designs of a set that are enumerated: of some of the large sets more, so that searches are long.
pub fn most_designs(seed: u64) -> u64 {
    if seed % 128 == 16 { 4_000 } else { MOST_DESIGNS }
}

/// Asks everything about a set. `seed` says what else is drawn.
pub fn ask(set: &Set, seed: u64, tally: &mut Tally) -> Checked {
    let is_large = set.designs() > most_designs(seed);
    let judge = if is_large { Judge::of_none(set) } else { Judge::new(set) };
    ask_judged(&judge, seed, tally)
}

/// As [`ask`], judged by these designs.
pub fn ask_judged(judge: &Judge, seed: u64, tally: &mut Tally) -> Checked {
    let (random, set) = (&mut Random::new(seed ^ 0xa5c), &judge.set);
    let Some(case) = Case::of(judge, tally)? else {
        return holds(judge.is_known && judge.within().next().is_none(), "read", &|| {
            "a set with designs is refused".to_owned()
        });
    };
    let threads = if random.one_in(8) { 2 } else { 1 };
    let explored =
        answered(explore(&case.task_set, &case.options(threads)), &case, tally, ("explore", false))?;
    if !judge.is_known {
        let Some(explored) = explored else { return Ok(()) };
        tally.count("large set");
        agree(&case, &explored, random, tally)?;
        return proofs::front(&case, &explored, random, tally);
    }
    if let Some(explored) = explored {
        tally.count("front");
        front(&case, &explored, tally)?;
        verdicts(&case, &explored, random, tally)?;
        if random.one_in(4) {
            agree(&case, &explored, random, tally)?;
        }
        if case.task_set.has_parts() && random.one_in(2) {
            written_out(&case, &explored, tally)?;
        }
        if seed.is_multiple_of(4) {
            without_unused(&case, &explored, tally)?;
        }
        if random.one_in(2) {
            proofs::front(&case, &explored, random, tally)?;
        }
        if set.overruns.is_none() && random.one_in(4) {
            single_designs(&case, &explored, tally)?;
        }
        if random.one_in(4) {
            cut_short(judge, random, tally)?;
        }
        if set.is_area() && random.one_in(8) {
            read_again(&explored)?;
        }
    }
    within_budgets(&case, random, tally)?;
    if set.core.is_some() && set.designs() <= 24 {
        cores::partitions(&case, random, tally)?;
    }
    if set.is_area() && set.variants.is_empty() && set.overruns.is_none() && random.one_in(4) {
        front_of_margins(&case, tally)?;
    }
    Ok(())
}

/// A set whose combinations of parts are written out as choices has the same points and verdicts.
fn written_out(case: &Case, explored: &Exploration, tally: &mut Tally) -> Checked {
    let Some(joined) = case.task_set.joined() else { return fault("written out", "too many combinations") };
    same_front(case, explored, &joined.task_set, "combinations written out", tally)
}

/// Choices that are said to be in no design can be left out: the points and verdicts are the same.
fn without_unused(case: &Case, explored: &Exploration, tally: &mut Tally) -> Checked {
    let mut set = case.task_set.clone();
    for (task, own) in set.tasks.iter_mut().zip(&case.task_set.tasks) {
        let reasons = case.task_set.unused_reasons(own);
        let firsts = (0..own.choices.len()).filter(|&at| !own.choices[at].is_another_way);
        let needed =
            firsts.map(|at| own.ways_of(at)).filter(|ways| ways.clone().any(|way| reasons[way].is_none()));
        task.choices = needed.flat_map(|ways| own.choices[ways].to_vec()).collect();
    }
    if set == case.task_set {
        Ok(())
    } else {
        same_front(case, explored, &set, "unused choices left out", tally)
    }
}

/// Whether another set has the same points and verdicts.
fn same_front(
    case: &Case,
    explored: &Exploration,
    other: &TaskSet,
    what: &'static str,
    tally: &mut Tally,
) -> Checked {
    let Some(other) = answered(explore(other, &case.options(1)), case, tally, (what, false))? else {
        return fault(what, "no design");
    };
    let output = |explored: &Exploration| -> Vec<_> {
        let spans = case.judge.set.spans();
        let in_spans = |cost: &[BigRational]| spans.iter().map(|&at| cost[at].clone()).collect::<Vec<_>>();
        let points = explored.designs().map(|(_, design)| design);
        points.map(|design| (in_spans(&design.cost), design.utilization, design.schedulable_within)).collect()
    };
    let (own, other) = (output(explored), output(&other));
    tally.count(what);
    let is_same = own == other || !case.is_small && own.len() == other.len();
    holds(is_same, what, &|| format!("{own:?}, and not {other:?}"))
}

/// Both readers of the JSON of a front return what was written.
fn read_again(explored: &Exploration) -> Checked {
    let (mut text, front) = (Vec::new(), Front::of(explored));
    let written = json::write(&front, MACHINES[0].workers(), &mut text).map_err(|error| error.to_string());
    let plot = PlotData::from_written(text.as_slice()).map_err(|error| error.to_string());
    let drawn = PlotData::new(&front).map_err(|error| error.to_string());
    // A document names only the choices and blocks that its points take, so the numbers of names may differ: not the picture.
    let picture = |data: &Result<PlotData, String>| {
        data.as_ref()
            .map(|data| svg::draw_any(data, &svg::Options::default()).map_err(|error| error.to_string()))
            .map_err(Clone::clone)
    };
    let is_so = written.is_ok() && picture(&plot) == picture(&drawn);
    holds(is_so, "the picture of a front read again", &|| format!("{plot:?}, and not {drawn:?}"))?;
    let [plot, drawn] = [plot, drawn].map(|plot| plot.map(|plot| (plot.base, plot.points)));
    holds(plot == drawn, "a plot read again", &|| format!("{plot:?}, and not {drawn:?}"))?;
    let side = Side::from_written(String::new(), text.as_slice()).map_err(|error| error.to_string());
    let points: Vec<_> = explored.front.iter().map(|point| (point.area(), point.utilization())).collect();
    let is_so = side.as_ref().is_ok_and(|side| side.steps == points);
    holds(is_so, "a front read again", &|| format!("{side:?}, and not {points:?}"))
}

/// Asks only for the certificate of the front.
pub fn prove_judged(judge: &Judge, seed: u64, tally: &mut Tally) -> Checked {
    let Some(case) = Case::of(judge, tally)? else { return Ok(()) };
    match explore(&case.task_set, &case.options(1)) {
        Ok(explored) => proofs::front(&case, &explored, &mut Random::new(seed), tally),
        Err(_) => Ok(()),
    }
}

/// The set as isx reads it, with what is forced; `None` if it is refused by contract.
fn read(set: &Set, tally: &mut Tally) -> Checked<Option<TaskSet>> {
    let task_set = match read_str("random.yaml", &set.yaml()) {
        Ok(reading) => reading.task_set,
        Err(error) => return fault("read", error.to_string()),
    };
    let mut what_if = WhatIf::default();
    let ask = |what_if: &mut WhatIf| {
        if set.core.is_some() && set.resources.is_some() {
            what_if.keep_limits();
            what_if.price("r0=1", &task_set)?;
        }
        what_if.add_margin(BigRational::new(set.margin.into(), 100.into()))?;
        what_if.scale_wcets(BigRational::new(set.fifths.into(), 5.into()))?;
        set.overruns.into_iter().for_each(|most| what_if.overruns(most as u32));
        set.forbidden().try_for_each(|choice| what_if.forbid(&choice, &task_set))?;
        set.forced().try_for_each(|choice| what_if.force(&choice, &task_set))
    };
    if let Err(error) = ask(&mut what_if) {
        return fault("what-if", error.to_string());
    }
    match what_if.apply(&task_set) {
        Ok(task_set) => Ok(Some(task_set)),
        Err(error) => {
            tally.count(format!("refused: {}", gist(&error.to_string())));
            Ok(None)
        }
    }
}

/// An error without its names and numbers.
pub fn gist(error: &str) -> String {
    let text: String = error.chars().filter(|c| !c.is_ascii_digit()).take(90).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The answer; `None` if there is no design, or if another engine than the one asked for is needed.
fn answered<T>(
    answer: Result<T, ExploreError>,
    case: &Case,
    tally: &mut Tally,
    (what, is_named): (&str, bool),
) -> Checked<Option<T>> {
    let error = match answer {
        Ok(answer) => return Ok(Some(answer)),
        Err(error) => error,
    };
    let no_design = !case.judge.is_known || case.judge.within().next().is_none();
    let may_refuse = match &error {
        ExploreError::Solve(SolveError::Engine(Refusal { cause, .. })) => {
            is_named && !matches!(cause, EngineError::Failed(_))
        }
        ExploreError::Forced { .. } | ExploreError::Limits { .. } => no_design,
        _ => false,
    };
    if may_refuse && !is_named {
        tally.count(format!("{what}: no design"));
        return Ok(None);
    }
    let refused = format!("refused: {what}: {}", gist(&error.to_string()));
    if !may_refuse {
        return fault(&refused, error.to_string());
    }
    tally.count(refused);
    Ok(None)
}

/// The choices of isx in the numbers of the drawn set.
fn original(of: &Set, set: &TaskSet, choices: &[Option<u32>]) -> Vec<Option<usize>> {
    let number = |(at, task): (usize, &super::set::Task)| {
        let rows = rows(set, at);
        let own = set.tasks[rows.clone()].iter().zip(&choices[rows]);
        let taken = own.map(|(row, choice)| choice.map(|choice| taken(&row.choices[choice as usize])));
        let taken: Vec<_> = taken.collect();
        let taken = if taken.len() > 1 { &taken[1..] } else { &taken[..] };
        task.choices.iter().position(|choice| choice.taken == taken)
    };
    of.tasks.iter().enumerate().map(number).collect()
}

/// A task of a set and its parts, by its number among tasks.
fn rows(set: &TaskSet, task: usize) -> std::ops::Range<usize> {
    let head = (0..set.tasks.len()).filter(|&row| !set.tasks[row].is_part()).nth(task).unwrap();
    head..head + 1 + set.parts_of(head).len()
}

/// Which choice it is as it is written, and its blocks.
fn taken(choice: &isx::taskset::Choice) -> (usize, Vec<usize>) {
    let mut blocks: Vec<usize> = choice.uses.iter().map(|&block| block as usize).collect();
    blocks.sort_unstable();
    (choice.name[1..].parse().unwrap(), blocks)
}

impl Case<'_> {
    /// The design of choices of isx, whatever its slots.
    pub fn selection(&self, variant: usize, choices: &[Option<u32>]) -> Design {
        // Where tasks overrun, formulations of one variant are numbered.
        let variant = if self.judge.set.overruns.is_some() { 0 } else { variant };
        self.judge.selection(variant, &original(&self.judge.set, &self.task_set, choices))
    }

    /// The choices of a design as isx numbers them.
    pub fn numbers(&self, design: &Design) -> Vec<Option<u32>> {
        let mut all = Vec::new();
        for (at, (task, choice)) in self.judge.set.tasks.iter().zip(&design.choices).enumerate() {
            let rows = &self.task_set.tasks[rows(&self.task_set, at)];
            let wanted = choice.map_or_else(
                || vec![None; task.parts.len().max(1)],
                |choice| task.choices[choice].taken.clone(),
            );
            all.extend((rows.len() > 1).then_some(None));
            let own = rows.iter().skip(rows.len() - wanted.len());
            all.extend(own.zip(wanted).map(|(row, wanted)| {
                let at = row.choices.iter().position(|choice| Some(taken(choice)) == wanted);
                at.map(|at| at as u32)
            }));
        }
        all
    }

    fn design(&self, variant: usize, choices: &[Option<u32>]) -> Checked<Design> {
        let design = self.selection(variant, choices);
        holds(design.fits_slots, "a design with two blocks in one slot", &|| format!("{design:?}"))?;
        Ok(design)
    }

    /// A shown design, of which cost and utilization are those of its choices.
    fn shown(&self, shown: &isx::front::Design, choices: &[Option<u32>]) -> Checked<Design> {
        let design = self.design(shown.variant, choices)?;
        let cost: Vec<BigRational> = design.cost.iter().map(|cost| self.judge.in_units(*cost)).collect();
        let utilization = self.judge.utilization(design.load());
        holds(shown.cost == cost && shown.utilization == utilization, "figures of a design", &|| {
            format!("{shown:?}, and not {design:?}")
        })?;
        holds(design.is_within, "a design beyond the limits", &|| format!("{design:?}"))?;
        if let (Some(one), Some(other)) = (shown.schedulable, design.passes()) {
            holds(one == other, "whether a design is schedulable", &|| {
                format!("{shown:?}: {other}, {design:?}")
            })?;
        }
        Ok(design)
    }
}

/// The points of a front, each with all that is shown of it.
fn front(case: &Case, explored: &Exploration, tally: &mut Tally) -> Checked {
    let (judge, set) = (case.judge, &case.judge.set);
    let wanted = judge.front(judge.within());
    same_points(case, explored, &wanted)?;
    if set.variants.is_empty() && set.tasks.iter().all(|task| task.forced.is_none_or(|way| way.is_none())) {
        let (base, software) = (explored.base(), judge.selection(0, &vec![None; set.tasks.len()]));
        let passes = base.schedulable.zip(software.passes()).is_none_or(|(output, passes)| output == passes);
        let is_so = base.utilization == judge.utilization(software.load()) && passes;
        holds(is_so, "the design in software", &|| format!("{base:?}, and not {software:?}"))?;
    }
    for (point, shown) in explored.designs() {
        let Some(choices) = point.choices() else { return fault("a point without choices", shown) };
        let design = case.shown(&shown, &choices)?;
        let formulation = point.formulation();
        let blocks: Vec<usize> =
            formulation.blocks(&choices).unwrap_or_default().iter().map(|&block| block as usize).collect();
        // Companions of blocks that exclude others come behind.
        let blocks: Vec<usize> = blocks.into_iter().filter(|&block| block < set.blocks.len()).collect();
        holds(design.blocks.iter().copied().eq(blocks.iter().copied()), "blocks of a point", &|| {
            format!("{blocks:?}: {design:?}")
        })?;
        if let Some(clock) = formulation.clock_of(&choices) {
            let own = design.clock.map(|clock| BigRational::from_integer(clock.into()));
            holds(own.as_ref() == Some(clock), "clock of a point", &|| format!("{clock}: {design:?}"))?;
        }
        if set.modes > 0 {
            let own: Vec<BigRational> = design.loads.iter().map(|load| judge.utilization(load)).collect();
            let output = formulation.mode_utilizations(&choices);
            holds(output == own, "utilization in modes", &|| format!("{output:?}: {design:?}"))?;
        }
        if case.is_small && shown.schedulable.is_none() {
            return fault("an undecided point", shown);
        }
    }
    tally.count(if wanted.len() > 1 { "front of several points" } else { "front of one point" });
    Ok(())
}

/// Whether the points are these, with the choices of the rule where it says which.
fn same_points(case: &Case, explored: &Exploration, wanted: &[&Design]) -> Checked {
    let judge = case.judge;
    let own: Vec<(Vec<BigRational>, BigRational)> =
        explored.front.iter().map(|point| (point.cost(), point.utilization())).collect();
    let spans = judge.set.spans();
    let in_spans = |cost: &Vec<BigRational>| spans.iter().map(|&at| cost[at].clone()).collect::<Vec<_>>();
    let own: Vec<_> = own.iter().map(|(cost, utilization)| (in_spans(cost), utilization.clone())).collect();
    let wanted_points: Vec<_> = wanted.iter().map(|design| judge.figures(design)).collect();
    holds(own == wanted_points, "points of a front", &|| format!("{own:?}, and not {wanted_points:?}"))?;
    if judge.set.blocks.is_empty() && judge.set.modes == 0 {
        for (point, wanted) in explored.front.iter().zip(wanted) {
            let choices = original(&judge.set, &case.task_set, &point.choices().unwrap_or_default());
            let is_same =
                case.selection(point.design().variant, &point.choices().unwrap_or_default()).variant
                    == wanted.variant
                    && choices == wanted.choices;
            holds(is_same, "which of several designs", &|| {
                format!("{:?} {choices:?}, and not {wanted:?}", point.design())
            })?;
        }
    }
    Ok(())
}

/// The least key that passes: that of isx, and by brute force.
fn same_area(
    case: &Case,
    output: &Smallest<BigRational>,
    wanted: Option<Vec<Vec<i128>>>,
    what: &str,
) -> Checked {
    let Some(wanted) = wanted else { return Ok(()) };
    let wanted = wanted.first().map(|key| case.judge.in_units(key[0]));
    match output {
        Smallest::At(area) => {
            holds(wanted.as_ref() == Some(area), what, &|| format!("{area}, and not {wanted:?}"))
        }
        Smallest::None => holds(wanted.is_none(), what, &|| format!("none, and not {wanted:?}")),
        Smallest::Unknown(why) => holds(!case.is_small, what, &|| why.clone()),
    }
}

/// What is said about deadlines beside the points: what is within their costs, the least costs, longer WCETs, some modes.
fn verdicts(case: &Case, explored: &Exploration, random: &mut Random, tally: &mut Tally) -> Checked {
    let (judge, set) = (case.judge, &case.judge.set);
    let minimal = judge.minimal(judge.within(), &judge.all_modes());
    let Some(minimal) = minimal else {
        tally.count("deadlines not judged");
        return Ok(());
    };
    tally.count(if minimal.is_empty() { "not schedulable" } else { "schedulable" });
    for (point, shown) in explored.designs() {
        let design = case.design(shown.variant, &point.choices().unwrap_or_default())?;
        let within = minimal.iter().any(|least| no_larger(least, &design.key));
        let is_so = shown.schedulable_within.map_or(!case.is_small, |output| output == within);
        holds(is_so, "whether a design within a point's cost is schedulable", &|| {
            format!("{shown:?}: {within}")
        })?;
    }
    match &explored.verdicts.smallest {
        Smallest::At(chosen) => {
            let design = case.shown(&chosen.design, &chosen.choices)?;
            let is_so = minimal.first() == Some(&design.key) && design.passes() == Some(true);
            holds(is_so, "the smallest schedulable design", &|| format!("{design:?}, and not {minimal:?}"))?;
        }
        Smallest::None => holds(minimal.is_empty(), "no smallest design", &|| format!("{minimal:?}"))?,
        Smallest::Unknown(why) => holds(!case.is_small, "an unknown smallest design", &|| why.clone())?,
    }
    if !set.is_area() && !matches!(explored.verdicts.smallest, Smallest::Unknown(_)) {
        same_minimal(case, &explored.verdicts.minimal, &minimal)?;
    }
    margins(case, explored, judge.within(), random)?;
    for some in &explored.mode_areas {
        same_area(
            case,
            &some.smallest,
            judge.minimal(judge.within(), &some.modes),
            "the smallest area of some modes",
        )?;
    }
    Ok(())
}

/// The smallest areas of these designs with longer WCETs.
fn margins<'a>(
    case: &Case,
    explored: &Exploration,
    designs: impl Iterator<Item = &'a Design> + Clone,
    random: &mut Random,
) -> Checked {
    for at in explored.margins.iter().filter(|_| random.one_in(4)) {
        // Margins count from the WCETs of the file.
        let own = BigRational::new((100 + case.judge.set.margin).into(), 100.into());
        let factor = (BigRational::one() + &at.margin) / own;
        let passes: Option<Vec<&Design>> = designs
            .clone()
            .filter_map(|design| match case.judge.passes_with(design, &factor) {
                Some(false) => None,
                Some(true) => Some(Some(design)),
                None => Some(None),
            })
            .collect();
        let least =
            passes.map(|passes| passes.iter().map(|design| design.key.clone()).min().into_iter().collect());
        same_area(case, &at.smallest, least, "the smallest area with a margin")?;
    }
    Ok(())
}

/// A search that ends after a few steps may leave questions open; the answers that it gives are right.
fn cut_short(judge: &Judge, random: &mut Random, tally: &mut Tally) -> Checked {
    let Some(mut case) = Case::of(judge, &mut Tally::default())? else { return Ok(()) };
    let steps = random.pick(&[0, 1, 20, 60, 200, 1000]);
    (case.is_small, case.limits) = (false, Limits { steps, design_steps: steps });
    let Some(explored) =
        answered(explore(&case.task_set, &case.options(1)), &case, tally, ("explore", false))?
    else {
        return Ok(());
    };
    let points = &explored.verdicts.points;
    let is_open = points.contains(&None) || matches!(explored.verdicts.smallest, Smallest::Unknown(_));
    tally.count(if is_open { "cut short" } else { "decided in few steps" });
    front(&case, &explored, &mut Tally::default())?;
    verdicts(&case, &explored, random, &mut Tally::default())?;
    let mut effort = case.effort();
    if judge.set.is_area() && check_within(&case.task_set, None, &case.options(1), &mut effort).is_ok() {
        holds(effort.spent() <= steps, "steps beyond the limit", &|| effort.spent().to_string())?;
    }
    Ok(())
}

fn same_minimal(case: &Case, output: &[isx::front::ChosenDesign], wanted: &[Vec<i128>]) -> Checked {
    let designs: Vec<Design> =
        output.iter().map(|chosen| case.shown(&chosen.design, &chosen.choices)).collect::<Checked<_>>()?;
    let keys: Vec<&Vec<i128>> = designs.iter().map(|design| &design.key).collect();
    let is_so = keys == wanted.iter().collect::<Vec<_>>()
        && designs.iter().all(|design| design.passes() == Some(true));
    holds(is_so, "minimal schedulable costs", &|| format!("{designs:?}, and not {wanted:?}"))
}

/// An area to ask about, near that of some design.
fn budget(judge: &Judge, random: &mut Random) -> i128 {
    let areas: Vec<i128> = judge.designs.iter().map(|design| design.cost[0]).collect();
    (if areas.is_empty() { 0 } else { random.pick(&areas) } + random.within(-1, 1i128)).max(0)
}

/// Fronts, verdicts and devices within a budget or limits.
fn within_budgets(case: &Case, random: &mut Random, tally: &mut Tally) -> Checked {
    let (judge, set) = (case.judge, &case.judge.set);
    if !set.is_area() {
        let reference = isx::engine::mckp::ENGINES.judge().map_or(Choice::Auto, Choice::Named);
        let is_named = random.one_in(3);
        let options = Options { engine: if is_named { reference } else { Choice::Auto }, ..case.options(1) };
        let decided = check_costs(&case.task_set, true, &options, &mut case.effort());
        match answered(decided, case, tally, ("check", is_named))? {
            Some(decided) => verdict(case, &decided, &judge.within().collect::<Vec<_>>(), random, tally)?,
            None => return devices(case, tally),
        }
        if !random.one_in(3) {
            return Ok(());
        }
        if let Some(found) =
            answered(least(&case.task_set, &options, &mut case.effort()), case, tally, ("least", is_named))?
        {
            let least = judge.within().min_by_key(|design| design.load());
            let output = found.front.iter().next().map(|point| point.utilization());
            let wanted = least.map(|design| judge.utilization(design.load()));
            holds(output == wanted, "least utilization", &|| format!("{output:?}, and not {wanted:?}"))?;
        }
        return devices(case, tally);
    }
    let most = budget(judge, random);
    let area = judge.in_units(most);
    let within: Vec<&Design> = judge.designs.iter().filter(|design| design.cost[0] <= most).collect();
    let cut = explore(&case.task_set, &Options { max_area: Some(area.clone()), ..case.options(1) });
    let decided = check_within(&case.task_set, Some(&area), &case.options(1), &mut case.effort());
    if within.is_empty() {
        return holds(cut.is_err() && decided.is_err(), "a design below the least area", &|| {
            area.to_string()
        });
    }
    let asked = |fault: Fault| Fault { details: format!("within area {area}: {}", fault.details), ..fault };
    if let Some(cut) = answered(cut, case, tally, ("explore within an area", false))? {
        let (part, all) = (judge.front(within.iter().copied()), judge.front(judge.within()));
        same_points(case, &cut, &part).map_err(asked)?;
        let (is_whole, is_plain) = (part.len() == all.len(), set.variants.is_empty() && set.modes == 0);
        // Where slots exclude blocks, a front of several formulations may be complete and not known to be.
        let is_so = cut.front.is_complete() == is_whole || is_whole && (!is_plain || set.overruns.is_some());
        holds(is_so, "whether a front is complete", &|| format!("within area {area}: {part:?}"))?;
        margins(case, &cut, within.iter().copied(), random).map_err(asked)?;
    }
    if let Some(decided) = answered(decided, case, tally, ("check", false))? {
        verdict(case, &decided, &within, random, tally).map_err(asked)?;
        let all = judge.minimal(judge.within(), &judge.all_modes());
        same_area(case, &decided.smallest, all, "the smallest area of all").map_err(asked)?;
    }
    let all: Vec<&Design> = judge.within().collect();
    if all.is_empty() || !set.is_urgent() && random.one_in(2) {
        return Ok(());
    }
    let decided = check_within(&case.task_set, None, &case.options(1), &mut case.effort());
    match answered(decided, case, tally, ("check", false))? {
        Some(decided) => verdict(case, &decided, &all, random, tally),
        None => Ok(()),
    }
}

/// The least load of these designs.
fn least_load<'a>(judge: &'a Judge, within: &[&'a Design]) -> &'a BigInt {
    within.iter().map(|design| design.load()).min().unwrap_or(&judge.full)
}

/// A verdict, and its certificate.
fn verdict(
    case: &Case,
    decided: &BudgetVerdict,
    within: &[&Design],
    random: &mut Random,
    tally: &mut Tally,
) -> Checked {
    let judge = case.judge;
    let minimal = judge.minimal(within.iter().copied(), &judge.all_modes());
    let shown = decided.shown();
    let design = case.shown(&shown.design, &shown.choices)?;
    let is_within =
        within.iter().any(|other| other.variant == design.variant && other.choices == design.choices);
    holds(is_within, "a design beyond the budget", &|| format!("{design:?}"))?;
    if case.judge.set.modes == 0 {
        let least = judge.utilization(least_load(judge, within));
        let output = &decided.least.design.utilization;
        holds(least == *output, "least utilization within a budget", &|| {
            format!("{output}, and not {least}")
        })?;
    }
    if let Some(minimal) = minimal {
        let passes = !minimal.is_empty();
        let is_so = match &decided.verdict {
            Verdict::Schedulable { .. } => passes && design.passes() == Some(true),
            Verdict::NotSchedulable { .. } => !passes,
            Verdict::Unknown { .. } => !case.is_small,
        };
        holds(is_so, "a verdict", &|| format!("{:?}, and not {minimal:?}", decided.verdict))?;
        tally.count(if passes { "positive verdict" } else { "negative verdict" });
        if passes && design.load() > least_load(judge, within) {
            tally.count("verdict by another design than that of least utilization");
        }
        // A search that is cut short says so of its list.
        let is_whole = !matches!(decided.smallest, Smallest::Unknown(_));
        if let Some(output) = decided.minimal.as_ref().filter(|_| is_whole) {
            same_minimal(case, output, &minimal)?;
        }
    }
    if judge.set.is_urgent() || random.one_in(3) {
        proofs::verdict(case, decided, within, random, tally)
    } else {
        Ok(())
    }
}

/// Which limits of a device bind.
fn devices(case: &Case, tally: &mut Tally) -> Checked {
    let (judge, set) = (case.judge, &case.judge.set);
    let Some(device) = &set.device else { return Ok(()) };
    let found = fit_each(vec![case.task_set.clone()], None, &case.options(1));
    let Some(Some(found)) = answered(found, case, tally, ("fit", false))? else { return Ok(()) };
    let found = &found.rows[0];
    let is_kept = |design: &Design, at: usize| design.cost[at] * 100 <= device[at] * set.fill;
    let least = |at: Option<usize>| {
        let kept = judge
            .designs
            .iter()
            .filter(|design| (0..device.len()).all(|other| at == Some(other) || is_kept(design, other)));
        kept.map(|design| design.load().clone()).min()
    };
    let Some(own) = least(None) else {
        // Of these there is too little for any design, or more of one of them alone would allow one.
        let are_kept = |design: &Design, kept: &dyn Fn(usize) -> bool| {
            (0..device.len()).filter(|&at| kept(at)).all(|at| is_kept(design, at))
        };
        let has = |kept: &dyn Fn(usize) -> bool| judge.designs.iter().any(|design| are_kept(design, kept));
        let mut binding: Vec<usize> = (0..device.len()).filter(|&at| !has(&|kept| kept == at)).collect();
        if binding.is_empty() {
            binding.extend((0..device.len()).filter(|&at| has(&|kept| kept != at)));
        }
        tally.count("fit without a design");
        return holds(found.verdict.is_none() && found.binding == binding, "fit", &|| {
            format!("{found:?}, and not {binding:?}")
        });
    };
    let binding: Vec<usize> =
        (0..device.len()).filter(|&at| least(Some(at)).is_some_and(|less| less < own)).collect();
    tally.count("fit");
    holds(found.binding == binding, "what binds", &|| format!("{:?}, and not {binding:?}", found.binding))
}

/// Of the first and the last point: where it fails and how long its tasks respond, and the margin and the slowdown at which it
/// stops to pass.
fn single_designs(case: &Case, explored: &Exploration, tally: &mut Tally) -> Checked {
    let (one, hair) = (BigRational::one(), BigRational::new(1.into(), 1_000_000_000.into()));
    let last = explored.front.len().saturating_sub(1);
    for at in [0, last] {
        let Some(point) = explored.front.get(at) else { continue };
        let (formulation, choices) = (point.formulation(), point.choices().unwrap_or_default());
        let design = case.design(point.design().variant, &choices)?;
        if case.judge.set.modes == 0 && !case.task_set.has_parts() {
            failure(case, formulation, &choices, &design, tally)?;
        }
        let margin = margin(formulation, &choices, &mut case.effort());
        let margin = margin.map(|margin| (margin.factor, margin.is_reached));
        // A slowdown does not say whether it is reached.
        let slowdown = slowdown(formulation, &choices, &mut case.effort());
        let is_reached = case.judge.set.scheduler == "edf";
        for (is_clock, found) in [(false, margin), (true, slowdown.map(|factor| (factor, is_reached)))] {
            let Ok((found, is_reached)) = found else {
                holds(!case.is_small, "an unknown margin", &|| format!("{design:?}"))?;
                continue;
            };
            let mut wanted = vec![(&found * (&one - &hair), true), (&found * (&one + &hair), false)];
            wanted.extend((is_reached || !is_clock).then(|| (found.clone(), is_reached)));
            for (factor, wanted) in wanted.into_iter().filter(|(factor, _)| !factor.is_zero()) {
                if let Some(passes) = case.judge.passes_slower(&design, &factor, is_clock) {
                    tally.count(if is_clock { "slowdown" } else { "margin" });
                    let what = if is_clock { "a slowdown" } else { "a margin" };
                    holds(passes == wanted, what, &|| format!("{found}, with {factor}: {design:?}"))?;
                }
            }
        }
    }
    Ok(())
}

/// Where a design of one mode fails, and the response times of its tasks.
fn failure(
    case: &Case,
    formulation: &Formulation,
    choices: &[Option<u32>],
    design: &Design,
    tally: &mut Tally,
) -> Checked {
    let (jobs, rows) = (case.judge.jobs_of(design), scheduled_tasks(formulation, choices));
    let tasks = rows.tasks();
    let ticks =
        |units: &BigInt, task: usize| BigRational::new(units * jobs[task].period, tasks[task].period.clone());
    let outcome = schedulable(formulation, choices, &mut case.effort());
    let is_so = match &outcome {
        Outcome::Passes => design.passes() != Some(false),
        Outcome::Overload => *design.load() > case.judge.full,
        Outcome::Fails(Failure::Demand { time, demand: output }) => {
            tally.count("failing demand");
            let (time, output) = (ticks(time, 0), ticks(output, 0));
            output > time && time.to_i128().is_some_and(|time| output == whole(demand(&jobs, time)))
        }
        Outcome::Fails(Failure::Response { task, job }) => {
            tally.count("late job");
            let late = response(&jobs, *task, jobs[*task].deadline);
            late.is_none_or(|late| late.late.map(BigInt::from).as_ref() == Some(job))
        }
        Outcome::Fails(Failure::InMode { .. }) => false,
        Outcome::Undecided(_) => !case.is_small,
    };
    holds(is_so, "where a design fails", &|| format!("{outcome:?}: {design:?}"))?;
    for found in response_times(formulation, choices, &mut case.effort()).unwrap_or_default() {
        let own = &jobs[found.task];
        let above = jobs.iter().filter(|job| !is_lower(job, own));
        let above: BigInt = above.map(|job| &case.judge.full / job.period * job.wcet).sum();
        let is_so = match &found.response {
            Err(NoResponseTime::Unbounded) => above > case.judge.full,
            Err(NoResponseTime::Undecided(_)) => !case.is_small,
            Ok(_) if above > case.judge.full => false,
            Ok(time) => response(&jobs, found.task, i128::MAX)
                .is_none_or(|longest| ticks(time, found.task) == whole(longest.time)),
        };
        tally.count("response time");
        holds(is_so, "a response time", &|| format!("{found:?}: {design:?}"))?;
    }
    Ok(())
}

fn whole(value: i128) -> BigRational {
    BigRational::from_integer(value.into())
}

/// The front of area against margin: below an area no design has more margin than its last point.
fn front_of_margins(case: &Case, tally: &mut Tally) -> Checked {
    let judge = case.judge;
    let hair = BigRational::new(1_000_000_001.into(), 1_000_000_000.into());
    let found = match explore_margins(&case.task_set, &case.options(1)) {
        Ok(found) => found,
        Err(ExploreError::Margins { .. }) => {
            tally.count("no front of margins");
            return Ok(());
        }
        Err(error) => return answered::<()>(Err(error), case, tally, ("front of margins", false)).map(drop),
    };
    tally.count("front of margins");
    let points: Vec<(BigRational, BigRational)> = found
        .front
        .iter()
        .zip(&found.point_margins)
        .map(|(point, margin)| (point.area(), margin.clone()))
        .collect();
    for pair in points.windows(2) {
        holds(pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1, "order of margins", &|| format!("{points:?}"))?;
    }
    for (at, point) in found.front.iter().enumerate() {
        let design = case.design(0, &point.choices().unwrap_or_default())?;
        let below = &points[at].1 / &hair;
        let passes = judge.passes_with(&design, &below);
        holds(passes != Some(false), "the margin of a point", &|| format!("{points:?}: {design:?}"))?;
        // Where hardware is shared the rule does not say which of equal designs is shown.
        let is_ruled = judge.set.blocks.is_empty() && judge.set.modes == 0 && !judge.set.has_switches();
        if is_ruled && judge.set.tasks.iter().all(|task| task.nonpreemptive.is_some()) {
            let beside = judge.designs.iter().filter(|other| other.cost == design.cost);
            let mut beside = beside.filter(|other| other.rank(&design).is_lt());
            let first = beside.find(|other| judge.passes_with(other, &points[at].1) == Some(true));
            holds(first.is_none(), "the design of a margin", &|| format!("{design:?}, and not {first:?}"))?;
        }
    }
    if found.larger_margins_unknown.is_some() {
        return holds(!case.is_small, "unknown margins", &|| format!("{points:?}"));
    }
    for design in &judge.designs {
        let last = points.iter().rfind(|(area, _)| *area <= judge.in_units(design.cost[0]));
        let above = last.map_or_else(|| BigRational::new(1.into(), 100.into()), |(_, margin)| margin * &hair);
        let passes = judge.passes_with(design, &above);
        holds(passes != Some(true), "a missing margin", &|| format!("{points:?}: {design:?}"))?;
    }
    Ok(())
}

/// Other engines, another number of threads and equal sets give the same points.
fn agree(case: &Case, explored: &Exploration, random: &mut Random, tally: &mut Tally) -> Checked {
    let set = &case.judge.set;
    let ten = BigRational::from_integer(10.into());
    let figures = |explored: &Exploration, tenths: bool| -> Vec<(Vec<BigRational>, BigRational)> {
        let unit = if tenths { ten.clone() } else { BigRational::one() };
        // With modes, designs that differ in costs without an objective may be as good as each other.
        let compared: Vec<usize> = if set.modes > 0 { set.spans() } else { (0..set.columns()).collect() };
        let cost = |cost: Vec<BigRational>| compared.iter().map(|&at| &cost[at] * &unit).collect();
        explored.front.iter().map(|point| (cost(point.cost()), point.utilization())).collect()
    };
    let first = set.spans()[0];
    let smallest = |explored: &Exploration, tenths: bool| match &explored.verdicts.smallest {
        Smallest::At(chosen) if tenths => Some(Some(&chosen.design.cost[first] * &ten)),
        Smallest::At(chosen) => Some(Some(chosen.design.cost[first].clone())),
        Smallest::None => Some(None),
        Smallest::Unknown(_) => None,
    };
    let (own, least) = (figures(explored, false), smallest(explored, false));
    let verdicts = |explored: &Exploration| explored.verdicts.points.clone();
    let choices =
        |explored: &Exploration| -> Vec<_> { explored.front.iter().map(|point| point.choices()).collect() };
    let same = |other: &Exploration, what: &str, is_same_set: bool| -> Checked {
        let has_ties = !set.blocks.is_empty() || set.modes > 0 || !is_same_set;
        let output = figures(other, !is_same_set);
        holds(output == own, what, &|| format!("{output:?}, and not {own:?}"))?;
        let output = smallest(other, !is_same_set);
        let is_so = output == least || output.is_none() || least.is_none();
        holds(is_so, what, &|| format!("the smallest is {output:?}, and not {least:?}"))?;
        holds(has_ties || choices(other) == choices(explored), what, &|| "other choices".to_owned())?;
        holds(has_ties || verdicts(other) == verdicts(explored), what, &|| "other verdicts".to_owned())
    };
    for threads in [2, 16] {
        let other =
            answered(explore(&case.task_set, &case.options(threads)), case, tally, ("threads", false))?;
        let Some(other) = other else { continue };
        same(&other, "threads", true)?;
        let is_so = choices(&other) == choices(explored) && verdicts(&other) == verdicts(explored);
        holds(is_so, "other designs with more threads", &|| format!("{threads} threads"))?;
        tally.count(format!("{threads} threads"));
    }
    for engine in isx::engine::mckp::ENGINES.iter().filter(|engine| engine.name != "cuda") {
        let named = Options { engine: Choice::Named(engine), ..case.options(1) };
        if let Some(other) = answered(explore(&case.task_set, &named), case, tally, (engine.name, true))? {
            tally.count(format!("engine {}", engine.name));
            same(&other, &format!("engine {}", engine.name), true)?;
        }
    }
    let Some(task_set) = read(&equal(set, random), tally)? else { return Ok(()) };
    if let Some(other) = answered(explore(&task_set, &case.options(1)), case, tally, ("an equal set", false))?
    {
        same(&other, "an equal set", false)?;
    }
    // Up to the area of a point the front ends with it.
    let at = random.within(0, own.len() - 1);
    if set.is_area() {
        let within = Options { max_area: Some(own[at].0[0].clone()), ..case.options(1) };
        if let Some(cut) = answered(explore(&case.task_set, &within), case, tally, ("within a point", false))?
        {
            holds(figures(&cut, false) == own[..=at], "the front within a point", &|| {
                format!("{own:?}, {at}")
            })?;
        }
    }
    Ok(())
}

/// An equal set: costs are counted in tenths, all times are longer alike, tasks and blocks are in another order, and there are
/// an unused block, a dominated choice and perhaps a free variant. But for the unit of costs its figures are the same.
fn equal(set: &Set, random: &mut Random) -> Set {
    let mut other = set.clone();
    let times = random.pick(&[1, 2, 7]);
    shrink::times(&mut other).into_iter().for_each(|time| *time *= times);
    other.cost_decimals += 1;
    let last = other.blocks.len().saturating_sub(1);
    if let Some(block) = other.blocks.first().cloned() {
        other.blocks.reverse();
        for task in &mut other.tasks {
            let of_parts = task.parts.iter_mut().flat_map(|part| &mut part.choices);
            let uses = task.choices.iter_mut().chain(of_parts).flat_map(|choice| &mut choice.uses);
            uses.for_each(|block| *block = last - *block);
        }
        for own in &mut other.blocks {
            let all = [&mut own.needs, &mut own.excludes, &mut own.provides];
            all.into_iter().flatten().for_each(|block| *block = last - *block);
        }
        other.blocks.push(Block { needs: Vec::new(), excludes: Vec::new(), provides: Vec::new(), ..block });
    }
    if other.variants.is_empty() && other.overruns.is_none() && random.one_in(2) {
        other.variants.push(Variant { cost: vec![0; other.columns()], fmax: None });
    }
    let at = random.within(0, other.tasks.len() - 1);
    other.tasks.rotate_left(at);
    let has_free = |task: &&mut super::set::Task| {
        !task.choices.is_empty() && task.forced.is_none() && task.parts.is_empty()
    };
    if let Some(task) = other.tasks.iter_mut().find(has_free) {
        let mut worse = task.choices[0].clone();
        worse.wcet.iter_mut().for_each(|wcet| *wcet += 1);
        worse.cost[0] += 1;
        task.choices.push(worse);
    }
    other.expand();
    other
}
