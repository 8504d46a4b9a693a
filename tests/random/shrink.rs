//! Makes a set that shows a fault smaller while it still shows it.

use super::set::{Set, Task};

/// A smallest set that still `fails`, as far as removing or lowering one thing at a time finds it.
pub fn shrunk(mut set: Set, fails: &dyn Fn(&Set) -> bool) -> Set {
    let mut asks = 0;
    'again: loop {
        for smaller in smaller(&set) {
            asks += 1;
            if asks > 20_000 {
                return set;
            }
            if fails(&smaller) {
                set = smaller;
                continue 'again;
            }
        }
        return set;
    }
}

/// Sets with one thing less, the largest steps first.
fn smaller(set: &Set) -> Vec<Set> {
    let mut all = Vec::new();
    let mut add = |change: &dyn Fn(&mut Set)| {
        let mut smaller = set.clone();
        change(&mut smaller);
        all.push(smaller);
    };
    for at in (0..set.tasks.len()).filter(|_| set.tasks.len() > 1) {
        add(&|set| {
            set.tasks.remove(at);
            set.apart = None;
        });
    }
    for at in 0..set.blocks.len() {
        add(&|set| remove_block(set, at));
    }
    let modes = set.modes.max(1);
    for at in 0..set.variants.len() {
        add(&|set| {
            set.variants.remove(at);
            let is_last = set.variants.is_empty();
            each_wcets(set, &|wcets| {
                if !is_last {
                    drop(wcets.drain(at * modes..(at + 1) * modes))
                }
            });
        });
    }
    add(&|set| {
        set.modes = 0;
        for task in &mut set.tasks {
            task.timing = vec![task.timing.iter().flatten().next().copied()];
        }
        each_wcets(set, &|wcets| *wcets = wcets.iter().copied().step_by(modes).collect());
    });
    for at in (0..set.modes).filter(|_| set.modes > 1) {
        add(&|set| {
            set.modes -= 1;
            set.tasks.iter_mut().for_each(|task| {
                task.timing.remove(at);
            });
            let places: Vec<usize> = (0..set.places() / (modes - 1) * modes).collect();
            each_wcets(set, &|wcets| {
                let kept = places.iter().filter(|place| *place % modes != at);
                *wcets = kept.map(|place| wcets[*place]).collect();
            });
        });
    }
    for at in (0..set.columns()).filter(|_| set.resources.is_some_and(|count| count > 1)) {
        add(&|set| remove_resource(set, at));
    }
    for (task, of) in set.tasks.iter().enumerate() {
        if !of.parts.is_empty() {
            // Its combinations as plain choices.
            add(&|set| {
                set.tasks[task].parts.clear();
                set.tasks[task].choices.iter_mut().for_each(|choice| choice.is_way = false);
            });
        }
        for at in 0..of.parts.len() {
            add(&|set| {
                let task = &mut set.tasks[task];
                task.parts.remove(at);
                task.choices.clear();
            });
            add(&|set| drop(set.tasks[task].parts[at].choices.pop()));
            add(&|set| set.tasks[task].parts[at].choices.iter_mut().for_each(|choice| choice.uses.clear()));
            add(&|set| set.tasks[task].parts[at].wcet = None);
        }
        for at in 0..if of.parts.is_empty() { of.choices.len() } else { 0 } {
            add(&|set| {
                let task = &mut set.tasks[task];
                task.choices.remove(at);
                task.forced = None;
            });
        }
    }
    if set.resources == Some(1) {
        add(&|set| {
            (set.resources, set.device, set.base) = (None, None, vec![0]);
            set.objectives.clear();
        });
    }
    add(&|set| {
        set.clock = None;
        set.blocks.iter_mut().for_each(|block| block.fmax = None);
        set.variants.iter_mut().for_each(|variant| variant.fmax = None);
    });
    add(&|set| {
        (set.core, set.apart) = (None, None);
        set.tasks.iter_mut().for_each(|task| task.pin = None);
        set.blocks.iter_mut().for_each(|block| block.on_chip = false);
    });
    add(&|set| {
        set.overruns = None;
        for task in &mut set.tasks {
            task.beyond = None;
            task.choices.iter_mut().for_each(|choice| choice.beyond = None);
        }
    });
    add(&|set| set.apart = None);
    add(&|set| set.device = None);
    add(&|set| set.fifths = 5);
    add(&|set| set.fill = 100);
    add(&|set| set.objectives.clear());
    add(&|set| (set.cost_decimals, set.time_decimals) = (0, 0));
    add(&|set| set.scheduler = "edf");
    for at in 0..set.blocks.len() {
        add(&|set| set.blocks[at].slot = None);
        add(&|set| set.blocks[at].needs.clear());
        add(&|set| set.blocks[at].excludes.clear());
        add(&|set| set.blocks[at].provides.clear());
        add(&|set| set.blocks[at].is_forbidden = false);
        add(&|set| set.blocks[at].fmax = None);
    }
    for at in 0..set.variants.len() {
        add(&|set| set.variants[at].fmax = None);
    }
    for at in 0..set.tasks.len() {
        add(&|set| set.tasks[at].forced = None);
        add(&|set| set.tasks[at].pin = None);
        add(&|set| set.tasks[at].priority = None);
        add(&|set| set.tasks[at].nonpreemptive = Some(0));
        add(&|set| set.tasks[at].locks.clear());
        add(&|set| set.tasks[at].timing.iter_mut().flatten().for_each(|timing| timing.1 = timing.0));
        for choice in 0..set.tasks[at].choices.len() {
            add(&|set| set.tasks[at].choices[choice].locks = None);
            add(&|set| set.tasks[at].choices[choice].is_forbidden = false);
            for block in 0..set.tasks[at].choices[choice].uses.len() {
                add(&|set| {
                    set.tasks[at].choices[choice].uses.remove(block);
                });
            }
        }
    }
    let count = numbers(&mut set.clone()).len();
    for at in 0..count {
        let now = *numbers(&mut set.clone())[at];
        for less in [0, 1, now / 2, now - now.signum()] {
            if less.abs() < now.abs() {
                add(&|set| *numbers(set)[at] = less);
            }
        }
    }
    let own = format!("{set:?}");
    all.iter_mut().for_each(Set::expand);
    all.retain(|smaller| format!("{smaller:?}") != own && runs(smaller));
    all
}

