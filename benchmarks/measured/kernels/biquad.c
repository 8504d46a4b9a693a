/* Two biquad sections in direct form I (a Butterworth low-pass of order 4 at a tenth of the sampling rate), coefficients
   with 14 fractional bits, 16 samples of 12 bits with 4 fractional bits more inside. */
#include "kernel.h"
#define IN_WORDS 16
#define OUT_WORDS 16

/* b0, b1, b2, a1, a2: scipy.signal.butter(4, 0.2, output='sos') * 2**14, the gain spread over both sections */
static const int16_t SECTION[2][5] = {{1138, 2276, 1138, -17180, 4852}, {1138, 2276, 1138, -21642, 10367}};

void setup(void) {}

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  int32_t x1[2] = {0, 0}, x2[2] = {0, 0}, y1[2] = {0, 0}, y2[2] = {0, 0};
  for (int n = 0; n < 16; n++) {
    int32_t x = in[n] << 4;
    for (int i = 0; i < 2; i++) {
      const int16_t *c = SECTION[i];
      int32_t sum = mul16(x, c[0]) + mul16(x1[i], c[1]) + mul16(x2[i], c[2]) - mul16(y1[i], c[3]) - mul16(y2[i], c[4]);
      int32_t y = (sum + (1 << 13)) >> 14;
      x2[i] = x1[i]; x1[i] = x; y2[i] = y1[i]; y1[i] = y;
      x = y;
    }
    out[n] = x;
  }
}
