//! How generated task sets draw utilizations, periods and deadlines.

#![allow(clippy::unwrap_used, clippy::panic)]

use super::{decimal, fingerprint};
use isx::quantity::Rational;
use isx::taskset::TaskSet;
use isx::taskset::generate::{RECIPES, generate};
use isx::taskset::recipe::{AUTOMOTIVE, Deadlines, NAMED, Periods, TaskNames, TaskSetRecipe, Utilizations};
use std::collections::BTreeMap;

/// Software only, at a clock at which rounding WCETs changes utilizations by less than 10^-7.
fn recipe(utilizations: &str, tasks: u64, utilization: &str, seed: u64) -> TaskSetRecipe {
    TaskSetRecipe {
        utilizations: utilizations.parse().unwrap(),
        tasks: TaskNames::Numbered(tasks),
        utilization: decimal(utilization),
        choices: "0".parse().unwrap(),
        clock_mhz: 100_000,
        seed,
        ..TaskSetRecipe::default()
    }
}

fn read(recipe: &TaskSetRecipe) -> TaskSet {
    let text = generate(recipe).unwrap_or_else(|error| panic!("{recipe}: {error}"));
    let line = format!("#   isx generate taskset {recipe}\n");
    assert!(text.contains(&line), "{line}{text}");
    super::read(&text)
}

fn utilizations(set: &TaskSet) -> Vec<Rational> {
    set.tasks.iter().map(|task| &task.wcets[0] / task.period()).collect()
}

fn sum(set: &TaskSet) -> Rational {
    utilizations(set).into_iter().sum()
}

/// A utilization rounded to the grid it was drawn on.
fn within(utilization: &Rational, low: &str, high: &str) -> bool {
    let slack = decimal("0.0000001");
    decimal(low) - &slack <= *utilization && *utilization <= decimal(high) + slack
}

#[test]
fn a_fixed_sum_keeps_its_limits_where_nearly_every_vector_would_be_discarded() {
    for seed in 0..10 {
        let set = read(&recipe("fixed-sum", 40, "20", seed));
        assert!(within(&sum(&set), "20", "20") && set.tasks.len() == 40);
        assert!(utilizations(&set).iter().all(|one| within(one, "0", "1")));
        let set = read(&recipe("fixed-sum:0.2..0.3", 8, "2.1", seed));
        assert!(within(&sum(&set), "2.1", "2.1"));
        assert!(utilizations(&set).iter().all(|one| within(one, "0.2", "0.3")));
        let each = utilizations(&read(&recipe("fixed-sum:0.1..0.5,0.70..0.75,0..1", 3, "1.7", seed)));
        let limits = [("0.1", "0.5"), ("0.7", "0.75"), ("0", "1")];
        assert!(each.iter().zip(limits).all(|(one, (low, high))| within(one, low, high)), "{each:?}");
    }
}

#[test]
fn fixed_sum_is_the_distribution_of_uunifast_discard() {
    // The largest of three utilizations with sum 1.2: shares of four ranges, of 2,000 sets each.
    let histogram = |how: &str| {
        let mut counts = [0i64; 4];
        for seed in 0..2_000 {
            let largest = utilizations(&read(&recipe(how, 3, "1.2", seed))).into_iter().max().unwrap();
            let above = ["0.5", "0.6", "0.75"].iter().filter(|&&end| largest > decimal(end)).count();
            counts[above] += 1;
        }
        counts
    };
    let (counted, discarded) = (histogram("fixed-sum"), histogram("uunifast"));
    // Five standard deviations of a difference are at most 5 sqrt(2 * 2000 / 4) = 158.
    for (one, other) in counted.iter().zip(discarded) {
        assert!((one - other).abs() < 158 && *one > 100, "{counted:?} {discarded:?}");
    }
}

