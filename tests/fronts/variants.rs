//! A processor of one variant, and the same without.

use crate::common::designs::written;
use isx::taskset::read_str;

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
