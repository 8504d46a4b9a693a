//! `isx-bench fronts`: fronts of several resources, and of 0-1 knapsack problems with several objectives, by the engines for
//! several resources. The items of every point are summed again, and every engine must find the same points.
//!
//! *Resources*: tasks with choices that cost LUTs, DSPs and BRAMs, by the recipe of the throw-away programs with which the design
//! was tried, number by number: 30 tasks of 8 choices with seed 1 have 1,193,010 points within 20800, 90, 50.
//!
//! *Objectives*: weights and values from 1 to 1000 and a capacity of half of all weight, rounded up, as in R. Patel, E. B. Khalil,
//! D. Bergman, *Heuristic Multiobjective Discrete Optimization using Restricted Decision Diagrams* (arXiv 2403.02482). Of exact
//! decision diagrams, the paper reports 127.6 s on average for 80 items with 3 objectives, and 147.4 s for 40 items with 7.

use super::BenchError;
use super::compare::Difference;
use super::comparison::{Comparison, Entry, Problem as Measured};
use super::patience::Patient;
use super::runner::{Run, Settings, Work, outcome, runs};
use super::timed::{Sample, series};
use isx_engine::{Context, Engine, Entry as Listed, Hardware, Refusal, Request};
use isx_problems::mckp::NO_ITEM;
use isx_problems::resources::{Goal, Item, Problem};
use isx_resources::{Answer, ENGINES, Resources, Wanted};
use isx_solve::SolveError;
use num_traits::ToPrimitive;
use std::fmt;

/// Tasks that cost several resources.
#[derive(Clone, Debug)]
pub struct Tasks {
    /// Number of tasks.
    pub tasks: usize,
    /// Per task, beside software.
    pub choices: usize,
    /// LUTs, DSPs, BRAMs; more or fewer are the same with resources that no choice costs, or without the last.
    pub limits: Vec<u64>,
    /// Which of the recipe's instances.
    pub seed: u32,
}

/// Items with several values.
#[derive(Clone, Debug)]
pub struct Valued {
    /// Number of items.
    pub items: usize,
    /// Values of every item, at least 2.
    pub objectives: usize,
    /// Which of the recipe's instances.
    pub seed: u32,
}

impl fmt::Display for Tasks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tasks, choices, limits, seed } = self;
        write!(f, "{tasks} tasks of {choices} choices within {limits:?}, seed {seed}")
    }
}

impl fmt::Display for Valued {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { items, objectives, seed } = self;
        write!(f, "{items} items with {objectives} objectives, seed {seed}")
    }
}

/// Measures the engines on these instances.
/// Fails if an answer is wrong, or an engine is unknown.
pub fn run(
    tasks: &[Tasks],
    valued: &[Valued],
    engines: &[String],
    settings: &Settings,
    command: String,
) -> Result<Comparison, BenchError> {
    let unknown = |name: &&String| ENGINES.named(name).is_none();
    if let Some(engine) = engines.iter().find(unknown) {
        let why = "there is no engine of that name".to_owned();
        return Err(BenchError::Unavailable { engine: engine.clone(), why });
    }
    let asked = |entry: &&'static Listed<Resources>| {
        engines.iter().any(|name| name == entry.name) || engines.is_empty() && !entry.judge
    };
    let entrants: Vec<_> = ENGINES.iter().filter(asked).collect();
    let of_tasks = tasks.iter().map(|recipe| (recipe.to_string(), of_resources(recipe)));
    let of_valued = valued.iter().map(|recipe| (recipe.to_string(), of_objectives(&items(recipe))));
    let problems =
        of_tasks.chain(of_valued).map(|(name, problem)| measured(name, &problem, &entrants, settings));
    let problems = problems.collect::<Result<Vec<_>, _>>()?;
    let about = "Fronts with the items of every point, which are summed again.".to_owned();
    Ok(Comparison::new("Fronts of several resources", command, about, &settings.machine, problems))
}

