// Where two sweeps over the 0-1 knapsack's items meet within a capacity: the least cost, and the least weight that has it.
// targets: compute_70
//
// Source: the halves of E. Horowitz, S. Sahni, "Computing partitions with applications to the knapsack problem", JACM 1974,
// here of rows instead of lists: front[j] and back[p] hold the least losses of sets of the first and of the other items
// that weigh exactly j and p, and a unit of capacity left over costs the price.
// Join:   the least  front[j] + back[p] + price * (total - j - p)  with j + p <= total, of equal ones the least j + p.
//         With k = total - j the best p <= k is a running minimum of  back[p] + price * (k - p):  of two candidates p < q
//         the later one is dropped as soon as  back[p] + price * (q - p) <= back[q],  whatever k is. So three kernels make
//         a scan: Least (the candidate of every block of cells), Carry (the candidate of all blocks before each), Join.
// Layout: rows and alive bytes as in knapsack_step.cu. values, places: a candidate (loss, cell) a block of cells, NONE for
//         none. costs, weights: one each a block of threads.
// Requires: slack, the most capacity that is left over, at most total; price * slack <= 2^62; rows of at least
//           total / BLOCK_CELLS + 1 blocks.
// Work: each live cell of the back row is read twice, each of the front row once; Carry reads a candidate a block twice.
// Launch: Carry one block of CARRIERS threads; Least and Join any number of THREADS threads.
// Checked against: the reference engine (tests/gpu/several.rs).

#include "knapsack.cuh"

constexpr int THREADS = 256;
constexpr int CARRIERS = 1024;
constexpr int OWN = BLOCK_CELLS / THREADS;  // neighbouring cells of a thread
static_assert(OWN * THREADS == BLOCK_CELLS, "threads share a block of cells evenly");

typedef unsigned long long Number;
constexpr Number NONE = ~0ull;

// A weight of the back row, and its loss.
struct Candidate {
    Number loss;
    long long place;
};

__device__ __forceinline__ Candidate no_candidate() {
    return Candidate{NONE, 0};
}

// The one of two candidates that counts from the later one's place on.
__device__ __forceinline__ Candidate later_of(Candidate first, Candidate second, Number price, long long slack) {
    if (first.loss == NONE || second.loss == NONE) {
        return first.loss == NONE ? second : first;
    }
    const long long between = second.place - first.place;
    if (between > slack) {
        return second;
    }
    return first.loss + price * (Number)between <= second.loss ? first : second;
}

// The least of all threads' (loss, place), in the first thread.
__device__ __forceinline__ Candidate least_of_block(Candidate own) {
    __shared__ Number losses[THREADS];
    __shared__ long long places[THREADS];
    losses[threadIdx.x] = own.loss;
    places[threadIdx.x] = own.place;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            const Number other = losses[threadIdx.x + half];
            const long long place = places[threadIdx.x + half];
            const bool is_less = other < losses[threadIdx.x];
            if (is_less || (other == losses[threadIdx.x] && place < places[threadIdx.x])) {
                losses[threadIdx.x] = other;
                places[threadIdx.x] = place;
            }
        }
        __syncthreads();
    }
    return Candidate{losses[0], places[0]};
}

template <class Cell>
__device__ __forceinline__ void least(const Cell* __restrict__ row, const unsigned char* __restrict__ alive,
                                      long long total, Number price, long long slack, Number* __restrict__ values,
                                      long long* __restrict__ places) {
    const long long blocks = (total >> BLOCK_SHIFT) + 1;
    for (long long block = blockIdx.x; block < blocks; block += gridDim.x) {
        if (alive[block] == 0) {
            if (threadIdx.x == 0) {
                values[block] = NONE;
                places[block] = 0;
            }
            continue;
        }
        const long long first = block * BLOCK_CELLS;
        const long long end = lesser(first + BLOCK_CELLS - 1, total);
        // Compared by what they cost at the end of the block.
        Candidate best = no_candidate();
        for (long long cell = first + threadIdx.x; cell <= end; cell += THREADS) {
            const Number loss = row[cell];
            if (loss == Loss<Cell>::DEAD || end - cell > slack) {
                continue;
            }
            const Number cost = loss + price * (Number)(end - cell);
            if (cost < best.loss) {
                best = Candidate{cost, cell};
            }
        }
        best = least_of_block(best);
        if (threadIdx.x == 0) {
            values[block] = best.loss == NONE ? NONE : best.loss - price * (Number)(end - best.place);
            places[block] = best.place;
        }
        __syncthreads();
    }
}

