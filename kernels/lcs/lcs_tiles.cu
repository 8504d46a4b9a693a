// Longest common subsequences, 32 rows a word: a tile of 1024 rows and 1024 columns of the table a warp, the tiles of an
// anti-diagonal a launch.
// targets: compute_70
//
// Source: H. Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004, after M. Crochemore, C. Iliopoulos, Y.
// Pinzon and J. Reid, Information Processing Letters 80, 2001. A bit stands for a row: 0 where the table's value rises
// from the row before to this one. With M the rows whose letter is the column's,
// Recurrence: U = V & M        V' = (V + U + carry in) | (V & ~M)
// and the carry out is 1 where the value in the last row rises from the column before to this one.
// A lane has 32 rows. It takes eight columns at a time, one such run after the lane before it, from which it has their eight
// carries; so carries move by one shuffle for eight columns.
//
// Layout:
//   rows, columns  a letter each, 0 .. letters - 1, padded by any to whole tiles
//   bits           a word for 32 rows, padded to whole tiles; all ones before the first launch
//   carries        a bit a column, padded to whole tiles; all 0 before the first launch
//   kept_columns   where keep is not 0: for every `every` tiles of rows, behind every `every` tiles of columns but where the
//                  table ends before or with the next column, their 32 * every words
//   kept_rows      where keep is not 0: below every `every` tiles of rows but the last, a bit a column in row_words words
// Requires: row_count, column_count at least 1; letters 1 .. 256.
// Launch: for every diagonal d from 0, one warp a block, a block for each tile (strip, d - strip) of the table, strips from
// `first` on; shared memory: letters * 128 bytes. A diagonal needs those before it.
// Work: a word and column some 12 operations; a tile about 159 runs of eight columns.
// Checked against: the reference engine (tests/gpu/lcs.rs).

constexpr int WARP = 32;
constexpr unsigned ALL = 0xffffffffu;
// Rows and columns of a tile.
constexpr int SIDE = 1024;
// Columns that a lane takes at a time.
constexpr int RUN = 8;
constexpr int RUNS = SIDE / RUN;
static_assert(SIDE == WARP * 32, "a lane has a word of rows and a word of the columns' carries");
static_assert(RUN == 8, "a run's letters are two words, its carries a byte");

// A lane's word over a run of columns, of which `count` are there; the carries go in and come out.
template <bool WHOLE>
__device__ __forceinline__ unsigned run_of(unsigned bits, unsigned& carries, uint2 letters, const unsigned* masks,
                                           int count) {
    unsigned out = 0;
#pragma unroll
    for (int k = 0; k < RUN; ++k) {
        const unsigned letter = (k < 4 ? letters.x : letters.y) >> (8 * (k % 4)) & 0xff;
        // A column that is not there has no letter.
        const unsigned mask = WHOLE || k < count ? masks[letter * WARP] : 0;
        const unsigned found = bits & mask;
        const unsigned sum = bits + found + (carries >> k & 1);
        out |= (found | (bits & ~sum)) >> 31 << k;
        bits = sum | (bits & ~mask);
    }
    carries = out;
    return bits;
}

extern "C" __global__ void __launch_bounds__(WARP)
    lcs_tiles(const unsigned char* __restrict__ rows, const unsigned char* __restrict__ columns, unsigned* bits,
              unsigned* carries, unsigned* __restrict__ kept_columns, unsigned* __restrict__ kept_rows,
              long long row_count, long long column_count, long long row_words, int letters, int diagonal, int first,
              int every, int keep) {
    extern __shared__ unsigned masks[];
    __shared__ uint2 own_letters[RUNS];
    __shared__ unsigned in_words[WARP];
    __shared__ unsigned out_words[WARP];
    const int lane = threadIdx.x;
    const int strip = first + blockIdx.x;
    const int tile = diagonal - strip;

    // Every lane has a column of masks of its own, so that only it touches them.
    for (int letter = 0; letter < letters; ++letter) {
        masks[letter * WARP + lane] = 0;
    }
    const long long first_row = (long long)strip * SIDE + lane * 32;
    const long long first_column = (long long)tile * SIDE;
    const uint4* const row_letters = reinterpret_cast<const uint4*>(rows + first_row);
    const uint4* const column_letters = reinterpret_cast<const uint4*>(columns + first_column);
    const uint4 half[2] = {row_letters[0], row_letters[1]};
    const unsigned four[8] = {half[0].x, half[0].y, half[0].z, half[0].w, half[1].x, half[1].y, half[1].z, half[1].w};
#pragma unroll
    for (int row = 0; row < 32; ++row) {
        if (first_row + row < row_count) {
            masks[(four[row / 4] >> (8 * (row % 4)) & 0xff) * WARP + lane] |= 1u << row;
        }
    }
    const int count = (int)min((long long)SIDE, column_count - first_column);
#pragma unroll
    for (int part = lane; part < SIDE / 16; part += WARP) {
        const uint4 letters_of_two = column_letters[part];
        own_letters[2 * part] = make_uint2(letters_of_two.x, letters_of_two.y);
        own_letters[2 * part + 1] = make_uint2(letters_of_two.z, letters_of_two.w);
    }
    in_words[lane] = carries[(long long)tile * WARP + lane];
    out_words[lane] = 0;
    unsigned own = bits[(long long)strip * WARP + lane];
    __syncthreads();

    const unsigned char* const in_bytes = reinterpret_cast<const unsigned char*>(in_words);
    unsigned char* const out_bytes = reinterpret_cast<unsigned char*>(out_words);
    const int runs = (count + RUN - 1) / RUN;
    unsigned carried = 0;
    for (int step = 0; step < runs + WARP - 1; ++step) {
        const int run = step - lane;
        unsigned into = __shfl_up_sync(ALL, carried, 1);
        if (run >= 0 && run < runs) {
            carried = lane == 0 ? in_bytes[run] : into;
            const int left = count - run * RUN;
            own = left >= RUN ? run_of<true>(own, carried, own_letters[run], masks + lane, RUN)
                              : run_of<false>(own, carried, own_letters[run], masks + lane, left);
            if (lane == WARP - 1) {
                out_bytes[run] = (unsigned char)carried;
            }
        }
    }
    __syncthreads();

    const unsigned out = out_words[lane];
    bits[(long long)strip * WARP + lane] = own;
    carries[(long long)tile * WARP + lane] = out;
    if (keep == 0) {
        return;
    }
    const int group = strip / every;
    const long long kept = (column_count - 1) / ((long long)every * SIDE);
    const int behind = (tile + 1) / every - 1;
    if ((tile + 1) % every == 0 && behind < kept) {
        kept_columns[((group * kept + behind) * every + strip % every) * WARP + lane] = own;
    }
    const long long word = (long long)tile * WARP + lane;
    if ((strip + 1) % every == 0 && (long long)(strip + 1) * SIDE < row_count && word < row_words) {
        kept_rows[group * row_words + word] = out;
    }
}
