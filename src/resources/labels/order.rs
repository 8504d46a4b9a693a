//! The order in which the classes are processed, and when each element is open.
//!
//! An element is *open* from the first class that can use it to the last; the number of states is two to the power
//! of the number of open elements. So classes that share elements should be close together: a linear arrangement of
//! small cutwidth, which is NP-hard to find in general. A greedy search starts from several classes, followed by
//! moves of single classes as long as they help, if there are few enough to try. A mode is open likewise, and weighs as
//! much as some elements.

use isx_problems::resources::Problem;

/// First classes that the greedy arrangement is tried from.
const STARTS: usize = 12;
/// Total number of states below which no better order is searched for.
const FEW_STATES: f64 = 4096.0;
/// Orders that are tried to improve on the best greedy one.
const TRIES: usize = 4000;

/// As many elements as one mode weighs.
const MODE: usize = 8;

/// The classes in order, and what happens at each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Schedule {
    /// A step per class.
    pub steps: Vec<Step>,
}

/// A class, and what opens before it and closes after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The class.
    pub class: usize,
    /// The elements that open before it.
    pub opens: Vec<u32>,
    /// The elements that close after it.
    pub closes: Vec<u32>,
    /// The modes that open before it.
    pub modes_open: Vec<usize>,
    /// The modes that close after it.
    pub modes_close: Vec<usize>,
}

/// The classes in an order that keeps few elements and modes open; in that of the file if there are none. An element of a
/// group stays open until all of the group can close: which one is used becomes known only as items are taken.
pub(super) fn schedule_of(problem: &Problem) -> Schedule {
    let (used, groups) = uses_of(problem);
    let is_free = used.iter().all(|own| *own == used[0]);
    let (mut order, free): (Vec<usize>, Vec<usize>) =
        (0..used.len()).partition(|&class| is_free || !used[class].is_empty());
    if !is_free {
        order = improved(arranged(&order, &used, &groups), &used, &groups);
    }
    // Classes without elements come last, when only one state is left.
    order.extend(free);
    Schedule::of(&order, &used, &groups, problem.elements.len() as u32)
}

/// The classes in the order of the file.
#[cfg(feature = "cuda")]
pub(crate) fn in_file_order(problem: &Problem) -> Schedule {
    let (used, groups) = uses_of(problem);
    let order: Vec<usize> = (0..used.len()).collect();
    Schedule::of(&order, &used, &groups, problem.elements.len() as u32)
}

/// The elements that each class can use, with [`MODE`] further ones for every mode, and their groups.
fn uses_of(problem: &Problem) -> (Vec<Vec<u32>>, Groups) {
    let elements = problem.elements.len() as u32;
    let used = problem.classes.iter().map(|items| {
        let mut used: Vec<u32> = items.iter().flat_map(|item| &item.uses).copied().collect();
        for mode in (0..problem.modes).filter(|&mode| items.iter().any(|item| item.loads[mode] != 0.into())) {
            used.extend((0..MODE).map(|copy| elements + (mode * MODE + copy) as u32));
        }
        used.sort_unstable();
        used.dedup();
        used
    });
    let used: Vec<Vec<u32>> = used.collect();
    let mut groups: Vec<Option<u32>> = problem.elements.iter().map(|element| element.group).collect();
    groups.resize(groups.len() + problem.modes * MODE, None);
    (used, group_of_each(&groups))
}

impl Schedule {
    fn of(order: &[usize], used: &[Vec<u32>], groups: &Groups, elements: u32) -> Self {
        let spans = spans(order, used, groups);
        let steps = order.iter().enumerate().map(|(at, &class)| {
            let those = |end: fn(&(usize, usize)) -> usize| {
                let all = (0u32..).zip(&spans).filter(|(_, span)| span.is_some_and(|span| end(&span) == at));
                let (own, modes): (Vec<u32>, Vec<u32>) =
                    all.map(|(one, _)| one).partition(|&one| one < elements);
                let modes = modes.into_iter().map(|copy| (copy - elements) as usize);
                (own, modes.filter(|copy| copy % MODE == 0).map(|copy| copy / MODE).collect())
            };
            let ((opens, modes_open), (closes, modes_close)) = (those(|span| span.0), those(|span| span.1));
            Step { class, opens, closes, modes_open, modes_close }
        });
        Self { steps: steps.collect() }
    }

