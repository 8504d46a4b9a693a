//! `explore` on the GPU returns the same front as on the CPU: points, fractions, choices and verdicts.

use crate::common::{Random, random_instance, task_set};
use crate::harness::*;
use isx::engine::Choice;
use isx::engine::mckp::ENGINES;
use isx::exploration::Exploration;
use isx::explore::{Options, explore};
use isx::machine::Machine;
use isx::sampling::{DecimalRange, IntRange};
use isx::taskset::generate::generate;
use isx::taskset::recipe::{Savings, SavingsModel, TaskNames, TaskSetRecipe};
use isx::taskset::{TaskSet, read_str};
use num_traits::One;
use std::sync::LazyLock;

/// Shared by all fronts: opening a GPU takes a fifth of a second.
static MACHINE: LazyLock<Machine> = LazyLock::new(Machine::default);

/// The trials of this module.
pub fn trials() -> Vec<Trial> {
    let tests = tests![every_task_set_of_the_repository_has_one_front, generated_task_sets_have_one_front];
    on_gpu("explore", &tests)
}

fn by(engine: &str) -> Options<'static> {
    let engine = Choice::Named(ENGINES.named(engine).unwrap());
    Options { engine, machine: MACHINE.clone(), ..Options::default() }
}

fn front(set: &TaskSet, engine: &str) -> Exploration {
    explore(set, &by(engine)).unwrap()
}

/// Compares the two fronts completely, but for which of several equal designs is shown where blocks are shared; true if some design has a utilization of exactly 1.
fn compare(set: &TaskSet, name: &str) -> bool {
    let (gpu, cpu) = (front(set, "cuda"), front(set, "list"));
    assert_eq!(gpu.front.account().engine, "cuda");
    let is_canonical = set.blocks.is_empty();
    assert_eq!(gpu.verdicts.points, cpu.verdicts.points, "{name}");
    assert!(gpu.verdicts == cpu.verdicts || !is_canonical, "{name}");
    assert_eq!(
        (gpu.front.len(), gpu.front.is_complete()),
        (cpu.front.len(), cpu.front.is_complete()),
        "{name}"
    );
    let mut full = false;
    for (a, b) in gpu.front.iter().zip(&cpu.front) {
        assert_eq!(a.design(), b.design(), "{name}, point {}", a.index());
        assert!(a.choices() == b.choices() || !is_canonical, "{name}, point {}", a.index());
        full |= a.utilization().is_one();
    }
    full
}

/// The task sets of the repository: the program carries them, so that it needs no other file.
macro_rules! task_sets {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../tasksets/", $name, ".yaml")))),+]
    };
}

#[rustfmt::skip]
const TASK_SETS: &[(&str, &str)] = &task_sets![
    "constrained-deadlines",
    "crypto-gateway",
    "crypto-gateway-rv64",
    "crypto-gateway-shared",
    "gateway-modes",
    "keyword-spotting",
    "keyword-spotting-resources",
    "micro-inverter",
    "neorv32-extensions",
    "neorv32-resources",
    "papabench-autopilot",
    "papabench-autopilot-rm",
    "picorv32-measured",
    "shared-sbox",
    "thesis-set-1",
    "thesis-set-2",
    "thesis-set-3",
    "thesis-set-4",
    "thesis-set-5",
    "tutorial",
    "vexriscv-variants",
    "waters-2019",
];

fn every_task_set_of_the_repository_has_one_front() {
    let mut seen = 0;
    for (name, text) in TASK_SETS {
        let set = read_str(name, text).unwrap().task_set;
        // Several resources and several modes have engines of their own.
        if !set.is_one_area() || !set.modes.is_empty() {
            continue;
        }
        compare(&set, name);
        seen += 1;
    }
    println!("{seen} of {} task sets of the repository", TASK_SETS.len());
    assert!(seen >= 10);
}

fn generated_task_sets_have_one_front() {
    let sets = from_env("ISX_GPU_CASES", 1_700).min(1_700);
    let tight = sets * 300 / 1_700;
    let mut points_of_one = 0;
    for seed in 0..sets {
        let model = if seed % 2 == 0 { SavingsModel::Uncorrelated } else { SavingsModel::Correlated };
        let recipe = TaskSetRecipe {
            tasks: TaskNames::Numbered(2 + seed % 14),
            choices: IntRange { low: 1, high: 2 + seed % 12 },
            area: DecimalRange { low: 1, high: 50 + 40 * (seed % 50), places: (seed % 3) as u32 },
            savings: Savings { model, ..TaskSetRecipe::default().savings },
            seed,
            ..TaskSetRecipe::default()
        };
        let text = generate(&recipe).unwrap();
        points_of_one +=
            u32::from(compare(&read_str("generated", &text).unwrap().task_set, &format!("seed {seed}")));
    }
    for seed in 0..tight * 8 {
        let instance = random_instance(&mut Random(seed));
        let set = task_set(&instance.tasks, instance.time_scale, instance.area_scale);
        points_of_one += u32::from(compare(&set, &format!("small seed {seed}")));
    }
    println!("{} generated task sets, {points_of_one} with a design of utilization 1", sets + tight * 8);
    assert!(
        u64::from(points_of_one) >= tight / 3,
        "only {points_of_one} sets have a design of utilization exactly 1"
    );
}
