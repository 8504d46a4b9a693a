//! Times by mode and variant. Fronts, verdicts and certificates of modes are judged by `tests/random`.

use crate::common::designs::written;
use isx::taskset::read_str;

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
