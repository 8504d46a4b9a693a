//! A text that may be a task set: it is refused with a place, or read, and is then one that may be built; every set can be
//! explored or is refused, and its points are in order. What it means is judged by `tests/random`, which writes its own.

use super::machine;
use isx::explore::{Options, explore};
use isx::quantity::Rational;
use isx::schedulability::Limits;
use isx::taskset::{ReadError, Task, TaskSet, TimeBase, read_bytes};
use num_traits::Zero;

/// The largest sets that are explored: larger ones only test the reader.
const MOST_TASKS: usize = 4;
const MOST_CHOICES: usize = 6;

pub fn check(data: &[u8]) {
    let set = match read_bytes("input.yaml", data) {
        Ok(reading) => {
            let sound = |text: String| !text.is_empty() && !text.chars().any(|c| c.is_control() && c != '\n');
            assert!(reading.warnings.iter().all(|warning| sound(warning.to_string())));
            reading.task_set
        }
        Err(error) => return refused(data, &error),
    };
    assert_eq!(set.validate(), Ok(()), "what is read is what may be built");
    let zero = Rational::zero();
    for task in &set.tasks {
        assert!(task.wcets[0] > zero && *task.period() > zero && *task.deadline() > zero);
        assert!(task.choices.iter().all(|choice| choice.wcets[0] > zero));
    }
    explored(&set);
}

/// Every error has a place within the text, and its message contains no terminal control characters.
fn refused(data: &[u8], error: &ReadError) {
    let lines = data.iter().filter(|&&byte| byte == b'\n' || byte == b'\r').count() + 1;
    for diagnostic in error.diagnostics() {
        let (line, column) = diagnostic.position();
        assert!((1..=lines).contains(&line) && (1..=data.len() + 1).contains(&column));
    }
    let shown = error.to_string();
    assert!(!shown.is_empty() && !shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
}

fn explored(set: &TaskSet) {
    let choices: usize = set.tasks.iter().map(|task| task.choices.len()).sum();
    if set.tasks.len() > MOST_TASKS || choices > MOST_CHOICES || set.blocks.len() > MOST_CHOICES {
        return;
    }
    let limits = Limits { steps: 2_000, design_steps: 500 };
    let options = Options { machine: machine(), limits, ..Options::default() };
    let Ok(explored) = explore(set, &options) else { return };
    let points: Vec<(Rational, Rational)> =
        explored.front.iter().map(|point| (point.area(), point.utilization())).collect();
    assert!(!points.is_empty(), "software alone is a design");
    assert!(points.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1));
    // In the variant and mode in which the task takes most, at the clock of the slowest variant.
    let of = |task: &Task| -> Rational {
        let wcet = task.wcets.iter().fold(Rational::zero(), |most, wcet| most.max(wcet.clone()));
        let timings = task.timings.iter().flatten();
        let period = timings.fold(task.period().clone(), |least, timing| least.min(timing.period.clone()));
        (wcet + set.switches(task, None)) / period
    };
    let slowest = set.variants.iter().filter_map(|variant| variant.fmax.clone()).min();
    let slower = match (&set.time_base, slowest) {
        (TimeBase::Cycles { hertz }, Some(slowest)) if slowest < *hertz => hertz / slowest,
        _ => Rational::from_integer(1.into()),
    };
    assert!(points[0].1 <= set.tasks.iter().map(of).sum::<Rational>() * slower);
    for (point, verdict) in explored.front.iter().zip(&explored.verdicts.points) {
        assert!(*verdict != Some(true) || point.utilization() <= Rational::from_integer(1.into()));
    }
}
