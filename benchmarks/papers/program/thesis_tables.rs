//! The tables of `isx-papers thesis`: one for each figure of the thesis, and what the papers say beside it.

use super::gpu::{TILED, study_name};
use super::thesis::{
    BEST, DIV_F32, DIV_F64, EXACT, EXACT_MULTI_CORE, EXACT_TWO_CORES, MULTI_CORE, Measured, Part, RECIP_F32,
    RECIP_F64, SEQUENTIAL,
};
use isx_bench::charts::measured::{duration, ratio};
use isx_bench::comparison::Table;
use isx_bench::runner::Outcome;
use isx_papers::thesis::cuda::Arithmetic;

/// A figure of the thesis: its instances, its contestants, and its result in the thesis.
struct Figure {
    title: &'static str,
    parts: &'static [Part],
    /// The contestants; ratios are relative to the first.
    contestants: &'static [&'static str],
    there: &'static str,
}

const GLOBAL: &str = "CUDA-GLOBAL";
const SHARED: &str = "CUDA-SHARED";
const PREVROW: &str = "CUDA-PREVROW";
const MULTICELL: &str = "CUDA-MULTICELL";
const ADJACENT: &str = "adjacent cells";
const HOST_SYNC: &str = "CUDA-MULTICELL, host waits";
const SYNC: &str = "CUDA-SYNC";
const REDUCTION: &str = "reduction";

/// Kernels of the case study, 64 and 32 bits wide.
const GPU_DIV: [&str; 2] = [study_name(Arithmetic::DivisionF64), study_name(Arithmetic::DivisionF32)];
const GPU_RECIP: [&str; 2] = [study_name(Arithmetic::ReciprocalF64), study_name(Arithmetic::ReciprocalF32)];
const GPU_EXACT: [&str; 2] = [study_name(Arithmetic::ExactI64), study_name(Arithmetic::ExactI32)];

const FIGURES: [Figure; 9] = [
    Figure {
        title: "Figure 5.1: Sequential, multi-core and GPU",
        parts: &[Part::Small, Part::Large],
        contestants: &[
            SEQUENTIAL, MULTI_CORE, GLOBAL, SHARED, PREVROW, MULTICELL, SYNC, REDUCTION, TILED, BEST,
        ],
        there: "CUDA 220 times as fast as sequential on average, 3 times as fast as OpenCL on eight cores",
    },
    Figure {
        title: "Figure 5.1 on correlated instances: Sequential, multi-core and GPU, correlated instances",
        parts: &[Part::Correlated],
        contestants: &[
            SEQUENTIAL, MULTI_CORE, GLOBAL, SHARED, PREVROW, MULTICELL, SYNC, REDUCTION, TILED, BEST,
        ],
        there: "not in the thesis: dominance removes little here, so the best algorithm gains less",
    },
    Figure {
        title: "Figure 5.2: Global memory against shared memory",
        parts: &[Part::Large],
        contestants: &[GLOBAL, SYNC],
        there: "CUDA-SYNC 20 % faster than CUDA-GLOBAL",
    },
    Figure {
        title: "Figure 5.3: The shared-memory kernels",
        parts: &[Part::Large],
        contestants: &[SHARED, MULTICELL, HOST_SYNC, SYNC, PREVROW, ADJACENT],
        there: "CUDA-SYNC before CUDA-MULTICELL, for which the host waits, before CUDA-SHARED; CUDA-PREVROW last; adjacent \
                cells (Figure 4.4) are avoided without a time",
    },
    Figure {
        title: "Figure 5.4: The spread of weights of Table 5.3",
        parts: &[Part::Spread],
        contestants: &[SEQUENTIAL, MULTI_CORE, SYNC, PREVROW, BEST],
        there: "CUDA-PREVROW overtakes CUDA-SYNC as the spread falls, some 320 times as fast as sequential",
    },
    Figure {
        title: "Figure 6.1: Case study: sequential, multi-core and GPU",
        parts: &[Part::TaskSet],
        contestants: &[
            DIV_F64,
            EXACT,
            EXACT_MULTI_CORE,
            GPU_RECIP[0],
            GPU_RECIP[1],
            GPU_EXACT[0],
            GPU_EXACT[1],
            GLOBAL,
            SHARED,
            BEST,
        ],
        there: "CUDA 220 times as fast as sequential on average",
    },
    Figure {
        title: "Figure 6.2: Case study: multi-core against GPU",
        parts: &[Part::TaskSet],
        contestants: &[EXACT_TWO_CORES, EXACT_MULTI_CORE, GLOBAL, SHARED, TILED],
        there: "CUDA 24 times as fast as two cores, 8 times as fast as sixteen (its machine is said to have eight)",
    },
    Figure {
        title: "Figure 6.3: Case study: global memory against shared memory",
        parts: &[Part::TaskSet],
        contestants: &[GLOBAL, SHARED, PREVROW, MULTICELL, SYNC],
        there: "CUDA-SHARED about 10 % faster than CUDA-GLOBAL; the others at best as fast as CUDA-SHARED (section 6.2)",
    },
    Figure {
        title: "Figure 6.4: Case study: division against multiplication",
        parts: &[Part::TaskSet],
        contestants: &[
            DIV_F64,
            RECIP_F64,
            DIV_F32,
            RECIP_F32,
            EXACT,
            GPU_DIV[0],
            GPU_RECIP[0],
            GPU_DIV[1],
            GPU_RECIP[1],
            GPU_EXACT[0],
            GPU_EXACT[1],
        ],
        there: "multiplication at least 70 % faster than division on the GPU",
    },
];

