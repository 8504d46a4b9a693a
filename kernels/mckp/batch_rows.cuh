// Dense rows of `mckp_batch_rows.cu`: what a layer needs, how it is filled by a block, and the walk back by a warp.

#pragma once

#include "batch_prune.cuh"

// Warps of a block.
constexpr int WARPS = 8;
constexpr int BLOCK = WARPS * WARP;
// A narrow cell holds one more than the gap at most; so does a wide one.
constexpr wide NARROW_GAP = 32766;
constexpr wide WIDE_GAP = 1 << 30;
// The finest multiplier that rows are computed with, as a power of two.
constexpr int FINEST = 14;

enum Form { NOTHING, NARROW, WIDE };

// What a warp has made ready for the block. A cell of weight w holds gap + 1 less the least loss of the selections of
// exactly that weight, or 0 where there is none within the gap.
struct Task {
    wide sum;        // of the largest q v - p w of every class
    wide p;
    int bits;        // q = 2^bits
    Form form;
    int capacity;
    int gap;
    int least;       // lighter selections are not best ones
    int value, weight;  // of what is fixed
    int padding;
};

// The layers of a problem: where the row after a class is, in words, by classes; in the place of the raw items.
struct Layers {
    int *first, *last;  // words of the row
    int *place;         // word 0 of the row, counted from the beginning of the store
    int *before;        // the class before that has a choice, or -1
};

__device__ __forceinline__ Layers layers_of(const Room& room, int classes) {
    int* const at = (int*)room.raw;
    return {at, at + classes, at + 2 * classes, at + 3 * classes};
}

// The row of a block. A word holds two narrow cells or a wide one. Narrow rows lie there twice: word i of the even copy has
// cells 2 i and 2 i + 1, word i of the odd one cells 2 i - 1 and 2 i, so that a row shifted by any weight is read by words.
struct Row {
    unsigned* even;
    int odd;  // where the odd copy begins
    __device__ __forceinline__ unsigned short* halves() const { return (unsigned short*)(even + odd); }
};

// The larger of best and source - less; best is at least 0.
template <Form FORM>
__device__ __forceinline__ unsigned better(unsigned source, unsigned less, unsigned best) {
    if (FORM == WIDE) {
#if __CUDA_ARCH__ >= 900
        return (unsigned)__viaddmax_s32((int)source, (int)less, (int)best);
#else
        return (unsigned)max((int)source + (int)less, (int)best);
#endif
    }
#if __CUDA_ARCH__ >= 900
    return __viaddmax_s16x2(source, less, best);
#else
    return __vmaxs2(__vadd2(source, less), best);
#endif
}

// A class and the rows before and after it: their first and last words.
struct Step {
    const int *weight, *loss;
    int count;
    int2 from, to;
    unsigned* store;  // word 0 of the row to come, or null where nobody asks for it
};

// Writes a word of the row to come.
template <Form FORM>
__device__ __forceinline__ void put(const Row& row, const Step& step, int at, unsigned word) {
    row.even[at] = word;
    if (FORM == NARROW) {
        row.halves()[2 * at + 1] = (unsigned short)word;
        row.halves()[2 * at + 2] = (unsigned short)(word >> 16);
    }
    if (step.store != nullptr) {
        step.store[at] = word;
    }
}

// One class, in place: from the right, so that what is read was not written yet; `WORDS` words a thread at a time.
template <Form FORM, int WORDS>
__device__ __forceinline__ void fill_layer(const Row& row, const Step& step) {
    constexpr int SPAN = WORDS * WARP;
    constexpr int CHUNK = WARPS * SPAN;
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;
    for (int base = step.to.x + (step.to.y - step.to.x) / CHUNK * CHUNK; base >= step.to.x; base -= CHUNK) {
        const int first = base + warp * SPAN;
        unsigned best[WORDS];
#pragma unroll
        for (int c = 0; c < WORDS; ++c) {
            best[c] = 0;
        }
        for (int j = 0; j < step.count && first <= step.to.y; ++j) {
            const int weight = step.weight[j];
            const int half = FORM == NARROW ? weight & 1 : 0;
            const int source = first - (FORM == NARROW ? weight >> 1 : weight);
            const int last = step.from.y + half;
            if (source > last || source + SPAN <= step.from.x) {
                continue;
            }
            unsigned less = (unsigned)-step.loss[j];
            if (FORM == NARROW) {
                less = (less & 0xffffu) | less << 16;
            }
            const unsigned* const cell = row.even + (half != 0 ? row.odd : 0) + source + lane;
            if (source >= step.from.x && source + SPAN - 1 <= last) {
#pragma unroll
                for (int c = 0; c < WORDS; ++c) {
                    best[c] = better<FORM>(cell[c * WARP], less, best[c]);
                }
            } else {
                const unsigned room = (unsigned)(last - step.from.x);
                const int at = source + lane - step.from.x;
#pragma unroll
                for (int c = 0; c < WORDS; ++c) {
                    const unsigned word = (unsigned)(at + c * WARP) <= room ? cell[c * WARP] : 0;
                    best[c] = better<FORM>(word, less, best[c]);
                }
            }
        }
        __syncthreads();
#pragma unroll
        for (int c = 0; c < WORDS; ++c) {
            const int at = first + c * WARP + lane;
            if (at <= step.to.y) {
                put<FORM>(row, step, at, best[c]);
            }
        }
    }
    if (FORM == NARROW && threadIdx.x == 0) {
        row.halves()[2 * step.to.x] = 0;
        row.halves()[2 * step.to.y + 3] = 0;
    }
    __syncthreads();
}

