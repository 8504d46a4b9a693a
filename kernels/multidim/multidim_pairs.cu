// Two items a pass over the tables of many instances of the multi-dimensional knapsack problem, only the cells that
// matter; then the choices of the last items against the last layer, and the walks back.
// targets: compute_70
//
// Source: isx. With items a and b of a pass and A(x) = G(x - w_a) + p_a, and so on:
// Recurrence: G'(x) = max( G(x), A(x), B(x), AB(x) )       low <= x <= reach, in every dimension
// and of equal candidates the first in that order. Four cells are read and one is written for two items, where a pass
// an item reads four and writes two; a table that does not fit the shared memory of a few multiprocessors is bound by
// what passes between them and memory. Beyond its reach a layer does not change, so layers are read at
// min(x, before), `before` the reach of the layer read.
// The last items are not swept: of the last layer at most 2^last cells matter, one for each choice of them
// (src/classics/multidim/layers.rs says why and when).
//
// Layout, for k instances:
//   places   6 an instance: its first cell, its first word of bits, the cells of its second dimension, cells from row to
//            row (a multiple of 32), words of the bits of an item, 0. A row is a run of the third dimension.
//   frames   16 a pass and instance (passes outside): low, reach, before, weights of a, weights of b, 3 each, and
//            whether the instance has this pass. An item that is not there weighs more than any capacity.
//   gains    2 a pass and instance: profits of a and b
//   from, to one cell each; pass 0 goes from even to odd, and an instance's last layer is where its last pass went
//   bits     of each instance: for every pass the words of a, then those of b
//   tails    12 an instance: swept items, last items, passes, capacities (3), reach of the last layer (3), its first
//            item, its first word of chosen, 0
//   weights  3 an item, profits one an item, of all instances one after the other
//   tops, by parts of an instance's choices: the most value, and the choice that has it, the least of equal ones
//   best     one an instance; chosen: a bit an item, all 0 before
// Requires: capacities below 2^30, weights not above them, at most 30 last items.
// Launch: an instance has one y in the first two grids. multidim_pairs once a pass: WARPS warps a block, and in x as many
// blocks as the widest instance of the pass needs. multidim_pairs_last once: THREADS threads a block, and in x a block for
// each part of 2^16 choices, as many as the instance with the most choices has. multidim_pairs_back once, at the end: a
// thread for each instance.
// Work: a cell and pass four cells read (three of them usually from the second-level cache), one written, 2/32 words
// written: 20 1/4 bytes of 32-bit cells. A choice some 20 operations and a cell read.
// Checked against: the reference engine (tests/gpu/multidim.rs).

#include "cells.cuh"

constexpr int WARP = 32;
constexpr int WARPS = 8;
// Cells of a row that a warp computes.
constexpr int CELLS_A_LANE = 4;
constexpr int RUN = WARP * CELLS_A_LANE;
constexpr int THREADS = 256;
constexpr int FRAME = 16;
constexpr int PLACE = 6;
constexpr int TAIL = 12;
// Last items whose choices the threads of a block share out, and whose choices every thread goes through.
constexpr int OWN_ITEMS = 8;
constexpr int SHARED_ITEMS = 8;
static_assert(THREADS == WARPS * WARP, "the host launches both kernels with blocks of this size");
static_assert(THREADS == 1 << OWN_ITEMS && THREADS == 1 << SHARED_ITEMS, "a thread has one choice of each kind");

// A row of the layer that is read, or none.
struct Source {
    long long row;
    int shift;
    bool fits;
};

__device__ __forceinline__ Source source(const int* frame, const long long* place, int x, int y, int w0, int w1,
                                         int w2) {
    const int fx = min(x - w0, frame[6]);
    const int fy = min(y - w1, frame[7]);
    return {((long long)fx * place[2] + fy) * place[3], w2, x >= w0 && y >= w1};
}

template <class Cell>
__device__ __forceinline__ Cell candidate(const Cell* __restrict__ from, const Source& source, int z, int before,
                                          Cell profit) {
    // What does not fit stays below 0, since profits are above it.
    if (!source.fits || z < source.shift) {
        return Limits<Cell>::LEAST;
    }
    return from[source.row + min(z - source.shift, before)] + profit;
}

