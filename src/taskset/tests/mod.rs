//! What a valid task-set file means.

mod resources;
mod schema;

use super::{Task, TaskSet, UnusedReason, read_str};
use isx_exact::quantity::{Rational, format_decimal, parse_decimal};

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
fn digits_survive_that_no_float_could_hold() {
    let set = read(
        "name: x\ntasks: [{name: a, wcet: 0.1000000000000000000000000001, period: 12345678901234567890123}]",
    );
    assert_eq!(format_decimal(&set.tasks[0].wcets[0]), "0.1000000000000000000000000001");
    assert_eq!(format_decimal(set.tasks[0].period()), "12345678901234567890123");
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
    assert_eq!((set.name.as_str(), set.area_unit()), ("x y", "NAND2"));
    assert_eq!(set.description.as_deref(), Some("two lines"));
    assert_eq!(set.source.as_deref(), Some("somewhere"));
    assert_eq!(set.tasks[0].choices[0].source.as_deref(), Some("here"));
}

#[test]
fn texts_may_be_blocks_numbers_and_any_script() {
    let set = read(
        "name: 日本\ndescription: |\n  one\n  two\narea_unit: 1\ntasks:\n- {name: 7, wcet: 1, period: 2}\n- {name: yes, wcet: 1, period: 2}\n",
    );
    assert_eq!((set.name.as_str(), set.area_unit()), ("日本", "1"));
    assert_eq!(set.description.as_deref(), Some("one\ntwo\n"));
    assert_eq!(set.tasks.iter().map(|task| task.name.as_str()).collect::<Vec<_>>(), ["7", "yes"]);
}

/// Compares every pair of choices and checks the unused ones against the definition.
#[test]
fn unused_choices_are_those_that_the_definition_names() {
    let mut sampler = isx_exact::sampling::Sampler::new(11);
    let mut dominated = 0;
    for _ in 0..2_000 {
        let count = sampler.uniform(0, 7);
        let mut task = Task::new("a", 5, 9);
        for at in 0..count {
            let (area, wcet) = (sampler.uniform(0, 3), sampler.uniform(1, 6));
            task = task.with_choice(format!("c{at}"), area, wcet);
        }
        let set = TaskSet::new("x", [task]).unwrap();
        let task = &set.tasks[0];
        let key = |at: usize| (&task.choices[at].cost, &task.choices[at].wcets[0]);
        let no_worse = |a: usize, b: usize| key(a).0 <= key(b).0 && key(a).1 <= key(b).1;
        let better = |a: usize, b: usize| no_worse(a, b) && (key(a) != key(b) || a < b);
        let all = 0..task.choices.len();
        for (at, reason) in set.unused_reasons(task).into_iter().enumerate() {
            let choice = &task.choices[at];
            let is_dominated = all.clone().any(|other| better(other, at));
            match reason {
                Some(UnusedReason::SlowerThanSoftware) => assert!(choice.wcets[0] > task.wcets[0]),
                Some(UnusedReason::SavesNothing) => assert!(choice.wcets[0] == task.wcets[0]),
                Some(UnusedReason::DominatedBy(name)) => {
                    let by = task.choices.iter().position(|choice| choice.name == name).unwrap();
                    assert!(choice.wcets[0] < task.wcets[0] && better(by, at), "{task:?}");
                    assert!(
                        !all.clone().any(|other| better(other, by)),
                        "{name} is dominated itself: {task:?}"
                    );
                    dominated += 1;
                }
                None => assert!(choice.wcets[0] < task.wcets[0] && !is_dominated, "{task:?}"),
            }
        }
    }
    assert!(dominated > 1_000, "{dominated}");
}

/// The largest accepted file: comparing all pairs of choices would take minutes.
#[test]
fn a_task_of_very_many_choices_is_read() {
    let choice = |at: usize| format!("  - {{name: c{at}, area: {at}, wcet: {}}}\n", 200_000 - at);
    let choices: String = (0..140_000).map(choice).collect();
    let set =
        read(&format!("name: x\ntasks:\n- name: a\n  wcet: 300000\n  period: 300000\n  choices:\n{choices}"));
    assert!(set.unused_choices().is_empty());
    assert_eq!(set.validate(), Ok(()));
}
