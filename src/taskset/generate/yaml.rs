//! Writes the task-set file of a generated set, with its recipe in the header.

use super::blocks::{DrawnBlocks, name_list};
use super::drawn::{GeneratedTask, GeneratedTiming};
use super::periods::microseconds;
use super::recipe::TaskSetRecipe;
use crate::model::{GENERATED, Scheduler};
use isx_exact::quantity::{Rational, format_decimal, format_rounded};
use num_traits::Zero;
use std::fmt::Write as _;

/// The maximum number of denominator digits written in the header of a file.
const WRITTEN_DIGITS: usize = 40;

pub fn write_yaml(recipe: &TaskSetRecipe, drawn: &DrawnBlocks, tasks: &[GeneratedTask]) -> String {
    let mut text = String::from(crate::SCHEMA_LINES);
    text.push_str("# Generated. The same recipe gives the same numbers on every machine:\n");
    // Writing to a String does not fail.
    let _ = writeln!(text, "#   isx generate taskset {recipe}");
    let of_modes = (0..recipe.modes as usize).map(|mode| achieved(recipe, tasks, mode));
    let _ = writeln!(
        text,
        "# Software-only utilization after rounding WCETs to cycles: {}",
        by_mode(of_modes.collect()).trim_matches(['{', '}']).replace(", mode", "; mode")
    );
    let _ = writeln!(text, "name: {}", recipe.name);
    text.push_str("description: >-\n");
    text.push_str(&folded(&description(recipe)));
    let _ = writeln!(text, "clock: {} MHz", recipe.clock_mhz);
    if recipe.resources.is_empty() {
        let _ = writeln!(text, "area_unit: {}", recipe.area_unit);
    } else {
        recipe.resources.write(&mut text);
    }
    let _ = writeln!(text, "source: {}", source(recipe));
    if recipe.scheduler != Scheduler::Edf {
        let _ = writeln!(text, "scheduler: {}", recipe.scheduler.name());
    }
    if recipe.kernel.switch > 0 {
        let _ = writeln!(text, "switch: {}", recipe.kernel.switch);
    }
    if recipe.modes > 1 {
        let names: Vec<String> = (1..=recipe.modes).map(|mode| format!("mode-{mode}")).collect();
        let _ = writeln!(text, "modes: [{}]", names.join(", "));
    }
    if let Some(((least, most), area)) = &recipe.cores {
        let area = match recipe.resources.all.first() {
            None => format!("area: {}", format_decimal(area)),
            Some((first, _)) => format!("cost: {{{first}: {}}}", format_decimal(area)),
        };
        let _ = writeln!(text, "cores: {{count: {least}..{most}, {area}}}");
    }
    if let Some(blocks) = &recipe.blocks {
        blocks.write(&mut text, &recipe.resources, drawn);
    }
    text.push_str("tasks:\n");
    for (index, task) in tasks.iter().enumerate() {
        write_task(&mut text, recipe, index, task);
    }
    text
}

/// A value, or one for each mode.
fn by_mode(values: Vec<String>) -> String {
    match values.as_slice() {
        [value] => value.clone(),
        values => {
            let named = (1..).zip(values).map(|(number, value)| format!("mode-{number}: {value}"));
            format!("{{{}}}", named.collect::<Vec<_>>().join(", "))
        }
    }
}

/// What the file says about the set, as words with single spaces; reports show it without the comment.
pub fn description(recipe: &TaskSetRecipe) -> String {
    const NOTE: &str = "Generated; areas, WCETs, periods and choices are illustrative. The recipe is in the first lines of its YAML file.";
    recipe.description.split_whitespace().chain([NOTE]).collect::<Vec<_>>().join(" ")
}

/// Where the file says that its figures come from.
pub fn source(recipe: &TaskSetRecipe) -> String {
    format!("{GENERATED}, seed {}", recipe.seed)
}

fn write_task(text: &mut String, recipe: &TaskSetRecipe, index: usize, task: &GeneratedTask) {
    let in_modes = |of: &dyn Fn(&GeneratedTiming) -> String| by_mode(task.timings().map(of).collect());
    let time = |us: u64| microseconds(us, " ");
    let _ = writeln!(text, "  - name: {}", recipe.tasks.name(index));
    let _ = writeln!(text, "    wcet: {}", in_modes(&|timing| timing.wcet.to_string()));
    let _ = writeln!(text, "    period: {}", in_modes(&|timing| time(timing.period_us)));
    if task.timing.deadline_us.is_some() {
        let deadline = |timing: &GeneratedTiming| time(timing.deadline_us.unwrap_or(timing.period_us));
        let _ = writeln!(text, "    deadline: {}", in_modes(&deadline));
    }
    if let Some(priority) = task.priority {
        let _ = writeln!(text, "    priority: {priority}");
    }
    let [jitter, blocking, nonpreemptive] = task.kernel;
    if jitter > 0 {
        let _ = writeln!(text, "    jitter: {}", microseconds(jitter, " "));
    }
    for (key, cycles) in [("blocking", blocking), ("nonpreemptive", nonpreemptive)] {
        if cycles > 0 {
            let _ = writeln!(text, "    {key}: {cycles}");
        }
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
        let saved = |timing: &GeneratedTiming| task.saved(choice, timing).to_string();
        let _ = writeln!(text, "        saves: {}", in_modes(&saved));
    }
}

/// The sum of wcet / period in a mode: as a fraction if it is short enough to read, and rounded.
fn achieved(recipe: &TaskSetRecipe, tasks: &[GeneratedTask], mode: usize) -> String {
    let timings = tasks.iter().filter_map(|task| task.timings().nth(mode));
    let sum = timings.fold(Rational::zero(), |sum, timing| {
        sum + Rational::new(timing.wcet.into(), (timing.period_us * recipe.clock_mhz).into())
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