/// All tables of what was measured, `each` instances of each size.
pub fn of(measured: &[Measured], each: u64) -> Vec<Table> {
    let figures = FIGURES.iter().map(|figure| table_of(figure, measured));
    figures.chain(means(measured, each)).chain(occupancies(measured)).collect()
}

/// A table with a column for each instance.
fn table(title: String, about: String, instances: &[&Measured], rows: Vec<Vec<String>>) -> Table {
    let names = instances.iter().map(|one| one.problem.name.clone());
    Table { title, about, head: std::iter::once(String::new()).chain(names).collect(), rows }
}

/// A row of a name and its cells.
fn row(name: &str, cells: impl IntoIterator<Item = Option<String>>) -> Vec<String> {
    let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "–".into()));
    std::iter::once(name.to_owned()).chain(cells).collect()
}

fn table_of(figure: &Figure, measured: &[Measured]) -> Table {
    let Figure { title, parts, contestants, there } = figure;
    let of_figure = |one: &&Measured| one.copy == 0 && parts.contains(&one.part);
    let instances: Vec<&Measured> = measured.iter().filter(of_figure).collect();
    let is_there = |name: &&&str| instances.iter().any(|one| one.outcome(name).is_some());
    let (present, missing): (Vec<&&str>, Vec<&&str>) = contestants.iter().partition(|name| is_there(name));
    let mut about = format!("There: {there}.");
    if instances.is_empty() {
        about += "\n\nIts instances were not asked for.";
    } else if present.is_empty() {
        about += "\n\nNeeds a GPU (--gpu).";
    } else if !missing.is_empty() {
        about += &format!("\n\nNot here: {}.", missing.into_iter().copied().collect::<Vec<_>>().join("; "));
    }
    let Some(&first) = present.first() else { return table((*title).to_owned(), about, &[], Vec::new()) };
    let cells = |name: &str| instances.iter().map(|one| time_and_ratio(one, name, first)).collect::<Vec<_>>();
    let mut rows: Vec<Vec<String>> = present.iter().map(|name| row(name, cells(name))).collect();
    if contestants.contains(&PREVROW) && parts[0] != Part::TaskSet {
        // What the thesis goes by to fetch the previous row or not, beside what that takes.
        let numbers = instances.iter().map(|one| Some(format!("{:.1}", one.references?)));
        rows.push(row("equation 4.2, references per access", numbers));
    }
    table((*title).to_owned(), about, &instances, rows)
}

/// The median time, and the rate as a multiple of `first`'s if both do the same work.
fn time_and_ratio(instance: &Measured, name: &str, first: &str) -> Option<String> {
    let timed = |name: &str| instance.outcome(name).and_then(Outcome::timed);
    let own = timed(name)?;
    let base = timed(first).filter(|base| name != first && name != BEST && own.does_the_work_of(base));
    let ratio = base.map(|base| format!(" ({})", ratio(own.rate() / base.rate())));
    Some(duration(own.total()) + &ratio.unwrap_or_default())
}

/// The contestants of the paper of 2012 over several instances of each size, if there are any.
fn means(measured: &[Measured], each: u64) -> Option<Table> {
    let sizes = || measured.chunk_by(|_, next| next.copy > 0).filter(|size| size.len() > 1);
    let mean = |name: &str, size: &[Measured]| {
        let times = size.iter().map(|one| Some(one.outcome(name)?.timed()?.total()));
        Some(times.collect::<Option<Vec<f64>>>()?.iter().sum::<f64>() / each as f64)
    };
    let cell = |name: &str, size: &[Measured]| {
        let (own, base) = (mean(name, size)?, mean(SEQUENTIAL, size)?);
        Some(format!("{} ({})", duration(own), ratio(base / own)))
    };
    let contestants = [SEQUENTIAL, MULTI_CORE, GLOBAL, SHARED, MULTICELL, HOST_SYNC, SYNC, TILED, BEST];
    let rows = contestants.map(|name| row(name, sizes().map(|size| cell(name, size))));
    let title = format!(
        "Suri, Bordoloi and Eles (DATE 2012), Figures 2 to 4: means of {each} instances of each size"
    );
    let about = "There: CUDA-SYNC 220 times as fast as sequential, 3 to 4 times as fast as eight cores, 20 % faster than \
                 CUDA-GLOBAL and before CUDA-SHARED and CUDA-MULTICELL; means of five instances. In parentheses: the mean of \
                 sequential as a multiple.";
    let firsts: Vec<&Measured> = sizes().map(|size| &size[0]).collect();
    (each > 1).then(|| table(title, about.to_owned(), &firsts, rows.to_vec()))
}

/// Equation 3.1 beside the times, where there is a GPU.
fn occupancies(measured: &[Measured]) -> Option<Table> {
    let instances: Vec<&Measured> =
        measured.iter().filter(|one| one.copy == 0 && !one.occupancy.is_empty()).collect();
    let cell = |name: &str, one: &Measured| {
        let (_, occupancy) = one.occupancy.iter().find(|(of, _)| *of == name)?;
        let (time, percent) = (duration(one.outcome(name)?.timed()?.total()), |part: f64| 100.0 * part);
        Some(format!("{time}: {:.0} % ({:.0} %)", percent(occupancy.equation), percent(occupancy.driver)))
    };
    let names = instances.first()?.occupancy.iter().map(|(name, _)| *name);
    let rows = names.map(|name| row(name, instances.iter().map(|one| cell(name, one)))).collect();
    let about = "There: 100 % with 768 threads per block, 87.5 % with the 672 of CUDA-SYNC. For the class with the most items; \
                 in parentheses by the driver's count of resident blocks, which knows the units in which registers and shared \
                 memory are given out.";
    Some(table("Equation 3.1: occupancy beside the time".into(), about.to_owned(), &instances, rows))
}
