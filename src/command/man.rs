//! `isx man [SUBCOMMAND]`.

use super::Isx;
use super::failure::{Failure, Outcome};
use clap::{Args, CommandFactory};
use std::io::Write;

/// Print the manual page of isx or of a subcommand
///
/// To read it: `isx man explore > isx-explore.1 && man ./isx-explore.1`.
#[derive(Args)]
pub struct Man {
    /// The subcommand, as it is typed: `explore`, `solve mckp` [default: isx itself]
    #[arg(value_name = "SUBCOMMAND")]
    subcommand: Vec<String>,
}

impl Man {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let mut isx = Isx::command();
        // Each subcommand learns its full name and the options that all have.
        isx.build();
        let mut page = &isx;
        for name in &self.subcommand {
            page = page.find_subcommand(name).ok_or_else(|| {
                Failure::Usage(format!(
                    "`{}` has no subcommand `{name}`",
                    page.get_bin_name().unwrap_or("isx")
                ))
            })?;
        }
        let version = isx.get_version().unwrap_or_default();
        let page = clap_mangen::Man::new(page.clone()).source(format!("isx {version}")).manual("isx");
        // Into memory first, so that a closed pipe is seen in one place.
        let mut text = Vec::new();
        page.render(&mut text)?;
        std::io::stdout().write_all(&text)?;
        Ok(Outcome::Done)
    }
}
