/* What every kernel shares. A build names the blocks of the hardware it may use: -DB_CRC32, -DB_MUL, ... */
#include <stdint.h>

/* Size in 32-bit words of a kernel's input and output; the kernel's file defines them and kernel(). */
void setup(void); /* fills tables, before any time counts */
void kernel(const uint32_t *in, uint32_t *out);

/* An instruction of the co-processor port: opcode custom-0, funct3 names the unit, funct7 the operation. */
#define CUSTOM(unit, operation, a, b)                                               \
  ({ uint32_t result_;                                                              \
     __asm__(".insn r 0x0b, %3, %4, %0, %1, %2"                                     \
             : "=r"(result_) : "r"(a), "r"(b), "i"(unit), "i"(operation));          \
     result_; })
#define UNIT_CRC32 0
#define UNIT_SHA 1
#define UNIT_AES 2
#define UNIT_ROTXOR 3
#define UNIT_DES 4
#define UNIT_FUNNEL 5
#define UNIT_CRC8 6
#define UNIT_REV8 7 /* part of the port */

#ifdef B_PORT
#define rev8(x) CUSTOM(UNIT_REV8, 0, x, 0)
#else
static inline uint32_t rev8(uint32_t x) {
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}
#endif

#ifdef B_FUNNEL /* the upper word of {a, b} << n, 0 < n < 32 */
#define funnel(a, b, n) CUSTOM(UNIT_FUNNEL, n, a, b)
#else
#define funnel(a, b, n) ((uint32_t)(a) << (n) | (uint32_t)(b) >> (32 - (n)))
#endif
#define rol(x, n) funnel(x, x, n)
#define ror(x, n) funnel(x, x, 32 - (n))

/* A signed product of which b has 16 bits. Without a multiplier: 16 steps without branches, so that the time does not
   depend on the operands, as that of libgcc's __mulsi3 does. */
#ifdef B_MUL
static inline int32_t mul16(int32_t a, int32_t b) { return a * b; }
#else
static __attribute__((noinline)) int32_t mul16(int32_t a, int32_t b) {
  uint32_t x = a, m = b, sum = 0;
#define STEP sum += x & -(m & 1); x <<= 1; m >>= 1;
  STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
#undef STEP
  return sum - (x & -(m & 1));
}
#endif
