// One row of the least-utilization table of a task set, exactly: savings times integer frequencies.
// targets: compute_70
//
// Source: algorithm 6.2 of B. Suri, "Accelerating the knapsack problem on GPUs", Linkoping University, 2011, without its
// rounding: over the hyperperiod H task i has H / P_i = F_i jobs, an integer, so delta_ik F_i is the demand that a
// choice saves in a hyperperiod. The multiplication is done once a choice, where a block fetches it.
// Recurrence: G_i(j) = max( G_{i-1}(j), max over choices k with c_ik <= j of  G_{i-1}(j - c_ik) + delta_ik F_i ),
// G_0 = 0; the least utilization within area j is (sum_i E_i F_i - G_m(j)) / H.
// Layout: previous, next: max_area + 1 cells; choices: `count` of the task; shared memory: `count` choices.
// Launch: blocks of any size, at least max_area + 1 threads in all; once a task.
// Work: count candidates a cell. The host has checked that no sum passes the cell type.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/thesis.rs).

#include "cells.cuh"

extern __shared__ int4 shared_memory[];

template <class Cell>
__device__ __forceinline__ void row_exact(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                          const Item<Cell>* __restrict__ choices, int count, Cell frequency,
                                          int max_area) {
    Item<Cell>* const fetched = reinterpret_cast<Item<Cell>*>(shared_memory);
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        fetched[k] = {choices[k].value * frequency, choices[k].weight};
    }
    __syncthreads();
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j > max_area) {
        return;
    }
    Cell best = previous[j];
    for (int k = 0; k < count; ++k) {
        const Item<Cell> choice = fetched[k];
        if (choice.weight <= j) {
            best = larger(best, previous[j - choice.weight] + choice.value);
        }
    }
    next[j] = best;
}

extern "C" __global__ void utilization_exact_i32(const int* previous, int* next, const Item<int>* choices, int count,
                                                 int frequency, int max_area) {
    row_exact<int>(previous, next, choices, count, frequency, max_area);
}
extern "C" __global__ void utilization_exact_i64(const long long* previous, long long* next,
                                                 const Item<long long>* choices, int count, long long frequency,
                                                 int max_area) {
    row_exact<long long>(previous, next, choices, count, frequency, max_area);
}
