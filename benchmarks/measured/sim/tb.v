// The test bench of tb.cpp for Icarus. Parameters are the blocks; plusargs: program, inputs (files of hex words),
// in, out (words per input and output), count (how many inputs).
module tb #(parameter PORT = 0, CRC32 = 0, CRC8 = 0, SHA = 0, AES1 = 0, AES2 = 0, ROTXOR = 0, DES = 0, FUNNEL = 0,
            MUL = 0, FMUL = 0, BSH = 0);
  reg clk = 0, resetn = 0, mem_ready = 0;
  wire trap, mem_valid;
  wire [31:0] address, data;
  wire [3:0] strobe;
  reg [31:0] read, memory [0:32767], inputs [0:262143];
  reg [1023:0] name;
  integer in, out, count, next = 0, i;
  soc #(.PORT(PORT), .CRC32(CRC32), .CRC8(CRC8), .SHA(SHA), .AES1(AES1), .AES2(AES2), .ROTXOR(ROTXOR), .DES(DES),
        .FUNNEL(FUNNEL), .MUL(MUL), .FMUL(FMUL), .BSH(BSH))
    soc(clk, resetn, trap, mem_valid, mem_ready, address, data, strobe, read);
  always #5 clk = ~clk;
  initial begin
    for (i = 0; i < 32768; i = i + 1) memory[i] = 0;
    if ($value$plusargs("program=%s", name)) $readmemh(name, memory);
    if ($value$plusargs("inputs=%s", name)) $readmemh(name, inputs);
    if (!$value$plusargs("in=%d", in) || !$value$plusargs("out=%d", out) || !$value$plusargs("count=%d", count)) $finish;
    repeat (5) @(posedge clk);
    resetn <= 1;
  end
  always @(posedge clk) begin
    mem_ready <= mem_valid && !mem_ready;
    if (trap) begin
      $display("the core trapped");
      $finish;
    end
    if (mem_valid && !mem_ready) begin
      if (strobe == 0)
        read <= memory[address[16:2]];
      else if (address == 32'h10000000) begin
        if (next == count) $finish;
        for (i = 0; i < in; i = i + 1) memory[(data >> 2) + i] = inputs[next * in + i];
        next = next + 1;
      end else if (address == 32'h10000004)
        $write("%0d", data);
      else if (address == 32'h10000008) begin
        for (i = 0; i < out; i = i + 1) $write(" %08x", memory[(data >> 2) + i]);
        $write("\n");
      end else begin
        for (i = 0; i < 4; i = i + 1) if (strobe[i]) memory[address[16:2]][8 * i +: 8] = data[8 * i +: 8];
      end
    end
  end
endmodule
