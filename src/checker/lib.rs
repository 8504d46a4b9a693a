//! Checks certificates of isx.
//!
//! A certificate is a file that states a claim about a problem and proves it in steps, each checked by adding and
//! comparing integers. This crate reads and checks such files. It shares no code with the engines that compute
//! answers, so an accepted claim holds however it was computed. With the code that writes
//! certificates it shares what the module [`shared`] holds, and nothing here uses the writer.
//!
//! # The argument
//!
//! A *class* (a task; a class of a multiple-choice knapsack problem; an item that may be taken or left) offers
//! *options* (a choice, or none), each with an amount >= 0 of every resource and a cost. First the minimum cost of every
//! class is subtracted and all costs are divided by their greatest common divisor, so that costs are non-negative integers.
//! A *design* takes one option per class; amounts and costs add up. An area is the only resource of a set, a weight that of
//! a knapsack problem. The first resources are the *objectives*, which a front compares; the others only have limits.
//!
//! `lists` checks lists L_0 = {(0, 0)}, L_1, .., L_m of *entries* (amounts, cost), where L_k belongs to the k-th class in
//! an order that the certificate chooses. Every sum within the limits of an entry of L_{k-1} and an option of the k-th class
//! must be covered by an entry of L_k with no amount and no cost larger. By induction, every design within the limits has
//! at least the amounts and the cost of some entry of L_m. [`claim`] recomputes the claimed designs from their options, one
//! per point of the front. If for every entry of L_m some point has no more of any objective and no more cost, and no point
//! dominates another (see [`shared::undominated`]), then the points are the front, and none is missing.
//!
//! Where blocks limit the clock, this is checked once per clock, for the designs whose blocks allow that clock, and where
//! the processor has variants once for each. So every design is covered at its own clock, on its own variant, and all these
//! lists are compared with the same points.
//!
//! With shared blocks, an entry also records which blocks are paid for and can still be used, and a block has one of two
//! amounts, as it is built or not. An entry may cover a sum of fewer blocks, since more paid blocks only save amounts later;
//! but of the blocks in slots it must have exactly the same, since an occupied slot excludes its other blocks.
//!
//! If the question is whether designs within the limits cost at most T, sums that cannot lead there may be missing: those
//! of a larger cost, and where lists are staircases (one amount, no blocks) those that [`shared::bound`] excludes. At a price p/q of
//! area, an option weighs q c + p a, and its *loss* is that weight minus the minimum weight in its class. The losses of a
//! design of area <= A and cost <= T add up to at most the *room* q T + p A - (the sum of the minima), so sums with greater
//! losses may be missing. If even the room is negative, no such design exists and no list is needed.
//!
//! That no design is schedulable may have different reasons for different designs. Then the certificate divides the
//! options of a task in two parts, each part further if need be, and every case has one reason: see [`shared::cases`].
//!
//! With several modes an option has a load in each, and the cost of a design is the largest of them. An entry has its
//! amounts, a load in every mode, and the largest load of the modes that are over; sums that no longer matter need no entry:
//! see [`shared::modes`].
//!
//! # The format
//!
//! All numbers are unsigned LEB128: seven bits per byte, lowest first, with the eighth bit set on all bytes but the
//! last, and no redundant zero byte at the end. A signed number is twice its absolute value, plus 1 if it is
//! negative.
//!
//! ```text
//! certificate = "isx certificate 2\n"  length problem[length]  claim  proof*      nothing after it
//!
//! problem  = 0 variants-in-the-set  number-of-variants (>= 1)  (place-in-the-set  processor)*
//!          | 1 capacity  optional (0, 1)  number-of-classes  (number-of-items  (signed value  weight)*)*
//!          | 2 capacity  number-of-items  (profit  weight)*     a 0-1 knapsack problem
//!          | 3 capacity  number-of-items  (signed profit  weight)*
//!          | 4 number-of-cores (>= 1)  area of a core (numerator and denominator)  processor
//!            per block: (1 on the chip, 0 on every core)  per task: (core + 1, or 0)  number-of-pairs-apart  (task task)*
//! processor = number-of-resources  number-of-objectives
//!            (number-in-the-set  unit (numerator and denominator)  offset (signed numerator and denominator))*
//!            (0: no design is within the limits | 1  (limit)*)
//!            time-unit (numerator and denominator)  policy (0 EDF, 1 fixed priorities, 2 not stated)
//!            modes (>= 1)  clocks (>= 1)
//!            number-of-blocks  ((amount if built)*  (amount if not)*  slot + 1, or 0  clock)*
//!            number-of-tasks   task*
//! task     = per mode: (period  deadline  rank (priority, 0 the highest, equal ones delay each other; only with fixed priorities))
//!            forced (0, 1)  number-of-choices  (amount)* of software  ((amount)*  number-of-blocks  (block)*)*
//!            per clock and mode: (wcet in software  (wcet of the choice)*)
//!
//! claim    = 0 front | 1 best | 2 nothing fits | 3 schedulable | 4 not schedulable
//!          | 5 least division | 6 no division                  of cores, which have no other claims
//!          | 7 least area
//! front    = number-of-points (>= 1)  selection'*  (of a task set:) number-of-runs  (length)*
//! best     = (0, or 1: no other as good has less weight)  selection         of a knapsack problem
//! schedulable = selection'
//! not schedulable = (why)*                                     one per variant and clock
//! least area = selection'  (why)*                              the same of the designs of less area, if there may be some
//! why      = (0 | 1 time mode' | 2 task job mode')  proof*
//!          | 3 task  number-of-options  (option)*  why (with one of these options)  why (with another one)
//! mode'    = (only of several modes: mode, counted from 0)
//! least division = (core  option)*  bounds                     without the bounds if its area is 0
//! no division = bounds
//! bounds   = (bound)*                                          one per clock
//! bound    = 0 proof | 1 q P (y)* proof | 2                    see [`shared::partition`]; no proof where minimum costs are too large,
//!          | 3 block  bound (not built)  bound (built)           a task has no option, or no core can gain more than P
//!
//! selection' = (only of several variants: variant, counted from 0)  selection
//! selection = number-of-changes  (classes passed over since the change before  option)*
//! proof    = order list*                                       one per variant and clock of a front or "nothing fits"
//!          | numerator denominator  order (0 | 1 list)*         of staircases about a largest cost: p/q
//! order    = (class)*
//! list     = number-of-entries  (amount cost)*                 of staircases
//!          | number-of-groups  (number-of-blocks (block)*  number-of-entries  ((amount)* cost)*)*  (position)*
//! ```
//!
//! The variants of a processor have the same tasks, but for execution times, and count in the same units from the same
//! offsets; what a variant takes more is part of the amounts of the first task. One that alone exceeds a limit is left out.
//! The demands of modes count over the least common multiple of all periods, in units of their greatest common divisor.
//!
//! A selection is stored as the difference from the previous one of its variant, the first from the empty selection; option 0 is
//! none, k is choice (item) k - 1. The runs of a front are lengths of runs of points, alternating between points
//! without a claim and points claimed schedulable. At most one block of a slot is built; a block allows its own clock
//! and all slower ones. Clocks are numbered from 0, the fastest.
//!
//! Amounts and costs of lists are signed differences from the entry before, the first of a list or group from 0; only the
//! objectives and the resources whose limits some design may exceed have an amount, and of several modes loads follow
//! the amounts. Staircases are lists of one amount and no blocks, where amounts rise and costs fall. In one about a largest
//! cost a 0 instead of a list states that all options of the class except one, which has no loss, lose more than the room.
//! If the room is negative, nothing follows the price. After every other list come the positions of the entries that cover
//! the sums: by group of the list before, then by option, without those that [`shared::sharing::Sharing::steps`] leaves out, and by
//! entry, where the limits allow the sum and it is asked about. A position is the signed difference from the one after the position before it, from 0
//! at the first of a group and option.
//!
//! "Best" asks about costs of less than the one claimed (at most as much, if it is the lightest), a reason about those that
//! leave the time that there is, and "nothing fits" has costs of 0. "Not schedulable" gives a reason for each clock: 0, every
//! design within the limits has a utilization above 1; 1 (EDF), in all of them the jobs due by a time take longer than that
//! time; 2 (fixed priorities), in all of them a job of a task is late, where jobs are counted from 1 and tasks from 0: see
//! [`shared::schedule::moments`]. Reason 2 has one proof per moment. Reason 3 stands for cases: the reasons and proofs of a case are
//! about the designs with the options it leaves. Both cases leave at least one option of the task, and the listed ones are
//! in ascending order. There is no proof for a clock or moment at which the minimum costs of the classes alone are too large.
#![forbid(unsafe_code)]

mod cases;
pub mod check;
pub mod claim;
mod lists;
pub mod partition;
mod problem;
pub mod shared;

pub use check::{About, Proved, Statement, check, check_within};
pub use shared::failure::{Failure, Wrong};
pub use shared::limits::Limits;
