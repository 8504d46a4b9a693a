#!/usr/bin/env python3
"""Reports of Vivado and Quartus as isx reads them, against the summaries that edalize makes of the same files.

    python compare_reports.py --isx target/release/isx --reports DIR

DIR is `tests/test_reporting/data` of github.com/olofk/edalize at 7014995f (PicoRV32 and LiteX on six FPGAs). edalize with pandas
and pyparsing comes from requirements-reports.txt. Every amount is compared (LUTs, registers, block RAMs, DSP blocks), by the report
and by edalize's own summary, which isx reads too. Every difference is shown, and the exit code is 1 if there is one.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from fractions import Fraction

import yaml
from edalize.quartus_reporting import QuartusReporting
from edalize.vivado_reporting import VivadoReporting

REPORTS = [
    (VivadoReporting, "picorv32/vivado-artix7/impl/top_utilization_placed.rpt", "top_timing_summary_routed.rpt"),
    (VivadoReporting, "picorv32/vivado-kintex_usp/impl/top_utilization_placed.rpt", "top_timing_summary_routed.rpt"),
    (QuartusReporting, "picorv32/quartus-cyclone4/picorv32_wrap_0_1.fit.rpt", "picorv32_wrap_0_1.sta.rpt"),
    (QuartusReporting, "picorv32/quartus-cyclone10/picorv32_wrap_0_1.fit.rpt", "picorv32_wrap_0_1.sta.rpt"),
    (VivadoReporting, "linux-on-litex-vexriscv/arty_a7/top_utilization_place.rpt", "top_timing.rpt"),
    (QuartusReporting, "linux-on-litex-vexriscv/de10nano/top.fit.rpt", "top.sta.rpt"),
]
NAMES = {"lut": "LUT", "reg": "FF", "blkmem": "BRAM", "dsp": "DSP"}


def by_isx(isx, folder, report, names):
    """The amounts of these resources in a report: the costs of a choice whose report it is."""
    (folder / "tasks.csv").write_text("name,period_ms,wcet_ms\ntask,10,8\n")
    head = ",".join(f"cost.{name}" for name in names)
    (folder / "choices.csv").write_text(f"task,choice,wcet_ms,{head}\ntask,design,3{',' * len(names)}\n")
    command = [isx, "import", "tasks.csv", "--choices", "choices.csv", "--area-report", f"design={report}", "-q"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        return {name: None for name in names}, done.stderr
    choice = yaml.load(done.stdout, Loader=yaml.BaseLoader)["tasks"][0]["choices"][0]
    # One resource is the set's area; with several, those that are 0 are left out.
    cost = choice.get("cost", {names[0]: choice.get("area", "0")})
    return {name: Fraction(cost.get(name, 0)) for name in names}, ""


def plain(summary):
    """edalize's summary with Python's own numbers."""
    values = lambda value: {key: plain(inner) for key, inner in value.items()}
    if isinstance(summary, dict):
        return values(summary)
    return summary.item() if hasattr(summary, "item") else summary


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--isx", required=True, type=pathlib.Path)
    parser.add_argument("--reports", required=True, type=pathlib.Path)
    given = parser.parse_args()
    isx, reports = given.isx.resolve(), given.reports.resolve()
    differences = compared = 0
    print("| report | edalize: LUT, FF, BRAM, DSP | isx, from the report | isx, from edalize's summary |\n|---|---|---|---|")
    for tool, resources, timing in REPORTS:
        path = reports / resources
        summary = plain(tool.report_summary(tool.report_resources(path), tool.report_timing(path.parent / timing)))
        wanted = {NAMES[key]: Fraction(str(summary[key])) for key in NAMES}
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "summary.json").write_text(json.dumps(summary))
            found = [by_isx(isx, folder, report, list(wanted)) for report in (path, folder / "summary.json")]
        cells = [", ".join(str(float(value)).removesuffix(".0") for value in wanted.values())]
        for amounts, problem in found:
            compared += len(wanted)
            wrong = [f"{name} {amounts[name]}" for name in wanted if amounts[name] != wanted[name]]
            differences += len(wrong)
            cells.append("DIFFERS: " + ", ".join(wrong) + problem if wrong else "the same")
        print(f"| {path.relative_to(reports).parent} | " + " | ".join(cells) + " |")
    print(f"\n{compared} amounts, {differences} differences")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
