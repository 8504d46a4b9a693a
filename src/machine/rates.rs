//! What a unit of each kind of work takes: the constants behind every expected time.
//!
//! The expected time of a plan is a sum of amounts of work, each times its rate:
//!
//! ```text
//! seconds = sum over r of  amount_r * rate_r
//! ```
//!
//! The amounts depend on the problem and are counted by the engines. Rates decide which engine runs and among how many
//! threads work is divided, never an answer. Those of the CPU were measured on cores of AVX-512 Xeons and of an AMD EPYC
//! (Zen 4) at 2.6 GHz, those of the GPU on an H200. What a kernel does in clocks is a property of the kernel and not listed;
//! the GPU's own clock and number of multiprocessors, which the driver reports, turn it into seconds.

/// Seconds per thread: starting a thread.
pub const THREAD_START: f64 = 100e-6;
/// Seconds per piece: passing a piece of work to threads that are awake and waiting for the last of them; no part of
/// it takes less.
pub const FORK: f64 = 4e-6;
/// Seconds per thread: passing a piece of work to threads, for each of them.
pub const FORK_THREAD: f64 = 1e-6;
/// Cores per thread: the speedup that each further thread adds: below 1, since threads share caches, memory and
/// clock.
pub const FURTHER_THREAD: f64 = 0.7;

/// Seconds per byte: getting a byte from the system in large pages.
pub const LARGE_PAGE_BYTE: f64 = 0.05e-9;
/// Seconds per byte: getting a byte from the system in small pages.
pub const SMALL_PAGE_BYTE: f64 = 0.3e-9;
/// Seconds per byte: getting a byte beyond the first 256 MB: a virtual machine gets its memory from its host.
pub const LATER_BYTE: f64 = 0.25e-9;
/// Seconds per mapping: getting a table of its own from the system and giving it back, in addition to its bytes.
pub const MAPPING: f64 = 8e-6;

/// Seconds per cell: marking a cell where a row rises, or writing its point.
pub const FRONT_CELL: f64 = 0.7e-9;

/// Seconds per candidate: a candidate of the textbook loop.
pub const MCKP_TEXTBOOK: f64 = 1e-9;
/// Seconds per candidate: a candidate of 32 bits on AVX-512; other vectors and 64 bits take a fixed multiple.
pub const MCKP_CANDIDATE: f64 = 1.0 / 48e9;
/// Seconds per cell: reading and writing a cell once.
pub const MCKP_CELL: f64 = 0.15e-9;
/// Seconds per strip: starting a strip of cells.
pub const MCKP_STRIP: f64 = 0.5e-6;
/// Seconds per cell: finding the item of a cell of a layer.
pub const MCKP_TRACED_CELL: f64 = 0.65e-9;
/// Seconds per item: preparing an item, including its place on the hull.
pub const MCKP_PREPARED_ITEM: f64 = 40e-9;
/// Seconds per cell: reading a cell of the last row and writing its point.
pub const MCKP_FRONT_CELL: f64 = 1.5e-9;
/// Seconds per problem: the fixed cost of any problem.
pub const MCKP_PROBLEM: f64 = 20e-6;
/// Seconds per cell: the additional cost of a cell of a row that fits no cache.
pub const MCKP_FAR_CELL: f64 = 1.9e-9;
/// Seconds per cell: finding the item of a marked cell among few.
pub const MCKP_MARKED_CELL: f64 = 10e-9;
/// Seconds per item: trying an item at a marked cell.
pub const MCKP_MARKED_ITEM: f64 = 2e-9;
/// Seconds per strip: seeing that a strip has no marks.
pub const MCKP_UNMARKED_STRIP: f64 = 50e-9;
/// Seconds per number: copying a number into memory that the system has not provided yet.
pub const MCKP_COPIED: f64 = 1e-9;
/// Seconds per word: joining a word of a window of marks.
pub const MCKP_JOINED: f64 = 0.4e-9;
/// Seconds per cell: a cell with a bound, including the few items tried.
pub const MCKP_BOUNDED_CELL: f64 = 0.58e-9;
/// Seconds per cell: finding the item of a cell with a bound.
pub const MCKP_TRACED_BOUNDED_CELL: f64 = 1.1e-9;
/// Seconds per item: pricing an item in a strip.
pub const MCKP_PRICE: f64 = 0.8e-9;
/// Seconds per layer: a layer with bounds, in addition to its cells: loose bounds leave many items.
pub const MCKP_BOUNDED_LAYER: f64 = 35e-6;
/// Seconds per item: finding an item's place on the hull.
pub const MCKP_HULL_ITEM: f64 = 40e-9;
/// Seconds per edge: processing an edge of a hull.
pub const MCKP_EDGE: f64 = 2e-9;
/// Seconds per tangent: computing a tangent.
pub const MCKP_TANGENT: f64 = 30e-9;

