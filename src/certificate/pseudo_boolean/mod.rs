//! The claim of a front in a format of other solvers and proof checkers.
//!
//! [`Formula`] states in pseudo-Boolean constraints (OPB) that some design lies below the staircase of the front, in
//! one of its *gaps*: with less area than some point and less cost than the point before it. In the gap before the
//! first point any cost will do, and in the one after the last any area within the capacity. The formula is
//! unsatisfiable if and only if the front is complete and optimal. [`write_refutation`] proves that it is, in steps
//! that VeriPB 3 checks (Bogaerts, Gocht, McCreesh and Nordström, "Certified dominance and symmetry breaking for
//! combinatorial optimisation", JAIR 2023).
//!
//! # The refutation
//!
//! For each clock and each set of built blocks, the designs form a plain problem, whose capacity is what the blocks
//! leave. Of a design, let A_k be the area and K_k the cost of the first k classes. Let (a_1, c_1), .., (a_n, c_n) be
//! the undominated pairs that these classes can reach within the capacity (area increasing, cost decreasing). Nothing
//! lies below this staircase: for t = 0 .. n, A_k >= a_{t+1} or K_k >= c_t, where c_0 is infinite and a_{n+1} is the
//! capacity plus 1.
//!
//! Each such clause follows from those of the first k - 1 classes, for every option (a, c) of class k. Suppose the
//! design takes it, A_k < a_{t+1} and K_k < c_t. Then A_{k-1} < a_{t+1} - a and K_{k-1} < c_t - c. If one of these
//! bounds is 0 or less, that is impossible (K_{k-1} >= 0 is derived on the way). Otherwise let (a', c') be the last
//! pair of k - 1 whose area is below a_{t+1} - a. Adding the option to it gives a pair of area below a_{t+1}, so its
//! cost c' + c is at least c_t. So A_{k-1} is below the area of the next pair of k - 1 and K_{k-1} < c', which the
//! clause between these two pairs forbids. (If there is no such pair, the first clause forbids it.)
//!
//! In the proof, a fresh variable stands for every A_k >= a_{t+1} and K_k >= c_t. The sum of A_k < a_{t+1} and a
//! bound on A_{k-1} cancels the terms of the first k - 1 classes, and likewise for the cost; a unit propagation then
//! gives the clause for one option, and another one the clause for all options. The clauses of the last class rule
//! out every gap of the front. All this holds under the assumptions that the design lies in a gap of this clock and
//! has these blocks; once it is derived for every set of blocks and every clock, unit propagation gives the
//! contradiction. Knapsack dynamic programs are certified in this way in Demirović et al., "Pseudo-Boolean reasoning
//! about states and transitions to certify dynamic programming and decision diagram algorithms", CP 2024.

mod formula;
mod refutation;
mod steps;

pub use formula::{Formula, TooMany};
pub use refutation::write_refutation;
