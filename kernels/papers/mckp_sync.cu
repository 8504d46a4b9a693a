// The whole multiple-choice knapsack table in one launch, with a barrier over all blocks between rows.
// targets: compute_70
//
// Source: CUDA-SYNC, algorithm 4.5 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University, 2011.
// One warp of each block waits at the barrier; the others fetch the next class's items meanwhile (figure 4.6, table
// 4.1). The thesis relies on all blocks being on the GPU at once; here the launch is cooperative, which guarantees it.
// Recurrence: G_i(j) = max over items k of class i with w_ik <= j of  G_{i-1}(j - w_ik) + v_ik
// Layout:
//   rows     (class_count + 1) rows of `stride` cells, row 0 filled by the caller; a cell is written once and read
//            only after a barrier that acquires it, so the first-level caches serve
//   items    every class's, class i's are offsets[i] .. offsets[i + 1]
//   barrier  [0] arrivals, [1] not 0 once a wait was given up; both 0 at the launch
//   shared memory: the items of the largest class
// Launch: cooperative, one grid as large as stays on the GPU; blocks of at least two warps.
// Work: count add-max a cell and class, and a barrier a class.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/thesis.rs).

#include "cells.cuh"
#include "progress.cuh"

extern __shared__ int4 shared_memory[];

// By one thread a block, after its block's barrier. False if not all blocks arrived in time.
__device__ __forceinline__ bool arrive_and_wait(unsigned* barrier, unsigned wanted) {
    __threadfence();
    atomicAdd(barrier, 1u);
    for (unsigned poll = 0; poll < Progress::MAX_POLLS; ++poll) {
        // An acquiring load empties the first-level cache, which other blocks of the multiprocessor still use: so
        // one only, once all have arrived.
        if (load_relaxed(barrier) >= wanted) {
            return load_acquire(barrier) >= wanted;
        }
    }
    atomicExch(barrier + 1, 1u);
    return false;
}

template <class Cell>
__device__ __forceinline__ void table_sync(Cell* rows, long long stride, const Item<Cell>* __restrict__ items,
                                           const int* __restrict__ offsets, int class_count, int capacity,
                                           unsigned* barrier) {
    constexpr int WARP = 32;
    Item<Cell>* const fetched = reinterpret_cast<Item<Cell>*>(shared_memory);
    const int step = gridDim.x * blockDim.x;
    const int fetchers = blockDim.x - WARP;
    for (int k = threadIdx.x; k < offsets[1] - offsets[0]; k += blockDim.x) {
        fetched[k] = items[offsets[0] + k];
    }
    for (int i = 0; i < class_count; ++i) {
        __syncthreads();
        const int count = offsets[i + 1] - offsets[i];
        const Cell* const previous = rows + i * stride;
        Cell* const next = rows + (i + 1) * stride;
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
        __syncthreads();
        if (i + 1 == class_count) {
            break;
        }
        bool fine = true;
        if ((int)threadIdx.x >= fetchers) {
            if ((int)threadIdx.x == fetchers) {
                fine = arrive_and_wait(barrier, (unsigned)(i + 1) * gridDim.x);
            }
        } else {
            const int coming = offsets[i + 2] - offsets[i + 1];
            for (int k = threadIdx.x; k < coming; k += fetchers) {
                fetched[k] = items[offsets[i + 1] + k];
            }
        }
        if (__syncthreads_and(fine) == 0) {
            break;
        }
    }
}

#define MCKP_SYNC(NAME, CELL)                                                                                      \
    extern "C" __global__ void NAME(CELL* rows, long long stride, const Item<CELL>* items, const int* offsets,     \
                                    int class_count, int capacity, unsigned* barrier) {                            \
        table_sync<CELL>(rows, stride, items, offsets, class_count, capacity, barrier);                            \
    }

MCKP_SYNC(mckp_sync_i32, int)
MCKP_SYNC(mckp_sync_i64, long long)
