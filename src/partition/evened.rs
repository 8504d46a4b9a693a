//! Evens out a design without more area: faster choices that cost nothing more, and less load on the fullest cores.
//!
//! Designs of least area are many; those of the engines may fill a core to the brim. This only picks a better one.

use crate::problem::{Design, Problem};

/// Rounds at most, each of which moves or exchanges tasks once.
const MOST_ROUNDS: usize = 200;
/// Tasks beyond which none are exchanged.
const MOST_TASKS: usize = 128;

/// A design of no more area whose fullest core has no more load.
pub(crate) fn evened(problem: &Problem, design: &mut Design) {
    let fits =
        |picks: &[usize], cores: &[u32], area| problem.area_of(picks, cores).is_some_and(|own| own <= area);
    for (task, choices) in problem.tasks.iter().enumerate() {
        let mut order: Vec<usize> = (0..choices.len()).collect();
        order.sort_by_key(|&pick| choices[pick].size);
        for pick in order {
            let before = design.picks[task];
            if choices[pick].size >= choices[before].size {
                break;
            }
            design.picks[task] = pick;
            if fits(&design.picks, &design.cores, design.area) {
                break;
            }
            design.picks[task] = before;
        }
    }
    let size = |picks: &[usize], task: usize| problem.tasks[task][picks[task]].size;
    for _ in 0..MOST_ROUNDS {
        let mut loads = vec![0i64; problem.cores];
        for (task, &core) in design.cores.iter().enumerate() {
            loads[core as usize] += size(&design.picks, task);
        }
        let Some(fullest) = (0..loads.len()).max_by_key(|&core| (loads[core], -(core as i64))) else {
            return;
        };
        let on_fullest = |task: &usize| design.cores[*task] as usize == fullest;
        let own: Vec<usize> = (0..design.cores.len()).filter(on_fullest).collect();
        // What each change leaves on the fuller of its two cores, and the cores after it.
        let mut changes: Vec<(i64, usize, usize, u32)> = Vec::new();
        for &task in &own {
            for other in (0..loads.len()).filter(|&other| other != fullest) {
                let moved = size(&design.picks, task);
                changes.push(((loads[fullest] - moved).max(loads[other] + moved), task, task, other as u32));
            }
            if design.cores.len() > MOST_TASKS {
                continue;
            }
            for other in (0..design.cores.len()).filter(|task| !on_fullest(task)) {
                let moved = size(&design.picks, task) - size(&design.picks, other);
                let core = design.cores[other];
                let left = (loads[fullest] - moved).max(loads[core as usize] + moved);
                changes.push((left, task, other, core));
            }
        }
        changes.retain(|change| change.0 < loads[fullest]);
        changes.sort_unstable();
        let apply = |&(_, task, other, core): &(i64, usize, usize, u32)| {
            let mut cores = design.cores.clone();
            if other != task {
                cores[other] = fullest as u32;
            }
            cores[task] = core;
            fits(&design.picks, &cores, design.area).then_some(cores)
        };
        match changes.iter().find_map(apply) {
            Some(cores) => design.cores = cores,
            None => return,
        }
    }
}
