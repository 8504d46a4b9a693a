// One row of the multiple-choice knapsack table, one thread a cell, everything in global memory.
// targets: compute_70
//
// Source: CUDA-GLOBAL, algorithm 4.1 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University, 2011.
// Recurrence: G_i(j) = max over items k of class i with w_ik <= j of  G_{i-1}(j - w_ik) + v_ik
// Layout: previous, next: capacity + 1 cells; items: `count` of the class, the item of weight 0 among them (normal
// form; so optional choice and exactly-one are one case, and no cell is without a candidate).
// Launch: blocks of any size, at least capacity + 1 threads in all; once a class.
// Work: count add-max a cell, each with one cell and one item read through the caches.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/thesis.rs).

#include "cells.cuh"

template <class Cell>
__device__ __forceinline__ void row_global(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                           const Item<Cell>* __restrict__ items, int count, int capacity) {
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j > capacity) {
        return;
    }
    Cell best = Limits<Cell>::LEAST;
    for (int k = 0; k < count; ++k) {
        const Item<Cell> item = items[k];
        if (item.weight <= j) {
            best = larger(best, previous[j - item.weight] + item.value);
        }
    }
    next[j] = best;
}

#define MCKP_GLOBAL(NAME, CELL)                                                                              \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, const Item<CELL>* items, int count,    \
                                    int capacity) {                                                          \
        row_global<CELL>(previous, next, items, count, capacity);                                            \
    }

MCKP_GLOBAL(mckp_global_i32, int)
MCKP_GLOBAL(mckp_global_i64, long long)
