// The table of the multiple-choice knapsack problem, a tile of cells a block, as many classes a launch as fit.
// targets: compute_70 compute_90
// variants: i32x4 i32x8 i32x12 i32x16 i32x32 i64x4 i64x8
//
// Source: isx's own. It takes the thesis's ideas of chapter 4 (B. Suri, "Accelerating the knapsack problem on GPUs",
// Linkoping University, 2011) further: several cells a thread (4.3) held in registers while the items stream past,
// the previous row in shared memory (4.2.2) in bands of weights narrow enough to fit, one launch for many classes
// (4.4), but waiting for neighbours only instead of for everybody, and the items in the constant bank.
//
// Recurrence, with G_0 = rows[0]:   G_i(j) = max over items k of class i of  G_{i-1}(j - w_ik) + v_ik
// in normal form: every class has an item of weight 0 and value 0, and no value is negative (the host replaces an
// item of negative value, which never wins, by the zero item). So optional choice and exactly-one are one case.
//
// Picks: where `picks` is given, cells and item values come shifted left by the bits of `mask`, and the low bits of
// an item's value hold (items - 1 - index). The maximum then prefers, among equal values, the first item in
// canonical order, and its index drops out of the winner at no cost. Rows are stored with those bits cleared.
//
// Layout:
//   launch_items  in the constant bank: the first band of weights of every class of the launch, 16 bytes a record: two
//             items (weight, value, weight, value) of 32-bit cells, or one (value, weight) of 64-bit ones
//   rows      (class_count + 1) rows of `stride` cells; stride is a multiple of the tile, row 0 is the caller's.
//             Cells beyond the capacity are computed from the same items, and nothing is read from them.
//   records   the items of the segments in the same form. Weights are relative to their segment's `low`.
//   classes   where a class's items are in the constant bank (they are read from the window left of the own tile, and
//             the zero item is one of them), its further segments, how far left it reads, and where and how wide its
//             picks are stored.
//   segments  further bands of a class's weights, low <= weight <= low + span. A windowed one is read from shared
//             memory, a direct one (few items, far apart: equation 4.2's ratio is at most 1) from global.
//             low and span are multiples of 4.
//   progress  see progress.cuh; zeroed by the host before the first of the launches over a run; 8 (tiles + 1) words.
//   shared    `record_capacity` records, then `window_capacity` + tile cells, then (groups - 1) * tile cells.
//
// Requires: blockDim.x = 32 * tile_warps * groups; one block a tile; at most 4096 records in the constant bank;
// record_capacity at least the records of any segment, window_capacity (a multiple of 4) at least the span of any
// windowed one and of any class.
// Work: items * cells add-max; 4 (or 8) bytes of shared memory read an add-max, which is the limit.
// Checked against: the reference engine (tests/gpu/mckp.rs).

#include "cells.cuh"
#include "progress.cuh"
#include "table.cuh"

extern __shared__ int4 shared_memory[];

__device__ __forceinline__ long long value_of(const int4& record) {
    return (long long)((unsigned long long)(unsigned)record.x | (unsigned long long)(unsigned)record.y << 32);
}

template <int CELLS>
__device__ __forceinline__ void relax(long long (&best)[CELLS], const long long* cell, const int4& record) {
    const long long* const source = cell - record.z;
    const long long value = value_of(record);
#pragma unroll
    for (int c = 0; c < CELLS; ++c) {
        best[c] = add_max(source[c * WARP], value, best[c]);
    }
}

template <class Cell, int CELLS>
__device__ __forceinline__ void relax_item_direct(Cell (&best)[CELLS], const Cell* row, long long source, Cell value) {
#pragma unroll
    for (int c = 0; c < CELLS; ++c) {
        const long long at = source + c * WARP;
        if (at >= 0) {
            best[c] = add_max(__ldcg(row + at), value, best[c]);
        }
    }
}

// The same from global memory; `source` is the cell an item of relative weight 0 would read.
template <int CELLS>
__device__ __forceinline__ void relax_direct(int (&best)[CELLS], const int* row, long long source, const int4& record) {
    relax_item_direct(best, row, source - record.x, record.y);
    relax_item_direct(best, row, source - record.z, record.w);
}

template <int CELLS>
__device__ __forceinline__ void relax_direct(long long (&best)[CELLS], const long long* row, long long source,
                                             const int4& record) {
    relax_item_direct(best, row, source - record.z, value_of(record));
}

// A class's further bands of weights, each with its own window, or none.
template <class Cell, int CELLS>
__device__ __forceinline__ void relax_segments(Cell (&best)[CELLS], const Cell* row, const Block& block, Cell* own,
                                               int4* items, const int4* __restrict__ records,
                                               const Segment* __restrict__ segments, const Class& klass) {
    for (int s = 0; s < klass.segments; ++s) {
        const Segment segment = segments[klass.first_segment + s];
        if (block.start + block.tile <= segment.low) {
            continue;  // Every source cell lies left of cell 0.
        }
        const long long source = block.start - segment.low;
        __syncthreads();  // Everybody has done with the segment before.
        copy_records(items, records + segment.first_record, segment.records);
        if (segment.windowed) {
            copy_window(own - segment.span, row, source - segment.span, segment.span + block.tile);
        }
        end_copies();
        copies_arrived<0>();
        __syncthreads();
        for (int k = block.group; k < segment.records; k += block.groups) {
            if (segment.windowed) {
                relax(best, own + block.cell, items[k]);
            } else {
                relax_direct(best, row, source + block.cell, items[k]);
            }
        }
    }
}

