//! Hand-made certificates, each with one error, which must be the reason for its refusal.

use isx::certificate::problem::{hash, of_division, of_task_set};
use isx::certificate::{Limits, verify};
use isx::formulate::formulate;
use isx::taskset::read_str;

/// Two tasks with H = 10. Costs above the least: none 2, `mac` 0; none 2, `fir` 0. Areas 120 and 300, in units of 60:
/// 2 and 5.
const SET: &str = "
name: two tasks
tasks:
  - {name: control, wcet: 6, period: 10, choices: [{name: mac, area: 120, wcet: 4}]}
  - {name: filter, wcet: 5, period: 10, choices: [{name: fir, area: 300, saves: 2}]}
";

/// The same with a block of 60 that both choices use, and one of the same slot that only `fir2` needs.
const SHARED: &str = "
name: two tasks
blocks: [{name: b, area: 60, slot: s}, {name: c, area: 60, slot: s}]
tasks:
  - {name: control, wcet: 6, period: 10, choices: [{name: mac, uses: [b], area: 60, wcet: 4}]}
  - {name: filter, wcet: 5, period: 10, choices: [{name: fir, uses: [b], area: 240, saves: 2}, {name: fir2, uses: [c], area: 60, saves: 1}]}
";

/// The small numbers of a certificate after its problem, all below 128.
fn refusal(set: &str, numbers: &[u8]) -> String {
    let set = read_str("set.yaml", set).unwrap().task_set;
    refusal_about(of_task_set(&formulate(&set, None).unwrap()), numbers)
}

fn refusal_about(problem: Vec<u8>, numbers: &[u8]) -> String {
    assert!(problem.len() < 128, "its length is a number of one byte");
    let mut bytes = b"isx certificate 2\n".to_vec();
    bytes.push(problem.len() as u8);
    bytes.extend(&problem);
    bytes.extend(numbers);
    match verify(&bytes[..], &hash(&problem), Limits::default()) {
        Ok(_) => "accepted".into(),
        Err(failure) => failure.wrong.to_string(),
    }
}

/// Points (0, 4), (2, 2), (7, 0) of the first set: the claim.
const POINTS: &[u8] = &[0, 3, 0, 1, 0, 1, 1, 1, 1];
/// No runs of schedulable points; the classes in order.
const START: &[u8] = &[0, 0, 1];
/// (0, 1), (2, 0), as differences.
const FIRST: &[u8] = &[2, 0, 2, 4, 3];
/// (0, 2), (2, 1), (7, 0).
const SECOND: &[u8] = &[3, 0, 4, 4, 3, 10, 3];
/// A price of 0 for area, the classes in order.
const PRICED: &[u8] = &[0, 1, 0, 1];

fn plain(parts: &[&[u8]]) -> String {
    refusal(SET, &parts.concat())
}

#[test]
fn the_certificate_that_the_wrong_ones_come_from_is_accepted() {
    assert_eq!(plain(&[POINTS, START, FIRST, SECOND]), "accepted");
}

