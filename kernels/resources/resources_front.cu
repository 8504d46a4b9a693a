// The points of the last table: marked, counted, brought to the order of their costs, and their other costs found.
// targets: compute_70
//
// Source: isx. The first resources are objectives, the others have limits only, and are looked at where they are largest.
// A cell is a point if its value is at least `least` and every neighbor one lower in an objective has less than the cell,
// and less than `most`: for the front `most` is beyond all values; for the cheapest selections of at least some value both
// are that value.
//
// A row here is a row of the table in which the other resources are at their last coordinate; rows are numbered in
// lexicographic order of their coordinates. Points are to be in lexicographic order of all objectives, the first of which
// is the cell in a row: so a block takes 32 neighboring cells of all rows, a word of bits of each, each warp a range of
// rows and each lane a cell, and counts the points of its cell; after the counts are summed up, it does so again and
// writes each point at its place.
//
// Layout: resources.cuh; `frame` is that of the last table.
//   bits     one bit per cell, `words` words per row, for the rows of the objectives
//   totals   one a cell of a row, and one more: the points of the cell; after the scan, those of all cells before it
//   costs    a column of `points` coordinates per resource, in units
//   values   one a point
// Launch: resources_front_mark: 256 threads a block, blocks for 256 cells of each row. resources_front_count,
// resources_front_write: THREADS threads, one block per word. resources_front_scan: one block of THREADS. The others: one
// thread per point.
// Work: mark reads a cell once and writes a bit; count and write read the bits once; write reads the points' cells.
// Checked against: the reference engine (tests/gpu/resources.rs).

#include "resources.cuh"

constexpr int THREADS = 1024;
constexpr int WARPS = THREADS / WARP;

// The first cell of a row, and its coordinates in all resources but the first.
__device__ __forceinline__ long long row_at(const long long* __restrict__ frame, int objectives, unsigned row, int* x) {
    long long at = 0;
#pragma unroll
    for (int d = DIMENSIONS - 1; d > 0; --d) {
        x[d] = (int)frame[LAST + d];
        if (d < objectives) {
            const unsigned extent = (unsigned)frame[LAST + d] + 1;
            x[d] = (int)(row % extent);
            row /= extent;
        }
        at += x[d] * frame[STRIDE + d];
    }
    return at;
}

template <class Cell>
__device__ __forceinline__ void mark(const Cell* __restrict__ table, const long long* __restrict__ frame,
                                     int objectives, Cell least, Cell most, int tiles, unsigned* __restrict__ bits,
                                     int words) {
    const unsigned row = blockIdx.x / tiles;
    const int cell = (int)(blockIdx.x % tiles) * (int)blockDim.x + (int)threadIdx.x;
    int x[DIMENSIONS];
    const long long at = row_at(frame, objectives, row, x) + cell;
    bool is_point = cell <= frame[LAST];
    if (is_point) {
        const Cell value = table[at];
        const Cell bound = value < most ? value : most;
        is_point = value >= least && (cell == 0 || table[at - 1] < bound);
#pragma unroll
        for (int d = 1; d < DIMENSIONS; ++d) {
            if (is_point && d < objectives && x[d] > 0) {
                is_point = table[at - frame[STRIDE + d]] < bound;
            }
        }
    }
    const unsigned word = __ballot_sync(ALL_LANES, is_point);
    if (threadIdx.x % WARP == 0 && cell / WARP < words) {
        bits[(long long)row * words + cell / WARP] = word;
    }
}

// The rows of a warp.
__device__ __forceinline__ unsigned first_row(unsigned rows, int warp) {
    const unsigned of_each = (rows + WARPS - 1) / WARPS;
    const unsigned long long first = (unsigned long long)of_each * warp;
    return first < rows ? (unsigned)first : rows;
}

