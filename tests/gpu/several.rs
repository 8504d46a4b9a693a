//! Several GPUs: one problem halved by its items. Where there is one GPU only, it takes both parts.

use crate::every_call;
use crate::harness::*;
use crate::knapsack_cases::*;
use crate::random::Random;
use isx::engine::knapsack::cuda::{Found, Options, Width, best};
use isx::engine::knapsack::{ENGINES, Wanted};
use isx::engine::{Choice, Context, EngineError};
use isx::machine::Machine;
use isx::machine::cuda::{Device, devices};
use isx::machine::faults::{Door, Fault, hits, plan};
use isx::problem::knapsack::{Item, Knapsack};
use isx::reduce::knapsack::{Goal, Reduced};
use isx::solve;
use std::sync::Arc;

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    on_gpu(
        "several",
        &tests![
            halves_on_two_gpus_have_the_items_of_one_and_the_judges_profit,
            a_machine_with_two_gpus_answers_as_with_one,
            a_wrong_exchange_is_found,
            every_call_may_fail,
        ],
    )
}

/// Numbers of two GPUs: the first twice, and where there is a second one, both in either order.
fn pairs() -> Vec<[usize; 2]> {
    let usable = devices().expect("a driver is there").into_iter().flatten().count();
    if usable > 1 { vec![[0, 0], [0, 1], [1, 0]] } else { vec![[0, 0]] }
}

fn opened() -> Vec<[Arc<Device>; 2]> {
    let open = |ordinal| Device::open(ordinal).expect("the driver counts it");
    pairs().into_iter().map(|pair| pair.map(open)).collect()
}

fn best_of(
    device: &Device,
    second: Option<&Device>,
    problem: &Reduced,
    with_items: bool,
    options: &Options,
) -> Result<Found, EngineError> {
    let machine = Machine::default();
    best(device, second, &problem.items, problem.capacity, with_items, &Context::new(&machine), options)
}

/// Few enough decisions that problems are halved.
fn halving(random: &mut Random) -> Options {
    Options {
        at_least: random.pick(&[Width::W16, Width::W32, Width::W64]),
        heaviest_first: random.one_in(2),
        most_decisions: random.pick(&[100_000, 10_000, 2_000, 0]),
    }
}

fn halves_on_two_gpus_have_the_items_of_one_and_the_judges_profit() {
    let opened = opened();
    let mut random = Random(21);
    let (mut halved, cases) = (0, from_env("ISX_GPU_CASES", 20_000).div_ceil(10));
    for case in 0..cases {
        let problem = if case % 3 == 0 { mixed_instance(&mut random) } else { small_instance(&mut random) };
        let problem = reduced(&problem, Goal::OneCapacity, random.one_in(2));
        let options = halving(&mut random);
        let what = format!("case {case}, {options:?}, {problem:?}");
        let judge = reference(&problem, Wanted::Value);
        let claimed = (judge.weights[0], profit_at(&judge, 0));
        for [first, second] in &opened {
            let solve = |second: Option<&Device>, with_items: bool| {
                best_of(first, second, &problem, with_items, &options)
                    .unwrap_or_else(|error| panic!("{what}: {error}"))
            };
            let (one, two) = (solve(None, true), solve(Some(second), true));
            let chosen = items_of(&two);
            assert_eq!(chosen, items_of(&one), "{what}");
            assert_worth(&problem.items, problem.capacity, &chosen, claimed, &what);
            let value = solve(Some(second), false);
            assert_eq!((value.weights[0], value.profits[0]), claimed, "{what}");
            halved += u32::from(two.updates != value.updates);
        }
    }
    assert!(u64::from(halved) * 4 > cases, "only {halved} of {cases} were halved more than once");
    println!("{cases} problems, {halved} halvings went on");
}

/// GPU memory for six rows of [`long_instance`], but not for the decisions of all its items.
const MEMORY: u64 = 980_000;

