//! The order of the classes, and when each element is open.

use isx_problems::resources::Problem;
use isx_problems::set_union::Element;
use isx_set_union::order::Schedule;

/// The classes in an order that keeps few elements open, or in that of the file. An element of a group stays open until
/// all of the group can close: which one is used becomes known only as items are taken.
pub(crate) fn schedule_of(problem: &Problem, in_file_order: bool) -> Schedule {
    let used = problem.classes.iter().map(|items| {
        let mut used: Vec<u32> = items.iter().flat_map(|item| &item.uses).copied().collect();
        used.sort_unstable();
        used.dedup();
        used
    });
    let used: Vec<Vec<u32>> = used.collect();
    let elements = problem.elements.iter().map(|element| Element { weight: 0, group: element.group });
    let elements: Vec<Element> = elements.collect();
    let mut schedule = match in_file_order {
        true => Schedule::in_file_order(&used, &elements),
        false => Schedule::new(&used, &elements),
    };
    let closed = |schedule: &Schedule, element: u32| {
        schedule.steps.iter().position(|step| step.closes.contains(&element))
    };
    for (element, at) in (0u32..).zip(&elements).filter(|(_, at)| at.group.is_some()) {
        let others = (0u32..).zip(&elements).filter(|(_, other)| other.group == at.group);
        let last = others.filter_map(|(other, _)| closed(&schedule, other)).max();
        if let (Some(own), Some(last)) = (closed(&schedule, element), last) {
            schedule.steps[own].closes.retain(|&other| other != element);
            schedule.steps[last].closes.push(element);
        }
    }
    schedule
}
