//! The dynamic programs for the multiple-choice knapsack problem.
//!
//! [`ENGINES`] lists them; each has a file or a folder here. They return the whole front up to the capacity
//! ([`Answer`]). Of all selections with exactly a point's weight and value they return the canonical one: selections
//! are compared from the last class to the first, no item before the first item in the file.

#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod answer;
mod cell_picks;
#[cfg(feature = "cuda")]
pub mod cuda;
pub mod dense;
pub mod list;
mod reference;

pub use answer::{Answer, Picks};

use isx_engine::{Auto, Context, Entry, Family, Hardware, Registry, StateWriter, Threads};
use isx_problems::reduce::mckp::{Reduced, Tiered};
use isx_problems::value::Value;
use std::io::{self, Write};

/// The multiple-choice knapsack problem.
#[derive(Clone, Copy, Debug)]
pub struct Mckp;

impl Family for Mckp {
    const NAME: &'static str = "mckp";
    type Problem = Tiered;
    type Wanted = Wanted;
    type Answer = Answer;
}

/// The points of the front whose chosen items are requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Values only.
    Values,
    /// The items of the last point of the front, the best value within the capacity.
    BestPicks,
    /// The items of every point of the front.
    #[default]
    AllPicks,
}

/// Writes a problem and the request, to check that a checkpoint belongs to them. The mapping to the user's items is
/// not included: a task may be renamed between two runs.
fn written<V: Value>(
    problem: &Reduced<V>,
    wanted: Wanted,
    context: &Context,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut out = StateWriter(out);
    for figure in [
        V::TIER as u64,
        wanted as u64,
        u64::from(context.all_candidates),
        problem.capacity,
        problem.classes.len() as u64,
    ] {
        out.number(figure)?;
    }
    for class in &problem.classes {
        out.number(class.items.len() as u64)?;
        for item in &class.items {
            out.number(item.weight)?;
            out.big(&item.value.to_big())?;
        }
    }
    Ok(())
}

/// An engine of this family with its name.
pub type MckpEngine = Entry<Mckp>;

/// Every engine, one per line.
#[rustfmt::skip]
pub static ENGINES: Registry<Mckp> = Registry(&[
    Entry { name: "reference", about: "the textbook table", hardware: Hardware::Cpu, threads: Threads::One, auto: Auto::Never, judge: true, engine: &reference::Reference },
    Entry { name: "list", about: "Pareto lists", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::TriedFirst, judge: false, engine: &list::List },
    Entry { name: "dense", about: "rows of cells on vector units", hardware: Hardware::Cpu, threads: Threads::Many, auto: Auto::ByEstimate, judge: false, engine: &dense::Dense::AUTO },
    #[cfg(feature = "cuda")]
    Entry { name: "cuda", about: "rows of cells on an NVIDIA GPU", hardware: Hardware::Gpu, threads: Threads::One, auto: Auto::ByEstimate, judge: false, engine: &cuda::Cuda },
]);
