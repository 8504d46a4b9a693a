// Longest common subsequences, 32 rows a word: a strip of 1024 rows a warp, which runs through the columns behind the strip
// above it.
// targets: compute_70
//
// Source: H. Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004, after M. Crochemore, C. Iliopoulos, Y.
// Pinzon and J. Reid, Information Processing Letters 80, 2001. A bit stands for a row: 0 where the table's value rises
// from the row before to this one. With M the rows whose letter is the column's,
// Recurrence: U = V & M        V' = (V + U + carry in) | (V & ~M)
// and the carry out is 1 where the value in the last row rises from the column before to this one.
// A lane has 32 rows. It takes four columns at a time, one such run a step, two steps after the lane before it: the carries
// of a run pass to the next lane by one shuffle, which has a whole step of time. A lane that has no column yet, or none any
// more, takes columns without a letter, which change nothing.
//
// Layout:
//   rows, columns  a letter each, 0 .. letters - 1, padded by any to whole tiles of 1024
//   bits           a word for 32 rows, padded to whole tiles; all ones before the first launch
//   carries        for 32 columns the strips that are done with them (high word) and the carries out of the last of these
//                  (low word, the first column in the highest bit), padded to whole tiles; all 0 before the first launch
//   kept_columns   where keep is not 0: for every `every` strips, behind every `every` tiles of columns but where the
//                  table ends before or with the next column, their 32 * every words
//   kept_rows      where keep is not 0: below every `every` strips but the last, a bit a column in row_words words
//   progress       the next ticket, and not 0 once a wait was given up; both 0 before the first launch
// Requires: row_count, column_count at least 1; letters 1 .. 256; first_column a multiple of 1024, and width too unless the
// table ends there.
// Launch: one warp a block, a block for each strip from first_strip on, over `width` columns from first_column on; shared
// memory: (letters + 1) * 128 bytes. All strips above need to have passed these columns, and these strips those before.
// Work: a word and column some 8 operations. The strips of a launch take as long as its columns and 8 columns a lane.
// Checked against: the reference engine (tests/gpu/lcs.rs).

#include "progress.cuh"

constexpr int WARP = 32;
constexpr unsigned ALL = 0xffffffffu;
// Rows of a strip, and columns of a tile.
constexpr int SIDE = 1024;
// Columns that a lane takes in a step, and steps from a lane to the next.
constexpr int RUN = 4;
constexpr int LAG = 2;
// Runs of a word of carries and of a tile, and words of the columns that are staged together, one by each lane.
constexpr int WORD_RUNS = 32 / RUN;
constexpr int TILE_RUNS = SIDE / RUN;
constexpr int WORDS_A_STAGE = WARP / WORD_RUNS;
// Steps from the first lane's run to the last lane's, in whole stages and in whole words.
constexpr int BEHIND = (WARP - 1) * LAG;
constexpr int STAGES_BEHIND = (BEHIND + WARP - 1) / WARP;
constexpr int WORDS_BEHIND = STAGES_BEHIND * WORDS_A_STAGE;
// The step of eight after which the last lane has finished a word.
constexpr int WORD_ENDS = (BEHIND + WORD_RUNS - 1) % WORD_RUNS;
// Runs whose letters are at hand, and how many of them stand a second time behind the last, so that eight follow each other.
constexpr int RING = 4 * WARP;
constexpr int AGAIN = WORD_RUNS;
static_assert(SIDE == WARP * 32, "a lane has a word of rows");
static_assert(BEHIND + WARP <= RING, "a stage overwrites no run that a lane still needs");
static_assert((BEHIND + WORD_RUNS) / WORD_RUNS == WORDS_BEHIND, "the last lane's word ends so many words later");

__device__ __forceinline__ unsigned long long load_word(const unsigned long long* from) {
    unsigned long long value;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
    return value;
}

__device__ __forceinline__ void store_word(unsigned long long* to, unsigned long long value) {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}

