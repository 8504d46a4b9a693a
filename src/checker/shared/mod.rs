//! What the checker shares with the code that writes certificates: constants of the format, and the definitions of a problem,
//! of a clock's designs, of what lists leave out and of reasons. None of it knows the writer or an engine.

pub mod bound;
pub mod cases;
pub mod cost;
pub mod failure;
pub mod format;
pub mod limits;
pub mod modes;
pub mod partition;
pub mod problem;
pub mod read;
pub mod reason;
pub mod resources;
pub mod scenario;
pub mod schedule;
pub mod sharing;
pub mod undominated;
