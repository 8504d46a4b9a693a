//! Reproduces the papers that isx comes from: their methods on their instances, their tables and figures on this machine.
//!
//! No time is reported for an unchecked answer: every answer is summed again and compared with the textbook's loop.
//! `docs/papers.md` has a row for everything that the papers show, with the command that repeats it.
//!
//! | module | content |
//! |---|---|
//! | [`command`] | the command line |
//! | [`thesis`] | B. Suri's thesis: the figures of chapters 5 and 6, with [`study`] and [`floats`] |
//! | [`boyer`] | Boyer and others: many items of few weights, compression |
//! | [`lemos`] | Lemos and others: batches of two-dimensional problems |
//! | [`waves`] | O'Connell and Mumford: tables swept in waves, with [`streaming`] |
//! | [`solve`] | a stranger's file by any of these engines |

#![forbid(unsafe_code)]

mod boyer;
mod command;
mod deviation;
mod floats;
mod gpu;
mod lemos;
mod solve;
mod streaming;
mod study;
mod study_contestant;
mod study_front;
mod thesis;
mod thesis_tables;
mod waves;

fn main() -> std::process::ExitCode {
    command::run()
}
