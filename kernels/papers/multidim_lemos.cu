// One item over the tables of all instances of the multi-dimensional knapsack problem, one thread a cell; and the walks
// back, one thread an instance.
// targets: compute_70
//
// Source: algorithms 3.2 and 3.3 of D. Lemos, H. Longo, W. Martins and L. Foulds, "A GPU-based DP algorithm for solving
// multiple instances of the knapsack problem", in up to three dimensions. There a decision is an element of a matrix of
// bits; here 32 cells share a word, written by the warp that computed them.
// Recurrence: G_t(x) = max( G_{t-1}(x), G_{t-1}(x - w_t) + p_t : w_t <= x )
// Layout, for k instances:
//   starts         k + 1 offsets: the cells of instance i are starts[i] .. starts[i + 1], padded to a multiple of 32
//   sides          3 an instance: capacity + 1 in each dimension; cells are numbered with the last running fastest
//   previous, next one cell each; the last layer of an even number of items is where the first was
//   bits           a word for 32 cells of the item (multidim_lemos), of every item one after the other (.._back)
//   weights        3 an instance of the item (multidim_lemos), of every item one after the other (.._back)
//   profits        one an instance, as above. An instance with fewer items has items that fit nowhere.
//   best           one an instance; chosen: chosen_words an instance, a bit an item, all 0 before
// Requires: less than 2^31 cells an instance; weights and capacities below 2^30.
// Launch: blocks of a multiple of 32 threads, any number of them; multidim_lemos once an item.
// Work: a cell and item two cells read, one written, 1/32 word written: 12 1/8 bytes of 32-bit cells.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/families.rs).

#include "cells.cuh"

constexpr int WARP = 32;

template <class Cell>
__device__ __forceinline__ void sweep(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                      unsigned* __restrict__ bits, const long long* __restrict__ starts,
                                      const int* __restrict__ sides, const int* __restrict__ weights,
                                      const Cell* __restrict__ profits, int instances) {
    const long long threads = (long long)gridDim.x * blockDim.x;
    const long long cells = starts[instances];
    int id = 0;
    for (long long j = (long long)blockIdx.x * blockDim.x + threadIdx.x; j < cells; j += threads) {
        while (j >= starts[id + 1]) {
            ++id;
        }
        const unsigned local = (unsigned)(j - starts[id]);
        const unsigned side1 = sides[3 * id + 1];
        const unsigned side2 = sides[3 * id + 2];
        const unsigned z = local % side2;
        const unsigned y = local / side2 % side1;
        const unsigned x = local / side2 / side1;
        const unsigned w0 = weights[3 * id];
        const unsigned w1 = weights[3 * id + 1];
        const unsigned w2 = weights[3 * id + 2];
        Cell value = previous[j];
        bool taken = false;
        if (x >= w0 && y >= w1 && z >= w2) {
            const long long before = ((long long)w0 * side1 + w1) * side2 + w2;
            const Cell candidate = previous[j - before] + profits[id];
            taken = candidate > value;
            value = larger(candidate, value);
        }
        next[j] = value;
        // Instances begin at multiples of 32 cells, so the warp is whole.
        const unsigned word = __ballot_sync(0xffffffffu, taken);
        if (threadIdx.x % WARP == 0) {
            bits[j / WARP] = word;
        }
    }
}

template <class Cell>
__device__ __forceinline__ void walk_back(const Cell* __restrict__ last, const unsigned* __restrict__ bits,
                                          const long long* __restrict__ starts, const int* __restrict__ sides,
                                          const int* __restrict__ weights, int items, int instances,
                                          Cell* __restrict__ best, unsigned* __restrict__ chosen, int chosen_words) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= instances) {
        return;
    }
    const long long item_words = starts[instances] / WARP;
    const long long side1 = sides[3 * id + 1];
    const long long side2 = sides[3 * id + 2];
    long long cell = starts[id] + sides[3 * id] * side1 * side2 - 1;
    best[id] = last[cell];
    for (int item = items - 1; item >= 0; --item) {
        if (bits[item * item_words + cell / WARP] >> (cell % WARP) & 1) {
            const int* const weight = weights + 3 * ((long long)item * instances + id);
            cell -= (weight[0] * side1 + weight[1]) * side2 + weight[2];
            chosen[(long long)id * chosen_words + item / WARP] |= 1u << (item % WARP);
        }
    }
}

#define MULTIDIM_LEMOS(NAME, CELL)                                                                                  \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, unsigned* bits, const long long* starts,      \
                                    const int* sides, const int* weights, const CELL* profits, int instances) {     \
        sweep<CELL>(previous, next, bits, starts, sides, weights, profits, instances);                              \
    }                                                                                                               \
    extern "C" __global__ void NAME##_back(const CELL* last, const unsigned* bits, const long long* starts,         \
                                           const int* sides, const int* weights, int items, int instances,          \
                                           CELL* best, unsigned* chosen, int chosen_words) {                        \
        walk_back<CELL>(last, bits, starts, sides, weights, items, instances, best, chosen, chosen_words);          \
    }

MULTIDIM_LEMOS(multidim_lemos_i32, int)
