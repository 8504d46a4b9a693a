//! `isx schema`.

use super::failure::{Failure, Outcome};
use clap::Args;
use std::io::Write;

/// Print the JSON Schema of task sets, for editors that complete and check YAML
///
/// `isx schema > taskset.schema.json`, and in the first line of the YAML
/// `# yaml-language-server: $schema=taskset.schema.json`.
#[derive(Args)]
pub struct Schema {}

const TASKSET: &str = include_str!("../../tasksets/taskset.schema.json");

impl Schema {
    pub fn run(&self) -> Result<Outcome, Failure> {
        std::io::stdout().write_all(TASKSET.as_bytes())?;
        Ok(Outcome::Done)
    }
}
