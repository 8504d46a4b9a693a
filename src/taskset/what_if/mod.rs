//! What-if analysis: a task set with some choices fixed or excluded, its WCETs scaled or made longer by a margin, and
//! other objectives, limits, devices or prices of its resources. A set with one area whose unit can name a resource, such as
//! LUT, counts as one with that resource here.
//!
//! The changed set is an ordinary task set, so its front, verdicts and designs are exact too. It lists the changes in
//! words, and reports show them.

mod error;
mod resources;

pub use error::WhatIfError;
pub use resources::own_device;

use crate::devices::{Device, devices};
use crate::diagnostics::shortened;
use crate::model::{Task, TaskSet, TimeBase, in_percent};
use error::unknown;
use isx_exact::order;
use isx_exact::quantity::{Rational, format_decimal, format_rate};
use num_traits::{One, Signed, Zero};
use resources::{amounts, counted, in_words, names_a_resource, price, resource, twice};
use std::collections::HashSet;

/// A device that was named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named {
    /// That of the file, whose limits it gives.
    Own,
    Known(&'static Device),
}

/// Whether this is a name of the device that the file gives.
fn is_own(name: &str, own: Option<&str>) -> bool {
    let name = Device::named(name).map_or(name, |device| device.name);
    own.is_some_and(|own| own.eq_ignore_ascii_case(name))
}

/// Changes to try out.
///
/// ```
/// use isx_taskset::{Task, TaskSet, WhatIf};
///
/// let fir = Task::new("fir", 5, 10).with_choice("mac", 41, 3).with_choice("dual", 60, 2);
/// let set = TaskSet::new("demo", [fir, Task::new("iir", 4, 8).with_choice("mac", 41, 2)])?;
/// let mut what_if = WhatIf::default();
/// what_if.force("fir=mac", &set)?;
/// what_if.forbid("iir=mac", &set)?;
/// let changed = what_if.apply(&set)?;
/// assert!(changed.tasks[0].forced && changed.tasks[1].choices.is_empty());
/// assert_eq!(changed.what_if, ["fir=mac is forced", "iir=mac is forbidden"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WhatIf {
    /// The tasks, by index, and the choice each must take in every design; `None` is software.
    forced: Vec<(usize, Option<usize>)>,
    /// Choices that no design may take, by task and choice.
    forbidden: HashSet<(usize, usize)>,
    /// What is forced and forbidden, in words.
    changes: Vec<String>,
    /// The factor on all WCETs, above 0.
    scale: Option<Rational>,
    /// By how much all WCETs are longer, as a fraction of them, 0 or more.
    margin: Rational,
    /// The objectives, by resource.
    objectives: Option<Vec<usize>>,
    /// Limits, by resource.
    within: Vec<(usize, Rational)>,
    device: Option<Named>,
    /// Prices, by resource.
    prices: Option<Vec<(usize, Rational)>>,
    /// Whether limits hold where a price makes one area.
    keeps_limits: bool,
    /// How many tasks overrun at a time.
    overruns: Option<u32>,
    /// The only variant of the processor.
    variant: Option<usize>,
}

/// The word for software where a task is forced; a choice of that name takes precedence.
const SOFTWARE: &str = "software";
/// Another word for it, even if a choice has that name.
const NO_CHOICE: &str = "none";

/// Whether a task is forced into software by this word.
fn is_software(task: &Task, word: &str) -> bool {
    word == NO_CHOICE || (word == SOFTWARE && task.choices.iter().all(|choice| choice.name != word))
}

impl WhatIf {
    /// Forces a choice, written `TASK=CHOICE`, or software, written `TASK=software` (or `TASK=none`), for the task
    /// of that name. Fails with [`WhatIfError`]: the task or choice does not exist, or the task is forced already.
    pub fn force(&mut self, text: &str, set: &TaskSet) -> Result<(), WhatIfError> {
        let (task, choice) = split(text, set)?;
        let is_software = is_software(&set.tasks[task], choice);
        let taken = if is_software { None } else { Some(position(&set.tasks[task], choice)?) };
        if self.forced.iter().any(|&(other, _)| other == task) {
            let task = shortened(&set.tasks[task].name);
            return Err(WhatIfError(format!("task `{task}` cannot be forced twice")));
        }
        self.forced.push((task, taken));
        let choice = if is_software { SOFTWARE } else { choice };
        self.changes.push(format!("{}={choice} is forced", set.tasks[task].name));
        Ok(())
    }

