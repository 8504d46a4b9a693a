/* ChaCha20: one block of 64 bytes of key stream (RFC 8439). */
#include "kernel.h"
#define IN_WORDS 12 /* key, block counter, nonce */
#define OUT_WORDS 16

#ifdef B_ROTXOR
#define rotxor(a, b, n) CUSTOM(UNIT_ROTXOR, n, a, b)
#else
#define rotxor(a, b, n) ({ uint32_t x_ = (a) ^ (b); rol(x_, n); })
#endif
#define QUARTER(a, b, c, d)          \
  a += b; d = rotxor(d, a, 16);      \
  c += d; b = rotxor(b, c, 12);      \
  a += b; d = rotxor(d, a, 8);       \
  c += d; b = rotxor(b, c, 7);

void setup(void) {}

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  static const uint32_t text[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  uint32_t s0 = text[0], s1 = text[1], s2 = text[2], s3 = text[3], s4 = in[0], s5 = in[1], s6 = in[2], s7 = in[3];
  uint32_t s8 = in[4], s9 = in[5], s10 = in[6], s11 = in[7], s12 = in[8], s13 = in[9], s14 = in[10], s15 = in[11];
  for (int i = 0; i < 10; i++) {
    QUARTER(s0, s4, s8, s12) QUARTER(s1, s5, s9, s13) QUARTER(s2, s6, s10, s14) QUARTER(s3, s7, s11, s15)
    QUARTER(s0, s5, s10, s15) QUARTER(s1, s6, s11, s12) QUARTER(s2, s7, s8, s13) QUARTER(s3, s4, s9, s14)
  }
  out[0] = s0 + text[0]; out[1] = s1 + text[1]; out[2] = s2 + text[2]; out[3] = s3 + text[3];
  out[4] = s4 + in[0]; out[5] = s5 + in[1]; out[6] = s6 + in[2]; out[7] = s7 + in[3];
  out[8] = s8 + in[4]; out[9] = s9 + in[5]; out[10] = s10 + in[6]; out[11] = s11 + in[7];
  out[12] = s12 + in[8]; out[13] = s13 + in[9]; out[14] = s14 + in[10]; out[15] = s15 + in[11];
}
