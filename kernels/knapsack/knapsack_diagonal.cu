// One anti-diagonal of the 0-1 knapsack table, and a bit a cell that says whether the item is taken there.
// targets: compute_70
//
// Source: J. O'Connell and C. Mumford, "An exact dynamic programming based method to solve optimisation problems using
// GPUs", 2014, sections II (equation 4) and IV C 2: cells (i, j) with i + j = d are a wave, and a cell reads the wave
// before and the one w_i + 1 before. There finished waves go to the host and inputs lie in texture memory; here a bit a
// cell goes, and inputs are read through the read-only cache, which is the same hardware since Volta.
// Recurrence: G(i, j) = max(G(i-1, j), G(i-1, j - w_i) + p_i), the second where w_i <= j; 0 where i is 0
// Layout: cell `at` of wave d is (i, d - i) with i = top + at, top = max(0, d - capacity). ring: `slots` waves of `stride`
// cells, wave d in slot d mod slots, there cell i for row i. slot: that of this wave. last: the last row, by capacity.
// items: (weight, profit) of item i at i - 1. taken: bit at % 32 of word at / 32, every word of the launched warps; may be
// null.
// Requires: slots at least 2 more than the heaviest item that is no heavier than the capacity.
// Launch: blocks of whole warps, threads for all bits of `taken`; a wave a launch.
// Work: two cells and an item read, one cell written; the second cell lies in another wave for every item.
// Checked against: the reference engine (src/bench/tests/gpu/waves.rs).

constexpr int WARP = 32;
constexpr unsigned ALL = 0xffffffffu;

struct Item {
    long long weight;
    long long profit;
};
static_assert(sizeof(Item) == 16, "the host writes items of this size");

template <class Cell>
__device__ __forceinline__ void diagonal(Cell* ring, Cell* last, unsigned* taken, const Item* __restrict__ items,
                                         long long item_count, long long slots, long long stride, long long slot,
                                         long long wave, long long top, long long cells) {
    const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    bool takes = false;
    if (at < cells) {
        const long long i = top + at;
        Cell best = 0;
        if (i > 0) {
            const long long before = slot > 0 ? slot - 1 : slots - 1;
            const Item item = items[i - 1];
            best = ring[before * stride + i - 1];
            if (item.weight <= wave - i) {
                const long long from = before - item.weight;
                const Cell with = ring[(from < 0 ? from + slots : from) * stride + i - 1] + (Cell)item.profit;
                takes = with > best;
                best = takes ? with : best;
            }
        }
        ring[slot * stride + i] = best;
        if (i == item_count) {
            last[wave - i] = best;
        }
    }
    const unsigned bits = __ballot_sync(ALL, takes);
    if (taken != nullptr && threadIdx.x % WARP == 0) {
        taken[at / WARP] = bits;
    }
}

#define KNAPSACK_DIAGONAL(NAME, CELL)                                                                            \
    extern "C" __global__ void NAME(CELL* ring, CELL* last, unsigned* taken, const Item* items,                  \
                                    long long item_count, long long slots, long long stride, long long slot,     \
                                    long long wave, long long top, long long cells) {                            \
        diagonal<CELL>(ring, last, taken, items, item_count, slots, stride, slot, wave, top, cells);             \
    }

KNAPSACK_DIAGONAL(knapsack_diagonal_i32, int)
KNAPSACK_DIAGONAL(knapsack_diagonal_i64, long long)