    /// The most elements that are open at the same time.
    pub fn most_open(&self) -> usize {
        let mut open = 0;
        let counts = self.steps.iter().map(|step| {
            open += step.opens.len();
            let most = open;
            open -= step.closes.len();
            most
        });
        counts.max().unwrap_or(0)
    }
}

/// Groups by number, each with its elements; the group of each element.
struct Groups {
    of: Vec<Option<usize>>,
    members: Vec<Vec<u32>>,
}

fn group_of_each(groups: &[Option<u32>]) -> Groups {
    let mut names: Vec<u32> = groups.iter().flatten().copied().collect();
    names.sort_unstable();
    names.dedup();
    let of: Vec<Option<usize>> = groups.iter().map(|group| names.binary_search(&(*group)?).ok()).collect();
    let mut members = vec![Vec::new(); names.len()];
    for (element, group) in of.iter().enumerate() {
        if let Some(group) = group {
            members[*group].push(element as u32);
        }
    }
    Groups { of, members }
}

/// The first and last place in the order at which each element is open; `None` if it is unused. The elements of a group
/// close together: which one is built must be known until no other one of the group can be.
fn spans(order: &[usize], used: &[Vec<u32>], groups: &Groups) -> Vec<Option<(usize, usize)>> {
    let mut spans: Vec<Option<(usize, usize)>> = vec![None; groups.of.len()];
    for (at, &class) in order.iter().enumerate() {
        for &element in &used[class] {
            let span = &mut spans[element as usize];
            *span = Some((span.map_or(at, |span| span.0), at));
        }
    }
    for members in &groups.members {
        let last = members.iter().filter_map(|&element| spans[element as usize].map(|span| span.1)).max();
        for &element in members {
            if let (Some(span), Some(last)) = (&mut spans[element as usize], last) {
                span.1 = last;
            }
        }
    }
    spans
}

/// Total number of states over all places of the order.
fn states(order: &[usize], used: &[Vec<u32>], groups: &Groups) -> f64 {
    let mut change = vec![0i32; order.len() + 1];
    for (first, last) in spans(order, used, groups).into_iter().flatten() {
        change[first] += 1;
        change[last + 1] -= 1;
    }
    let mut open = 0;
    let counts = change[..order.len()].iter().map(|change| {
        open += change;
        f64::from(open).exp2()
    });
    counts.sum()
}

/// The best of the greedy orders: the next class is always the one after which the fewest elements are open, and
/// among these the one that opens the fewest.
fn arranged(classes: &[usize], used: &[Vec<u32>], groups: &Groups) -> Vec<usize> {
    let mut users = vec![0usize; groups.of.len()];
    for &class in classes {
        used[class].iter().for_each(|&element| users[element as usize] += 1);
    }
    let mut starts: Vec<usize> = classes.to_vec();
    starts.sort_unstable_by_key(|&class| (used[class].len(), class));
    starts.truncate(STARTS);
    let orders = starts.iter().map(|&first| greedy(first, classes, used, &users));
    let in_file_order = std::iter::once(classes.to_vec());
    let best = orders
        .chain(in_file_order)
        .min_by(|a, b| states(a, used, groups).total_cmp(&states(b, used, groups)));
    best.unwrap_or_default()
}

fn greedy(first: usize, classes: &[usize], used: &[Vec<u32>], users: &[usize]) -> Vec<usize> {
    let mut left = users.to_vec();
    let mut order = Vec::with_capacity(classes.len());
    let mut rest: Vec<usize> = classes.to_vec();
    let mut next = rest.iter().position(|&class| class == first);
    while let Some(at) = next {
        let class = rest.remove(at);
        used[class].iter().for_each(|&element| left[element as usize] -= 1);
        order.push(class);
        let cost = |class: usize| {
            let opens = used[class].iter().filter(|&&e| left[e as usize] == users[e as usize]).count();
            let closes = used[class].iter().filter(|&&e| left[e as usize] == 1).count();
            (opens as isize - closes as isize, opens, class)
        };
        next = (0..rest.len()).min_by_key(|&at| cost(rest[at]));
    }
    order
}

