"""Longest common subsequences against RapidFuzz and a program of two lists, by every engine that this machine has.

Small pairs are drawn here: over 1, 2, 4 or 256 letters, related or not, empty ones, text in UTF-8, as plain files and as
FASTA. For every pair and engine of `isx solve lcs A B` the length is that of a textbook program in Python integers and
that of RapidFuzz's LCSseq, and the places rise in both sequences, hold equal letters, spell the subsequence and are as
many as the length. Every engine names the same places, and the length alone is the same. Pairs of 100,000 letters are held
against RapidFuzz.
"""

import json
import random

from harness import Report, arguments, engines, run_isx, scratch
from rapidfuzz.distance import LCSseq

ALPHABETS = (1, 2, 4, 256)
WORDS = ("größer", "日本語テキスト", "naïve café", "Ελληνικά", "")


def related(rng, letters, alphabet):
    """The letters with some left out, changed and put in."""
    made = bytearray()
    for letter in letters:
        turn = rng.random()
        if turn < 0.1:
            continue
        made.append(rng.randrange(alphabet) if turn < 0.2 else letter)
        if turn > 0.95:
            made.append(rng.randrange(alphabet))
    return bytes(made)


def drawn(seed, most):
    """Two sequences of bytes and their kind."""
    rng = random.Random(seed)
    alphabet = ALPHABETS[seed % len(ALPHABETS)]
    if seed % 25 == 0 and most < 1000:
        words = [" ".join(rng.choice(WORDS) for _ in range(4)).encode() for _ in range(2)]
        return *words, "UTF-8"
    length = most if most >= 1000 else rng.randint(0, most)
    a = bytes(rng.randrange(alphabet) for _ in range(length))
    if rng.random() < 0.5:
        return a, related(rng, a, alphabet), f"{alphabet} letters, related"
    length = most if most >= 1000 else rng.randint(0, most)
    return a, bytes(rng.randrange(alphabet) for _ in range(length)), f"{alphabet} letters"


def textbook(a, b):
    """The length by the recurrence, in two rows."""
    before = [0] * (len(b) + 1)
    for one in a:
        here = [0]
        for at, other in enumerate(b):
            here.append(before[at] + 1 if one == other else max(before[at + 1], here[at]))
        before = here
    return before[-1]


def write(name, letters, as_fasta):
    """A file with these letters, in FASTA where that can hold them."""
    path = scratch() / name
    if as_fasta and letters and not any(letter in b">\n\r \t" for letter in letters):
        lines = [letters[at : at + 70] for at in range(0, len(letters), 70)]
        path.write_bytes(b"\n>record " + name.encode() + b"\r\n" + b"\r\n".join(lines) + b"\n\n")
    # What begins like a header, or ends like a line, is kept by a line end more.
    elif letters.lstrip(b"\r\n").startswith(b">"):
        return None
    else:
        path.write_bytes(letters + b"\n")
    return path


def spelled(answer):
    text = answer["subsequence"]
    return bytes.fromhex(answer["subsequence_base16"]) if text is None else text.encode()


def check(report, a, b, answer, length, facts):
    """The length and the places of an answer; the places."""
    report.same("length", answer["value"], str(length), **facts)
    picks = [tuple(pick) for pick in answer["picks"]]
    there = all(0 <= x < len(a) and 0 <= y < len(b) for x, y in picks)
    rising = all(x < v and y < w for (x, y), (v, w) in zip(picks, picks[1:]))
    report.same("places rise in both sequences", there and rising, True, **facts)
    if there:
        letters = bytes(a[x] for x, _ in picks)
        report.same("equal letters", bytes(b[y] for _, y in picks), letters, **facts)
        report.same("letters spelled", spelled(answer), letters, **facts)
    report.same("as many places as the length", len(picks), length, **facts)
    return picks


def pair(report, names, counts, seed, most):
    a, b, kind = drawn(seed, most)
    files = [write("a.txt", a, seed % 3 == 0), write("b.txt", b, seed % 5 == 0)]
    if None in files:
        return None
    length = LCSseq.similarity(list(a), list(b))
    if most < 1000:
        report.same("RapidFuzz against the textbook", length, textbook(a, b), seed=seed)
    places = None
    for engine in names:
        # The textbook table of the reference engine has 4 bytes a cell.
        if engine == "reference" and most >= 1000:
            continue
        facts = {"seed": seed, "kind": kind, "engine": engine}
        words = ("solve", "lcs", *files, "--json", "--engine", engine)
        picks = check(report, a, b, json.loads(run_isx(*words).stdout), length, facts)
        places = picks if places is None else places
        report.same("the same places by every engine", picks, places, **facts)
        alone = json.loads(run_isx(*words, "--length-only").stdout)
        report.same("length alone", alone["value"], str(length), **facts)
        counts["answers"] += 1
    counts["long pairs" if most >= 1000 else "small pairs"] += 1
    return [seed, kind, len(a), len(b), length]


def main():
    options = arguments(__doc__.split("\n")[0], pairs=400, long_pairs=8, letters=100_000)
    report, names = Report(options, "compare_lcs"), engines("lcs")
    counts = dict.fromkeys(("small pairs", "long pairs", "engines", "answers"), 0) | {"engines": len(names)}
    pairs = [pair(report, names, counts, seed, 200) for seed in range(1, options.pairs + 1)]
    pairs += [pair(report, names, counts, seed, options.letters) for seed in range(1, options.long_pairs + 1)]
    summary = (
        "Every engine's length is RapidFuzz's, and the places hold a common subsequence of that length."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    columns = ["seed", "kind", "letters of A", "letters of B", "length"]
    more = {"engines": names, "columns": columns, "pairs": [row for row in pairs if row]}
    return report.write(counts, summary + f" Engines: {', '.join(names)}.", **more)


if __name__ == "__main__":
    raise SystemExit(main())
