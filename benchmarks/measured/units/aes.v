// Parts of an AES round (FIPS 197). A word is a column, its lowest byte row 0; mix says whether MixColumns follows.
// The S-box: the inverse in GF(2^8) through GF(2^4) (z^2 = z + LAMBDA over y^4 + y + 1), then the affine map.
module aes_sbox(input [7:0] x, output [7:0] y);
  function [3:0] times(input [3:0] a, input [3:0] b);
    reg [6:0] p;
    begin
      p = ({7{b[0]}} & {3'b0, a}) ^ ({7{b[1]}} & {2'b0, a, 1'b0}) ^ ({7{b[2]}} & {1'b0, a, 2'b0}) ^ ({7{b[3]}} & {a, 3'b0});
      times = p[3:0] ^ {p[6], p[6] ^ p[5], p[5] ^ p[4], p[4]};
    end
  endfunction
  function [3:0] inverse(input [3:0] a); // in GF(2^4) modulo y^4 + y + 1
    case (a)
      0: inverse = 0; 1: inverse = 1; 2: inverse = 9; 3: inverse = 14; 4: inverse = 13; 5: inverse = 11; 6: inverse = 7;
      7: inverse = 6; 8: inverse = 15; 9: inverse = 2; 10: inverse = 12; 11: inverse = 5; 12: inverse = 10; 13: inverse = 4;
      14: inverse = 3; default: inverse = 8;
    endcase
  endfunction
  // INTO maps a byte to the tower field, OUT maps back and applies the affine map's matrix; a column per input bit.
  localparam [63:0] INTO = 64'hd342934828275001;
  localparam [63:0] OUT = 64'h056c65529dadab1f;
  localparam [3:0] LAMBDA = 10;
  function [7:0] linear(input [63:0] columns, input [7:0] v);
    integer i;
    begin
      linear = 0;
      for (i = 0; i < 8; i = i + 1) linear = linear ^ (v[i] ? columns[8 * i +: 8] : 8'h0);
    end
  endfunction
  wire [7:0] t = linear(INTO, x);
  wire [3:0] h = t[7:4], l = t[3:0];
  wire [3:0] norm = inverse(times(times(h, h), LAMBDA) ^ times(h, l) ^ times(l, l));
  assign y = linear(OUT, {times(h, norm), times(h ^ l, norm)}) ^ 8'h63;
endmodule

// The contribution of byte `row` of b to a column, added to a (as RISC-V's aes32esi and aes32esmi).
module unit_aes1(input [1:0] row, input mix, input [31:0] a, input [31:0] b, output [31:0] r);
  wire [7:0] s;
  aes_sbox box(b[8 * row +: 8], s);
  wire [7:0] s2 = {s[6:0], 1'b0} ^ (s[7] ? 8'h1b : 8'h00);
  wire [31:0] column = mix ? {s ^ s2, s, s, s2} : {24'h0, s};
  wire [31:0] once = row[0] ? {column[23:0], column[31:24]} : column;
  assign r = a ^ (row[1] ? {once[15:0], once[31:16]} : once);
endmodule

// The contributions of two bytes: rows 0 of a and 1 of b, or rows 2 of a and 3 of b.
module unit_aes2(input upper, input mix, input [31:0] a, input [31:0] b, output [31:0] r);
  wire [7:0] s, t;
  aes_sbox box0(upper ? a[23:16] : a[7:0], s);
  aes_sbox box1(upper ? b[31:24] : b[15:8], t);
  wire [7:0] s2 = {s[6:0], 1'b0} ^ (s[7] ? 8'h1b : 8'h00);
  wire [7:0] t2 = {t[6:0], 1'b0} ^ (t[7] ? 8'h1b : 8'h00);
  wire [31:0] low = mix ? {s ^ s2 ^ t, s ^ t, s ^ t2, s2 ^ t ^ t2} : {16'h0, t, s};
  assign r = upper ? {low[15:0], low[31:16]} : low;
endmodule
