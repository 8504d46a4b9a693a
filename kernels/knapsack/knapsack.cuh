// What the 0-1 knapsack kernels share: cells that hold losses, and blocks of cells that hold nothing.
//
// A cell j holds the least *loss* of a set of items that weighs exactly j. With a price k for a unit of weight, an item
// of profit p and weight w that is worth its price (p >= k w) loses p - k w where it is left out, any other loses
// k w - p where it is taken; a set of weight j and loss l is worth k j + sum max(0, p - k w) - l. Where profits follow
// weights, losses are small, whatever the profits are. Of an item's two losses one is 0, so a sum of a cell and a loss
// never passes twice DEAD, which every type below can hold.
//
// Cells come in blocks of BLOCK_CELLS. A row has a byte a block that says whether any of its cells is alive; the cells
// of a block that is not are never read and may hold anything.

#pragma once

constexpr int BLOCK_CELLS = 4096;
constexpr int BLOCK_SHIFT = 12;
static_assert(1 << BLOCK_SHIFT == BLOCK_CELLS, "blocks are found by a shift");

// A cell's type, the one sums are made in, and the loss that says: no such set, or none of use.
template <class Cell>
struct Loss;
template <>
struct Loss<unsigned short> {
    using Sum = unsigned;
    static constexpr Sum DEAD = 0xffffu;
};
template <>
struct Loss<unsigned> {
    using Sum = unsigned;
    static constexpr Sum DEAD = 0x7fffffffu;
};
template <>
struct Loss<unsigned long long> {
    using Sum = unsigned long long;
    static constexpr Sum DEAD = 1ull << 62;
};

// An item as the host writes it.
struct Item {
    unsigned long long weight;
    unsigned long long leave;
    unsigned long long take;
};
static_assert(sizeof(Item) == 24, "the host writes items of this size");

template <class Sum>
__device__ __forceinline__ Sum lesser(Sum a, Sum b) {
    return a < b ? a : b;
}

// One kernel a type of cell: NAME_u16, NAME_u32, NAME_u64.
#define FOR_EVERY_CELL(MAKE)   \
    MAKE(u16, unsigned short)  \
    MAKE(u32, unsigned)        \
    MAKE(u64, unsigned long long)
