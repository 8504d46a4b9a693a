//! Batches compared with the same problems solved one by one: value, weight and canonical items.

#[path = "../common/batches.rs"]
mod batches;

use crate::common::random::{self, Random};
use batches::{KINDS, Kind, random_batch, task_sets};
use isx::engine::mckp::Wanted;
use isx::engine::{Choice as By, EngineError, Hardware};
use isx::machine::{Cancel, Machine};
use isx::problem::mckp::Choice;
use isx::solve::{self, SolveError};
use isx_batch::{Batch, ENGINES, Options, solve_many};

type Told = Option<(i128, u64, Vec<Option<u32>>)>;

fn cpu(threads: usize) -> Options<'static> {
    let lists = ENGINES.iter().find(|entry| entry.hardware == Hardware::Cpu).unwrap();
    let machine = Machine::default().with_threads(threads);
    Options { engine: By::Named(lists), machine, ..Options::default() }
}

fn together(batch: &Batch, options: &Options) -> Vec<Told> {
    let mut told = Vec::new();
    solve_many(batch, options, |at, best| {
        assert_eq!(at, told.len(), "answers come in order");
        told.push(match best {
            Ok(best) => Some((best.value, best.weight, best.items.to_vec())),
            Err(SolveError::Infeasible(_)) => None,
            Err(error) => panic!("{error}: {:?}", batch.get(at).to_problem()),
        });
    })
    .unwrap();
    told
}

fn one_by_one(batch: &Batch, at: usize) -> Told {
    let options = solve::Options { wanted: Wanted::BestPicks, ..solve::Options::default() };
    match solve::solve(&batch.get(at).to_problem(), &options) {
        Ok(solution) => {
            let (claim, best) = (&solution.claim, solution.claim.len() - 1);
            let value = i128::try_from(claim.value(best).unwrap()).unwrap();
            Some((value, claim.weights[best], claim.items(best).unwrap()))
        }
        Err(SolveError::Infeasible(_)) => None,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_batch_has_the_answers_of_its_problems_one_by_one() {
    let random = &mut Random(8);
    let cases = std::env::var("ISX_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000usize);
    let (mut solved, mut infeasible) = (0, 0);
    for choice in [Choice::ExactlyOne, Choice::Optional] {
        let batch = random_batch(random, choice, cases / 2);
        for (at, told) in together(&batch, &cpu(2)).into_iter().enumerate() {
            assert_eq!(told, one_by_one(&batch, at), "{:?}", batch.get(at).to_problem());
            solved += usize::from(told.is_some());
            infeasible += usize::from(told.is_none());
        }
    }
    assert!(solved > cases / 2 && infeasible > cases / 50, "{solved} solved, {infeasible} infeasible");
}

#[test]
fn sets_of_the_benchmark_have_canonical_answers_and_hard_ones_are_not_left_out() {
    for kind in KINDS {
        let batch = task_sets(&mut Random(3), kind, 40);
        for (at, told) in together(&batch, &cpu(1)).into_iter().enumerate() {
            assert_eq!(told, one_by_one(&batch, at), "{kind:?} {at}");
        }
    }
    let batch = task_sets(&mut Random(3), Kind::Subset, 8);
    let account = solve_many(&batch, &cpu(2), |_, best| assert!(best.is_ok())).unwrap();
    assert!(account.why.contains("by themselves"), "{}", account.why);
}

#[test]
fn threads_change_no_answer() {
    let batch = random_batch(&mut Random(5), Choice::Optional, 3000);
    let told = together(&batch, &cpu(1));
    assert_eq!(told, together(&batch, &cpu(3)));
    assert_eq!(told, together(&batch, &Options::default()));
}

#[test]
fn every_range_holds_at_its_ends() {
    let mut batch = Batch::new(Choice::ExactlyOne);
    batch.problem(0);
    batch.class([]);
    batch.problem(u64::MAX);
    batch.class([(i64::MIN, u64::MAX), (i64::MAX, u64::MAX)]);
    batch.problem(u64::MAX);
    batch.class([(i64::MIN, 0), (i64::MAX, 1 << 62)]);
    batch.class([(i64::MIN, 0), (i64::MAX, 1)]);
    batch.problem(1 << 62);
    batch.class([(1, u64::MAX)]);
    batch.class([(1, u64::MAX)]);
    batch.problem(u64::MAX);
    batch.class([(-5, 0), (-5, 0)]);
    batch.problem(0);
    let told = together(&batch, &cpu(1));
    let wide = i128::from(i64::MAX);
    let wanted: [Told; 6] = [
        Some((0, 0, vec![])),
        None,
        Some((wide, u64::MAX, vec![Some(1)])),
        // Both heaviest items together exceed the capacity by one.
        Some((wide + i128::from(i64::MIN), 1, vec![Some(0), Some(1)])),
        None,
        Some((-5, 0, vec![Some(0)])),
    ];
    assert_eq!(told, wanted);
    assert!(together(&Batch::new(Choice::Optional), &Options::default()).is_empty());
}

#[test]
fn sums_at_the_widest_that_lists_take_are_exact() {
    // Gains that sum to just below 2^40 and to 2^40, the limit of lists.
    for more in [0, 1] {
        let mut batch = Batch::new(Choice::Optional);
        let half = 1i64 << 39;
        batch.class([(half - 1, 1 << 60), (half - 2, 1 << 59)]);
        batch.class([(half + more, 1 << 61)]);
        batch.problem((1 << 61) + (1 << 59));
        let told = together(&batch, &cpu(1));
        let wanted = (i128::from(half - 2 + half + more), (1u64 << 61) + (1 << 59), vec![Some(1), Some(0)]);
        assert_eq!(told, [Some(wanted)]);
        let account = solve_many(&batch, &cpu(1), |_, _| {}).unwrap();
        assert_eq!(account.why.contains("by themselves"), more == 1);
    }
}

#[test]
fn a_batch_is_called_off_and_stays_within_its_memory() {
    let batch = task_sets(&mut Random(1), Kind::Uncorrelated, 100);
    let cancel = Cancel::default();
    cancel.cancel();
    let refused = |machine: Machine| {
        let options = Options { machine, ..Options::default() };
        match solve_many(&batch, &options, |_, _| panic!("nothing is handed out")).unwrap_err() {
            SolveError::Engine(refusal) => refusal.cause,
            other => panic!("{other}"),
        }
    };
    assert_eq!(refused(Machine::default().with_cancel(cancel)), EngineError::Cancelled);
    assert!(matches!(refused(Machine::default().with_max_memory(100)), EngineError::Memory(_)));
}
