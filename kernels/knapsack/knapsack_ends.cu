// The ends of a sweep over the 0-1 knapsack's items: the row it starts from, and the least loss where two rows meet.
// targets: compute_70
//
// Source: D. S. Hirschberg, "A linear space algorithm for computing maximal common subsequences", CACM 1975: the state
// that a best path passes half way is where the sum of a sweep from the front and one from the back is least.
// Start:  row[j] = price * j for j <= count, else DEAD: the losses of so much capacity left over, or of none (count 0).
// Meet:   the least of  front[j] + back[total - j]  (back null: front[j] + price * (total - j)) over from <= j < end, and
//         a cell j where it is reached; every block of threads writes its own to losses and cells.
// Layout: rows and alive bytes as in knapsack_step.cu. Start is launched for all blocks of cells from 0 to that of
//         `count`. losses, cells: one each a block of threads.
// Requires: price * j below DEAD wherever it is formed; from < end <= total + 1; in Meet THREADS threads a block.
// Work: Start writes each cell once; Meet reads each live cell of both rows once.
// Checked against: the reference engine (tests/gpu/knapsack.rs).

#include "knapsack.cuh"

constexpr int THREADS = 256;

template <class Cell>
__device__ __forceinline__ void start(Cell* __restrict__ row, unsigned char* __restrict__ alive, long long count,
                                      typename Loss<Cell>::Sum price) {
    using Sum = typename Loss<Cell>::Sum;
    for (int i = threadIdx.x; i < BLOCK_CELLS; i += blockDim.x) {
        const long long cell = (long long)blockIdx.x * BLOCK_CELLS + i;
        row[cell] = (Cell)(cell <= count ? price * (Sum)cell : Loss<Cell>::DEAD);
    }
    if (threadIdx.x == 0) {
        alive[blockIdx.x] = 1;
    }
}

template <class Cell>
__device__ __forceinline__ void meet(const Cell* __restrict__ front, const unsigned char* __restrict__ front_alive,
                                     const Cell* __restrict__ back, const unsigned char* __restrict__ back_alive,
                                     long long total, unsigned long long price, long long from, long long end,
                                     unsigned long long* __restrict__ losses, long long* __restrict__ cells) {
    using Sum = typename Loss<Cell>::Sum;
    constexpr unsigned long long NONE = ~0ull;
    __shared__ unsigned long long least[THREADS];
    __shared__ long long least_at[THREADS];
    unsigned long long best = NONE;
    long long best_at = from;
    const long long end_block = (end - 1) >> BLOCK_SHIFT;
    for (long long block = (from >> BLOCK_SHIFT) + blockIdx.x; block <= end_block; block += gridDim.x) {
        if (front_alive[block] == 0) {
            continue;
        }
        const long long first = block << BLOCK_SHIFT;
        const long long last = lesser(first + BLOCK_CELLS, end);
        for (long long j = first + threadIdx.x; j < last; j += THREADS) {
            const Sum own = front[j];
            if (own == Loss<Cell>::DEAD || j < from) {
                continue;
            }
            const long long rest = total - j;
            unsigned long long loss = own;
            if (back == nullptr) {
                loss += price * (unsigned long long)rest;
            } else if (back_alive[rest >> BLOCK_SHIFT] == 0) {
                continue;
            } else {
                const Sum other = back[rest];
                if (other == Loss<Cell>::DEAD) {
                    continue;
                }
                loss += other;
            }
            if (loss < best) {
                best = loss;
                best_at = j;
            }
        }
    }
    least[threadIdx.x] = best;
    least_at[threadIdx.x] = best_at;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half && least[threadIdx.x + half] < least[threadIdx.x]) {
            least[threadIdx.x] = least[threadIdx.x + half];
            least_at[threadIdx.x] = least_at[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        losses[blockIdx.x] = least[0];
        cells[blockIdx.x] = least_at[0];
    }
}

#define ENDS(SUFFIX, CELL)                                                                                          \
    extern "C" __global__ void knapsack_start_##SUFFIX(CELL* row, unsigned char* alive, long long count,            \
                                                       Loss<CELL>::Sum price) {                                     \
        start<CELL>(row, alive, count, price);                                                                      \
    }                                                                                                               \
    extern "C" __global__ void __launch_bounds__(THREADS) knapsack_meet_##SUFFIX(                                   \
        const CELL* front, const unsigned char* front_alive, const CELL* back, const unsigned char* back_alive,     \
        long long total, unsigned long long price, long long from, long long end, unsigned long long* losses,       \
        long long* cells) {                                                                                         \
        meet<CELL>(front, front_alive, back, back_alive, total, price, from, end, losses, cells);                   \
    }

FOR_EVERY_CELL(ENDS)
