//! The recipes of the thesis's task sets, which generate `tasksets/thesis-set-*.yaml`.

use isx::quantity::Rational;
use isx::sampling::{DecimalRange, IntRange};
use isx::taskset::recipe::{TaskNames, TaskSetRecipe};

/// The benchmarks of the five task sets of Table 6.1 in B. Suri, "Accelerating the knapsack problem on GPUs",
/// master's thesis, Linköping University, 2011.
const THESIS_TASKS: [&str; 5] = [
    "aes,djpeg,g721decode,rijndael,adpcm,jfdctint,cjpeg,edn,ispell,sha,ndes,compress",
    "djpeg,g721decode,rijndael,adpcm,jfdctint,cjpeg,edn,ispell,sha,ndes,compress",
    "aes,djpeg,g721decode,rijndael,jfdctint,cjpeg,edn,ispell,sha,ndes",
    "adpcm,rijndael,cjpeg,ispell,sha,ndes,djpeg,compress,edn",
    "cjpeg,ispell,edn,sha,g721decode,djpeg,compress,ndes",
];

/// Task set 1 to 5 of the thesis: its names and sizes, with generated figures, since the thesis prints none.
pub fn thesis_set(number: usize) -> Option<TaskSetRecipe> {
    let names = THESIS_TASKS.get(number.checked_sub(1)?)?;
    Some(TaskSetRecipe {
        name: format!("thesis-set-{number}"),
        description: format!(
            "Task set {number} of Table 6.1 in B. Suri, Accelerating the knapsack problem on GPUs, master's thesis, \
             Linköping University, 2011: its benchmark names and its size only. The thesis prints no areas, WCETs, \
             periods or choices, so every figure here is generated and illustrative; a benchmark that is in several \
             of the five sets has other figures in each."
        ),
        tasks: TaskNames::Given(names.split(',').map(str::to_owned).collect()),
        utilization: Rational::new(8.into(), 5.into()),
        choices: IntRange { low: 8, high: 16 },
        area: DecimalRange { low: 100, high: 10_000, places: 0 },
        seed: number as u64,
        ..TaskSetRecipe::default()
    })
}
