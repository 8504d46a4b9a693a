//! Fronts for testing the exporters. The tests may run an engine; the exporters never do.

use isx_design::exploration::Exploration;
use isx_design::front::DesignFront;
use isx_design::schedulability::{Effort, Limits, judge, smallest_with_margins};
use isx_exact::quantity::Rational;
use isx_exact::sampling::Sampler;
use isx_explore::clocks::solve_at_every_clock;
use isx_machine::Machine;
use isx_problems::resources::Goal;
use isx_solve::{Options, Solution};
use isx_taskset::formulate::formulate;
use isx_taskset::{Block, Resources, Task, TaskSet, TimeBase};
use num_bigint::BigInt;

pub(crate) fn whole(value: i64) -> Rational {
    Rational::from(BigInt::from(value))
}

pub(crate) fn task(name: &str, wcet: i64, period: i64, choices: &[(&str, Rational, i64)]) -> Task {
    let with =
        |task: Task, (name, area, wcet): &(&str, Rational, i64)| task.with_choice(*name, area.clone(), *wcet);
    choices.iter().fold(Task::new(name, wcet, period), with)
}

/// Names are not checked.
pub(crate) fn taskset(name: &str, tasks: Vec<Task>) -> TaskSet {
    let valid = TaskSet::new("valid", [Task::new("a", 1, 1)]).unwrap().with_area_unit("NAND2").unwrap();
    TaskSet { name: name.into(), tasks, ..valid }
}

/// A task set of `tasks` tasks with `choices` choices each; its utilization without hardware is about 1.3.
pub(crate) fn random(tasks: usize, choices: usize, seed: u64) -> TaskSet {
    let mut sampler = Sampler::new(seed);
    let periods = [1000, 2000, 4000, 5000, 10_000, 20_000];
    let make = |at: usize| {
        let period = periods[sampler.uniform(0, 5) as usize];
        let wcet =
            (period as f64 * (0.9 + sampler.uniform(0, 799) as f64 / 1000.0) / tasks as f64) as i64 + 2;
        let mut choice = |k: usize| {
            let area = Rational::new(sampler.uniform(20, 4019).into(), 2.into());
            (format!("v{k}"), area, sampler.uniform(1, wcet as u64 - 1) as i64)
        };
        let choices: Vec<(String, Rational, i64)> = (0..choices).map(&mut choice).collect();
        let named: Vec<(&str, Rational, i64)> =
            choices.iter().map(|(name, area, wcet)| (name.as_str(), area.clone(), *wcet)).collect();
        task(&format!("task{at}"), wcet, period, &named)
    };
    taskset(&format!("random {tasks} x {choices}, seed {seed}"), (0..tasks).map(make).collect())
}

/// A task set with a long front: each choice saves about as much as its area.
pub(crate) fn correlated(tasks: usize, choices: usize, seed: u64) -> TaskSet {
    let mut sampler = Sampler::new(seed);
    let make = |at: usize| {
        let mut choice = |k: usize| {
            let area = sampler.uniform(1, 8000) as i64;
            (format!("choice {k}"), whole(area), 20_000 - area - sampler.uniform(0, 49) as i64)
        };
        let choices: Vec<(String, Rational, i64)> = (0..choices).map(&mut choice).collect();
        let named: Vec<(&str, Rational, i64)> =
            choices.iter().map(|(name, area, wcet)| (name.as_str(), area.clone(), *wcet)).collect();
        task(&format!("task number {at}"), 20_000, 800_000, &named)
    };
    taskset("correlated", (0..tasks).map(make).collect())
}

/// Names that are dangerous if they are not escaped.
pub(crate) fn nasty() -> TaskSet {
    let names = [
        "=HYPERLINK(\"http://x\")",
        "@sum",
        "+1",
        "-2",
        "a,b\"c",
        "<script>alert(1)</script>",
        "]]>&amp;",
        "x\u{202e}gnp",
        "日本語",
    ];
    let tasks = names.iter().enumerate().map(|(at, name)| {
        let at = at as i64;
        task(name, 200 + at, 1000, &[(name, whole(10 + 3 * at), 100), ("@b", whole(100 + at), 50)])
    });
    taskset("<b>nasty</b> & ]]> \u{202e}set", tasks.collect())
}