/// Many items of which each may be taken or left: profits follow weights closely.
fn long_instance(random: &mut Random) -> Knapsack {
    let item = |random: &mut Random| {
        let weight = random.within(3_000, 20_000u64);
        Item { profit: i128::from(weight) + random.within(0, 3), weight }
    };
    Knapsack { items: (0..150).map(|_| item(random)).collect(), capacity: 70_000 }
}

fn a_machine_with_two_gpus_answers_as_with_one() {
    let mut random = Random(22);
    let mut halved = 0;
    for case in 0..from_env("ISX_GPU_CASES", 20_000).div_ceil(400) {
        let problem = long_instance(&mut random);
        let solved = |gpus: &[usize], memory: Option<u64>| {
            let machine = Machine::default().with_gpus(gpus);
            let machine = memory.into_iter().fold(machine, Machine::with_gpu_memory);
            let engine = Choice::Named(ENGINES.named("cuda").expect("it is built in"));
            let options = solve::knapsack::Options { engine, machine, ..Default::default() };
            let solved = solve::knapsack::solve(&problem, &options).map_err(|error| error.to_string())?;
            let claim = solved.claim;
            let points = format!("{:?} {:?}", claim.weights, claim.profits);
            Ok::<_, String>((points, claim.items(0), solved.account.updates))
        };
        let one = solved(&[0], None).unwrap_or_else(|error| panic!("case {case}: {error}"));
        for pair in pairs() {
            assert_eq!(solved(&pair, None).as_ref(), Ok(&one), "case {case}");
            // With little memory the items are halved elsewhere, and another best selection may be found.
            match solved(&pair, Some(MEMORY)) {
                Ok((points, _, updates)) => {
                    assert_eq!(points, one.0, "case {case}");
                    halved += u64::from(updates != one.2);
                }
                Err(error) => assert!(error.contains("memory"), "case {case}: {error}"),
            }
        }
    }
    assert!(halved > 0, "no problem was halved");
    println!("{halved} problems were halved");
}

fn a_wrong_exchange_is_found() {
    let problem = reduced(&long_instance(&mut Random(23)), Goal::OneCapacity, true);
    let options = Options { most_decisions: 400_000, ..Options::default() };
    for [first, second] in opened() {
        let solve = || best_of(&first, Some(&second), &problem, true, &options);
        let right = items_of(&solve().expect("it solves"));
        let mut planted = 0;
        for nth in 1.. {
            plan(Some(Fault { door: Door::Exchange, nth, lasting: false, code: 0 }));
            let found = solve();
            if hits() == 0 {
                plan(None);
                assert_eq!(items_of(&found.expect("it solves")), right);
                break;
            }
            let Err(EngineError::Failed(why)) = found else { panic!("copy {nth}: {found:?}") };
            assert!(why.contains("not the same on another GPU"), "copy {nth}: {why}");
            planted += 1;
        }
        assert!(planted >= 2, "only {planted} copies");
        println!("{planted} wrong copies were found");
    }
}

fn every_call_may_fail() {
    let problem = reduced(&long_instance(&mut Random(23)), Goal::OneCapacity, true);
    let options = Options { most_decisions: 400_000, ..Options::default() };
    for [first, second] in opened() {
        plan(None);
        let solve = || best_of(&first, Some(&second), &problem, true, &options);
        let right = items_of(&solve().expect("it solves"));
        for lasting in [false, true] {
            let mut failed = 0;
            for nth in every_call::calls() {
                plan(Some(Fault { door: Door::Gpu, nth, lasting, code: 700 }));
                let found = solve();
                if hits() == 0 {
                    break;
                }
                match found {
                    // Two GPUs work without each other where neither is needed, and a refused way is gone round.
                    Ok(found) => assert_eq!(items_of(&found), right, "call {nth}"),
                    Err(EngineError::Failed(_) | EngineError::Unavailable(_)) => failed += 1,
                    Err(error) => panic!("call {nth}: {error}"),
                }
            }
            println!("{failed} failed");
            assert!(failed > 3, "{failed} failed");
        }
        plan(None);
    }
}
