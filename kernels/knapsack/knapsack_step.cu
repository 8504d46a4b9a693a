// Up to four heavy items of the 0-1 knapsack's dynamic program over exact weights: a row from the row before, at the
// memory's speed.
// targets: compute_70 compute_90
//
// Source: Bellman's recurrence in the form "weight exactly j", over losses (knapsack.cuh).
// Recurrence: next[j] = min(previous[j] + leave, previous[j - weight] + take), item by item, each from the cells of
//         `previous` that any selection of the launch's items leads from; after the last of them a loss above `limit`
//         becomes DEAD.
// Layout: previous, next: cells from weight 0 on, whole blocks; previous_alive, next_alive: a byte a block. items: `count`
//         of the launch. Launched for the blocks of cells first_block .. end_block - 1, `span` a block of threads; the
//         caller clears next_alive elsewhere.
//         taken: null, or for each item `taken_stride` bytes with a bit a cell of the launched blocks, lowest bit first:
//         1 where the item is taken.
// Requires: 1 <= count <= TOGETHER; 1 <= span <= SPAN; weights >= 1; of each item one of leave and take is 0, and
//         the other counts as DEAD if it is more; limit < DEAD.
// Work: of k items a cell is read 2^k times and written once, 16 bytes at a time; of items that weigh about the same all
//       but k + 1 of the reads find their line in a cache. Where all that a block can come from is dead it costs a byte a
//       read. The source of 8 neighbouring cells begins anywhere, so it is cut out of aligned words.
// Launch: THREADS threads a block.
// Checked against: the reference engine (tests/gpu/knapsack.rs).

#include "knapsack.cuh"

constexpr int THREADS = 256;
constexpr int WARP = 32;
constexpr int SPAN = 32;             // most blocks of cells a block of threads: bits of a word
constexpr int TOGETHER = 4;          // most items of a launch
constexpr int WAYS = 1 << TOGETHER;  // selections of them, a bit an item
constexpr unsigned long long HEAVIEST = 1ull << 60;  // heavier than any row; the sum of four fits

// Cells that a thread handles at once, in words as they lie in memory: bytes of `taken`.
template <class Cell>
constexpr int GROUP = sizeof(Cell) == 2 ? 16 : 8;
template <class Cell>
constexpr int GROUPS = BLOCK_CELLS / GROUP<Cell>;
template <class Cell>
constexpr int WORDS = GROUP<Cell> * (int)sizeof(Cell) / 4;

// 16 bytes of neighbouring cells.
struct __align__(16) Quad {
    unsigned word[4];
};

// Dead cells in so many words.
template <class Cell, int COUNT>
__device__ __forceinline__ void fill_dead(unsigned* words) {
    constexpr unsigned long long DEAD = Loss<Cell>::DEAD;
    constexpr unsigned LOW = sizeof(Cell) == 2 ? 0xffffffffu : (unsigned)DEAD;
    constexpr unsigned HIGH = sizeof(Cell) == 8 ? (unsigned)(DEAD >> 32) : LOW;
#pragma unroll
    for (int i = 0; i < COUNT; ++i) {
        words[i] = i % 2 == 0 ? LOW : HIGH;
    }
}

