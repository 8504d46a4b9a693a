//! The page of a task set on several numbers of cores: the JSON of `isx partition`, and what a picture of it needs.

use super::page::{OriginSheet, SCHEMA, write};
use crate::answers::partition::{document, share};
use isx_design::partition::{Partitions, Row};
use isx_exact::quantity::{Rational, format_decimal};
use isx_report::front::fields::Ratio;
use isx_report::origin::Origin;
use serde_json::{Value, json};
use std::io;

/// Writes the page as one HTML file in UTF-8.
/// Fails when `out` fails.
pub fn write_partitions(found: &Partitions, origin: &Origin, out: &mut dyn io::Write) -> io::Result<()> {
    let set = &found.task_set;
    let shares = |row: &Row| -> Value {
        let Some(best) = &row.best else { return Value::Null };
        let tasks = set.tasks.iter().zip(&best.choices);
        tasks
            .map(|(task, &taken)| json!(Ratio::from(&share(set, task, taken, best.clock.as_ref()))))
            .collect()
    };
    let areas = |row: &Row| -> Value {
        row.best.as_ref().map_or(Value::Null, |best| best.areas.iter().map(format_decimal).collect())
    };
    let software: Rational = set.tasks.iter().map(|task| share(set, task, None, None)).sum();
    let sheet = json!({
        "schema": SCHEMA,
        "title": set.name,
        "description": set.description,
        "document": document(found),
        "scheduler": set.scheduler.name(),
        "tasks": set.tasks.iter().map(|task| &task.name).collect::<Vec<_>>(),
        "software": Ratio::from(&software),
        "shares": found.rows.iter().map(shares).collect::<Vec<_>>(),
        "areas": found.rows.iter().map(areas).collect::<Vec<_>>(),
        "origin": OriginSheet { of: "task set", origin: origin.clone() },
    });
    write(&set.name, &sheet, out)
}
