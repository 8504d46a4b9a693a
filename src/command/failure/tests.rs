use super::*;
use isx_design::witness::Mismatch as WrongDesign;
use isx_engine::Refusal;
use isx_machine::OverMemory;
use isx_problems::mismatch::Mismatch;
use isx_problems::reduce::mckp::Infeasible;
use isx_problems::value::Tier;

/// An exit code cannot be compared, but it can be printed.
fn assert_codes(failures: impl IntoIterator<Item = Failure>, code: u8) {
    for failure in failures {
        let found = format!("{:?}", failure.exit_code());
        assert_eq!(found, format!("{:?}", ExitCode::from(code)), "{failure}");
    }
}

fn refused(cause: EngineError) -> Failure {
    SolveError::from(Refusal { engine: "table", cause }).into()
}

fn io(kind: io::ErrorKind) -> io::Error {
    kind.into()
}

const OVER: OverMemory = OverMemory { needed: 9, allowed: 8 };

#[test]
fn every_failure_has_its_exit_code() {
    let wrong = isx_import::import("a.csv", b"name", None, Default::default(), &Default::default());
    let wrong = wrong.unwrap_err();
    let clocks = FormulateError::Clocks { taskset: "fast".into(), clocks: 101, wcets: 3 };
    let too_fine = FormulateError::AreaRange { taskset: "fine".into(), unit: "0.001".into() };
    let (infeasible, mismatch) = (SolveError::from(Infeasible), SolveError::from(Mismatch::without_points()));
    assert_codes([infeasible.clone().into(), ExploreError::from(infeasible).into()], 1);
    let usage = [
        Failure::Usage("no such thing".into()),
        isx_taskset::read_str("none.yaml", "tasks: none").unwrap_err().into(),
        wrong.clone().into(),
        ExploreError::from(clocks).into(),
        SolveError::Arithmetic { asked: Tier::I32, needed: Tier::I64 }.into(),
    ];
    assert_codes(usage, 2);
    let memory = [
        ExploreError::from(too_fine).into(),
        refused(OVER.into()),
        refused(EngineError::MemoryOfThisEngine { over: OVER, other: "list", least: 1 }),
        refused(EngineError::GpuMemory { needed: 9, free: 8 }),
        refused(EngineError::TooLarge("cannot".into())),
        refused(EngineError::NoMemory("the system gives none".into())),
        Failure::Thread(io(io::ErrorKind::OutOfMemory)),
        CertifyError::Thread(io(io::ErrorKind::OutOfMemory)).into(),
    ];
    assert_codes(memory, 4);
    let engines = [
        refused(EngineError::Unavailable("no driver".into())),
        refused(EngineError::Arithmetic(Tier::I128)),
        refused(EngineError::Failed("it fell off the bus".into())),
    ];
    assert_codes(engines, 5);
    let path = || "output".into();
    let unwritten = [
        WriteError::Directory { path: path(), cause: io(io::ErrorKind::NotADirectory) }.into(),
        WriteError::File { path: path(), cause: io(io::ErrorKind::StorageFull) }.into(),
        io(io::ErrorKind::StorageFull).into(),
        Failure::Occupied("another front is there".into()),
        Failure::Exists("a file is there".into()),
    ];
    assert_codes(unwritten, 6);
    let wrong_answers = [
        mismatch.clone().into(),
        ExploreError::from(mismatch).into(),
        ExploreError::from(WrongDesign::missing(1)).into(),
        ImportRefusal { is_fault: true, ..wrong }.into(),
    ];
    assert_codes(wrong_answers, 7);
    assert_codes([refused(EngineError::Cancelled)], 130);
    // A closed pipe is no failure.
    assert_codes([io(io::ErrorKind::BrokenPipe).into()], 0);
}

#[test]
fn of_several_outcomes_the_worst_remains_in_any_order() {
    use Outcome::*;
    let rising = [Done, Negative, Unknown, Failed(4), Failed(2), Failed(7)];
    let codes = rising.map(|outcome| format!("{:?}", ExitCode::from(outcome)));
    assert_eq!(codes, [0, 1, 3, 4, 2, 7].map(|code| format!("{:?}", ExitCode::from(code))));
    for (at, &better) in rising.iter().enumerate() {
        for &worse in &rising[at..] {
            assert_eq!((better.or_worse(worse), worse.or_worse(better)), (worse, worse));
        }
    }
}
