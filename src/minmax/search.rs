//! Branches on the shared elements: each is built or left out.
//!
//! Nodes are visited in waves: those of a wave are bounded by the front found before it, so the search is the same
//! whatever the number of threads.

use super::best::Best;
use super::compiled::Compiled;
use super::memory::Run;
use super::problem::Answer;
use super::vectors::{Allowed, ModeFronts};
use super::walk::selections;
use isx_engine::EngineError;
use isx_parallel as parallel;
use isx_problems::value::Value;
use std::time::Instant;

/// Nodes visited at a time.
const WAVE: usize = 32;

/// A set of elements that may be used, and those of them that are paid for; `fronts` are those of a larger set, which
/// `changed` elements have left.
struct Node<V> {
    allowed: u64,
    paid: u64,
    fronts: Vec<ModeFronts<V>>,
    changed: u64,
}

/// What a visit finds.
struct Visit<V> {
    points: Vec<(u64, V)>,
    /// The elements of these points.
    mask: u64,
    children: Vec<Node<V>>,
    updates: u64,
}

pub fn solve<V: Value>(compiled: &Compiled<V>, run: &Run) -> Result<Answer, EngineError> {
    run.context.machine.workers().run(|| solve_here(compiled, run))
}

fn solve_here<V: Value>(compiled: &Compiled<V>, run: &Run) -> Result<Answer, EngineError> {
    let started = Instant::now();
    let mut best = Best { points: Vec::new(), capacity: compiled.capacity, limit: compiled.limit.clone() };
    let mut updates = 0;
    let used: Vec<u64> = (0..compiled.modes).map(|mode| compiled.used_in(mode)).collect();
    let all = compiled.all_elements();
    let fronts = |mask: u64, updates: &mut u64| -> Result<Vec<ModeFronts<V>>, EngineError> {
        (0..compiled.modes).map(|mode| ModeFronts::new(compiled, mask, mode, run, updates)).collect()
    };
    // First points to compare with: nothing built, and as much as possible.
    let most = (0..compiled.elements.len())
        .fold(0, |built, at| if compiled.elements[at].1 & built == 0 { built | 1 << at } else { built });
    for mask in [0, most] {
        let fronts = fronts(mask, &mut updates)?;
        let allowed = Allowed { compiled, mask, paid: compiled.weight(mask), fronts: &fronts };
        best.add(allowed.points(&best, true, run, &mut updates)?, mask);
    }
    let mut nodes = vec![Node { allowed: all, paid: 0, fronts: fronts(all, &mut updates)?, changed: 0 }];
    while !nodes.is_empty() {
        run.context.go_on()?;
        let wave = nodes.split_off(nodes.len().saturating_sub(WAVE));
        let visits = parallel::map(wave.len(), 1, |at| visit(compiled, &wave[at], &used, &best, run));
        for visit in visits {
            let Visit { points, mask, children, updates: more } = visit?;
            best.add(points, mask);
            updates += more;
            nodes.extend(children);
        }
    }
    let solve = started.elapsed();
    let picks = selections(compiled, &best, run)?;
    let (weights, loads) = best.points.into_iter().map(|point| (point.weight, point.load)).unzip();
    Ok(Answer {
        weights,
        loads: V::store(loads),
        picks,
        tier: V::TIER,
        updates,
        solve,
        traceback: started.elapsed() - solve,
    })
}

fn visit<V: Value>(
    compiled: &Compiled<V>,
    node: &Node<V>,
    used: &[u64],
    best: &Best<V>,
    run: &Run,
) -> Result<Visit<V>, EngineError> {
    let &Node { allowed: mask, paid, changed, .. } = node;
    let mut found = Visit { points: Vec::new(), mask, children: Vec::new(), updates: 0 };
    let fronts = (node.fronts.iter().zip(used).enumerate())
        .map(|(mode, (known, used))| match used & changed {
            0 => Ok(known.clone()),
            _ => ModeFronts::new(compiled, mask, mode, run, &mut found.updates),
        })
        .collect::<Result<Vec<ModeFronts<V>>, EngineError>>()?;
    let allowed = Allowed { compiled, mask, paid: compiled.weight(paid), fronts: &fronts };
    if !allowed.may_reach(&allowed.nothing(), 0, best) {
        return Ok(found);
    }
    if mask == paid {
        found.points = allowed.points(best, false, run, &mut found.updates)?;
        return Ok(found);
    }
    let next = (mask & !paid).trailing_zeros();
    let bit = 1 << next;
    let excluded = compiled.elements[next as usize].1 & mask;
    found.children = vec![
        Node { allowed: mask & !bit, paid, fronts: fronts.clone(), changed: bit },
        Node { allowed: mask & !excluded, paid: paid | bit, fronts, changed: excluded },
    ];
    Ok(found)
}