    /// Forbids a choice, written `TASK=CHOICE`, or every choice that uses the block of that name. Fails with
    /// [`WhatIfError`]: the task, choice or block does not exist.
    pub fn forbid(&mut self, text: &str, set: &TaskSet) -> Result<(), WhatIfError> {
        if let Some(block) = set.blocks.iter().position(|block| block.name == text) {
            for (at, task) in set.tasks.iter().enumerate() {
                let using = task.choices.iter().enumerate();
                let using =
                    using.filter(|(_, choice)| choice.uses.iter().any(|&used| used as usize == block));
                self.forbidden.extend(using.map(|(choice, _)| (at, choice)));
            }
        } else if text.contains('=') || instruction(text, set).is_some() {
            let (task, choice) = split(text, set)?;
            let choice = position(&set.tasks[task], choice)?;
            self.forbidden.extend(set.tasks[task].ways_of(choice).map(|way| (task, way)));
        } else {
            let of_that_name =
                set.tasks.iter().filter(|task| task.choices.iter().any(|choice| choice.name == text));
            let pairs: Vec<String> = of_that_name.map(|task| format!("{}={text}", task.name)).collect();
            let written =
                if pairs.is_empty() { "TASK=CHOICE".to_owned() } else { shortened(&pairs.join(" or ")) };
            let message =
                format!("there is no block `{}` (a choice is forbidden as {written})", shortened(text));
            return Err(unknown(message, text, set.blocks.iter().map(|block| &block.name)));
        }
        self.changes.push(format!("{text} is forbidden"));
        Ok(())
    }

    /// Takes this variant as the only processor, see [`TaskSet::in_variant`]. Fails with [`WhatIfError`]: the set has
    /// no variant of this name, or another is chosen already.
    pub fn variant(&mut self, name: &str, set: &TaskSet) -> Result<(), WhatIfError> {
        let number = set.variants.iter().position(|variant| variant.name == name).ok_or_else(|| {
            let message = match set.variants.len() {
                0 => "the task set has no variants of the processor".to_owned(),
                _ => format!("there is no variant `{}` of the processor", shortened(name)),
            };
            unknown(message, name, set.variants.iter().map(|variant| &variant.name))
        })?;
        if self.variant.is_some_and(|other| other != number) {
            let message = "two variants are chosen, and one processor is built".to_owned();
            return Err(WhatIfError(message));
        }
        self.variant = Some(number);
        Ok(())
    }

    /// Takes these resources, written `LUT,DSP`, as objectives: the front is computed for them, and the others only have
    /// limits. Fails with [`WhatIfError`]: the set has one area, a resource does not exist or is named twice.
    pub fn objectives(&mut self, text: &str, set: &TaskSet) -> Result<(), WhatIfError> {
        let resources = counted(set)?;
        let mut objectives = Vec::new();
        for name in text.split(',').map(str::trim) {
            let at = resource(resources, name)?;
            if objectives.contains(&at) {
                return Err(twice(name));
            }
            objectives.push(at);
        }
        self.objectives = Some(objectives);
        Ok(())
    }

    /// Limits what a design costs, written `LUT=5000,DSP=8`. The limits of a device apply too: the lesser counts.
    ///
    /// ```
    /// use isx_taskset::{Resources, Task, TaskSet, WhatIf};
    ///
    /// let fir = Task::new("fir", 5, 10).with_choice_costing("mac", [41, 4], [], 3);
    /// let set = TaskSet::with_resources("demo", Resources::new(["LUT", "DSP"]), [], [fir])?;
    /// let mut what_if = WhatIf::default();
    /// what_if.within("LUT=5000", &set)?;
    /// let changed = what_if.apply(&set)?;
    /// assert_eq!(changed.what_if, ["at most 5000 LUT"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails with [`WhatIfError`]: the set has one area, a resource does not exist or is named twice, or an amount is
    /// no number of 0 or more.
    pub fn within(&mut self, text: &str, set: &TaskSet) -> Result<(), WhatIfError> {
        let limits = amounts(text, counted(set)?)?;
        self.within.extend(limits);
        Ok(())
    }

