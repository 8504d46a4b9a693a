// Steps of the reflected CRC-32 (0xedb88320): crc32 takes the word b, crc8 its lowest byte.
module unit_crc32(input [31:0] a, input [31:0] b, output reg [31:0] r);
  integer i;
  always @* begin
    r = a ^ b;
    for (i = 0; i < 32; i = i + 1) r = (r >> 1) ^ (r[0] ? 32'hedb88320 : 32'h0);
  end
endmodule

module unit_crc8(input [31:0] a, input [7:0] b, output reg [31:0] r);
  integer i;
  always @* begin
    r = a ^ {24'h0, b};
    for (i = 0; i < 8; i = i + 1) r = (r >> 1) ^ (r[0] ? 32'hedb88320 : 32'h0);
  end
endmodule