// How many points this lane's cell has in the rows of its warp.
__device__ __forceinline__ unsigned count_of_lane(const unsigned* __restrict__ bits, int words, unsigned rows) {
    const int warp = (int)threadIdx.x / WARP;
    const int lane = (int)threadIdx.x % WARP;
    unsigned count = 0;
#pragma unroll 8
    for (unsigned row = first_row(rows, warp); row < first_row(rows, warp + 1); ++row) {
        count += bits[(long long)row * words + blockIdx.x] >> lane & 1;
    }
    return count;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    resources_front_count(const unsigned* __restrict__ bits, int words, unsigned rows, int cells,
                          long long* __restrict__ totals) {
    __shared__ unsigned counts[WARPS][WARP];
    const int lane = (int)threadIdx.x % WARP;
    counts[threadIdx.x / WARP][lane] = count_of_lane(bits, words, rows);
    __syncthreads();
    const int cell = (int)blockIdx.x * WARP + lane;
    if (threadIdx.x < WARP && cell < cells) {
        long long total = 0;
        for (int warp = 0; warp < WARPS; ++warp) {
            total += counts[warp][lane];
        }
        totals[cell] = total;
    }
}

// The sum of the lanes before this one and of itself.
__device__ __forceinline__ long long sum_up(long long value) {
    const int lane = (int)threadIdx.x % WARP;
    for (int far = 1; far < WARP; far *= 2) {
        const long long before = __shfl_up_sync(ALL_LANES, value, far);
        value += lane >= far ? before : 0;
    }
    return value;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    resources_front_scan(long long* __restrict__ totals, int cells) {
    __shared__ long long sums[WARPS];
    const int warp = (int)threadIdx.x / WARP;
    long long before = 0;
    for (long long first = 0; first < cells; first += THREADS) {
        const long long cell = first + threadIdx.x;
        const long long own = cell < cells ? totals[cell] : 0;
        const long long up_to = sum_up(own);
        if (threadIdx.x % WARP == WARP - 1) {
            sums[warp] = up_to;
        }
        __syncthreads();
        long long all = 0;
        long long earlier = 0;
        for (int other = 0; other < WARPS; ++other) {
            earlier += other < warp ? sums[other] : 0;
            all += sums[other];
        }
        __syncthreads();
        if (cell < cells) {
            totals[cell] = before + earlier + up_to - own;
        }
        before += all;
    }
    if (threadIdx.x == 0) {
        totals[cells] = before;
    }
}

template <class Cell>
__device__ __forceinline__ void write(const Cell* __restrict__ table, const long long* __restrict__ frame,
                                      int objectives, const unsigned* __restrict__ bits, int words, unsigned rows,
                                      const long long* __restrict__ totals, long long points,
                                      long long* __restrict__ costs, long long* __restrict__ values) {
    __shared__ unsigned counts[WARPS][WARP];
    const int warp = (int)threadIdx.x / WARP;
    const int lane = (int)threadIdx.x % WARP;
    counts[warp][lane] = count_of_lane(bits, words, rows);
    __syncthreads();
    const int cell = (int)blockIdx.x * WARP + lane;
    if (cell > frame[LAST]) {
        return;
    }
    long long point = totals[cell];
    for (int other = 0; other < warp; ++other) {
        point += counts[other][lane];
    }
    for (unsigned row = first_row(rows, warp); row < first_row(rows, warp + 1); ++row) {
        if ((bits[(long long)row * words + blockIdx.x] >> lane & 1) == 0) {
            continue;
        }
        int x[DIMENSIONS];
        values[point] = table[row_at(frame, objectives, row, x) + cell];
        costs[point] = cell;
#pragma unroll
        for (int d = 1; d < DIMENSIONS; ++d) {
            if (d < objectives) {
                costs[d * points + point] = x[d];
            }
        }
        ++point;
    }
}

// The least coordinates in the resources that are no objectives, one after the other, at which a point's value is reached.
template <class Cell>
__device__ __forceinline__ void least(const Cell* __restrict__ table, const long long* __restrict__ frame,
                                      int objectives, int resources, long long points, long long* __restrict__ costs,
                                      const long long* __restrict__ values) {
    const long long point = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points) {
        return;
    }
    long long at = 0;
    for (int d = 0; d < resources; ++d) {
        const long long x = d < objectives ? costs[d * points + point] : frame[LAST + d];
        at += x * frame[STRIDE + d];
    }
    for (int d = objectives; d < resources; ++d) {
        const long long stride = frame[STRIDE + d];
        at -= frame[LAST + d] * stride;
        long long low = 0;
        long long high = frame[LAST + d];
        while (low < high) {
            const long long middle = (low + high) / 2;
            if (table[at + middle * stride] == values[point]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        at += high * stride;
        costs[d * points + point] = high;
    }
}

// A column in units of the problem.
extern "C" __global__ void resources_front_scale(long long* __restrict__ column, long long count, long long unit,
                                                 long long base) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) {
        column[at] = column[at] * unit + base;
    }
}

#define RESOURCES_FRONT(NAME, CELL)                                                                                   \
    extern "C" __global__ void NAME##_mark(const CELL* table, const long long* frame, int objectives, CELL least,      \
                                           CELL most, int tiles, unsigned* bits, int words) {                         \
        mark<CELL>(table, frame, objectives, least, most, tiles, bits, words);                                        \
    }                                                                                                                 \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                             \
        NAME##_write(const CELL* table, const long long* frame, int objectives, const unsigned* bits, int words,      \
                     unsigned rows, const long long* totals, long long points, long long* costs, long long* values) { \
        write<CELL>(table, frame, objectives, bits, words, rows, totals, points, costs, values);                      \
    }                                                                                                                 \
    extern "C" __global__ void NAME##_least(const CELL* table, const long long* frame, int objectives, int resources, \
                                            long long points, long long* costs, const long long* values) {            \
        least<CELL>(table, frame, objectives, resources, points, costs, values);                                      \
    }

RESOURCES_FRONT(resources_front_i32, int)
RESOURCES_FRONT(resources_front_i64, long long)
