//! The claim of a front in the words of other solvers and checkers.
//!
//! [`Formula`] says in pseudo-Boolean constraints (OPB) that some design lies outside the staircase of the front: of no more
//! area than the room before a point, and of less cost than the point before that room. It is unsatisfiable exactly if the
//! front is complete and optimal. [`write_refutation`] proves so in steps that VeriPB 3 checks (Bogaerts, Gocht, McCreesh and
//! Nordström, "Certified dominance and symmetry breaking for combinatorial optimisation", JAIR 2023).
//!
//! # The refutation
//!
//! The designs of each clock, and of each set of blocks built, are a plain problem. Of its first k classes let A_k be the
//! area and K_k the cost. The staircase (a_1, c_1), .., (a_n, c_n) of what they can come to (area rising, cost falling) says that
//! there is nothing below it: for every t, A_k >= a_{t+1} or K_k >= c_t. Each such clause follows from those of the first k - 1
//! classes: were A_k < a_{t+1} and K_k < c_t, then A_{k-1} and K_{k-1} would be less than that by what the option of class k adds, and a
//! clause of k - 1 forbids it. Adding two inequalities cancels the sums, so that every step is a sum of two constraints and
//! a unit propagation. The clauses of all classes forbid every gap of the front. This is how knapsack dynamic programs are
//! certified in Demirović et al., "Pseudo-Boolean reasoning about states and transitions to certify dynamic programming
//! and decision diagram algorithms", CP 2024.

mod formula;
mod refutation;
mod steps;

pub use formula::{Formula, TooMany};
pub use refutation::write_refutation;