template <class Cell>
__device__ __forceinline__ void pass_of(const Cell* __restrict__ from, Cell* __restrict__ to,
                                        unsigned* __restrict__ bits, const long long* __restrict__ places,
                                        const int* __restrict__ frames, const Cell* __restrict__ gains, int pass) {
    const int id = blockIdx.y;
    const int* const frame = frames + (long long)FRAME * id;
    const int low2 = frame[2] / RUN;
    const int columns = frame[5] / RUN - low2 + 1;
    const int rows_y = frame[4] - frame[1] + 1;
    const int rows = (frame[3] - frame[0] + 1) * rows_y;
    const int row = (int)(blockIdx.x / columns) * WARPS + threadIdx.x / WARP;
    if (frame[15] == 0 || row >= rows) {
        return;
    }
    const long long* const place = places + (long long)PLACE * id;
    const int x = frame[0] + row / rows_y;
    const int y = frame[1] + row % rows_y;
    const int lane = threadIdx.x % WARP;
    const int run = (low2 + (int)(blockIdx.x % columns)) * RUN;
    from += place[0];
    to += place[0];
    // Two weights below 2^30 have a sum below 2^31.
    const Source none = source(frame, place, x, y, 0, 0, 0);
    const Source first = source(frame, place, x, y, frame[9], frame[10], frame[11]);
    const Source second = source(frame, place, x, y, frame[12], frame[13], frame[14]);
    const Source both =
        source(frame, place, x, y, frame[9] + frame[12], frame[10] + frame[13], frame[11] + frame[14]);
    const Cell gain_a = gains[2 * (long long)id];
    const Cell gain_b = gains[2 * (long long)id + 1];
    const int before = frame[8];
    const long long this_row = (long long)x * place[2] + y;
    unsigned* const words = bits + place[1] + 2 * pass * place[4] + this_row * (place[3] / WARP);
#pragma unroll
    for (int k = 0; k < CELLS_A_LANE; ++k) {
        const int word = run / WARP + k;
        if ((long long)word * WARP >= place[3]) {
            return;
        }
        const int cell = word * WARP + lane;
        // Cells before the layer's first are never read, but their sources may be unwritten, so the first is computed again.
        const int z = max(cell, frame[2]);
        Cell best = from[none.row + min(z, before)];
        const Cell a = candidate(from, first, z, before, gain_a);
        const Cell b = candidate(from, second, z, before, gain_b);
        const Cell ab = candidate(from, both, z, before, (Cell)(gain_a + gain_b));
        bool takes_a = a > best;
        best = larger(a, best);
        bool takes_b = b > best;
        takes_a = takes_a && !takes_b;
        best = larger(b, best);
        const bool takes_both = ab > best;
        best = larger(ab, best);
        if (cell <= frame[5]) {
            to[this_row * place[3] + cell] = best;
        }
        const unsigned bits_a = __ballot_sync(0xffffffffu, takes_a || takes_both);
        const unsigned bits_b = __ballot_sync(0xffffffffu, takes_b || takes_both);
        if (lane == 0) {
            words[word] = bits_a;
            words[place[4] + word] = bits_b;
        }
    }
}

// What the chosen last items leave of the capacities, in `room`; whether they fit.
__device__ __forceinline__ bool leave(const int* tail, const int* __restrict__ weights, unsigned choice, int* room) {
    room[0] = tail[3];
    room[1] = tail[4];
    room[2] = tail[5];
    const int* weight = weights + 3 * (long long)(tail[9] + tail[0]);
    for (; choice != 0; choice >>= 1, weight += 3) {
        if (choice & 1) {
            room[0] -= weight[0];
            room[1] -= weight[1];
            room[2] -= weight[2];
            if (room[0] < 0 || room[1] < 0 || room[2] < 0) {
                return false;
            }
        }
    }
    return true;
}

// What the chosen last items gain.
template <class Cell>
__device__ __forceinline__ Cell gain_of(const int* tail, const Cell* __restrict__ profits, unsigned choice) {
    Cell gain = 0;
    for (const Cell* profit = profits + tail[9] + tail[0]; choice != 0; choice >>= 1, ++profit) {
        if (choice & 1) {
            gain += *profit;
        }
    }
    return gain;
}

// Of equal values the least choice, so that the order in which they are found does not matter.
template <class Cell>
__device__ __forceinline__ bool better(Cell value, unsigned choice, Cell than, unsigned its) {
    return value > than || (value == than && choice < its);
}

