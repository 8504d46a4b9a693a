//! A problem family with two engines and a planner: the fewest coins that pay a sum.

use crate::random::Random;
use isx::engine::{
    Auto, Choice, Context, Engine, EngineError, Entry, Estimate, Family, Hardware, Outcome, Plan, Registry,
    Request, Threads, planner,
};
use isx::machine::{Machine, OverMemory};

/// The fewest coins that pay a sum exactly.
#[derive(Clone, Copy, Debug)]
struct Change;

/// A sum, and the available coins, each in unlimited number.
#[derive(Debug)]
struct Sum {
    sum: usize,
    coins: Vec<usize>,
}

impl Family for Change {
    const NAME: &'static str = "change";
    type Problem = Sum;
    type Wanted = ();
    /// The number of coins, if the sum can be paid at all.
    type Answer = Option<usize>;
}

/// A table with one cell per sum.
struct Table;

impl Engine<Change> for Table {
    fn plan<'a>(&'a self, request: Request<'a, Change>) -> Result<Plan<'a, Change>, EngineError> {
        let Request { problem: Sum { sum, coins }, context, .. } = request;
        let bytes = (sum + 1) as u64 * size_of::<Option<usize>>() as u64;
        context.machine.allow(bytes)?;
        let estimate = Estimate { seconds: (sum * coins.len()) as f64 * 1e-9, bytes };
        Ok(Plan::new(estimate, move || {
            context.progress.begin("solving", *sum as u64);
            let mut fewest = vec![Some(0)];
            for paid in 1..=*sum {
                let before = coins.iter().filter_map(|coin| fewest[paid.checked_sub(*coin)?]);
                let least: Option<usize> = before.min();
                fewest.push(least.map(|coins| coins + 1));
                context.progress.advance(1);
            }
            Ok(fewest[*sum])
        }))
    }
}

/// The sums that n coins pay, for n = 1, 2, ..: fast if few coins are enough.
struct Rounds;

impl Engine<Change> for Rounds {
    fn plan<'a>(&'a self, request: Request<'a, Change>) -> Result<Plan<'a, Change>, EngineError> {
        let Request { problem: Sum { sum, coins }, context, .. } = request;
        Ok(Plan::watched(Estimate { seconds: 0.0, bytes: 0 }, move |patience| {
            let (mut paid, mut steps) = (std::collections::BTreeSet::from([0]), 0);
            for round in 0.. {
                context.go_on()?;
                if paid.contains(sum) {
                    let because = Some(format!("{round} coins are few"));
                    return Ok(Outcome::Solved { answer: Some(round), because });
                }
                steps += paid.len() * coins.len();
                if patience.is_exceeded_by(steps as f64 * 1e-9) {
                    return Ok(Outcome::GaveUp(format!("it takes more than {round} coins")));
                }
                let sums = paid.iter().flat_map(|paid| coins.iter().map(move |coin| paid + coin));
                let next = sums.filter(|paid| paid <= sum).collect();
                if next == paid {
                    break;
                }
                paid = next;
            }
            Ok(Outcome::solved(None))
        }))
    }
}

#[rustfmt::skip]
static ENGINES: Registry<Change> = Registry(&[
    Entry { name: "table", about: "a cell a sum", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::ByEstimate, judge: true, engine: &Table },
    Entry { name: "rounds", about: "a coin more at a time", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::TriedFirst, judge: false, engine: &Rounds },
]);

fn paid(choice: Choice<Change>, problem: &Sum, machine: &Machine) -> planner::Planned<Option<usize>> {
    planner::solve(&ENGINES, choice, Request { problem, wanted: (), context: &Context::new(machine) })
        .unwrap()
}

#[test]
fn the_engines_of_a_new_family_agree_and_the_planner_takes_either() {
    let machine = Machine::default();
    let mut random = Random(2);
    let (mut by_table, mut by_rounds, mut unpaid) = (0, 0, 0);
    for _ in 0..1000 {
        // Without a coin of 1 many small sums cannot be paid.
        let coins = (0..random.within(1, 4)).map(|_| random.within(2, 40)).collect();
        let problem = Sum { sum: random.within(0, 2000), coins };
        let named = |name| Choice::Named(ENGINES.named(name).unwrap());
        let answers =
            [named("table"), named("rounds"), Choice::Auto].map(|who| paid(who, &problem, &machine));
        assert_eq!([answers[1].answer, answers[2].answer], [answers[0].answer; 2], "{problem:?}");
        unpaid += u32::from(answers[0].answer.is_none());
        match answers[2].engine {
            "table" => by_table += 1,
            _ => by_rounds += 1,
        }
    }
    assert!(by_table > 50 && by_rounds > 50 && unpaid > 50, "{by_table} {by_rounds} {unpaid}");
}

#[test]
fn the_planner_says_why_and_obeys_the_machine() {
    let problem = Sum { sum: 100_000, coins: vec![1, 7] };
    let planned = paid(Choice::Auto, &problem, &Machine::default());
    assert_eq!((planned.answer, planned.engine), (Some(14_290), "table"));
    assert!(planned.why.starts_with("it takes more than "), "{}", planned.why);
    let small = Machine::default().with_max_memory(1000);
    let problem = Sum { sum: 1000, coins: vec![500, 499, 2] };
    let planned = paid(Choice::Auto, &problem, &small);
    assert_eq!((planned.answer, planned.engine), (Some(2), "rounds"));
    let request = Request { problem: &problem, wanted: (), context: &Context::new(&small) };
    let refusal = planner::solve(&ENGINES, Choice::Named(ENGINES.judge().unwrap()), request).unwrap_err();
    let needed = 1001 * size_of::<Option<usize>>() as u64;
    assert_eq!(
        (refusal.engine, refusal.cause.over_memory()),
        ("table", Some(OverMemory { needed, allowed: 1000 }))
    );
}
