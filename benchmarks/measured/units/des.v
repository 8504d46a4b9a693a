// DES (FIPS 46-3): op 0 and 1 are the halves of the round function of a with S-boxes 1, 3, 5, 7 and 2, 4, 6, 8, the key's
// six bits in the low bits of the bytes of b; 2 and 3 the words of the initial permutation of {a, b}, 4 and 5 of the final.
module unit_des(input [2:0] op, input [31:0] a, input [31:0] b, output reg [31:0] r);
  function [3:0] lookup(input [255:0] box, input [5:0] six);
    lookup = box[4 * six +: 4];
  endfunction
  wire [31:0] x = (op[0] ? {a[30:0], a[31]} : {a[2:0], a[31:3]}) ^ b;
  wire [15:0] odd = {
    lookup(256'hd0650aa3e739bc5f7b12964d288ec1f487305995bcc66aa318db2fe2417df40e, x[29:24]),
    lookup(256'hc72e5ab53ce2f14b70839f6809d4a61d18f2b4cbe75c8d21a56f43369e0970da, x[21:16]),
    lookup(256'h3e5043a6950cf96fd827ed1a7bc182b4698e903daff3055816db7a47c124bce2, x[13:8]),
    lookup(256'hc23925e0f8065f9a7ea7431c8ddbb4616186fa25c7593ce3ad18904f7eb20bd4, x[5:0])};
  wire [15:0] even = {
    lookup(256'h9fe25309c67c68b5214df43a1ba78ed05ab5906cad1207c9e4832bf67e48d13f, x[29:24]),
    lookup(256'he42872c5be53419f8dd71bac6009f63a9fe4ac1bc52872413a09f66053be8dd7, x[21:16]),
    lookup(256'hd68b0d617a14e0b7a3fc5892c52f3e498b35b70ee4d31d605896c2792f4af1ac, x[13:8]),
    lookup(256'hb865533f0d9ac6f0d28eac4971e41b27279ce005be6359ca417b3fa684d8f21d, x[5:0])};
  wire [31:0] s = op[0]
    ? {4'h0, even[15:12], 4'h0, even[11:8], 4'h0, even[7:4], 4'h0, even[3:0]}
    : {odd[15:12], 4'h0, odd[11:8], 4'h0, odd[7:4], 4'h0, odd[3:0], 4'h0};
  // the permutation P: output bit i (from the left) is input bit P(i)
  wire [31:0] p = {
    s[16], s[25], s[12], s[11], s[3], s[20], s[4], s[15], s[31], s[17], s[9], s[6], s[27], s[14], s[1], s[22],
    s[30], s[24], s[8], s[18], s[0], s[5], s[29], s[23], s[13], s[19], s[2], s[26], s[10], s[21], s[28], s[7]};
  reg [63:0] first, last;
  integer row, column;
  always @* begin
    for (row = 0; row < 8; row = row + 1)
      for (column = 0; column < 8; column = column + 1) begin
        // bit 8 row + column of the initial permutation is bit (57 or 56) + 2 row - 8 column, counted from the left
        first[63 - 8 * row - column] = bit_of({a, b}, (row < 4 ? 57 + 2 * row : 48 + 2 * row) - 8 * column);
        last[63 - ((row < 4 ? 57 + 2 * row : 48 + 2 * row) - 8 * column)] = bit_of({a, b}, 8 * row + column);
      end
    case (op)
      2: r = first[63:32];
      3: r = first[31:0];
      4: r = last[63:32];
      5: r = last[31:0];
      default: r = p;
    endcase
  end
  function bit_of(input [63:0] word, input integer place);
    bit_of = word[63 - place];
  endfunction
endmodule
