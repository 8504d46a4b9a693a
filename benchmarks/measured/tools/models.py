"""Models of the units, and vectors for their netlists: funct3, funct7, a, b, expected result, in hex.

    models.py UNIT
"""
import random
import sys
import zlib

M = 0xffffffff


def rol(x, n):
    return (x << n | x >> 32 - n) & M


def gf(a, b):  # product of bytes modulo x^8 + x^4 + x^3 + x + 1
    r = 0
    while b:
        r ^= a if b & 1 else 0
        a = a << 1 ^ (0x11b if a & 0x80 else 0)
        b >>= 1
    return r


def sbox(x):
    y = 1
    for _ in range(254):  # x^254 is the inverse
        y = gf(y, x)
    r = 0x63
    for n in range(5):
        r ^= (y << n | y >> 8 - n) & 255
    return r


SBOX = [sbox(x) for x in range(256)]


def aes_byte(row, mix, byte):
    s = SBOX[byte]
    column = [gf(s, 2), s, s, gf(s, 3)] if mix else [s, 0, 0, 0]
    return rol(int.from_bytes(bytes(column), "little"), 8 * row)


def crc32(_, a, b):
    return zlib.crc32(b.to_bytes(4, "little"), a ^ M) ^ M


def crc8(_, a, b):
    return zlib.crc32(bytes([b & 255]), a ^ M) ^ M


def sha(op, a, _):
    turns = [(7, 18, None, 3), (17, 19, None, 10), (2, 13, 22, None), (6, 11, 25, None)][op]
    result = a >> turns[3] if turns[3] else 0
    for turn in turns[:3]:
        result ^= rol(a, 32 - turn) if turn else 0
    return result


def aes1(op, a, b):
    return a ^ aes_byte(op & 3, op >> 2, b >> 8 * (op & 3) & 255)


def aes2(op, a, b):
    row = op & 2
    return aes_byte(row, op >> 2, a >> 8 * row & 255) ^ aes_byte(row + 1, op >> 2, b >> 8 * (row + 1) & 255)


def rotxor(op, a, b):
    return rol(a ^ b, op)


def funnel(op, a, b):
    return (a << 32 | b) << op >> 32 & M


# FIPS 46-3: S-boxes as rows of 16, P and IP as the standard prints them
S = [
    "e4d12fb83a6c5907" "0f74e2d1a6cb9538" "41e8d62bfc973a50" "fc8249175b3ea06d",
    "f18e6b34972dc05a" "3d47f28ec01a69b5" "0e7ba4d158c6932f" "d8a13f42b67c05e9",
    "a09e63f51dc7b428" "d709346a285ecbf1" "d6498f30b12c5ae7" "1ad069874fe3b52c",
    "7de3069a1285bc4f" "d8b56f03472c1ae9" "a690cb7df13e5284" "3f06a1d8945bc72e",
    "2c417ab6853fd0e9" "eb2c47d150fa3986" "421bad78f9c5630e" "b8c71e2d6f09a453",
    "c1af92680d34e75b" "af427c9561de0b38" "9ef528c3704a1db6" "432c95fabe17608d",
    "4b2ef08d3c975a61" "d0b7491ae35c2f86" "14bdc37eaf680592" "6bd814a7950fe23c",
    "d2846fb1a93e50c7" "1fd8a374c56b0e92" "7b419ce206adf358" "21e74a8dfc90356b"]
P = [16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4, 25]
IP = [start - 8 * i for start in (58, 60, 62, 64, 57, 59, 61, 63) for i in range(8)]


def permute(x, places, width):
    return int("".join(str(x >> width - place & 1) for place in places), 2)


def des(op, a, b):
    if op >= 2:
        places = IP if op < 4 else [IP.index(i) + 1 for i in range(1, 65)]
        return permute(a << 32 | b, places, 64) >> (0 if op & 1 else 32) & M
    x = (rol(a, 1) if op else rol(a, 29)) ^ b
    s = 0
    for byte in range(4):  # from the left
        box = 2 * byte + op
        six = x >> 24 - 8 * byte & 63
        row, column = six >> 4 & 2 | six & 1, six >> 1 & 15
        s |= int(S[box][16 * row + column], 16) << 28 - 4 * box
    return permute(s, P, 32)


def rev8(_, a, _b):
    return int.from_bytes(a.to_bytes(4, "little"), "big")


UNITS = {  # funct3, operations, model
    "crc32": (0, [0], crc32), "sha": (1, range(4), sha), "aes1": (2, range(8), aes1), "aes2": (2, [0, 2, 4, 6], aes2),
    "rotxor": (3, [16, 12, 8, 7], rotxor), "des": (4, range(6), des), "funnel": (5, range(32), funnel), "crc8": (6, [0], crc8)}

if __name__ == "__main__":
    name = sys.argv[1]
    unit, operations, model = UNITS[name]
    draw = random.Random(f"{name} 2026")
    edges = [0, M, 1, 1 << 31] + [0x01010101 * i for i in range(256)]
    for number in range(4096):
        a, b = (draw.choice(edges) if number % 4 == 0 else draw.getrandbits(32) for _ in range(2))
        if number % 8 == 7:
            print(f"7 0 {a:08x} {b:08x} {rev8(0, a, b):08x}")
        else:
            op = draw.choice(list(operations))
            print(f"{unit} {op:02x} {a:08x} {b:08x} {model(op, a, b):08x}")
