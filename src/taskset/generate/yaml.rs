//! Writes the task-set file of a generated set, with its recipe in the header.

use super::blocks::{DrawnBlocks, name_list};
use super::drawn::GeneratedTask;
use super::recipe::{TaskSetRecipe, microseconds};
use crate::model::{GENERATED, Scheduler};
use isx_exact::quantity::{Rational, format_rounded};
use num_traits::Zero;
use std::fmt::Write as _;

/// The maximum number of denominator digits written in the header of a file.
const WRITTEN_DIGITS: usize = 40;

pub fn write_yaml(recipe: &TaskSetRecipe, drawn: &DrawnBlocks, tasks: &[GeneratedTask]) -> String {
    let mut text = String::from(crate::SCHEMA_LINES);
    text.push_str("# Generated. The same recipe gives the same numbers on every machine:\n");
    // Writing to a String does not fail.
    let _ = writeln!(text, "#   isx generate taskset {recipe}");
    let _ = writeln!(
        text,
        "# Software-only utilization after rounding WCETs to cycles: {}",
        achieved(recipe, tasks)
    );
    let _ = writeln!(text, "name: {}", recipe.name);
    text.push_str("description: >-\n");
    // Reports show this line without the comment.
    let note = "Generated; areas, WCETs, periods and choices are illustrative. The recipe is in the first lines of its YAML file.";
    text.push_str(&folded(&format!("{} {note}", recipe.description)));
    let _ = writeln!(text, "clock: {} MHz", recipe.clock_mhz);
    if recipe.resources.is_empty() {
        let _ = writeln!(text, "area_unit: {}", recipe.area_unit);
    } else {
        recipe.resources.write(&mut text);
    }
    let _ = writeln!(text, "source: {GENERATED}, seed {}", recipe.seed);
    if recipe.scheduler != Scheduler::Edf {
        let _ = writeln!(text, "scheduler: {}", recipe.scheduler.name());
    }
    if let Some(blocks) = &recipe.blocks {
        blocks.write(&mut text, &recipe.resources, drawn);
    }
    text.push_str("tasks:\n");
    for task in tasks {
        write_task(&mut text, recipe, task);
    }
    text
}

fn write_task(text: &mut String, recipe: &TaskSetRecipe, task: &GeneratedTask) {
    let _ = writeln!(text, "  - name: {}", task.name);
    let _ = writeln!(text, "    wcet: {}", task.wcet);
    let _ = writeln!(text, "    period: {}", microseconds(task.period_us, " "));
    if let Some(deadline) = task.deadline_us {
        let _ = writeln!(text, "    deadline: {}", microseconds(deadline, " "));
    }
    if let Some(priority) = task.priority {
        let _ = writeln!(text, "    priority: {priority}");
    }
    let _ = writeln!(text, "    source: generated");
    if task.choices.is_empty() {
        return;
    }
    text.push_str("    choices:\n");
    for (number, choice) in task.choices.iter().enumerate() {
        let _ = writeln!(text, "      - name: ci-{}", number + 1);
        if !choice.uses.is_empty() {
            let _ = writeln!(text, "        uses: {}", name_list(&choice.uses));
        }
        let price = recipe.resources.price(recipe.area, choice.area, &choice.others);
        let _ = writeln!(text, "        {price}");
        let _ = writeln!(text, "        saves: {}", choice.saved);
    }
}

/// The sum of wcet / period: as a fraction if it is short enough to read, and rounded.
fn achieved(recipe: &TaskSetRecipe, tasks: &[GeneratedTask]) -> String {
    let sum = tasks.iter().fold(Rational::zero(), |sum, task| {
        sum + Rational::new(task.wcet.into(), (task.period_us * recipe.clock_mhz).into())
    });
    let rounded = format_rounded(&sum, 12);
    let fraction = format!("{}/{}", sum.numer(), sum.denom());
    if fraction.len() > 2 * WRITTEN_DIGITS {
        format!("about {rounded}")
    } else {
        format!("{fraction}, about {rounded}")
    }
}

/// Wraps a text as a folded YAML block, which parses back as the same words with single spaces.
fn folded(text: &str) -> String {
    let mut lines = String::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > 110 {
            let _ = writeln!(lines, "  {line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(lines, "  {line}");
    lines
}