pub(crate) fn demo_tasks() -> TaskSet {
    let fir = [("mac", whole(300), 50), ("dual mac", whole(640), 30)];
    let aes = [("v1", Rational::new(1933.into(), 2.into()), 350), ("v3", whole(1157), 250)];
    taskset("demo", vec![task("fir", 90, 100, &fir), task("aes", 400, 1000, &aes), task("log", 5, 100, &[])])
}

pub(crate) fn demo() -> Exploration {
    front_of(&demo_tasks())
}

/// Tasks whose choices share an S-box and one of two multipliers. Least designs first: an S-box for two tasks, then the
/// small multiplier, then the large one in its place.
pub(crate) fn shared_tasks() -> TaskSet {
    let blocks = [
        Block::new("sbox", 464),
        Block::new("mul16", 120).in_slot("multiplier"),
        Block::new("mul32", 300).in_slot("multiplier"),
    ];
    let aes = Task::new("aes", 40, 100).with_choice_using("saes32", [0], 12, 8);
    let sm4 = Task::new("sm4", 60, 100).with_choice_using("ssm4", [0], 10, 16);
    let fir = Task::new("fir", 50, 100).with_choice_using("small", [1], 0, 30).with_choice_using(
        "large",
        [2],
        5,
        6,
    );
    let log = Task::new("log", 1, 100);
    TaskSet::with_blocks("shared", blocks, [aes, sm4, fir, log]).unwrap().with_area_unit("NAND2").unwrap()
}

/// The front of [`shared_tasks`].
pub(crate) fn shared() -> Exploration {
    front_of(&shared_tasks())
}

/// As [`nasty`], with blocks of such names, two of which differ only in the character that separates blocks in a
/// list.
pub(crate) fn nasty_blocks() -> TaskSet {
    let mut set = nasty();
    let names = ["=1+1", "+2", "a+b", "a", "b", "a\\", "x, \"y\"", " z ", "'q", "]]>&", "日本"];
    set.blocks = names.iter().map(|name| Block::new(*name, 5)).collect();
    for (at, task) in set.tasks.iter_mut().enumerate() {
        task.choices[0].uses = vec![at as u32, (at as u32 + 3) % 11];
        task.choices[1].uses = vec![(at as u32 + 5) % 11];
    }
    set
}

/// A set with one task per block, and one more that uses the first two.
pub(crate) fn with_many_blocks(count: u32) -> TaskSet {
    let block = |at: u32| Block::new(format!("block number {at}"), i64::from(at % 7));
    let task = |at: u32| {
        Task::new(format!("t{at}"), 50, 1000).with_choice_using("hard", [at], 1, 49 - i64::from(at % 40))
    };
    let both = Task::new("both", 50, 1000).with_choice_using("hard", [0, 1.min(count - 1)], 1, 7);
    let set = TaskSet::with_blocks("many blocks", (0..count).map(block), (0..count).map(task).chain([both]));
    set.unwrap()
}

/// A set with a long front whose points build blocks.
pub(crate) fn correlated_with_blocks(tasks: usize, choices: usize, seed: u64) -> TaskSet {
    let mut set = correlated(tasks, choices, seed);
    set.blocks = (0..5).map(|at| Block::new(format!("unit {at}"), 40 * at)).collect();
    for (at, task) in set.tasks.iter_mut().enumerate() {
        for (number, choice) in task.choices.iter_mut().enumerate().skip(1) {
            choice.uses = vec![(at + number) as u32 % 5];
        }
    }
    set
}

/// Tasks of which some use a floating-point unit that lowers the clock from 128 MHz to 123, another unit that limits it
/// no further, and one that limits it above the set's clock.
pub(crate) fn slowed_tasks() -> TaskSet {
    let megahertz = |count: i64| whole(count * 1_000_000);
    let blocks = [
        Block::new("fpu", 1263).with_fmax(megahertz(123)),
        Block::new("mul", 473).with_fmax(megahertz(500)),
        Block::new("bits", 837),
    ];
    let fir = Task::new("fir", 900, 1000).with_choice_using("float", [0], 0, 300);
    let aes = Task::new("aes", 640, 2000).with_choice_using("mul", [1], 0, 320).with_choice_using(
        "bits",
        [2],
        0,
        128,
    );
    let set = TaskSet::with_blocks("slowed", blocks, [fir, aes]).unwrap();
    let clock = TimeBase::Cycles { hertz: megahertz(128) };
    set.with_area_unit("LE").unwrap().with_time_base(clock).unwrap()
}

