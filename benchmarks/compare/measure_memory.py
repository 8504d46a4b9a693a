"""Whether `--max-memory` holds: the peak of whole commands, beside the limit that each was given.

30 runs of `isx explore` on generated sets (plain, blocks, resources, modes), some with proofs. The program itself, about 30 MB, comes on top of
the limit. Fails if a peak is more than a tenth above.
"""

import os

from harness import ISX, arguments, run_isx, scratch

SETS = {
    "plain 30 x 30": ["--tasks", 30, "--choices", 30, "--area", "100..50000", "--savings", "correlated:0.05..0.6"],
    "plain 100 x 10": ["--tasks", 100, "--choices", 10, "--area", "100..50000", "--savings", "correlated:0.05..0.6"],
    "40 x 12, 14 blocks": ["--tasks", 40, "--choices", 12, "--blocks", 14],
    "30 x 10, 12 blocks": ["--tasks", 30, "--choices", 10, "--blocks", 12],
    "34 x 8, LUT and FF": ["--tasks", 34, "--choices", 8, "--resources", "LUT:1..1500,FF:1..1500"],
    "24 x 6, three resources, 5 blocks": ["--tasks", 24, "--choices", 6, "--resources", "LUT:1..1500,DSP:0..4,FF:10..900", "--blocks", 5],
    "20 x 6, 4 modes, 6 blocks": ["--tasks", 20, "--choices", 6, "--modes", 4, "--blocks", 6],
    "12 x 5, 2 modes, two resources": ["--tasks", 12, "--choices", 5, "--modes", 2, "--resources", "LUT:1..1500,DSP:0..4"],
}
OWN, SPARE = 30e6, 1.1


def peak(words):
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        os.chdir(scratch())
        os.execv(ISX, [str(ISX), *map(str, words)])
    _, status, usage = os.wait4(pid, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_maxrss * 1024


def main():
    options = arguments(__doc__.split("\n")[0])
    paths = {}
    for seed, (name, recipe) in enumerate(SETS.items(), 3):
        paths[name] = scratch() / f"{seed}.yaml"
        run_isx("generate", "taskset", *recipe, "--seed", seed, "-o", paths[name])
    names = list(SETS)
    runs = [(name, megabytes, []) for name in names for megabytes in (32, 100, 400)]
    runs += [(names[at], 150, ["--prove"]) for at in (0, 2, 4, 7)]
    runs += [(names[at], 200, ["--certificate", scratch() / "proof"]) for at in (1, 3)]
    lines, above = [], 0
    for name, megabytes, flags in runs:
        code, most = peak(["explore", paths[name], "--json", "--max-memory", f"{megabytes}MB", *flags])
        share = (most - OWN) / (megabytes * 1e6)
        above += share > SPARE
        lines.append(f"{name:34} {megabytes:4} MB {' '.join(map(str, flags[:1])):14} exit {code} peak {most / 1e6:5.0f} MB, without the program {share:5.2f} of the limit")
    lines.append(f"{len(runs)} runs, {above} above {SPARE} times the limit")
    (options.out / "runs.txt").write_text("\n".join(lines) + "\n")
    print(lines[-1])
    return 1 if above else 0


if __name__ == "__main__":
    raise SystemExit(main())
