//! Tasks of several parts, of which each takes at most one of its choices.

use super::{Choice, Task, TaskSet};
use isx_exact::order;
use isx_exact::quantity::Rational;
use num_traits::Signed;

/// The combinations of the choices of one task's parts that are written out at most.
const MOST_COMBINATIONS: usize = 1024;

/// A set whose tasks have no parts: the choices of such a task are the combinations of those of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The set.
    pub task_set: TaskSet,
    /// For each of its tasks the index of that task in the set with parts, and for software and each choice the choices that
    /// the task and its parts take there.
    rows: Vec<(usize, Vec<Vec<Option<u32>>>)>,
}

impl Joined {
    /// Converts choices of the joined set to those of the set with parts, one for each of its tasks and parts. Panics if
    /// there is not one choice per task, or a choice does not exist.
    pub fn apart(&self, choices: &[Option<u32>]) -> Vec<Option<u32>> {
        assert_eq!(choices.len(), self.rows.len(), "one choice per task");
        let taken = self.rows.iter().zip(choices);
        taken
            .flat_map(|((_, ways), choice)| ways[choice.map_or(0, |choice| choice as usize + 1)].clone())
            .collect()
    }

    /// The reverse of [`Joined::apart`]; `None` if the combination was left out because another is no worse.
    pub fn together(&self, choices: &[Option<u32>]) -> Option<Vec<Option<u32>>> {
        let of_task = |(row, ways): &(usize, Vec<Vec<Option<u32>>>)| {
            let own = choices.get(*row..row + ways[0].len())?;
            let way = (0u32..).zip(ways).find(|(_, way)| *way == own)?.0;
            Some(way.checked_sub(1))
        };
        self.rows.iter().map(of_task).collect()
    }

    /// The blocks that a design of the set without parts builds on each core, and once for the chip.
    pub fn built(
        &self,
        choices: &[Option<u32>],
        assignment: &[u32],
        cores: usize,
    ) -> (Vec<Vec<u32>>, Vec<u32>) {
        let set = &self.task_set;
        let (mut on_cores, mut on_chip) = (vec![Vec::new(); cores], Vec::new());
        for ((task, choice), &core) in set.tasks.iter().zip(choices).zip(assignment) {
            for &block in choice.iter().flat_map(|choice| &task.choices[*choice as usize].uses) {
                let is_chip = set.cores.as_ref().is_some_and(|cores| cores.chip_blocks.contains(&block));
                let of = if is_chip { &mut on_chip } else { &mut on_cores[core as usize] };
                of.push(block);
            }
        }
        for blocks in on_cores.iter_mut().chain([&mut on_chip]) {
            blocks.sort_unstable();
            blocks.dedup();
        }
        (on_cores, on_chip)
    }

    /// For every task of the set without parts what belongs to it in the set with parts.
    pub fn of_tasks<T: Clone>(&self, of_rows: &[T]) -> Vec<T> {
        self.rows.iter().filter_map(|(row, _)| of_rows.get(*row).cloned()).collect()
    }

    /// For every task and part of the set with parts what belongs to its task in the set without.
    pub fn of_rows<T: Clone>(&self, of_tasks: &[T]) -> Vec<T> {
        let tasks = self.rows.iter().zip(of_tasks);
        tasks.flat_map(|((_, ways), own)| std::iter::repeat_n(own.clone(), ways[0].len())).collect()
    }
}

impl Task {
    /// Whether it is a part of the task before it.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }
}

impl TaskSet {
    /// The parts of a task, which follow it; none if it is a part itself, or has none.
    pub fn parts_of(&self, task: usize) -> &[Task] {
        let behind = self.tasks.get(task..).filter(|rows| rows.first().is_some_and(|task| !task.is_part()));
        let behind = behind.and_then(<[Task]>::split_first).map_or(&[][..], |(_, behind)| behind);
        &behind[..behind.iter().take_while(|row| row.is_part()).count()]
    }

    /// Whether a task has parts.
    pub fn has_parts(&self) -> bool {
        self.tasks.iter().any(Task::is_part)
    }

    /// The task that a row is, or is a part of.
    pub fn task_of(&self, row: usize) -> usize {
        (0..=row).rev().find(|&at| !self.tasks[at].is_part()).unwrap_or(0)
    }

    /// The task that a row is or belongs to, with all its parts.
    pub fn rows_of(&self, row: usize) -> &[Task] {
        let head = self.task_of(row);
        &self.tasks[head..=head + self.parts_of(head).len()]
    }

    /// The set with the combinations of parts written out as choices, and with slots in place of what blocks exclude; `None`
    /// if a task has more than 1024 that are of use.
    pub fn joined(&self) -> Option<Joined> {
        self.in_slots().with_combinations()
    }

    fn with_combinations(&self) -> Option<Joined> {
        let mut set = self.clone();
        set.tasks.clear();
        let (mut rows, mut places) = (Vec::new(), vec![0; self.tasks.len()]);
        for at in (0..self.tasks.len()).filter(|&at| !self.tasks[at].is_part()) {
            places[at] = set.tasks.len() as u32;
            let task = &self.tasks[at];
            let (task, ways) = match self.parts_of(at) {
                [] => {
                    let choices = (0..task.choices.len() as u32).map(Some);
                    (task.clone(), [None].into_iter().chain(choices).map(|choice| vec![choice]).collect())
                }
                parts => self.combined(task, parts)?,
            };
            set.tasks.push(task);
            rows.push((at, ways));
        }
        if let Some(cores) = &mut set.cores {
            cores.pins.iter_mut().for_each(|(task, _)| *task = places[*task as usize]);
            for (one, other) in &mut cores.apart {
                (*one, *other) = (places[*one as usize], places[*other as usize]);
            }
        }
        if let Some(priced) = &mut set.priced {
            // The same combinations, whatever they cost before the price.
            let tasks = rows.iter().zip(&set.tasks).map(|((at, ways), task)| {
                let rows = &priced.tasks[*at..at + ways[0].len()];
                let cost = |way: &Vec<Option<u32>>| priced.summed(rows, way).cost;
                let choices = task.choices.iter().zip(&ways[1..]);
                let choices =
                    choices.map(|(choice, way)| Choice { cost: cost(way), ..choice.clone() }).collect();
                Task { choices, ..task.clone() }
            });
            let tasks: Vec<Task> = tasks.collect();
            priced.tasks = tasks;
        }
        Some(Joined { task_set: set, rows })
    }

