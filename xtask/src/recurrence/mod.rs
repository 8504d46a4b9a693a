//! `cargo xtask recurrence FILE`: the CUDA kernel of a recurrence, for the wave driver of `isx-bench`.
//!
//! A file says one thing per line; `#` begins a comment:
//!
//! ```text
//! recurrence NAME            the kernel is called recurrence_NAME
//! waves diagonals | rows     the cells (i, j) with one i + j, or with one i
//! cells i32 | i64            the type of a value
//! array NAME u8 | i32 | i64  numbers that all waves read, NAME[i - 1] for example; any number of arrays
//! number NAME                a whole number that each wave is given anew; any number of them
//! border EXPRESSION          the value where i or j is 0; diagonals only. Rows begin with i = 1, after rows of zeros
//! best max | min
//! from (DI, DJ) [if EXPRESSION] [plus EXPRESSION] [as CHOICE]
//! ```
//!
//! A cell is the best of its *ways*, one per line `from`: the cell at (i + DI, j + DJ), plus a number. Of equally good ways
//! the first is taken. A way with a condition exists where that holds, and any way only where its cell does; the first has
//! no condition and always exists. DI and DJ are whole numbers, DJ in rows also a number's name with its sign. The choice
//! that is stored for the walk back is the way's place in the file, from 0, or CHOICE.
//!
//! Expressions are of C: whole numbers, `i`, `j`, names, `+ - * / % == != < <= > >= && || ! ? : ( ) [ ]`.
//!
//! Worked instance: the way `from (-1, -weight) plus profit` of a row is `j - weight >= 0` and then
//! `one[j - weight] + profit`, `one` being the row before.

mod parse;
mod print;
#[cfg(test)]
mod tests;

use std::path::Path;

/// A recurrence as it stands in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Recurrence {
    name: String,
    /// What the file's first comment says.
    about: String,
    waves: Waves,
    cell: &'static str,
    /// Name and type.
    arrays: Vec<(String, &'static str)>,
    numbers: Vec<String>,
    border: String,
    best: Best,
    ways: Vec<Way>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waves {
    Diagonals,
    Rows,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Best {
    Max,
    Min,
}

/// A way to reach a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Way {
    /// The line of the file, as it is written.
    text: String,
    /// How many waves back, at least 1.
    back: u32,
    row: i64,
    /// What is added to j: a whole number, or a number's name with its sign.
    column: String,
    condition: Option<String>,
    plus: Option<String>,
    choice: u32,
}

impl Recurrence {
    /// How many waves back a cell reads.
    fn reach(&self) -> u32 {
        self.ways.iter().map(|way| way.back).max().unwrap_or(1)
    }

    /// Bits of a choice: 1, 2 or 4.
    fn choice_bits(&self) -> u32 {
        match self.ways.iter().map(|way| way.choice).max() {
            None | Some(0 | 1) => 1,
            Some(2 | 3) => 2,
            Some(_) => 4,
        }
    }
}

/// Prints the kernel of a file.
pub fn run(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    print!("{}", printed(&text).map_err(|error| format!("{}: {error}", file.display()))?);
    Ok(())
}

/// The kernel of a recurrence's text.
fn printed(text: &str) -> Result<String, String> {
    Ok(print::kernel(&parse::recurrence(text)?))
}
