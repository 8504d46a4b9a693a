// The upper word of {a, b} << op, 0 <= op < 32: rotations of 32 and of 64 bits.
module unit_funnel(input [4:0] op, input [31:0] a, input [31:0] b, output [31:0] r);
  wire [63:0] x = {a, b} << op;
  assign r = x[63:32];
endmodule
