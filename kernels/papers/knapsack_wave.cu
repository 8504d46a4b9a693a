// One row of the 0-1 knapsack table from the row before, and a bit a cell that says whether the item is taken there.
// targets: compute_70
//
// Source: J. O'Connell and C. Mumford, "An exact dynamic programming based method to solve optimisation problems using
// GPUs", 2014, section III: a row is a wave; of a finished one only what the walk back needs leaves the GPU.
// Recurrence: G_i(j) = max(G_{i-1}(j), G_{i-1}(j - w_i) + p_i)
// Layout: previous, next: `cells` cells; taken: 32 words for every 1024 cells, the last ones padded; cell j's bit is bit
// j % 32 of word j / 32. `taken` may be null where no items are wanted.
// Launch: blocks of 256 threads; a warp fills 1024 neighbouring cells, 32 at a time; an item a launch.
// Work: two cells read and one written, 12 bytes of 32-bit cells and an eighth of a byte.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/waves.rs).

constexpr int WARP = 32;
constexpr unsigned ALL = 0xffffffffu;
// Cells of a warp: a word of bits for every lane.
constexpr long long STRIP = WARP * WARP;

template <class Cell>
__device__ __forceinline__ void row(const Cell* __restrict__ previous, Cell* __restrict__ next, unsigned* taken,
                                    long long cells, long long weight, Cell profit) {
    const int lane = threadIdx.x % WARP;
    const long long warp = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / WARP;
    const long long first = warp * STRIP;
    if (first >= cells) {
        return;
    }
    unsigned mine = 0;
#pragma unroll 8
    for (int word = 0; word < WARP; ++word) {
        const long long j = first + word * WARP + lane;
        bool takes = false;
        if (j < cells) {
            Cell best = previous[j];
            if (j >= weight) {
                const Cell with = previous[j - weight] + profit;
                takes = with > best;
                best = takes ? with : best;
            }
            next[j] = best;
        }
        const unsigned bits = __ballot_sync(ALL, takes);
        mine = word == lane ? bits : mine;
    }
    if (taken != nullptr) {
        taken[warp * WARP + lane] = mine;
    }
}

#define KNAPSACK_WAVE(NAME, CELL)                                                                                \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, unsigned* taken, long long cells,          \
                                    long long weight, CELL profit) {                                             \
        row<CELL>(previous, next, taken, cells, weight, profit);                                                 \
    }

KNAPSACK_WAVE(knapsack_wave_i32, int)
