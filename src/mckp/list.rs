//! Lists of undominated sums: the label engine of problems with several resources, for one.
//!
//! A front of p points costs O(p n) per class of n items however large or fine the weights are: there is no table with one
//! cell per unit of weight. The idea is from G. L. Nemhauser and Z. Ullmann, "Discrete dynamic programming and capital
//! allocation", Management Science 15(9), 1969.

use super::answer::{Answer, Value};
use super::{Mckp, Wanted};
use isx_engine::{Engine, EngineError, Estimate, Outcome, Plan, Request};
use isx_machine::rates;
use isx_problems::mckp::{Configurations, Without};
use isx_problems::reduce::mckp::{Reduced, for_tier};
use isx_problems::resources::{Goal, Item, Problem};
use isx_problems::value::Tier;
use isx_resources::LABELS;
use std::sync::Arc;

/// The list engine.
pub struct List;

impl Engine<Mckp> for List {
    /// The time is a lower bound, as if every list had one label; memory is checked while the lists grow.
    fn plan<'a>(&'a self, request: Request<'a, Mckp>) -> Result<Plan<'a, Mckp>, EngineError> {
        let Request { problem, wanted, context } = request;
        // Costs are up to a bit wider than values.
        let cost = match problem.tier() {
            Tier::I32 => 8,
            Tier::I64 => 16,
            Tier::I128 => 64,
            Tier::Big => isx_resources::MOST_BITS / 8 + 1,
        };
        let bytes = for_tier!(problem, problem => most_bytes(problem, wanted, cost));
        let estimate = Estimate { seconds: problem.items() as f64 * rates::RESOURCES_IN_LIST, bytes };
        Ok(Plan::watched(estimate, move |patience| {
            let own = for_tier!(problem, problem => in_one_resource(problem));
            let asked = isx_resources::Wanted { picks: wanted != Wanted::Values, at_least: problem.tier() };
            let plan = LABELS.plan(Request { problem: &own, wanted: asked, context })?;
            Ok(match plan.run_within(patience)? {
                Outcome::Solved { answer, because } => {
                    let cells = problem.capacity().saturating_add(1);
                    let because = because.map(|why| format!("{why} where a table row has {cells} cells"));
                    Outcome::Solved { answer: in_one_weight(answer, wanted), because }
                }
                Outcome::GaveUp(why) => Outcome::GaveUp(why),
            })
        }))
    }
}

/// Bytes that are certainly enough: a list has no more labels than sums, and no more than weights up to the capacity. Lists
/// grow by doubling, and their parts are joined. A cost has `cost` bytes.
fn most_bytes<V: Value>(problem: &Reduced<V>, wanted: Wanted, cost: u64) -> u64 {
    let cells = problem.capacity.saturating_add(1);
    // An amount, a cost, and what the label was made of.
    let label = 16 + cost;
    let (mut length, mut kept, mut most) = (1u64, 0u64, 0u64);
    for class in &problem.classes {
        let next = length.saturating_mul(class.items.len() as u64).min(cells);
        let labels = length.saturating_add(next.saturating_mul(4));
        most = most.max(kept.saturating_add(labels.saturating_mul(label)));
        if wanted != Wanted::Values {
            kept = kept.saturating_add(next.saturating_mul(16));
        }
        length = next;
    }
    most.saturating_add(problem.classes.iter().map(|class| (200 + 2 * cost) * class.items.len() as u64).sum())
}

/// The problem with weights as amounts of its only resource; items have their number in the class.
fn in_one_resource<V: Value>(problem: &Reduced<V>) -> Problem {
    let item = |(number, item): (u32, &isx_problems::mckp::Item<V>)| Item {
        value: item.value.to_big(),
        cost: vec![item.weight],
        loads: Vec::new(),
        uses: Vec::new(),
        number,
    };
    Problem {
        classes: problem.classes.iter().map(|class| (0..).zip(&class.items).map(item).collect()).collect(),
        elements: Vec::new(),
        limits: vec![problem.capacity],
        objectives: 1,
        modes: 0,
        goal: Goal::Front,
    }
}

fn in_one_weight(answer: isx_resources::Answer, wanted: Wanted) -> Answer {
    let isx_resources::Answer { costs, values, picks, how, threads, updates, solve, traceback, .. } = answer;
    let count = if wanted == Wanted::BestPicks { values.len().saturating_sub(1) } else { 0 };
    let picks = picks.map(|all| (count, Arc::new(Without { all, at: 0, count }) as Arc<dyn Configurations>));
    let weights = costs.into_iter().next().unwrap_or_default();
    Answer { weights, values, picks, how, threads, updates, solve, traceback }
}
