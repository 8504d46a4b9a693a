// The system in the pins of an iCE40UP5K, for timing: 64 KiB of memory in two single-port RAMs, which answers as the test
// benches' memory does, and a lamp at 0x10000000. (A real board also needs something that fills the memory.)
module board #(parameter PORT = 0, CRC32 = 0, CRC8 = 0, SHA = 0, AES1 = 0, AES2 = 0, ROTXOR = 0, DES = 0, FUNNEL = 0,
                         MUL = 0, FMUL = 0, BSH = 0)(
  input clk, input resetn, output trap, output reg lamp);
  wire mem_valid;
  reg mem_ready;
  wire [31:0] address, data, read;
  wire [3:0] strobe;
  wire ram = mem_valid && !mem_ready && !address[28];
  soc #(.PORT(PORT), .CRC32(CRC32), .CRC8(CRC8), .SHA(SHA), .AES1(AES1), .AES2(AES2), .ROTXOR(ROTXOR), .DES(DES),
        .FUNNEL(FUNNEL), .MUL(MUL), .FMUL(FMUL), .BSH(BSH))
    system(clk, resetn, trap, mem_valid, mem_ready, address, data, strobe, read);
  genvar half;
  generate
    for (half = 0; half < 2; half = half + 1)
      SB_SPRAM256KA memory(
        .ADDRESS(address[15:2]), .DATAIN(data[16 * half +: 16]), .DATAOUT(read[16 * half +: 16]),
        .MASKWREN({{2{strobe[2 * half + 1]}}, {2{strobe[2 * half]}}}), .WREN(|strobe), .CHIPSELECT(ram), .CLOCK(clk),
        .STANDBY(1'b0), .SLEEP(1'b0), .POWEROFF(1'b1));
  endgenerate
  always @(posedge clk) begin
    mem_ready <= resetn && mem_valid && !mem_ready;
    if (mem_valid && address[28] && |strobe) lamp <= data[0];
  end
endmodule
