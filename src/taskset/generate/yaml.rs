//! Writes the task-set file of a generated set, with its recipe in the header.

use super::blocks::{DrawnBlocks, block_name};
use super::drawn::{GeneratedTask, GeneratedTiming};
use super::periods::microseconds;
use super::recipe::TaskSetRecipe;
use crate::model::{GENERATED, Scheduler};
use crate::written::{Mapping, in_line};
use isx_exact::quantity::{Rational, format_decimal, format_rounded};
use num_traits::Zero;

/// The maximum number of denominator digits written in the header of a file.
const WRITTEN_DIGITS: usize = 40;

pub fn write_yaml(recipe: &TaskSetRecipe, drawn: &DrawnBlocks, tasks: &[GeneratedTask]) -> String {
    let of_modes = (0..recipe.modes as usize).map(|mode| achieved(recipe, tasks, mode)).collect();
    let head = format!(
        "{}# Generated. The same recipe gives the same numbers on every machine:\n#   isx generate taskset {recipe}\n\
         # Software-only utilization after rounding WCETs to cycles: {}\n",
        crate::SCHEMA_LINES,
        by_mode(of_modes).trim_matches(['{', '}']).replace(", mode", "; mode")
    );
    let mut set = Mapping::named(&recipe.name);
    set.put("description", folded(&description(recipe)));
    set.put("clock", format!("{} MHz", recipe.clock_mhz));
    if recipe.resources.is_empty() {
        set.put("area_unit", &recipe.area_unit);
    } else {
        set.put("resources", in_line(recipe.resources.all.iter().map(|(name, _)| name)));
    }
    set.put("source", source(recipe));
    if recipe.scheduler != Scheduler::Edf {
        set.put("scheduler", recipe.scheduler.name());
    }
    if recipe.kernel.switch > 0 {
        set.put("switch", recipe.kernel.switch);
    }
    if recipe.modes > 1 {
        set.put("modes", in_line((1..=recipe.modes).map(|mode| format!("mode-{mode}"))));
    }
    if let Some(((least, most), area)) = &recipe.cores {
        let area = match recipe.resources.all.first() {
            None => format!("area: {}", format_decimal(area)),
            Some((first, _)) => format!("cost: {{{first}: {}}}", format_decimal(area)),
        };
        set.put("cores", format!("{{count: {least}..{most}, {area}}}"));
    }
    if let Some(blocks) = &recipe.blocks {
        set.list("blocks", blocks.written(&recipe.resources, drawn));
    }
    set.list("tasks", tasks.iter().enumerate().map(|(index, task)| written(recipe, index, task)).collect());
    set.below(head).text
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

fn written(recipe: &TaskSetRecipe, index: usize, task: &GeneratedTask) -> Mapping {
    let in_modes = |of: &dyn Fn(&GeneratedTiming) -> String| by_mode(task.timings().map(of).collect());
    let time = |us: u64| microseconds(us, " ");
    let mut mapping = Mapping::named(&recipe.tasks.name(index));
    mapping.put("wcet", in_modes(&|timing| timing.wcet.to_string()));
    mapping.put("period", in_modes(&|timing| time(timing.period_us)));
    if task.timing.deadline_us.is_some() {
        let deadline = |timing: &GeneratedTiming| time(timing.deadline_us.unwrap_or(timing.period_us));
        mapping.put("deadline", in_modes(&deadline));
    }
    task.priority.iter().for_each(|priority| mapping.put("priority", priority));
    let [jitter, blocking, nonpreemptive] = task.kernel;
    if jitter > 0 {
        mapping.put("jitter", time(jitter));
    }
    for (key, cycles) in [("blocking", blocking), ("nonpreemptive", nonpreemptive)] {
        if cycles > 0 {
            mapping.put(key, cycles);
        }
    }
    mapping.put("source", "generated");
    let choices = (1..).zip(&task.choices).map(|(number, choice)| {
        let mut mapping = Mapping::named(&format!("ci-{number}"));
        if !choice.uses.is_empty() {
            mapping.put("uses", in_line(choice.uses.iter().map(|&block| block_name(block))));
        }
        let (key, price) = recipe.resources.price(recipe.area, choice.area, &choice.others);
        mapping.put(key, price);
        mapping.put("saves", in_modes(&|timing| task.saved(choice, timing).to_string()));
        mapping
    });
    mapping.list("choices", choices.collect());
    mapping
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
    let mut lines = String::from(">-");
    let mut length = usize::MAX;
    for word in text.split_whitespace() {
        let more = 1 + word.chars().count();
        let fits = length.saturating_add(more) <= 110;
        length = if fits { length + more } else { more - 1 };
        lines += if fits { " " } else { "\n  " };
        lines += word;
    }
    lines
}
