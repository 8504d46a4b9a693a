/* CRC-32 (IEEE 802.3, reflected) of a frame of 256 bytes. Software: a table of 256 words. */
#include "kernel.h"
#define IN_WORDS 64
#define OUT_WORDS 1

static uint32_t table[256];

void setup(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; bit++) c = c >> 1 ^ (0xedb88320 & -(c & 1));
    table[i] = c;
  }
}

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  uint32_t c = ~0u;
#if defined(B_CRC32)
  for (int i = 0; i < IN_WORDS; i++) c = CUSTOM(UNIT_CRC32, 0, c, in[i]);
#else
  const uint8_t *bytes = (const uint8_t *)in;
  for (int i = 0; i < 4 * IN_WORDS; i++)
#if defined(B_CRC8)
    c = CUSTOM(UNIT_CRC8, 0, c, bytes[i]);
#else
    c = c >> 8 ^ table[(c ^ bytes[i]) & 255];
#endif
#endif
  *out = ~c;
}