    /// Makes one area of the resources, written `LUT=1,DSP=80`: the amounts of a choice, a block or the base times the
    /// prices. What has no price costs nothing. Fails with [`WhatIfError`], as for [`WhatIf::within`].
    pub fn price(&mut self, text: &str, set: &TaskSet) -> Result<(), WhatIfError> {
        self.prices = Some(amounts(text, counted(set)?)?);
        Ok(())
    }

    /// Limits of the resources hold beside a price too, as [`TaskSet::priced`] then says, and a single objective is the area
    /// if there is no price.
    pub fn keep_limits(&mut self) {
        self.keeps_limits = true;
    }

    /// Replaces the device of the set by a known one. Fails with [`WhatIfError`]: the set has one area, no known device
    /// has this name, or it lacks a resource of the set.
    pub fn device(&mut self, name: &str, set: &TaskSet) -> Result<(), WhatIfError> {
        let resources = counted(set)?;
        if is_own(name, resources.device.as_deref()) {
            self.device = Some(Named::Own);
            return Ok(());
        }
        let Some(device) = Device::named(name) else {
            let message = format!("there is no known device `{}`; {}", shortened(name), Device::near(name));
            let known: Vec<String> = devices().iter().flat_map(Device::names).map(str::to_owned).collect();
            return Err(unknown(message, name, known.iter()));
        };
        device.amounts(&resources.names).map_err(|lacking| {
            let message = format!(
                "{} has no resource `{}`: it has {}",
                device.name,
                shortened(lacking),
                device.in_words()
            );
            WhatIfError(message)
        })?;
        self.device = Some(Named::Known(device));
        Ok(())
    }

    /// The set with these changes on each of these devices, each once. If none is named, on those to which its figures carry
    /// over: its own device and then the known ones of the same family. Without a device of its own, or with `all`, every
    /// known device follows that has its resources. The list is not empty, and begins with the device of the set if it has
    /// that.
    ///
    /// ```
    /// use isx_taskset::{Resources, Task, TaskSet, WhatIf};
    ///
    /// let fir = Task::new("fir", 5, 10).with_choice_costing("mac", [41, 4], [], 3);
    /// let set = TaskSet::with_resources("demo", Resources::new(["LUT", "DSP"]), [], [fir])?;
    /// let on = WhatIf::default().on_devices(&["UP5K".to_owned()], false, &set)?;
    /// assert_eq!(on[0].resources.device.as_deref(), Some("iCE40UP5K"));
    /// assert!(WhatIf::default().on_devices(&[], false, &set)?.len() > 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Fails with [`WhatIfError`], as for [`WhatIf::device`]; no known device has what the set counts.
    pub fn on_devices(
        &self,
        names: &[String],
        all: bool,
        set: &TaskSet,
    ) -> Result<Vec<TaskSet>, WhatIfError> {
        // The device is shown with each result, so it is not listed as a change.
        let changes = self.apply(set)?.what_if;
        let mut set = set.clone();
        let own = own_device(&set);
        set.resources.device.clone_from(&own);
        let (set, own) = (&set, own.as_deref());
        let on = |name: &str| -> Result<TaskSet, WhatIfError> {
            let mut what_if = self.clone();
            what_if.device(name, set)?;
            Ok(TaskSet { what_if: changes.clone(), ..what_if.apply(set)? })
        };
        let family = own.map(|own| Device::named(own).map(Device::family));
        let is_alike = |device: &&Device| all || family.is_none_or(|own| own == Some(device.family()));
        let alike = devices().iter().filter(is_alike).map(|device| device.name);
        let mut named: Vec<&str> = match names {
            [] => own.into_iter().chain(alike).collect(),
            names => {
                names.iter().map(|name| Device::named(name).map_or(&**name, |device| device.name)).collect()
            }
        };
        named.sort_by_key(|name| !is_own(name, own));
        let mut seen = HashSet::new();
        named.retain(|name| seen.insert(name.to_lowercase()));
        if !names.is_empty() {
            return named.into_iter().map(on).collect();
        }
        // Some devices lack a resource of the set.
        let all: Vec<TaskSet> = named.into_iter().filter_map(|name| on(name).ok()).collect();
        if !all.is_empty() {
            return Ok(all);
        }
        let counted = match &set.resources.area_unit {
            Some(unit) if unit.is_empty() => "an area without a unit".to_owned(),
            _ => set.resources.names.join(", "),
        };
        Err(WhatIfError(format!(
            "no known device has what `{}` counts: {counted}; `resources: [LUT, DSP]` in the file names resources as \
             devices do",
            set.name
        )))
    }

