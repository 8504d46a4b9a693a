"""Writes measure.yaml from what lies in reports/: blocks, checks, and a choice for every run of a kernel.

    manifest.py > measure.yaml
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
    area = sorted(f"reports/area/{path.name}" for path in (ROOT / "reports/area").iterdir()
                  if path.name.split(".")[0] == system)
    if not area:
        sys.exit(f"no report of {system}: make area")
    # Clocks count once all are there: a block without one would seem to be faster than the others.
    clocks = f", timing: [{', '.join(timing(system))}]" if all(map(timing, TIMED)) and system in TIMED else ""
    return f"reports: [{', '.join(area)}]{clocks}"


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
    print("""# Written by tools/manifest.py (make manifest). Areas and cycles are measured; the clock and the periods are ours.
schema: isx.measure/1
name: picorv32-measured
description: >-
  ten kernels of our own on a PicoRV32 with instructions, shifter and multipliers as blocks, on an iCE40UP5K;
  areas and cycles are measured, the clock and the periods are ours
clock: 16 MHz
resources: {LUT: SB_LUT4, DSP: SB_MAC16}
device: iCE40UP5K""")
    print(f"base: {{{reports('base')}}}\nblocks:")
    print(f"  bsh: {{{reports('bsh')}}}")
    print(f"  port: {{{reports('port')}}}")
    for name in MULTIPLIERS:
        print(f"  {name}: {{slot: multiplier, {reports(name)}}}")
    for name in MULTIPLIERS:
        print(f"  {name}-on-port: {{slot: multiplier, over: [port], {reports('port+' + name)}}}")
    for name in UNITS:
        slot = f"slot: {SLOTS[name]}, " if name in SLOTS else ""
        print(f"  {name}: {{{slot}over: [port], {reports('port+' + name)}}}")
    single = {"base", "bsh", "port", *MULTIPLIERS, *(f"port+{name}" for name in MULTIPLIERS + UNITS)}
    systems = sorted({path.name.split(".")[0] for path in (ROOT / "reports/area").iterdir()} - single)
    print("check:")
    for system in systems:
        print(f"  - {{blocks: [{', '.join(on_port(system.split('+')))}], {reports(system)}}}")
    print("tasks:")
    for kernel, period in PERIODS.items():
        run = "{reports: [reports/runs/%s], name: cycles}"
        print(f"  {kernel}:\n    period: {period}\n    software: {run % f'{kernel}.base.json'}\n    choices:")
        for blocks, file in choices(kernel):
            print(f"      {'+'.join(blocks)}: {{uses: [{', '.join(blocks)}], cycles: {run % file}}}")


main()
