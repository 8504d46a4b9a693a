//! The numbered steps of a VeriPB proof.

use num_bigint::BigInt;
use std::io::{self, Write};

/// Writes a proof in the format of VeriPB 3.0.
pub(super) struct Steps<'a> {
    out: &'a mut dyn Write,
    /// The number of the last derived constraint.
    last: u64,
    /// The number of extension variables so far.
    extensions: u64,
}

impl<'a> Steps<'a> {
    /// A proof for a formula with this many constraints.
    pub fn new(out: &'a mut dyn Write, constraints: u64) -> io::Result<Self> {
        writeln!(out, "pseudo-Boolean proof version 3.0\nf {constraints};")?;
        Ok(Self { out, last: constraints, extensions: 0 })
    }

    /// The number of the next constraint.
    pub fn next(&self) -> u64 {
        self.last + 1
    }

    /// Makes a new variable.
    pub fn fresh(&mut self) -> String {
        self.extensions += 1;
        format!("y{}", self.extensions)
    }

    /// Adds a constraint that a new variable can always satisfy.
    pub fn define(&mut self, sum: &str, least: &BigInt, variable: &str, value: u8) -> io::Result<u64> {
        self.last += 1;
        writeln!(self.out, "red {sum}>= {least} : {variable} -> {value};")?;
        Ok(self.last)
    }

    /// The sum of two constraints.
    pub fn add(&mut self, first: u64, second: u64) -> io::Result<u64> {
        self.last += 1;
        writeln!(self.out, "pol {first} {second} +;")?;
        Ok(self.last)
    }

    /// A sum of multiples of constraints and literals, each in the notation of the format.
    pub fn sum(&mut self, terms: &[String]) -> io::Result<u64> {
        self.last += 1;
        write!(self.out, "pol")?;
        for (at, term) in terms.iter().enumerate() {
            write!(self.out, " {term}{}", if at > 0 { " +" } else { "" })?;
        }
        writeln!(self.out, ";")?;
        Ok(self.last)
    }

    /// Derives a clause by unit propagation, with the given constraints as hints, or without hints.
    pub fn clause(&mut self, literals: &str, hints: &[u64]) -> io::Result<u64> {
        self.last += 1;
        write!(self.out, "rup {literals}>= 1")?;
        if !hints.is_empty() {
            write!(self.out, " : ~")?;
            hints.iter().try_for_each(|hint| write!(self.out, " {hint}"))?;
        }
        writeln!(self.out, ";")?;
        Ok(self.last)
    }

    /// Deletes the constraints from `first` to before `end`.
    pub fn forget(&mut self, first: u64, end: u64) -> io::Result<()> {
        if first < end { writeln!(self.out, "del range {first} {end};") } else { Ok(()) }
    }

    /// Ends the proof: the last constraint is a contradiction.
    pub fn end(self) -> io::Result<()> {
        writeln!(self.out, "output NONE;\nconclusion UNSAT : {};\nend pseudo-Boolean proof;", self.last)?;
        self.out.flush()
    }
}
