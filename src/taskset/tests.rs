//! What a valid task-set file means.

use super::{TaskSet, TimeBase, read_str};
use crate::quantity::{Rational, format_decimal, parse_decimal};

fn read(text: &str) -> TaskSet {
    match read_str("test.yaml", text) {
        Ok(reading) => {
            assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
            reading.task_set
        }
        Err(error) => panic!("{error}"),
    }
}

fn number(text: &str) -> Rational {
    parse_decimal(text).unwrap()
}

#[test]
fn with_a_clock_times_become_cycles_and_plain_numbers_are_cycles() {
    let set = read(
        "name: node\nclock: 100 MHz\ntasks:\n\
         - {name: a, wcet: 3260, period: 1 ms, deadline: 500us, choices: [{name: c, area: 1157, wcet: 321}]}\n\
         - {name: b, wcet: 2 us, period: 61000, choices: [{name: d, area: 0.5, saves: 1us}]}\n",
    );
    assert_eq!(set.time_base, TimeBase::Cycles { hertz: number("1e8") });
    let [a, b] = &set.tasks[..] else { panic!("{set:?}") };
    assert_eq!((&a.wcet, &a.period, &a.deadline), (&number("3260"), &number("1e5"), &number("5e4")));
    assert_eq!((&a.choices[0].area, &a.choices[0].wcet), (&number("1157"), &number("321")));
    assert_eq!((&b.wcet, &b.period, &b.deadline), (&number("200"), &number("61000"), &number("61000")));
    assert_eq!((&b.choices[0].area, &b.choices[0].wcet), (&number("0.5"), &number("100")));
}

#[test]
fn without_a_clock_times_have_units_all_of_them_or_none() {
    let set = read(
        "name: x\ntasks: [{name: a, wcet: 33.3 ms, period: 15/61 s}, {name: b, wcet: 1ns, period: 2 µs}]",
    );
    assert_eq!(set.time_base, TimeBase::Seconds);
    assert_eq!(set.tasks[0].wcet, number("0.0333"));
    assert_eq!(set.tasks[0].period, number("15") / number("61"));
    assert_eq!(set.tasks[1].period, number("2e-6"));
    let set = read("name: x\ntasks: [{name: a, wcet: 0.1, period: 1e3}]");
    assert_eq!((set.time_base, &set.tasks[0].wcet), (TimeBase::Unnamed, &number("0.1")));
}

#[test]
fn digits_survive_that_no_float_could_hold() {
    let set = read(
        "name: x\ntasks: [{name: a, wcet: 0.1000000000000000000000000001, period: 12345678901234567890123}]",
    );
    assert_eq!(format_decimal(&set.tasks[0].wcet), "0.1000000000000000000000000001");
    assert_eq!(format_decimal(&set.tasks[0].period), "12345678901234567890123");
}

#[test]
fn every_yaml_style_reads_the_same() {
    let block = "\
# a comment
name: 'x y'   # another
description: \"two
  lines\"
area_unit: NAND2
source: somewhere
tasks:
  - name: \"a\"
    wcet: \"8 ms\"
    period: '10 ms'
    source: there
    choices:
      - name: c
        area: 3
        saves: 1 ms
        source: here
";
    let flow = "{name: x y, description: two lines, area_unit: NAND2, source: somewhere, tasks: [{name: a, \
                wcet: 8 ms, period: 10 ms, source: there, choices: [{name: c, area: 3, wcet: 7 ms, source: here}]}]}";
    let set = read(block);
    assert_eq!(set, read(flow));
    assert_eq!(set, read(&block.replace('\n', "\r\n")));
    assert_eq!(set, read(&format!("\u{FEFF}%YAML 1.2\n---\n{block}...\n")));
    assert_eq!((set.name.as_str(), set.area_unit.as_str()), ("x y", "NAND2"));
    assert_eq!(set.description.as_deref(), Some("two lines"));
    assert_eq!(set.tasks[0].choices[0].source.as_deref(), Some("here"));
}

#[test]
fn texts_may_be_blocks_numbers_and_any_script() {
    let set = read(
        "name: 日本\ndescription: |\n  one\n  two\narea_unit: 1\ntasks:\n- {name: 7, wcet: 1, period: 2}\n- {name: yes, wcet: 1, period: 2}\n",
    );
    assert_eq!((set.name.as_str(), set.area_unit.as_str()), ("日本", "1"));
    assert_eq!(set.description.as_deref(), Some("one\ntwo\n"));
    assert_eq!(set.tasks.iter().map(|task| task.name.as_str()).collect::<Vec<_>>(), ["7", "yes"]);
}

#[test]
fn choices_of_two_tasks_may_share_a_name() {
    let choices = "choices: [{name: mac, area: 1, saves: 1}]";
    let set = read(&format!(
        "name: x\ntasks:\n- {{name: a, wcet: 2, period: 9, {choices}}}\n- {{name: b, wcet: 2, period: 9, {choices}}}\n"
    ));
    assert_eq!(set.tasks[0].choices, set.tasks[1].choices);
}
