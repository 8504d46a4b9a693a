// One item of the 0-1 knapsack's dynamic program over exact weights: a row from the row before, at the memory's speed.
// targets: compute_70
//
// Source: Bellman's recurrence in the form "weight exactly j", over losses (knapsack.cuh).
// Recurrence: next[j] = min(previous[j] + leave, previous[j - weight] + take); a loss above `limit` becomes DEAD.
// Layout: previous, next: cells from weight 0 on, whole blocks; previous_alive, next_alive: a byte a block. Launched for
//         the blocks first_block .. first_block + gridDim.x - 1; the caller clears next_alive elsewhere.
//         taken: null, or a bit a cell of the launched blocks, lowest bit first: 1 where the item is taken.
// Requires: weight >= 1; leave, take <= DEAD, one of them 0; limit < DEAD.
// Work: a cell is read twice and written once, 16 bytes at a time; where all that a block can come from is dead it costs
//       three bytes. The source of 8 neighbouring cells begins anywhere, so it is cut out of aligned words.
// Launch: THREADS threads a block of cells.
// Checked against: the reference engine (tests/gpu/knapsack.rs).

#include "knapsack.cuh"

constexpr int THREADS = 256;
constexpr int GROUP = 8;  // cells a thread handles at once: a byte of `taken`
constexpr int GROUPS = BLOCK_CELLS / GROUP;
static_assert(GROUPS % THREADS == 0, "threads share a block evenly");

// 16 bytes of neighbouring cells.
struct __align__(16) Quad {
    unsigned word[4];
};

template <class Cell>
__device__ __forceinline__ void load(const Cell* row, long long cell, bool alive, unsigned* words) {
    if (alive) {
        const Quad quad = *reinterpret_cast<const Quad*>(row + cell);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            words[i] = quad.word[i];
        }
    } else {
        constexpr unsigned long long DEAD = Loss<Cell>::DEAD;
        constexpr unsigned LOW = sizeof(Cell) == 2 ? 0xffffffffu : (unsigned)DEAD;
        constexpr unsigned HIGH = sizeof(Cell) == 8 ? (unsigned)(DEAD >> 32) : LOW;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            words[i] = i % 2 == 0 ? LOW : HIGH;
        }
    }
}

template <class Cell>
__device__ __forceinline__ typename Loss<Cell>::Sum cell_of(const unsigned* words, int at) {
    using Sum = typename Loss<Cell>::Sum;
    if (sizeof(Cell) == 2) {
        return (Sum)(words[at / 2] >> (at % 2 * 16) & 0xffffu);
    }
    if (sizeof(Cell) == 4) {
        return (Sum)words[at];
    }
    return (Sum)((unsigned long long)words[at * 2 + 1] << 32 | words[at * 2]);
}

template <class Cell>
__device__ __forceinline__ void put(unsigned* words, int at, typename Loss<Cell>::Sum loss) {
    if (sizeof(Cell) == 2) {
        words[at / 2] = at % 2 == 0 ? (unsigned)loss : words[at / 2] | (unsigned)loss << 16;
    } else if (sizeof(Cell) == 4) {
        words[at] = (unsigned)loss;
    } else {
        words[at * 2] = (unsigned)loss;
        words[at * 2 + 1] = (unsigned)((unsigned long long)loss >> 32);
    }
}

// Moves WORDS words down by `bytes` (0 .. 15, whole cells); the last four words feed the others.
template <class Cell, int WORDS>
__device__ __forceinline__ void move_down(unsigned* words, int bytes) {
#pragma unroll
    for (int i = 0; i + 2 < WORDS; ++i) {
        words[i] = bytes & 8 ? words[i + 2] : words[i];
    }
#pragma unroll
    for (int i = 0; i + 1 < WORDS; ++i) {
        words[i] = bytes & 4 ? words[i + 1] : words[i];
    }
    if (sizeof(Cell) == 2) {
#pragma unroll
        for (int i = 0; i + 1 < WORDS; ++i) {
            words[i] = __funnelshift_r(words[i], words[i + 1], (bytes & 2) * 8);
        }
    }
}