    /// Multiplies every WCET, in software and of choices, by `factor`. Fails with [`WhatIfError`] for a factor
    /// of 0 or less.
    pub fn scale_wcets(&mut self, factor: Rational) -> Result<(), WhatIfError> {
        if !factor.is_positive() {
            return Err(WhatIfError("a factor on WCETs must be greater than 0".to_owned()));
        }
        self.scale = Some(factor);
        Ok(())
    }

    /// Makes every WCET, in software and of choices, longer by `margin` times itself: 1/5 for a margin of 20 %. A
    /// factor given by [`WhatIf::scale_wcets`] applies too. Fails with [`WhatIfError`] for a margin below 0.
    pub fn add_margin(&mut self, margin: Rational) -> Result<(), WhatIfError> {
        if margin.is_negative() {
            let message = "a margin must be 0 or greater; scale the WCETs to make them shorter";
            return Err(WhatIfError(message.to_owned()));
        }
        self.margin = margin;
        Ok(())
    }

    /// At most this many tasks exceed their WCETs at a time, up to their high WCETs.
    pub fn overruns(&mut self, most: u32) {
        self.overruns = Some(most);
    }

    /// The task set with these changes, without the choices that no design may take. Fails with [`WhatIfError`] where
    /// the changes contradict each other. Panics if `set` is not the one for which the names were given.
    pub fn apply(&self, set: &TaskSet) -> Result<TaskSet, WhatIfError> {
        let variant =
            self.variant.and_then(|number| Some((set.variants.get(number)?, set.in_variant(number)?)));
        let (variant, mut changed) =
            variant.map_or_else(|| (None, set.clone()), |(one, set)| (Some(one), set));
        if let Some(variant) = variant {
            let clock = match &changed.time_base {
                TimeBase::Cycles { hertz } if changed.time_base != set.time_base => {
                    format!(", with cycles of its clock of {}", format_rate(hertz))
                }
                _ => String::new(),
            };
            changed.what_if.push(format!("the processor is {}{clock}", variant.name));
        }
        for &(task, taken) in &self.forced {
            let is_forbidden = |&choice: &usize| {
                set.tasks[task].ways_of(choice).all(|way| self.forbidden.contains(&(task, way)))
            };
            if let Some(choice) = taken.filter(is_forbidden) {
                let task = &set.tasks[task];
                let (task, choice) = (shortened(&task.name), shortened(&task.choices[choice].name));
                let message = format!("`{choice}` of task `{task}` is both forced and forbidden");
                return Err(WhatIfError(message));
            }
            changed.tasks[task].forced = taken.is_some();
        }
        for (at, task) in changed.tasks.iter_mut().enumerate() {
            let forced = self.forced.iter().find(|(other, _)| *other == at).map(|(_, taken)| *taken);
            let ways = forced.map(|taken| taken.map_or(0..0, |taken| task.ways_of(taken)));
            let mut number = 0;
            task.choices.retain(|_| {
                let this = number;
                number += 1;
                ways.as_ref().is_none_or(|ways| ways.contains(&this)) && !self.forbidden.contains(&(at, this))
            });
            // The first way that is left is the choice.
            for choice in 0..task.choices.len() {
                let is_left = choice > 0 && task.choices[choice - 1].name == task.choices[choice].name;
                task.choices[choice].is_another_way &= is_left;
            }
        }
        if let Some(why) = contradiction(&changed) {
            return Err(WhatIfError(format!("the choices forced need {why}")));
        }
        changed.what_if.extend(self.changes.iter().cloned());
        self.change_resources(&mut changed)?;
        if let Some(factor) = self.scale.as_ref().filter(|factor| !factor.is_one()) {
            lengthen(&mut changed, factor);
            changed.what_if.push(format!("every WCET is {} times as long", format_decimal(factor)));
        }
        if !self.margin.is_zero() {
            let factor = Rational::one() + &self.margin;
            lengthen(&mut changed, &factor);
            changed.margin = (Rational::one() + &changed.margin) * factor - Rational::one();
            changed.what_if.push(format!("every WCET is {} longer", in_percent(&self.margin)));
        }
        if let Some(most) = self.overruns {
            if let Some(problem) = changed.without_overruns() {
                return Err(WhatIfError(format!("overruns {problem}")));
            }
            changed.overruns = Some(most);
            let tasks = if most == 1 {
                "1 task exceeds its WCET".to_owned()
            } else {
                format!("{most} tasks exceed their WCETs")
            };
            changed.what_if.push(format!("at most {tasks} at a time, up to `wcet_high`; no other does"));
        }
        Ok(changed)
    }