#[test]
fn what_is_wrong_with_a_certificate_is_what_is_said() {
    let said = |wanted: &str, parts: &[&[u8]]| {
        let found = plain(parts);
        assert!(found.contains(wanted), "{found:?} should say {wanted:?}");
    };
    // The claim.
    let last = "point 2: its objectives do not come after those of the one before";
    said(last, &[&[0, 3, 0, 1, 0, 1, 1, 0, 0], START, FIRST, SECOND]);
    let dominated = "point 1: point 0 has no more of any objective and no more cost";
    said(dominated, &[&[0, 2, 1, 0, 1, 2, 0, 0, 0, 1], START, FIRST, SECOND]);
    said("class 0 has no option 2", &[&[0, 3, 0, 1, 0, 2, 1, 1, 1], START, FIRST, SECOND]);
    said("there is no class 2 to change", &[&[0, 3, 0, 1, 0, 1, 1, 2, 1], START, FIRST, SECOND]);
    said(
        "class 0 is listed as changed and keeps its option",
        &[&[0, 3, 0, 1, 0, 1, 1, 0, 1], START, FIRST, SECOND],
    );
    said("a front has at least one point", &[&[0, 0], START, FIRST, SECOND]);
    said("amounts 7 may allow cost 7, and no point", &[&[0, 2, 0, 1, 0, 1], START, FIRST, SECOND]);
    said("amounts 2 may allow cost 9, and no point", &[&[0, 2, 0, 2, 0, 1, 0, 1], START, FIRST, SECOND]);
    said("the number of changes is 3, at most 2", &[&[0, 1, 3], START, FIRST, SECOND]);
    said("point 0 is claimed schedulable and is not", &[POINTS, &[2, 0, 1], &[0, 1], FIRST, SECOND]);
    said("the number of runs is 9", &[POINTS, &[9], &[0, 1], FIRST, SECOND]);
    // The order of the classes.
    said("class 0 comes twice", &[POINTS, &[0, 0, 0], FIRST, SECOND]);
    said("a class of the order is 2, at most 1", &[POINTS, &[0, 0, 2], FIRST, SECOND]);
    // The lists.
    said("list 1 does not cover what option 1 of class 0 makes", &[POINTS, START, &[1, 0, 2], SECOND]);
    let short = &[2, 0, 4, 4, 3];
    said("list 2 does not cover what option 1 of class 1 makes", &[POINTS, START, FIRST, short]);
    said("list 1 does not cover what option 0 of class 0 makes", &[POINTS, START, &[1, 4, 0], SECOND]);
    said("do not rise in area and fall in cost", &[POINTS, START, &[2, 0, 2, 0, 3], SECOND]);
    said("do not rise in area and fall in cost", &[POINTS, START, &[2, 0, 2, 4, 0], SECOND]);
    said("do not rise in area and fall in cost", &[POINTS, START, &[2, 4, 2, 3, 3], SECOND]);
    said("a cost is negative", &[POINTS, START, &[2, 0, 2, 4, 5], SECOND]);
    said("an amount is out of range", &[POINTS, START, &[2, 3, 2, 4, 3], SECOND]);
    said("an amount is -0", &[POINTS, START, &[1, 1, 2], SECOND]);
    said("a cost is -0", &[POINTS, START, &[1, 0, 1], SECOND]);
    said("a cost is more than all options", &[POINTS, START, &[2, 0, 18, 4, 3], SECOND]);
    // The file.
    said("something follows", &[POINTS, START, FIRST, SECOND, &[0]]);
    said("the file ends in the middle of", &[POINTS, START, FIRST, &SECOND[..6]]);
    said("not in the shortest form", &[POINTS, START, FIRST, &[131, 0], &SECOND[1..]]);
    said("the kind of claim is 8", &[&[8], START, FIRST, SECOND]);
    said("the claim is about several cores, the problem about one", &[&[6], START, FIRST, SECOND]);
    // Other claims.
    said(
        "the claim is about a best selection, and the problem is a task set",
        &[&[1, 0, 1, 0, 1], PRICED, FIRST, SECOND],
    );
    said("amounts 0 may allow cost 0", &[&[2, 0, 1], &[1, 0, 0], &[1, 0, 0]]);
    said("the design is not schedulable", &[&[3, 0]]);
    said("amounts 2 may allow cost 9", &[&[4, 0], PRICED, &[1], FIRST, &[1], SECOND]);
    said(
        "the scheduler of the task set cannot fail for this reason",
        &[&[4, 2, 0, 1], PRICED, FIRST, SECOND],
    );
    said("does not lose enough to be left out", &[&[4, 0], PRICED, &[0, 0]]);
    said("divided by 0", &[&[4, 0, 1, 0]]);
}

/// The first line of certificates of another version, and of something else.
#[test]
fn another_version_is_refused() {
    let problem = of_task_set(&formulate(&read_str("set.yaml", SET).unwrap().task_set, None).unwrap());
    for first in ["isx certificate 1\n", "isx certificate 3\n", "isx"] {
        let bytes =
            [first.as_bytes(), &[problem.len() as u8], &problem, POINTS, START, FIRST, SECOND].concat();
        let refused = verify(&bytes[..], &hash(&problem), Limits::default()).unwrap_err().to_string();
        assert!(refused.contains("does not begin with `isx certificate 2`"), "{refused}");
    }
}