// One class: the best candidate of each of this thread's cells among the items of its group.
template <class Cell, int CELLS>
__device__ __forceinline__ void relax_class(Cell (&best)[CELLS], const Cell* row, const Block& block, Cell* own,
                                            int4* items, const int4* __restrict__ records,
                                            const Segment* __restrict__ segments, const Classes& classes, int i) {
    const Class& klass = classes[i];
    ItemStream stream(klass, block);
    // The own tile of the row before is already in shared memory: only what lies left of it is copied.
    copy_window(own - klass.span, row, block.start - klass.span, klass.span);
    end_copies();
    classes.look_ahead(i);
    copies_arrived<1>();
    __syncthreads();
    stream.each([&](const int4& record) { relax(best, own + block.cell, record); });
    if (klass.segments > 0) {
        relax_segments(best, row, block, own, items, records, segments, klass);
    }
}

// Merges the groups' candidates, stores the row and the picks, and keeps the tile for the next class.
template <class Cell, int CELLS>
__device__ __forceinline__ void finish_class(Cell (&best)[CELLS], Cell* next, const Block& block, Cell* own,
                                             unsigned char* picks, Cell mask, const Class& klass) {
    Cell* const partial = own + block.tile + block.cell;
    if (block.group > 0) {
#pragma unroll
        for (int c = 0; c < CELLS; ++c) {
            partial[(block.group - 1) * block.tile + c * WARP] = best[c];
        }
    }
    __syncthreads();
    if (block.group > 0) {
        return;
    }
    for (int g = 0; g < block.groups - 1; ++g) {
#pragma unroll
        for (int c = 0; c < CELLS; ++c) {
            best[c] = larger(best[c], partial[g * block.tile + c * WARP]);
        }
    }
    const long long at = block.start + block.cell;
#pragma unroll
    for (int c = 0; c < CELLS; ++c) {
        const Cell value = best[c] & ~mask;
        __stcg(next + at + c * WARP, value);
        own[block.cell + c * WARP] = value;
    }
    if (picks != nullptr) {
#pragma unroll
        for (int c = 0; c < CELLS; ++c) {
            store_pick(picks + klass.pick_offset, klass.pick_bytes, at + c * WARP,
                       (unsigned)klass.last_item - (unsigned)(best[c] & mask));
        }
    }
}

template <class Cell, int CELLS>
__device__ __forceinline__ void table(Cell* __restrict__ rows, long long stride, const int4* __restrict__ records,
                                      const Segment* __restrict__ segments, const Class* __restrict__ class_records,
                                      int class_count, unsigned char* __restrict__ picks, Cell mask, int tile_warps,
                                      int groups, int record_capacity, int window_capacity, unsigned* progress,
                                      const Launch& launch) {
    __shared__ __align__(16) Class kept[Classes::KEPT];
    Cell* const own = reinterpret_cast<Cell*>(shared_memory + record_capacity) + window_capacity;
    const Block block = place_block(progress, launch, tile_warps, groups, tile_warps * WARP * CELLS, WARP * CELLS);
    const Classes classes = {kept, class_records, class_count};

    copy_window(own, rows, block.start, block.tile);
    classes.begin();
    for (int i = 0; i < class_count; ++i) {
        Cell best[CELLS];
#pragma unroll
        for (int c = 0; c < CELLS; ++c) {
            best[c] = Limits<Cell>::LEAST;
        }
        relax_class(best, rows + i * stride, block, own, shared_memory, records, segments, classes, i);
        finish_class(best, rows + (i + 1) * stride, block, own, picks, mask, classes[i]);
        __syncthreads();
        if (i + 1 == class_count || !advance(progress, block, launch.classes_before + i + 1, classes[i + 1])) {
            return;
        }
    }
}

// Of so many threads a multiprocessor holds BLOCKS blocks: 64 registers a thread, 128 for 16 cells and more.
#define MCKP_TILED(NAME, CELL, CELLS, THREADS, BLOCKS)                                                             \
    extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS)                                                  \
        NAME(CELL* rows, long long stride, const int4* records, const Segment* segments, const Class* classes,     \
             int class_count, unsigned char* picks, CELL mask, int tile_warps, int groups, int record_capacity,    \
             int window_capacity, unsigned* progress, unsigned first_ticket, unsigned classes_before) {            \
        table<CELL, CELLS>(rows, stride, records, segments, classes, class_count, picks, mask, tile_warps, groups, \
                           record_capacity, window_capacity, progress, Launch{first_ticket, classes_before});      \
    }

#ifdef VARIANT_i32x4
MCKP_TILED(mckp_tiled_i32x4, int, 4, 1024, 1)
#endif
#ifdef VARIANT_i32x8
MCKP_TILED(mckp_tiled_i32x8, int, 8, 1024, 1)
#endif
#ifdef VARIANT_i32x12
MCKP_TILED(mckp_tiled_i32x12, int, 12, 512, 2)
#endif
#ifdef VARIANT_i32x16
MCKP_TILED(mckp_tiled_i32x16, int, 16, 512, 1)
#endif
#ifdef VARIANT_i32x32
MCKP_TILED(mckp_tiled_i32x32, int, 32, 512, 1)
#endif
#ifdef VARIANT_i64x4
MCKP_TILED(mckp_tiled_i64x4, long long, 4, 1024, 1)
#endif
#ifdef VARIANT_i64x8
MCKP_TILED(mckp_tiled_i64x8, long long, 8, 512, 2)
#endif
