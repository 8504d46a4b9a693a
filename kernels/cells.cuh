// What every kernel shares: the cell types, their "no candidate" value, and the add-then-maximum of the recurrence.
//
// A cell holds G_i(j), the most value that classes 1..i reach within capacity j; it is never negative, since every
// class has an item of weight 0 and value 0. A candidate whose source cell would lie left of cell 0 is given the
// least value of the type instead, plus an item value that is not negative: still negative, so it never wins and
// never overflows.

#pragma once

// An item as the thesis's kernels read it; their rows are shorter than 2^30 cells.
template <class Cell>
struct Item {
    Cell value;
    int weight;
};
static_assert(sizeof(Item<int>) == 8 && sizeof(Item<long long>) == 16, "the host writes items of these sizes");

template <class Cell>
struct Limits;
template <>
struct Limits<int> {
    static constexpr int LEAST = -2147483647 - 1;
};
template <>
struct Limits<long long> {
    static constexpr long long LEAST = -9223372036854775807LL - 1;
};

// max(source + value, best): one instruction on Hopper for 32-bit cells.
__device__ __forceinline__ int add_max(int source, int value, int best) {
#if __CUDA_ARCH__ >= 900
    return __viaddmax_s32(source, value, best);
#else
    return max(source + value, best);
#endif
}
__device__ __forceinline__ long long add_max(long long source, long long value, long long best) {
    const long long candidate = source + value;
    return candidate > best ? candidate : best;
}

template <class Cell>
__device__ __forceinline__ Cell larger(Cell a, Cell b) {
    return a > b ? a : b;
}
