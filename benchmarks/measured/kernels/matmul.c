/* The product of two 6 x 6 matrices of 16-bit integers, sums of 32 bits. */
#include "kernel.h"
#define IN_WORDS 72
#define OUT_WORDS 36

void setup(void) {}

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      int32_t sum = 0;
      for (int k = 0; k < 6; k++) sum += mul16(in[6 * i + k], in[36 + 6 * k + j]);
      *out++ = sum;
    }
}
