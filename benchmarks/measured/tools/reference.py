"""Inputs for the kernels, and what their outputs must be by code that is not ours.

    reference.py inputs KERNEL COUNT           a line of hex words per input: all zeros, all ones, then random ones
    reference.py words KERNEL                  how many words an input and an output have
    reference.py verify KERNEL INPUTS VERILATOR ICARUS
                                               compares the first simulation's lines (cycles, output) with the reference
                                               and the second's with the first's; prints a summary as JSON
"""
import hashlib
import json
import random
import struct
import sys
import zlib

WORDS = {  # of input and output
    "crc32": (64, 1), "sha256": (14, 8), "aes128": (8, 4), "chacha20": (12, 16), "des": (40, 8), "keccak": (34, 8),
    "fir": (47, 16), "biquad": (16, 16), "idct": (64, 64), "matmul": (72, 36)}


def pack(words):
    return struct.pack(f"<{len(words)}I", *[w & 0xffffffff for w in words])


def unpack(data):
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def signed(words):
    return [w - (1 << 32) if w >> 31 else w for w in words]


# DES's key schedule (FIPS 46-3): the kernel gets it ready, the reference checks it by deciphering with the key itself.
PC1 = [57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
       63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4]
PC2 = [14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2,
       41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32]


def des_schedule(key):
    bits = [key[(i - 1) // 8] >> (7 - (i - 1) % 8) & 1 for i in PC1]
    c, d, words = bits[:28], bits[28:], []
    for turn in [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1]:
        c, d = c[turn:] + c[:turn], d[turn:] + d[:turn]
        chosen = [(c + d)[i - 1] for i in PC2]
        six = [int("".join(map(str, chosen[6 * i:6 * i + 6])), 2) for i in range(8)]
        for half in (0, 1):
            words.append(sum(six[2 * i + half] << 24 - 8 * i for i in range(4)))
    return words



def inputs(kernel, count):
    draw = random.Random(f"{kernel} 2026")
    low, high = {"fir": (-2048, 2047), "biquad": (-2048, 2047), "idct": (-256, 255), "matmul": (-32768, 32767)}.get(
        kernel, (0, 0xffffffff))
    for i in range(count):
        if kernel == "des":
            key = bytes(8) if i == 0 else b"\xff" * 8 if i == 1 else draw.randbytes(8)
            blocks = bytes(32) if i == 0 else b"\xff" * 32 if i == 1 else draw.randbytes(32)
            yield des_schedule(key) + list(struct.unpack(">8I", blocks)), key
        else:
            edge = [0, -1 if low else high, high, low][i] if i < 4 else None
            yield [edge if edge is not None else draw.randint(low, high) for _ in range(WORDS[kernel][0])], None


def expected(kernel, words, key):
    """The output's words, or a function that judges them."""
    if kernel == "crc32":
        return [zlib.crc32(pack(words))]
    if kernel == "sha256":
        return list(
            struct.unpack(">8I", hashlib.sha256(pack(words)[:55]).digest()))
    if kernel == "keccak":
        return unpack(hashlib.sha3_256(pack(words)[:135]).digest())
    if kernel in ("aes128", "chacha20", "des"):
        from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
        if kernel == "aes128":
            data = pack(words)
            return unpack(Cipher(algorithms.AES(data[:16]), modes.ECB()).encryptor().update(data[16:]))
        if kernel == "chacha20":
            data = pack(words)
            return unpack(Cipher(algorithms.ChaCha20(data[:32], data[32:]), None).encryptor().update(bytes(64)))
        out = Cipher(TripleDES(key * 3), modes.ECB()).encryptor().update(struct.pack(">8I", *words[32:]))
        return list(struct.unpack(">8I", out))
    import numpy as np
    import scipy
    values = np.array(words, dtype=np.int64)
    if kernel == "fir":
        return [int(v) & 0xffffffff for v in np.convolve(values[:31], values[31:], "valid")]
    if kernel == "matmul":
        return [int(v) & 0xffffffff for v in (values[:36].reshape(6, 6) @ values[36:].reshape(6, 6)).flat]
    if kernel == "biquad":  # in floating point: each output within 2 of its 16 fractional steps' rounding
        sections = np.array([[1138, 2276, 1138, 16384, -17180, 4852], [1138, 2276, 1138, 16384, -21642, 10367]]) / 2**14
        wanted = scipy.signal.sosfilt(sections, values * 16)
        return lambda got: float(np.abs(np.array(signed(got)) - wanted).max()), 8.0
    if kernel == "idct":
        wanted = scipy.fft.idctn(values.reshape(8, 8), norm="ortho").flatten()
        return lambda got: float(np.abs(np.array(signed(got)) - wanted).max()), 1.0
    raise SystemExit(f"no kernel {kernel}")


def verify(kernel, inputs_file, output_file, icarus_file):
    wanted = list(inputs(kernel, sum(1 for _ in open(inputs_file))))
    lines = open(output_file).read().splitlines()
    cycles, largest, digest = [], 0.0, hashlib.sha256()
    for number, (line, (words, key)) in enumerate(zip(lines, wanted)):
        first, *rest = line.split()
        got = [int(word, 16) for word in rest]
        digest.update(pack(got))
        cycles.append(int(first))
        want = expected(kernel, words, key)
        if isinstance(want, tuple):
            error = want[0](got)
            largest = max(largest, error)
            good = error <= want[1]
        else:
            good = got == want
        if not good:
            raise SystemExit(f"{output_file}:{number + 1}: {kernel} is wrong: {got} instead of {want}")
    if not lines or len(lines) > len(wanted):
        raise SystemExit(f"{output_file}: {len(lines)} lines for {len(wanted)} inputs")
    again = open(icarus_file).read().splitlines()
    if not again or again != lines[:len(again)]:
        raise SystemExit(f"{icarus_file}: not the lines of {output_file}")
    summary = {"cycles": max(cycles), "least": min(cycles), "inputs": len(lines), "inputs_icarus": len(again), "outputs_sha256": digest.hexdigest()}
    if largest:
        summary["largest_error"] = round(largest, 4)
    return summary


if __name__ == "__main__":
    if sys.argv[1] == "inputs":
        for words, _ in inputs(sys.argv[2], int(sys.argv[3])):
            print(*[f"{w & 0xffffffff:08x}" for w in words])
    elif sys.argv[1] == "words":
        print(*WORDS[sys.argv[2]])
    else:
        print(json.dumps(verify(*sys.argv[2:6])))
