"""Writes measured.yaml from what lies in reports/: blocks, checks, and a choice for every run of a kernel.

    set.py > measured.yaml
"""
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PERIODS = {  # ours: together the software takes about 1.8 times the core's time
    "crc32": "4 ms", "sha256": "10 ms", "aes128": "4 ms", "chacha20": "5 ms", "des": "10 ms", "keccak": "40 ms",
    "fir": "40 ms", "biquad": "40 ms", "idct": "50 ms", "matmul": "50 ms"}
SLOTS = {"crc8": "crc", "crc32": "crc", "aes1": "aes", "aes2": "aes", "mul": "multiplier", "fmul": "multiplier",
         "fmul-dsp": "multiplier"}
MULTIPLIERS = ["mul", "fmul", "fmul-dsp"]
UNITS = ["crc8", "crc32", "sha", "aes1", "aes2", "rotxor", "des", "funnel"]
# All but `fmul` in LUTs, which fills the device.
TIMED = ["base", "bsh", "port", "mul", "fmul-dsp", *(f"port+{name}" for name in ["mul", "fmul-dsp", *UNITS])]


def timing(system):
    return sorted(f"reports/timing/{path.name}" for path in (ROOT / "reports/timing").glob("*.json")
                  if path.name.split(".")[0] == system)


def reports(system):
    """The reports of a system as a list in YAML."""
    area = sorted(f"reports/area/{path.name}" for path in (ROOT / "reports/area").iterdir()
                  if path.name.split(".")[0] == system)
    if not area:
        sys.exit(f"no report of {system}: make area")
    return f"[{', '.join(area)}]"


def clock(system):
    """Its clock, once all are there: a block without one would seem to be faster than the others."""
    return f"[{', '.join(timing(system))}]" if all(map(timing, TIMED)) and system in TIMED else ""


def block(name, system, less, slot):
    fmax = f", fmax: {{timing: {clock(system)}}}" if clock(system) else ""
    slot = f", slot: {slot}" if slot else ""
    print(f"  - {{name: {name}, cost: {{reports: {reports(system)}, less: {less}}}{fmax}{slot}}}")


def on_port(blocks):
    """The blocks of a system: a multiplier beside the port is a block of its own, since both share wires of the core."""
    return [f"{name}-on-port" if name in MULTIPLIERS and "port" in blocks else name for name in blocks]


def choices(kernel):
    for path in sorted((ROOT / "reports/runs").glob(f"{kernel}.*.json")):
        blocks = path.name[len(kernel) + 1:-len(".json")].split("+")
        if blocks == ["base"]:
            continue
        variants = [blocks]
        if "fmul" in blocks:  # in DSP blocks it is the same Verilog, so the same cycles
            variants.append(["fmul-dsp" if name == "fmul" else name for name in blocks])
        if set(blocks) & set(MULTIPLIERS):
            variants += [["port", *variant] for variant in variants]
        for variant in variants:
            yield on_port(variant), path.name


def main():
    print("""# Written by tools/set.py (make measured.yaml). Areas and cycles are measured; the clock and the periods are ours.
name: picorv32-measured
description: >-
  ten kernels of our own on a PicoRV32 with instructions, shifter and multipliers as blocks, on an iCE40UP5K;
  areas and cycles are measured, the clock and the periods are ours
source: reports of benchmarks/measured, by the tools that its README names
clock: 16 MHz
resources: {LUT: SB_LUT4, DSP: SB_MAC16}
device: iCE40UP5K""")
    timed = f", timing: {clock('base')}" if clock("base") else ""
    print(f"base: {{reports: {reports('base')}{timed}}}\nblocks:")
    block("bsh", "bsh", "base", "")
    block("port", "port", "base", "")
    for name in MULTIPLIERS:
        block(name, name, "base", "multiplier")
    for name in MULTIPLIERS:
        block(f"{name}-on-port", f"port+{name}", "[base, port]", "multiplier")
    for name in UNITS:
        block(name, f"port+{name}", "[base, port]", SLOTS.get(name))
    single = {"base", "bsh", "port", *MULTIPLIERS, *(f"port+{name}" for name in MULTIPLIERS + UNITS)}
    systems = sorted({path.name.split(".")[0] for path in (ROOT / "reports/area").iterdir()} - single)
    print("check:")
    for system in systems:
        print(f"  - {{blocks: [{', '.join(on_port(system.split('+')))}], reports: {reports(system)}}}")
    print("tasks:")
    for kernel, period in PERIODS.items():
        run = "{reports: [reports/runs/%s], name: cycles}"
        print(f"  - name: {kernel}\n    wcet: {run % f'{kernel}.base.json'}\n    period: {period}\n    choices:")
        for blocks, file in choices(kernel):
            print(f"      - {{name: {'+'.join(blocks)}, uses: [{', '.join(blocks)}], wcet: {run % file}}}")


main()
