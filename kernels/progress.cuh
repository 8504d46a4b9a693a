// How blocks of one launch wait for each other without a barrier over all of them.
//
// Each tile of cells counts the rows it has finished. A block may read row i of another tile once that tile's count
// has reached i; rows are never overwritten within a launch, so nothing else needs to be waited for. Weights are
// never negative, so a tile only ever waits for tiles to its left, and tiles are handed out by a ticket in that
// order: whatever a block waits for belongs to a block that already runs. No cooperative launch is needed, and more
// tiles than fit the device at once are no problem.
//
// progress[0] is the next ticket, progress[1] is not 0 once a wait was given up, progress[8 (t + 1)] counts for tile t:
// a memory sector each, so that a tile's polls do not queue up behind another's stores.

#pragma once

struct Progress {
    static constexpr int TICKET = 0;
    static constexpr int GAVE_UP = 1;
    static constexpr int WORDS_A_COUNT = 8;
    // A poll takes about half a microsecond, so this is tens of seconds: far beyond any row, and still an end.
    static constexpr unsigned MAX_POLLS = 1u << 26;
    static constexpr unsigned POLLS_BETWEEN_LOOKS = 1u << 10;
};

__device__ __forceinline__ unsigned load_acquire(const unsigned* from) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__device__ __forceinline__ unsigned load_relaxed(const unsigned* from) {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
    return value;
}

__device__ __forceinline__ void store_release(unsigned* to, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}

__device__ __forceinline__ unsigned* count_of(unsigned* progress, long long tile) {
    return progress + Progress::WORDS_A_COUNT * (tile + 1);
}

// False if the count was not reached in time, here or in another block.
__device__ __forceinline__ bool wait_for_count(unsigned* progress, long long tile, unsigned wanted) {
    const unsigned* const count = count_of(progress, tile);
    for (unsigned poll = 1; poll < Progress::MAX_POLLS; ++poll) {
        if (load_acquire(count) >= wanted) {
            return true;
        }
        if (poll % Progress::POLLS_BETWEEN_LOOKS == 0 && load_relaxed(progress + Progress::GAVE_UP) != 0) {
            return false;
        }
    }
    atomicExch(progress + Progress::GAVE_UP, 1u);
    return false;
}