// All layers of a problem by the whole block; the last row stays in shared memory, the others go to the store too. Returns
// the last row's first and last words.
template <Form FORM>
__device__ int2 fill(const Row& row, const Room& room, const Task& task, int classes, int none, unsigned* store) {
    const Layers layers = layers_of(room, classes);
    __syncthreads();  // The problem before is read from the row.
    if (threadIdx.x == 0) {
        row.even[0] = task.gap + 1;
        if (FORM == NARROW) {
            row.even[row.odd] = (unsigned)(task.gap + 1) << 16;
            row.even[row.odd + 1] = 0;
        }
    }
    __syncthreads();
    int2 from = {0, 0};
    int classes_left = 0;
    for (int k = 0; k < classes; ++k) {
        classes_left += room.count[k] > 1;
    }
    for (int k = 0; k < classes; ++k) {
        const int count = room.count[k];
        if (count == 1) {
            continue;
        }
        --classes_left;
        const int slot = room.start[k] + none * k;
        const int2 to = {layers.first[k], layers.last[k]};
        unsigned* const kept = classes_left > 0 ? store + layers.place[k] : nullptr;
        const Step step = {room.weight + slot, room.value + slot, count, from, to, kept};
        const int words = (to.y - to.x) / BLOCK + 1;
        if (words <= 2) {
            fill_layer<FORM, 2>(row, step);
        } else if (words <= 4) {
            fill_layer<FORM, 4>(row, step);
        } else {
            fill_layer<FORM, 8>(row, step);
        }
        from = to;
    }
    return from;
}

// The cell of a weight in a row, where the row has it; else 0.
__device__ __forceinline__ int cell_of(const unsigned* row, int2 words, int weight, Form form) {
    const int at = form == NARROW ? weight >> 1 : weight;
    if (weight < 0 || at < words.x || at > words.y) {
        return 0;
    }
    const unsigned word = row[at];
    return form == NARROW ? (int)(word >> 16 * (weight & 1) & 0xffffu) : (int)word;
}

__device__ __forceinline__ wide largest_wide(wide x) {
    for (int half = WARP / 2; half > 0; half /= 2) {
        const wide other = __shfl_xor_sync(ALL, x, half);
        x = other > x ? other : x;
    }
    return x;
}

// A selection in the last row: its weight and its cell; a cell of 0 where there is none.
struct End {
    int weight, cell, value;
};

// The best selection of the last row, by a warp: the most value, then the least weight.
__device__ __forceinline__ End best_end(const Row& row, const Task& task, int2 words, int lane) {
    constexpr int WEIGHT_BITS = 20;
    constexpr int HEAVIEST = (1 << WEIGHT_BITS) - 1;
    const int first = max(task.least, task.form == NARROW ? 2 * words.x : words.x);
    wide best = -1;
    int cell = 0;
    for (int weight = first + lane; weight <= task.capacity; weight += WARP) {
        const int here = cell_of(row.even, words, weight, task.form);
        if (here > 0) {
            const wide value = (task.sum - (task.gap + 1 - here) + task.p * weight) >> task.bits;
            const wide key = value << WEIGHT_BITS | (HEAVIEST - weight);
            cell = key > best ? here : cell;
            best = max(best, key);
        }
    }
    const wide all = largest_wide(best);
    if (all < 0) {
        return {0, 0, 0};
    }
    const int who = __ffs((int)__ballot_sync(ALL, best == all)) - 1;
    return {HEAVIEST - (int)(all & HEAVIEST), __shfl_sync(ALL, cell, who), (int)(all >> WEIGHT_BITS)};
}

// The walk from a selection of the last row to the first class, by a warp: of every class with a choice the first item in
// canonical order that explains the cell; its number goes to `now`. False if there is none, which cannot be.
__device__ __forceinline__ bool walk(const Room& room, const Task& task, int classes, int none, End end,
                                     const unsigned* store, int lane) {
    const Layers layers = layers_of(room, classes);
    for (int k = classes - 1; k >= 0; --k) {
        const int count = room.count[k];
        if (count == 1) {
            continue;
        }
        const int slot = room.start[k] + none * k;
        const int before = layers.before[k];
        const int2 words = before < 0 ? int2{0, 0} : int2{layers.first[before], layers.last[before]};
        const unsigned* const row = before < 0 ? nullptr : store + layers.place[before];
        int rank = -NUMBER - 1, by = 0;
        for (int j = lane; j < count; j += WARP) {
            const int weight = end.weight - room.weight[slot + j];
            const int wanted = end.cell + room.value[slot + j];
            const int here = before < 0 ? (weight == 0 ? task.gap + 1 : 0) : cell_of(row, words, weight, task.form);
            const int order = -(room.order[slot + j] >> NUMBER_BITS);
            if (here == wanted && order > rank) {
                rank = order;
                by = j;
            }
        }
        const int best = largest(rank);
        if (best < -NUMBER) {
            return false;
        }
        by = __shfl_sync(ALL, by, __ffs((int)__ballot_sync(ALL, rank == best)) - 1);
        end.weight -= room.weight[slot + by];
        end.cell += room.value[slot + by];
        __syncwarp();
        if (lane == 0) {
            room.now[k] = room.order[slot + by] & NUMBER;
        }
    }
    __syncwarp();
    return true;
}
