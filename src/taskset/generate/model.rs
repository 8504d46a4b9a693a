//! A generated set as a task set: what a reader makes of its YAML.

use super::blocks::{DrawnBlocks, block_name};
use super::drawn::{GeneratedChoice, GeneratedTask, GeneratedTiming};
use super::periods::microseconds;
use super::recipe::TaskSetRecipe;
use super::yaml::{description, source};
use crate::model::{
    Block, Choice, Cores, KernelCosts, Nonpreemptive, Resources, Task, TaskSet, TimeBase, Timing,
    WrittenUnits,
};
use crate::reading::as_one_area;
use isx_exact::quantity::{Rational, TimeScale};
use isx_exact::sampling::DecimalRange;
use num_bigint::BigInt;

/// The task set of drawn figures.
pub fn task_set(recipe: &TaskSetRecipe, drawn: DrawnBlocks, tasks: Vec<GeneratedTask>) -> TaskSet {
    let written = tasks.first().filter(|task| task.others.is_empty());
    let written = written.map(|task| microseconds(task.timing.period_us, " "));
    let resources = match recipe.resources.is_empty() {
        true => Resources::area(&recipe.area_unit),
        false => Resources::new(recipe.resources.all.iter().map(|(name, _)| name.as_str())),
    };
    let tasks = tasks.into_iter().enumerate().map(|(index, drawn)| task(recipe, index, drawn)).collect();
    let mut set = TaskSet {
        description: Some(description(recipe)),
        source: Some(source(recipe)),
        time_base: TimeBase::Cycles { hertz: whole(recipe.clock_mhz * 1_000_000) },
        written: WrittenUnits { wcet: None, period: written.and_then(|text| TimeScale::of_text(&text)) },
        scheduler: recipe.scheduler,
        switch: whole(recipe.kernel.switch),
        modes: match recipe.modes {
            1 => Vec::new(),
            count => (1..=count).map(|mode| format!("mode-{mode}")).collect(),
        },
        cores: recipe.cores.as_ref().map(|(count, _)| Cores { count: Some(*count), ..Cores::default() }),
        ..TaskSet::of(recipe.name.clone(), resources, blocks(recipe, drawn), tasks)
    };
    if let Some((_, core)) = &recipe.cores {
        set.add_core(std::slice::from_ref(core));
    }
    as_one_area(&mut set);
    set
}

fn whole(number: u64) -> Rational {
    Rational::from_integer(BigInt::from(number))
}

/// A number of a range; a whole one needs no division.
fn value(range: DecimalRange, digits: u64) -> Rational {
    if range.places == 0 { whole(digits) } else { range.value(digits) }
}

/// An amount of every resource; `area` is the range of the first.
fn cost(recipe: &TaskSetRecipe, area: DecimalRange, first: u64, others: &[u64]) -> Vec<Rational> {
    let ranges = recipe.resources.all.iter().skip(1);
    let others = ranges.zip(others).map(|((_, range), &amount)| value(*range, amount));
    std::iter::once(value(area, first)).chain(others).collect()
}

fn blocks(recipe: &TaskSetRecipe, drawn: DrawnBlocks) -> Vec<Block> {
    let Some(blocks) = &recipe.blocks else { return Vec::new() };
    let block = |(at, first): (usize, u64)| {
        let others = drawn.others.get(at).map_or(&[][..], Vec::as_slice);
        let cost = cost(recipe, blocks.area, first, others);
        let fmax = blocks.fmax.zip(drawn.fmax.get(at));
        let fmax = fmax.map(|(range, &mhz)| value(range, mhz) * BigInt::from(1_000_000));
        Block { fmax, ..Block::costing(block_name(at as u64), cost) }
    };
    drawn.areas.iter().copied().enumerate().map(block).collect()
}