// bits + found + the highest bit of `in`, which is shifted out; the carry is shifted into `out`.
__device__ __forceinline__ unsigned add(unsigned bits, unsigned found, unsigned& in, unsigned& out) {
    unsigned sum;
    asm("add.cc.u32 %0, %0, %0;\n\t"
        "addc.cc.u32 %1, %3, %4;\n\t"
        "addc.u32 %2, %2, %2;"
        : "+r"(in), "=r"(sum), "+r"(out)
        : "r"(bits), "r"(found));
    return sum;
}

// A lane's word over a column whose letter's masks begin at this byte.
__device__ __forceinline__ void column_of(unsigned& bits, unsigned& in, unsigned& out, unsigned at, const char* masks) {
    const unsigned mask = *reinterpret_cast<const unsigned*>(masks + at);
    const unsigned sum = add(bits, bits & mask, in, out);
    bits = sum | (bits & ~mask);
}

// Where the masks of a run's letters begin, 16 bits each; columns from `left` on have no letter.
__device__ __forceinline__ uint2 places_of(unsigned run, long long left, unsigned none) {
    unsigned at[RUN];
#pragma unroll
    for (int k = 0; k < RUN; ++k) {
        at[k] = k < left ? (run >> (8 * k) & 0xff) * (WARP * 4) : none;
    }
    return make_uint2(at[0] | at[1] << 16, at[2] | at[3] << 16);
}

struct Kept {
    unsigned* columns;
    unsigned* rows;
    long long row_words;
    int every;
};

template <bool KEEP>
__device__ __forceinline__ void strip_of(const unsigned char* __restrict__ columns, unsigned& own,
                                         unsigned long long* carries, unsigned* progress, uint2* ring,
                                         const char* masks, unsigned none, int strip, bool last, long long column_count,
                                         long long first_column, long long width, Kept kept) {
    const int lane = threadIdx.x;
    const int stages = (int)((width + WARP * RUN - 1) / (WARP * RUN));
    const int words = stages * WORDS_A_STAGE;
    const unsigned* const runs = reinterpret_cast<const unsigned*>(columns + first_column);
    carries += first_column / 32;
    for (int slot = lane; slot < RING + AGAIN; slot += WARP) {
        ring[slot] = make_uint2(none | none << 16, none | none << 16);
    }
    unsigned in = 0;
    unsigned out = 0;
    unsigned arriving = 0;
    unsigned behind_tile = 0;
    unsigned patience = Progress::MAX_POLLS;
    unsigned next_run = runs[lane];
    unsigned long long next_word = load_word(carries);
    for (int stage = 0; stage < stages + STAGES_BEHIND; ++stage) {
        const int run = stage * WARP + lane;
        const uint2 places = places_of(next_run, width - (long long)run * RUN, none);
        const int slot = run % RING;
        ring[slot] = places;
        if (slot < AGAIN) {
            ring[RING + slot] = places;
        }
        __syncthreads();
        if (stage + 1 < stages) {
            next_run = runs[run + WARP];
        }
        for (int part = 0; part < WORDS_A_STAGE; ++part) {
            const int word = stage * WORDS_A_STAGE + part;
            // The strip above may not be so far yet. Its next word is asked for before it is needed.
            unsigned long long above = next_word;
            if (word + 1 < words) {
                next_word = load_word(carries + word + 1);
            }
            while (word < words && (unsigned)(above >> 32) != (unsigned)strip && patience != 0) {
                above = load_word(carries + word);
                --patience;
            }
            const int first_step = word * WORD_RUNS;
            const uint4* const here =
                reinterpret_cast<const uint4*>(ring + (unsigned)(first_step - LAG * lane) % RING);
#pragma unroll
            for (int k = 0; k < WORD_RUNS; ++k) {
                const uint4 two = here[k / 2];
                const unsigned into = arriving;
                arriving = __shfl_up_sync(ALL, out, 1) << (32 - RUN);
                if (lane != 0) {
                    in = into;
                } else if (k == 0) {
                    in = word < words ? (unsigned)above : 0;
                }
                const unsigned front = k % 2 == 0 ? two.x : two.z;
                const unsigned back = k % 2 == 0 ? two.y : two.w;
                column_of(own, in, out, front & 0xffff, masks);
                column_of(own, in, out, front >> 16, masks);
                column_of(own, in, out, back & 0xffff, masks);
                column_of(own, in, out, back >> 16, masks);
                if (k == WORD_ENDS && lane == WARP - 1 && word >= WORDS_BEHIND) {
                    const int done = word - WORDS_BEHIND;
                    store_word(carries + done, (unsigned long long)(strip + 1) << 32 | out);
                    const long long at = first_column / 32 + done;
                    if (KEEP && (strip + 1) % kept.every == 0 && !last && at < kept.row_words) {
                        kept.rows[strip / kept.every * kept.row_words + at] = __brev(out);
                    }
                }
                // A tile's last run is odd, and the first lane is an even number of steps ahead.
                if (KEEP && k % 2 == 1 && (first_step + k + 1 - LAG * lane) % TILE_RUNS == 0) {
                    behind_tile = own;
                }
            }
            const int finished = first_step + WORD_RUNS - LAG * lane;
            if (KEEP && finished >= TILE_RUNS && finished % TILE_RUNS < WORD_RUNS) {
                const long long tiles = first_column / SIDE + finished / TILE_RUNS;
                const long long most = (column_count - 1) / ((long long)kept.every * SIDE);
                const long long before = tiles / kept.every - 1;
                if (tiles % kept.every == 0 && before < most) {
                    const long long place = (strip / kept.every * most + before) * kept.every + strip % kept.every;
                    kept.columns[place * WARP + lane] = behind_tile;
                }
            }
        }
    }
    if (patience == 0) {
        atomicExch(progress + Progress::GAVE_UP, 1u);
    }
}

