//! The shape of a task-set file as Rust types, from which its JSON Schema is made.
//!
//! They exist for the schema alone (`tasksets/taskset.schema.json`, which editors complete and check by); the reader
//! does not go through them, since it must know the place of everything it refuses. The tests hold the two together.

#![allow(dead_code, reason = "the fields are read by the derive of JsonSchema only")]

use schemars::{JsonSchema, Schema, json_schema, schema_for};
use serde_json::Value;

use crate::read_str;
use crate::reading::{BLOCK_KEYS, CHOICE_KEYS, CORES_KEYS, SET_KEYS, TASK_KEYS, VARIANT_KEYS};

/// A set of periodic or sporadic real-time tasks and the custom instructions that each of them could be given.
#[derive(JsonSchema)]
#[schemars(rename = "task set", deny_unknown_fields, transform = go_together)]
struct TaskSetFile {
    /// Name of the task set, used in titles.
    #[schemars(with = "Label")]
    name: String,
    /// Free text about the task set.
    description: Option<String>,
    /// Where the figures come from.
    source: Option<String>,
    /// Clock rate of the processor, such as `100 MHz`. With it, times without a unit are processor cycles.
    #[schemars(with = "Option<Rate>", transform = not_null)]
    clock: Option<String>,
    /// Unit of all areas as printed, such as `NAND2` or `LUT`.
    area_unit: Option<String>,
    /// The resources that hardware costs, such as `[LUT, DSP]`, in place of one area: choices and blocks then have a `cost`.
    #[schemars(with = "Option<Vec<Label>>", length(min = 1, max = 16), extend("uniqueItems" = true))]
    resources: Option<Vec<String>>,
    /// The resources that the front is computed for, all of them if absent; the others only have limits.
    #[schemars(with = "Option<Vec<Label>>", length(min = 1, max = 16), extend("uniqueItems" = true))]
    objectives: Option<Vec<String>>,
    /// What every design costs: the processor itself.
    #[schemars(with = "Option<Amounts>")]
    base: Option<String>,
    /// What there is of each resource: the name of a known device, or a mapping such as `{name: mine, LUT: 5280, DSP: 8}`.
    #[schemars(with = "Option<Device>", transform = not_null)]
    device: Option<String>,
    /// The part of the device that a design may use, such as `90 %`, for all resources or for each.
    #[schemars(with = "Option<Fill>", transform = not_null)]
    fill: Option<String>,
    /// Variants of the processor, of which exactly one is built; each with a name of its own.
    #[schemars(length(max = 100))]
    variants: Option<Vec<VariantEntry>>,
    /// The cores of a chip, among which `isx partition` distributes the tasks.
    cores: Option<CoresEntry>,
    /// The modes, such as `[cruise, landing]`, of which one runs at a time, all on one hardware; none has the name of a variant.
    #[schemars(with = "Option<Vec<Label>>", length(min = 1, max = 16), extend("uniqueItems" = true))]
    modes: Option<Vec<String>>,
    /// What decides which job runs: earliest deadline first (if absent), rate-monotonic, deadline-monotonic or fixed
    /// priorities, of which then every task has one.
    #[schemars(with = "Option<SchedulerName>", transform = not_null)]
    scheduler: Option<String>,
    /// What one context switch costs, in the unit of WCETs, 0 or more; every job begins and ends with one.
    #[schemars(with = "Option<Time>", transform = not_null)]
    switch: Option<String>,
    /// Hardware that choices of any tasks use, built once; each block with a name of its own.
    blocks: Option<Vec<BlockEntry>>,
    /// The tasks, at least one, each with a name of its own.
    #[schemars(length(min = 1))]
    tasks: Vec<TaskEntry>,
}

