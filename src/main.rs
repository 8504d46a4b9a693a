//! The `isx` command.

fn main() {}
