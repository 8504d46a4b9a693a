// One anti-diagonal of the table of two sequences from the two before, and two bits a cell that lead the walk back.
// targets: compute_70
//
// Source: J. O'Connell and C. Mumford, "An exact dynamic programming based method to solve optimisation problems using
// GPUs", 2014, section III.
// Recurrence: L(i, j) = L(i-1, j-1) + 1 where the i-th letter of the rows equals the j-th of the columns, else
//             max(L(i-1, j), L(i, j-1)); 0 where i or j is 0
// Layout: cell `at` of wave d is (i, d - i) with i = top(d) + at, top(d) = max(0, d - column_count); one, two: the waves
// d - 1 and d - 2. choices: a byte for every four cells, the first in its lowest bits: 0 a letter, 1 from above, 2 from
// the left; may be null.
// Launch: blocks of 256 threads, four cells per thread, threads for all bytes of choices; one launch per wave.
// Work: three cells and two letters read and a cell written, 16 bytes of which nearly all come from the caches.
// Checked against: the reference engine (benchmarks/papers/tests/gpu/families.rs).

constexpr int CELLS = 4;

extern "C" __global__ void lcs_wave(const int* one, const int* two, int* next, unsigned char* choices,
                                    const unsigned char* rows, const unsigned char* columns, int column_count,
                                    int wave, int cells, int bytes) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= bytes) {
        return;
    }
    const int top = max(0, wave - column_count);
    const int top_one = max(0, wave - 1 - column_count);
    const int top_two = max(0, wave - 2 - column_count);
    unsigned packed = 0;
#pragma unroll
    for (int within = 0; within < CELLS; ++within) {
        const int at = thread * CELLS + within;
        if (at >= cells) {
            break;
        }
        const int i = top + at;
        const int j = wave - i;
        int value = 0;
        unsigned choice = 2;
        if (i > 0 && j > 0) {
            const int up = one[i - 1 - top_one];
            const int left = one[i - top_one];
            value = rows[i - 1] == columns[j - 1] ? two[i - 1 - top_two] + 1 : max(up, left);
            choice = value == up ? 1 : value == left ? 2 : 0;
        }
        next[at] = value;
        packed |= choice << (2 * within);
    }
    if (choices != nullptr) {
        choices[thread] = (unsigned char)packed;
    }
}
