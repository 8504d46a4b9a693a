//! The front of area against margin.

use super::error::{ExploreError, no_design};
use super::front::front;
use super::{Options, explore_within, refuse_area};
use isx_design::exploration::Exploration;
use isx_design::front::{ChosenDesign, Design, DesignFront};
use isx_design::schedulability::{
    AtMargin, Effort, FrontVerdicts, Limits, MarginFront, Outcome, Smallest, Undecided,
    decided_by_utilization, margin_front, schedulable, smallest_area,
};
use isx_design::witness::recheck;
use isx_exact::quantity::Rational;
use isx_mckp::Wanted;
use isx_problems::account::{Account, Timings};
use isx_problems::mckp::Claim;
use isx_problems::resources::Goal;
use isx_problems::value::{Tier, Value};
use isx_taskset::formulate::{Formulation, formulate};
use isx_taskset::{Nonpreemptive, Scheduler, Task, TaskSet};
use num_bigint::BigInt;
use num_traits::One;
use std::cmp::Ordering;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The front of area against margin of a task set with one area and one processor: every design whose margin no cheaper one
/// reaches. If utilization decides and context switches take no time, it is that of area against utilization, with 1/U
/// of each point. If the steps run out, the front is cut, and says why.
/// Fails as [`explore`](super::explore()); also if the set has several resources, variants or overruns, or if no design has a margin
/// above 0.
pub fn explore_margins(task_set: &TaskSet, options: &Options) -> Result<Exploration, ExploreError> {
    task_set.validate()?;
    refuse_area(task_set, true)?;
    let formulation = formulate(task_set, options.max_area.as_ref())?;
    let usual = Limits::default();
    let limits =
        if options.limits == usual { Limits { steps: MARGIN_STEPS, ..usual } } else { options.limits };
    let mut effort = Effort::new(limits);
    if decided_by_utilization(&formulation) && !task_set.has_switches() && task_set.modes.is_empty() {
        let mut explored = explore_within(task_set, options, &mut effort)?;
        explored.point_margins = explored.front.iter().map(|point| point.utilization().recip()).collect();
        return Ok(explored);
    }
    let start = Instant::now();
    let known = least_utilizations(task_set, &formulation, options)?;
    let found = options.machine.workers().run(|| margin_front(&formulation, &known, &mut effort));
    if found.points.is_empty() {
        let why = match &found.undecided {
            Some(why) => why.to_string(),
            None => "no design meets its deadlines, however short its WCETs are".to_owned(),
        };
        return Err(ExploreError::Margins { taskset: task_set.name.clone(), why });
    }
    let account = account(&found, start.elapsed());
    let explored = explored(task_set, formulation, found, account, &mut effort);
    options.machine.workers().run(|| recheck(&explored.front))?;
    Ok(explored)
}

/// Steps of the searches unless limits are given: half a minute or less.
const MARGIN_STEPS: u64 = 4_000_000_000;

/// The most designs of least utilization with which the searches begin.
const MOST_KNOWN: usize = 500;

/// Designs of least utilization, which often have large margins too: some of their front.
fn least_utilizations(
    task_set: &TaskSet,
    formulation: &Formulation,
    options: &Options,
) -> Result<Vec<Vec<Option<u32>>>, ExploreError> {
    let front = front(task_set, formulation, &Goal::Front, options, Wanted::AllPicks)?;
    let front = front.ok_or_else(|| no_design(task_set, formulation))?;
    let step = front.len().div_ceil(MOST_KNOWN).max(1);
    Ok((0..front.len()).step_by(step).filter_map(|at| front.get(at)?.choices()).collect())
}

fn account(found: &MarginFront, solve: Duration) -> Account {
    let why = "every margin is searched exactly".to_owned();
    let timings = Timings { solve, ..Timings::default() };
    let updates = found.points.len() as u64;
    Account {
        engine: "search",
        how: "1 thread".to_owned(),
        threads: 1,
        arithmetic: Tier::Big,
        why,
        updates,
        timings,
    }
}

