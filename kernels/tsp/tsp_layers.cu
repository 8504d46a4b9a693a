// The travelling salesman problem by layers of subset size: the rows of one size from those of the size before, and where
// the two halves of a tour meet. A warp a set, a lane a city.
// targets: compute_70 compute_90
// variants: i32 i64
//
// Source: R. Bellman, J. ACM 9(1), 1962, and M. Held and R. M. Karp, J. SIAM 10(1), 1962; the meeting in the middle and the
// layout are isx's own.
// Recurrence, of the m cities but the first, lengths negated so that the largest is the shortest:
//   h(S, j) = max over i in S of  h(S \ {i}, i) + d(i, j)            for every city j not in S
//   best    = max over sets C of `size` cities and j not in C of  before(V \ C \ {j}, j) + after(C, j)
// after(C, .) is the row of C by the recurrence, computed here and joined at once, never stored.
// Layout:
//   from, to, after, before   for each set of k of the m cities a row of m - k cells, one for each city that is not in it,
//             smallest city first; sets in the order of their masks, which is that of their numbers: {e_1 < .. < e_k} is
//             number C(e_1, 1) + .. + C(e_k, k). Complements have the opposite order.
//   distances 32 rows of 32 cells, row i column j from city i to city j, 0 where there is no such city
//   choose    18 rows of 32, C(e, k) at 32 k + e
//   lengths, numbers   one a warp of the grid: the best of the sets that it joined, and the first such set's number
// Requires: m at most 32, at most 16 cities a set that is computed, sets of at most 17 that are read without one; distances
//   and sums of absolute size below 2^29 (i32) or 2^61 (i64); a whole number of warps a block, at most 8.
// Launch: any number of blocks, best as many as are at work at once; a warp takes RUN neighbouring sets at a time.
// Work: a set of k cities has k (m - k) candidates, for which a lane makes 32 sums whatever k is, from registers (one
//   instruction each on Hopper) and values that come four at a time by broadcast from shared memory; with the scan that
//   numbers its subsets a set takes some 100 instructions of a warp, so that 132 multiprocessors of 4 schedulers at 1.7 GHz
//   could pass 9 * 10^9 sets a second. Memory: k values from as many rows, a sector of 32 bytes each, and a row of m - k
//   cells written. Neighbouring sets read neighbouring rows, for they differ in their small elements, so most sectors serve
//   several sets while they are in the cache; without it 30 cities would move 2^28 (15 * 32 + 60) bytes = 145 GB in all,
//   40 ms at 3.9 TB/s, about what the instructions take. Cells of 64 bits double sums and rows.
// Checked against: the reference and layers engines (tests/gpu/tsp.rs).

#include "cells.cuh"

#if defined(VARIANT_i64)
typedef long long Cell;
// Less than every length by more than any distance, and no sum with a distance leaves the type.
constexpr Cell ABSENT = -(3LL << 61);
#else
typedef int Cell;
constexpr Cell ABSENT = -(3 << 29);
#endif

// Values are read four at a time.
struct alignas(16) Four {
    Cell of[4];
};
static_assert(sizeof(Four) == 4 * sizeof(Cell), "there is no padding");

constexpr int WARP = 32;
constexpr int MOST_WARPS = 8;
constexpr int CHOOSE_ROWS = 18;
constexpr unsigned RUN = 32;
constexpr unsigned ALL_LANES = 0xffffffffu;

// What a block keeps: the binomial coefficients, and for each warp the values that its set takes from the layer before.
struct Shared {
    unsigned choose[CHOOSE_ROWS * WARP];
    Four values[MOST_WARPS][WARP / 4];
};

__device__ __forceinline__ void fetch_choose(Shared& shared, const unsigned* __restrict__ choose) {
    for (int at = threadIdx.x; at < CHOOSE_ROWS * WARP; at += blockDim.x) {
        shared.choose[at] = choose[at];
    }
    __syncthreads();
}

// The mask of the set of k cities with that number: its largest is the largest e with C(e, k) <= number, and so on.
__device__ __forceinline__ unsigned mask_of(const Shared& shared, unsigned number, int k, int lane) {
    unsigned mask = 0;
    for (; k > 0; --k) {
        const unsigned before = shared.choose[k * WARP + lane];
        const int city = 31 - __clz(__ballot_sync(ALL_LANES, before <= number));
        number -= shared.choose[k * WARP + city];
        mask |= 1u << city;
    }
    return mask;
}

// The mask after this one with as many cities (R. W. Gosper): the lowest run's highest moves up, the others fall down.
__device__ __forceinline__ unsigned next(unsigned mask) {
    const unsigned lowest = mask & (0u - mask);
    const unsigned moved = mask + lowest;
    // The run ends below bit 32, so it is shifted in two steps that are each shorter than a word.
    return moved | ((mask ^ moved) >> 2) >> (__ffs(lowest) - 1);
}