template <class Cell>
__device__ __forceinline__ void last_of(const Cell* __restrict__ even, const Cell* __restrict__ odd,
                                        const long long* __restrict__ places, const int* __restrict__ tails,
                                        const int* __restrict__ weights, const Cell* __restrict__ profits,
                                        Cell* __restrict__ tops, unsigned* __restrict__ by) {
    // Of the choices of a part's shared items those that fit: what they leave of the capacities, and the choice.
    __shared__ int4 rooms[THREADS];
    __shared__ Cell gains[THREADS];
    __shared__ int fitting;
    __shared__ Cell most[THREADS];
    __shared__ unsigned most_by[THREADS];
    const int id = blockIdx.y;
    const unsigned part = blockIdx.x;
    const int* const tail = tails + (long long)TAIL * id;
    const int own_items = min(tail[1], OWN_ITEMS);
    const int shared_items = min(tail[1] - own_items, SHARED_ITEMS);
    if (part >= 1u << (tail[1] - own_items - shared_items)) {
        return;
    }
    if (threadIdx.x == 0) {
        fitting = 0;
    }
    __syncthreads();
    int room[3];
    const unsigned others = (part << shared_items | threadIdx.x) << own_items;
    if (threadIdx.x < 1u << shared_items && leave(tail, weights, others, room)) {
        const int at = atomicAdd(&fitting, 1);
        rooms[at] = make_int4(room[0], room[1], room[2], (int)others);
        gains[at] = gain_of(tail, profits, others);
    }
    __syncthreads();

    const long long* const place = places + (long long)PLACE * id;
    const Cell* const table = (tail[2] % 2 == 0 ? even : odd) + place[0];
    const int side = (int)place[2];
    const long long row = place[3];
    const int reach[3] = {tail[6], tail[7], tail[8]};
    Cell value = Limits<Cell>::LEAST;
    unsigned choice = 0;
    if (threadIdx.x < 1u << own_items && leave(tail, weights, threadIdx.x, room)) {
        const int used[3] = {tail[3] - room[0], tail[4] - room[1], tail[5] - room[2]};
        const Cell gain = gain_of(tail, profits, threadIdx.x);
        for (int at = 0; at < fitting; ++at) {
            const int4 other = rooms[at];
            const int x = other.x - used[0];
            const int y = other.y - used[1];
            const int z = other.z - used[2];
            if ((x | y | z) >= 0) {
                const long long before = (long long)min(x, reach[0]) * side + min(y, reach[1]);
                const Cell sum = table[before * row + min(z, reach[2])] + gains[at] + gain;
                const unsigned all = (unsigned)other.w | threadIdx.x;
                if (better(sum, all, value, choice)) {
                    value = sum;
                    choice = all;
                }
            }
        }
    }
    most[threadIdx.x] = value;
    most_by[threadIdx.x] = choice;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const int other = threadIdx.x + half;
            if (better(most[other], most_by[other], most[threadIdx.x], most_by[threadIdx.x])) {
                most[threadIdx.x] = most[other];
                most_by[threadIdx.x] = most_by[other];
            }
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        tops[(long long)id * gridDim.x + part] = most[0];
        by[(long long)id * gridDim.x + part] = most_by[0];
    }
}

template <class Cell>
__device__ __forceinline__ void walk_back(const unsigned* __restrict__ bits, const long long* __restrict__ places,
                                          const int* __restrict__ frames, const int* __restrict__ tails,
                                          const int* __restrict__ weights, const Cell* __restrict__ tops,
                                          const unsigned* __restrict__ by, int parts, int instances,
                                          Cell* __restrict__ best, unsigned* __restrict__ chosen) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    if (id >= instances) {
        return;
    }
    const int* const tail = tails + (long long)TAIL * id;
    const long long* const place = places + (long long)PLACE * id;
    const long long first = (long long)id * parts;
    Cell value = tops[first];
    unsigned choice = by[first];
    for (int part = 1; part < 1 << max(tail[1] - OWN_ITEMS - SHARED_ITEMS, 0); ++part) {
        // Choices rise from part to part.
        if (tops[first + part] > value) {
            value = tops[first + part];
            choice = by[first + part];
        }
    }
    best[id] = value;
    unsigned* const mine = chosen + tail[10];
    for (int k = 0; k < tail[1]; ++k) {
        if (choice >> k & 1) {
            mine[(tail[0] + k) / WARP] |= 1u << ((tail[0] + k) % WARP);
        }
    }
    int room[3];
    leave(tail, weights, choice, room);
    for (int pass = tail[2] - 1; pass >= 0; --pass) {
        const int* const frame = frames + FRAME * ((long long)pass * instances + id);
        const long long row = (long long)min(room[0], frame[3]) * place[2] + min(room[1], frame[4]);
        const int z = min(room[2], frame[5]);
        const unsigned* const words = bits + place[1] + 2 * pass * place[4] + row * (place[3] / WARP) + z / WARP;
        // The layer at its reach stands for all beyond, and the walk goes on from there.
        room[0] = min(room[0], frame[3]);
        room[1] = min(room[1], frame[4]);
        room[2] = z;
        for (int which = 0; which < 2; ++which) {
            if (words[which * place[4]] >> (z % WARP) & 1) {
                const int item = 2 * pass + which;
                mine[item / WARP] |= 1u << (item % WARP);
                room[0] -= frame[9 + 3 * which];
                room[1] -= frame[10 + 3 * which];
                room[2] -= frame[11 + 3 * which];
            }
        }
    }
}

#define MULTIDIM_PAIRS(NAME, CELL)                                                                                     \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                              \
        NAME(const CELL* from, CELL* to, unsigned* bits, const long long* places, const int* frames,                   \
             const CELL* gains, int pass) {                                                                            \
        pass_of<CELL>(from, to, bits, places, frames, gains, pass);                                                    \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                              \
        NAME##_last(const CELL* even, const CELL* odd, const long long* places, const int* tails, const int* weights,  \
                    const CELL* profits, CELL* tops, unsigned* by) {                                                   \
        last_of<CELL>(even, odd, places, tails, weights, profits, tops, by);                                           \
    }                                                                                                                  \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                              \
        NAME##_back(const unsigned* bits, const long long* places, const int* frames, const int* tails,                \
                    const int* weights, const CELL* tops, const unsigned* by, int parts, int instances, CELL* best,    \
                    unsigned* chosen) {                                                                                \
        walk_back<CELL>(bits, places, frames, tails, weights, tops, by, parts, instances, best, chosen);               \
    }

MULTIDIM_PAIRS(multidim_pairs_i32, int)
MULTIDIM_PAIRS(multidim_pairs_i64, long long)
