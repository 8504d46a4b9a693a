/* DES: encryption of four blocks with a key schedule made before (FIPS 46-3). A round's key is two words, one for S-boxes
   1, 3, 5, 7 and one for 2, 4, 6, 8, each S-box's six bits in the low bits of a byte. Software: eight tables of 64 words. */
#include "kernel.h"
#define IN_WORDS 40 /* 16 pairs of key words, 4 blocks */
#define OUT_WORDS 8

#ifdef B_DES
void setup(void) {}
#define F(r, odd, even) (CUSTOM(UNIT_DES, 0, r, odd) ^ CUSTOM(UNIT_DES, 1, r, even))
#else
static const char SBOX[8][65] = { /* by six bits as a number */
  "e04fd7142ef2bd813aa66ccb599503784f1ce882d46921b7f5cb937e3aa0560d",
  "f31d84e76fb2384e9c7021dac6095ba50de87ab1a34fd4125b86c76c90352ef9",
  "ad0790e96334f65a12d8c57ebc4b2f81d16a4d9086f93807b41f2ec35ba5e27c",
  "7dd8eb35066f90a31427825cb1ca4ef9a36f9006cab17dd8f91435eb5c27824e",
  "2ecb421c74a7bd6185503ffad309e8964b281cb7a1de728df69fc0596a3405e3",
  "ca1fa4f2972c698506d13d4ee07b53b894e3f25c2985cf3a7b0e41a716d0b86d",
  "4db02be7f40981da3ec3957c52af6816164bbdd8c1347ae7a9f5608f0e52932c",
  "d12f8d486af3b714ac9536eb500ec97272b14e1794cae82d0f6ca9d0f335568b"};
static const uint8_t P[32] = {16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10,
                              2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25};
static uint32_t table[8][64];

void setup(void) {
  for (int box = 0; box < 8; box++)
    for (int six = 0; six < 64; six++) {
      uint32_t digit = SBOX[box][six], x = (digit <= '9' ? digit - '0' : digit - 'a' + 10) << (28 - 4 * box), y = 0;
      for (int bit = 0; bit < 32; bit++) y |= (x >> (32 - P[bit]) & 1) << (31 - bit);
      table[box][six] = y;
    }
}

#define AT(box, x) table[box][(x) & 63]
#define F(r, odd, even) ({ uint32_t t_ = ror(r, 3) ^ (odd), u_ = rol(r, 1) ^ (even);                \
  AT(0, t_ >> 24) ^ AT(2, t_ >> 16) ^ AT(4, t_ >> 8) ^ AT(6, t_) ^                                \
  AT(1, u_ >> 24) ^ AT(3, u_ >> 16) ^ AT(5, u_ >> 8) ^ AT(7, u_); })
#endif

#define SWAP(a, b, n, mask) { uint32_t t_ = ((a) >> (n) ^ (b)) & (mask); b ^= t_; a ^= t_ << (n); }

__attribute__((noinline)) void kernel(const uint32_t *in, uint32_t *out) {
  for (const uint32_t *block = in + 32; block < in + IN_WORDS; block += 2) {
    uint32_t l = block[0], r = block[1];
#ifdef B_DES
    uint32_t left = CUSTOM(UNIT_DES, 2, l, r);
    r = CUSTOM(UNIT_DES, 3, l, r);
    l = left;
#else
    SWAP(l, r, 4, 0x0f0f0f0f) SWAP(l, r, 16, 0x0000ffff) SWAP(r, l, 2, 0x33333333) SWAP(r, l, 8, 0x00ff00ff)
    SWAP(l, r, 1, 0x55555555)
#endif
    for (const uint32_t *key = in; key < in + 32; key += 4) {
      l ^= F(r, key[0], key[1]);
      r ^= F(l, key[2], key[3]);
    }
#ifdef B_DES
    *out++ = CUSTOM(UNIT_DES, 4, r, l);
    *out++ = CUSTOM(UNIT_DES, 5, r, l);
#else
    SWAP(r, l, 1, 0x55555555) SWAP(l, r, 8, 0x00ff00ff) SWAP(l, r, 2, 0x33333333) SWAP(r, l, 16, 0x0000ffff)
    SWAP(r, l, 4, 0x0f0f0f0f)
    *out++ = r;
    *out++ = l;
#endif
  }
}