fn measured(
    name: String,
    problem: &Problem,
    entrants: &[&'static Listed<Resources>],
    settings: &Settings,
) -> Result<Measured, BenchError> {
    let (mut entries, mut first) = (Vec::new(), None::<(Vec<Vec<u64>>, isx_problems::value::Values)>);
    for entrant in entrants {
        (settings.tell)(&format!("{name}, {}", entrant.name));
        let timed = runs(settings.repeat, &mut || {
            let context = Context::new(&settings.machine);
            let refused = |cause| SolveError::from(Refusal { engine: entrant.name, cause });
            let request = Request { problem, wanted: Wanted::PICKS, context: &context };
            let patient = Patient { engine: entrant.engine, patience: settings.patience };
            let plan = patient.plan(request).map_err(refused)?;
            let answer = plan.run().map_err(refused)?;
            if let Some(difference) = difference(problem, &answer) {
                return Err(difference.into());
            }
            let Answer { costs, values, tier, how, threads, updates, solve, traceback, .. } = answer;
            let found = (costs, values);
            let wanted = first.get_or_insert_with(|| found.clone());
            if *wanted != found {
                let (found, wanted) =
                    (format!("{} points", found.1.len()), format!("{} points", wanted.1.len()));
                return Err(Difference { point: None, what: "the front", found, wanted }.into());
            }
            let (solve, traceback) = (solve.as_secs_f64(), traceback.as_secs_f64());
            let sample = Sample { reduce: 0.0, solve, traceback };
            Ok(Run { sample, ran_on: how, threads, arithmetic: tier.to_string(), updates })
        });
        let outcome = outcome(entrant.name, &name, timed)?;
        let series = series(entrant.judge, entrant.hardware == Hardware::Gpu);
        entries.push(Entry { contestant: entrant.name.to_owned(), work: Work::Reduced, series, outcome });
    }
    let answer = match &first {
        Some((_, values)) => format!("{} points", values.len()),
        None => "no engine answered in time".to_owned(),
    };
    let timed = entries.iter().filter_map(|entry| Some(entry.outcome.timed()?.updates));
    let candidates = timed.max().unwrap_or(0) as f64;
    Ok(Measured { name, answer, optimum: None, candidates, entries })
}

/// Points summed at a time.
const TOGETHER: usize = 1 << 14;

/// The first point whose items do not have its costs and value, or that does not come after the one before it.
fn difference(problem: &Problem, answer: &Answer) -> Option<Difference> {
    let differs = |point: usize, what, found: String, wanted: String| {
        Some(Difference { point: Some(point), what, found, wanted })
    };
    let Some(picks) = &answer.picks else { return differs(0, "items", "none".into(), "all".into()) };
    let costs = |point: usize| -> Vec<u64> { answer.costs.iter().map(|column| column[point]).collect() };
    let count = answer.values.len();
    for first in (0..count).step_by(TOGETHER) {
        let points = first..count.min(first + TOGETHER);
        let mut columns = vec![0; points.len() * problem.classes.len()];
        picks.write(points.clone(), &mut columns);
        let mut sums = vec![(vec![0u64; problem.limits.len()], 0i128); points.len()];
        for (class, column) in problem.classes.iter().zip(columns.chunks_exact(points.len())) {
            for ((cost, value), number) in sums.iter_mut().zip(column) {
                let Some(item) = class.iter().find(|item| item.number == *number) else {
                    return differs(first, "item", number.to_string(), "one of its class".into());
                };
                cost.iter_mut().zip(&item.cost).for_each(|(sum, cost)| *sum += cost);
                *value += item.value.to_i128().unwrap_or(i128::MAX);
            }
        }
        for (point, (cost, value)) in points.zip(sums) {
            let found = costs(point);
            if found != cost {
                return differs(point, "costs", format!("{found:?}"), format!("{cost:?}"));
            }
            let of_point = answer.values.get_i128(point);
            if of_point != Some(value) {
                return differs(point, "value", format!("{of_point:?}"), value.to_string());
            }
            if point > 0 && costs(point - 1) >= cost {
                return differs(
                    point,
                    "costs",
                    format!("{cost:?}"),
                    format!("more than {:?}", costs(point - 1)),
                );
            }
        }
    }
    None
}

/// The problem of a recipe of resources.
fn of_resources(recipe: &Tasks) -> Problem {
    let mut random = Mersenne::new(recipe.seed);
    let resources = recipe.limits.len();
    let software = || Item {
        value: 0.into(),
        cost: vec![0; resources],
        loads: Vec::new(),
        uses: Vec::new(),
        number: NO_ITEM,
    };
    let mut classes = Vec::with_capacity(recipe.tasks);
    for _ in 0..recipe.tasks {
        let wcet = f64::from(random.within(2000, 100_000));
        let mut class = vec![software()];
        for number in 0..recipe.choices as u32 {
            let luts = random.within(30, 1500);
            let dsps = if random.within(0, 9) < 3 { random.within(1, 4) } else { 0 };
            let brams = if random.within(0, 9) < 2 { random.within(1, 3) } else { 0 };
            let area = f64::from(luts) / 500.0 + 0.5 * f64::from(dsps) + 0.3 * f64::from(brams);
            let saved = 1.0 - (-area * (0.5 + f64::from(random.within(0, 100)) / 100.0)).exp();
            let mut cost: Vec<u64> = [luts, dsps, brams].map(u64::from).to_vec();
            cost.resize(resources, 0);
            let value = ((wcet * 0.9 * saved) as i64).into();
            class.push(Item { value, cost, loads: Vec::new(), uses: Vec::new(), number });
        }
        classes.push(class);
    }
    Problem {
        classes,
        elements: Vec::new(),
        limits: recipe.limits.clone(),
        objectives: resources,
        modes: 0,
        goal: Goal::Front,
    }
}

/// An item of the knapsack.
#[derive(Clone, Debug)]
struct Packed {
    weight: u64,
    values: Vec<u64>,
}

/// The items of a recipe.
fn items(recipe: &Valued) -> Vec<Packed> {
    let mut random = Mersenne::new(recipe.seed);
    let mut number = || u64::from(random.within(1, 1000));
    let item = |_| Packed { values: (0..recipe.objectives).map(|_| number()).collect(), weight: number() };
    (0..recipe.items).map(item).collect()
}

/// Half of all weight, rounded up.
fn capacity(items: &[Packed]) -> u64 {
    items.iter().map(|item| item.weight).sum::<u64>().div_ceil(2)
}

/// The front of all objectives: the first is the value, of the others what is left behind costs, and the weight is a
/// resource with a limit only.
fn of_objectives(items: &[Packed]) -> Problem {
    let others = items.first().map_or(0, |item| item.values.len().saturating_sub(1));
    let class = |item: &Packed| {
        let left = [&item.values[1..], &[0]].concat();
        let taken = [vec![0; others], vec![item.weight]].concat();
        vec![
            Item { value: 0.into(), cost: left, loads: Vec::new(), uses: Vec::new(), number: NO_ITEM },
            Item {
                value: item.values[0].into(),
                cost: taken,
                loads: Vec::new(),
                uses: Vec::new(),
                number: 0,
            },
        ]
    };
    let all = |at: usize| items.iter().map(|item| item.values[at]).sum();
    let limits = (1..=others).map(all).chain([capacity(items)]).collect();
    Problem {
        classes: items.iter().map(class).collect(),
        elements: Vec::new(),
        limits,
        objectives: others,
        modes: 0,
        goal: Goal::Front,
    }
}

/// The Mersenne twister (M. Matsumoto, T. Nishimura, ACM TOMACS 8(1), 1998), as C++ has it.
struct Mersenne {
    state: [u32; Self::WORDS],
    at: usize,
}

impl Mersenne {
    const WORDS: usize = 624;
    const APART: usize = 397;

    /// Its state after this seed.
    fn new(seed: u32) -> Self {
        let mut state = [seed; Self::WORDS];
        for at in 1..Self::WORDS {
            let last = state[at - 1];
            state[at] = (last ^ last >> 30).wrapping_mul(1_812_433_253).wrapping_add(at as u32);
        }
        Self { state, at: Self::WORDS }
    }

    fn next(&mut self) -> u32 {
        if self.at == Self::WORDS {
            self.twist();
        }
        let mut number = self.state[self.at];
        self.at += 1;
        number ^= number >> 11;
        number ^= number << 7 & 0x9d2c_5680;
        number ^= number << 15 & 0xefc6_0000;
        number ^ number >> 18
    }

    fn twist(&mut self) {
        for at in 0..Self::WORDS {
            let both = self.state[at] & 1 << 31 | self.state[(at + 1) % Self::WORDS] & !(1 << 31);
            let odd = if both & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[at] = self.state[(at + Self::APART) % Self::WORDS] ^ both >> 1 ^ odd;
        }
        self.at = 0;
    }

    /// A number from low to high.
    fn within(&mut self, low: u32, high: u32) -> u32 {
        low + self.next() % (high - low + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_machine::Machine;
    use isx_problems::value::Values;

    fn front(engine: &Listed<Resources>, problem: &Problem) -> Answer {
        let machine = Machine::default();
        let context = Context::new(&machine);
        let answer = engine.solve(Request { problem, wanted: Wanted::PICKS, context: &context }).unwrap();
        assert_eq!(difference(problem, &answer), None);
        answer
    }

    #[test]
    fn the_twister_is_that_of_cpp() {
        // The standard's test: the 10,000th number with the seed 5489.
        let mut random = Mersenne::new(5489);
        let last = (0..10_000).map(|_| random.next()).last();
        assert_eq!(last, Some(4_123_659_995));
    }

    #[test]
    fn instances_have_the_points_that_the_first_programs_counted() {
        for (tasks, choices, limits, points) in [(6, 4, [3000, 6, 5], 85), (5, 3, [1500, 3, 2], 10)] {
            let problem = of_resources(&Tasks { tasks, choices, limits: limits.to_vec(), seed: 1 });
            let mut answer = front(ENGINES.judge().unwrap(), &problem);
            assert_eq!(answer.values.len(), points, "{tasks} tasks");
            answer.costs[1][points - 2] += 1;
            let wrong = difference(&problem, &answer).unwrap();
            assert_eq!((wrong.point, wrong.what), (Some(points - 2), "costs"));
        }
    }

    /// The values of the undominated selections, by looking at all of them.
    fn brute_force(items: &[Packed]) -> Vec<Vec<u64>> {
        let capacity = capacity(items);
        let mut found: Vec<Vec<u64>> = Vec::new();
        for chosen in 0..1u32 << items.len() {
            let taken =
                || items.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, item)| item);
            if taken().map(|item| item.weight).sum::<u64>() > capacity {
                continue;
            }
            let sum = |at: usize| taken().map(|item| item.values[at]).sum();
            let values: Vec<u64> = (0..items[0].values.len()).map(sum).collect();
            let no_worse = |a: &[u64], b: &[u64]| a.iter().zip(b).all(|(a, b)| a >= b);
            if !found.iter().any(|other| no_worse(other, &values)) {
                found.retain(|other| !no_worse(&values, other));
                found.push(values);
            }
        }
        found.sort();
        found
    }

    #[test]
    fn fronts_are_those_of_all_selections() {
        let mut points = 0;
        for (count, objectives, seeds) in [(9, 2, 1..6), (12, 3, 1..6), (13, 5, 1..4), (11, 7, 1..4)] {
            for seed in seeds {
                let items = items(&Valued { items: count, objectives, seed });
                let problem = of_objectives(&items);
                let answer = front(ENGINES.named("list").unwrap(), &problem);
                let values: &Values = &answer.values;
                let mut found: Vec<Vec<u64>> = (0..values.len())
                    .map(|point| {
                        let first = u64::try_from(values.get_i128(point).unwrap()).unwrap();
                        let others =
                            (0..objectives - 1).map(|at| problem.limits[at] - answer.costs[at][point]);
                        [first].into_iter().chain(others).collect()
                    })
                    .collect();
                found.sort();
                assert_eq!(found, brute_force(&items), "{count} items, {objectives} objectives, seed {seed}");
                points += found.len();
            }
        }
        assert!(points > 300, "only {points} points");
    }
}
