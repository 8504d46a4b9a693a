// Items of one weight in one go: a row of the 0-1 knapsack's dynamic program from the row before, by any number of them.
// targets: compute_70 compute_90
//
// Source: isx; the best k of m items of one weight are those of most profit, so their sums P(0), P(1), .. are all there is
// to know (for concave sequences: K. Axiotis, C. Tzamos, arXiv 1802.06440).
// Recurrence: next[j] = max over k of previous[j - k w] + P(k), k = 0 .. m; what is left of cell 0 is never taken.
// Layout: previous, next: a cell a capacity from 0 on. A cell above `last` holds in effect what cell `last` does: so much
//         all items so far weigh, and nothing more is to be had. Filled are the cells first .. end - 1. gains: ROWS - 1
//         times NONE, then P(0) .. P(m), then NONE up to steps + ROWS of them.
// Requires: values and sums of P below half the type's range; w >= 1; steps >= m + ROWS, a multiple of ROWS; first_row =
//           first / w, and so many rows of w cells that ints count them.
// Work: with the cells laid out in rows of w, a thread fills ROWS cells of a column and reads each cell above them once for
//       all of them: ROWS updates a load. The threads of a block fill neighbouring cells of a column, so that what they
//       read twice is still in the first cache. A cell of the row is read about twice and written once.
// Launch: THREADS threads a block: `lanes` columns (the fewer of w and 32) and THREADS / lanes times ROWS cells of each;
//         `strips` times as many blocks as lie below each other.
// Checked against: the reference engine (tests/gpu/knapsack.rs).
// Walk: one warp goes back through the rows after every group from one cell, and writes how many items each takes.

#include "cells.cuh"

constexpr int THREADS = 256;

template <class Cell>
struct Grouped;
template <>
struct Grouped<int> {
    static constexpr int ROWS = 16;
    static constexpr int NONE = -(1 << 30);
};
template <>
struct Grouped<long long> {
    static constexpr int ROWS = 8;
    static constexpr long long NONE = -(1ll << 62);
};

template <class Cell>
__device__ __forceinline__ void fill(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                     const Cell* __restrict__ gains, int steps, long long weight, long long first_row,
                                     long long first, long long end, long long last, int lanes, long long strips) {
    constexpr int ROWS = Grouped<Cell>::ROWS;
    constexpr Cell NONE = Grouped<Cell>::NONE;
    const int columns = THREADS / lanes;
    const int place = threadIdx.x / lanes;
    const long long strip = blockIdx.x % strips;
    const long long column = strip * lanes + threadIdx.x % lanes;
    const long long row = first_row + ((long long)(blockIdx.x / strips) * columns + place) * ROWS;
    const long long begin = row * weight + column;
    if (place >= columns || column >= weight || begin >= end) {
        return;
    }
    Cell best[ROWS];
    Cell gain[2 * ROWS];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        best[r] = NONE;
        gain[r] = gains[r];
    }
    // From the last of its own cells up.
    long long source = begin + (ROWS - 1) * weight;
    for (int step = 0; step < steps; step += ROWS) {
        Cell held[ROWS];
#pragma unroll
        for (int u = 0; u < ROWS; ++u) {
            held[u] = source >= 0 ? previous[source < last ? source : last] : NONE;
            source -= weight;
            gain[ROWS + u] = gains[step + ROWS + u];
        }
#pragma unroll
        for (int u = 0; u < ROWS; ++u) {
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                best[r] = add_max(held[u], gain[u + r], best[r]);
            }
        }
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            gain[r] = gain[ROWS + r];
        }
        // What is above is above all rows.
        if (source < 0) {
            break;
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        const long long cell = begin + r * weight;
        if (cell >= first && cell < end) {
            next[cell] = best[r];
        }
    }
}

// A group as the host writes it.
struct WalkGroup {
    long long weight;
    long long last;   // the highest cell of the row before it
    long long gains;  // where its P(0) is
    long long count;  // m
};
static_assert(sizeof(WalkGroup) == 32, "the host writes groups of this size");

// rows: the row before the first group and those after each, `stride` cells apart. cell: in, where the walk begins in the
// last row; out, where it ends in the first, or -1 where no number of items explains what a cell holds.
template <class Cell>
__device__ __forceinline__ void walk(const Cell* __restrict__ rows, long long stride,
                                     const WalkGroup* __restrict__ groups, int count, const Cell* __restrict__ sums,
                                     long long highest, long long* __restrict__ cell,
                                     unsigned* __restrict__ numbers) {
    const int lane = threadIdx.x;
    long long at = *cell;
    for (int group = count - 1; group >= 0; --group) {
        const WalkGroup of = groups[group];
        const Cell* const before = rows + group * stride;
        const long long above = group + 1 == count ? highest : groups[group + 1].last;
        const Cell held = before[stride + (at < above ? at : above)];
        long long found = -1;
        for (long long first = 0; found < 0 && first <= of.count && first * of.weight <= at; first += 32) {
            const long long number = first + lane;
            const long long source = at - number * of.weight;
            const bool fits = number <= of.count && source >= 0 &&
                              before[source < of.last ? source : of.last] + sums[of.gains + number] == held;
            const unsigned hits = __ballot_sync(0xffffffffu, fits);
            if (hits != 0) {
                found = first + __ffs(hits) - 1;
            }
        }
        if (found < 0) {
            at = -1;
            break;
        }
        at -= found * of.weight;
        if (lane == 0) {
            numbers[group] = (unsigned)found;
        }
    }
    if (lane == 0) {
        *cell = at;
    }
}

#define GROUPED(SUFFIX, CELL)                                                                                        \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                            \
        knapsack_grouped_##SUFFIX(const CELL* previous, CELL* next, const CELL* gains, int steps, long long weight,  \
                                  long long first_row, long long first, long long end, long long last, int lanes,    \
                                  long long strips) {                                                                \
        fill<CELL>(previous, next, gains, steps, weight, first_row, first, end, last, lanes, strips);                \
    }                                                                                                                \
    extern "C" __global__ void knapsack_grouped_walk_##SUFFIX(const CELL* rows, long long stride,                    \
                                                              const WalkGroup* groups, int count, const CELL* sums,  \
                                                              long long highest, long long* cell,                    \
                                                              unsigned* numbers) {                                   \
        walk<CELL>(rows, stride, groups, count, sums, highest, cell, numbers);                                       \
    }

GROUPED(i32, int)
GROUPED(i64, long long)