#[test]
fn blocks_that_are_not_paid_for_are_noticed() {
    let shared = |parts: &[&[u8]]| refusal(SHARED, &parts.concat());
    // Capacity in units of 60: points (0, 4), (2, 3), (3?, ..): the valid certificate does not matter here.
    let points: &[u8] = &[0, 1, 0];
    let said = shared(&[points, START, &[1, 1, 0, 1, 0, 4, 0]]);
    assert!(said.contains("list 1 does not cover what option 0 of class 0 makes"), "{said}");
    let said = shared(&[points, START, &[1, 1, 7]]);
    assert!(said.contains("a block is 7, at most 1"), "{said}");
    let said = shared(&[&[0, 1, 2, 0, 1, 0, 2], START]);
    assert!(said.contains("two blocks share a slot"), "{said}");
    // After the last class no block is needed any more.
    let first: &[u8] = &[2, 0, 1, 0, 4, 1, 0, 1, 4, 0, 0, 2];
    let said = shared(&[points, START, first, &[1, 1, 0]]);
    assert!(said.contains("it names a block that no later class uses"), "{said}");
}

/// H = 16. The first task misses its deadline in software, the second takes too long then; both need an area of 1.
const CASES: &str = "
name: three tasks
tasks:
  - {name: a, wcet: 4, period: 16, deadline: 5, choices: [{name: c, area: 1, wcet: 2}]}
  - {name: b, wcet: 3, period: 4, choices: [{name: c, area: 1, wcet: 2}]}
  - {name: c, wcet: 3, period: 16}
";

/// Both choices are the least.
const LEAST: &[u8] = &[7, 2, 0, 1, 0, 1];
/// Cases of the first task: with its software, what is due by 5 takes longer.
const DIVIDED: &[u8] = &[3, 0, 1, 0, 1, 5];
/// With its choice, the utilization is above 1, as the price 1 of area shows.
const OVERLOADED: &[u8] = &[0, 1, 1];

#[test]
fn what_is_wrong_with_a_proof_by_cases_is_what_is_said() {
    let said = |wanted: &str, parts: &[&[u8]]| {
        let found = refusal(CASES, &parts.concat());
        assert!(found.contains(wanted), "{found:?} should say {wanted:?}");
    };
    said("accepted", &[LEAST, DIVIDED, OVERLOADED]);
    // The cases.
    said("a case of task 0 has no option", &[LEAST, &[3, 0, 0]]);
    said("a case of task 0 has no option", &[LEAST, &[3, 0, 2, 0, 1]]);
    said("a case of task 2 has no option", &[LEAST, &[3, 2, 1, 0]]);
    said("options that are not in order", &[LEAST, &[3, 0, 2, 1, 0]]);
    said("options that are not in order", &[LEAST, &[3, 0, 2, 0, 0]]);
    said("options that the case before does not have", &[LEAST, &[3, 0, 1, 2]]);
    said("options that the case before does not have", &[LEAST, &[3, 0, 1, 0, 3, 0, 1, 1]]);
    said("the number of options of a case is 3, at most 2", &[LEAST, &[3, 0, 3]]);
    said("the task of a case is 3, at most 2", &[LEAST, &[3, 3]]);
    said("the reason is 4, at most 3", &[LEAST, &[3, 0, 1, 0, 4]]);
    // Their reasons.
    let price = &[0, 1, 0, 1, 2];
    let one = &[1, 1, 2, 2];
    said("amounts 1 may allow cost 5", &[LEAST, &[1, 5], price, &[1, 2, 0, 4, 2, 5], one, one]);
    said("the scheduler of the task set cannot fail for this reason", &[LEAST, &[3, 0, 1, 0, 2, 0, 1]]);
    let first = &[3, 0, 1, 0, 0];
    let lacks = "list 1 does not cover what option 0 of class 0 makes";
    said(lacks, &[LEAST, first, price, &[1, 1, 2, 0]]);
    said("amounts 1 may allow cost 15", &[LEAST, first, price, &[1, 1, 0, 0], &[1, 1, 2, 0], &[1, 1, 2, 0]]);
    // A case is missing, or there is one too many.
    for end in 0..DIVIDED.len() {
        said("the file ends in the middle of", &[LEAST, &DIVIDED[..end]]);
    }
    said("the file ends in the middle of the reason", &[LEAST, DIVIDED]);
    said("something follows", &[LEAST, DIVIDED, OVERLOADED, &[0]]);
    // The design.
    said("the design is not schedulable", &[&[7, 1, 0, 1], DIVIDED, OVERLOADED]);
}

