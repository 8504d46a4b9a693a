//! The JSON Schema of task-set files (`taskset.schema.json`, which editors complete and check by) beside the reader, which must
//! know the place of everything it refuses and so does not go through it: these tests hold the two together.

use serde_json::{Value, json};
use std::collections::BTreeSet;

use crate::reading::KINDS;
use crate::{SCHEMA, read_str};

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

#[test]
fn the_schema_beside_the_task_sets_is_that_of_the_crate() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tasksets/taskset.schema.json");
    assert!(std::fs::read_to_string(beside).unwrap() == SCHEMA, "copy it there");
    // Every definition is used, and every one that is used is there.
    let whole = schema();
    let (mut used, mut open) = (BTreeSet::new(), vec![&whole]);
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
    let mut known = KINDS.map(|keys| (keys.of, keys.names.to_vec()));
    known.iter_mut().for_each(|(_, names)| names.sort_unstable());
    let mut open: BTreeSet<&str> = KINDS.iter().map(|keys| keys.of).collect();
    for (place, of) in [
        ("", "a task set"),
        ("/$defs/task", "a task"),
        ("/$defs/task_part", "a part"),
        ("/$defs/choice", "a choice"),
        ("/$defs/block", "a block"),
        ("/$defs/variant", "a variant"),
        ("/$defs/cores", "cores"),
        ("/$defs/check", "a check"),
        ("/$defs/amounts/anyOf/1", "an amount of reports"),
        ("/$defs/area", "an amount of reports"),
        ("/$defs/base/anyOf/1", "a base of reports"),
        ("/$defs/fmax", "a clock of reports"),
        ("/$defs/time", "a figure of reports"),
    ] {
        let properties = schema.pointer(place).unwrap()["properties"].as_object().unwrap();
        let keys: BTreeSet<&str> = properties.keys().map(String::as_str).collect();
        assert!(known.contains(&(of, keys.into_iter().collect())), "{place}");
        open.remove(of);
    }
    assert!(open.is_empty(), "{open:?}");
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
    let choice =
        json!({"name": "c", "area": 1, "uses": ["b"], "locks": {"bus": 0}, "source": "x", "saves": 1});
    let task = json!({
        "name": "a", "wcet": 5, "period": 9, "deadline": 8, "priority": 1, "jitter": 1, "blocking": 1, "nonpreemptive": 1,
        "locks": {}, "source": "x", "choices": [choice],
    });
    let block = json!({"name": "b", "area": 4, "slot": "s", "fmax": "1 MHz", "switch": 1, "source": "x"});
    let set = json!({
        "name": "x", "description": "x", "source": "x", "clock": "1 MHz", "area_unit": "x", "scheduler": "rm", "switch": 1,
        "blocks": [block], "tasks": [task],
    });
    let refused = |set: &Value| read_str("x", &format!("{set:#}")).is_err();
    assert!(!refused(&set));
    for (path, of) in [
        ("", &schema),
        ("/blocks/0", &schema["$defs"]["block"]),
        ("/tasks/0", &schema["$defs"]["task"]),
        ("/tasks/0/choices/0", &schema["$defs"]["choice"]),
    ] {
        for key in set.pointer(path).unwrap().as_object().unwrap().keys() {
            let mut without = set.clone();
            let mut leave_out = |path: &str, key: &str| {
                without.pointer_mut(path).unwrap().as_object_mut().unwrap().remove(key);
            };
            // Blocks go with their use, and a clock with what limits it.
            match key.as_str() {
                "blocks" => leave_out("/tasks/0/choices/0", "uses"),
                "clock" => leave_out("/blocks/0", "fmax"),
                _ => {}
            }
            leave_out(path, key);
            // One of two keys is required, or one of three.
            let is_one_of_two = key == "saves" || (path, key.as_str()) == ("/blocks/0", "area");
            let required = of["required"].as_array().unwrap().iter().any(|name| name == key) || is_one_of_two;
            assert_eq!(refused(&without), required, "without {key}: {without:#}");
        }
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
