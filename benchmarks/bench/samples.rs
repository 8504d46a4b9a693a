//! Problems of every family to measure engines with: drawn from a seed, so that anyone measures the same ones.

use isx_engine::{Choice, Family, Registry};
use isx_exact::sampling::{IntRange, Sampler};
use isx_machine::Machine;
use isx_machine::cpu::seconds_waited;
use isx_problems::account::Account;
use isx_problems::knapsack::generate::{Kind, KnapsackRecipe, generate_knapsack};
use isx_problems::mckp::NO_ITEM;
use isx_problems::mckp::generate::{Correlation, MckpRecipe, generate_mckp};
use isx_problems::recipe::RecipeError;
use isx_problems::resources::{Element, Goal, Item, Problem};
use isx_problems::value::Values;
use isx_solve::{Options, Solution, SolveError, knapsack, mckp, resources};
use num_bigint::BigInt;
use std::time::{Duration, Instant};

/// The families that samples are drawn of.
pub const FAMILIES: [&str; 4] = ["mckp", "knapsack", "set-union", "resources"];

/// Solves a sample as it is asked to.
type Solves = dyn Fn(&Ask<'_>) -> Result<Solved, SolveError> + Send + Sync;

/// A problem to measure engines with.
pub struct Sample {
    /// Its family.
    pub family: &'static str,
    /// How it was drawn, in a few words.
    pub about: String,
    /// The engines that may solve it.
    pub engines: Vec<&'static str>,
    ask: Box<Solves>,
}

/// An engine's answer to a sample, as far as all engines must agree on it.
pub struct Solved {
    /// How it was found.
    pub account: Account,
    /// Weights or costs.
    weights: Vec<Vec<u64>>,
    /// Values or profits.
    values: Values,
}

impl Solved {
    /// Whether both answers are the same.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let length = self.values.len();
        self.weights == other.weights
            && length == other.values.len()
            && (0..length).all(|at| self.values.get(at) == other.values.get(at))
    }
}

/// How a sample is to be solved.
struct Ask<'a> {
    /// The engine; `None` for the one expected to be fastest.
    engine: Option<&'a str>,
    machine: &'a Machine,
}

impl Ask<'_> {
    fn options<F: Family<Wanted: Default>>(
        &self,
        registry: &Registry<F>,
        wanted: F::Wanted,
    ) -> Options<'static, F> {
        let engine = self.engine.and_then(|name| registry.named(name));
        Options {
            engine: engine.map_or(Choice::Auto, Choice::Named),
            wanted,
            machine: self.machine.clone(),
            ..Options::default()
        }
    }
}

/// Part of a run that the thread may have waited for a core, if the run is to count as it is.
const UNDISTURBED: f64 = 0.02;