/// Two tasks with H = 10 and two resources. Costs above the least, in units of 2: none 1, `mac` 0; none 1, `fir` 0.
/// Amounts (2, 1) and (1, 2), of at most (3, 2).
const COSTLY: &str = "
name: two tasks
resources: [LUT, DSP]
device: {LUT: 9, DSP: 2}
tasks:
  - {name: control, wcet: 6, period: 10, choices: [{name: mac, cost: {LUT: 2, DSP: 1}, wcet: 4}]}
  - {name: filter, wcet: 5, period: 10, choices: [{name: fir, cost: {LUT: 1, DSP: 2}, saves: 2}]}
";

/// Points (0, 0; 2), (1, 2; 1), (2, 1; 1): the claim; no runs, the classes in order.
const CLAIM: &[u8] = &[0, 3, 0, 1, 1, 1, 2, 0, 1, 0, 0, 0, 0, 1];
/// Of one group without blocks: (0, 0; 1), (2, 1; 0), as differences; and what covers the two sums.
const ONE: &[u8] = &[1, 0, 2, 0, 0, 2, 4, 2, 3, 0, 2];
/// (0, 0; 2), (1, 2; 1), (2, 1; 1), and what covers (0, 0; 2), (2, 1; 1) and (1, 2; 1).
const TWO: &[u8] = &[1, 0, 3, 0, 0, 4, 2, 4, 3, 2, 3, 0, 0, 2, 2];
#[test]
fn what_is_wrong_with_a_certificate_about_several_resources_is_what_is_said() {
    let costly = |parts: &[&[u8]]| refusal(COSTLY, &parts.concat());
    assert_eq!(costly(&[CLAIM, ONE, TWO]), "accepted");
    let said = |wanted: &str, parts: &[&[u8]]| {
        let found = costly(parts);
        assert!(found.contains(wanted), "{found:?} should say {wanted:?}");
    };
    // The claim.
    let order = &[0, 0, 1];
    let late = &[0, 3, 0, 1, 0, 1, 2, 0, 0, 0, 1];
    said("point 2: its objectives do not come after those of the one before", &[late, order, ONE, TWO]);
    let twice = &[0, 4, 0, 1, 1, 1, 2, 0, 1, 0, 0, 0];
    said("point 3: its objectives do not come after", &[twice, order, ONE, TWO]);
    let both = &[0, 1, 2, 0, 1, 0, 1];
    said("point 0: its amount 3 of resource 1 is beyond the limit 2", &[both, order, ONE, TWO]);
    said("a front has at least one point", &[&[0, 0], order, ONE, TWO]);
    let without_first = &[0, 2, 1, 1, 1, 2, 0, 1, 0, 0];
    let lacks = "amounts 0, 0 may allow cost 11, and no point of the claim covers that";
    said(lacks, &[without_first, order, ONE, TWO]);
    let without_last = &[0, 2, 0, 1, 1, 1];
    said("amounts 2, 1 may allow cost 9", &[without_last, order, ONE, TWO]);
    said("point 0 is claimed schedulable and is not", &[&CLAIM[..11], &[2, 0, 1], &order[1..], ONE, TWO]);
    // The lists.
    said("list 1 does not cover what option 0 of class 0 makes of amounts 0, 0 and cost 0", &[CLAIM, &[0]]);
    let worse = &[1, 0, 2, 2, 0, 2, 2, 2, 3, 0, 2];
    said("list 1 does not cover what option 0 of class 0 makes", &[CLAIM, worse, TWO]);
    let dearer = &[1, 0, 2, 0, 0, 2, 4, 2, 0, 0, 2];
    said("list 1 does not cover what option 1 of class 0 makes", &[CLAIM, dearer, TWO]);
    let other = &[1, 0, 2, 0, 0, 2, 4, 2, 3, 2, 2];
    said("list 1 does not cover what option 0 of class 0 makes", &[CLAIM, other, TWO]);
    let nowhere = &[1, 0, 2, 0, 0, 2, 4, 2, 3, 0, 4];
    said("the position of what covers a sum is out of range", &[CLAIM, nowhere, TWO]);
    let short = &[1, 0, 2, 0, 0, 4, 2, 4, 3, 0, 0, 2];
    said(
        "list 2 does not cover what option 0 of class 1 makes of amounts 2, 1 and cost 0",
        &[CLAIM, ONE, short],
    );
    said("an amount is -0", &[CLAIM, &[1, 0, 1, 1, 0, 0]]);
    said("a cost is -0", &[CLAIM, &[1, 0, 1, 0, 0, 1]]);
    said("an amount is out of range", &[CLAIM, &[1, 0, 1, 3, 0, 0]]);
    said("a cost is negative", &[CLAIM, &[1, 0, 1, 0, 0, 3]]);
    said("a cost is more than all options together have", &[CLAIM, &[1, 0, 1, 0, 0, 6]]);
    said("the number of blocks is 1, at most 0", &[CLAIM, &[1, 1, 0]]);
    said("class 0 comes twice in the order", &[&CLAIM[..12], &[0, 0], ONE, TWO]);
    said("something follows", &[CLAIM, ONE, TWO, &[0]]);
    said("the file ends in the middle of", &[CLAIM, ONE, &TWO[..14]]);
    // Other claims.
    said(
        "the claim is about a best selection, and the problem is a task set",
        &[&[1, 1, 0], order, ONE, TWO],
    );
    let fits = &[1, 0, 1, 0, 0, 0, 0];
    said("amounts 0, 0 may allow cost 0", &[&[2, 0, 1], fits, fits]);
    said("the design is not schedulable", &[&[3, 0]]);
    said("of several resources, no area is the smallest", &[&[7, 0]]);
    said("amounts 1, 2 may allow cost 9", &[&[4, 0], &order[1..], ONE, &[1, 0, 2, 2, 4, 2, 2, 3, 0, 2, 0]]);
}