extern "C" __global__ void __launch_bounds__(WARP)
    lcs_tiles(const unsigned char* __restrict__ rows, const unsigned char* __restrict__ columns, unsigned* bits,
              unsigned long long* carries, unsigned* kept_columns, unsigned* kept_rows, unsigned* progress,
              long long row_count, long long column_count, long long row_words, int letters, int first_strip,
              unsigned first_ticket, long long first_column, long long width, int every, int keep) {
    extern __shared__ unsigned masks[];
    __shared__ __align__(16) uint2 ring[RING + AGAIN];
    const int lane = threadIdx.x;
    unsigned ticket = 0;
    if (lane == 0) {
        ticket = atomicAdd(progress + Progress::TICKET, 1u) - first_ticket;
    }
    const int strip = first_strip + (int)__shfl_sync(ALL, ticket, 0);

    // Every lane has a column of masks of its own, so that only it touches them. Behind the last letter is none.
    for (int letter = 0; letter <= letters; ++letter) {
        masks[letter * WARP + lane] = 0;
    }
    const long long first_row = (long long)strip * SIDE + lane * 32;
    const uint4* const row_letters = reinterpret_cast<const uint4*>(rows + first_row);
    const uint4 half[2] = {row_letters[0], row_letters[1]};
    const unsigned four[8] = {half[0].x, half[0].y, half[0].z, half[0].w, half[1].x, half[1].y, half[1].z, half[1].w};
#pragma unroll
    for (int row = 0; row < 32; ++row) {
        if (first_row + row < row_count) {
            masks[(four[row / 4] >> (8 * (row % 4)) & 0xff) * WARP + lane] |= 1u << row;
        }
    }
    const char* const lane_masks = reinterpret_cast<const char*>(masks + lane);
    const unsigned none = letters * WARP * 4;
    const bool last = (long long)(strip + 1) * SIDE >= row_count;
    const Kept kept = {kept_columns, kept_rows, row_words, every};
    unsigned own = bits[(long long)strip * WARP + lane];
    if (keep != 0) {
        strip_of<true>(columns, own, carries, progress, ring, lane_masks, none, strip, last, column_count, first_column,
                       width, kept);
    } else {
        strip_of<false>(columns, own, carries, progress, ring, lane_masks, none, strip, last, column_count,
                        first_column, width, kept);
    }
    bits[(long long)strip * WARP + lane] = own;
}
