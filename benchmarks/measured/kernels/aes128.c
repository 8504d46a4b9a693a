/* AES-128: key schedule and encryption of one block (FIPS 197). Software: four tables of 256 words, an S-box of 256 bytes.
   A state word is a column, its lowest byte row 0. */
#include "kernel.h"
#define IN_WORDS 8 /* key, block */
#define OUT_WORDS 4

static uint8_t sbox[256];
static uint32_t mix[4][256];

void setup(void) {
  uint8_t p = 1, q = 1; /* p runs through powers of 3, q through their inverses */
  do {
    p = p ^ p << 1 ^ (p & 0x80 ? 0x1b : 0);
    q ^= q << 1; q ^= q << 2; q ^= q << 4;
    if (q & 0x80) q ^= 0x09;
    uint8_t x = q ^ (q << 1 | q >> 7) ^ (q << 2 | q >> 6) ^ (q << 3 | q >> 5) ^ (q << 4 | q >> 4);
    sbox[p] = x ^ 0x63;
  } while (p != 1);
  sbox[0] = 0x63;
  for (int i = 0; i < 256; i++) {
    uint32_t s = sbox[i], s2 = (s << 1 ^ (s & 0x80 ? 0x11b : 0)) & 255, t = s2 | s << 8 | s << 16 | (s ^ s2) << 24;
    for (int row = 0; row < 4; row++) {
      mix[row][i] = t;
      t = t << 8 | t >> 24;
    }
  }
}

#if defined(B_AES1) /* one S-box: x ^ the contribution of row r of y, with or without MixColumns */
#define MIX(r, x, y) CUSTOM(UNIT_AES, 4 + (r), x, y)
#define SUB(r, x, y) CUSTOM(UNIT_AES, r, x, y)
#define COLUMN(a, b, c, d, k) MIX(3, MIX(2, MIX(1, MIX(0, k, a), b), c), d)
#define LAST(a, b, c, d, k) SUB(3, SUB(2, SUB(1, SUB(0, k, a), b), c), d)
#elif defined(B_AES2) /* two S-boxes: the contributions of row 0 of x and row 1 of y, or of rows 2 and 3 */
#define COLUMN(a, b, c, d, k) (CUSTOM(UNIT_AES, 4, a, b) ^ CUSTOM(UNIT_AES, 6, c, d) ^ (k))
#define LAST(a, b, c, d, k) (CUSTOM(UNIT_AES, 0, a, b) ^ CUSTOM(UNIT_AES, 2, c, d) ^ (k))
#else
#define COLUMN(a, b, c, d, k) (mix[0][(a) & 255] ^ mix[1][(b) >> 8 & 255] ^ mix[2][(c) >> 16 & 255] ^ mix[3][(d) >> 24] ^ (k))
#define LAST(a, b, c, d, k)                                                                     \
  ((sbox[(a) & 255] | sbox[(b) >> 8 & 255] << 8 | sbox[(c) >> 16 & 255] << 16 |                 \
    (uint32_t)sbox[(d) >> 24] << 24) ^ (k))
#endif

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  uint32_t k0 = in[0], k1 = in[1], k2 = in[2], k3 = in[3];
  uint32_t a = in[4] ^ k0, b = in[5] ^ k1, c = in[6] ^ k2, d = in[7] ^ k3, constant = 1;
  for (int round = 0;; round++) {
    uint32_t turned = k3 >> 8 | k3 << 24;
    k0 ^= LAST(turned, turned, turned, turned, constant);
    k1 ^= k0; k2 ^= k1; k3 ^= k2;
    constant = (constant << 1) ^ (0x11b & -(constant >> 7));
    if (round == 9) break;
    uint32_t p = COLUMN(a, b, c, d, k0), q = COLUMN(b, c, d, a, k1), r = COLUMN(c, d, a, b, k2);
    d = COLUMN(d, a, b, c, k3);
    a = p; b = q; c = r;
  }
  out[0] = LAST(a, b, c, d, k0);
  out[1] = LAST(b, c, d, a, k1);
  out[2] = LAST(c, d, a, b, k2);
  out[3] = LAST(d, a, b, c, k3);
}