/// Whether every task runs in some mode, for some time.
fn runs(set: &Set) -> bool {
    let runs = |task: &Task| {
        let mut times = task.timing.iter().flatten().flat_map(|(period, deadline)| [period, deadline]);
        let choices = task.choices.iter().flat_map(|choice| &choice.wcet);
        task.timing.iter().any(Option::is_some)
            && times.all(|time| *time > 0)
            && task.wcet.iter().chain(choices).all(|time| *time > 0)
            && task.parts.iter().all(|part| !part.choices.is_empty())
    };
    set.tasks.iter().all(runs)
}

fn each_wcets(set: &mut Set, change: &dyn Fn(&mut Vec<i128>)) {
    for task in &mut set.tasks {
        change(&mut task.wcet);
        for part in &mut task.parts {
            part.wcet.iter_mut().for_each(change);
            part.choices.iter_mut().for_each(|choice| change(&mut choice.wcet));
        }
        task.choices.iter_mut().for_each(|choice| change(&mut choice.wcet));
    }
}

fn remove_block(set: &mut Set, at: usize) {
    set.blocks.remove(at);
    let without = |blocks: &mut Vec<usize>| {
        blocks.retain(|block| *block != at);
        blocks.iter_mut().filter(|block| **block > at).for_each(|block| *block -= 1);
    };
    for task in &mut set.tasks {
        let of_parts = task.parts.iter_mut().flat_map(|part| &mut part.choices);
        task.choices.iter_mut().chain(of_parts).for_each(|choice| without(&mut choice.uses));
    }
    for block in &mut set.blocks {
        [&mut block.needs, &mut block.excludes, &mut block.provides].into_iter().for_each(without);
    }
}

fn remove_resource(set: &mut Set, at: usize) {
    set.resources = set.resources.map(|count| count - 1);
    set.objectives.retain(|objective| *objective != at);
    set.objectives.iter_mut().filter(|objective| **objective > at).for_each(|objective| *objective -= 1);
    let choices = set.tasks.iter_mut().flat_map(|task| {
        task.choices.iter_mut().chain(task.parts.iter_mut().flat_map(|part| &mut part.choices))
    });
    let choices = choices.map(|choice| &mut choice.cost);
    let costs = choices.chain(set.blocks.iter_mut().map(|block| &mut block.cost));
    let costs = costs.chain(set.variants.iter_mut().map(|variant| &mut variant.cost));
    for cost in costs.chain([&mut set.base]).chain(&mut set.device) {
        cost.remove(at);
    }
}

/// All numbers that may be smaller.
fn numbers(set: &mut Set) -> Vec<&mut i128> {
    let (mut all, others) = times_and_others(set);
    all.extend(others);
    all
}

/// All times of a set.
pub fn times(set: &mut Set) -> Vec<&mut i128> {
    times_and_others(set).0
}

fn times_and_others(set: &mut Set) -> (Vec<&mut i128>, Vec<&mut i128>) {
    let (mut times, mut others) = (vec![&mut set.switch], vec![&mut set.margin]);
    others.extend(&mut set.core);
    others.extend(set.base.iter_mut().chain(set.device.iter_mut().flatten()));
    for block in &mut set.blocks {
        times.push(&mut block.switch);
        others.extend(&mut block.cost);
    }
    others.extend(set.variants.iter_mut().flat_map(|variant| &mut variant.cost));
    for task in &mut set.tasks {
        times.extend([&mut task.jitter, &mut task.blocking]);
        times.extend(task.nonpreemptive.iter_mut().chain(&mut task.beyond).chain(&mut task.wcet));
        times.extend(task.timing.iter_mut().flatten().flat_map(|(period, deadline)| [period, deadline]));
        times.extend(task.locks.iter_mut().map(|(_, time)| time));
        for part in &mut task.parts {
            times.extend(part.wcet.iter_mut().flatten());
            for choice in &mut part.choices {
                others.extend(&mut choice.cost);
                times.extend(&mut choice.wcet);
            }
        }
        for choice in &mut task.choices {
            others.extend(&mut choice.cost);
            times.extend(choice.wcet.iter_mut().chain(&mut choice.beyond));
            times.extend(choice.locks.iter_mut().flatten().map(|(_, time)| time));
        }
    }
    (times, others)
}
