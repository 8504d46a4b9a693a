// The travelling salesman problem, the sets of one size as a wave: their rows from those of the size before.
// targets: compute_70
//
// Source: R. Bellman, J. ACM 9(1), 1962, and M. Held and R. M. Karp, J. SIAM 10(1), 1962; as a wave: J. O'Connell and
//   C. Mumford, "An exact dynamic programming based method to solve optimisation problems using GPUs", 2014.
// Recurrence, of the m cities but the first:
//   h({}, j) = d(0, j)        h(S, j) = min over i in S of  h(S \ {i}, i) + d(i, j)        the last wave: h(all, home)
// Layout:
//   previous, next   for each set of `size` of the m cities a row of m - size cells, one for each city that is not in it,
//             smallest first, and one cell for the set of all; sets in the order of their masks, which is that of their
//             numbers: {e_1 < .. < e_k} is number C(e_1, 1) + .. + C(e_k, k)
//   choices   a byte per cell, the city i, of several the least; `bytes` of them are written; may be null
//   distances row i of 32, column j from city i to city j; in the last wave the way home in every column
//   start     32 cells, from the first city
//   choose    33 rows of 32, C(e, k) at 32 k + e, the greatest number where there is no city e
// Requires: m at most 32, size at most m, sums within the cells' type.
// Launch: blocks of 256 threads; a warp per set, a lane per city; one launch per wave.
// Work: a set of k cities has k (m - k) candidates, one per lane and step.
// Checked against: the textbook's table (benchmarks/papers/tests/gpu/families.rs).

constexpr int WARP = 32;
constexpr unsigned ALL_LANES = 0xffffffffu;

template <class Cell>
__device__ __forceinline__ void wave(const Cell* __restrict__ previous, Cell* __restrict__ next, unsigned char* choices,
                                     const Cell* __restrict__ distances, const Cell* __restrict__ start,
                                     const unsigned* __restrict__ choose, int others, int size, unsigned sets,
                                     unsigned long long bytes) {
    const int lane = threadIdx.x % WARP;
    const unsigned number = (unsigned)(((unsigned long long)blockIdx.x * blockDim.x + threadIdx.x) / WARP);
    if (number >= sets) {
        return;
    }
    // The set of that number: its largest city is the largest e with C(e, k) <= number, and so on.
    unsigned mask = 0;
    unsigned left = number;
    for (int k = size; k > 0; --k) {
        const unsigned before = choose[k * WARP + lane];
        const int city = 31 - __clz(__ballot_sync(ALL_LANES, before <= left));
        left -= choose[k * WARP + city];
        mask |= 1u << city;
    }
    const bool inside = mask >> lane & 1;
    const int below = __popc(mask & ((1u << lane) - 1));
    // The number of the set without this lane's city: C(e, t) of the t-th city becomes C(e, t - 1) above it.
    const unsigned own = inside ? choose[(below + 1) * WARP + lane] : 0;
    const unsigned shifted = inside ? choose[below * WARP + lane] : 0;
    unsigned sum = shifted - own;
#pragma unroll
    for (int step = 1; step < WARP; step *= 2) {
        const unsigned above = __shfl_down_sync(ALL_LANES, sum, step);
        sum += lane + step < WARP ? above : 0;
    }
    const unsigned without = number + sum - shifted;
    const Cell value =
        inside ? previous[(unsigned long long)without * (others - size + 1) + (lane - below)] : Cell(0);
    // In the wave of all cities, lane 0 goes home.
    const bool is_last = size == others;
    Cell best = size == 0 ? start[lane] : Cell(0);
    int by = 0;
    bool has_best = false;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const int city = __ffs(rest) - 1;
        const Cell length = __shfl_sync(ALL_LANES, value, city) + distances[city * WARP + lane];
        const bool is_shorter = !has_best || length < best;
        best = is_shorter ? length : best;
        by = is_shorter ? city : by;
        has_best = true;
    }
    const int width = is_last ? 1 : others - size;
    const bool writes = is_last ? lane == 0 : lane < others && !inside;
    const unsigned long long at = (unsigned long long)number * width + (is_last ? 0 : lane - below);
    if (writes) {
        next[at] = best;
        if (choices != nullptr) {
            choices[at] = (unsigned char)by;
        }
    }
    if (choices != nullptr && number == sets - 1) {
        for (unsigned long long byte = (unsigned long long)sets * width + lane; byte < bytes; byte += WARP) {
            choices[byte] = 0;
        }
    }
}

#define TSP_WAVE(NAME, CELL)                                                                                          \
    extern "C" __global__ void NAME(const CELL* previous, CELL* next, unsigned char* choices, const CELL* distances,  \
                                    const CELL* start, const unsigned* choose, int others, int size, unsigned sets,   \
                                    unsigned long long bytes) {                                                       \
        wave<CELL>(previous, next, choices, distances, start, choose, others, size, sets, bytes);                     \
    }

TSP_WAVE(tsp_wave_i64, long long)