    /// Changes the set, and says so in its list of changes.
    fn change_resources(&self, set: &mut TaskSet) -> Result<(), WhatIfError> {
        let has_limits = self.device.is_some() || !self.within.is_empty();
        if self.prices.is_some() && (self.objectives.is_some() || (has_limits && !self.keeps_limits)) {
            let message =
                "a price makes one area of all resources, which then have neither objectives nor limits";
            return Err(WhatIfError(message.to_owned()));
        }
        let is_nothing = !has_limits && self.objectives.is_none() && self.prices.is_none();
        if set.is_one_area() && (is_nothing || !names_a_resource(set.area_unit())) {
            return Ok(());
        }
        let resources = &mut set.resources;
        resources.area_unit = None;
        let mut changes = Vec::new();
        if let Some(objectives) = &self.objectives {
            resources.objectives.clone_from(objectives);
            let names: Vec<&str> = objectives.iter().map(|&at| resources.names[at].as_str()).collect();
            changes.push(match names.as_slice() {
                [name] => format!("the objective is {name}"),
                names => format!("the objectives are {}", names.join(", ")),
            });
        }
        if let Some(Named::Known(device)) = self.device
            && let Ok(amounts) = device.amounts(&resources.names)
        {
            resources.limit_to(Some(device.name.to_owned()), amounts);
        }
        if let Some(name) = resources.device.as_ref().filter(|_| self.device.is_some()) {
            changes.push(format!("the device is {name}"));
        }
        for (at, limit) in &self.within {
            if resources.limits[*at].as_ref().is_none_or(|other| limit < other) {
                resources.limits[*at] = Some(limit.clone());
                // Such a limit is not a part of the device.
                resources.fill[*at] = Rational::one();
            }
        }
        if !self.within.is_empty() {
            changes.push(format!("at most {}", in_words(&self.within, resources, ", ")));
        }
        let alone = match (&self.prices, resources.objectives.as_slice()) {
            (None, [alone]) if self.keeps_limits => Some(vec![(*alone, Rational::one())]),
            (prices, _) => prices.clone(),
        };
        if let Some(prices) = alone {
            price(set, &prices, self.keeps_limits)?;
        }
        set.what_if.extend(changes);
        Ok(())
    }
}

/// Multiplies every WCET by `factor`, with the parts that cannot be interrupted and the critical sections.
fn lengthen(set: &mut TaskSet, factor: &Rational) {
    for task in &mut set.tasks {
        task.parts_mut().for_each(|part| *part *= factor);
        let own = task.wcets.iter_mut().chain(&mut task.wcet_high);
        let choices = task.choices.iter_mut();
        let choices = choices.flat_map(|choice| choice.wcets.iter_mut().chain(&mut choice.wcet_high));
        own.chain(choices).for_each(|wcet| *wcet *= factor);
    }
}

