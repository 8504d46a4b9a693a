// Errors planted in the kernel of batches of small problems by rows: its barriers are left out, or half of each warp skips
// one before them all (one among them would have the block wait for good, and synccheck of CUDA 13.0 reports none after them).
// targets: compute_70
// variants: race barrier

#if defined(VARIANT_race)
#define __syncthreads() ((void)0)
#endif

#include "mckp_batch_rows.cu"

#if defined(VARIANT_barrier)
extern "C" __global__ void __launch_bounds__(BLOCK)
    mckp_batch_rows_barrier(const int4* records, const unsigned char* sizes, const int2* items, int2* found,
                            unsigned char* picks, const int* full, int* beyond, unsigned* store, int all, int slots,
                            int classes, int list, int bytes, int cells, int region) {
    extern __shared__ packed memory[];
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    }
    solve_some({{records, sizes, items, found, picks}, full, beyond, store, all, all, slots, classes, list, bytes,
                cells, region},
               memory, 0);
}
#endif
