//! A task set with one area and the same with one resource.

use crate::common::designs::{Shared, cases, tasks_with_short_deadlines, written};
use crate::common::{Random, random_instance};
use isx::taskset::{Resources, TaskSet};
use rayon::prelude::*;

/// A set with one area as one with one resource of that name.
fn in_one_resource(mut set: TaskSet) -> TaskSet {
    set.resources = Resources::new(["area"]);
    set.validate().unwrap();
    set
}

#[test]
fn one_resource_gives_the_same_table_as_one_area() {
    let cases = cases(1_000);
    (0..cases).into_par_iter().for_each(|seed| {
        let mut random = Random(seed ^ 0x0a5e);
        let mut tasks = match seed % 2 {
            0 => random_instance(&mut random).tasks,
            _ => tasks_with_short_deadlines(&mut random),
        };
        tasks.truncate(4);
        let set = Shared::with_clocks(tasks, &mut random).task_set();
        let (area, resource) = (written(&set), written(&in_one_resource(set.clone())));
        assert_eq!(area.1, resource.1, "seed {seed}");
        let [area, resource]: [serde_json::Value; 2] =
            [area.0, resource.0].map(|document| serde_json::from_str(&document).unwrap());
        for field in ["schema", "resources", "points", "min_schedulable_area", "min_schedulable_designs"] {
            assert_eq!(area[field], resource[field], "seed {seed}: {field}");
        }
    });
}
