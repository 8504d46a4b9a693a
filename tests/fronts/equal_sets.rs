//! Sets that are written in two ways and have the same front.

use crate::common::designs::{example, options, whole, written};
use isx::exploration::Exploration;
use isx::explore::{check, explore};
use isx::quantity::Rational;
use isx::taskset::{Block, TaskSet, TimeBase, read_str};

/// Examples with short deadlines, blocks, clocks and priorities.
const EXAMPLES: [&str; 5] = [
    "constrained-deadlines",
    "crypto-gateway-shared",
    "neorv32-extensions",
    "papabench-autopilot-rm",
    "tutorial",
];

/// What is shown of a front beside its blocks.
fn printed(explored: &Exploration) -> impl PartialEq + std::fmt::Debug {
    let points: Vec<_> = explored.designs().map(|(point, design)| (design, point.choices())).collect();
    (points, explored.verdicts.points.clone(), explored.front.account().engine)
}

#[test]
fn one_resource_gives_the_same_table_as_one_area() {
    for name in EXAMPLES {
        let set = example(name);
        let mut resource = set.clone();
        resource.resources.area_unit = None;
        resource.validate().unwrap();
        let (area, resource) = (written(&set), written(&resource));
        // A table is headed by the resource.
        let rows = |table: &str| table.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(rows(&area.1), rows(&resource.1), "{name}");
        let [area, resource]: [serde_json::Value; 2] =
            [area.0, resource.0].map(|document| serde_json::from_str(&document).unwrap());
        for field in ["schema", "points", "min_schedulable_area", "min_schedulable_designs"] {
            assert_eq!(area[field], resource[field], "{name}: {field}");
        }
    }
}

#[test]
fn what_one_task_alone_uses_costs_as_its_own_area_does() {
    for name in ["tutorial", "thesis-set-1", "constrained-deadlines", "papabench-autopilot-rm"] {
        let plain = example(name);
        assert!(plain.blocks.is_empty(), "{name}");
        let mut set = plain.clone();
        for task in &mut set.tasks {
            for choice in &mut task.choices {
                let area = std::mem::take(&mut choice.cost[0]);
                choice.uses = vec![set.blocks.len() as u32];
                set.blocks.push(Block::new(format!("of {} {}", task.name, choice.name), area));
            }
        }
        let [one, other] = [&plain, &set].map(|set| explore(set, &options()).unwrap());
        assert_eq!(printed(&other), printed(&one), "{name}");
    }
}

#[test]
fn a_block_that_no_choice_uses_changes_nothing_however_large_and_fine_its_area_is() {
    let area = || Rational::new(10i128.pow(38).into(), 7.into());
    for name in EXAMPLES {
        let set = example(name);
        let mut with = set.clone();
        let slot = set.blocks.iter().find_map(|block| block.slot.clone());
        with.blocks.push(Block { slot, ..Block::new("no choice uses this", area()) });
        let [one, other] = [&set, &with].map(|set| explore(set, &options()).unwrap());
        assert_eq!(printed(&other), printed(&one), "{name}");
        let middle = one.front.get(one.front.len() / 2).unwrap().area();
        let [one, other] = [&set, &with].map(|set| check(set, &middle, &options()).unwrap());
        assert_eq!(other.verdict, one.verdict, "{name}");
    }
}

#[test]
fn a_limit_that_no_design_meets_changes_nothing_but_what_is_told_of_the_clock() {
    let mut set = example("neorv32-extensions");
    set.blocks.iter_mut().for_each(|block| block.fmax = None);
    let plain = explore(&set, &options()).unwrap();
    let TimeBase::Cycles { hertz } = set.time_base.clone() else { panic!("without a clock") };
    for (block, more) in set.blocks.iter_mut().zip([0, 1, 1000].into_iter().cycle()) {
        block.fmax = Some(&hertz + Rational::from_integer(more.into()));
    }
    let limited = explore(&set, &options()).unwrap();
    assert_eq!(printed(&limited), printed(&plain));
    let (one, other) = (plain.front.formulation(), limited.front.formulation());
    assert_eq!((&one.time_unit, one.mckp()), (&other.time_unit, other.mckp()));
    let software = vec![None; set.tasks.len()];
    assert_eq!((one.clock_of(&software), other.clock_of(&software)), (None, Some(&hertz)));
    assert_eq!(plain.front.account().why, limited.front.account().why);
}

