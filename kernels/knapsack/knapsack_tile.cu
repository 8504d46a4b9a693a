// Several light items of the 0-1 knapsack's dynamic program at once, a tile of cells a block in shared memory.
// targets: compute_70
//
// Source: Bellman's recurrence as in knapsack_step.cu, the halo of a stencil code: a tile with as many cells before it as
// the items weigh together can be carried through all of them without its neighbours.
// Recurrence: next[j] = min(previous[j] + leave, previous[j - weight] + take), item by item; after the last of them a loss
//             above `limit` becomes DEAD.
// Layout: rows as in knapsack_step.cu. items: `count` of the launch. Launched for the blocks of cells first_block ..
//         end_block - 1, tile_blocks a block of threads; the caller clears next_alive elsewhere.
//         taken: null, or for each item `taken_stride` bytes with a bit a cell of the launched blocks.
// Requires: halo, a multiple of 32, at least the sum of the weights; weights >= 1; losses as in knapsack_step.cu;
//           shared memory for 2 * (halo + tile) cells; blocks of a multiple of 32 threads.
// Work: a cell is read and written once in global memory, (halo + tile) / tile times with the halo, and an item reads
//       two cells and writes one in shared memory. After k items the first cells of the window, as many as these weigh,
//       are not right any more; they are not looked at again.
// Checked against: the reference engine (tests/gpu/knapsack.rs).

#include "knapsack.cuh"

template <class Cell>
__device__ __forceinline__ void tile(const Cell* __restrict__ previous, Cell* __restrict__ next,
                                     const unsigned char* __restrict__ previous_alive,
                                     unsigned char* __restrict__ next_alive, long long first_block, long long end_block,
                                     const Item* __restrict__ items, int count, int halo, int tile_blocks,
                                     typename Loss<Cell>::Sum limit, unsigned char* __restrict__ taken,
                                     long long taken_stride, Cell* window) {
    using Sum = typename Loss<Cell>::Sum;
    constexpr Sum DEAD = Loss<Cell>::DEAD;
    const int threads = blockDim.x;
    const int cells = halo + tile_blocks * BLOCK_CELLS;
    const long long tile_block = first_block + (long long)blockIdx.x * tile_blocks;
    const long long tile_end = lesser(tile_block + tile_blocks, end_block);
    const long long begin = tile_block * BLOCK_CELLS - halo;
    const long long lowest = begin < 0 ? 0 : begin >> BLOCK_SHIFT;
    bool some = false;
    for (long long block = lowest + threadIdx.x; block < tile_end; block += threads) {
        some |= previous_alive[block] != 0;
    }
    if (__syncthreads_or(some) == 0) {
        for (long long block = tile_block + threadIdx.x; block < tile_end; block += threads) {
            next_alive[block] = 0;
        }
        return;
    }
    Cell* from = window;
    Cell* to = window + cells;
    for (int i = threadIdx.x; i < cells; i += threads) {
        const long long cell = begin + i;
        const long long block = cell >> BLOCK_SHIFT;
        const bool alive = cell >= 0 && block < tile_end && previous_alive[block] != 0;
        from[i] = alive ? previous[cell] : (Cell)DEAD;
    }
    __syncthreads();
    int done = 0;
    for (int k = 0; k < count; ++k) {
        const int weight = (int)items[k].weight;
        const Sum leave = (Sum)lesser(items[k].leave, (unsigned long long)DEAD);
        const Sum take = (Sum)lesser(items[k].take, (unsigned long long)DEAD);
        done += weight;
        // From a multiple of 32 on, so that a warp always handles 32 cells of one word of bits.
        for (int i = (done & ~31) + threadIdx.x; i < cells; i += threads) {
            const Sum left = from[i] + leave;
            const Sum took = (i >= weight ? (Sum)from[i - weight] : DEAD) + take;
            to[i] = (Cell)lesser(lesser(left, took), DEAD);
            if (taken != nullptr && i >= halo) {
                const unsigned bits = __ballot_sync(0xffffffffu, took < left);
                const int at = i - halo;
                if (threadIdx.x % 32 == 0 && tile_block + at / BLOCK_CELLS < tile_end) {
                    const long long byte = (long long)blockIdx.x * tile_blocks * (BLOCK_CELLS / 8) + at / 8;
                    *reinterpret_cast<unsigned*>(taken + k * taken_stride + byte) = bits;
                }
            }
        }
        __syncthreads();
        Cell* const other = from;
        from = to;
        to = other;
    }
    for (long long block = tile_block; block < tile_end; ++block) {
        const int first = halo + (int)(block - tile_block) * BLOCK_CELLS;
        bool any = false;
        for (int i = threadIdx.x; i < BLOCK_CELLS; i += threads) {
            const Sum loss = from[first + i];
            any |= loss <= limit;
            next[block * BLOCK_CELLS + i] = (Cell)(loss <= limit ? loss : DEAD);
        }
        const bool alive = __syncthreads_or(any) != 0;
        if (threadIdx.x == 0) {
            next_alive[block] = alive;
        }
    }
}

extern __shared__ unsigned long long shared_words[];

#define TILE(SUFFIX, CELL)                                                                                         \
    extern "C" __global__ void __launch_bounds__(1024)                                                             \
        knapsack_tile_##SUFFIX(const CELL* previous, CELL* next, const unsigned char* previous_alive,              \
                               unsigned char* next_alive, long long first_block, long long end_block,              \
                               const Item* items, int count, int halo, int tile_blocks,                       \
                               Loss<CELL>::Sum limit, unsigned char* taken, long long taken_stride) {              \
        tile<CELL>(previous, next, previous_alive, next_alive, first_block, end_block, items, count, halo,         \
                   tile_blocks, limit, taken, taken_stride, reinterpret_cast<CELL*>(shared_words));                \
    }

FOR_EVERY_CELL(TILE)
