//! Tasks of several parts, and relations of blocks.

use super::read;
use crate::read_str;
use isx_exact::quantity::format_decimal;

const DECODER: &str = "\
name: decoder
blocks: [{name: mul, area: 300}, {name: simd, area: 900}]
tasks:
- name: decode
  wcet: 900
  period: 2000
  parts:
  - {name: idct, choices: [{name: mac, uses: [mul], saves: 210}, {name: simd, uses: [simd], saves: 260}]}
  - {name: huff, wcet: 300, choices: [{name: lut, area: 9, wcet: 100}]}
  instructions: [{name: clz, area: 35, saves: 42}]
- {name: other, wcet: 5, period: 90, choices: [{name: c, area: 1, wcet: 4}]}
";

/// Each part has the time that its choices save at most, or its own; the task keeps the rest.
#[test]
fn parts_follow_their_task_and_add_up_to_it() {
    let set = read(DECODER);
    let rows: Vec<(&str, String)> =
        set.tasks.iter().map(|row| (row.name.as_str(), format_decimal(&row.wcets[0]))).collect();
    let wanted = [
        ("decode", "298"),
        ("decode/idct", "260"),
        ("decode/huff", "300"),
        ("decode/clz", "42"),
        ("other", "5"),
    ];
    assert_eq!(rows, wanted.map(|(name, wcet)| (name, wcet.to_owned())));
    let least: Vec<String> = set.tasks[1].choices.iter().map(|own| format_decimal(&own.wcets[0])).collect();
    assert_eq!(
        (least.as_slice(), set.tasks[3].choices[0].name.as_str()),
        (["50".to_owned(), "0".to_owned()].as_slice(), "clz")
    );
    assert_eq!((set.parts_of(0).len(), set.parts_of(1).len(), set.task_of(3), set.task_of(4)), (3, 0, 0, 4));
    assert!(set.tasks[1..4].iter().all(|part| part.timings == set.tasks[0].timings));
    // Written out as choices, `clz` alone costs more than `lut` and saves less; saving nothing, it is of no use at all.
    let choices = |set: &crate::TaskSet| set.joined().unwrap().task_set.tasks[0].choices.len();
    let idle = read(&DECODER.replace("saves: 42", "saves: 0"));
    assert_eq!((choices(&set), choices(&idle)), (3 * 3 - 1, 3 * 2 - 1));
}

#[test]
fn what_contradicts_itself_is_refused_at_its_place() {
    let refused = |from: &str, to: &str| {
        let text = DECODER.replace(from, to);
        assert_ne!(text, DECODER);
        read_str("x", &text).unwrap_err().to_string()
    };
    let has = |error: String, words: &str| assert!(error.contains(words), "{error}");
    has(refused("saves: 260", "saves: 559"), "save");
    has(refused("saves: 260", "saves: 900"), "is all of the WCET");
    has(refused("wcet: 300", "wcet: 700"), "have more time than the task");
    has(refused("area: 35, saves: 42", "area: 35, wcet: 42"), "needs the `wcet` of its part");
    has(refused("area: 35, saves", "area: 35, locks: {}, saves"), "belongs to the task, not to a part");
    has(refused("name: clz, ", "nam: clz, "), "unknown key `nam`");
    has(
        refused(
            "area: 300}, {name: simd, area: 900}",
            "area: 300, needs: [simd]}, {name: simd, area: 900, needs: [mul]}",
        ),
        "in a circle: `mul` needs `simd` needs `mul`",
    );
    has(
        refused(
            "area: 300}, {name: simd, area: 900}",
            "area: 300, needs: [simd], excludes: [simd]}, {name: simd, area: 900}",
        ),
        "block `mul` needs `simd`, which it excludes",
    );
}
