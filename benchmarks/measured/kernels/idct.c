/* The inverse cosine transform of JPEG on 8 x 8 coefficients, by rows and columns: even and odd halves, constants with 13
   fractional bits, two fractional bits kept between the passes. */
#include "kernel.h"
#define IN_WORDS 64
#define OUT_WORDS 64

/* cos(k pi / 16) * 2**13 */
enum { C1 = 8035, C2 = 7568, C3 = 6811, C4 = 5793, C5 = 4551, C6 = 3135, C7 = 1598 };

static __attribute__((noinline)) void pass(const int32_t *in, int32_t *out, int shift16) {
  for (int i = 0; i < 8; i++, in += 8, out++) {
    int32_t p = mul16(in[0] + in[4], C4), q = mul16(in[0] - in[4], C4);
    int32_t r = mul16(in[2], C2) + mul16(in[6], C6), s = mul16(in[2], C6) - mul16(in[6], C2);
    int32_t even[4] = {p + r, q + s, q - s, p - r};
    int32_t odd[4] = {
      mul16(in[1], C1) + mul16(in[3], C3) + mul16(in[5], C5) + mul16(in[7], C7),
      mul16(in[1], C3) - mul16(in[3], C7) - mul16(in[5], C1) - mul16(in[7], C5),
      mul16(in[1], C5) - mul16(in[3], C1) + mul16(in[5], C7) + mul16(in[7], C3),
      mul16(in[1], C7) - mul16(in[3], C5) + mul16(in[5], C3) - mul16(in[7], C1)};
    for (int n = 0; n < 4; n++) {
      int32_t first = even[n] + odd[n], second = even[n] - odd[n];
      if (shift16) {
        out[8 * n] = (first + (1 << 15)) >> 16;
        out[8 * (7 - n)] = (second + (1 << 15)) >> 16;
      } else {
        out[8 * n] = (first + (1 << 11)) >> 12;
        out[8 * (7 - n)] = (second + (1 << 11)) >> 12;
      }
    }
  }
}

void setup(void) {}

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  int32_t rows[64]; /* transposed, so that the second pass reads rows again and gives the image back upright */
  pass((const int32_t *)in, rows, 0);
  pass(rows, (int32_t *)out, 1);
}