/// Hardware that is built once, however many choices use it: a multiplier, an S-box, a whole instruction.
#[derive(JsonSchema)]
#[schemars(rename = "block", deny_unknown_fields, transform = area_or_cost)]
struct BlockEntry {
    /// Name of the block, unique among the blocks; choices name it in `uses`.
    #[schemars(with = "Label")]
    name: String,
    /// Hardware area in the set's `area_unit`, 0 or greater.
    #[schemars(with = "Option<Area>", transform = not_null)]
    area: Option<String>,
    /// What it costs of each of the set's `resources`, in place of `area`: `{LUT: 41, DSP: 4}`.
    #[schemars(with = "Option<Amounts>", transform = not_null)]
    cost: Option<String>,
    /// The slot that the block goes into: of the blocks of a slot a design builds at most one.
    #[schemars(with = "Option<Label>", transform = not_null)]
    slot: Option<String>,
    /// Whether it is built on every core that uses it (`core`, if absent) or once for the `chip`; only where the set has
    /// `cores`.
    #[schemars(with = "Option<Scope>", transform = not_null)]
    scope: Option<String>,
    /// The fastest clock of a design that builds it, such as `90 MHz`; only where the set has a `clock`.
    #[schemars(with = "Option<Rate>", transform = not_null)]
    fmax: Option<String>,
    /// What one context switch of a task that uses it costs in addition, in the unit of WCETs: to save or restore its state.
    #[schemars(with = "Option<Time>", transform = not_null)]
    switch: Option<String>,
    /// Where the figures come from.
    source: Option<String>,
}

/// A variant of the processor: with caches or without, with a fast or a slow multiplier.
#[derive(JsonSchema)]
#[schemars(rename = "variant", deny_unknown_fields, transform = not_both)]
struct VariantEntry {
    /// Name of the variant, unique among the variants; `wcet` and `saves` may map it to a time.
    #[schemars(with = "Label")]
    name: String,
    /// Its area in the set's `area_unit`, 0 or greater; 0 if absent.
    #[schemars(with = "Option<Area>", transform = not_null)]
    area: Option<String>,
    /// What it costs of each of the set's `resources`, in place of `area`: `{LUT: 504, BRAM: 2}`.
    #[schemars(with = "Option<Amounts>", transform = not_null)]
    cost: Option<String>,
    /// The fastest clock of its designs, such as `73 MHz`; only where the set has a `clock`.
    #[schemars(with = "Option<Rate>", transform = not_null)]
    fmax: Option<String>,
    /// Where the figures come from.
    source: Option<String>,
}

/// The cores of a chip: equal processors, each with one or several of the tasks.
#[derive(JsonSchema)]
#[schemars(rename = "cores", deny_unknown_fields, transform = not_both)]
struct CoresEntry {
    /// The number of cores, or a range of numbers to compare, such as `1..4`.
    #[schemars(with = "Option<Count>", transform = not_null)]
    count: Option<String>,
    /// The area of a core without choices and blocks, 0 or greater; 0 if absent.
    #[schemars(with = "Option<Area>", transform = not_null)]
    area: Option<String>,
    /// What a core costs of each of the set's `resources`, in place of `area`.
    #[schemars(with = "Option<Amounts>", transform = not_null)]
    cost: Option<String>,
}

