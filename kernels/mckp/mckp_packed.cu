// The tiled kernel with two cells a word: 16-bit values relative to the tile, one fused add-maximum for both.
// targets: compute_90
// variants: x8 x16 x32
//
// Source: isx's own; see mckp_tiled.cu for the recurrence, the launch and the tickets. Hopper adds and takes the
// maximum of two 16-bit halves in one instruction, and a word of shared memory then serves two updates.
//
// Idea: rows rise from left to right, so the cells that a tile reads for a class lie between its leftmost source
// cell `left` and its own last cell `top`. Where top - left + the class's largest value is below 2^15, each candidate
// relative to `left` fits 16 bits, and a cell left of cell 0 can be -2^15, which no item lifts to 0. The test is
// made by every block for every class; where it fails, the block works in 32 bits and counts it in `wide_tiles`.
// A thread takes pairs of neighbouring cells. An odd weight would split pairs across words, so the window is kept
// twice: even word t holds cells (2t, 2t + 1), odd word t holds (2t - 1, 2t). That is as many bytes as one window
// of 32-bit cells, which is what the same shared memory holds where a block works in 32 bits.
//
// Layout: as mckp_tiled.cu with 32-bit cells, no picks and no further segments. A record holds two items. Where a
// class's largest value fits 16 bits, an item is (distance, value twice): the distance is how many words left of a
// pair's own even word its source lies, weight / 2 for an even weight and (weight - 1) / 2 - (window_capacity + tile) / 2
// for an odd one, and the value stands in both halves of a word. Elsewhere it is (weight, value), read by wide tiles only.
//   shared    window_capacity + tile words, then (groups - 1) * tile / 2 words
// Requires: blockDim.x = 32 * tile_warps * groups; tile = 64 * PAIRS * tile_warps cells.
// Work: items * cells / 2 fused add-max; 4 bytes of shared memory read for two updates.
// Checked against: the reference engine (tests/gpu/mckp.rs).

#include "table.cuh"

extern __shared__ int4 shared_memory[];

constexpr int LARGEST_HALF = 32767;
constexpr unsigned NOTHING_HALF = 0x8000u;

__device__ __forceinline__ unsigned half_of(int value, int left, bool exists) {
    return exists ? (unsigned)(value - left) & 0xffffu : NOTHING_HALF;
}

// Fills both copies of the window with `length` cells from `source` on (multiples of 4), relative to `left`.
__device__ __forceinline__ void pack_window(unsigned* even, unsigned* odd, const int* row, long long source, int length,
                                            int left) {
    for (int at = threadIdx.x * 4; at < length; at += blockDim.x * 4) {
        const bool exists = source + at >= 0;
        const int4 cells = exists ? __ldcg(reinterpret_cast<const int4*>(row + source + at)) : make_int4(0, 0, 0, 0);
        const bool before_exists = source + at >= 1;
        const int before = before_exists ? __ldcg(row + source + at - 1) : 0;
        const unsigned a = half_of(cells.x, left, exists), b = half_of(cells.y, left, exists);
        const unsigned c = half_of(cells.z, left, exists), d = half_of(cells.w, left, exists);
        // Read only by pairs whose other cell is in the window, except at its left end, where no pair starts.
        const unsigned z = half_of(before, left, before_exists && at > 0);
        even[at / 2] = a | b << 16;
        even[at / 2 + 1] = c | d << 16;
        odd[at / 2] = z | a << 16;
        odd[at / 2 + 1] = b | c << 16;
    }
}

template <int PAIRS>
__device__ __forceinline__ void relax_packed(unsigned (&best)[PAIRS], const unsigned* own, int distance,
                                             unsigned value_twice) {
    const unsigned* const source = own - distance;
#pragma unroll
    for (int c = 0; c < PAIRS; ++c) {
        best[c] = __viaddmax_s16x2(source[c * WARP], value_twice, best[c]);
    }
}

// A packed record's items as (weight, value).
__device__ __forceinline__ int4 unpacked(const int4& record, int window_words) {
    const auto weight = [=](int distance) { return distance < 0 ? 2 * (distance + window_words) + 1 : 2 * distance; };
    return make_int4(weight(record.x), record.y & 0xffff, weight(record.z), record.w & 0xffff);
}

// The class in 16 bits. `words` is the shared window, window_capacity + tile words in all.
template <int PAIRS>
__device__ __forceinline__ void class_packed(const int* row, int* next, const Block& block, unsigned* words,
                                             int window_words, const Class& klass, int left) {
    ItemStream stream(klass, block);
    const int half_span = klass.span / 2;
    unsigned* const odd = words + window_words;
    pack_window(words, odd, row, block.start - klass.span, klass.span + block.tile, left);
    copies_arrived<1>();
    __syncthreads();
    unsigned best[PAIRS];
#pragma unroll
    for (int c = 0; c < PAIRS; ++c) {
        best[c] = NOTHING_HALF | NOTHING_HALF << 16;
    }
    const unsigned* const own = words + half_span + block.cell;
    stream.each([&](const int4& record) {
        relax_packed(best, own, record.x, (unsigned)record.y);
        relax_packed(best, own, record.z, (unsigned)record.w);
    });
    unsigned* const partial = words + 2 * window_words + block.cell;
    const int pairs = block.tile / 2;
    if (block.group > 0) {
#pragma unroll
        for (int c = 0; c < PAIRS; ++c) {
            partial[(block.group - 1) * pairs + c * WARP] = best[c];
        }
    }
    __syncthreads();
    if (block.group > 0) {
        return;
    }
    for (int g = 0; g < block.groups - 1; ++g) {
#pragma unroll
        for (int c = 0; c < PAIRS; ++c) {
            best[c] = __vmaxs2(best[c], partial[g * pairs + c * WARP]);
        }
    }
    int2* const to = reinterpret_cast<int2*>(next + block.start) + block.cell;
#pragma unroll
    for (int c = 0; c < PAIRS; ++c) {
        __stcg(to + c * WARP, make_int2(left + (int)(short)(best[c] & 0xffffu), left + (int)(short)(best[c] >> 16)));
    }
}

