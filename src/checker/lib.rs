//! Checks certificates of isx.
//!
//! A certificate is a file that states a claim about a problem and proves it in steps, each checked by adding and
//! comparing integers. This crate reads and checks such files. It shares no code with the engines that compute
//! answers, so an accepted claim holds however it was computed. It shares with the code that writes certificates the
//! constants of the [`mod@format`] and the definitions of a problem, of a clock's designs and of a bound ([`problem`],
//! [`scenario`], [`bound`], [`sharing`], [`cost`]): the writer uses them, and nothing here uses the writer.
//!
//! # The argument
//!
//! A *class* (a task; a class of a multiple-choice knapsack problem; an item that may be taken or left) offers
//! *options* (a choice, or none), each with an area a >= 0 and a cost. First the minimum cost of every class is
//! subtracted and all costs are divided by their greatest common divisor, so that costs are non-negative integers. A
//! *design* takes one option per class; areas and costs add up. [`layers`] checks lists L_0 = {(0, 0)}, L_1, .., L_m
//! of pairs (area, cost) with area strictly increasing and cost strictly decreasing, where L_k belongs to the k-th
//! class in an order that the certificate chooses. For every (a, c) of L_{k-1} and every option (a', c') of the k-th
//! class with a + a' within the capacity there must be a pair of L_k with at most the area a + a' and at most the cost
//! c + c'. (Options that another option of the class dominates need no check.) By induction, every design within the
//! capacity has at least the area and the cost of some pair of L_m. [`claim`] recomputes the claimed designs from
//! their options, one per point of the front. If for every pair of L_m some point has no more area and no more cost,
//! and the points increase in area and decrease in cost, then the points are the front, and none is missing.
//!
//! Where blocks limit the clock, this is checked once per clock, for the designs whose blocks allow that clock. So
//! every design is covered at its own clock, and all these lists are compared with the same points.
//!
//! With shared blocks, a pair also records which blocks are paid for and can still be used. A pair may be replaced by
//! one with more blocks, since more paid blocks only save area later; but of the blocks in slots it must have
//! exactly the same, since an occupied slot excludes its other blocks. So for the pairs of given blocks an option needs no
//! check if another one adds no more area and cost and its blocks after it may replace the others.
//!
//! If the question is whether one capacity A allows a cost of at most T, pairs that cannot lead there may be missing.
//! [`bound`] says which: at a price p/q of area, an option weighs q c + p a, and its *loss* is that weight minus the
//! minimum weight in its class. The losses of a design of area <= A and cost <= T add up to at most the *room* q T +
//! p A - (the sum of the minima), so pairs with greater losses may be missing. If even the room is negative, no such
//! design exists and no list is needed.
//!
//! # Several resources
//!
//! With several resources an option has an amount a_r >= 0 of each, and a block one of two amounts, as it is built or
//! not: see [`resources`]. The front compares the first resources, the *objectives*, and the cost; the others only have
//! limits. A pair becomes an *entry*: the amounts of all resources that count, the cost, and the blocks. Since such
//! lists cannot be searched by one look, the certificate names for every sum of an entry and an option within the limits
//! the entry of the next list that covers it: see [`mod@covers`]. That no point of the claim dominates another is
//! checked apart: see [`undominated`].
//!
//! That no design is schedulable may have different reasons for different designs. Then the certificate divides the
//! options of a task in two parts, each part further if need be, and every case has one reason: see [`mod@cases`].
//!
//! With several modes an option has a cost in each, and the cost of a design is the largest of them. An entry has the area,
//! a load in every mode, and the largest load of the modes that are over; sums that no longer matter need no entry: see
//! [`mod@modes`].
//!
//! # The format
//!
//! All numbers are unsigned LEB128: seven bits per byte, lowest first, with the eighth bit set on all bytes but the
//! last, and no redundant zero byte at the end. A signed number is twice its absolute value, plus 1 if it is
//! negative.
//!
//! ```text
//! certificate = "isx certificate 1\n"  length problem[length]  claim  proof*      nothing after it
//!
//! problem  = 0 task-set | 1 mckp | 2 knapsack | 3 knapsack with signed profits | 4 resources-set
//!          | 5 variants | 6 modes | 7 cores
//! task-set = area-unit time-unit (numerator and denominator each)  capacity
//!            policy (0 EDF, 1 fixed priorities, 2 not stated)  clocks (>= 1)
//!            number-of-blocks  (area  slot + 1, or 0  clock)*
//!            number-of-tasks   task*
//! task     = period  deadline  rank (priority, 0 the highest, equal ones delay each other; only with fixed priorities)  forced (0, 1)
//!            number-of-choices  (area + 1, or 0 for one beyond the capacity   number-of-blocks  (block)*)*
//!            clocks times: (wcet in software  (wcet of the choice)*)
//! resources-set = number-of-resources  number-of-objectives
//!            (number-in-the-set  unit (numerator and denominator)  offset (signed numerator and denominator))*
//!            (0: no design is within the limits | 1  (limit)*)
//!            time-unit  policy  clocks  number-of-blocks  ((amount if built)*  (amount if not)*  slot + 1, or 0  clock)*
//!            number-of-tasks   task'*
//! task'    = a task, but before the choices the (amount)* of software, and for area + 1 the (amount)* of a choice
//! variants = area of the processor (numerator and denominator)  number-in-the-set  number-of-variants (>= 1)
//!            (place-in-the-set  more-area  length  (0 task-set | 4 resources-set)[length])*
//! modes    = number-of-modes (>= 1)  (length  0 task-set[length])*
//! cores    = number-of-cores (>= 1)  area of a core (numerator and denominator)  length  (0 task-set)[length]
//!            per block: (1 on the chip, 0 on every core)  per task: (core + 1, or 0)  number-of-pairs-apart  (task task)*
//! mckp     = capacity  optional (0, 1)  number-of-classes  (number-of-items  (signed value  weight)*)*
//! knapsack = capacity  number-of-items  (profit  weight)*
//!
//! claim    = 0 front | 1 best | 2 nothing fits | 3 schedulable | 4 not schedulable
//!          | 5 least division | 6 no division                  of cores, which have no other claims
//!          | 7 least area
//! front    = number-of-points (>= 1)  selection'*  (of a task set:) number-of-runs  (length)*
//! best     = (0, or 1: no other as good has less weight)  selection
//! schedulable = capacity  selection'
//! not schedulable = capacity  (refuted)*                       one per variant
//! least area = selection'  (refuted)*                          one per variant that alone takes less area
//! refuted  = (0 | 1 time mode' | 2 task job mode' | 3)*  (proof* | cases)*                    one of each per clock
//! cases    = task  number-of-options  (option)*  case (with one of these options)  case (with another one)
//! case     = (0 | 1 time mode' | 2 task job mode')  proof*  |  3 cases
//! mode'    = (only of several modes: mode, counted from 0)
//! least division = (core  option)*  bounds                    without the bounds if its area is 0
//! no division = bounds
//! bounds   = (bound)*                                          one per clock
//! bound    = 0 proof | 1 q P (y)* proof | 2                    see [`partition`]; no proof where minimum costs are too large,
//!          | 3 block  bound (not built)  bound (built)           a task has no option, or no core can gain more than P
//!
//! selection' = (only of several variants: variant, counted from 0)  selection
//! selection = number-of-changes  (classes passed over since the change before  option)*
//! proof    = 0 lists | 1 numerator denominator lists'          one per variant and clock; of mckp and knapsack one; none
//!                                                               for "schedulable" and "nothing fits"
//! lists    = (class)*  list*
//! lists'   = (class)*  (0 | 1 list)*
//!          | lists''                                            of a resources-set, and of modes
//! list     = number-of-groups  (number-of-blocks (block)*  number-of-pairs  (area-step cost-step)*)*
//! lists''  = (class)*  (list''  (position)*)*  (position)*
//! list''   = number-of-groups  (number-of-blocks (block)*  number-of-entries  ((amount)* cost)*)*
//! ```
//!
//! The variants of a processor have the same tasks, but for execution times and costs, and count in the same units. A
//! design of one with `more-area` has that much area more; the area of the processor comes on top for all. With several
//! resources the amounts include the variant. A variant that alone exceeds the capacity is left out. Every design of every
//! variant is compared with the points of all. The modes of a set have the same tasks, choices and blocks, but for times and
//! priorities; their demands count over the least common multiple of their hyperperiods, in units of their greatest common
//! divisor.
//!
//! A selection is stored as the difference from the previous one of its variant, the first from the empty selection; option 0 is
//! none, k is choice (item) k - 1. The runs of a front are lengths of runs of points, alternating between points
//! without a claim and points claimed schedulable. At most one block of a slot is built; a block allows its own clock
//! and all slower ones. Clocks are numbered from 0, the fastest. `lists` and `lists'` begin with the order of the
//! classes. A group's first pair is (area, cost); each further pair is given as (area increase, cost decrease) from
//! the previous one.
//!
//! The number before a proof, and p/q = numerator / denominator after a 1, say whether pairs may be missing, which a
//! front's lists do not allow. In `lists'` a 0 instead of a list states that all options of the class except one, which
//! has no loss, lose more than the room; it is not allowed with blocks. If the room is negative, nothing follows the
//! price.
//!
//! In `list''` amounts and costs are signed differences from the entry before, the first of a group from 0; only the
//! resources that count have an amount, which are the objectives and those whose limits some design may exceed. After a
//! list come the positions of the entries that cover the sums: by option, in the order of the class, then by group and
//! entry of the list before, where the limits and slots allow the sum. After the last list comes, for each of its
//! entries, the position of a point of the claim, if there is one. A position is the signed difference from the one
//! after the position before it, from 0 at the first of an option and group. "Best", "not schedulable" and "least area"
//! ask only about costs of at most the one claimed or allowed: sums beyond it are passed over, and the last list has no
//! entries. So it is for "nothing fits", which has one proof, in which all costs are 0. The area asked about is the limit of
//! the first resource. Of several modes the amounts are the area and the loads, and sums that are beaten are passed over, so
//! that the last list has no entries.
//!
//! "Not schedulable" gives a reason for each clock: 0, every design within the area has a utilization above 1; 1 (EDF),
//! in all of them the jobs due by a time take longer than that time; 2 (fixed priorities), in all of them a job of a
//! task is late, where jobs are counted from 1 and tasks from 0: see [`schedule::moments`]. Reason 2 has one proof per
//! moment. Reason 3 stands for cases: the reasons and proofs of a case are about the designs with the options it leaves.
//! Both cases leave at least one option of the task, and the listed ones are in ascending order. "Least area" says the same
//! of the designs of less area than the one claimed. "Best", "not schedulable" and "least area" have no proof for a clock or
//! moment at which the minimum costs of the classes alone are too large.
#![forbid(unsafe_code)]

mod asked;
pub mod bound;
pub mod cases;
pub mod check;
pub mod claim;
pub mod cost;
pub mod covers;
mod dense;
pub mod failure;
pub mod format;
mod group;
mod kinds;
pub mod layers;
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

pub use check::{About, Proved, Statement, check, check_within};
pub use failure::{Failure, Wrong};
pub use limits::Limits;