template <class Cell>
__device__ __forceinline__ void load(const Cell* row, long long cell, bool alive, unsigned* words) {
    if (!alive) {
        fill_dead<Cell, 4>(words);
        return;
    }
    const Quad quad = *reinterpret_cast<const Quad*>(row + cell);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        words[i] = quad.word[i];
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
        const unsigned other = words[at / 2] & (at % 2 == 0 ? 0xffff0000u : 0xffffu);
        words[at / 2] = other | (unsigned)loss << (at % 2 * 16);
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

// The lesser of each cell and of another one and a loss, at most DEAD.
template <class Cell>
__device__ __forceinline__ void least(unsigned* words, const unsigned* others, typename Loss<Cell>::Sum loss) {
    using Sum = typename Loss<Cell>::Sum;
#if __CUDA_ARCH__ >= 900
    if (sizeof(Cell) == 2) {
        // Two cells a word: what more than fills a cell with the loss is cut off before it is added.
        const unsigned both = (unsigned)loss * 0x10001u;
#pragma unroll
        for (int i = 0; i < WORDS<Cell>; ++i) {
            words[i] = __vminu2(words[i], __vminu2(others[i], ~both) + both);
        }
        return;
    }
#endif
#pragma unroll
    for (int i = 0; i < GROUP<Cell>; ++i) {
        const Sum other = lesser(cell_of<Cell>(others, i) + loss, Loss<Cell>::DEAD);
        put<Cell>(words, i, lesser(cell_of<Cell>(words, i), other));
    }
}

// What a selection of the first items up to its last one weighs and loses, that one taken.
template <class Cell>
struct Ways {
    long long weight[WAYS];
    typename Loss<Cell>::Sum loss[WAYS];
    // A bit a block of cells of the span: whether the two blocks that its cells come from are alive.
    unsigned lower[WAYS];
    unsigned upper[WAYS];
};

template <class Cell>
__device__ __forceinline__ void list_ways(Ways<Cell>& ways, const Item* __restrict__ items, int count) {
    const int way = threadIdx.x;
    if (way >= 1 << count) {
        return;
    }
    unsigned long long weight = 0;
    unsigned long long loss = 0;
    for (int item = 0; way >> item != 0; ++item) {
        const Item own = items[item];
        const bool takes = way >> item & 1;
        weight += takes ? lesser(own.weight, HEAVIEST) : 0;
        loss = lesser(loss + (takes ? own.take : own.leave), (unsigned long long)Loss<Cell>::DEAD);
    }
    ways.weight[way] = (long long)weight;
    ways.loss[way] = (typename Loss<Cell>::Sum)loss;
}

// Which blocks of the span each way reaches from a live block.
template <class Cell>
__device__ __forceinline__ void mark_ways(Ways<Cell>& ways, const unsigned char* __restrict__ alive, int count,
                                          long long first, int blocks) {
    const int lane = threadIdx.x % WARP;
    for (int way = threadIdx.x / WARP; way < 1 << count; way += THREADS / WARP) {
        // The block of the first source cell, and the one after it, which is at most this block; shifts round down.
        const long long lower = ((first + lane) * BLOCK_CELLS - ways.weight[way]) >> BLOCK_SHIFT;
        const bool inside = lane < blocks;
        const bool from_lower = inside && lower >= 0 && alive[lower] != 0;
        const bool from_upper = inside && way != 0 && lower + 1 >= 0 && alive[lower + 1] != 0;
        const unsigned lowers = __ballot_sync(0xffffffffu, from_lower);
        const unsigned uppers = __ballot_sync(0xffffffffu, from_upper);
        if (lane == 0) {
            ways.lower[way] = lowers;
            ways.upper[way] = uppers;
        }
    }
}

template <class Cell>
__device__ __forceinline__ void step(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                     const unsigned char* __restrict__ previous_alive,
                                     unsigned char* __restrict__ next_alive, long long first_block, long long end_block,
                                     int span, const Item* __restrict__ items, int count,
                                     typename Loss<Cell>::Sum limit, unsigned char* __restrict__ taken,
                                     long long taken_stride, Ways<Cell>& ways) {
    using Sum = typename Loss<Cell>::Sum;
    constexpr Sum DEAD = Loss<Cell>::DEAD;
    constexpr int QUAD = 16 / sizeof(Cell);
    constexpr int QUADS = WORDS<Cell> / 4;
    const long long first = first_block + (long long)blockIdx.x * span;
    const int blocks = (int)lesser((long long)span, end_block - first);
    list_ways<Cell>(ways, items, count);
    __syncthreads();
    mark_ways<Cell>(ways, previous_alive, count, first, blocks);
    __syncthreads();
    unsigned reached = 0;
    for (int way = 0; way < 1 << count; ++way) {
        reached |= ways.lower[way] | ways.upper[way];
    }
    unsigned marks = 0;
    for (; reached != 0; reached &= reached - 1) {
        const int at = __ffs(reached) - 1;
        const long long block = first + at;
        bool any = false;
#pragma unroll
        for (int group = threadIdx.x; group < GROUPS<Cell>; group += THREADS) {
            const long long cell = block * BLOCK_CELLS + group * GROUP<Cell>;
            unsigned best[WORDS<Cell>];
#pragma unroll
            for (int quad = 0; quad < QUADS; ++quad) {
                load(previous, cell + quad * QUAD, (ways.lower[0] >> at & 1) != 0, best + quad * 4);
            }
            for (int item = 0; item < count; ++item) {
                unsigned took[WORDS<Cell>];
                fill_dead<Cell, WORDS<Cell>>(took);
                for (int way = 1 << item; way < 2 << item; ++way) {
                    const bool from_lower = ways.lower[way] >> at & 1;
                    const bool from_upper = ways.upper[way] >> at & 1;
                    if (!from_lower && !from_upper) {
                        continue;
                    }
                    const long long source = cell - ways.weight[way];
                    const long long lower = (block * BLOCK_CELLS - ways.weight[way]) >> BLOCK_SHIFT;
                    const int offset = (int)(source & (QUAD - 1));
                    unsigned moved[WORDS<Cell> + 4];
#pragma unroll
                    for (int quad = 0; quad <= QUADS; ++quad) {
                        const long long from = source - offset + quad * QUAD;
                        const bool alive = from >> BLOCK_SHIFT == lower ? from_lower : from_upper;
                        load(previous, from, alive && from >= 0, moved + quad * 4);
                    }
                    move_down<Cell, WORDS<Cell> + 4>(moved, offset * (int)sizeof(Cell));
                    least<Cell>(took, moved, ways.loss[way]);
                }
                const Sum leave = (Sum)lesser(items[item].leave, (unsigned long long)DEAD);
                if (taken != nullptr) {
                    unsigned left[WORDS<Cell>];
                    fill_dead<Cell, WORDS<Cell>>(left);
                    least<Cell>(left, best, leave);
                    unsigned bits = 0;
#pragma unroll
                    for (int i = 0; i < GROUP<Cell>; ++i) {
                        bits |= (cell_of<Cell>(took, i) < cell_of<Cell>(left, i) ? 1u : 0u) << i;
                    }
                    const long long byte = ((block - first_block) * BLOCK_CELLS + group * GROUP<Cell>) / 8;
#pragma unroll
                    for (int i = 0; i < GROUP<Cell> / 8; ++i) {
                        taken[item * taken_stride + byte + i] = (unsigned char)(bits >> i * 8);
                    }
                }
                least<Cell>(took, best, leave);
#pragma unroll
                for (int i = 0; i < WORDS<Cell>; ++i) {
                    best[i] = took[i];
                }
            }
#pragma unroll
            for (int i = 0; i < GROUP<Cell>; ++i) {
                const Sum loss = cell_of<Cell>(best, i);
                any |= loss <= limit;
                put<Cell>(best, i, loss <= limit ? loss : DEAD);
            }
#pragma unroll
            for (int quad = 0; quad < QUADS; ++quad) {
                const Quad whole = {{best[quad * 4], best[quad * 4 + 1], best[quad * 4 + 2], best[quad * 4 + 3]}};
                *reinterpret_cast<Quad*>(next + cell + quad * QUAD) = whole;
            }
        }
        marks |= (__syncthreads_or(any) != 0 ? 1u : 0u) << at;
    }
    if (threadIdx.x < blocks) {
        next_alive[first + threadIdx.x] = marks >> threadIdx.x & 1;
    }
}

#define STEP(SUFFIX, CELL)                                                                                           \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                            \
        knapsack_step_##SUFFIX(const CELL* previous, CELL* next, const unsigned char* previous_alive,                \
                               unsigned char* next_alive, long long first_block, long long end_block, int span,      \
                               const Item* items, int count, Loss<CELL>::Sum limit, unsigned char* taken,       \
                               long long taken_stride) {                                                             \
        __shared__ Ways<CELL> ways;                                                                                  \
        step<CELL>(previous, next, previous_alive, next_alive, first_block, end_block, span, items, count, limit,    \
                   taken, taken_stride, ways);                                                                       \
    }

FOR_EVERY_CELL(STEP)