// The class in 32 bits, for a tile whose values spread too far. A thread's cells are 32 apart here.
template <int PAIRS>
__device__ __forceinline__ void class_wide(const int* row, int* next, const Block& block, int* window,
                                           int window_words, const Class& klass) {
    constexpr int CELLS = 2 * PAIRS;
    const bool packed = klass.largest_value <= LARGEST_HALF;
    ItemStream stream(klass, block);
    const int warp_start = block.cell / (WARP * PAIRS) * (WARP * CELLS);
    const int cell = warp_start + threadIdx.x % WARP;
    copy_window(window, row, block.start - klass.span, klass.span + block.tile);
    end_copies();
    copies_arrived<0>();
    __syncthreads();
    int best[CELLS];
#pragma unroll
    for (int c = 0; c < CELLS; ++c) {
        best[c] = Limits<int>::LEAST;
    }
    stream.each([&](const int4& record) {
        relax(best, window + klass.span + cell, packed ? unpacked(record, window_words) : record);
    });
    __syncthreads();
    // The window is done with, so the groups merge in its place, one after the other.
    int* const merged = window + cell;
    for (int g = 0; g < block.groups; ++g) {
        if (block.group == g) {
#pragma unroll
            for (int c = 0; c < CELLS; ++c) {
                merged[c * WARP] = g == 0 ? best[c] : max(best[c], merged[c * WARP]);
            }
        }
        __syncthreads();
    }
    for (int c = threadIdx.x; c < block.tile; c += blockDim.x) {
        __stcg(next + block.start + c, window[c]);
    }
}

template <int PAIRS>
__device__ __forceinline__ void table_packed(int* __restrict__ rows, long long stride,
                                             const Class* __restrict__ class_records, int class_count,
                                             int tile_warps, int groups, int window_capacity, unsigned* progress,
                                             unsigned long long* wide_tiles, const Launch& launch) {
    __shared__ __align__(16) Class kept[Classes::KEPT];
    unsigned* const words = reinterpret_cast<unsigned*>(shared_memory);
    const int tile = tile_warps * WARP * PAIRS * 2;
    const int window_words = (window_capacity + tile) / 2;
    const Block block = place_block(progress, launch, tile_warps, groups, tile, WARP * PAIRS);
    const Classes classes = {kept, class_records, class_count};
    unsigned wide = 0;

    classes.begin();
    for (int i = 0; i < class_count; ++i) {
        const Class& klass = classes[i];
        const int* const row = rows + i * stride;
        int* const next = rows + (i + 1) * stride;
        const long long leftmost = block.start - klass.span;
        const int left = __ldcg(row + (leftmost > 0 ? leftmost : 0));
        const int top = __ldcg(row + block.start + block.tile - 1);
        classes.look_ahead(i);
        // In this order nothing overflows: the row rises and no value is negative.
        if (klass.largest_value <= LARGEST_HALF && top - left <= LARGEST_HALF - klass.largest_value) {
            class_packed<PAIRS>(row, next, block, words, window_words, klass, left);
        } else {
            class_wide<PAIRS>(row, next, block, reinterpret_cast<int*>(words), window_words, klass);
            ++wide;
        }
        __syncthreads();
        if (i + 1 == class_count || !advance(progress, block, launch.classes_before + i + 1, classes[i + 1])) {
            break;
        }
    }
    if (threadIdx.x == 0 && wide > 0) {
        atomicAdd(wide_tiles, (unsigned long long)wide);
    }
}

// Of so many threads a multiprocessor holds BLOCKS blocks: 64 registers a thread, 128 for 16 pairs and more.
#define MCKP_PACKED(NAME, PAIRS, THREADS, BLOCKS)                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)                                                  \
        NAME(int* rows, long long stride, const Class* classes, int class_count, int tile_warps, int groups,       \
             int window_capacity, unsigned* progress, unsigned long long* wide_tiles, unsigned first_ticket,       \
             unsigned classes_before) {                                                                            \
        table_packed<PAIRS>(rows, stride, classes, class_count, tile_warps, groups, window_capacity, progress,     \
                            wide_tiles, Launch{first_ticket, classes_before});                                     \
    }

#ifdef VARIANT_x8
MCKP_PACKED(mckp_packed_x8, 8, 512, 2)
#endif
#ifdef VARIANT_x16
MCKP_PACKED(mckp_packed_x16, 16, 512, 1)
#endif
#ifdef VARIANT_x32
MCKP_PACKED(mckp_packed_x32, 32, 512, 1)
#endif
