//! The JSON Schema of task-set files (`taskset.schema.json`, which editors complete and check by) beside the reader, which must
//! know the place of everything it refuses and so does not go through it: these tests hold the two together.

use serde_json::{Value, json};

use crate::reading::{
    AMOUNT_KEYS, BASE_KEYS, BLOCK_KEYS, CHECK_KEYS, CHOICE_KEYS, CLOCK_KEYS, CORES_KEYS, FIGURE_KEYS,
    PART_KEYS, SET_KEYS, TASK_KEYS, VARIANT_KEYS,
};
use crate::{SCHEMA, read_str};

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

fn keys(schema: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

fn sorted<'a>(keys: &[&'a str]) -> Vec<&'a str> {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys
}

#[test]
fn the_schema_beside_the_task_sets_is_that_of_the_crate() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tasksets/taskset.schema.json");
    assert!(std::fs::read_to_string(beside).unwrap() == SCHEMA, "copy it there");
    // Every definition is used, and every one that is used is there.
    let whole = schema();
    let (mut used, mut open) = (std::collections::BTreeSet::new(), vec![&whole]);
    while let Some(value) = open.pop() {
        if let Value::Object(object) = value {
            used.extend(object.get("$ref").map(|name| name.as_str().unwrap().trim_start_matches("#/$defs/")));
            open.extend(object.values());
        }
        open.extend(value.as_array().into_iter().flatten());
    }
    assert!(used.into_iter().eq(whole["$defs"].as_object().unwrap().keys()));
}

#[test]
fn the_schema_has_the_keys_that_the_reader_knows() {
    let schema = schema();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(keys(&schema), sorted(SET_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["task"]), sorted(TASK_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["task_part"]), sorted(PART_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["choice"]), sorted(CHOICE_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["block"]), sorted(BLOCK_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["variant"]), sorted(VARIANT_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["cores"]), sorted(CORES_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["check"]), sorted(CHECK_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["amounts"]["anyOf"][1]), sorted(AMOUNT_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["area"]), sorted(AMOUNT_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["base"]["anyOf"][1]), sorted(BASE_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["fmax"]), sorted(CLOCK_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["time"]), sorted(FIGURE_KEYS.names));
    let defined = ["task", "task_part", "choice", "block", "variant", "cores", "check"]
        .map(|name| &schema["$defs"][name]);
    for object in defined.into_iter().chain([&schema]) {
        for (key, property) in object["properties"].as_object().unwrap() {
            assert!(
                property["description"].as_str().is_some_and(|text| text.len() > 10),
                "{key} has no description"
            );
        }
    }
}

/// What the schema requires the reader requires, and what it lets be absent the reader does.
#[test]
fn the_schema_requires_what_the_reader_requires() {
    let schema = schema();
    let required =
        |object: &Value, key: &str| object["required"].as_array().unwrap().iter().any(|name| name == key);
    let set = |key: &str| required(&schema, key);
    let task = |key: &str| required(&schema["$defs"]["task"], key);
    let choice = |key: &str| required(&schema["$defs"]["choice"], key);
    let block = |key: &str| required(&schema["$defs"]["block"], key);
    let whole = [
        ("name: x", set("name")),
        ("description: x", set("description")),
        ("source: x", set("source")),
        ("clock: 1 MHz", set("clock")),
        ("area_unit: x", set("area_unit")),
        ("scheduler: rm", set("scheduler")),
        ("switch: 1", set("switch")),
        ("blocks:", set("blocks")),
        ("- name: b", block("name")),
        ("  area: 4", true),
        ("  slot: s", block("slot")),
        ("  fmax: 1 MHz", block("fmax")),
        ("  switch: 1", block("switch")),
        ("  source: x", block("source")),
        ("tasks:", set("tasks")),
        ("- name: a", task("name")),
        ("  wcet: 5", task("wcet")),
        ("  period: 9", task("period")),
        ("  deadline: 8", task("deadline")),
        ("  priority: 1", task("priority")),
        ("  jitter: 1", task("jitter")),
        ("  blocking: 1", task("blocking")),
        ("  nonpreemptive: 1", task("nonpreemptive")),
        ("  locks: {}", task("locks")),
        ("  source: x", task("source")),
        ("  choices:", task("choices")),
        ("  - name: c", choice("name")),
        ("    area: 1", choice("area")),
        ("    uses: [b]", choice("uses")),
        ("    locks: {bus: 0}", choice("locks")),
        ("    source: x", choice("source")),
        ("    saves: 1", true),
    ];
    for (left_out, &(line, required)) in whole.iter().enumerate() {
        // The head of a list goes with its items, blocks with their use; the line after a `-` takes it over.
        let last = match line.trim() {
            "tasks:" | "choices:" => whole.len(),
            "blocks:" => whole.iter().position(|&(line, _)| line == "tasks:").unwrap(),
            _ => left_out + 1,
        };
        let mut text = String::new();
        for (index, (kept, _)) in whole.iter().enumerate() {
            let needs = (line == "blocks:" && kept.contains("uses"))
                || (line.starts_with("clock") && kept.contains("fmax"));
            if (left_out..last).contains(&index) || needs {
                continue;
            }
            let takes_dash = line.trim().starts_with('-') && index == left_out + 1;
            let kept = if takes_dash {
                kept.replacen("  ", "- ", 1).replacen("-   ", "  - ", 1)
            } else {
                (*kept).to_owned()
            };
            text += &(kept + "\n");
        }
        assert_eq!(read_str("x", &text).is_err(), required, "without {line:?}:\n{text}");
    }
}

