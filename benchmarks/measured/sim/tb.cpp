// Runs a program on the core, as tb.v does: memory answers in the cycle after the request.
// Arguments: program (hex words), inputs (hex words), words per input, words per output, how many inputs.
// Output: a line per input, the kernel's cycles and its output.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "Vsoc.h"

static std::vector<uint32_t> words(const char *name) {
  FILE *file = fopen(name, "r");
  std::vector<uint32_t> all;
  for (unsigned word; file && fscanf(file, "%x", &word) == 1;) all.push_back(word);
  if (file) fclose(file);
  return all;
}

int main(int, char **argument) {
  std::vector<uint32_t> memory = words(argument[1]), inputs = words(argument[2]);
  size_t in_words = atoi(argument[3]), out_words = atoi(argument[4]), count = atoi(argument[5]), next = 0;
  memory.resize(1 << 15);
  auto at = [&](uint32_t address) -> uint32_t & { return memory[address >> 2 & 0x7fff]; };
  Vsoc soc;
  soc.mem_ready = 0;
  for (uint64_t cycle = 0;; cycle++) {
    soc.resetn = cycle > 8;
    soc.clk = 0;
    soc.eval();
    bool request = soc.mem_valid && !soc.mem_ready;
    uint32_t address = soc.mem_addr, data = soc.mem_wdata, strobe = soc.mem_wstrb;
    if (soc.trap) return fprintf(stderr, "the core trapped in cycle %lu\n", (unsigned long)cycle), 1;
    soc.clk = 1;
    soc.eval();
    soc.mem_ready = request;
    if (!request) continue;
    if (!strobe) {
      soc.mem_rdata = at(address);
    } else if (address == 0x10000000) {
      if (next == count || (next + 1) * in_words > inputs.size()) return 0;
      for (size_t i = 0; i < in_words; i++) at(data + 4 * i) = inputs[next * in_words + i];
      next++;
    } else if (address == 0x10000004) {
      printf("%u", data);
    } else if (address == 0x10000008) {
      for (size_t i = 0; i < out_words; i++) printf(" %08x", at(data + 4 * i));
      printf("\n");
    } else {
      uint32_t mask = 0;
      for (int lane = 0; lane < 4; lane++) mask |= strobe >> lane & 1 ? 0xffu << 8 * lane : 0;
      at(address) = (at(address) & ~mask) | (data & mask);
    }
  }
}
