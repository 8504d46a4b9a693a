// What the kernels for several resources share: how tables are laid out, and the entries of a step.
//
// A table has one cell for every vector of amounts: cell x holds the most value of a selection of the first classes that
// costs at most x_d of every resource d, in units; a value below 0 means that there is none. A step has one table for
// every state, a set of the shared elements that are used and may still be. Values are not negative and their sums are
// below 2^30 (2^62 in 64 bits), so Limits::LEAST plus any sum of values stays below 0.
//
// Frames: FRAME numbers per boundary between steps: the last coordinate of every resource, from LAST; the cells from one
// coordinate to the next, from STRIDE; the cells of a table, and of a row. The first resource is contiguous; of the others the last
// varies fastest, so that rows (all cells that differ in the first coordinate alone) are in lexicographic order. A
// resource that the problem does not have has the last coordinate 0. Beyond its last coordinates a table does not change,
// so it is read at the lesser of both.

#pragma once

#include "cells.cuh"

constexpr int WARP = 32;
constexpr int DIMENSIONS = 6;
constexpr int LAST = 0;
constexpr int STRIDE = DIMENSIONS;
constexpr int CELLS_OF_TABLE = 2 * DIMENSIONS;
// Cells from a row to the next.
constexpr int ROW = CELLS_OF_TABLE + 1;
constexpr int FRAME = 16;
constexpr unsigned ALL_LANES = 0xffffffffu;
static_assert(ROW < FRAME, "a frame has room for all of them");

// An item of a class taken in a state, as it leads to the table of another.
struct Entry {
    long long value;
    // The state before.
    int state;
    // The item's position in its class.
    int item;
    // What it adds, with the elements that it is the first to use and those that it leaves unused for good.
    int cost[DIMENSIONS];
};
static_assert(sizeof(Entry) == 40, "the host writes entries of this size");
