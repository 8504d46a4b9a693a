//! Long searches for the smallest area. Those of small sets, and ones that are cut short, are judged by `tests/random`.

use crate::options;
use crate::random::{Design, Plain, Random};
use crate::simulation::Job;
use isx::explore::explore;

/// Enough tasks and choices that neighbors are merged, staircases thinned and cuts shared; few enough to enumerate
/// all designs.
#[test]
fn thousands_of_designs_are_searched_as_all_are() {
    let mut random = Random(0xf1_1111);
    let (mut found, mut none) = (0, 0);
    for round in 0..60 {
        let mut set = Plain::fixed(&mut random);
        set.blocks.clear();
        set.tasks.clear();
        set.choices.clear();
        for at in 0..6u64 {
            // The slow tasks are preempted many times before their deadlines.
            let period = [8, 12, 40, 60, 120, 360][at as usize];
            let wcet = random.within(period / 6 + 1, period / 4 + 1);
            let deadline = random.within(2 * period / 3, 4 * period / 3);
            set.tasks.push(Job::new(wcet, period, deadline, random.within(1, 6)));
            let choice = |_| crate::random::PlainChoice {
                area: random.within(1, 300),
                wcet: random.within(wcet / 2 + 1, wcet),
                uses: Vec::new(),
            };
            set.choices.push((0..3).map(choice).collect());
        }
        let mut passing: Vec<Design> = set.designs().into_iter().filter(|design| design.passes).collect();
        passing.sort_by_key(|design| (design.area, design.demand));
        let explored = explore(&set.task_set(), &options()).unwrap();
        let smallest = explored.smallest().map(|chosen| chosen.choices.clone());
        assert_eq!(smallest, passing.first().map(|design| design.choices.clone()), "round {round} {set:?}");
        *if smallest.is_some() { &mut found } else { &mut none } += 1;
    }
    println!("{found} {none}");
    assert!(found >= 5 && none >= 5, "{found} {none}");
}