template <class Cell>
__device__ __forceinline__ void step(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                     const unsigned char* __restrict__ previous_alive,
                                     unsigned char* __restrict__ next_alive, long long first_block, long long weight,
                                     typename Loss<Cell>::Sum leave, typename Loss<Cell>::Sum take,
                                     typename Loss<Cell>::Sum limit, unsigned char* __restrict__ taken) {
    using Sum = typename Loss<Cell>::Sum;
    constexpr Sum DEAD = Loss<Cell>::DEAD;
    constexpr int QUAD = 16 / sizeof(Cell);
    constexpr int QUADS = GROUP / QUAD;
    const long long block = first_block + blockIdx.x;
    const long long source = block * BLOCK_CELLS - weight;
    // The block of the first source cell, and the one after it, which is at most this block; shifts round down.
    const long long lower = source >> BLOCK_SHIFT;
    const bool own = previous_alive[block] != 0;
    const bool from_lower = lower >= 0 && previous_alive[lower] != 0;
    const bool from_upper = lower + 1 >= 0 && previous_alive[lower + 1] != 0;
    if (!own && !from_lower && !from_upper) {
        if (threadIdx.x == 0) {
            next_alive[block] = 0;
        }
        return;
    }
    const int offset = (int)(source & (QUAD - 1));
    bool any = false;
#pragma unroll
    for (int group = threadIdx.x; group < GROUPS; group += THREADS) {
        const long long cell = block * BLOCK_CELLS + group * GROUP;
        const long long aligned = source - offset + group * GROUP;
        unsigned kept[QUADS * 4];
        unsigned moved[QUADS * 4 + 4];
#pragma unroll
        for (int quad = 0; quad < QUADS; ++quad) {
            load(previous, cell + quad * QUAD, own, kept + quad * 4);
        }
#pragma unroll
        for (int quad = 0; quad <= QUADS; ++quad) {
            const long long at = aligned + quad * QUAD;
            const bool alive = at >> BLOCK_SHIFT == lower ? from_lower : from_upper;
            load(previous, at, alive && at >= 0, moved + quad * 4);
        }
        move_down<Cell, QUADS * 4 + 4>(moved, offset * (int)sizeof(Cell));
        unsigned bits = 0;
        unsigned result[QUADS * 4];
#pragma unroll
        for (int i = 0; i < GROUP; ++i) {
            const Sum left = cell_of<Cell>(kept, i) + leave;
            const Sum took = cell_of<Cell>(moved, i) + take;
            Sum loss = lesser(left, took);
            bits |= (took < left ? 1u : 0u) << i;
            any |= loss <= limit;
            put<Cell>(result, i, loss <= limit ? loss : DEAD);
        }
#pragma unroll
        for (int quad = 0; quad < QUADS; ++quad) {
            const Quad whole = {{result[quad * 4], result[quad * 4 + 1], result[quad * 4 + 2], result[quad * 4 + 3]}};
            *reinterpret_cast<Quad*>(next + cell + quad * QUAD) = whole;
        }
        if (taken != nullptr) {
            taken[(long long)blockIdx.x * GROUPS + group] = (unsigned char)bits;
        }
    }
    const bool alive = __syncthreads_or(any) != 0;
    if (threadIdx.x == 0) {
        next_alive[block] = alive;
    }
}

#define STEP(SUFFIX, CELL)                                                                                           \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                            \
        knapsack_step_##SUFFIX(const CELL* previous, CELL* next, const unsigned char* previous_alive,                \
                               unsigned char* next_alive, long long first_block, long long weight,                   \
                               Loss<CELL>::Sum leave, Loss<CELL>::Sum take, Loss<CELL>::Sum limit,                   \
                               unsigned char* taken) {                                                               \
        step<CELL>(previous, next, previous_alive, next_alive, first_block, weight, leave, take, limit, taken);      \
    }

FOR_EVERY_CELL(STEP)
