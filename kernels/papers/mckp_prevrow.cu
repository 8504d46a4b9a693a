// One row of the multiple-choice knapsack table, the items and (if it pays) the previous row's cells fetched to shared
// memory first.
// targets: compute_70
//
// Source: CUDA-PREVROW, algorithm 4.3 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University,
// 2011. The host decides by equation 4.2 whether fetching pays: references per access
// RTA = T n / (T + heaviest - lightest), for T threads a block and n items, must be above 1 (and the cells must fit).
// Recurrence: G_i(j) = max over items k of class i with w_ik <= j of  G_{i-1}(j - w_ik) + v_ik
// Layout: as mckp_global.cu; shared memory: `count` items, then, with `fetch`, T + heaviest - lightest cells.
// Launch: blocks of any size T, at least capacity + 1 threads in all; once a class.
// Work: count add-max a cell, from shared memory with `fetch`.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/thesis.rs).

#include "cells.cuh"

extern __shared__ int4 shared_memory[];

template <class Cell>
__device__ __forceinline__ void row_prevrow(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                            const Item<Cell>* __restrict__ items, int count, int capacity,
                                            int lightest, int heaviest, int fetch) {
    Item<Cell>* const fetched = reinterpret_cast<Item<Cell>*>(shared_memory);
    Cell* const cells = reinterpret_cast<Cell*>(fetched + count);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        fetched[k] = items[k];
    }
    const int first = blockIdx.x * blockDim.x;
    const int start = max(0, first - heaviest);
    if (fetch) {
        const int end = min(capacity, first + (int)blockDim.x - 1 - lightest);
        for (int at = start + threadIdx.x; at <= end; at += blockDim.x) {
            cells[at - start] = previous[at];
        }
    }
    __syncthreads();
    const int j = first + threadIdx.x;
    if (j > capacity) {
        return;
    }
    Cell best = Limits<Cell>::LEAST;
    if (fetch) {
        for (int k = 0; k < count; ++k) {
            const Item<Cell> item = fetched[k];
            if (item.weight <= j) {
                best = larger(best, cells[j - start - item.weight] + item.value);
            }
        }
    } else {
        for (int k = 0; k < count; ++k) {
            const Item<Cell> item = fetched[k];
            if (item.weight <= j) {
                best = larger(best, previous[j - item.weight] + item.value);
            }
        }
    }
    next[j] = best;
}

#define MCKP_PREVROW(NAME, CELL)                                                                             \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, const Item<CELL>* items, int count,    \
                                    int capacity, int lightest, int heaviest, int fetch) {                   \
        row_prevrow<CELL>(previous, next, items, count, capacity, lightest, heaviest, fetch);                \
    }

MCKP_PREVROW(mckp_prevrow_i32, int)
MCKP_PREVROW(mckp_prevrow_i64, long long)
