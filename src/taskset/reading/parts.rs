//! Reads the parts of a task, of which each takes at most one of its choices; what they save adds up.
//!
//! ```yaml
//! tasks:
//!   - name: decode
//!     wcet: 900000
//!     period: 20 ms
//!     parts:
//!       - {name: idct, choices: [{name: mac, uses: [mul], saves: 210000}, {name: simd, area: 900, saves: 260000}]}
//!     instructions:                            # each a part of one choice
//!       - {name: clz, area: 35, saves: 42000}
//! ```
//!
//! A part without a `wcet` of its own has as much of the task's as its choices save at most: its time, and with each choice,
//! is then 0 or more, and the task keeps the rest.

use isx_exact::quantity::{Rational, difference};
use num_traits::{Signed, Zero};

use super::fields::{Fields, Least};
use super::keys::{CHOICE_KEYS, PART_KEYS};
use super::places::{INSTRUCTIONS, Row};
use super::task_set::{Reader, flattened};
use super::tree::Node;
use crate::diagnostics::Found;
use crate::model::{Choice, KernelCosts, Task};

impl Reader<'_> {
    /// A task with its `parts` and `instructions` behind it, each less than it was; `None` if it has neither.
    pub fn parts(&mut self, fields: &Fields<'_>, task: &Task) -> Found<Option<Vec<Task>>> {
        let lists = ["parts", INSTRUCTIONS].map(|list| fields.get_filled(list));
        let Some(first) = lists.into_iter().flatten().next() else { return Ok(None) };
        if let Some(choices) = fields.get("choices") {
            return Err(first
                .error("cannot be combined with `choices`")
                .label("the task takes one of each part")
                .also(choices.place(), "and one of these")
                .help("what adds up are parts: put the choices of which one is taken into one part; what does not add up is one part too, with the measured combinations as its choices"));
        }
        let mut rows = vec![task.clone()];
        let mut places = vec![Row::default()];
        for field in lists.into_iter().flatten() {
            let is_short = field.key == INSTRUCTIONS;
            let (list, kind) = if is_short { (INSTRUCTIONS, "instruction") } else { ("parts", "part") };
            let of = format!(" of {}", fields.owner);
            let read = |reader: &mut Self, owner, node: &Node<'_>| match is_short {
                true => reader.instruction(owner, node, task),
                false => reader.part(owner, node, task),
            };
            let (parts, items) = self.each(field.list()?, read, kind, &of);
            for ((part, choices), at) in parts.into_iter().zip(items) {
                rows.push(part);
                places.push(Row { part: Some((list, at)), choices, ..Row::default() });
            }
        }
        let (modes, count) =
            (self.modes.len().max(1), rows.iter().map(|row| row.wcets.len()).max().unwrap_or(1));
        let runs = |at: usize| count == 1 || task.timing_in(at % modes).is_some();
        for at in (0..count).filter(|&at| runs(at)) {
            let own = rows[1..].iter().map(|part| part.wcet_in(at)).sum::<Rational>();
            let least = rows[1..].iter().map(|part| part.least_wcet_in(at)).sum::<Rational>();
            let rest = difference(task.wcet_in(at), &own);
            if !rest.is_negative() && (&rest + least).is_positive() || self.mixed_units().is_some() {
                continue;
            }
            let label =
                format!("together {} of {}", self.in_file_unit(&own), self.in_file_unit(task.wcet_in(at)));
            let what = match rest.is_negative() {
                true => {
                    "have more time than the task: the sum of their WCETs and greatest savings is above its WCET"
                }
                false => "save all of the WCET: something of it must be left",
            };
            return Err(first.error(what).label(label));
        }
        let (head, parts) = rows.split_at_mut(1);
        // In a mode in which it does not run no time counts.
        let rest = |at: usize| match runs(at) {
            true => difference(task.wcet_in(at), &parts.iter().map(|part| part.wcet_in(at)).sum()),
            false => task.wcet_in(at).clone(),
        };
        let rests: Vec<Rational> = (0..count).map(rest).collect();
        // What it takes beyond its WCET is the same whatever its parts save.
        let high = task.wcet_high.as_ref().map(|high| difference(high, &task.wcets[0]) + &rests[0]);
        (head[0].wcets, head[0].wcet_high) = (rests, high);
        self.places.rows.extend(places);
        Ok(Some(rows))
    }

    /// A part of a task without choices.
    fn empty_part(task: &Task, part: String) -> Task {
        Task {
            name: format!("{}/{part}", task.name),
            part: Some(part),
            wcet_high: None,
            kernel: KernelCosts::default(),
            ..task.clone()
        }
    }

    /// A part, and the numbers of the nodes of its choices.
    fn part(&mut self, owner: String, node: &Node<'_>, task: &Task) -> Found<(Task, Vec<usize>)> {
        let fields = Fields::new(self.source, node, owner, PART_KEYS)?;
        let mut part = Self::empty_part(task, fields.required("name")?.label()?);
        fields.free_text("source")?;
        let own = fields.get("wcet");
        if let Some(wcet) = own {
            part.wcets = self.times(wcet, Least::AboveZero, &task.runs())?;
        }
        let list = fields.required("choices")?;
        let of = format!(" of {}", fields.owner);
        let read = |reader: &mut Self, owner: String, node: &Node<'_>| match own {
            Some(_) => {
                of_task_alone(&Fields::new(reader.source, node, owner.clone(), CHOICE_KEYS)?)?;
                reader.choice(owner, node, &part)
            }
            None => reader.saving(Fields::new(reader.source, node, owner, CHOICE_KEYS)?, task),
        };
        let (choices, places) = flattened(self.each(list.list()?, read, "choice", &of));
        part.choices = choices;
        Ok((if own.is_some() { part } else { as_long_as_it_saves(part) }, places))
    }

    /// A part of one choice, which both have the name of.
    fn instruction(&mut self, owner: String, node: &Node<'_>, task: &Task) -> Found<(Task, Vec<usize>)> {
        let ways = self.saving(Fields::new(self.source, node, owner, CHOICE_KEYS)?, task)?;
        let mut part = Self::empty_part(task, ways[0].name.clone());
        let places = vec![0; ways.len()];
        part.choices = ways;
        Ok((as_long_as_it_saves(part), places))
    }

    /// A choice of a part without a WCET: those that it has are what it saves.
    fn saving(&mut self, fields: Fields<'_>, task: &Task) -> Found<Vec<Choice>> {
        of_task_alone(&fields)?;
        if let Some(wcet) = fields.get("wcet") {
            return Err(wcet
                .error("needs the `wcet` of its part")
                .label("the time of the part with this choice")
                .help("give the part its `wcet`, or what the choice saves as `saves`"));
        }
        self.choice_taking(&fields, |reader| {
            let saves = fields.required("saves")?;
            let saved = reader.times(saves, Least::Zero, &task.runs())?;
            let is_all = |(at, saved): (usize, &Rational)| saved >= task.wcet_in(at);
            if saved.iter().enumerate().any(is_all) && reader.mixed_units().is_none() {
                let wcet = task.wcet_in(0);
                return Err(reader.too_much_saved(saves, task, wcet, saved.iter().any(|saved| saved > wcet)));
            }
            Ok(saved)
        })
    }
}

/// Refuses what stands on a task with parts alone.
fn of_task_alone(choice: &Fields<'_>) -> Found<()> {
    match ["locks", "wcet_high"].iter().find_map(|key| choice.get(key)) {
        Some(field) => Err(field
            .error("belongs to the task, not to a part")
            .label("a part has none of its own")
            .help("the parts of a task run in one job: give the longest over all of them for the task")),
        None => Ok(()),
    }
}

/// A part whose choices hold what they save, with the WCETs that follow: the greatest saving, less what each saves.
fn as_long_as_it_saves(mut part: Task) -> Task {
    let count = part.choices.iter().map(|choice| choice.wcets.len()).max().unwrap_or(1);
    let most = |at: usize| part.choices.iter().map(|choice| choice.wcet_in(at)).max().cloned();
    part.wcets = (0..count).map(|at| most(at).unwrap_or_else(Rational::zero)).collect();
    for choice in &mut part.choices {
        let left = |at: usize| difference(&part.wcets[at], choice.wcet_in(at));
        choice.wcets = (0..count).map(left).collect();
    }
    part
}
