// Errors planted in the kernel for longest common subsequences: its barriers are left out, or half of the warp comes to each
// one barrier earlier than the other half (were it to skip one, it would wait for good, since the other shuffles with it).
// targets: compute_70
// variants: race barrier

#if defined(VARIANT_race)
#define __syncthreads() ((void)0)
#else
#define BARRIER() asm volatile("bar.sync 0;" ::: "memory")
#define __syncthreads()             \
    do {                            \
        if (threadIdx.x % 2 == 0) { \
            BARRIER();              \
        }                           \
        BARRIER();                  \
        if (threadIdx.x % 2 != 0) { \
            BARRIER();              \
        }                           \
    } while (0)
#endif

#include "lcs_tiles.cu"
