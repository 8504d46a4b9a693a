// One row of the multiple-choice knapsack table, one warp a cell: the maximum over items as a parallel reduction.
// targets: compute_70
//
// Source: section 4.5 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University, 2011, which only
// analyses it: n items reduced by P threads take n / P log2(P) steps a cell, so a thread a cell should win. Here P = 32.
// Recurrence: G_i(j) = max over items k of class i with w_ik <= j of  G_{i-1}(j - w_ik) + v_ik
// Layout: as mckp_global.cu.
// Launch: blocks of any multiple of 32 threads, any grid; warps walk the row; once a class.
// Work: count add-max a cell, scattered reads, and 5 exchanges within the warp.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/thesis.rs).

#include "cells.cuh"

template <class Cell>
__device__ __forceinline__ void row_reduction(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                              const Item<Cell>* __restrict__ items, int count, int capacity) {
    constexpr int WARP = 32;
    const int lane = threadIdx.x % WARP;
    const int warps = gridDim.x * blockDim.x / WARP;
    for (int j = (blockIdx.x * blockDim.x + threadIdx.x) / WARP; j <= capacity; j += warps) {
        Cell best = Limits<Cell>::LEAST;
        for (int k = lane; k < count; k += WARP) {
            const Item<Cell> item = items[k];
            if (item.weight <= j) {
                best = larger(best, previous[j - item.weight] + item.value);
            }
        }
#pragma unroll
        for (int apart = WARP / 2; apart > 0; apart /= 2) {
            best = larger(best, __shfl_xor_sync(0xffffffffu, best, apart));
        }
        if (lane == 0) {
            next[j] = best;
        }
    }
}

#define MCKP_REDUCTION(NAME, CELL)                                                                           \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, const Item<CELL>* items, int count,    \
                                    int capacity) {                                                          \
        row_reduction<CELL>(previous, next, items, count, capacity);                                         \
    }

MCKP_REDUCTION(mckp_reduction_i32, int)
MCKP_REDUCTION(mckp_reduction_i64, long long)
