//! Every rate, one per line: its name, its unit, and what it took on the machines that isx was built on.
//!
//! Rates of the CPU were measured on cores of AVX-512 Xeons and of an AMD EPYC (Zen 4) at 2.6 GHz, those of the GPU on an
//! H200. What a kernel does in clocks is a property of the kernel and not listed; the GPU's own clock and number of
//! multiprocessors, which the driver reports, turn it into seconds.

/// A line of the table of rates.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Which rate it is.
    pub rate: Rate,
    /// `who.what`: the engine, or what else does the work, and the unit of work.
    pub name: &'static str,
    /// The unit of the figure.
    pub unit: &'static str,
    /// What the work is.
    pub about: &'static str,
    /// The figure without a calibration.
    pub default: f64,
}

impl Row {
    /// What does the work: the name without its last part.
    pub fn group(&self) -> &'static str {
        self.name.rsplit_once('.').map_or(self.name, |(group, _)| group)
    }

    /// What is counted, as in `s/cell`.
    pub fn counted(&self) -> &'static str {
        self.unit.rsplit_once('/').map_or(self.unit, |(_, counted)| counted)
    }
}

macro_rules! rates {
    ($($rate:ident, $name:literal, $unit:literal, $default:expr, $about:literal;)+) => {
        /// A rate of the machine: what one unit of work takes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rate {
            $(#[doc = $about] $rate,)+
        }

        /// The rates in order.
        pub static ROWS: [Row; ROWS_COUNT] = [
            $(Row { rate: Rate::$rate, name: $name, unit: $unit, about: $about, default: $default },)+
        ];

        /// The number of rates.
        pub const ROWS_COUNT: usize = [$(Rate::$rate),+].len();

        pub(super) const DEFAULTS: [f64; ROWS_COUNT] = [$($default),+];
    };
}

