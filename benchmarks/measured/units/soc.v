// PicoRV32 with the blocks that the parameters name. The units answer instructions of opcode custom-0 on the core's
// co-processor port: funct3 names the unit, funct7 the operation; every unit answers in the cycle after the request.
module port #(parameter CRC32 = 0, CRC8 = 0, SHA = 0, AES1 = 0, AES2 = 0, ROTXOR = 0, DES = 0, FUNNEL = 0)(
  input clk, input resetn, input valid, input [31:0] insn, input [31:0] a, input [31:0] b,
  output reg wr, output reg [31:0] rd, output wait_, output reg ready);
  wire [31:0] crc32, crc8, sha, aes, rotxor, des, funnel;
  generate
    if (CRC32) unit_crc32 u0(a, b, crc32); else assign crc32 = 0;
    if (SHA) unit_sha u1(insn[26:25], a, sha); else assign sha = 0;
    if (AES1) unit_aes1 u2(insn[26:25], insn[27], a, b, aes);
    else if (AES2) unit_aes2 u2(insn[26], insn[27], a, b, aes);
    else assign aes = 0;
    if (ROTXOR) unit_rotxor u3(insn[29:25], a, b, rotxor); else assign rotxor = 0;
    if (DES) unit_des u4(insn[27:25], a, b, des); else assign des = 0;
    if (FUNNEL) unit_funnel u5(insn[29:25], a, b, funnel); else assign funnel = 0;
    if (CRC8) unit_crc8 u6(a, b[7:0], crc8); else assign crc8 = 0;
  endgenerate
  wire [7:0] built = {1'b1, CRC8 != 0, FUNNEL != 0, DES != 0, ROTXOR != 0, AES1 != 0 || AES2 != 0, SHA != 0, CRC32 != 0};
  wire [2:0] unit = insn[14:12];
  assign wait_ = valid && insn[6:0] == 7'h0b && built[unit];
  always @(posedge clk) begin
    wr <= 0;
    ready <= 0;
    if (resetn && wait_ && !ready) begin
      wr <= 1;
      ready <= 1;
      rd <= (unit == 0 ? crc32 : 0) | (unit == 1 ? sha : 0) | (unit == 2 ? aes : 0) | (unit == 3 ? rotxor : 0)
          | (unit == 4 ? des : 0) | (unit == 5 ? funnel : 0) | (unit == 6 ? crc8 : 0)
          | (unit == 7 ? {a[7:0], a[15:8], a[23:16], a[31:24]} : 0);
    end
  end
endmodule

module soc #(parameter PORT = 0, CRC32 = 0, CRC8 = 0, SHA = 0, AES1 = 0, AES2 = 0, ROTXOR = 0, DES = 0, FUNNEL = 0,
                       MUL = 0, FMUL = 0, BSH = 0)(
  input clk, input resetn, output trap, output mem_valid, input mem_ready, output [31:0] mem_addr,
  output [31:0] mem_wdata, output [3:0] mem_wstrb, input [31:0] mem_rdata);
  wire valid, wr, wait_, ready;
  wire [31:0] insn, a, b, rd;
  generate
    if (PORT)
      port #(.CRC32(CRC32), .CRC8(CRC8), .SHA(SHA), .AES1(AES1), .AES2(AES2), .ROTXOR(ROTXOR), .DES(DES), .FUNNEL(FUNNEL))
        units(clk, resetn, valid, insn, a, b, wr, rd, wait_, ready);
    else
      assign {wr, wait_, ready, rd} = 0;
  endgenerate
  picorv32 #(.ENABLE_PCPI(PORT), .ENABLE_MUL(MUL), .ENABLE_FAST_MUL(FMUL), .BARREL_SHIFTER(BSH), .CATCH_MISALIGN(0)) cpu(
    .clk(clk), .resetn(resetn), .trap(trap), .mem_valid(mem_valid), .mem_ready(mem_ready), .mem_addr(mem_addr),
    .mem_wdata(mem_wdata), .mem_wstrb(mem_wstrb), .mem_rdata(mem_rdata), .irq(32'b0), .pcpi_valid(valid),
    .pcpi_insn(insn), .pcpi_rs1(a), .pcpi_rs2(b), .pcpi_wr(wr), .pcpi_rd(rd), .pcpi_wait(wait_), .pcpi_ready(ready));
endmodule