/// What the forced choices need that is never built, in words.
fn contradiction(set: &TaskSet) -> Option<String> {
    let forced = set.tasks.iter().filter(|task| task.forced && task.choices.len() == 1);
    let forced = forced.flat_map(|task| &task.choices);
    let mut used: Vec<u32> = forced.flat_map(|choice| choice.uses.iter().copied()).collect();
    order::sort(&mut used);
    used.dedup();
    if let Some((one, other)) = set.excluding_pair(&used) {
        let [one, other] = [one, other].map(|block| shortened(&set.blocks[block as usize].name));
        return Some(format!("blocks `{one}` and `{other}`, which exclude each other"));
    }
    let contested = set.contested_slot(&used)?;
    Some(format!("two blocks of slot `{}`, which holds one", shortened(contested)))
}

/// The part that is an instruction of this name, `task/clz`: its one choice has its name.
fn instruction(text: &str, set: &TaskSet) -> Option<usize> {
    let is_it = |task: &Task| {
        let name = task.part.as_ref().filter(|_| task.name == text);
        matches!(&task.choices[..], [one] if Some(&one.name) == name)
    };
    set.tasks.iter().position(is_it)
}

/// Splits `TASK=CHOICE`. A name may contain `=` itself, so each position of it is tried.
fn split<'t>(text: &'t str, set: &TaskSet) -> Result<(usize, &'t str), WhatIfError> {
    let places: Vec<(&str, &str)> =
        text.match_indices('=').map(|(at, _)| (&text[..at], &text[at + 1..])).collect();
    let task = |name: &str| set.tasks.iter().position(|task| task.name == name);
    let known: Vec<(usize, &str)> =
        places.iter().filter_map(|&(name, choice)| Some((task(name)?, choice))).collect();
    let exact = |&&(task, choice): &&(usize, &str)| {
        is_software(&set.tasks[task], choice)
            || set.tasks[task].choices.iter().any(|other| other.name == choice)
    };
    if let Some(&found) = known.iter().find(exact).or(known.first()) {
        return Ok(found);
    }
    if let Some(task) = instruction(text, set) {
        return Ok((task, &text[text.len() - set.tasks[task].choices[0].name.len()..]));
    }
    match places.first() {
        None => Err(WhatIfError(format!(
            "`{}` does not say which choice of which task: write TASK=CHOICE",
            shortened(text)
        ))),
        Some((name, _)) => {
            let message = format!("there is no task `{}`", shortened(name));
            Err(unknown(message, name, set.tasks.iter().map(|task| &task.name)))
        }
    }
}

