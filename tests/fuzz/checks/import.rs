//! A text that may be another tool's file, or, after a line `%%choices`, also a file of choices for it, and after a line
//! `%%blocks` one of blocks: it is refused with a place within one of them and without terminal control characters; or it gives a task set in YAML that
//! the reader accepts and that is the same when generated again.

use isx::import::{DecimalMark, FORMATS, Files, Need, Options, Tables, import};
use isx::quantity::Rational;
use isx::taskset::read_str;

/// The lines between the files.
const CHOICES: &[u8] = b"\n%%choices\n";
const BLOCKS: &[u8] = b"\n%%blocks\n";

/// The bytes before the line and, if it is there, after it.
fn cut<'a>(data: &'a [u8], line: &[u8]) -> (&'a [u8], Option<&'a [u8]>) {
    match data.windows(line.len()).position(|window| window == line) {
        Some(at) => (&data[..at], Some(&data[at + line.len()..])),
        None => (data, None),
    }
}

pub fn check(data: &[u8]) {
    let (data, blocks) = cut(data, BLOCKS);
    let (file, choices) = cut(data, CHOICES);
    let tables = Tables {
        choices: choices.map(|bytes| ("choices.csv", bytes)),
        blocks: blocks.map(|bytes| ("blocks.csv", bytes)),
    };
    looked_at(file, tables, &Options { files: Files::new(report), ..Options::default() });
}

/// A report whose amounts depend on its name, or one of clocks and cycles for names that begin as those of the seeds.
fn report(path: &str) -> Result<Vec<u8>, String> {
    let text = match path {
        "" => return Err("no name".to_owned()),
        _ if path.starts_with("crc.") => {
            r#"{"fmax": {"clk": {"achieved": 41.5}}, "utilization": {}}"#.to_owned()
        }
        _ if path.starts_with("run") => format!(r#"{{"cycles": {}}}"#, path.len()),
        _ => format!(
            r#"{{"creator": "Yosys", "modules": {{}}, "design": {{"num_cells_by_type": {{"SB_LUT4": {}, "SB_MAC16": 1}}}}}}"#,
            path.len() * path.len()
        ),
    };
    Ok(text.into_bytes())
}

fn looked_at(file: &[u8], tables: Tables<'_>, options: &Options) {
    match import("input", file, None, tables, options) {
        Ok(imported) => {
            let is_set = imported.format == "task set";
            assert!(is_set || FORMATS.iter().any(|format| format.name == imported.format));
            let again = read_str("again.yaml", &imported.yaml)
                .unwrap_or_else(|error| panic!("{error}\n{}", imported.yaml));
            assert_eq!(again.task_set, imported.reading.task_set);
            // A task set keeps all that it has besides reports.
            assert!(is_set || !imported.yaml.chars().any(|c| c.is_control() && c != '\n'));
            assert!(imported.left_out.iter().all(|line| !line.chars().any(char::is_control)));
        }
        Err(refusal) => {
            let shown = refusal.to_string();
            assert!(!refusal.is_fault, "{shown}");
            assert!(!shown.is_empty() && !shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
            let beside = [tables.choices, tables.blocks].into_iter().flatten().map(|(_, bytes)| bytes.len());
            let all = file.len() + beside.sum::<usize>();
            for diagnostic in refusal.error.diagnostics() {
                // Everything that was imported is written so that it can be read.
                assert!(diagnostic.file() != "the imported task set", "{shown}");
                let (line, column) = diagnostic.position();
                // Reports are no part of the input.
                let is_ours = ["input", "choices.csv", "blocks.csv"].contains(&diagnostic.file());
                let all = if is_ours { all } else { 200 };
                assert!(line <= all + 1 && column <= all + 1 && line >= 1 && column >= 1);
            }
            // With the flag that the error requires, the import gets further or reports another error.
            let said = match refusal.need {
                Some(Need::Clock) if options.clock.is_none() => {
                    Options { clock: Some(Rational::from_integer(1_000_000.into())), ..options.clone() }
                }
                Some(Need::Unit) if options.unit.is_none() => {
                    Options { unit: Some("us".into()), ..options.clone() }
                }
                Some(Need::Set) if options.set.is_none() => Options { set: Some(1), ..options.clone() },
                Some(Need::Core) if options.core.is_none() => {
                    Options { core: Some("Big".into()), ..options.clone() }
                }
                Some(Need::Decimal) if options.decimal.is_none() => {
                    Options { decimal: Some(DecimalMark::Comma), ..options.clone() }
                }
                _ => return,
            };
            looked_at(file, tables, &said);
        }
    }
}
