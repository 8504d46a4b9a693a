// The longest common subsequence of two sequences.
// targets: compute_70
//
// Printed once from the offsets and conditions that its comments repeat, by a generator that is no longer part of isx.
// Layout: cell `at` of wave d is (i, d - i) with i = top(d) + at, top(d) = max(0, d - column_count); before_1,
//         before_2: the waves d - 1 and so on back. choices: 2 bits a cell, the first cell's in the lowest bits of
//         the first byte; may be null.
// Launch: 4 cells per thread, threads for all bytes of choices; one launch per wave.
// Checked against: the plain table (benchmarks/papers/tests/gpu).

using Cell = int;
using Index = int;
constexpr int BITS = 2;
constexpr int CELLS = 4;
constexpr int BYTES = CELLS * BITS / 8;
static_assert(BYTES * 8 == CELLS * BITS, "the choices of a thread are whole bytes");

// Values that are stored together.
struct alignas(CELLS * sizeof(Cell) < 16 ? CELLS * sizeof(Cell) : 16) Values {
    Cell of[CELLS];
};

extern "C" __global__ void recurrence_lcs(const Cell* before_1,
        const Cell* before_2,
        Cell* next,
        unsigned char* choices,
        const unsigned char* rows,
        const unsigned char* columns,
        long long column_count,
        long long wave,
        long long cells,
        long long bytes) {
    const long long thread = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (thread * BYTES >= bytes) {
        return;
    }
    const Index first = (Index)(thread * CELLS);
    const Index top_0 = (Index)(wave - 0 - column_count > 0 ? wave - 0 - column_count : 0);
    const Index top_1 = (Index)(wave - 1 - column_count > 0 ? wave - 1 - column_count : 0);
    const Index top_2 = (Index)(wave - 2 - column_count > 0 ? wave - 2 - column_count : 0);
    Values values;
    unsigned packed = 0;
#pragma unroll
    for (int within = 0; within < CELLS; ++within) {
        const Index at = first + within;
        values.of[within] = 0;
        if (at >= cells) {
            continue;
        }
        const Index i = top_0 + at;
        const Index j = (Index)wave - i;
        Cell best;
        unsigned choice;
        if (i == 0 || j == 0) {
            best = 0;
            choice = 0;
        } else {
            { // from (-1, 0) as 1
                const Index row = i - 1;
                best = before_1[row - top_1];
                choice = 1;
            }
            { // from (0, -1) as 2
                const Index row = i + 0;
                const Cell value = before_1[row - top_1];
                choice = value > best ? 2 : choice;
                best = value > best ? value : best;
            }
            { // from (-1, -1) if rows[i - 1] == columns[j - 1] plus 1 as 0
                const Index row = i - 1;
                if ((rows[i - 1] == columns[j - 1])) {
                    const Cell value = before_2[row - top_2] + (Cell)(1);
                    choice = value > best ? 0 : choice;
                    best = value > best ? value : best;
                }
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
