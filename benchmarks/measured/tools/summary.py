"""The tables of README.md from reports/: summary.py > reports/summary.md"""
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1] / "reports"
KERNELS = ["crc32", "sha256", "aes128", "chacha20", "des", "keccak", "fir", "biquad", "idct", "matmul"]


def table(head, rows):
    print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")
    print()


def area(path):
    cells = json.loads(path.read_text())["design"]["num_cells_by_type"]
    return cells["SB_LUT4"], cells.get("SB_MAC16", 0)


runs = {kernel: {} for kernel in KERNELS}
inputs, again = set(), []
for path in sorted((ROOT / "runs").iterdir()):
    kernel, blocks, _ = path.name.split(".")
    run = json.loads(path.read_text())
    assert run["cycles"] == run["least"], f"{path.name}: cycles depend on the input"
    runs[kernel][blocks] = run["cycles"]
    inputs.add(run["inputs"])
    again.append(run["inputs_icarus"])
print(f"Cycles of {sum(map(len, runs.values()))} runs, each over {min(inputs)} inputs by Verilator with one count for all of them, "
      f"{min(again)} to {max(again)} of the inputs again by Icarus:\n")
table(["kernel", "software", "with the shifter", "with units or multipliers"],
      [[kernel, f"{run['base']:,}", f"{run['bsh']:,}",
        ", ".join(f"`{blocks}` {cycles:,}" for blocks, cycles in run.items() if blocks not in ("base", "bsh"))]
       for kernel, run in runs.items()])

systems = {}
for path in sorted((ROOT / "area").iterdir()):
    system, recipe, _ = path.name.split(".")
    systems.setdefault(system, {})[recipe] = area(path)
recipes = sorted({recipe for found in systems.values() for recipe in found})
clocks = {}
for path in sorted((ROOT / "timing").glob("*.json")):
    fmax = [clock["achieved"] for clock in json.loads(path.read_text())["fmax"].values()]
    clocks.setdefault(path.name.split(".")[0], []).append(min(fmax))
print("LUT4s of whole systems by recipe, DSP blocks, and clocks on the iCE40UP5K over the seeds:\n")
table(["system", *recipes, "DSP", "MHz"],
      [[f"`{system}`", *[found[recipe][0] if recipe in found else "" for recipe in recipes], max(dsp for _, dsp in found.values()),
        f"{min(clocks[system]):.1f} to {max(clocks[system]):.1f}" if system in clocks else ""]
       for system, found in sorted(systems.items(), key=lambda item: (item[0].count("+"), item[0]))])
