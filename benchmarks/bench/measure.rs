//! Engines for multiple-choice knapsack problems as contestants: each answer is compared with the textbook engine's.

use super::BenchError;
use super::compare::{Difference, compare};
use super::instances::Instance;
use super::patience::Patient;
use super::runner::{AUTO, Outcome, Run, Settings, Stopped, Work, outcome, runs};
use super::timed::Timed;
use isx_engine::Engine;
use isx_mckp::{ENGINES, Mckp, MckpEngine, Wanted};
use isx_problems::mckp::witness;
use isx_solve::{Options, Solution, solve_unchecked, solve_with};
use std::time::Duration;

/// An engine and its contestant name.
pub type Named = (&'static str, &'static dyn Engine<Mckp>);

/// A contestant: an engine, on all or the reduced work, with a number of threads.
#[derive(Clone)]
pub struct Contestant {
    /// Its name in tables.
    pub name: String,
    /// The engine, and its name in the registry or outside it; the planner's choice if `None`.
    pub engine: Option<(&'static str, &'static dyn Engine<Mckp>)>,
    /// How much it examines.
    pub work: Work,
    /// Threads it may use.
    pub threads: usize,
}

impl Contestant {
    /// An engine under its own name.
    pub fn new(engine: &'static MckpEngine, work: Work, threads: usize) -> Self {
        Self::unlisted(engine.name, engine.engine, work, threads)
    }

    /// An engine that is in no registry.
    pub fn unlisted(
        name: &'static str,
        engine: &'static dyn Engine<Mckp>,
        work: Work,
        threads: usize,
    ) -> Self {
        Self { name: name.to_owned(), engine: Some((name, engine)), work, threads }
    }

    /// The planner's choice.
    pub fn auto(threads: usize) -> Self {
        Self { name: AUTO.into(), engine: None, work: Work::Reduced, threads }
    }
}

/// The textbook engine's answer, with which the others are compared.
pub struct Judge {
    /// The answer.
    pub solution: Solution,
    /// Its times.
    pub timed: Timed,
    wanted: Wanted,
}

/// The reference engine.
/// Fails if the registry has none.
pub fn judge() -> Result<&'static MckpEngine, BenchError> {
    let why = || "no engine of the registry is one".to_owned();
    ENGINES.judge().ok_or_else(|| BenchError::Unavailable { engine: "judge".into(), why: why() })
}

impl Judge {
    /// Runs the textbook engine on all the work with one thread, and sums its points again.
    /// Fails if it gives no answer, or one whose sums are wrong.
    pub fn new(instance: &Instance, wanted: Wanted, settings: &Settings) -> Result<Self, BenchError> {
        let named = |cause| BenchError::NoJudge { instance: instance.name.clone(), cause };
        let engine = judge()?;
        let contestant = Contestant::new(engine, Work::Raw, 1);
        let check = |solution: &Solution| match wanted {
            Wanted::Values => Ok(()),
            _ => witness(&instance.problem, &solution.claim).map_err(Difference::from),
        };
        let patient = Settings { patience: Duration::MAX, ..settings.clone() };
        let (solution, timed) = match answered(&contestant, instance, wanted, &patient, &check) {
            Ok(answered) => answered,
            Err(Stopped::Solve(cause)) => return Err(named(cause)),
            Err(stopped) => {
                return Err(BenchError::Set(format!(
                    "{}: {}",
                    instance.name,
                    stopped.why(engine.name, &instance.name)?
                )));
            }
        };
        Ok(Self { solution, timed, wanted })
    }
}

/// Measures a contestant, whose answers must equal the judge's.
/// Fails with [`BenchError::Wrong`] if an answer differs. A contestant that refuses is an outcome, not an error.
pub fn measure(
    contestant: &Contestant,
    instance: &Instance,
    wanted: Wanted,
    judge: &Judge,
    settings: &Settings,
) -> Result<Outcome, BenchError> {
    let items = wanted == Wanted::AllPicks && judge.wanted == Wanted::AllPicks;
    let check = |answer: &Solution| compare(&answer.claim, &judge.solution.claim, items);
    let timed = answered(contestant, instance, wanted, settings, &check);
    let name = format!("{} ({:?})", contestant.name, contestant.work).to_lowercase();
    outcome(&name, &instance.name, timed.map(|(_, timed)| timed))
}

/// The first answer, checked, and the times.
fn answered(
    contestant: &Contestant,
    instance: &Instance,
    wanted: Wanted,
    settings: &Settings,
    check: &dyn Fn(&Solution) -> Result<(), Difference>,
) -> Result<(Solution, Timed), Stopped> {
    let raw = contestant.work == Work::Raw;
    let machine = settings.machine.clone().with_threads(contestant.threads);
    let options = Options { raw, wanted, machine, ..Options::default() };
    let mut first: Option<Solution> = None;
    let timed = runs(settings.repeat.max(1), &mut || {
        let solution = match contestant.engine {
            Some((name, engine)) => {
                let patient = Patient { engine, patience: settings.patience };
                solve_with(&instance.problem, name, &patient, &options)
            }
            None => solve_unchecked(&instance.problem, &options),
        }?;
        let run = Run::of(&solution.account);
        match &first {
            Some(first) => {
                compare(&solution.claim, &first.claim, wanted == Wanted::AllPicks)?;
            }
            None => {
                check(&solution)?;
                first = Some(solution);
            }
        }
        Ok(run)
    })?;
    let first = first.ok_or_else(|| Stopped::Refused("it was not run".into()))?;
    Ok((first, timed))
}

