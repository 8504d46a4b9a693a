// One row of the multiple-choice knapsack table, one thread a cell, the class's items fetched to shared memory first.
// targets: compute_70
//
// Source: CUDA-SHARED, algorithm 4.2 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University, 2011.
// Recurrence: G_i(j) = max over items k of class i with w_ik <= j of  G_{i-1}(j - w_ik) + v_ik
// Layout: as mckp_global.cu; shared memory: `count` items.
// Launch: blocks of any size, at least capacity + 1 threads in all; once a class.
// Work: count add-max a cell; each block fetches the items once (equation 4.1: T references an access).
// Checked against: the reference engine (benchmarks/papers/tests/gpu/thesis.rs).

#include "cells.cuh"

extern __shared__ int4 shared_memory[];

template <class Cell>
__device__ __forceinline__ void row_shared(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                           const Item<Cell>* __restrict__ items, int count, int capacity) {
    Item<Cell>* const fetched = reinterpret_cast<Item<Cell>*>(shared_memory);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        fetched[k] = items[k];
    }
    __syncthreads();
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j > capacity) {
        return;
    }
    Cell best = Limits<Cell>::LEAST;
    for (int k = 0; k < count; ++k) {
        const Item<Cell> item = fetched[k];
        if (item.weight <= j) {
            best = larger(best, previous[j - item.weight] + item.value);
        }
    }
    next[j] = best;
}

#define MCKP_SHARED(NAME, CELL)                                                                              \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, const Item<CELL>* items, int count,    \
                                    int capacity) {                                                          \
        row_shared<CELL>(previous, next, items, count, capacity);                                            \
    }

MCKP_SHARED(mckp_shared_i32, int)
MCKP_SHARED(mckp_shared_i64, long long)
