// The four sums of rotations of SHA-256 (FIPS 180-4, section 4.1.2): op 0 and 1 the small sigmas, 2 and 3 the large ones.
module unit_sha(input [1:0] op, input [31:0] a, output [31:0] r);
  function [31:0] ror(input [31:0] x, input integer n);
    ror = (x >> n) | (x << (32 - n));
  endfunction
  assign r = op == 0 ? ror(a, 7) ^ ror(a, 18) ^ (a >> 3)
           : op == 1 ? ror(a, 17) ^ ror(a, 19) ^ (a >> 10)
           : op == 2 ? ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)
           : ror(a, 6) ^ ror(a, 11) ^ ror(a, 25);
endmodule
