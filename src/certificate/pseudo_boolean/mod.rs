//! The claim of a front in a format of other solvers and proof checkers.
//!
//! [`Formula`] states in pseudo-Boolean constraints (OPB) that some design lies outside the staircase of the front:
//! with less area than some point (or with at most the capacity), and less cost than the point before it. It is
//! unsatisfiable if and only if the front is complete and optimal. [`write_refutation`] proves this in steps that
//! VeriPB 3 checks (Bogaerts, Gocht, McCreesh and Nordström, "Certified dominance and symmetry breaking for
//! combinatorial optimisation", JAIR 2023).
//!
//! # The refutation
//!
//! For each clock and each set of built blocks, the designs form a plain problem. For its first k classes let A_k be
//! the area and K_k the cost. The staircase (a_1, c_1), .., (a_n, c_n) of the pairs they can reach (area increasing,
//! cost decreasing) states that nothing lies below it: for every t, A_k >= a_{t+1} or K_k >= c_t. Each such clause
//! follows from those of the first k - 1 classes: if A_k < a_{t+1} and K_k < c_t, then A_{k-1} and K_{k-1} would be
//! below these bounds by at least the area and cost of class k's option, which a clause of k - 1 forbids. Adding two
//! inequalities cancels the sums, so every step is a sum of two constraints and a unit propagation. The clauses of
//! all classes together rule out every gap of the front. Knapsack dynamic programs are certified in this way in
//! Demirović et al., "Pseudo-Boolean reasoning about states and transitions to certify dynamic programming and
//! decision diagram algorithms", CP 2024.

mod formula;
mod refutation;
mod steps;

pub use formula::{Formula, TooMany};
pub use refutation::write_refutation;
