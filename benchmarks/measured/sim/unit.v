// Puts vectors (unit, operation, a, b, expected result: hex words) to the netlist of a port with one unit.
module unit_tb;
  reg clk = 0, resetn = 0, valid = 0;
  reg [31:0] insn, a, b, vectors [0:65535];
  wire [31:0] rd;
  wire wr, wait_, ready;
  reg [1023:0] name;
  integer count, i, differ = 0;
  port port(.clk(clk), .resetn(resetn), .valid(valid), .insn(insn), .a(a), .b(b), .wr(wr), .rd(rd), .wait_(wait_), .ready(ready));
  always #5 clk = ~clk;
  initial begin
    if (!$value$plusargs("vectors=%s", name) || !$value$plusargs("count=%d", count)) $finish;
    $readmemh(name, vectors);
    repeat (3) @(negedge clk);
    resetn = 1;
    for (i = 0; i < count; i = i + 1) begin
      insn = {vectors[5 * i + 1][6:0], 5'd2, 5'd1, vectors[5 * i][2:0], 5'd3, 7'h0b};
      a = vectors[5 * i + 2];
      b = vectors[5 * i + 3];
      valid = 1;
      @(negedge clk);
      if (!(wr === 1 && ready === 1 && wait_ === 1 && rd === vectors[5 * i + 4])) begin
        differ = differ + 1;
        if (differ < 10) $display("%08x(%08x, %08x) = %08x instead of %08x", insn, a, b, rd, vectors[5 * i + 4]);
      end
      valid = 0;
      @(negedge clk);
    end
    $display("%0d vectors, %0d differ", count, differ);
    $finish;
  end
endmodule