/// A task: its worst-case execution time in software, how often it runs, and its custom-instruction choices.
#[derive(JsonSchema)]
#[schemars(rename = "task", deny_unknown_fields)]
struct TaskEntry {
    /// Name of the task, unique within the set.
    #[schemars(with = "Label")]
    name: String,
    /// Worst-case execution time in software, greater than 0: `3260` (cycles where `clock` is given) or `2.5 ms`; where the
    /// set has `variants` or `modes`, also a mapping from each to its time.
    #[schemars(with = "Times")]
    wcet: String,
    /// What it takes at most if it exceeds its `wcet`, which `--overruns G` allows of G tasks at a time; not below `wcet`.
    #[schemars(with = "Option<Time>", transform = not_null)]
    wcet_high: Option<String>,
    /// Period or minimum inter-arrival time, greater than 0, such as `10 ms` or `15/61 s`; where the set has `modes`, also a
    /// mapping from those in which the task runs.
    #[schemars(with = "Times")]
    period: String,
    /// Relative deadline, greater than 0; the period if absent; where the set has `modes`, also a mapping from modes.
    #[schemars(with = "Option<Times>", transform = not_null)]
    deadline: Option<String>,
    /// Fixed priority for `scheduler: fixed`, a whole number from 1, the highest; tasks of equal priority count against each other.
    /// With `rm` and `dm` it may order tasks of equal periods or deadlines.
    #[schemars(with = "Option<Priority>", transform = not_null)]
    priority: Option<String>,
    /// How long after its arrival a job is released at most, such as `0.2 ms`; deadlines count from the arrival. At most the
    /// deadline.
    #[schemars(with = "Option<Time>", transform = not_null)]
    jitter: Option<String>,
    /// The longest time that its jobs wait because holders outside the set have what they need, 0 or more.
    #[schemars(with = "Option<Time>", transform = not_null)]
    blocking: Option<String>,
    /// The longest part of it that cannot be interrupted, wherever it lies, of a shorter job all of it; `all`: the whole
    /// task, whatever choice it takes.
    #[schemars(with = "Option<Part>", transform = not_null)]
    nonpreemptive: Option<String>,
    /// Its longest critical section on each shared resource, such as `{bus: 20 us}`; of a shorter job all of it.
    #[schemars(with = "Option<Locks>", transform = not_null)]
    locks: Option<String>,
    /// The core it must run on, counted from 0; only where the set has `cores`.
    #[schemars(with = "Option<Core>", transform = not_null)]
    core: Option<String>,
    /// Names of tasks that must run on other cores than this one; only where the set has `cores`.
    #[schemars(with = "Option<Vec<Label>>")]
    apart: Option<Vec<String>>,
    /// Where the figures come from.
    source: Option<String>,
    /// The custom instructions to choose from; the task takes at most one of them.
    choices: Option<Vec<ChoiceEntry>>,
}

/// A custom-instruction choice: hardware for a lower WCET. The hardware is its own `area`, the blocks it `uses`, or
/// both; the WCET is given as the new `wcet` or as what it `saves`.
#[derive(JsonSchema)]
#[schemars(rename = "choice", deny_unknown_fields, transform = either_of_each_pair)]
struct ChoiceEntry {
    /// Name of the choice, unique within the task.
    #[schemars(with = "Label")]
    name: String,
    /// Area of its own hardware in the set's `area_unit`, 0 or greater; 0 if absent, but then it `uses` blocks.
    #[schemars(with = "Option<Area>", transform = not_null)]
    area: Option<String>,
    /// What its own hardware costs of each of the set's `resources`, in place of `area`: `{LUT: 41, DSP: 4}`.
    #[schemars(with = "Option<Amounts>", transform = not_null)]
    cost: Option<String>,
    /// Names of the blocks that it uses, each once, and at most one of a slot.
    #[schemars(with = "Option<Vec<Label>>", extend("uniqueItems" = true))]
    uses: Option<Vec<String>>,
    /// Worst-case execution time of the task with this choice, greater than 0; a time, or one for each variant or mode.
    #[schemars(with = "Option<Times>", transform = not_null)]
    wcet: Option<String>,
    /// Time by which this choice lowers the worst-case execution time; smaller than the task's `wcet`; a time,
    /// or one for each variant or mode.
    #[schemars(with = "Option<Times>", transform = not_null)]
    saves: Option<String>,
    /// What the task takes at most with this choice if it exceeds the WCET; not below it.
    #[schemars(with = "Option<Time>", transform = not_null)]
    wcet_high: Option<String>,
    /// Its longest critical section on each shared resource with this choice, in place of the task's `locks`.
    #[schemars(with = "Option<Locks>", transform = not_null)]
    locks: Option<String>,
    /// Where the figures come from.
    source: Option<String>,
}