fn position(task: &Task, choice: &str) -> Result<usize, WhatIfError> {
    task.choices.iter().position(|other| other.name == choice).ok_or_else(|| {
        let message = format!("task `{}` has no choice `{}`", shortened(&task.name), shortened(choice));
        unknown(message, choice, task.choices.iter().map(|other| &other.name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Task};

    fn set() -> TaskSet {
        let blocks =
            [Block::new("mul", 10).in_slot("m"), Block::new("mac", 20).in_slot("m"), Block::new("sbox", 5)];
        let fir = Task::new("fir", 5, 10).with_choice_using("a", [0], 1, 4).with_choice_using("b", [1], 1, 3);
        let aes =
            Task::new("a=es", 6, 12).with_choice_using("s", [2], 0, 2).with_choice_using("x=y", [1, 2], 0, 1);
        TaskSet::with_blocks("set", blocks, [fir, aes]).unwrap()
    }

    fn changed(force: &[&str], forbid: &[&str]) -> Result<TaskSet, WhatIfError> {
        let mut what_if = WhatIf::default();
        force.iter().try_for_each(|text| what_if.force(text, &set()))?;
        forbid.iter().try_for_each(|text| what_if.forbid(text, &set()))?;
        what_if.apply(&set())
    }

    #[test]
    fn of_the_ways_to_run_a_choice_the_first_that_is_left_is_the_choice() {
        let yaml = "name: s\nblocks: [{name: mul, area: 3}, {name: simd, area: 9, provides: [mul]}]\ntasks: [{name: fir, wcet: 5, \
                    period: 9, choices: [{name: a, uses: [simd], wcet: 2}, {name: b, uses: [mul], wcet: 3}]}]\n";
        let set = crate::read_str("s.yaml", yaml).unwrap().task_set;
        let ways = |set: &TaskSet| {
            (0..set.tasks[0].choices.len()).map(|at| set.tasks[0].ways_of(at)).collect::<Vec<_>>()
        };
        assert_eq!(ways(&set), [0..1, 1..3, 2..3], "b runs on mul or on simd");
        let mut what_if = WhatIf::default();
        what_if.forbid("mul", &set).unwrap();
        assert_eq!(ways(&what_if.apply(&set).unwrap()), [0..1, 1..2]);
    }

    #[test]
    fn contradictions_and_unknown_names_are_refused() {
        let refused = |force: &[&str], forbid: &[&str]| changed(force, forbid).unwrap_err().to_string();
        assert_eq!(
            refused(&["fir"], &[]),
            "`fir` does not say which choice of which task: write TASK=CHOICE"
        );
        assert_eq!(refused(&["fri=a"], &[]), "there is no task `fri`; did you mean `fir`?");
        assert_eq!(refused(&["fir=zzz"], &[]), "task `fir` has no choice `zzz`");
        assert_eq!(refused(&["fir=a", "fir=b"], &[]), "task `fir` cannot be forced twice");
        assert_eq!(refused(&["fir=a"], &["fir=a"]), "`a` of task `fir` is both forced and forbidden");
        assert_eq!(refused(&["fir=a"], &["mul"]), "`a` of task `fir` is both forced and forbidden");
        assert_eq!(
            refused(&["fir=a", "a=es=x=y"], &[]),
            "the choices forced need two blocks of slot `m`, which holds one"
        );
        assert_eq!(
            refused(&[], &["sbx"]),
            "there is no block `sbx` (a choice is forbidden as TASK=CHOICE); did you mean `sbox`?"
        );
        assert_eq!(refused(&[], &["s"]), "there is no block `s` (a choice is forbidden as a=es=s)");
    }

    #[test]
    fn margins_multiply_and_so_does_a_factor() {
        let percent = |percent: i64| Rational::new(percent.into(), 100.into());
        let mut what_if = WhatIf::default();
        let refused = what_if.add_margin(percent(-1)).unwrap_err().to_string();
        assert_eq!(refused, "a margin must be 0 or greater; scale the WCETs to make them shorter");
        what_if.add_margin(percent(20)).unwrap();
        let twice = what_if.apply(&what_if.apply(&set()).unwrap()).unwrap();
        assert_eq!((twice.margin, twice.tasks[0].wcets[0].to_string()), (percent(44), "36/5".into()));
        what_if.scale_wcets(Rational::new(1.into(), 2.into())).unwrap();
        let both = what_if.apply(&set()).unwrap();
        assert_eq!((both.margin, both.tasks[0].wcets[0].to_string()), (percent(20), "3".into()));
        assert_eq!(both.what_if, ["every WCET is 0.5 times as long", "every WCET is 20 % longer"]);
    }

    #[test]
    fn a_choice_called_software_goes_before_the_word() {
        let named = Task::new("a", 5, 10).with_choice("software", 1, 4).with_choice("none", 1, 3);
        let set = TaskSet::new("set", [named]).unwrap();
        let forced = |text: &str| {
            let mut what_if = WhatIf::default();
            what_if.force(text, &set).unwrap();
            what_if.apply(&set).unwrap().tasks[0]
                .choices
                .iter()
                .map(|choice| choice.name.clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(forced("a=software"), ["software".to_owned()]);
        assert_eq!(forced("a=none"), Vec::<String>::new());
    }
}
