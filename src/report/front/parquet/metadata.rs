//! The key-value metadata of the file: what `front.json` holds besides its points.

use crate::front::document::Fields;
use crate::front::unreadable::PlotError;
use crate::front::{Head, json};
use crate::origin::Origin;
use parquet::file::metadata::KeyValue;
use serde_json::Value;
use std::io;

/// The prefix of isx's own keys.
const PREFIX: &str = "isx.";

/// Fields whose values are plain text; the others are JSON.
const TEXTS: [&str; 8] = [
    "schema",
    "taskset",
    "area_unit",
    "scheduler",
    "min_schedulable_area",
    "min_schedulable_unknown",
    "status",
    "device",
];

/// The names of all tasks, which columns may change.
const TASKS: &str = "tasks";

/// All keys with their values. Fields that are null are left out, and so is the engine: the same front has the same
/// bytes on every machine.
pub fn written(head: &Head, origin: &Origin) -> io::Result<Vec<KeyValue>> {
    let mut keys = Vec::new();
    let mut add = |name: &str, value: String| keys.push(KeyValue::new(format!("{PREFIX}{name}"), value));
    for (name, json) in json::head(head)? {
        let is_text = TEXTS.contains(&name);
        match serde_json::from_str(&json)? {
            Value::Null => {}
            Value::String(text) if is_text => add(name, text),
            _ if name == "engine" => {}
            _ => add(name, json),
        }
    }
    let tasks: Vec<&str> = head.tasks.iter().map(|task| task.name.as_str()).collect();
    add(TASKS, serde_json::to_string(&tasks)?);
    if let Some(input) = origin.inputs.first() {
        add("input", input.name.clone());
        add("input_sha256", input.sha256.clone());
    }
    Ok(keys)
}

/// The fields that the keys hold, read as those of a `front.json`, and the names of the tasks.
pub fn read(keys: &[KeyValue]) -> Result<(Fields, Vec<String>), PlotError> {
    let own = |key: &KeyValue| Some((key.key.strip_prefix(PREFIX)?.to_owned(), key.value.clone()?));
    let mut tasks = None;
    let mut document = String::from("{");
    for (name, value) in keys.iter().filter_map(own) {
        let wrong =
            |problem| PlotError::Parquet(format!("its metadata `{PREFIX}{name}` are no JSON: {problem}"));
        if name == TASKS {
            tasks = Some(serde_json::from_str(&value).map_err(wrong)?);
            continue;
        }
        let value = match TEXTS.contains(&name.as_str()) {
            true => Value::from(value).to_string(),
            false if name.starts_with("input") => continue,
            false => serde_json::from_str::<Value>(&value).map_err(wrong)?.to_string(),
        };
        let comma = if document.len() > 1 { "," } else { "" };
        document.push_str(&format!("{comma}{}:{value}", Value::from(name)));
    }
    document.push('}');
    let tasks = tasks.ok_or_else(|| {
        PlotError::Parquet(format!(
            "its metadata have no `{PREFIX}{TASKS}`: isx did not write it, or a version before this one"
        ))
    })?;
    Ok((json::read_fields(&mut document.as_bytes(), 0)?.fields, tasks))
}
