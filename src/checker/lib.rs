//! Checks certificates of isx.
//!
//! A certificate is a file that says what is claimed of a problem, and shows it in steps that can each be checked by
//! adding and comparing integers. This crate reads such a file and does that. It shares no code with the engines that
//! compute answers, so what it accepts holds whatever computed it. With the code that writes certificates it shares the
//! words of the [`format`] and what a problem, a clock's designs and a bound are ([`problem`], [`scenario`], [`bound`],
//! [`sharing`], [`cost`]): the writer uses them, and nothing here uses the writer.
//!
//! # The argument
//!
//! A *class* (a task; a class of a multiple-choice knapsack problem; an item that may be taken or left) offers *options*
//! (a choice, or none), each with an area a >= 0 and a cost. Of every class the least cost is subtracted first and all
//! costs are divided by their greatest common divisor, so that costs are whole numbers from 0. A *design* takes an
//! option of every class; areas and costs add up. [`layers`] checks lists L_0 = {(0, 0)}, L_1, .., L_m, one a class, of
//! pairs (area, cost) with area strictly rising and cost strictly falling: for every (a, c) of L_{k-1} and every option
//! (a', c') of class k with a + a' within the capacity there must be a pair of L_k with no more area than a + a' and no more
//! cost than c + c'. By induction no design has less area and less cost than every pair of L_m. [`claim`] sums the designs
//! that are claimed from their options, one a point of the front. If every pair of L_m has a point with no more area and
//! no more cost, and the points rise in area and fall in cost, then the points are the front, and none is missing.
//!
//! Blocks that choices share belong to a pair: it then says which blocks are paid for and still of use. A pair may be
//! stood for by one with more blocks, for whoever has them pays less later; blocks of a slot must be the same, for a slot
//! that is taken is taken.
//!
//! Where one capacity A is asked about, and whether a cost of at most T can be had, pairs that cannot lead there may be
//! missing. [`bound`] says which: with a price lambda = p/q of area, every option has the loss q c + p a - min(q c + p a)
//! over its class, and a design of area <= A and cost <= T has losses of at most q T + p A - (the sum of the minima).
//! Where even that is negative no such design exists, and no list is needed.
//!
//! # The format
//!
//! All numbers are unsigned LEB128: seven bits a byte, lowest first, the eighth bit set on all bytes but the last, no
//! zero byte at the end of a longer one. A signed number is twice its size, plus 1 if it is negative.
//!
//! ```text
//! certificate = "isx certificate 1\n"  length problem[length]  claim  proof*      nothing after it
//!
//! problem  = 0 task-set | 1 mckp | 2 knapsack | 3 knapsack with signed profits
//! task-set = area-unit time-unit (numerator and denominator each)  capacity
//!            policy (0 EDF, 1 fixed priorities)  clocks (>= 1)
//!            number-of-blocks  (area  slot + 1, or 0  clock)*
//!            number-of-tasks   task*
//! task     = period  deadline  rank (priority, 0 the highest; only with fixed priorities)  forced (0, 1)
//!            number-of-choices  (area + 1, or 0 for one beyond the capacity   number-of-blocks  (block)*)*
//!            clocks times: (wcet in software  (wcet of the choice)*)
//! mckp     = capacity  optional (0, 1)  number-of-classes  (number-of-items  (signed value  weight)*)*
//! knapsack = capacity  number-of-items  (profit  weight)*
//!
//! claim    = 0 front | 1 best | 2 nothing fits | 3 schedulable | 4 not schedulable
//! front    = number-of-points (>= 1)  selection*  (of a task set:) number-of-runs  (length)*
//! best     = (0, or 1: no other as good has less weight)  selection
//! schedulable = capacity  selection
//! not schedulable = capacity  clocks times: (0 | 1 time | 2 task job)
//!
//! selection = number-of-changes  (classes passed over since the change before  option)*
//! proof    = 0 lists | 1 numerator denominator lists'          one a clock, of mckp and knapsack one; none of
//!                                                               "schedulable" and "nothing fits"
//! lists    = (class)*  list*
//! lists'   = (class)*  (0 | 1 list)*
//! list     = number-of-groups  (number-of-blocks (block)*  number-of-pairs  (area-step cost-step)*)*
//! ```
//!
//! A selection is what differs from the one before, the first from nothing taken; option 0 is none, k is choice (item) k - 1.
//! The runs of a front are lengths of points of which nothing is said, which are schedulable, nothing is said, and so on.
//! A slot holds at most one of its blocks; a block allows its clock and the later, slower ones. The proof
//! of a clock is about the designs whose blocks allow it. A group's first pair is (area, cost) and each of the others the
//! (area more, cost less) than the one before. In `lists'` 0 says that all options of the class but the one without
//! loss lose too much; it is not for problems with blocks. After a price that alone shows that there is no such design nothing follows. "Not schedulable" names for each clock why: 0 that
//! every design within the area has a utilization above 1, 1 (EDF) that in all of them the jobs due by a time take longer, 2 (fixed
//! priorities) that in all of them a job of a task, counted from 1, is late: see [`schedule::moments`]. For that there is a
//! proof for every moment; where the least costs alone are too much it needs no proof, and has none.
#![forbid(unsafe_code)]

pub mod bound;
pub mod check;
pub mod claim;
pub mod cost;
mod dense;
pub mod format;
pub mod layers;
pub mod limits;
pub mod problem;
pub mod read;
pub mod scenario;
pub mod schedule;
pub mod sharing;

pub use check::{About, Proved, Statement, check, check_within};
pub use limits::Limits;
pub use read::{Failure, Wrong};
