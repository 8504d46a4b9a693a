//! `isx init`: a commented task set to fill in.

use crate::failure::{Failure, Outcome};
use crate::files::kinds::quoted;
use crate::files::{deliver, is_stdin, refuse_to_replace};
use crate::terminal;
use clap::Args;
use isx_taskset::{SCHEMA, SCHEMA_FILE, SCHEMA_LINES, is_plain};
use std::path::{Path, PathBuf};

/// Write a commented task set to start from, which `isx explore` solves at once
///
/// Every key is in it with a comment; replace the figures by your own. Beside the file, taskset.schema.json is written
/// unless it is there already: editors complete and check the task set by it, without a network.
#[derive(Args)]
pub struct Init {
    /// File to write, or - for standard output
    #[arg(default_value = "taskset.yaml")]
    file: PathBuf,

    /// Replace the file, and the schema beside it, if they exist
    #[arg(long)]
    overwrite: bool,
}

const TEMPLATE: &str = include_str!("template.yaml");

/// The line of the template that names the task set.
const NAME: &str = "name: taskset\n";

impl Init {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let text = format!("{SCHEMA_LINES}{}", named_after(&self.file));
        if is_stdin(&self.file) {
            deliver(None, |out| out.write_all(text.as_bytes()))?;
            return Ok(Outcome::Done);
        }
        if !self.overwrite {
            refuse_to_replace(&self.file)?;
        }
        deliver(Some(&self.file), |out| out.write_all(text.as_bytes()))?;
        self.write_schema()?;
        terminal::note(&format!("next: isx explore {}", quoted(&self.file)));
        Ok(Outcome::Done)
    }

    /// Writes the schema that the task set names, so that editors find it.
    fn write_schema(&self) -> Result<(), Failure> {
        let schema = self.file.with_file_name(SCHEMA_FILE);
        let there = std::fs::read(&schema);
        match &there {
            Ok(bytes) if bytes == SCHEMA.as_bytes() => Ok(()),
            Ok(_) if !self.overwrite => {
                terminal::note(&format!(
                    "{} is there already and is not the schema of this isx; --overwrite replaces it",
                    schema.display()
                ));
                Ok(())
            }
            _ => deliver(Some(&schema), |out| out.write_all(SCHEMA.as_bytes())),
        }
    }
}

/// The template with the name of the file as the name of the set, if that needs no quotes.
fn named_after(file: &Path) -> String {
    let stem = file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if is_plain(stem) { TEMPLATE.replacen(NAME, &format!("name: {stem}\n"), 1) } else { TEMPLATE.to_owned() }
}
