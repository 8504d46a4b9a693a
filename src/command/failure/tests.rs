use super::*;
use isx_certificate::recheck;
use isx_design::front::DesignFront;
use isx_engine::{Engine, Plan, Refusal, Request};
use isx_explore::Options;
use isx_machine::OverMemory;
use isx_mckp::{ENGINES, Mckp as Family};
use isx_problems::mckp::{Choice, Item, Mckp, witness};
use isx_problems::reduce::mckp::Infeasible;
use isx_problems::value::{Tier, Values};
use isx_solve::solve_with;

const TWO_TASKS: &str = "
name: two tasks
tasks:
  - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
  - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
";

/// An exit code cannot be compared, but it can be printed.
fn assert_code(failure: impl Into<Failure>, code: u8) {
    let failure = failure.into();
    let found = format!("{:?}", failure.exit_code());
    assert_eq!(found, format!("{:?}", ExitCode::from(code)), "{failure}");
}

fn refused(cause: EngineError) -> SolveError {
    Refusal { engine: "table", cause }.into()
}

const OVER: OverMemory = OverMemory { needed: 9, allowed: 8 };

#[test]
fn a_wrong_front_is_exit_code_7() {
    let task_set = isx_taskset::read_str("two-tasks.yaml", TWO_TASKS).unwrap().task_set;
    let front = isx_explore::explore(&task_set, &Options::default()).unwrap().front;
    assert_eq!(recheck(&front), Ok(()));
    let mut claim = front.claim().clone();
    claim.weights[1] += 1;
    let spoilt = DesignFront::new(task_set, front.formulation().clone(), claim, front.account().clone());
    assert_code(ExploreError::from(recheck(&spoilt).unwrap_err()), 7);
}

#[test]
fn a_fault_of_the_import_is_exit_code_7() {
    let refused = isx_import::import("a.csv", b"name", None, Default::default(), &Default::default());
    let refused = refused.unwrap_err();
    assert_code(refused.clone(), 2);
    assert_code(ImportRefusal { is_fault: true, ..refused }, 7);
}

/// An engine whose answers are the judge's with one value too much at the last point.
struct Boasting;

impl Engine<Family> for Boasting {
    fn plan<'a>(&'a self, request: Request<'a, Family>) -> Result<Plan<'a, Family>, EngineError> {
        let plan = ENGINES.judge().unwrap().engine.plan(request)?;
        Ok(Plan::new(plan.estimate, move || {
            let mut answer = plan.run()?;
            let Values::I32(values) = &mut answer.values else { panic!("small values") };
            *values.last_mut().unwrap() += 1;
            Ok(answer)
        }))
    }
}

#[test]
fn a_wrong_solution_is_exit_code_7() {
    let classes = vec![vec![Item { value: 3, weight: 2 }, Item { value: 9, weight: 6 }]];
    let problem: Mckp<i64> = Mckp { classes, capacity: 9, choice: Choice::ExactlyOne };
    let solution = solve_with(&problem, "boasting", &Boasting, &Default::default()).unwrap();
    let mismatch = witness(&problem, &solution.claim).unwrap_err();
    assert_code(SolveError::from(mismatch.clone()), 7);
    assert_code(ExploreError::from(SolveError::from(mismatch)), 7);
}

#[test]
fn wrong_use_and_wrong_input_are_exit_code_2() {
    assert_code(Failure::Usage("no such thing".into()), 2);
    assert_code(isx_taskset::read_str("none.yaml", "tasks: none").unwrap_err(), 2);
    assert_code(
        isx_import::import("none.csv", b"none", None, Default::default(), &Default::default()).unwrap_err(),
        2,
    );
    let mut task_set = isx_taskset::read_str("two-tasks.yaml", TWO_TASKS).unwrap().task_set;
    task_set.tasks.clear();
    assert_code(isx_explore::explore(&task_set, &Options::default()).unwrap_err(), 2);
    let clocks = FormulateError::Clocks { taskset: "fast".into(), clocks: 101, wcets: 3 };
    assert_code(ExploreError::from(clocks), 2);
    assert_code(SolveError::Arithmetic { asked: Tier::I32, needed: Tier::I64 }, 2);
}

#[test]
fn what_nothing_solves_is_exit_code_1() {
    assert_code(SolveError::from(Infeasible), 1);
    assert_code(ExploreError::from(SolveError::from(Infeasible)), 1);
}

#[test]
fn too_little_memory_and_sums_beyond_the_integers_are_exit_code_4() {
    let too_fine = FormulateError::AreaRange { taskset: "fine".into(), unit: "0.001".into() };
    assert_code(ExploreError::from(too_fine), 4);
    assert_code(refused(OVER.into()), 4);
    let this = EngineError::MemoryOfThisEngine { over: OVER, other: "list", least: 1 };
    assert_code(refused(this), 4);
    assert_code(Failure::Thread(io::ErrorKind::OutOfMemory.into()), 4);
    assert_code(CertifyError::Thread(io::ErrorKind::OutOfMemory.into()), 4);
    assert_code(refused(EngineError::TooLarge("cannot".into())), 4);
    assert_code(refused(EngineError::NoMemory("the system gives none".into())), 4);
    assert_code(ExploreError::from(refused(EngineError::GpuMemory { needed: 9, free: 8 })), 4);
}

#[test]
fn an_engine_that_cannot_is_exit_code_5() {
    assert_code(refused(EngineError::Unavailable("no driver".into())), 5);
    assert_code(refused(EngineError::Arithmetic(Tier::I128)), 5);
    assert_code(refused(EngineError::Failed("it fell off the bus".into())), 5);
}

#[test]
fn what_cannot_be_written_is_exit_code_6() {
    let path = || "output".into();
    assert_code(WriteError::Directory { path: path(), cause: io::ErrorKind::NotADirectory.into() }, 6);
    assert_code(WriteError::File { path: path(), cause: io::ErrorKind::StorageFull.into() }, 6);
    assert_code(Failure::from(io::Error::from(io::ErrorKind::StorageFull)), 6);
    assert_code(Failure::Occupied("another front is there".into()), 6);
    assert_code(Failure::Exists("a file is there".into()), 6);
}

#[test]
fn what_was_called_off_is_exit_code_130_and_a_closed_pipe_is_no_failure() {
    assert_code(refused(EngineError::Cancelled), 130);
    assert_code(Failure::from(io::Error::from(io::ErrorKind::BrokenPipe)), 0);
}

#[test]
fn answers_have_their_own_codes() {
    let codes = [Outcome::Done, Outcome::Negative, Outcome::Unknown, Outcome::Failed(4)].map(ExitCode::from);
    assert_eq!(format!("{codes:?}"), format!("{:?}", [0, 1, 3, 4].map(ExitCode::from)));
}

#[test]
fn of_several_outcomes_the_worst_remains_in_any_order() {
    let rising = [
        Outcome::Done,
        Outcome::Negative,
        Outcome::Unknown,
        Outcome::Failed(4),
        Outcome::Failed(2),
        Outcome::Failed(7),
    ];
    for (at, &better) in rising.iter().enumerate() {
        for &worse in &rising[at..] {
            assert_eq!((better.or_worse(worse), worse.or_worse(better)), (worse, worse));
        }
    }
}
