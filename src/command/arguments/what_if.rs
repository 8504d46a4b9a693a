//! Flags that change a task set to answer what-if questions.

use crate::failure::Failure;
use clap::Args;
use isx_exact::quantity::{Rational, parse_fraction};
use isx_taskset::{TaskSet, WhatIf, WhatIfError};
use num_traits::Signed;

/// What to try out.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "What if")]
pub struct Changes {
    /// Fix the choice of a task in every design (none: software); may be repeated
    #[arg(long, value_name = "TASK=CHOICE|none")]
    force: Vec<String>,

    /// Exclude a choice, or all choices that use a block; may be repeated
    #[arg(long, value_name = "TASK=CHOICE|BLOCK")]
    forbid: Vec<String>,

    /// Multiply every WCET, in software and with choices, by a decimal or a fraction such as 10/9
    #[arg(long, value_name = "F", value_parser = parse_factor, allow_negative_numbers = true)]
    scale_wcet: Option<Rational>,
}

impl Changes {
    /// Whether any change was requested.
    pub fn are_any(&self) -> bool {
        !self.force.is_empty() || !self.forbid.is_empty() || self.scale_wcet.is_some()
    }

    /// The changes as the user gave them: the flag and its value.
    pub fn given(&self) -> Vec<(&'static str, String)> {
        let forced = self.force.iter().map(|text| ("force", text.clone()));
        let forbidden = self.forbid.iter().map(|text| ("forbid", text.clone()));
        let scaled = self.scale_wcet.iter().map(|factor| ("scale_wcet", factor.to_string()));
        forced.chain(forbidden).chain(scaled).collect()
    }

    /// The task set with these changes.
    pub fn apply(&self, set: TaskSet) -> Result<TaskSet, Failure> {
        if !self.are_any() {
            return Ok(set);
        }
        let mut what_if = WhatIf::default();
        let refused =
            |flag: &'static str| move |error: WhatIfError| Failure::Usage(format!("{flag}: {error}"));
        self.force.iter().try_for_each(|text| what_if.force(text, &set)).map_err(refused("--force"))?;
        self.forbid.iter().try_for_each(|text| what_if.forbid(text, &set)).map_err(refused("--forbid"))?;
        if let Some(factor) = &self.scale_wcet {
            what_if.scale_wcets(factor.clone()).map_err(refused("--scale-wcet"))?;
        }
        what_if.apply(&set).map_err(|error| Failure::Usage(error.to_string()))
    }
}

fn parse_factor(text: &str) -> Result<Rational, String> {
    let factor = parse_fraction(text).map_err(|error| error.to_string())?;
    if factor.is_positive() { Ok(factor) } else { Err("a factor must be greater than 0".into()) }
}
