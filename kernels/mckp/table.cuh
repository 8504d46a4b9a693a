// The parts of a kernel that fills the table of a run of classes in one launch, a tile of cells a block; see
// mckp_tiled.cu.

#pragma once

#include "cells.cuh"
#include "progress.cuh"

// The items of a launch, 16 bytes a record: the first band of weights of each of its classes, one class after the
// other; filled by the host before the launch. They lie in the constant bank because every thread of a warp reads the
// same item: from shared memory a broadcast of 16 bytes takes four turns of the pipe that the cells need too, from the
// constant bank none.
constexpr int CONSTANT_RECORDS = 4096;
__constant__ int4 launch_items[CONSTANT_RECORDS];

// A class: its first band of weights (low 0), and where its further segments and its picks are.
struct Class {
    long long reach;        // No item of the class reads further left than this.
    long long pick_offset;  // First byte of its picks.
    int first_record;       // Counted in `launch_items`.
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
    int first_record;       // Counted in the segments' own records, in global memory.
    int records;
};
static_assert(sizeof(Segment) == 24, "the host writes 24 bytes a segment");

constexpr int WARP = 32;
// What no record holds in its third word, a weight or the distance of a source cell.
constexpr int NEVER = Limits<int>::LEAST;

// What a thread knows of its block.
struct Block {
    long long tile_index;
    long long start;  // First cell of the tile.
    int tile;         // Cells in the tile.
    int group;        // Which share of the items this thread takes,
    int groups;       // of how many.
    int cell;         // First cell of this thread, counted from the tile's first; the others follow 32 apart.
};

// Which of the launches over a run of classes this is; the counts in `progress` go on from one to the next.
struct Launch {
    unsigned first_ticket;   // Tickets drawn by the launches before.
    unsigned classes_before; // Classes that they have finished.
};

// Draws the next tile; by the whole block.
__device__ __forceinline__ Block place_block(unsigned* progress, const Launch& launch, int tile_warps, int groups,
                                             int tile, int warp_cells) {
    __shared__ unsigned ticket;
    if (threadIdx.x == 0) {
        ticket = atomicAdd(progress + Progress::TICKET, 1u) - launch.first_ticket;
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

// The class records that a block keeps in shared memory, fetched in the background three classes ahead, so that no
// thread waits for global memory when a class begins: the record of class i + 1 arrived, and passed a barrier, with class
// i - 1.
struct Classes {
    static constexpr int KEPT = 4;
    Class* kept;
    const Class* from;
    int count;

    __device__ __forceinline__ const Class& operator[](int i) const { return kept[i % KEPT]; }

    // The first records; by the whole block, with a barrier within.
    __device__ __forceinline__ void begin() const {
        for (int i = 0; i < KEPT - 1 && i < count; ++i) {
            copy_class(kept + i, from + i);
        }
        end_copies();
        copies_arrived<0>();
        __syncthreads();
    }

    // Fetches a record while class i is computed.
    __device__ __forceinline__ void look_ahead(int i) const {
        const int far = i + KEPT - 1;
        if (far < count) {
            copy_class(kept + far % KEPT, from + far);
        }
        end_copies();
    }
};

// A record from the constant bank, loaded where this stands: the compiler would rather load it when it is needed.
__device__ __forceinline__ int4 constant_record(int index) {
    int4 record;
    asm volatile("ld.const.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(record.x), "=r"(record.y), "=r"(record.z), "=r"(record.w)
                 : "l"(__cvta_generic_to_constant(launch_items + index)));
    return record;
}

// A thread's way through the items of a class: every `groups`th record, from its group's own on. The next two records
// are on their way while two are worked at, which hides the time that the constant bank takes.
struct ItemStream {
    int last;  // Its last record.
    int step;
    int at;
    int4 even;
    int4 odd;

    __device__ __forceinline__ ItemStream(const Class& klass, const Block& block)
        : last(klass.first_record + klass.records - 1),
          step(block.groups),
          at(klass.first_record + block.group) {
        load();
    }

    __device__ __forceinline__ void load() {
        even = constant_record(min(at, last));
        odd = constant_record(min(at + step, last));
    }

    template <class Relax>
    __device__ __forceinline__ void each(const Relax& relax) {
#pragma unroll 1
        while (at + step <= last) {
            const int4 this_even = even;
            const int4 this_odd = odd;
            at += 2 * step;
            load();
            relax(this_even);
            relax(this_odd);
        }
        if (at <= last) {
            relax(even);
        }
    }
};

// Brings the beginning of a class's items into the constant cache, by the last warp of the block while the first one
// waits for neighbours. A lane touches one cache line of 64 bytes.
__device__ __forceinline__ void touch_items(const Class& klass) {
    constexpr int RECORDS_A_LINE = 4;
    const int lane = (int)threadIdx.x - ((int)blockDim.x - WARP);
    const int record = lane * RECORDS_A_LINE;
    if (lane >= 0 && record < klass.records && constant_record(klass.first_record + record).z == NEVER) {
        __trap();  // This never happens; the comparison keeps the compiler from dropping the load.
    }
}

// Says that this tile's row `done` is stored and waits until the cells that class `coming` reads are. By the whole
// block, after a barrier; false if a wait was given up.
__device__ __forceinline__ bool advance(unsigned* progress, const Block& block, unsigned done, const Class& coming) {
    bool fine = true;
    if (threadIdx.x < WARP) {
        if (threadIdx.x == 0) {
            // After the block's barrier, so the release covers every thread's stores.
            store_release(count_of(progress, block.tile_index), done);
        }
        const long long reach = block.start - coming.reach;
        const long long from = reach > 0 ? reach / block.tile : 0;
        for (long long t = from + threadIdx.x; fine && t < block.tile_index; t += WARP) {
            fine = wait_for_count(progress, t, done);
        }
    }
    touch_items(coming);
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