impl Sample {
    fn new<F: Family>(
        family: &'static str,
        about: String,
        registry: &Registry<F>,
        ask: impl Fn(&Ask<'_>) -> Result<Solved, SolveError> + Send + Sync + 'static,
    ) -> Self {
        let engines = registry.iter().map(|entry| entry.name).collect();
        Self { family, about, engines, ask: Box::new(ask) }
    }

    /// Solves it repeatedly, for about this long in all, but twice unless once takes four times as long, and returns the last
    /// answer and the least seconds. Runs of one thread that had to wait for a core do not count; if there are no others, what
    /// they waited is subtracted. Fails if the engine refuses.
    pub fn timed(
        &self,
        engine: Option<&str>,
        machine: &Machine,
        each: Duration,
    ) -> Result<(Solved, f64), SolveError> {
        let begun = Instant::now();
        let (mut calm, mut disturbed, mut is_first) = (f64::INFINITY, f64::INFINITY, true);
        loop {
            let asked = Instant::now();
            let (before, started) = (seconds_waited(), Instant::now());
            let solved = self.solve(engine, machine)?;
            let seconds = started.elapsed().as_secs_f64();
            // Of several threads, it is not known for which of them the others waited.
            let waited = match (before, seconds_waited()) {
                (Some(before), Some(after)) if machine.threads() == 1 => after - before,
                _ => 0.0,
            };
            if waited <= UNDISTURBED * seconds {
                calm = calm.min(seconds);
            } else {
                // It may have waited while the system was asked.
                let waited = (waited - (asked.elapsed().as_secs_f64() - seconds)).max(0.0);
                disturbed = disturbed.min(seconds - waited);
            }
            let spent = begun.elapsed();
            // One run alone may have waited for memory.
            let enough = if is_first { 4 * each } else { each };
            is_first = false;
            if spent > enough && (calm.is_finite() || spent > 2 * each) {
                return Ok((solved, if calm.is_finite() { calm } else { disturbed }));
            }
        }
    }

    /// Solves it with an engine, or with the one expected to be fastest. Fails if the engine refuses.
    pub fn solve(&self, engine: Option<&str>, machine: &Machine) -> Result<Solved, SolveError> {
        (self.ask)(&Ask { engine, machine })
    }
}

/// The answer of a front.
fn of_front(solution: Solution) -> Solved {
    let Solution { claim, account } = solution;
    let weights = std::iter::once(claim.weights).chain(claim.further).collect();
    Solved { account, weights, values: claim.values }
}

/// A multiple-choice problem: the front with the items of all points, or the best selection.
fn mckp(recipe: &MckpRecipe, all: bool) -> Result<Sample, RecipeError> {
    let problem = generate_mckp(recipe)?;
    let wanted = if all { isx_mckp::Wanted::AllPicks } else { isx_mckp::Wanted::BestPicks };
    let about = format!("{recipe}{}", if all { " --all-capacities --picks" } else { " --picks" });
    Ok(Sample::new("mckp", about, &isx_mckp::ENGINES, move |ask| {
        Ok(of_front(mckp::solve_unchecked(&problem, &ask.options(&isx_mckp::ENGINES, wanted))?))
    }))
}

/// A 0-1 problem: the values of all capacities, or the best selection.
fn knapsack(recipe: &KnapsackRecipe, all: bool) -> Result<Sample, RecipeError> {
    let problem = generate_knapsack(recipe)?;
    let wanted = if all { isx_knapsack::Wanted::AllValues } else { isx_knapsack::Wanted::Best };
    let about = format!("{recipe}{}", if all { " --all-capacities" } else { " --picks" });
    Ok(Sample::new("knapsack", about, &isx_knapsack::ENGINES, move |ask| {
        let options = ask.options(&isx_knapsack::ENGINES, wanted);
        let Solution { claim, account } = knapsack::solve_unchecked(&problem, &options)?;
        Ok(Solved { account, weights: vec![claim.weights], values: claim.profits })
    }))
}

/// A multiple-choice problem whose items use each some of `elements` elements that are shared.
fn set_union(recipe: &MckpRecipe, elements: u32) -> Result<Sample, RecipeError> {
    let drawn = generate_mckp(recipe)?;
    let mut sampler = Sampler::new(recipe.seed);
    let weights = (0..elements).map(|_| sampler.within(recipe.weights));
    let element = |weight| Element { built: vec![weight], unbuilt: vec![0], group: None };
    let weights: Vec<Element> = weights.map(element).collect();
    let mut item = |(number, item): (u32, &isx_problems::mckp::Item<i64>)| {
        let size = sampler.uniform(0, 2).min(elements.into());
        let mut uses: Vec<u32> =
            sampler.subset(size, elements.into()).into_iter().map(|at| at as u32).collect();
        uses.sort_unstable();
        Item { value: item.value.into(), cost: vec![item.weight], loads: Vec::new(), uses, number }
    };
    let mut class = |items: &Vec<isx_problems::mckp::Item<i64>>| {
        let (uses, number) = (Vec::new(), NO_ITEM);
        let nothing = Item { value: BigInt::ZERO, cost: vec![0], loads: Vec::new(), uses, number };
        std::iter::once(nothing).chain((0..).zip(items).map(&mut item)).collect()
    };
    let problem = Problem {
        classes: drawn.classes.iter().map(&mut class).collect(),
        elements: weights,
        limits: vec![drawn.capacity],
        objectives: 1,
        modes: 0,
        goal: Goal::Front,
    };
    Ok(Sample::new("set-union", format!("{recipe} --elements {elements}"), &isx_mckp::ENGINES, move |ask| {
        let options = ask.options(&isx_mckp::ENGINES, isx_mckp::Wanted::AllPicks);
        Ok(of_front(resources::solve_unchecked(&problem, &options)?))
    }))
}

/// `classes` classes of `items` items that cost amounts of several resources.
fn resources(classes: u64, items: u64, limits: &[u64], seed: u64) -> Sample {
    let mut sampler = Sampler::new(seed);
    let mut item = |number: u64| {
        let cost = limits.iter().map(|&limit| if number == 0 { 0 } else { sampler.uniform(0, limit / 4) });
        let cost = cost.collect();
        let value = if number == 0 { 0 } else { sampler.uniform(1, 1000) };
        Item { value: value.into(), cost, loads: Vec::new(), uses: Vec::new(), number: number as u32 }
    };
    let classes: Vec<Vec<Item>> = (0..classes).map(|_| (0..=items).map(&mut item).collect()).collect();
    let about = format!("{} classes of {items} items within {limits:?}, seed {seed}", classes.len());
    let (limits, objectives) = (limits.to_vec(), limits.len());
    let problem = Problem { classes, elements: Vec::new(), limits, objectives, modes: 0, goal: Goal::Front };
    Sample::new("resources", about, &isx_mckp::ENGINES, move |ask| {
        let options = ask.options(&isx_mckp::ENGINES, isx_mckp::Wanted::AllPicks);
        Ok(of_front(resources::solve_unchecked(&problem, &options)?))
    })
}

/// A problem of a family of [`FAMILIES`], of random size: from some microseconds to some seconds of work for a good engine.
/// Fails if a recipe refuses the size drawn.
pub fn draw(family: &str, seed: u64) -> Result<Sample, RecipeError> {
    let sampler = &mut Sampler::new(seed);
    let exactly = |count: u64| IntRange { low: count, high: count };
    let multiple_choice = |sampler: &mut Sampler, most_capacity: u64| {
        let kinds = [Correlation::Uncorrelated, Correlation::Weak, Correlation::Strong];
        let kind = sampler.pick(&kinds).copied().unwrap_or(Correlation::Uncorrelated);
        let classes = sampler.log_uniform(4, 60);
        let weight = sampler.log_uniform(100, 10_000);
        // On average half of what the classes could weigh.
        let capacity = (classes * weight / 2).clamp(weight, most_capacity.max(weight));
        let items = exactly(sampler.log_uniform(2, 400));
        let range = IntRange { low: 1, high: weight };
        MckpRecipe { classes, capacity, items, values: range, weights: range, kind, spread: None, seed }
    };
    match family {
        "mckp" => {
            let recipe = multiple_choice(sampler, 400_000);
            mckp(&recipe, sampler.uniform(0, 1) == 0)
        }
        "knapsack" => {
            let (kind, _) = sampler.pick(&Kind::ALL[..14]).copied().unwrap_or(Kind::ALL[0]);
            let (items, range) = (sampler.log_uniform(20, 2000), sampler.log_uniform(100, 3000));
            knapsack(
                &KnapsackRecipe { kind, items, range, seed, ..KnapsackRecipe::default() },
                sampler.uniform(0, 1) == 0,
            )
        }
        "set-union" => {
            let recipe =
                MckpRecipe { items: exactly(sampler.uniform(2, 8)), ..multiple_choice(sampler, 20_000) };
            set_union(&MckpRecipe { classes: recipe.classes.min(16), ..recipe }, sampler.uniform(1, 6) as u32)
        }
        // Resources.
        _ => {
            let limits = [sampler.log_uniform(50, 2000), sampler.log_uniform(4, 60)];
            Ok(resources(sampler.uniform(3, 14), sampler.uniform(2, 6), &limits, seed))
        }
    }
}