#[test]
fn named_distributions_draw_tasks_until_they_pass_the_sum() {
    let ends = [("0.001", "0.1"), ("0.1", "0.4"), ("0.5", "0.9"), ("0", "1"), ("0", "1"), ("0", "1")];
    let ends = ends.into_iter().chain([("0.001", "0.9"); 3]);
    // Means: 0.0505, 0.25, 0.7; exponential ones cut at 1; (8 * 0.2505 + 0.7) / 9 and so on.
    let means = [0.0505, 0.25, 0.7, 0.1, 0.2313, 0.3435, 0.3004, 0.4003, 0.5003];
    for ((law, (low, high)), mean) in NAMED.iter().zip(ends).zip(means) {
        let (mut tasks, mut total) = (0, 0.0);
        for seed in 0..20 {
            let set = read(&recipe(law.name, 40_000, "10", seed));
            assert!(sum(&set) < decimal("10.0001") && sum(&set) > decimal("9"), "{}", law.name);
            assert!(utilizations(&set).iter().all(|one| within(one, low, high)), "{}", law.name);
            tasks += set.tasks.len();
            total += 10.0;
        }
        let drawn = total / tasks as f64;
        assert!((drawn / mean - 1.0).abs() < 0.15, "{}: {drawn} {mean}", law.name);
        assert_eq!(law.name.parse::<Utilizations>().unwrap().to_string(), law.name);
        assert_eq!(read(&recipe(law.name, 2, "10", 1)).tasks.len(), 2);
    }
    // How many tasks there are is known only then.
    let many = TaskSetRecipe { choices: "200".parse().unwrap(), ..recipe("uni-light", 40_000, "20", 1) };
    let message = "choices 200..200: all tasks together may have up to 40000 choices";
    assert_eq!(generate(&many).unwrap_err().to_string(), message);
}

fn periods_of(periods: &str) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for seed in 0..10 {
        let recipe = TaskSetRecipe {
            periods: periods.parse().unwrap(),
            clock_mhz: 1,
            ..recipe("uunifast", 1_000, "100", seed)
        };
        for task in read(&recipe).tasks {
            *counts.entry(task.period().to_string()).or_insert(0) += 1;
        }
    }
    counts
}

/// Whether a count of 10,000 draws is within five standard deviations of what it should be.
fn is_near(count: u32, share: f64) -> bool {
    (f64::from(count) - 10_000.0 * share).abs() < 5.0 * (10_000.0 * share * (1.0 - share)).sqrt()
}

#[test]
fn periods_have_the_shares_of_their_distribution() {
    let counts = periods_of("automotive");
    assert_eq!(counts.len(), AUTOMOTIVE.len());
    for (ms, share) in AUTOMOTIVE {
        let count = counts[&(ms * 1_000).to_string()];
        assert!(is_near(count, share as f64 / 85.0), "{ms} ms: {counts:?}");
    }
    let counts = periods_of("harmonic:3ms..100ms");
    assert_eq!(counts.keys().len(), 6, "3, 6, 12, 24, 48 and 96 ms");
    assert!(counts.values().all(|&count| is_near(count, 1.0 / 6.0)) && counts.contains_key("96000"));
    let counts = periods_of("uni-short");
    assert_eq!(counts.len(), 31, "3 to 33 ms");
    assert!(counts.values().all(|&count| is_near(count, 1.0 / 31.0)), "{counts:?}");
}

#[test]
fn slack_deadlines_lie_between_wcet_and_period() {
    let deadlines = |text: &str, seed| TaskSetRecipe {
        deadlines: text.parse().unwrap(),
        clock_mhz: 3,
        ..recipe("fixed-sum", 12, "6", seed)
    };
    let mut halves = 0;
    for seed in 0..20 {
        for task in read(&deadlines("slack:0.00..1.00", seed)).tasks {
            assert!(task.wcets[0] <= *task.deadline() && task.deadline() <= task.period());
            let middle = (&task.wcets[0] + task.period()) / Rational::from_integer(2.into());
            halves += u32::from(*task.deadline() <= middle);
        }
        // Rounded up to a microsecond, of three cycles.
        for task in read(&deadlines("slack:0..0", seed)).tasks {
            assert!(
                *task.deadline() >= task.wcets[0]
                    && *task.deadline() < &task.wcets[0] + Rational::from_integer(3.into())
            );
        }
        assert!(
            read(&deadlines("slack:1..1", seed)).tasks.iter().all(|task| task.deadline() == task.period())
        );
        assert!(
            read(&deadlines("slack:2..2", seed)).tasks.iter().all(|task| task.deadline() > task.period())
        );
    }
    assert!((80..160).contains(&halves), "{halves} of 240");
    // A task that needs more than its period has a deadline too.
    let over = TaskSetRecipe { max_task_utilization: decimal("3"), ..deadlines("slack:0.0..9.0", 1) };
    let over = TaskSetRecipe { utilization: decimal("30"), ..over };
    assert!(read(&over).tasks.iter().any(|task| *task.deadline() < task.wcets[0]));
}

