//! `isx engines`, `devices`, `schema`, `completions` and `man`: information about isx itself.

pub mod devices;
pub mod engines;

use crate::failure::{Failure, Outcome};
use crate::files::deliver;
use clap::{Args, ValueEnum};
use isx_taskset::SCHEMA;
use std::path::PathBuf;

/// Print the JSON Schema of task sets or sweeps, for editors that complete and check YAML
///
/// Task sets that isx writes name it in their first line, `# yaml-language-server: $schema=taskset.schema.json`: as a
/// file beside them, so that editors need no network. `isx schema -o taskset.schema.json` writes that file.
#[derive(Args)]
pub struct Schema {
    /// What the YAML describes
    #[arg(value_enum, default_value = "taskset")]
    of: Document,

    /// File to write, or - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE.json")]
    output: Option<PathBuf>,
}

/// A document with a schema.
#[derive(Clone, Copy, ValueEnum)]
enum Document {
    Taskset,
    Sweep,
}

impl Schema {
    pub fn run(&self) -> Result<Outcome, Failure> {
        let schema = match self.of {
            Document::Taskset => SCHEMA,
            Document::Sweep => crate::sweep::schema()?,
        };
        deliver(self.output.as_deref(), |out| out.write_all(schema.as_bytes()))?;
        Ok(Outcome::Done)
    }
}

/// Print a completion script for a shell
#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Completions {
    /// The shell to write for
    shell: clap_complete::Shell,
}

impl Completions {
    pub fn run(&self, mut isx: clap::Command) -> Result<Outcome, Failure> {
        // Generated in memory first: the generator panics if a pipe is closed.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut isx, "isx", &mut script);
        deliver(None, |out| out.write_all(&script))?;
        Ok(Outcome::Done)
    }
}

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
    pub fn run(&self, mut isx: clap::Command) -> Result<Outcome, Failure> {
        // Gives each subcommand its full name and the global options.
        isx.build();
        let mut page = &isx;
        for name in &self.subcommand {
            let own = page.get_bin_name().unwrap_or("isx");
            page = page
                .find_subcommand(name)
                .ok_or_else(|| Failure::Usage(format!("`{own}` has no subcommand `{name}`")))?;
        }
        let version = isx.get_version().unwrap_or_default();
        let page = clap_mangen::Man::new(page.clone()).source(format!("isx {version}")).manual("isx");
        // Generated in memory first, so that a closed pipe is handled in one place.
        let mut text = Vec::new();
        page.render(&mut text)?;
        deliver(None, |out| out.write_all(&text))?;
        Ok(Outcome::Done)
    }
}