/// A type of scalar: its name in the schema and the schema itself.
macro_rules! scalar {
    ($name:ident, $schema:tt) => {
        struct $name;

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).to_lowercase().into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

// YAML gives an editor `name: 7` as a number; the reader takes the text.
scalar!(Label, {
    "description": "A text of one line with something to see.",
    "type": ["string", "number", "boolean"],
    "minLength": 1
});
scalar!(Time, {
    "description": "A number, or a number with one of the units s, ms, us, ns, ps; a fraction is allowed.",
    "type": ["number", "string"],
    "minimum": 0,
    "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?(\s*/\s*[0-9.]+([eE][+-]?[0-9]+)?)?\s*(s|ms|us|µs|μs|ns|ps)?\s*$"
});
scalar!(Part, {
    "description": "A time, or `all`.",
    "type": ["number", "string"],
    "minimum": 0,
    "pattern": r"^\s*(all|[+]?[0-9.]+([eE][+-]?[0-9]+)?(\s*/\s*[0-9.]+([eE][+-]?[0-9]+)?)?\s*(s|ms|us|µs|μs|ns|ps)?\s*)$"
});
scalar!(Locks, {
    "description": "A mapping from names of shared resources to times.",
    "type": "object",
    "additionalProperties": {"$ref": "#/$defs/time"}
});
scalar!(Times, {
    "description": "A time, or a mapping from the name of each variant or mode to a time; with both, a variant's may map each mode.",
    "type": ["number", "string", "object"],
    "minimum": 0,
    "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?(\s*/\s*[0-9.]+([eE][+-]?[0-9]+)?)?\s*(s|ms|us|µs|μs|ns|ps)?\s*$",
    "additionalProperties": {"$ref": "#/$defs/times"}
});
scalar!(Area, {
    "description": "A number without a unit.",
    "type": ["number", "string"],
    "minimum": 0,
    "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?\s*$"
});
scalar!(Amounts, {
    "description": "An amount of each resource, of any sign; 0 for those left out.",
    "type": "object",
    "additionalProperties": {
        "type": ["number", "string"],
        "pattern": r"^\s*[+-]?[0-9.]+([eE][+-]?[0-9]+)?\s*$"
    }
});
scalar!(Device, {
    "description": "The name of a device, or what it has of each resource.",
    "type": ["string", "object"],
    "minLength": 1,
    "properties": {"name": {"type": ["string", "number", "boolean"], "minLength": 1}},
    "additionalProperties": {
        "type": ["number", "string"],
        "minimum": 0,
        "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?\s*$"
    }
});
scalar!(Fill, {
    "description": "A part above 0 and at most 100 %, or one for each resource.",
    "type": ["number", "string", "object"],
    "exclusiveMinimum": 0,
    "maximum": 1,
    "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?\s*%?\s*$",
    "additionalProperties": {
        "type": ["number", "string"],
        "exclusiveMinimum": 0,
        "maximum": 1,
        "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?\s*%?\s*$"
    }
});
scalar!(Rate, {
    "description": "A number with one of the units Hz, kHz, MHz, GHz.",
    "type": "string",
    "pattern": r"^\s*[+]?[0-9./]+([eE][+-]?[0-9]+)?\s*([hH][zZ]|[kK][hH][zZ]|M[hH][zZ]|[gG][hH][zZ])\s*$"
});

scalar!(SchedulerName, {
    "description": "A scheduler.",
    "enum": ["edf", "rm", "dm", "fixed"]
});
scalar!(Scope, {
    "description": "Where a block is built.",
    "enum": ["core", "chip"]
});
scalar!(Count, {
    "description": "A whole number from 1 to 64, or two of them with `..` between.",
    "type": ["integer", "string"],
    "minimum": 1,
    "maximum": 64,
    "pattern": r"^\s*[0-9]+\s*(\.\.\s*[0-9]+\s*)?$"
});
scalar!(Core, {
    "description": "A whole number, 0 or greater.",
    "type": ["integer", "string"],
    "minimum": 0,
    "maximum": 63,
    "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?\s*$"
});
scalar!(Priority, {
    "description": "A whole number, 1 or greater.",
    "type": ["integer", "string"],
    "minimum": 1,
    "maximum": 4_294_967_295u32,
    "pattern": r"^\s*[+]?[0-9.]+([eE][+-]?[0-9]+)?\s*$"
});

/// The keys that only mean something beside others.
fn go_together(schema: &mut Schema) {
    let needs = serde_json::json!({
        "objectives": ["resources"], "base": ["resources"], "device": ["resources"], "fill": ["resources", "device"]
    });
    schema.insert("dependentRequired".to_owned(), needs);
    schema.insert("not".to_owned(), serde_json::json!({"required": ["area_unit", "resources"]}));
}

/// At most one of `area` and `cost`.
fn not_both(schema: &mut Schema) {
    schema.insert("not".to_owned(), serde_json::json!({"required": ["area", "cost"]}));
}

/// Exactly one of `area` and `cost`.
fn area_or_cost(schema: &mut Schema) {
    schema.insert("oneOf".to_owned(), serde_json::json!([{"required": ["area"]}, {"required": ["cost"]}]));
}

/// Exactly one of `wcet` and `saves`; `area`, `cost` or a block that it uses.
fn either_of_each_pair(schema: &mut Schema) {
    schema.insert("oneOf".to_owned(), serde_json::json!([{"required": ["wcet"]}, {"required": ["saves"]}]));
    let uses =
        serde_json::json!({"required": ["uses"], "properties": {"uses": {"type": "array", "minItems": 1}}});
    schema.insert(
        "anyOf".to_owned(),
        serde_json::json!([{"required": ["area"]}, {"required": ["cost"]}, uses]),
    );
    schema.insert("not".to_owned(), serde_json::json!({"required": ["area", "cost"]}));
}

/// A key may be left out, but not left empty: a deadline that someone forgot to fill in is no deadline by default.
fn not_null(schema: &mut Schema) {
    if let Some(Value::Array(alternatives)) = schema.remove("anyOf")
        && let Some(Value::Object(first)) = alternatives.into_iter().next()
    {
        first.into_iter().for_each(|(key, value)| drop(schema.insert(key, value)));
    }
}

fn generated() -> Value {
    let mut schema = schema_for!(TaskSetFile);
    schema.insert("title".to_owned(), "isx task set".into());
    // A name, not a place: the schema is on no server. The number rises when files that were valid are no longer.
    schema.insert("$id".to_owned(), "urn:isx:taskset:1".into());
    schema.into()
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
fn the_committed_schema_is_the_generated_one() {
    // One for the crate, and one beside the task sets, which name it in their first line.
    let folder = env!("CARGO_MANIFEST_DIR");
    let paths = ["", "../../tasksets/"].map(|place| format!("{folder}/{place}taskset.schema.json"));
    let mut schema = generated();
    schema.sort_all_objects();
    let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    for path in paths {
        if std::env::var_os("ISX_UPDATE_SCHEMA").is_some() {
            std::fs::write(&path, &text).unwrap();
        }
        let committed = std::fs::read_to_string(&path).unwrap();
        assert!(
            committed == text,
            "run `ISX_UPDATE_SCHEMA=1 cargo test schema`, then look at the difference"
        );
    }
}

#[test]
fn the_schema_has_the_keys_that_the_reader_knows() {
    let schema = generated();
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(keys(&schema), sorted(SET_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["task"]), sorted(TASK_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["choice"]), sorted(CHOICE_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["block"]), sorted(BLOCK_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["variant"]), sorted(VARIANT_KEYS.names));
    assert_eq!(keys(&schema["$defs"]["cores"]), sorted(CORES_KEYS.names));
    let defined = ["task", "choice", "block", "variant", "cores"].map(|name| &schema["$defs"][name]);
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
    let schema = generated();
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

/// Of two keys that give the same thing one must be there, in the schema as in the reader.
#[test]
fn the_schema_requires_one_of_a_pair_where_the_reader_does() {
    let choice = &generated()["$defs"]["choice"];
    assert_eq!(choice["oneOf"], serde_json::json!([{"required": ["wcet"]}, {"required": ["saves"]}]));
    assert_eq!(choice["anyOf"][0], serde_json::json!({"required": ["area"]}));
    assert_eq!(choice["anyOf"][1], serde_json::json!({"required": ["cost"]}));
    assert_eq!(choice["anyOf"][2]["required"], serde_json::json!(["uses"]));
    assert_eq!(choice["anyOf"][2]["properties"]["uses"]["minItems"], 1);
    assert_eq!(choice["not"], serde_json::json!({"required": ["area", "cost"]}));
    let accepted = |entries: &str| {
        let choices = format!("choices: [{{name: c, {entries}}}]");
        let blocks = "blocks: [{name: b, area: 1}]";
        read_str("x", &format!("name: x\n{blocks}\ntasks: [{{name: a, wcet: 5, period: 9, {choices}}}]"))
            .is_ok()
    };
    for hardware in ["area: 1", "uses: [b]", "area: 1, uses: [b]", "area: 1, uses: []", "area: 1, uses: ~"] {
        assert!(accepted(&format!("{hardware}, saves: 1")), "{hardware}");
    }
    for hardware in ["uses: []", "uses: ~", "area: ~, uses: [b]"] {
        assert!(!accepted(&format!("{hardware}, saves: 1")), "{hardware}");
    }
    assert!(!accepted("saves: 1"));
}

/// Resources and what belongs to them go together in the schema as in the reader.
#[test]
fn the_schema_has_resources_with_costs_or_an_area() {
    let schema = generated();
    let accepted = |head: &str, hardware: &str| {
        let choices = format!("choices: [{{name: c, {hardware}, saves: 1}}]");
        let text = format!("name: x\n{head}\ntasks: [{{name: a, wcet: 5, period: 9, {choices}}}]");
        read_str("x", &text).is_ok()
    };
    assert!(accepted("resources: [LUT]", "cost: {LUT: 1}"));
    for key in ["objectives", "base", "device", "fill"] {
        assert!(
            schema["dependentRequired"][key].as_array().unwrap().iter().any(|needed| needed == "resources")
        );
    }
    for head in ["objectives: [LUT]", "base: {LUT: 1}", "device: {LUT: 9}", "fill: 90 %"] {
        assert!(!accepted(head, "area: 1"), "{head}");
    }
    for head in
        ["objectives: [LUT]", "base: {LUT: 1}", "base:", "device: {LUT: 9}", "device: {LUT: 9}\nfill: 90 %"]
    {
        assert!(accepted(&format!("resources: [LUT]\n{head}"), "cost: {LUT: 1}"), "{head}");
    }
    assert!(!accepted("resources: [LUT]\nfill: 90 %", "cost: {LUT: 1}"));
    assert_eq!(schema["not"], serde_json::json!({"required": ["area_unit", "resources"]}));
    assert!(!accepted("resources: [LUT]\narea_unit: LUT", "cost: {LUT: 1}"));
    let either = serde_json::json!([{"required": ["area"]}, {"required": ["cost"]}]);
    assert_eq!(schema["$defs"]["block"]["oneOf"], either);
    for (head, hardware) in [
        ("resources: [LUT]", "area: 1"),
        ("", "cost: {LUT: 1}"),
        ("resources: [LUT]", "area: 1, cost: {LUT: 1}"),
    ] {
        assert!(!accepted(head, hardware), "{head} {hardware}");
    }
}
