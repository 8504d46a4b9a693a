//! The canonical text of a specification: equal for all specifications of the same records, and one itself.

use super::axis::Axis;
use super::definition::{SetFile, Spec};
use super::files::sha256;
use isx_exact::quantity::format_decimal;
use std::fmt::Write as _;

/// What `schema` says.
pub const SCHEMA_NAME: &str = "isx.sweep/1";

/// Texts as a list in brackets.
fn list<'a>(items: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = items.map(quoted).collect();
    format!("[{}]", quoted.join(", "))
}

/// A text as YAML reads it back.
fn quoted(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if is_plain && !text.is_empty() { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}

fn axes(text: &mut String, key: &str, axes: &[Axis]) {
    if !axes.is_empty() {
        let _ = writeln!(text, "{key}:");
    }
    for axis in axes {
        let _ = writeln!(text, "  {}: {}", axis.key, list(axis.values.iter().map(String::as_str)));
    }
}

pub fn text(spec: &Spec) -> String {
    let Spec { seed, sets_per_point, grid, recipe, files, paired, asked, points, .. } = spec;
    // Writing to a String does not fail.
    let mut text = format!("schema: {SCHEMA_NAME}\n");
    if files.is_empty() {
        let _ = writeln!(text, "seed: {seed}\nsets_per_point: {sets_per_point}");
        axes(&mut text, "grid", grid);
        if !recipe.is_empty() {
            text.push_str("recipe:\n");
        }
        for Axis { key, values, .. } in recipe {
            let _ = writeln!(text, "  {key}: {}", quoted(&values[0]));
        }
    } else {
        text.push_str("files:\n");
        for SetFile { path, sha256 } in files {
            let _ = writeln!(text, "  - {{path: {}, sha256: {}}}", quoted(path), quoted(sha256));
        }
    }
    axes(&mut text, "paired", paired);
    let measures = asked.measures();
    if !measures.is_empty() {
        let _ = writeln!(text, "measure: {}", list(measures.into_iter()));
    }
    if !asked.budgets.is_empty() {
        let budgets: Vec<String> = asked.budgets.iter().map(format_decimal).collect();
        let _ = writeln!(text, "budgets: {}", list(budgets.iter().map(String::as_str)));
    }
    let _ = writeln!(text, "steps: {}", asked.steps);
    // What is not given is as usual, and what is usual might change.
    let recipes: Vec<&str> = points.iter().map(|point| point.flags.as_str()).collect();
    let _ =
        writeln!(text, "# SHA-256 of the recipes of all points: {}", sha256(recipes.join("\n").as_bytes()));
    text
}