// The value that the set takes by this lane's city: that of the set without it, at it. ABSENT where it is not in the set.
// `width` is the number of cells of a row of the layer.
__device__ __forceinline__ Cell source(const Shared& shared, const Cell* __restrict__ layer, int width, unsigned mask,
                                       unsigned number, int lane) {
    const bool inside = mask >> lane & 1;
    const int below = __popc(mask & ((1u << lane) - 1));
    // C(e, t) of the t-th city counts where a larger one is left out, C(e, t - 1) where a smaller one is.
    const unsigned own = inside ? shared.choose[(below + 1) * WARP + lane] : 0;
    const unsigned shifted = inside ? shared.choose[below * WARP + lane] : 0;
    unsigned sum = shifted - own;
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        const unsigned above = __shfl_down_sync(ALL_LANES, sum, step);
        sum += lane + step < WARP ? above : 0;
    }
    const unsigned without = number + sum - shifted;
    return inside ? layer[(unsigned long long)without * width + (lane - below)] : ABSENT;
}

// The row of a set at this lane's city.
__device__ __forceinline__ Cell row(Four* values, const Cell (&distance)[WARP], Cell value, int lane) {
    __syncwarp();
    values[lane / 4].of[lane % 4] = value;
    __syncwarp();
    Cell best = ABSENT;
#pragma unroll
    for (int four = 0; four < WARP / 4; ++four) {
        const Four value = values[four];
#pragma unroll
        for (int at = 0; at < 4; ++at) {
            best = add_max(value.of[at], distance[4 * four + at], best);
        }
    }
    return best;
}

__device__ __forceinline__ void fetch_distances(Cell (&distance)[WARP], const Cell* __restrict__ distances, int lane) {
#pragma unroll
    for (int city = 0; city < WARP; ++city) {
        distance[city] = distances[city * WARP + lane];
    }
}

extern "C" __global__ void tsp_layers_fill(const Cell* __restrict__ from, Cell* __restrict__ to,
                                           const Cell* __restrict__ distances, const unsigned* __restrict__ choose,
                                           int others, int size, unsigned sets) {
    __shared__ Shared shared;
    fetch_choose(shared, choose);
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;
    const unsigned warps = gridDim.x * (blockDim.x / WARP);
    Cell distance[WARP];
    fetch_distances(distance, distances, lane);
    const int width = others - size;
    // There are fewer than 2^31 sets, and far fewer warps times RUN.
    for (unsigned first = (blockIdx.x * (blockDim.x / WARP) + warp) * RUN; first < sets; first += warps * RUN) {
        unsigned mask = mask_of(shared, first, size, lane);
        const unsigned end = min(first + RUN, sets);
        for (unsigned number = first; number < end; ++number) {
            const Cell value = source(shared, from, width + 1, mask, number, lane);
            const Cell best = row(shared.values[warp], distance, value, lane);
            if (lane < others && !(mask >> lane & 1)) {
                const int place = lane - __popc(mask & ((1u << lane) - 1));
                to[(unsigned long long)number * width + place] = best;
            }
            mask = next(mask);
        }
    }
}

extern "C" __global__ void tsp_layers_join(const Cell* __restrict__ after, const Cell* __restrict__ before,
                                           const Cell* __restrict__ distances, const unsigned* __restrict__ choose,
                                           int others, int size, unsigned sets, unsigned last,
                                           Cell* __restrict__ lengths, unsigned* __restrict__ numbers) {
    __shared__ Shared shared;
    fetch_choose(shared, choose);
    const int lane = threadIdx.x % WARP;
    const int warp = threadIdx.x / WARP;
    const unsigned own = blockIdx.x * (blockDim.x / WARP) + warp;
    const unsigned warps = gridDim.x * (blockDim.x / WARP);
    Cell distance[WARP];
    fetch_distances(distance, distances, lane);
    const unsigned all = others == WARP ? ALL_LANES : (1u << others) - 1;
    Cell longest = Limits<Cell>::LEAST;
    unsigned with = 0xffffffffu;
    for (unsigned first = own * RUN; first < sets; first += warps * RUN) {
        unsigned mask = mask_of(shared, first, size, lane);
        const unsigned end = min(first + RUN, sets);
        for (unsigned number = first; number < end; ++number) {
            const Cell value = source(shared, after, others - size + 1, mask, number, lane);
            const Cell home = row(shared.values[warp], distance, value, lane);
            // The turning city is one of those left over, `last - number` is their set's number.
            const Cell out = source(shared, before, size + 1, all & ~mask, last - number, lane);
            if (all >> lane & ~(mask >> lane) & 1) {
                const Cell length = home + out;
                if (length > longest) {
                    longest = length;
                    with = number;
                }
            }
            mask = next(mask);
        }
    }
#pragma unroll
    for (int step = WARP / 2; step > 0; step /= 2) {
        const Cell other = __shfl_xor_sync(ALL_LANES, longest, step);
        const unsigned other_with = __shfl_xor_sync(ALL_LANES, with, step);
        if (other > longest || (other == longest && other_with < with)) {
            longest = other;
            with = other_with;
        }
    }
    if (lane == 0) {
        lengths[own] = longest;
        numbers[own] = with;
    }
}