#[rustfmt::skip]
rates! {
    ThreadStart, "threads.start", "s/thread", 100e-6, "starting a thread";
    Fork, "threads.fork", "s/piece", 4e-6, "passing a piece of work to threads that are awake and waiting for the last of them; no part of it takes less";
    ForkThread, "threads.fork-thread", "s/thread", 1e-6, "passing a piece of work to threads, for each of them";
    FurtherThread, "threads.further", "cores/thread", 0.7, "the speedup that each further thread adds: below 1, since threads share caches, memory and clock";

    LargePageByte, "memory.large-page-byte", "s/byte", 0.05e-9, "getting a byte from the system in large pages";
    SmallPageByte, "memory.small-page-byte", "s/byte", 0.3e-9, "getting a byte from the system in small pages";
    LaterByte, "memory.later-byte", "s/byte", 0.25e-9, "getting a byte beyond the first 256 MB: a virtual machine gets its memory from its host";

    Mapping, "memory.mapping", "s/mapping", 8e-6, "getting a table of its own from the system and giving it back, in addition to its bytes";

    FrontCell, "front.cell", "s/cell", 0.7e-9, "marking a cell where a row rises, or writing its point";

    MckpTextbook, "mckp.reference.candidate", "s/candidate", 1e-9, "a candidate of the textbook loop";
    MckpLook, "mckp.list.sum", "s/sum", 2.5e-9, "computing a sum of a pair and an item";
    MckpSort, "mckp.list.sorted", "s/sum", 4e-8, "sorting a sum that passes the filter";
    MckpCandidate, "mckp.dense.candidate", "s/candidate", 1.0 / 48e9, "a candidate of 32 bits on AVX-512; other vectors and 64 bits take a fixed multiple";
    MckpCell, "mckp.dense.cell", "s/cell", 0.15e-9, "reading and writing a cell once";
    MckpStrip, "mckp.dense.strip", "s/strip", 0.5e-6, "starting a strip of cells";
    MckpTracedCell, "mckp.dense.traced-cell", "s/cell", 0.65e-9, "finding the item of a cell of a layer";
    MckpPreparedItem, "mckp.dense.prepared-item", "s/item", 40e-9, "preparing an item, including its place on the hull";
    MckpFrontCell, "mckp.dense.front-cell", "s/cell", 1.5e-9, "reading a cell of the last row and writing its point";
    MckpProblem, "mckp.dense.problem", "s/problem", 20e-6, "the fixed cost of any problem";
    MckpFarCell, "mckp.dense.far-cell", "s/cell", 1.9e-9, "the additional cost of a cell of a row that fits no cache";
    MckpMarkedCell, "mckp.dense.marked-cell", "s/cell", 10e-9, "finding the item of a marked cell among few";
    MckpMarkedItem, "mckp.dense.marked-item", "s/item", 2e-9, "trying an item at a marked cell";
    MckpUnmarkedStrip, "mckp.dense.unmarked-strip", "s/strip", 50e-9, "seeing that a strip has no marks";
    MckpCopied, "mckp.dense.copied", "s/number", 1e-9, "copying a number into memory that the system has not provided yet";
    MckpJoined, "mckp.dense.joined", "s/word", 0.4e-9, "joining a word of a window of marks";
    MckpBoundedCell, "mckp.dense.bounded.cell", "s/cell", 0.58e-9, "a cell with a bound, including the few items tried";
    MckpTracedBoundedCell, "mckp.dense.bounded.traced-cell", "s/cell", 1.1e-9, "finding the item of a cell with a bound";
    MckpPrice, "mckp.dense.bounded.price", "s/item", 0.8e-9, "pricing an item in a strip";
    MckpBoundedLayer, "mckp.dense.bounded.layer", "s/layer", 35e-6, "a layer with bounds, in addition to its cells: loose bounds leave many items";
    MckpHullItem, "mckp.dense.bounded.hull-item", "s/item", 40e-9, "finding an item's place on the hull";
    MckpEdge, "mckp.dense.bounded.edge", "s/edge", 2e-9, "processing an edge of a hull";
    MckpTangent, "mckp.dense.bounded.tangent", "s/tangent", 30e-9, "computing a tangent";


    KnapsackTextbook, "knapsack.reference.candidate", "s/candidate", 0.7e-9, "a candidate of the textbook table";
    KnapsackBig, "knapsack.reference.big-candidate", "s/candidate", 50e-9, "a candidate of the textbook table with integers of any size";
    KnapsackItem, "knapsack.dense.item-cell", "s/cell", 0.125e-9, "a 32-bit cell for one item, including cells that tiles compute twice";
    KnapsackFew, "knapsack.dense.few-cell", "s/cell", 0.075e-9, "a 32-bit cell for a few items of one weight";
    KnapsackNumber, "knapsack.dense.number-cell", "s/cell", 0.025e-9, "each number of items tried there";
    KnapsackRun, "knapsack.dense.run-cell", "s/cell", 0.165e-9, "a 32-bit cell for a run of equal items";
    KnapsackFarByte, "knapsack.dense.far-byte", "s/byte", 0.02e-9, "reading and writing a byte of a row that fits no cache";
    KnapsackProblem, "knapsack.dense.problem", "s/problem", 10e-6, "the fixed cost of any problem";
    KnapsackSorted, "knapsack.dense.sorted-item", "s/item", 60e-9, "an item's place among the others";
    KnapsackSplit, "knapsack.core.item", "s/item", 1e-7, "splitting the items around the break item";




    SetUnionSum, "set-union.list.sum", "s/sum", 1e-8, "computing a sum";
    SetUnionTaken, "set-union.list.taken", "s/sum", 1.8e-8, "a sum in total, including all list operations";
    SetUnionProblem, "set-union.dense.problem", "s/problem", 25e-6, "the fixed cost of any problem";
    SetUnionUpdate, "set-union.dense.update", "s/update", 3e-10, "updating a cell";
    SetUnionLook, "set-union.dense.look", "s/class", 1.6e-7, "finding the item of a class at a point";

    ResourcesSum, "resources.reference.sum", "s/sum", 150e-9, "a sum of the textbook's map";
    ResourcesCompared, "resources.reference.compared", "s/comparison", 20e-9, "comparing a sum with another one";
    ResourcesInTable, "resources.list.in-table", "s/sum", 1.6e-8, "a sum that is looked up in a table";
    ResourcesInStairs, "resources.list.in-stairs", "s/sum", 1e-7, "a sum that is looked up in stairs";
    ResourcesInPages, "resources.list.in-pages", "s/sum", 2e-6, "a sum that is looked up in pages";
    ResourcesUpdate, "resources.dense.update", "s/update", 6e-10, "updating a cell of 64 bits; one of 32 bits takes half";
    ResourcesPoint, "resources.dense.point", "s/point", 800e-9, "finding a point and its items";

    GpuStart, "gpu.start", "s/start", 0.3, "creating a context and compiling the kernels with an empty driver cache";
    GpuLaunch, "gpu.launch", "s/launch", 5e-6, "launching a kernel, in a row of them";
    GpuRoundTrip, "gpu.round-trip", "s/problem", 0.07e-3, "getting memory, sending a problem and fetching its answer";
    GpuToHost, "gpu.to-host", "s/byte", 1e-10, "sending a byte to the host";

    MckpGpuClock, "mckp.cuda.clock", "clocks/clock", 1.0, "a clock of the model of tiles, which was fitted to 900 measured shapes";
    KnapsackGpuByte, "knapsack.cuda.byte", "s/byte", 5e-11, "a byte of a row, for each multiprocessor";
    KnapsackGpuLaunch, "knapsack.cuda.launch", "s/launch", 7e-6, "a launch, including clearing the marks before it";
    KnapsackGpuTried, "knapsack.cuda.tried", "s/number", 1.0 / 6e10, "a number of equal items tried at a cell, for each multiprocessor";
    KnapsackGpuStep, "knapsack.cuda.step", "s/item", 4e-6, "an item on the way back";
    KnapsackGpuPoint, "knapsack.cuda.point", "s/cell", 3e-9, "fetching a cell of the front and reading it";
    ResourcesGpuByte, "resources.cuda.byte", "s/byte", 0.25e-12, "a byte of a cell, mostly from the second-level cache";
}
