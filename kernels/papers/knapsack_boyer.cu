// The 0-1 knapsack by two value rows and decisions packed 32 to a word, as Boyer, El Baz and Elkihel describe it.
// targets: compute_70
//
// Source: V. Boyer, D. El Baz, M. Elkihel, "Solving knapsack problems on GPU", Computers & Operations Research 39, 2012:
// algorithm 3 (a row from the row before), algorithm 4 (the ends of a word row). Theirs is a launch an item; here several
// light items share one, a tile of cells a block with as many cells before it as the items weigh together.
// Recurrence: f_k(j) = max(f_{k-1}(j), f_{k-1}(j - w_k) + p_k), the most profit within capacity j; bit k mod 32 of word j
//             says whether the second is larger.
// Layout: previous, next, words: a cell a capacity from 0 on. items: (weight, profit) of the launch. Filled are the cells
//         lower .. upper: Toth's bound says that they still matter after the launch's first item, and beyond are only
//         capacities that hold all items so far. Those that do not matter after its last may be wrong, which no one
//         sees. A cell of `previous` above `last` is worth `total`. bounds: the first word that is not 0, and one more
//         than the last that is not `all`.
// Requires: tile: the weights of its items at most HALO together, at most ITEMS of them; profits >= 0, and no sum of them
//           passes the cell's type; the caller clears the words before their first item and sets bounds to (upper + 1, 0).
// Work: a cell is read and written once a launch, (HALO + TILE) / TILE times in the tile, and an item reads one cell in
//       shared memory and writes it where it is better; a thread's own cells stay in registers.
// Launch: tile: a block of THREADS a tile of cells; one and bounds: a thread a cell.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/knapsack.rs).

constexpr int THREADS = 1024;
constexpr int ITEMS = 16;
constexpr int HALO = 8192;
constexpr int TILE = 16384;
constexpr int OWN = (HALO + TILE) / THREADS;
constexpr int OWN_HALO = HALO / THREADS;
static_assert(ITEMS == 16 && (OWN - OWN_HALO) % 2 == 0, "the bits of two cells fit a register");
static_assert(HALO % THREADS == 0 && TILE % THREADS == 0, "a thread's cells lie in the halo or in the tile");
// Two blocks of 96 KiB fit the shared memory of a multiprocessor.
static_assert((HALO + TILE) * 4 == 96 << 10, "the host asks for as much");

struct PackedItem {
    long long weight;
    long long profit;
};
static_assert(sizeof(PackedItem) == 16, "the host writes items of this size");

extern __shared__ unsigned long long shared_words[];

extern "C" __global__ void __launch_bounds__(THREADS)
    knapsack_boyer_tile(const int* __restrict__ previous, int* __restrict__ next, unsigned* __restrict__ words,
                        const PackedItem* __restrict__ items, int count, int shift, long long lower, long long upper,
                        long long last, int total) {
    constexpr int NONE = -2147483647 - 1;
    int* const window = reinterpret_cast<int*>(shared_words);
    const long long begin = lower + (long long)blockIdx.x * TILE - HALO;
    int own[OWN];
    // Two cells share a register.
    unsigned bits[(OWN - OWN_HALO) / 2];
#pragma unroll
    for (int r = 0; r < OWN; ++r) {
        const int i = threadIdx.x + r * THREADS;
        const long long cell = begin + i;
        own[r] = cell < 0 ? NONE : cell <= last ? previous[cell] : total;
        window[i] = own[r];
    }
#pragma unroll
    for (int r = 0; r < (OWN - OWN_HALO) / 2; ++r) {
        bits[r] = 0;
    }
    __syncthreads();
    for (int k = 0; k < count; ++k) {
        const int weight = (int)items[k].weight;
        const int profit = (int)items[k].profit;
        unsigned better = 0;
#pragma unroll
        for (int r = 0; r < OWN; ++r) {
            const int i = threadIdx.x + r * THREADS;
            // A cell below 0 stays NONE, and a sum with NONE is below every value.
            const int with = (i >= weight ? window[i - weight] : NONE) + profit;
            if (with > own[r] && own[r] != NONE) {
                own[r] = with;
                better |= 1u << r;
                if (r >= OWN_HALO) {
                    bits[(r - OWN_HALO) / 2] |= 1u << (k + (r - OWN_HALO) % 2 * ITEMS);
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (int r = 0; r < OWN; ++r) {
            if (better >> r & 1) {
                window[threadIdx.x + r * THREADS] = own[r];
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = OWN_HALO; r < OWN; ++r) {
        const long long cell = begin + threadIdx.x + r * THREADS;
        if (cell <= upper) {
            next[cell] = own[r];
            const unsigned decided = bits[(r - OWN_HALO) / 2] >> (r - OWN_HALO) % 2 * ITEMS & ((1u << ITEMS) - 1);
            if (decided != 0) {
                words[cell] |= decided << shift;
            }
        }
    }
}

extern "C" __global__ void knapsack_boyer_one(const int* __restrict__ previous, int* __restrict__ next,
                                              unsigned* __restrict__ words, long long weight, int profit, int shift,
                                              long long lower, long long upper, long long last, int total) {
    const long long cell = lower + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (cell > upper) {
        return;
    }
    const long long source = cell - weight;
    const int without = cell <= last ? previous[cell] : total;
    const int with = source < 0 ? -1 : (source <= last ? previous[source] : total) + profit;
    next[cell] = with > without ? with : without;
    if (with > without) {
        words[cell] |= 1u << shift;
    }
}

extern "C" __global__ void knapsack_boyer_bounds(const unsigned* __restrict__ words, unsigned all, long long lower,
                                                 long long upper, unsigned long long* __restrict__ bounds) {
    const long long cell = lower + (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned word = cell <= upper ? words[cell] : 0;
    // Most neighbours say the same: only those at an edge speak up.
    const unsigned before = cell > lower && cell <= upper ? words[cell - 1] : 0;
    const unsigned after = cell < upper ? words[cell + 1] : all;
    if (cell <= upper && word != 0 && before == 0) {
        atomicMin(&bounds[0], (unsigned long long)cell);
    }
    if (cell <= upper && word != all && after == all) {
        atomicMax(&bounds[1], (unsigned long long)cell + 1);
    }
}
