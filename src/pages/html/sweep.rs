//! The page of a sweep: the JSON of its report, and pictures.

use super::page::{Page, harmless, write_with_pictures};
use super::sheet::OriginSheet;
use isx_report::origin::Origin;
use serde_json::{Value, json};
use std::io;

/// The schema of the page's data.
const SCHEMA: &str = "isx.report/4";

/// Writes the page of a sweep as one HTML file in UTF-8; `pictures` are SVG documents.
///
/// # Errors
///
/// When `out` fails.
pub fn write_sweep(
    title: &str,
    sweep: &Value,
    pictures: &[String],
    origin: &Origin,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let sheet = json!({
        "schema": SCHEMA,
        "title": title,
        "taskset": title,
        "description": null,
        "what_if": [],
        "sweep": sweep,
        "origin": OriginSheet { of: "sweep", origin: origin.clone() },
    });
    write_with_pictures(title, Page::Sweep, &harmless(&sheet.to_string()), pictures, out)?;
    out.flush()
}
