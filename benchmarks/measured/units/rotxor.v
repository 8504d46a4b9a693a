// The step of ChaCha20: (a ^ b) rotated left by 16, 12, 8 or 7; op is the distance.
module unit_rotxor(input [4:0] op, input [31:0] a, input [31:0] b, output [31:0] r);
  wire [31:0] x = a ^ b;
  assign r = op[4] ? {x[15:0], x[31:16]}
           : op[2] & op[3] ? {x[19:0], x[31:20]}
           : op[3] ? {x[23:0], x[31:24]}
           : {x[24:0], x[31:25]};
endmodule