/// Keys of which one must be there or that exclude each other, and those that need `resources`, in the schema as in the reader.
#[test]
fn the_schema_requires_one_of_several_keys_where_the_reader_does() {
    let schema = schema();
    let choice = &schema["$defs"]["choice"];
    let either = json!([{"required": ["area"]}, {"required": ["cost"]}]);
    assert_eq!(choice["oneOf"], json!([{"required": ["wcet"]}, {"required": ["saves"]}]));
    assert_eq!([&choice["anyOf"][0], &choice["anyOf"][1]], [&either[0], &either[1]]);
    let blocks = json!({"required": ["uses"], "properties": {"uses": {"type": "array", "minItems": 1}}});
    assert_eq!(choice["anyOf"][2], blocks);
    assert_eq!(choice["not"], json!({"required": ["area", "cost"]}));
    assert_eq!(schema["$defs"]["block"]["oneOf"], either);
    assert_eq!(schema["not"], json!({"required": ["area_unit", "resources"]}));
    for key in ["objectives", "base", "device", "fill"] {
        let needed = schema["dependentRequired"][key].as_array().unwrap();
        assert!(needed.iter().any(|needed| needed == "resources"), "{key}");
    }
    let accepted = |head: &str, hardware: &str| {
        let choices = format!("choices: [{{name: c, {hardware}saves: 1}}]");
        let text = format!("name: x\n{head}\ntasks: [{{name: a, wcet: 5, period: 9, {choices}}}]");
        read_str("x", &text).is_ok()
    };
    let (area, cost) = ("blocks: [{name: b, area: 1}]", "resources: [LUT]\n");
    for hardware in
        ["area: 1, ", "uses: [b], ", "area: 1, uses: [b], ", "area: 1, uses: [], ", "area: 1, uses: ~, "]
    {
        assert!(accepted(area, hardware), "{hardware}");
    }
    for hardware in ["uses: [], ", "uses: ~, ", "area: ~, uses: [b], ", ""] {
        assert!(!accepted(area, hardware), "{hardware}");
    }
    for head in ["objectives: [LUT]", "base: {LUT: 1}", "device: {LUT: 9}", "device: {LUT: 9}\nfill: 90 %"] {
        assert!(!accepted(head, "area: 1, "), "{head}");
        assert!(accepted(&format!("{cost}{head}"), "cost: {LUT: 1}, "), "{head}");
    }
    assert!(accepted(cost, "cost: {LUT: 1}, ") && accepted("resources: [LUT]\nbase:", "cost: {LUT: 1}, "));
    for head in ["fill: 90 %", "area_unit: LUT"] {
        assert!(!accepted(&format!("{cost}{head}"), "cost: {LUT: 1}, "), "{head}");
    }
    for (head, hardware) in
        [(cost, "area: 1, "), ("", "cost: {LUT: 1}, "), (cost, "area: 1, cost: {LUT: 1}, ")]
    {
        assert!(!accepted(head, hardware), "{head} {hardware}");
    }
}
