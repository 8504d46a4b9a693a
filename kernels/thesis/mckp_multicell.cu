// One row of the multiple-choice knapsack table, several cells a thread: a grid that just fills the GPU walks the row.
// targets: compute_70
//
// Source: CUDA-MULTICELL, algorithm 4.4 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University,
// 2011. The thesis's grid of 28 blocks filled its GPU; here the host asks the occupancy of the GPU at hand. Thread
// t of B' T threads takes cells t, t + B' T, .. so that neighbouring threads read neighbouring cells (figure 4.5).
// Recurrence: G_i(j) = max over items k of class i with w_ik <= j of  G_{i-1}(j - w_ik) + v_ik
// Layout: as mckp_global.cu; shared memory: `count` items.
// Launch: any grid; once a class.
// Work: count add-max a cell; a block fetches the items once for all its cells (equation 4.4: T L references an access).
// Checked against: the reference engine (tests/gpu/mckp.rs).

#include "cells.cuh"

extern __shared__ int4 shared_memory[];

template <class Cell>
__device__ __forceinline__ void row_multicell(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                              const Item<Cell>* __restrict__ items, int count, int capacity) {
    Item<Cell>* const fetched = reinterpret_cast<Item<Cell>*>(shared_memory);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        fetched[k] = items[k];
    }
    __syncthreads();
    const int step = gridDim.x * blockDim.x;
    for (int j = blockIdx.x * blockDim.x + threadIdx.x; j <= capacity; j += step) {
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

#define MCKP_MULTICELL(NAME, CELL)                                                                           \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, const Item<CELL>* items, int count,    \
                                    int capacity) {                                                          \
        row_multicell<CELL>(previous, next, items, count, capacity);                                         \
    }

MCKP_MULTICELL(mckp_multicell_i32, int)
MCKP_MULTICELL(mckp_multicell_i64, long long)
