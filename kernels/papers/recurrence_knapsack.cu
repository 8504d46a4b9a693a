// The 0-1 knapsack: a row per item, a cell per capacity.
// targets: compute_70
//
// Printed once from the offsets and conditions that its comments repeat, by a generator that is no longer part of isx.
// Layout: cell j of wave d is (d + 1, j); before_1: the waves d - 1 and so on back. choices: 1 bits a cell, the first
//         cell's in the lowest bits of the first byte; may be null.
// Launch: 8 cells per thread, threads for all bytes of choices; one launch per wave.
// Checked against: the plain table (benchmarks/papers/tests/gpu).

using Cell = int;
using Index = long long;
constexpr int BITS = 1;
constexpr int CELLS = 8;
constexpr int BYTES = CELLS * BITS / 8;
static_assert(BYTES * 8 == CELLS * BITS, "the choices of a thread are whole bytes");

// Values that are stored together.
struct alignas(CELLS * sizeof(Cell) < 16 ? CELLS * sizeof(Cell) : 16) Values {
    Cell of[CELLS];
};

extern "C" __global__ void recurrence_knapsack(const Cell* before_1,
        Cell* next,
        unsigned char* choices,
        long long weight,
        long long profit,
        long long column_count,
        long long wave,
        long long cells,
        long long bytes) {
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (thread * BYTES >= bytes) {
        return;
    }
    const Index first = (Index)(thread * CELLS);
    Values values;
    unsigned packed = 0;
#pragma unroll
    for (int within = 0; within < CELLS; ++within) {
        const Index at = first + within;
        values.of[within] = 0;
        if (at >= cells) {
            continue;
        }
        const Index i = wave + 1;
        const Index j = at;
        (void)i;
        Cell best;
        unsigned choice;
        { // from (-1, 0)
            const Index column = j + 0;
            best = before_1[column];
            choice = 0;
        }
        { // from (-1, -weight) plus profit
            const Index column = j - weight;
            if (column >= 0 && column < cells) {
                const Cell value = before_1[column] + (Cell)(profit);
                choice = value > best ? 1 : choice;
                best = value > best ? value : best;
            }
        }
        values.of[within] = best;
        packed |= choice << (BITS * within);
    }
    if (first + CELLS <= cells) {
        *reinterpret_cast<Values*>(next + first) = values;
    } else {
        for (int within = 0; within < CELLS && first + within < cells; ++within) {
            next[first + within] = values.of[within];
        }
    }
    if (choices != nullptr) {
#pragma unroll
        for (int byte = 0; byte < BYTES; ++byte) {
            choices[thread * BYTES + byte] = (unsigned char)(packed >> (8 * byte));
        }
    }
}
