// Errors planted in the kernel for longest common subsequences: its barriers are left out, or half of its warp skips one. The
// latter stands alone, before the kernel's work: its lanes shuffle with each other, and would wait for good.
// targets: compute_70
// variants: race barrier

#if defined(VARIANT_race)
#define __syncthreads() ((void)0)
#include "lcs_tiles.cu"
#else
extern "C" __global__ void __launch_bounds__(32)
    lcs_tiles(const unsigned char* rows, const unsigned char* columns, unsigned* bits, unsigned long long* carries,
              unsigned* kept_columns, unsigned* kept_rows, unsigned* progress, long long row_count,
              long long column_count, long long row_words, int letters, int first_strip, unsigned first_ticket,
              long long first_column, long long width, int every, int keep) {
    if (threadIdx.x % 2 == 0) {
        __syncthreads();
    }
    __syncthreads();
    bits[threadIdx.x] = rows[threadIdx.x];
}
#endif