fn task(recipe: &TaskSetRecipe, index: usize, drawn: GeneratedTask) -> Task {
    let cycles = |us: u64| Rational::from_integer(BigInt::from(us) * recipe.clock_mhz);
    let [jitter, blocking, nonpreemptive] = drawn.kernel;
    let in_modes = |of: &dyn Fn(&GeneratedTiming) -> u64| -> Vec<Rational> {
        drawn.timings().map(|timing| whole(of(timing))).collect()
    };
    let timing = |timing: &GeneratedTiming| {
        let deadline = timing.deadline_us.unwrap_or(timing.period_us);
        Timing { period: cycles(timing.period_us), deadline: cycles(deadline) }
    };
    let choice = |(number, choice): (usize, &GeneratedChoice)| {
        let cost = cost(recipe, recipe.area, choice.area, &choice.others);
        let uses = choice.uses.iter().map(|&block| block as u32).collect();
        let wcets = in_modes(&|timing| timing.wcet - drawn.saved(choice, timing));
        Choice::of(format!("ci-{}", number + 1), cost, uses, wcets)
    };
    let choices = drawn.choices.iter().enumerate().map(choice).collect();
    Task {
        wcets: in_modes(&|timing| timing.wcet),
        wcet_high: None,
        timings: drawn.timings().map(|own| Some(timing(own))).collect(),
        priority: drawn.priority.map(|priority| priority as u32),
        kernel: KernelCosts {
            jitter: cycles(jitter),
            blocking: whole(blocking),
            nonpreemptive: Nonpreemptive::Part(whole(nonpreemptive)),
            locks: Vec::new(),
        },
        choices,
        forced: false,
        name: recipe.tasks.name(index),
        part: None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{KEYS, generate, generate_set, recipe_of};
    use super::*;
    use crate::read_str;

    #[test]
    fn a_drawn_set_is_the_one_that_is_read_from_its_yaml_and_drawn_by_the_flags_in_it() {
        let with_blocks = "blocks=5 uses=0..3 block_area=5.5..9 fmax=60..120.5";
        let delayed = "switch=120 jitter=0.05..0.20 blocking=0..0.20 nonpreemptive=0..1";
        let recipes = [
            "",
            "tasks=aes,sha utilization=1 name=demo max_task_utilization=0.75 clock_mhz=48",
            "recipe=davis-burns-2009 deadlines=implicit savings=correlated:0.10..0.50",
            "periods=3us..2s/7us area=0.25..9.5 area_unit=LUT",
            "choices=0..3",
            &format!("{with_blocks} {delayed} scheduler=fixed"),
            "deadlines=arbitrary:0.5..2 scheduler=dm",
            &format!("{with_blocks} cores=1..4 core_area=1614 resources=LUT:1..1500,DSP:0..4,BRAM:0.5..3.0"),
            &format!("{with_blocks} cores=2 core_area=7 resources=LUT:1..1500"),
            "cores=2..3",
            "modes=3",
            "modes=2 deadlines=slack:0.0..2.0 resources=LUT:1..1500,DSP:0..4",
            "deadlines=slack:0.0..2.0 utilizations=bimo-light catalog=area,speedup\n4.25,3\n7,1.5\n",
        ];
        let mut keys = std::collections::BTreeSet::new();
        for recipe in recipes {
            let given: Vec<(&str, &str)> =
                recipe.split(' ').filter_map(|pair| pair.split_once('=')).collect();
            let recipe = recipe_of(&given).unwrap();
            let flags = recipe.to_string().replace("--", "");
            let words: Vec<&str> = flags.split(' ').collect();
            let pairs = words.chunks(2).map(|flag| (flag[0].replace('-', "_"), flag[1]));
            let pairs: Vec<_> = pairs.filter(|(key, _)| key != "seed" && key != "catalog").collect();
            let again: Vec<(&str, &str)> = pairs.iter().map(|(key, text)| (&**key, *text)).collect();
            if recipe.catalog.is_none() {
                assert_eq!(recipe_of(&again).unwrap(), recipe, "{flags}");
            }
            keys.extend(given.iter().chain(&again).map(|(key, _)| (*key).to_owned()));
            for seed in 0..40 {
                let description = "  one two   three ".to_owned();
                let recipe = TaskSetRecipe { seed, description, ..recipe.clone() };
                let text = generate(&recipe).unwrap();
                let read = read_str("x", &text).unwrap_or_else(|error| panic!("{error}")).task_set;
                assert_eq!(generate_set(&recipe).unwrap(), read, "{recipe}");
            }
        }
        assert!(KEYS.iter().all(|key| keys.contains(*key)), "{keys:?}");
    }
}
