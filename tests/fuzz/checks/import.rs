//! A text that may be another tool's file, or, after a line `%%choices`, also a file of choices for it: it is refused
//! with a place within one of the two and without terminal control characters; or it gives a task set in YAML that
//! the reader accepts and that is the same when generated again.

use isx::import::{FORMATS, Need, Options, import};
use isx::quantity::Rational;
use isx::taskset::read_str;

/// The line between the two files.
const CUT: &[u8] = b"\n%%choices\n";

pub fn check(data: &[u8]) {
    let cut = data.windows(CUT.len()).position(|window| window == CUT);
    let (file, choices) = match cut {
        Some(at) => (&data[..at], Some(("choices.csv", &data[at + CUT.len()..]))),
        None => (data, None),
    };
    looked_at(file, choices, &Options::default());
}

fn looked_at(file: &[u8], choices: Option<(&str, &[u8])>, options: &Options) {
    match import("input", file, None, choices, options) {
        Ok(imported) => {
            assert!(FORMATS.iter().any(|format| format.name == imported.format));
            let again = read_str("again.yaml", &imported.yaml)
                .unwrap_or_else(|error| panic!("{error}\n{}", imported.yaml));
            assert_eq!(again.task_set, imported.reading.task_set);
            assert!(!imported.yaml.chars().any(|c| c.is_control() && c != '\n'));
            assert!(imported.left_out.iter().all(|line| !line.chars().any(char::is_control)));
        }
        Err(refusal) => {
            let shown = refusal.to_string();
            assert!(!shown.is_empty() && !shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
            // Everything that was imported is written so that it can be read.
            assert!(!shown.contains("the imported task set"), "{shown}");
            let all = file.len() + choices.map_or(0, |(_, bytes)| bytes.len());
            for diagnostic in refusal.error.diagnostics() {
                let (line, column) = diagnostic.position();
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
                _ => return,
            };
            looked_at(file, choices, &said);
        }
    }
}