// Replaces the candidate of every block by that of all blocks before it.
extern "C" __global__ void __launch_bounds__(CARRIERS)
    knapsack_carry(Number* __restrict__ values, long long* __restrict__ places, long long blocks, Number price,
                   long long slack) {
    __shared__ Candidate shared[CARRIERS];
    const long long share = (blocks + CARRIERS - 1) / CARRIERS;
    const long long first = lesser(blocks, share * (long long)threadIdx.x);
    const long long end = lesser(blocks, first + share);
    Candidate sum = no_candidate();
    for (long long block = first; block < end; ++block) {
        sum = later_of(sum, Candidate{values[block], places[block]}, price, slack);
    }
    shared[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        Candidate before = no_candidate();
        for (int thread = 0; thread < CARRIERS; ++thread) {
            const Candidate own = shared[thread];
            shared[thread] = before;
            before = later_of(before, own, price, slack);
        }
    }
    __syncthreads();
    Candidate before = shared[threadIdx.x];
    for (long long block = first; block < end; ++block) {
        const Candidate own = Candidate{values[block], places[block]};
        values[block] = before.loss;
        places[block] = before.place;
        before = later_of(before, own, price, slack);
    }
}

// Of each thread's candidate, the one of all threads before it.
__device__ __forceinline__ Candidate before_thread(Candidate own, Candidate before_all, Number price, long long slack) {
    __shared__ Candidate scanned[2][THREADS];
    int from = 0;
    scanned[from][threadIdx.x] = own;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        Candidate sum = scanned[from][threadIdx.x];
        if (threadIdx.x >= distance) {
            sum = later_of(scanned[from][threadIdx.x - distance], sum, price, slack);
        }
        scanned[1 - from][threadIdx.x] = sum;
        from = 1 - from;
        __syncthreads();
    }
    const Candidate before =
        threadIdx.x == 0 ? before_all
                         : later_of(before_all, scanned[from][threadIdx.x - 1], price, slack);
    __syncthreads();
    return before;
}

template <class Cell>
__device__ __forceinline__ void join(const Cell* __restrict__ front, const unsigned char* __restrict__ front_alive,
                                     const Cell* __restrict__ back, const unsigned char* __restrict__ back_alive,
                                     const Number* __restrict__ values, const long long* __restrict__ places,
                                     long long total, Number price, long long slack, Number* __restrict__ costs,
                                     long long* __restrict__ weights) {
    constexpr Number DEAD = Loss<Cell>::DEAD;
    const long long blocks = (total >> BLOCK_SHIFT) + 1;
    // The least cost, and in `place` the weight.
    Candidate best = no_candidate();
    for (long long block = blockIdx.x; block < blocks; block += gridDim.x) {
        const long long first = block * BLOCK_CELLS;
        const long long end = lesser(first + BLOCK_CELLS - 1, total);
        if (front_alive[(total - first) >> BLOCK_SHIFT] == 0 && front_alive[(total - end) >> BLOCK_SHIFT] == 0) {
            continue;
        }
        const bool is_alive = back_alive[block] != 0;
        Candidate before = Candidate{values[block], places[block]};
        if (before.loss != NONE && first - before.place > slack) {
            before = no_candidate();
        }
        if (!is_alive && before.loss == NONE) {
            continue;
        }
        const long long own = first + (long long)threadIdx.x * OWN;
        if (is_alive) {
            Candidate sum = no_candidate();
            for (long long cell = own; cell < own + OWN && cell <= end; ++cell) {
                const Number loss = back[cell];
                if (loss != DEAD) {
                    sum = later_of(sum, Candidate{loss, cell}, price, slack);
                }
            }
            before = before_thread(sum, before, price, slack);
        }
        for (long long cell = own; cell < own + OWN && cell <= end; ++cell) {
            if (is_alive) {
                const Number loss = back[cell];
                if (loss != DEAD) {
                    before = later_of(before, Candidate{loss, cell}, price, slack);
                }
            }
            const long long left_over = cell - before.place;
            const long long j = total - cell;
            if (before.loss == NONE || left_over > slack || front_alive[j >> BLOCK_SHIFT] == 0) {
                continue;
            }
            const Number of_front = front[j];
            if (of_front == DEAD) {
                continue;
            }
            const Number cost = of_front + before.loss + price * (Number)left_over;
            const long long weight = j + before.place;
            if (cost < best.loss || (cost == best.loss && weight < best.place)) {
                best = Candidate{cost, weight};
            }
        }
    }
    best = least_of_block(best);
    if (threadIdx.x == 0) {
        costs[blockIdx.x] = best.loss;
        weights[blockIdx.x] = best.place;
    }
}

#define JOIN(SUFFIX, CELL)                                                                                          \
    extern "C" __global__ void __launch_bounds__(THREADS)                                                           \
        knapsack_least_##SUFFIX(const CELL* row, const unsigned char* alive, long long total, Number price,         \
                                long long slack, Number* values, long long* places) {                               \
        least<CELL>(row, alive, total, price, slack, values, places);                                               \
    }                                                                                                               \
    extern "C" __global__ void __launch_bounds__(THREADS) knapsack_join_##SUFFIX(                                   \
        const CELL* front, const unsigned char* front_alive, const CELL* back, const unsigned char* back_alive,     \
        const Number* values, const long long* places, long long total, Number price, long long slack,              \
        Number* costs, long long* weights) {                                                                        \
        join<CELL>(front, front_alive, back, back_alive, values, places, total, price, slack, costs, weights);      \
    }

FOR_EVERY_CELL(JOIN)