/// A task with H = 10 and 5; the loads are 6 or 4 in the first mode, 4 in the second, in units of 2.
const MODES: &str = "
name: a task in two modes
modes: [a, b]
tasks:
  - {name: control, wcet: {a: 6, b: 2}, period: {a: 10, b: 5}, choices: [{name: mac, area: 120, wcet: {a: 4, b: 2}}]}
";

#[test]
fn what_is_wrong_with_a_certificate_of_modes_is_what_is_said() {
    let said = |wanted: &str, numbers: &[u8]| {
        let found = refusal(MODES, numbers);
        assert!(found.contains(wanted), "{found:?} should say {wanted:?}");
    };
    // Points (0, 3) and (1, 2), no runs, the only class; both sums are beaten.
    said("accepted", &[0, 2, 0, 1, 0, 1, 0, 0, 0]);
    said("list 1 does not cover what option 1 of class 0 makes of amounts 0, 0, 0", &[0, 1, 0, 0, 0, 0]);
    said("list 1 does not cover what option 0 of class 0 makes", &[0, 1, 1, 0, 1, 0, 0, 0]);
    said("point 1: its objectives do not come after", &[0, 2, 1, 0, 1, 1, 0, 0, 0, 0, 0]);
    said("the claim is about a best selection, and the problem is a task set", &[1, 0, 0]);
    said("list 1 does not cover what option 0 of class 0 makes", &[4, 0, 0, 0]);
    said("the mode of the reason is 2, at most 1", &[4, 1, 9, 2]);
    said("amounts 0 may allow cost 2", &[4, 1, 9, 1, 0, 1, 0, 1, 1, 0, 0]);
}