/// Fronts whose task sets have blocks.
pub(crate) fn sharing_fronts() -> Vec<Exploration> {
    let mut idle = shared_tasks();
    // A block that no design builds, and designs that build none.
    idle.tasks.truncate(1);
    idle.tasks[0].choices.clear();
    let slowed = slowed_tasks();
    [shared_tasks(), idle, nasty_blocks(), with_many_blocks(12), correlated_with_blocks(6, 3, 5), slowed]
        .iter()
        .map(front_of)
        .collect()
}

/// The names of the blocks that a design builds, computed in the simple, slow way.
pub(crate) fn built(explored: &Exploration, choices: &[Option<u32>]) -> Vec<String> {
    let blocks = explored.front.formulation().blocks(choices).unwrap();
    blocks.iter().map(|&at| explored.task_set().blocks[at as usize].name.clone()).collect()
}

/// The front of the task set, with its EDF verdicts.
pub(crate) fn front_of(taskset: &TaskSet) -> Exploration {
    front_up_to(taskset, None)
}

/// As [`front_of`], for designs of at most `area`.
pub(crate) fn front_within(taskset: &TaskSet, area: i64) -> Exploration {
    front_up_to(taskset, Some(&whole(area)))
}

fn front_up_to(taskset: &TaskSet, max_area: Option<&Rational>) -> Exploration {
    let formulation = formulate(taskset, max_area).unwrap();
    let options = Options { machine: Machine::default().with_threads(1), ..Options::default() };
    let Solution { claim, account } =
        solve_at_every_clock(taskset, &formulation, &Goal::Front, &options).unwrap().unwrap();
    let front = DesignFront::new(taskset.clone(), formulation, claim, account);
    let mut effort = Effort::new(Limits::default());
    let verdicts = judge(&front, &mut effort);
    let margins = smallest_with_margins(&front, &verdicts.smallest, &mut effort);
    Exploration { margins, ..Exploration::new(front, verdicts) }
}

/// A task set whose choices cost several resources: LUTs in hundreds, the others few and often none.
pub(crate) fn of_resources(tasks: usize, choices: usize, resources: usize, seed: u64) -> TaskSet {
    let mut set = random(tasks, choices, seed);
    let mut sampler = Sampler::new(seed + 1000);
    let names = ["LUT", "DSP", "BRAM", "FF", "URAM"];
    for choice in set.tasks.iter_mut().flat_map(|task| &mut task.choices) {
        let further = (1..resources).map(|_| sampler.uniform(0, 6).saturating_sub(2) as i64);
        let further: Vec<Rational> = further.map(whole).collect();
        choice.cost = [whole(sampler.uniform(20, 900) as i64)].into_iter().chain(further).collect();
    }
    let base = (0..resources as i64).map(|at| if at == 0 { 300 } else { 0 });
    set.resources = Resources::new(names.into_iter().take(resources)).with_base(base);
    set.validate().unwrap();
    set
}

/// The front of a set with several resources.
pub(crate) fn costed(set: &TaskSet) -> Exploration {
    isx_explore::explore(set, &isx_explore::Options::default()).unwrap()
}

/// Fronts of one point, few and many, with and without a schedulable design.
pub(crate) fn unlike_fronts() -> Vec<Exploration> {
    let alone = taskset("alone", vec![task("only", 3, 4, &[])]);
    let never = taskset("never", vec![task("a", 9, 4, &[("x", whole(3), 8), ("y", whole(5), 7)])]);
    let free = taskset("free", vec![task("a", 5, 4, &[("x", whole(0), 3), ("y", whole(7), 2)])]);
    [alone, never, free, demo_tasks(), nasty(), random(5, 3, 7), random(12, 5, 8)]
        .iter()
        .map(front_of)
        .collect()
}

/// A full disk.
pub(crate) struct Full;

impl std::io::Write for Full {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(std::io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Fronts of every kind.
pub(crate) fn all_fronts() -> Vec<Exploration> {
    let mut vast = demo_tasks();
    vast.tasks[0].choices[0].cost[0] = Rational::from(BigInt::from(10).pow(18));
    let mut fine = demo_tasks();
    fine.tasks[0].choices[0].cost[0] = Rational::new(12_345.into(), 1000.into());
    let mut fronts = unlike_fronts();
    fronts.extend([front_of(&vast), front_of(&fine), front_of(&nasty()), front_of(&slowed_tasks())]);
    fronts.extend(sharing_fronts());
    fronts.extend([of_resources(4, 3, 3, 1), of_resources(6, 4, 2, 2)].iter().map(costed));
    fronts
}