    /// A task with the combinations of its parts that are of use as choices, and what each takes; software comes first.
    fn combined(&self, head: &Task, parts: &[Task]) -> Option<(Task, Vec<Vec<Option<u32>>>)> {
        let rows: Vec<Task> = std::iter::once(head).chain(parts).cloned().collect();
        let mut ways: Vec<(Choice, Vec<Option<u32>>)> = vec![(self.summed(&rows[..1], &[None]), vec![None])];
        for (at, part) in parts.iter().enumerate() {
            let options = || {
                (0..part.choices.len() as u32).map(Some).chain([None].into_iter().filter(|_| !part.forced))
            };
            let mut next: Vec<(Choice, Vec<Option<u32>>)> =
                Vec::with_capacity(ways.len() * (1 + part.choices.len()));
            for (_, way) in &ways {
                for option in options() {
                    let way: Vec<Option<u32>> = way.iter().copied().chain([option]).collect();
                    next.push((self.summed(&rows[..at + 2], &way), way));
                }
            }
            next.retain(|(choice, _)| self.contested_slot(&choice.uses).is_none());
            ways = self.of_use(next);
            if ways.len() > MOST_COMBINATIONS {
                return None;
            }
        }
        let software: Vec<Option<u32>> = vec![None; rows.len()];
        let is_forced = parts.iter().any(|part| part.forced);
        let hardware: Vec<(Choice, Vec<Option<u32>>)> =
            ways.into_iter().filter(|(_, way)| *way != software).collect();
        let mut task = head.clone();
        let most = rows.iter().map(|row| row.wcets.len()).max().unwrap_or(1);
        task.wcets = (0..most).map(|at| rows.iter().map(|row| row.wcet_in(at)).sum()).collect();
        let beyond = head.wcet_high.as_ref().map(|high| high - &head.wcets[0]);
        task.wcet_high = beyond.as_ref().map(|beyond| beyond + &task.wcets[0]);
        let (choices, ways): (Vec<Choice>, Vec<Vec<Option<u32>>>) = hardware.into_iter().unzip();
        let named = |(number, choice): (usize, Choice)| Choice {
            name: format!("{number}"),
            wcet_high: beyond.as_ref().map(|beyond| beyond + &choice.wcets[0]),
            ..choice
        };
        task.choices = choices.into_iter().enumerate().map(named).collect();
        task.forced = is_forced;
        Some((task, std::iter::once(software).chain(ways).collect()))
    }

    /// What these options of a task and its first parts are together, as a choice.
    fn summed(&self, rows: &[Task], way: &[Option<u32>]) -> Choice {
        let taken = || rows.iter().zip(way).filter_map(|(row, option)| row.choices.get((*option)? as usize));
        let cost = (0..self.resources.names.len()).map(|at| taken().map(|choice| &choice.cost[at]).sum());
        let mut uses: Vec<u32> = taken().flat_map(|choice| choice.uses.iter().copied()).collect();
        uses.sort_unstable();
        uses.dedup();
        let wcet = |at: usize| -> Rational {
            let with = |(row, option): (&Task, &Option<u32>)| match option {
                Some(choice) => row.choices[*choice as usize].wcet_in(at).clone(),
                None => row.wcet_in(at).clone(),
            };
            rows.iter().zip(way).map(with).sum()
        };
        let choices = rows.iter().flat_map(|row| row.choices.iter().map(|choice| &choice.wcets));
        let places = choices.chain(rows.iter().map(|row| &row.wcets)).map(Vec::len).max().unwrap_or(1);
        Choice::of(String::new(), cost.collect(), uses, (0..places).map(wcet).collect())
    }

    /// The combinations without those that another is no worse than in any respect; of equal ones the first stays.
    fn of_use(&self, mut ways: Vec<(Choice, Vec<Option<u32>>)>) -> Vec<(Choice, Vec<Option<u32>>)> {
        let frees = self.blocks.iter().any(|block| block.cost.iter().any(Signed::is_negative));
        let no_worse = |one: &Choice, other: &Choice| {
            one.cost.iter().zip(&other.cost).all(|(one, other)| one <= other)
                && one.wcets.iter().zip(&other.wcets).all(|(one, other)| one <= other)
                && if frees {
                    one.uses == other.uses
                } else {
                    one.uses.iter().all(|block| other.uses.contains(block))
                }
        };
        // One that is no worse is not behind in this order, where equal ones keep theirs.
        order::sort_by(&mut ways, |(a, _), (b, _)| {
            (&a.cost, &a.wcets, a.uses.len()).cmp(&(&b.cost, &b.wcets, b.uses.len()))
        });
        let mut kept: Vec<(Choice, Vec<Option<u32>>)> = Vec::new();
        for way in ways {
            if !kept.iter().any(|(other, _)| no_worse(other, &way.0)) {
                kept.push(way);
            }
        }
        kept
    }
}
