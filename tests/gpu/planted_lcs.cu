// Errors planted in the kernel for longest common subsequences: its barriers are left out, or the two halves of
// the warp come to them apart (one half alone would wait for good: the other shuffles with it before the next barrier).
// targets: compute_70
// variants: race barrier

#if defined(VARIANT_race)
#define __syncthreads() ((void)0)
#else
#define __syncthreads()                                   \
    do {                                                  \
        if (threadIdx.x % 2 == 0) {                       \
            asm volatile("bar.sync 0;" ::: "memory");     \
        } else {                                          \
            asm volatile("bar.sync 0, 32;" ::: "memory"); \
        }                                                 \
    } while (0)
#endif

#include "lcs_tiles.cu"
