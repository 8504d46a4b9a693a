/* Runs the kernel over every input of the test bench. Addresses of the test bench:
   0x10000000 <- where to put the next input (the simulation ends if there is none); 0x10000004 <- cycles of the kernel;
   0x10000008 <- where the output is. */
#include KERNEL

#define PORT(address) (*(volatile uint32_t *)(address))

static uint32_t input[IN_WORDS], output[OUT_WORDS];

static inline uint32_t cycle(void) {
  uint32_t now;
  __asm__ volatile("rdcycle %0" : "=r"(now) : : "memory");
  return now;
}

int main(void) {
  setup();
  for (;;) {
    PORT(0x10000000) = (uint32_t)input;
    uint32_t start = cycle();
    kernel(input, output);
    uint32_t end = cycle();
    PORT(0x10000004) = end - start;
    PORT(0x10000008) = (uint32_t)output;
  }
}
