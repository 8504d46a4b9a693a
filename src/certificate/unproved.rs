//! Why there is no proof.

use isx_checker::Wrong;
use isx_machine::OverMemory;
use std::io;

/// The maximum number of sums in a proof about several resources; the checker examines each of them.
pub const MOST_SUMS: u64 = 200_000_000;

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the messages say what is wrong and with what")]
pub enum Unproved {
    #[error(
        "the lists of the proof, after {classes} of {all} classes, take more than the {} bytes of memory that are allowed; {}",
        over.allowed, enough(over)
    )]
    Memory { classes: usize, all: usize, over: OverMemory },
    #[error(
        "the proof, after {classes} of {all} classes, takes more than {MOST_SUMS} sums of costs; certificates of that \
         size are not written"
    )]
    Sums { classes: usize, all: usize },
    #[error(transparent)]
    Wrong(#[from] Wrong),
    #[error(transparent)]
    Write(#[from] io::Error),
}

fn enough(over: &OverMemory) -> String {
    match over.needed {
        OverMemory::UNKNOWN => "no amount is known to be enough".into(),
        needed => format!("{needed} are enough"),
    }
}
