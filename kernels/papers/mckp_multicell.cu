// One row of the multiple-choice knapsack table, several cells a thread: a grid that just fills the GPU walks the row.
// targets: compute_70
//
// Source: CUDA-MULTICELL, algorithm 4.4 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University,
// 2011. The thesis's grid of 28 blocks filled its GPU; here the host asks the occupancy of the GPU at hand. Thread
// t of B' T threads takes cells t, t + B' T, .. so that neighbouring threads read neighbouring cells (figure 4.5).
// mckp_adjacent is the pattern that the thesis avoids (figure 4.4): thread t takes the L cells t L .. t L + L - 1, L as in
// equation 4.3, and neighbouring threads read cells that are L apart.
// Recurrence: G_i(j) = max over items k of class i with w_ik <= j of  G_{i-1}(j - w_ik) + v_ik
// Layout: as mckp_global.cu; shared memory: `count` items.
// Launch: any grid; once a class.
// Work: count add-max a cell; a block fetches the items once for all its cells (equation 4.4: T L references an access).
// Checked against: the reference engine (benchmarks/papers/tests/gpu/thesis.rs).

#include "cells.cuh"

extern __shared__ int4 shared_memory[];

template <class Cell, bool ADJACENT>
__device__ __forceinline__ void row_multicell(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                              const Item<Cell>* __restrict__ items, int count, int capacity) {
    Item<Cell>* const fetched = reinterpret_cast<Item<Cell>*>(shared_memory);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        fetched[k] = items[k];
    }
    __syncthreads();
    const int threads = gridDim.x * blockDim.x;
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    const int each = (capacity + threads) / threads;
    const int first = ADJACENT ? thread * each : thread;
    const int last = ADJACENT ? min(capacity, first + each - 1) : capacity;
    for (int j = first; j <= last; j += ADJACENT ? 1 : threads) {
        Cell best = Limits<Cell>::LEAST;
        for (int k = 0; k < count; ++k) {
            const Item<Cell> item = fetched[k];
            if (item.weight <= j) {
                best = larger(best, previous[j - item.weight] + item.value);
            }
        }
        next[j] = best;
    }
}

#define MCKP_MULTICELL(NAME, CELL, ADJACENT)                                                                 \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, const Item<CELL>* items, int count,    \
                                    int capacity) {                                                          \
        row_multicell<CELL, ADJACENT>(previous, next, items, count, capacity);                               \
    }

MCKP_MULTICELL(mckp_multicell_i32, int, false)
MCKP_MULTICELL(mckp_multicell_i64, long long, false)
MCKP_MULTICELL(mckp_adjacent_i32, int, true)
MCKP_MULTICELL(mckp_adjacent_i64, long long, true)
