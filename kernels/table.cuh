// The parts of a kernel that fills the whole table in one launch, a tile of cells a block; see mckp_tiled.cu.

#pragma once

#include "cells.cuh"
#include "progress.cuh"

// A class: its first band of weights (low 0), and where its further segments and its picks are.
struct Class {
    long long reach;        // No item of the class reads further left than this.
    long long pick_offset;  // First byte of its picks.
    int first_record;
    int records;
    int span;
    int first_segment;
    int segments;
    int last_item;
    int pick_bytes;
    int largest_value;      // Of any item, where that fits; else the largest int.
};
static_assert(sizeof(Class) == 48, "the host writes 48 bytes a class");

// A further band of weights.
struct Segment {
    long long low;
    int span;
    int windowed;
    int first_record;
    int records;
};
static_assert(sizeof(Segment) == 24, "the host writes 24 bytes a segment");

constexpr int WARP = 32;

// What a thread knows of its block.
struct Block {
    long long tile_index;
    long long start;  // First cell of the tile.
    int tile;         // Cells in the tile.
    int group;        // Which share of the items this thread takes,
    int groups;       // of how many.
    int cell;         // First cell of this thread, counted from the tile's first; the others follow 32 apart.
};

// Draws the next tile; by the whole block.
__device__ __forceinline__ Block place_block(unsigned* progress, int tile_warps, int groups, int tile,
                                             int warp_cells) {
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) {
        ticket = atomicAdd(progress + Progress::TICKET, 1u);
    }
    __syncthreads();
    const int warp = threadIdx.x / WARP;
    Block block;
    block.tile_index = ticket;
    block.start = block.tile_index * tile;
    block.tile = tile;
    block.group = warp / tile_warps;
    block.groups = groups;
    block.cell = (warp - block.group * tile_warps) * warp_cells + threadIdx.x % WARP;
    return block;
}

// 16 bytes from global to shared memory, in the background where the GPU can.
__device__ __forceinline__ void copy_16(void* to, const void* from) {
#if __CUDA_ARCH__ >= 800
    const unsigned target = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(from) : "memory");
#else
    *reinterpret_cast<int4*>(to) = __ldcg(reinterpret_cast<const int4*>(from));
#endif
}

// Ends a group of background copies.
__device__ __forceinline__ void end_copies() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

// Waits for this thread's groups of background copies, but for the `STILL_COMING` last ended.
template <int STILL_COMING>
__device__ __forceinline__ void copies_arrived() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(STILL_COMING) : "memory");
#endif
}

// A class's record, by the last warp of the block.
__device__ __forceinline__ void copy_class(Class* to, const Class* __restrict__ from) {
    constexpr int PARTS = sizeof(Class) / sizeof(int4);
    const int part = (int)threadIdx.x - ((int)blockDim.x - WARP);
    if (part >= 0 && part < PARTS) {
        copy_16(reinterpret_cast<int4*>(to) + part, reinterpret_cast<const int4*>(from) + part);
    }
}

// Item records, by the whole block.
__device__ __forceinline__ void copy_records(int4* to, const int4* __restrict__ from, int count) {
    for (int k = threadIdx.x; k < count; k += blockDim.x) {
        copy_16(to + k, from + k);
    }
}

// What a block keeps of classes in shared memory, fetched in the background while earlier classes are computed, so
// that nobody waits for global memory when a class begins: a class's items one class ahead, its record three:
// what look_ahead(i) reads of class i + 1 then arrived, and passed a barrier, with class i - 1.
struct Classes {
    static constexpr int KEPT = 4;
    Class* kept;
    int4* items;
    int record_capacity;
    const Class* from;
    const int4* records;
    int count;

    __device__ __forceinline__ const Class& operator[](int i) const { return kept[i % KEPT]; }
    __device__ __forceinline__ int4* items_of(int i) const { return items + i % 2 * record_capacity; }

    // The first records and the items of class 0; by the whole block, with a barrier within.
    __device__ __forceinline__ void begin() const {
        for (int i = 0; i < KEPT - 1 && i < count; ++i) {
            copy_class(kept + i, from + i);
        }
        end_copies();
        copies_arrived<0>();
        __syncthreads();
        copy_records(items, records + kept[0].first_record, kept[0].records);
        end_copies();
    }

    // While class i is computed, fetches the items of the next class and a record.
    __device__ __forceinline__ void look_ahead(int i) const {
        if (i + 1 < count) {
            copy_records(items_of(i + 1), records + (*this)[i + 1].first_record, (*this)[i + 1].records);
        }
        const int far = i + KEPT - 1;
        if (far < count) {
            copy_class(kept + far % KEPT, from + far);
        }
        end_copies();
    }
};

// Says that this tile's row `done` is stored and waits until the cells that class `coming` reads are. By the whole
// block, after a barrier; false if a wait was given up.
__device__ __forceinline__ bool advance(unsigned* progress, const Block& block, int done, const Class& coming) {
    bool fine = true;
    if (threadIdx.x < WARP) {
        if (threadIdx.x == 0) {
            // After the block's barrier, so the release covers every thread's stores.
            store_release(count_of(progress, block.tile_index), (unsigned)done);
        }
        const long long reach = block.start - coming.reach;
        const long long from = reach > 0 ? reach / block.tile : 0;
        for (long long t = from + threadIdx.x; fine && t < block.tile_index; t += WARP) {
            fine = wait_for_count(progress, t, (unsigned)done);
        }
    }
    return __syncthreads_and(fine) != 0;
}

// Both items of a record, for a thread's cells in shared memory: cell c of the thread is 32 c further right, so a
// warp reads 32 neighbouring words at each step, free of bank conflicts at any weight.
template <int CELLS>
__device__ __forceinline__ void relax(int (&best)[CELLS], const int* cell, const int4& record) {
    const int* const first = cell - record.x;
    const int* const second = cell - record.z;
#pragma unroll
    for (int c = 0; c < CELLS; ++c) {
        best[c] = add_max(first[c * WARP], record.y, best[c]);
    }
#pragma unroll
    for (int c = 0; c < CELLS; ++c) {
        best[c] = add_max(second[c * WARP], record.w, best[c]);
    }
}

// 16 bytes of cells; those left of cell 0 hold nothing.
template <class Cell>
__device__ __forceinline__ void copy_quad(Cell* to, const Cell* row, long long source) {
    constexpr int QUAD = sizeof(int4) / sizeof(Cell);
    if (source >= 0) {
        copy_16(to, row + source);
        return;
    }
#pragma unroll
    for (int c = 0; c < QUAD; ++c) {
        to[c] = Limits<Cell>::LEAST;
    }
}

// `length` cells of the row from `source` on, both multiples of 4, by the whole block.
template <class Cell>
__device__ __forceinline__ void copy_window(Cell* to, const Cell* row, long long source, int length) {
    constexpr int QUAD = sizeof(int4) / sizeof(Cell);
#pragma unroll 4
    for (int at = threadIdx.x * QUAD; at < length; at += blockDim.x * QUAD) {
        copy_quad(to + at, row, source + at);
    }
}

__device__ __forceinline__ void store_pick(unsigned char* picks, int bytes, long long at, unsigned pick) {
    if (bytes == 1) {
        picks[at] = (unsigned char)pick;
    } else if (bytes == 2) {
        reinterpret_cast<unsigned short*>(picks)[at] = (unsigned short)pick;
    } else {
        reinterpret_cast<unsigned*>(picks)[at] = pick;
    }
}
