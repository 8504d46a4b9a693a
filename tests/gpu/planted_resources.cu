// Errors planted in a kernel of several resources: its barriers are left out, or half of each warp skips them.
// targets: compute_70
// variants: race barrier

#if defined(VARIANT_race)
#define __syncthreads() ((void)0)
#else
#define __syncthreads()                              \
    do {                                             \
        if (threadIdx.x % 2 == 0) {                  \
            asm volatile("bar.sync 0;" ::: "memory"); \
        }                                            \
    } while (0)
#endif

#include "resources_front.cu"