#[test]
fn the_same_seed_gives_the_same_draws_for_ever() {
    let texts: String = ["fixed-sum", "fixed-sum:0.05..0.50", "exp-medium", "bimo-heavy"]
        .iter()
        .zip(["automotive", "harmonic:1ms..1s", "uni-long", "uniform:10us..1s/10us"])
        .map(|(how, periods)| TaskSetRecipe {
            periods: periods.parse().unwrap(),
            deadlines: Deadlines::Slack("0.25..1.50".parse().unwrap()),
            ..recipe(how, 20, "5", 42)
        })
        .map(|recipe| generate(&recipe).unwrap().replace(isx::taskset::SCHEMA_LINES, ""))
        .collect();
    assert_eq!(fingerprint(texts.as_bytes()), GOLDEN_DRAWS, "the generator changed");
}

const GOLDEN_DRAWS: u64 = 7_861_468_344_672_223_260;

#[test]
fn what_cannot_be_drawn_says_what_to_change() {
    let problem = |recipe: TaskSetRecipe| generate(&recipe).unwrap_err().to_string();
    assert_eq!(
        problem(recipe("fixed-sum:0.1..0.3", 4, "1.5", 1)),
        "utilization 1.5: the utilization must lie between the sums of the tasks' least and largest utilizations"
    );
    assert_eq!(
        problem(recipe("fixed-sum:0.1..0.3,0.2..0.9", 4, "1.5", 1)),
        "utilizations fixed-sum:0.1..0.3,0.2..0.9: write one range for all tasks, or one for each"
    );
    assert_eq!(
        problem(recipe("fixed-sum:0.1..1.5", 4, "1.5", 1)),
        "utilizations fixed-sum:0.1..1.5: a range must end at most at the largest utilization of one task: raise that"
    );
    assert_eq!(
        problem(recipe("fixed-sum", 1_000, "500", 1)),
        "utilizations fixed-sum: there are too many cases to count; 256 tasks with one range, or 14 with different \
         ones, are always possible"
    );
    assert_eq!(
        problem(recipe("uni-heavy", 40_000, "0.3", 1)),
        "utilization 0.3: the distribution draws no task that small in 100000 attempts: raise the utilization"
    );
    let limited = TaskSetRecipe { max_task_utilization: decimal("0.5"), ..recipe("exp-light", 9, "1", 1) };
    assert_eq!(
        problem(limited),
        "max-task-utilization 0.5: a named distribution has its own limits: leave the largest utilization of one \
         task at 1"
    );
    assert_eq!(
        problem(recipe("uunifast", 60, "30", 1)),
        "no utilization vector of 60 tasks with sum 30 and no task above 1 in 100000 attempts; lower the sum, raise \
         the largest utilization of a task, or split by fixed-sum, which discards none"
    );
    let unreadable = |text: &str| text.parse::<Utilizations>().unwrap_err().to_string();
    assert_eq!(
        unreadable("drs"),
        "utilizations drs: write uunifast, fixed-sum, fixed-sum:LOW..HIGH, or uni-, exp- or bimo- with light, medium \
         or heavy"
    );
    let unreadable = |text: &str| text.parse::<Periods>().unwrap_err().to_string();
    assert_eq!(
        unreadable("autommotive"),
        "periods autommotive: write a list such as 10ms,20ms, LOW..HIGH/STEP, uniform:LOW..HIGH/STEP, \
         harmonic:LOW..HIGH, automotive, uni-short, uni-moderate or uni-long"
    );
    let must = "a range needs a step, for example 10ms..1s/10ms";
    assert_eq!(unreadable("uniform:3ms"), format!("periods uniform:3ms: {must}"));
    assert_eq!(
        unreadable("harmonic:3ms"),
        "periods harmonic:3ms: write harmonic:LOW..HIGH, for example harmonic:1ms..1s"
    );
}

#[test]
fn recipes_of_papers_can_be_followed() {
    for paper in &RECIPES {
        let usual = TaskSetRecipe::named(paper.name).unwrap();
        assert_eq!(read(&usual).tasks.len(), 10, "{}", paper.source);
        let written =
            [usual.utilizations.to_string(), usual.periods.to_string(), usual.deadlines.to_string()];
        assert_eq!(written, paper.draws);
    }
    let message = "recipe none: write davis-burns-2009, emberson-2010 or kramer-2015";
    assert_eq!(TaskSetRecipe::named("none").unwrap_err().to_string(), message);
}
