//! Sets with one mode, with the same mode several times, and times by mode and variant. Fronts, verdicts and certificates of
//! modes are judged by `tests/random`.

use crate::common::designs::{options, whole, written};
use isx::exploration::Exploration;
use isx::explore::explore;
use isx::taskset::{TaskSet, read_str};

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

#[test]
fn times_are_given_by_variant_by_mode_or_by_both() {
    let set = |wcet: &str| {
        let text = format!(
            "name: x\nvariants: [{{name: small}}, {{name: cached, area: 4}}]\nmodes: [cruise, landing]\ntasks:\n\
             - {{name: t, wcet: {wcet}, period: {{cruise: 8, landing: 10}}, choices: [{{name: c, area: 1, saves: 1}}]}}\n"
        );
        read_str("x", &text).map(|read| read.task_set)
    };
    let times = |wcet: &str| -> Vec<String> {
        let set = set(wcet).unwrap();
        let own = |variant| (0..2).map(move |mode| (variant, mode));
        let places = (0..2).flat_map(own).map(|(variant, mode)| set.wcet_place(variant, mode));
        places.map(|place| set.tasks[0].wcet_in(place).to_string()).collect()
    };
    assert_eq!(times("5"), ["5", "5", "5", "5"]);
    assert_eq!(times("{cruise: 5, landing: 6}"), ["5", "6", "5", "6"]);
    assert_eq!(times("{small: 5, cached: 3}"), ["5", "5", "3", "3"]);
    let both = "{small: {cruise: 5, landing: 6}, cached: 3}";
    assert_eq!(times(both), ["5", "6", "3", "3"]);
    let front: serde_json::Value = serde_json::from_str(&written(&set(both).unwrap()).0).unwrap();
    let last = front["points"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["variant"], &last["critical_mode"]), (&"cached".into(), &"cruise".into()));
    assert_eq!(last["mode_utilization"]["landing"]["den"], "5");
    for (wcet, why) in [
        ("{small: 5}", "not given for variant `cached`"),
        ("{small: {cruise: 5}, cached: 3}", "not given for mode `landing`"),
        ("{small: 5, cruise: 3}", "unknown variant `cruise`"),
    ] {
        let refused = set(wcet).unwrap_err().to_string();
        assert!(refused.contains(why), "{refused}");
    }
    let same = "name: x\nvariants: [{name: a}]\nmodes: [a]\ntasks: [{name: t, wcet: 1, period: 2}]\n";
    assert!(read_str("x", same).unwrap_err().to_string().contains("has the name of a variant"));
}
