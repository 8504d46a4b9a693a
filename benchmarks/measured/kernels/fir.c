/* A finite impulse response filter: 16 taps, 16 outputs, samples and coefficients of 16 bits, sums of 32. */
#include "kernel.h"
#define IN_WORDS 47 /* 31 samples, 16 coefficients */
#define OUT_WORDS 16

void setup(void) {}

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  for (int n = 0; n < 16; n++) {
    int32_t sum = 0;
    for (int tap = 0; tap < 16; tap++) sum += mul16(in[n + 15 - tap], in[31 + tap]);
    out[n] = sum;
  }
}