/// Tasks of which no core holds two in software; blocks in a slot of the chip and of a core.
fn on_two_cores(changed: (&str, &str), numbers: &[u8]) -> String {
    let task =
        |name| format!("- {{name: {name}, wcet: 6, period: 10, choices: [{{name: c, area: 1, wcet: 5}}]}}\n");
    let text = format!("name: x\ncores: {{count: 2}}\ntasks:\n{}{}{}", task("a"), task("b"), task("c"));
    let set = read_str("x.yaml", &text.replace(changed.0, changed.1)).unwrap().task_set;
    refusal_about(of_division(&set, &formulate(&set, None).unwrap(), 2), numbers)
}

/// Core and option of each task: an area of 2.
const DIVISION: &[u8] = &[5, 0, 1, 0, 1, 1, 0];
/// Every task is worth 2, and no core gains more than 2.
const WORTH: &[u8] = &[1, 0, 2, 2, 2, 2];

#[test]
fn what_is_wrong_with_a_certificate_of_a_division_is_what_is_said() {
    let said = |wanted: &str, changed: (&str, &str), parts: &[&[u8]]| {
        let found = on_two_cores(changed, &parts.concat());
        assert!(found.contains(wanted), "{found:?} should say {wanted:?}");
    };
    let same = ("", "");
    // The division.
    said("the core of a task is 2, at most 1 is possible", same, &[&[5, 2]]);
    said("task 1 has no option 2", same, &[&[5, 0, 1, 0, 2]]);
    said("core 0 misses a deadline", same, &[&[5, 0, 1, 0, 1, 0, 1], WORTH]);
    said("core 0 misses a deadline", same, &[&[5, 0, 0, 0, 1, 1, 1], WORTH]);
    said("task 0 is pinned to another core", ("name: a,", "name: a, core: 1,"), &[DIVISION, WORTH]);
    said("tasks 0 and 1 share a core", ("name: a,", "name: a, apart: [b],"), &[DIVISION, WORTH]);
    for (scope, whose) in [("chip", "the chip"), ("core", "core 0")] {
        let blocks = format!(
            "name: x\nblocks: [{{name: p, area: 1, slot: s, scope: {scope}}}, {{name: q, area: 1, slot: s, scope: {scope}}}]"
        );
        let task = |name| {
            format!(
                "- {{name: {name}, wcet: 3, period: 10, choices: [{{name: c, uses: [{}], wcet: 2}}]}}\n",
                if name == "a" { "p" } else { "q" }
            )
        };
        let set = format!("{blocks}\ncores: {{count: 2}}\ntasks:\n{}{}", task("a"), task("b"));
        let set = read_str("x.yaml", &set).unwrap().task_set;
        let found = refusal_about(of_division(&set, &formulate(&set, None).unwrap(), 2), &[5, 0, 1, 0, 1]);
        assert_eq!(found, format!("point 0: a slot of {whose} has two blocks"));
    }
    // Why there is none of less area.
    said("the prices do not reach the area", same, &[DIVISION, &[1, 0, 3, 2, 2, 2]]);
    said("the prices do not reach the area", same, &[DIVISION, &[1, 1, 2, 2, 2, 2]]);
    said("the binary places of prices is 63, at most 62", same, &[DIVISION, &[1, 63]]);
    let most = [[255; 9].as_slice(), &[1]].concat();
    said("the gains of a core are beyond 64 bits", same, &[DIVISION, &[1, 0, 0], &most, &most, &most]);
    said("every task is pinned to an existing core", same, &[DIVISION, &[2]]);
    said("block 0 is not open", same, &[DIVISION, &[3, 0]]);
    said("why there is no better division is 4, at most 3", same, &[DIVISION, &[4]]);
    let lacks = "list 1 does not cover what option 0 of class 0 makes of amounts 0 and cost 0";
    said(lacks, same, &[DIVISION, &[0, 0, 1, 0, 1, 2, 1, 0]]);
    said("the claim is about one core, the problem about several", same, &[&[0, 1, 0]]);
    said("the claim is about one core, the problem about several", same, &[&[7, 0]]);
    said(lacks, same, &[&[6], &[0, 0, 1, 0, 1, 2, 1, 0]]);
}