/// Engines to measure: the named ones, or all except the judge; `auto` is not an engine.
/// Fails with [`BenchError::Unavailable`] if no engine has the name.
pub fn engines(names: &[String]) -> Result<Vec<&'static MckpEngine>, BenchError> {
    if names.is_empty() {
        return Ok(ENGINES.iter().filter(|engine| !engine.judge).collect());
    }
    let find = |name: &String| {
        let why = "there is no engine of that name".to_owned();
        ENGINES.named(name).ok_or_else(|| BenchError::Unavailable { engine: name.clone(), why })
    };
    let named = names.iter().filter(|name| *name != AUTO).map(find);
    named.filter(|engine| engine.as_ref().map_or(true, |engine| !engine.judge)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::instances::Family;
    use super::*;
    use isx_engine::{EngineError, Plan, Request};
    use isx_machine::Machine;
    use isx_mckp::Answer;
    use isx_mckp::answer::Values;
    use isx_problems::mckp::Configurations;
    use std::ops::Range;
    use std::sync::Arc;

    type Mistake = fn(&mut Answer);

    /// Items of which that of the last class is another one at the last point.
    #[derive(Debug)]
    struct LastChanged {
        all: Arc<dyn Configurations>,
        last: usize,
    }

    impl Configurations for LastChanged {
        fn write(&self, configurations: Range<usize>, columns: &mut [u32]) {
            self.all.write(configurations.clone(), columns);
            if let Some(item) = columns.last_mut().filter(|_| configurations.end > self.last) {
                *item = u32::from(*item == 0);
            }
        }
    }

    /// The list engine with one deliberate mistake, from run number `from` on.
    struct Mistaken {
        mistake: Mistake,
        from: usize,
        runs: std::sync::atomic::AtomicUsize,
    }

    fn named(name: &str) -> &'static MckpEngine {
        ENGINES.named(name).unwrap()
    }

    impl Engine<Mckp> for Mistaken {
        fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
            let plan = named("list").engine.plan(request)?;
            Ok(Plan::new(plan.estimate, move || {
                let run = self.runs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let mut answer = plan.run()?;
                if run >= self.from {
                    (self.mistake)(&mut answer);
                }
                Ok(answer)
            }))
        }
    }

    fn mistaken(mistake: Mistake, from: usize) -> Contestant {
        let engine: &'static Mistaken =
            Box::leak(Box::new(Mistaken { mistake, from, runs: std::sync::atomic::AtomicUsize::new(0) }));
        Contestant::unlisted("mistaken", engine, Work::Reduced, 1)
    }

    fn settings() -> Settings<'static> {
        Settings { repeat: 3, patience: Duration::from_secs(5), machine: Machine::default(), tell: &|_| {} }
    }

    fn outcome(contestant: &Contestant) -> Result<Outcome, BenchError> {
        let instance = Instance::new(Family::Tiny.recipes()[0]).unwrap();
        let judge = Judge::new(&instance, Wanted::AllPicks, &settings()).unwrap();
        measure(contestant, &instance, Wanted::AllPicks, &judge, &settings())
    }

    #[test]
    fn no_time_is_told_for_a_wrong_answer() {
        let value = |answer: &mut Answer| {
            if let Values::I64(values) = &mut answer.values {
                *values.last_mut().unwrap() += 1;
            }
        };
        let weight = |answer: &mut Answer| *answer.weights.last_mut().unwrap() += 1;
        let lost = |answer: &mut Answer| {
            answer.weights.pop();
            if let Values::I64(values) = &mut answer.values {
                values.pop();
            }
        };
        let items = |answer: &mut Answer| {
            let (from, all) = answer.picks.take().unwrap();
            answer.picks = Some((from, Arc::new(LastChanged { all, last: answer.weights.len() - 1 - from })));
        };
        let mistakes: [(&str, Mistake); 4] =
            [("value", value), ("weight", weight), ("points", lost), ("items", items)];
        for (what, mistake) in mistakes {
            for from in [0, 2] {
                let error = outcome(&mistaken(mistake, from)).unwrap_err();
                let BenchError::Wrong { difference, .. } = error else { panic!("{what}: {error}") };
                assert_eq!(difference.what, what, "from run {from}");
            }
        }
    }

    #[test]
    fn who_refuses_or_is_slow_is_listed_with_the_reason() {
        let instance = Instance::new(Family::Tiny.recipes()[0]).unwrap();
        let judge = Judge::new(&instance, Wanted::AllPicks, &settings()).unwrap();
        let list = Contestant::new(named("list"), Work::Raw, 1);
        let reason = |settings: Settings| match measure(&list, &instance, Wanted::AllPicks, &judge, &settings)
            .unwrap()
        {
            Outcome::NotMeasured(why) => why,
            Outcome::Timed(timed) => panic!("{timed:?}"),
        };
        assert!(
            reason(Settings { machine: Machine::default().with_max_memory(64), ..settings() })
                .contains("64 are allowed")
        );
        let hasty = Settings { patience: Duration::ZERO, ..settings() };
        assert!(reason(hasty.clone()).contains("--patience"));
        Judge::new(&instance, Wanted::Values, &hasty).unwrap();
    }
}
