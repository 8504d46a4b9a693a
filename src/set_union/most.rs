//! The greatest value regardless of weight: it shows whether a larger capacity would bring more.
//!
//! The states are those of the engines, the sets of open elements that are paid for, with one number each. Of
//! elements that exclude each other a state contains at most one; this is the only constraint that keeps a selection
//! from taking the best item of every class.

use super::order::{Schedule, Step, bits_of, excluded_by};
use isx_problems::reduce::set_union::Reduced;
use isx_problems::value::{Tier, Value};

/// Most elements open at the same time for which a table of all states is allocated.
pub(super) const MOST_OPEN: usize = 24;

/// Whether a larger capacity would bring more than `value`, the most within the problem's capacity. Assumed to be
/// true if values exceed 64 bits or there are too many states.
pub(super) fn is_cut(problem: &Reduced, schedule: &Schedule, value: i64) -> bool {
    if problem.tier() > Tier::I64 || schedule.most_open() > MOST_OPEN {
        return true;
    }
    let mut open = Vec::new();
    let mut most = vec![Some(0)];
    for step in &schedule.steps {
        most = stepped(problem, step, &mut open, most);
    }
    most.first().copied().flatten().is_none_or(|most| most > value)
}

/// The greatest value of every state after a step; `None` for an impossible state.
fn stepped(
    problem: &Reduced,
    step: &Step,
    open: &mut Vec<u32>,
    mut most: Vec<Option<i64>>,
) -> Vec<Option<i64>> {
    for &element in &step.opens {
        let excluded = excluded_by(&problem.elements, open, element);
        let paid = |state: usize| most[state].filter(|_| state as u64 & excluded == 0);
        let paid: Vec<Option<i64>> = (0..most.len()).map(paid).collect();
        most.extend(paid);
        open.push(element);
    }
    let moves = problem.classes[step.class]
        .iter()
        .filter_map(|item| Some((bits_of(&item.uses, open), i64::from_big(&item.value)?)));
    let moves: Vec<(u64, i64)> = moves.collect();
    for (state, most) in most.iter_mut().enumerate() {
        let best =
            moves.iter().filter(|(uses, _)| uses & !(state as u64) == 0).map(|(_, value)| *value).max();
        // The tier fits the sum of the greatest values of all classes.
        *most = most.map(|most| most + best.unwrap_or(0).max(0));
    }
    for element in &step.closes {
        let Some(position) = open.iter().position(|open| open == element) else { continue };
        let bit = 1usize << position;
        let without = (0..most.len()).filter(|state| state & bit == 0);
        most = without.map(|state| most[state].max(most[state | bit])).collect();
        open.remove(position);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;
    use isx_problems::reduce::set_union::Item;
    use isx_problems::set_union::Element;

    #[test]
    fn elements_that_exclude_each_other_keep_the_best_items_apart() {
        let item = |value: i64, uses: &[u32]| Item {
            value: value.into(),
            weight: 1,
            uses: uses.to_vec(),
            origin: 0,
        };
        let element = |group| Element { weight: 5, group };
        let classes = vec![vec![item(7, &[0]), item(2, &[])], vec![item(9, &[1]), item(3, &[0])]];
        let most = |groups: [Option<u32>; 2], value| {
            let elements = groups.map(element).to_vec();
            let problem = Reduced { classes: classes.clone(), elements, capacity: 1, cut: false };
            let schedule = Schedule::in_file_order(&[vec![0], vec![0, 1]], &problem.elements);
            is_cut(&problem, &schedule, value)
        };
        assert_eq!([15, 16].map(|value| most([None, None], value)), [true, false]);
        assert_eq!([10, 11].map(|value| most([Some(1), Some(1)], value)), [true, false], "2 + 9, or 7 + 3");
    }
}