/// Moves single classes to other places as long as that reduces the number of states.
fn improved(mut order: Vec<usize>, used: &[Vec<u32>], groups: &Groups) -> Vec<usize> {
    let mut best = states(&order, used, groups);
    let mut tries = 0;
    let mut moved = true;
    while moved && best > FEW_STATES {
        moved = false;
        for from in 0..order.len() {
            for to in 0..order.len() {
                if tries == TRIES {
                    return order;
                }
                if from == to {
                    continue;
                }
                tries += 1;
                let class = order.remove(from);
                order.insert(to, class);
                let count = states(&order, used, groups);
                if count < best {
                    (best, moved) = (count, true);
                } else {
                    let class = order.remove(to);
                    order.insert(from, class);
                }
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::resources::{Element, Goal, Item};
    use num_bigint::BigInt;

    /// A problem of classes that use these elements.
    fn problem(used: &[Vec<u32>], groups: &[Option<u32>]) -> Problem {
        let item = |uses: &[u32], number: u32| Item {
            value: 0.into(),
            cost: vec![0],
            loads: vec![],
            uses: uses.to_vec(),
            number,
        };
        let element = |group: &Option<u32>| Element { built: vec![1], unbuilt: vec![0], group: *group };
        Problem {
            classes: used.iter().map(|used| vec![item(&[], 0), item(used, 1)]).collect(),
            elements: groups.iter().map(element).collect(),
            limits: vec![99],
            objectives: 1,
            modes: 0,
            goal: Goal::Front,
        }
    }

    fn schedule(used: &[Vec<u32>], groups: &[Option<u32>]) -> Schedule {
        schedule_of(&problem(used, groups))
    }

    #[test]
    fn classes_of_the_same_elements_lie_together() {
        // A chain of elements with the classes shuffled: never more than two are open at the same time.
        let chain: Vec<Vec<u32>> = [3u32, 0, 6, 2, 5, 1, 4].iter().map(|&at| vec![at, at + 1]).collect();
        assert_eq!(schedule(&chain, &[None; 8]).most_open(), 2);
    }

    #[test]
    fn every_class_comes_once_and_every_element_opens_before_it_closes() {
        let used = [vec![], vec![0, 2], vec![], vec![1], vec![0, 1]];
        let schedule = schedule(&used, &[None; 3]);
        let mut classes: Vec<usize> = schedule.steps.iter().map(|step| step.class).collect();
        assert_eq!(used[classes[3]].len() + used[classes[4]].len(), 0, "those without elements are last");
        classes.sort_unstable();
        assert_eq!(classes, [0, 1, 2, 3, 4]);
        for element in 0..3 {
            let opened = schedule.steps.iter().position(|step| step.opens.contains(&element)).unwrap();
            let closed = schedule.steps.iter().position(|step| step.closes.contains(&element)).unwrap();
            assert!(opened <= closed);
            for (at, step) in schedule.steps.iter().enumerate() {
                assert!(!used[step.class].contains(&element) || (opened..=closed).contains(&at));
            }
        }
    }

    #[test]
    fn who_is_built_of_a_group_is_known_until_all_of_it_are_open() {
        let schedule = schedule(&[vec![0], vec![1]], &[Some(7), Some(7)]);
        assert_eq!(schedule.most_open(), 2);
        assert_eq!(schedule.steps[1].closes, [0, 1]);
    }

    #[test]
    fn a_mode_is_open_from_its_first_class_to_its_last() {
        let mut problem = problem(&[vec![], vec![], vec![]], &[]);
        problem.modes = 2;
        for (items, loads) in problem.classes.iter_mut().zip([[1, 0], [0, 1], [1, 0]]) {
            items.iter_mut().for_each(|item| item.loads = loads.map(BigInt::from).to_vec());
        }
        let steps = schedule_of(&problem).steps;
        let order: Vec<usize> = steps.iter().map(|step| step.class).collect();
        assert!(order == [0, 2, 1] || order == [1, 0, 2], "{order:?}");
        let closes: Vec<usize> = steps.iter().map(|step| step.modes_close.len()).collect();
        assert_eq!(closes.iter().sum::<usize>(), 2);
    }
}