/// A single variant that costs nothing changes nothing but its name, and one chosen is the set in it.
#[test]
fn a_single_free_variant_is_the_set_without_variants() {
    for (head, cost) in [("area_unit: LUT", "area: 7"), ("resources: [LUT, DSP]", "cost: {LUT: 7}")] {
        let tasks = format!(
            "tasks:\n- {{name: a, wcet: 9, period: 1 s, choices: [{{name: c, {}, wcet: 4}}]}}",
            cost.replace('7', "5")
        );
        let set = |variants: &str| {
            read_str("x", &format!("name: x\nclock: 10 Hz\n{head}\n{variants}\n{tasks}\n")).unwrap().task_set
        };
        let free = written(&set("variants: [{name: only}]"));
        let plain = written(&set(""));
        assert_eq!(free.0.replace(",\"variant\":\"only\"", ""), plain.0);
        assert_eq!(free.1.replace(",variant", "").replace(",only", ""), plain.1);
        assert_ne!(free, plain);
        // What a variant takes is part of every design, whether it is the only one or the chosen one.
        let both =
            set(&format!("variants: [{{name: small, {cost}}}, {{name: big, {}}}]", cost.replace('7', "90")));
        let alone = set(&format!("variants: [{{name: small, {cost}}}]"));
        let chosen = both.in_variant(0).unwrap();
        assert_eq!(written(&alone).0.replace(",\"variant\":\"small\"", ""), written(&chosen).0);
    }
}

fn points(explored: &Exploration) -> Vec<(u64, Vec<Option<u32>>)> {
    explored.front.iter().map(|point| (whole(&point.area()), point.choices().unwrap())).collect()
}

fn set(modes: &str, period: &str) -> TaskSet {
    let text = format!(
        "name: x\nclock: 10 Hz\n{modes}\nblocks: [{{name: b, area: 3, fmax: 9 Hz}}]\ntasks:\n\
         - {{name: a, wcet: 9, period: {period}, choices: [{{name: c, area: 5, wcet: 4}}, {{name: d, uses: [b], saves: 2}}]}}\n\
         - {{name: e, wcet: 3, period: 2 s, choices: [{{name: c, area: 2, wcet: 2}}]}}\n"
    );
    read_str("x", &text).unwrap().task_set
}

/// A single mode changes nothing but the fields that name it.
#[test]
fn a_single_mode_is_the_set_without_modes() {
    let (only, plain) = (written(&set("modes: [only]", "{only: 1 s}")), written(&set("", "1 s")));
    let own: Vec<&str> = only.0.lines().filter(|line| !line.starts_with("  \"modes\"")).collect();
    let end = |line: &str| match line.find(",\"mode_utilization\"") {
        Some(at) => line[..at].to_owned() + &line[line.find("\"critical_mode\":\"only\"").unwrap() + 22..],
        None => line.to_owned(),
    };
    assert_eq!(own.iter().map(|line| end(line)).collect::<Vec<_>>(), plain.0.lines().collect::<Vec<_>>());
    let without = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        [&fields[..7], &fields[8..]].concat().join(",")
    };
    assert_eq!(only.1.lines().map(without).collect::<Vec<_>>(), plain.1.lines().collect::<Vec<_>>());
}

/// A mode that is given twice changes no point.
#[test]
fn a_mode_given_twice_changes_no_point() {
    let once = explore(&set("", "1 s"), &options()).unwrap();
    for modes in ["modes: [x, y]", "modes: [x, y, z]"] {
        let twice = explore(&set(modes, "1 s"), &options()).unwrap();
        assert_eq!(points(&twice), points(&once));
        assert_eq!(twice.verdicts.points, once.verdicts.points);
        assert_eq!(twice.verdicts.smallest, once.verdicts.smallest);
    }
}
