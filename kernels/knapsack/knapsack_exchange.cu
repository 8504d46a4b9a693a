// A row of the 0-1 knapsack's losses on its way to another GPU: its live blocks of cells, close together.
// targets: compute_70
//
// Source: isx.
// Count:  the live blocks of a row.
// List:   their numbers, in any order.
// Pack:   packed block i = block list[i] of the row.  Unpack: the other way.
// Digest: a sum over the blocks of a list that a wrong, lost or displaced cell changes: a copy has its original's.
// Layout: rows and alive bytes as in knapsack_step.cu, read as words: a block of cells has `quads` of 16 bytes. sum: a
//         number, 0 before.
// Work: each byte of a live block is read and written once; a mark is read once.
// Launch: any number of blocks of THREADS threads.
// Checked against: one GPU (tests/gpu/several.rs).

constexpr int THREADS = 256;

typedef unsigned long long Number;

// Adds the numbers of all threads to `sum`.
__device__ __forceinline__ void add_up(Number own, Number* __restrict__ sum) {
    for (int half = 16; half > 0; half /= 2) {
        own += __shfl_down_sync(0xffffffffu, own, half);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(sum, own);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    knapsack_count(const unsigned char* __restrict__ alive, long long blocks, Number* __restrict__ sum) {
    Number own = 0;
    const long long stride = (long long)gridDim.x * THREADS;
    for (long long block = (long long)blockIdx.x * THREADS + threadIdx.x; block < blocks; block += stride) {
        own += alive[block] != 0;
    }
    add_up(own, sum);
}

extern "C" __global__ void __launch_bounds__(THREADS)
    knapsack_list(const unsigned char* __restrict__ alive, long long blocks, unsigned* __restrict__ list,
                  Number* __restrict__ sum) {
    const long long stride = (long long)gridDim.x * THREADS;
    for (long long block = (long long)blockIdx.x * THREADS + threadIdx.x; block < blocks; block += stride) {
        if (alive[block] != 0) {
            list[atomicAdd(sum, 1ull)] = (unsigned)block;
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    knapsack_pack(const uint4* __restrict__ row, const unsigned* __restrict__ list, long long count, long long quads,
                  uint4* __restrict__ packed) {
    for (long long i = blockIdx.x; i < count; i += gridDim.x) {
        for (long long at = threadIdx.x; at < quads; at += THREADS) {
            packed[i * quads + at] = row[list[i] * quads + at];
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    knapsack_unpack(uint4* __restrict__ row, const unsigned* __restrict__ list, long long count, long long quads,
                    const uint4* __restrict__ packed) {
    for (long long i = blockIdx.x; i < count; i += gridDim.x) {
        for (long long at = threadIdx.x; at < quads; at += THREADS) {
            row[list[i] * quads + at] = packed[i * quads + at];
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS)
    knapsack_digest(const Number* __restrict__ row, const unsigned* __restrict__ list, long long count, long long quads,
                    Number* __restrict__ sum) {
    Number own = 0;
    for (long long i = blockIdx.x; i < count; i += gridDim.x) {
        const long long first = list[i] * quads * 2;
        for (long long at = first + threadIdx.x; at < first + quads * 2; at += THREADS) {
            Number mixed = row[at] ^ (Number)(at + 1) * 0x9e3779b97f4a7c15ull;
            mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93ull;
            own += mixed ^ mixed >> 32;
        }
    }
    add_up(own, sum);
}
