// The tables after one class from those before it: the most value within every vector of amounts of several resources.
// targets: compute_70 compute_90
//
// Source: isx; the recurrence of the multi-dimensional multiple-choice knapsack problem (Kellerer, Pferschy, Pisinger,
// Knapsack Problems, 2004, section 11.10) with a table for each state of shared elements.
// Recurrence: G'_t(x) = max over the entries e of state t of G_{state(e)}(x - cost(e)) + value(e)
// A warp computes a run of CELLS * 32 neighboring cells of a row; several warps have neighboring runs, and a block has
// one or more rows. An entry reads a run of one row, shifted by its cost in the first resource: the same shift for all
// cells, and without a bound to check unless the run touches an end of the row. Entries come in the order of the rows that
// they read, so that rows read twice are still in the first-level cache.
//
// Layout: resources.cuh; `entries` of all states, those of state t from starts[t] to starts[t + 1]; `in` and `out` have the
// tables of all states one after the other.
// Requires: tables that do not overlap; rows * runs below 2^31.
// Launch: warps_a_row * rows_a_block warps a block; blocks in x: tiles of a row times groups of rows; in y: one a state.
// Work: a cell reads one cell an entry (from the caches, but for the first of them), and writes one.
// Checked against: the reference engine (tests/gpu/resources.rs).

#include "resources.cuh"

// Rows to read that a block has in shared memory at a time.
constexpr int SOURCES = 256;
constexpr int MOST_THREADS = 512;
constexpr int BLOCKS_A_MULTIPROCESSOR = 3;

// A row to read: the cell that cell 0 of the row written would read, the shift, what is added.
template <class Cell>
struct Source {
    long long cell;
    Cell value;
    int shift;
};

// The source of an entry for a row written; one whose shift exceeds every coordinate if it does not fit.
template <class Cell>
__device__ __forceinline__ Source<Cell> source_of(const Entry& entry, const long long* __restrict__ before,
                                                  const long long* __restrict__ after, unsigned row) {
    constexpr int NOWHERE = 0x7fffffff;
    Source<Cell> source = {entry.state * before[CELLS_OF_TABLE] - entry.cost[0], (Cell)entry.value, entry.cost[0]};
#pragma unroll
    for (int d = DIMENSIONS - 1; d > 0; --d) {
        const unsigned extent = (unsigned)after[LAST + d] + 1;
        const int x = (int)(row % extent);
        row /= extent;
        if (x < entry.cost[d]) {
            source.shift = NOWHERE;
        }
        const long long from = x - entry.cost[d];
        const long long last = before[LAST + d];
        source.cell += (from < last ? from : last) * before[STRIDE + d];
    }
    return source;
}

template <class Cell, int CELLS>
__device__ __forceinline__ void table(const Cell* __restrict__ in, Cell* __restrict__ out,
                                      const Entry* __restrict__ entries, const int* __restrict__ starts,
                                      const long long* __restrict__ before, const long long* __restrict__ after,
                                      int rows, int tiles, int warps_a_row) {
    constexpr int RUN = WARP * CELLS;
    __shared__ Source<Cell> sources[SOURCES];
    const int rows_a_block = (int)blockDim.x / (WARP * warps_a_row);
    const int together = SOURCES / rows_a_block;
    const int first_row = (int)(blockIdx.x / tiles) * rows_a_block;
    const int tile = (int)(blockIdx.x % tiles);
    const int warp = (int)threadIdx.x / WARP;
    const int of_block = warp / warps_a_row;
    const int row = first_row + of_block;
    // The first and the last cell of this warp's run, and this lane's first.
    const long long begin = ((long long)tile * warps_a_row + warp % warps_a_row) * RUN;
    const long long end = begin + RUN - 1;
    const long long mine = begin + threadIdx.x % WARP;
    const long long reach = before[LAST];
    const long long last = after[LAST];
    const bool works = row < rows && begin <= last;

    Cell best[CELLS];
#pragma unroll
    for (int k = 0; k < CELLS; ++k) {
        best[k] = Limits<Cell>::LEAST;
    }
    const int entries_end = starts[blockIdx.y + 1];
    for (int from = starts[blockIdx.y]; from < entries_end; from += together) {
        const int count = min(together, entries_end - from);
        for (int at = (int)threadIdx.x; at < count * rows_a_block; at += (int)blockDim.x) {
            const int row_of_source = first_row + at / count;
            if (row_of_source < rows) {
                sources[at] = source_of<Cell>(entries[from + at % count], before, after, (unsigned)row_of_source);
            }
        }
        __syncthreads();
        for (int at = of_block * count; works && at < (of_block + 1) * count; ++at) {
            const Source<Cell> source = sources[at];
            if (end < source.shift) {
                continue;
            }
            const Cell* const cells = in + source.cell;
            if (begin >= source.shift && end - source.shift <= reach) {
#pragma unroll
                for (int k = 0; k < CELLS; ++k) {
                    best[k] = add_max(cells[mine + k * WARP], source.value, best[k]);
                }
            } else {
#pragma unroll
                for (int k = 0; k < CELLS; ++k) {
                    const long long x = mine + k * WARP - source.shift;
                    if (x >= 0) {
                        best[k] = add_max(cells[source.shift + (x < reach ? x : reach)], source.value, best[k]);
                    }
                }
            }
        }
        __syncthreads();
    }
    if (!works) {
        return;
    }
    Cell* const written = out + blockIdx.y * after[CELLS_OF_TABLE] + row * after[ROW];
#pragma unroll
    for (int k = 0; k < CELLS; ++k) {
        if (mine + k * WARP <= last) {
            written[mine + k * WARP] = best[k];
        }
    }
}

#define RESOURCES_TABLE(NAME, CELL, CELLS)                                                                            \
    extern "C" __global__ void __launch_bounds__(MOST_THREADS, BLOCKS_A_MULTIPROCESSOR)                               \
        NAME(const CELL* in, CELL* out, const Entry* entries, const int* starts, const long long* before,             \
             const long long* after, int rows, int tiles, int warps_a_row) {                                          \
        table<CELL, CELLS>(in, out, entries, starts, before, after, rows, tiles, warps_a_row);                        \
    }

RESOURCES_TABLE(resources_table_i32, int, 8)
RESOURCES_TABLE(resources_table_i64, long long, 4)