/// Seconds per candidate: a candidate of the textbook table.
pub const KNAPSACK_TEXTBOOK: f64 = 0.7e-9;
/// Seconds per candidate: a candidate of the textbook table with integers of any size.
pub const KNAPSACK_BIG: f64 = 50e-9;
/// Seconds per cell: a 32-bit cell for one item, including cells that tiles compute twice.
pub const KNAPSACK_ITEM: f64 = 0.125e-9;
/// Seconds per byte: reading and writing a byte of a row that fits no cache.
pub const KNAPSACK_FAR_BYTE: f64 = 0.02e-9;
/// Seconds per problem: the fixed cost of any problem.
pub const KNAPSACK_PROBLEM: f64 = 10e-6;
/// Seconds per item: an item's place among the others.
pub const KNAPSACK_SORTED: f64 = 60e-9;
/// Seconds per item: splitting the items around the break item.
pub const KNAPSACK_SPLIT: f64 = 1e-7;

/// Seconds per sum: a sum of the textbook's map.
pub const RESOURCES_SUM: f64 = 150e-9;
/// Seconds per comparison: comparing a sum with another one.
pub const RESOURCES_COMPARED: f64 = 20e-9;
/// Seconds per sum: a sum of a list of one amount.
pub const RESOURCES_IN_LIST: f64 = 5e-9;
/// Seconds per sum: a sum that is looked up in a table.
pub const RESOURCES_IN_TABLE: f64 = 1.6e-8;
/// Seconds per sum: a sum that is looked up in stairs.
pub const RESOURCES_IN_STAIRS: f64 = 1e-7;
/// Seconds per sum: a sum that is looked up in pages.
pub const RESOURCES_IN_PAGES: f64 = 2e-6;
/// Seconds per update: updating a cell of 64 bits; one of 32 bits takes half.
pub const RESOURCES_UPDATE: f64 = 6e-10;
/// Seconds per point: finding a point and its items.
pub const RESOURCES_POINT: f64 = 800e-9;

/// Seconds per start: creating a context and compiling the kernels with an empty driver cache.
pub const GPU_START: f64 = 0.3;
/// Seconds per launch: launching a kernel, in a row of them.
pub const GPU_LAUNCH: f64 = 5e-6;
/// Seconds per problem: getting memory, sending a problem and fetching its answer.
pub const GPU_ROUND_TRIP: f64 = 0.07e-3;
/// Seconds per byte: sending a byte to the host.
pub const GPU_TO_HOST: f64 = 1e-10;

/// Seconds per byte: a byte of a row, for each multiprocessor.
pub const KNAPSACK_GPU_BYTE: f64 = 5e-11;
/// Seconds per launch: a launch, including clearing the marks before it.
pub const KNAPSACK_GPU_LAUNCH: f64 = 7e-6;
/// Seconds per item: an item on the way back.
pub const KNAPSACK_GPU_STEP: f64 = 4e-6;
/// Seconds per cell: fetching a cell of the front and reading it.
pub const KNAPSACK_GPU_POINT: f64 = 3e-9;

/// Seconds per byte: a byte of a cell, mostly from the second-level cache.
pub const RESOURCES_GPU_BYTE: f64 = 0.25e-12;