fn explored(
    task_set: &TaskSet,
    formulation: Formulation,
    MarginFront { points, undecided }: MarginFront,
    account: Account,
    effort: &mut Effort,
) -> Exploration {
    let (choices, margins): (Vec<Vec<Option<u32>>>, Vec<Rational>) = points.into_iter().unzip();
    let weights = choices.iter().map(|choices| formulation.weight(choices).unwrap_or(u64::MAX)).collect();
    let hyperperiod = Rational::from(formulation.hyperperiod.clone());
    let demand = |choices: &Vec<Option<u32>>| (formulation.utilization(choices) * &hyperperiod).to_integer();
    let values =
        BigInt::store(choices.iter().map(|choices| &formulation.base_demand - demand(choices)).collect());
    // A budget that cut no choice off cuts no margin off.
    let all = formulate(task_set, None).is_ok_and(|all| all.capacity() == formulation.capacity());
    let complete = undecided.is_none() && all;
    let claim = Claim::new(weights, values, formulation.tasks.len(), complete);
    let software = vec![None; formulation.tasks.len()];
    let base = match schedulable(&formulation, &software, effort) {
        Outcome::Passes => Some(true),
        Outcome::Overload | Outcome::Fails(_) => Some(false),
        Outcome::Undecided(_) => None,
    };
    let mut smallest = |factor: &Rational| {
        let reaching = Reaching { formulation: &formulation, choices: &choices, margins: &margins, factor };
        reaching.smallest(undecided, effort)
    };
    let first = smallest(&Rational::one());
    let own = Rational::one() + &task_set.margin;
    let runs_through = |task: &Task| task.kernel.nonpreemptive == Nonpreemptive::All;
    let is_open = task_set.scheduler != Scheduler::Edf && task_set.tasks.iter().any(runs_through);
    let at_margins: Vec<AtMargin> = [10, 20, 30]
        .map(|percent: u32| {
            let margin = Rational::new(BigInt::from(percent), BigInt::from(100));
            let smallest = smallest(&((Rational::one() + &margin) / &own));
            let area = |choices: Vec<Option<u32>>| formulation.area(&choices).unwrap_or_default();
            AtMargin { margin, smallest: smallest.map(area) }
        })
        .into();
    let area = |choices: &[Option<u32>]| formulation.weight(choices);
    let enough = match &first {
        Smallest::At(least) => choices.iter().position(|choices| area(choices) >= area(least)),
        Smallest::None | Smallest::Unknown(_) => None,
    };
    let from = enough.unwrap_or(margins.len());
    let passes = |(margin, choices): (&Rational, &Vec<Option<u32>>)| match margin.cmp(&Rational::one()) {
        Ordering::Less => Some(false),
        Ordering::Greater => Some(true),
        // A margin that may not be reached.
        Ordering::Equal => Some(schedulable(&formulation, choices, effort) == Outcome::Passes),
    };
    let points = margins.iter().zip(&choices).map(passes).collect();
    let open_margins = (0..margins.len()).filter(|&at| {
        is_open && {
            let longer = formulation.with_longer_wcets(&margins[at]);
            schedulable(&longer, &choices[at], effort) != Outcome::Passes
        }
    });
    let open_margins = open_margins.collect();
    let design = |choices: &[Option<u32>]| Design {
        cost: formulation.cost(choices).unwrap_or_default(),
        variant: formulation.variant,
        utilization: formulation.utilization(choices),
        schedulable: Some(true),
        schedulable_within: Some(true),
    };
    let smallest = first.map(|choices| ChosenDesign { design: design(&choices), choices });
    let verdicts = FrontVerdicts {
        base,
        points,
        each_within: (0..margins.len()).map(|at| Some(at >= from)).collect(),
        minimal: Vec::new(),
        smallest,
    };
    let claim = claim.with_configurations(0, Arc::new(choices));
    Exploration {
        margins: at_margins,
        point_margins: margins,
        open_margins,
        larger_margins_unknown: undecided.map(|why| why.to_string()),
        ..Exploration::new(DesignFront::new(task_set.clone(), formulation, claim, account), verdicts)
    }
}

/// Looks up the smallest design of a front of margins for a factor.
struct Reaching<'a> {
    formulation: &'a Formulation,
    choices: &'a [Vec<Option<u32>>],
    margins: &'a [Rational],
    factor: &'a Rational,
}

impl Reaching<'_> {
    /// The smallest design that meets its deadlines with all WCETs longer by the factor. A margin of just this factor may come as
    /// near to it as one likes without reaching it; then the designs are searched.
    fn smallest(&self, undecided: Option<Undecided>, effort: &mut Effort) -> Smallest<Vec<Option<u32>>> {
        let at = match (self.margins.iter().position(|margin| margin >= self.factor), undecided) {
            (Some(at), _) => at,
            (None, Some(why)) => return Smallest::Unknown(why.to_string()),
            (None, None) => return Smallest::None,
        };
        let longer = self.formulation.with_longer_wcets(self.factor);
        if self.margins[at] > *self.factor
            || schedulable(&longer, &self.choices[at], effort) == Outcome::Passes
        {
            return Smallest::At(self.choices[at].clone());
        }
        Smallest::of(smallest_area(&longer, longer.capacity(), None, effort), Some)
    }
}
