"""EDF against rate-monotonic priorities with custom instructions, after H. P. Huynh and T. Mitra (DATE 2007), on a population.

    python repeat_custom_instructions.py --out DIR [--sets 200]

Measures the sets of `benchmarks/sweeps/custom-instructions.yaml`, and leaves the curves as a table, and as a picture in
custom-instructions.svg. Two facts must hold of every set: what rate-monotonic priorities schedule within a budget EDF does
too, and with no more area.
"""

import json
import re
import sys

from harness import ROOT, Report, arguments, run_isx, scratch

sys.path.append(str(ROOT / "python" / "examples"))
from sweep_curves import Sweep  # noqa: E402

SPEC = ROOT / "benchmarks" / "sweeps" / "custom-instructions.yaml"
NAMES = {"edf": "EDF", "rm": "rate-monotonic"}


def chart(sweep, curves, sets):
    """The acceptance ratios as a document of schema isx.chart/1: a panel per budget, a line with its interval per scheduler."""

    def line(scheduler, test):
        rows = [(float(row["utilization"]), *(row[f"{part}_{test}"] for part in ("ratio", "low", "high")))
                for row in curves if row["scheduler"] == scheduler]
        return {"name": NAMES[scheduler], "points": [[u, ratio] for u, ratio, *_ in rows], "band": [ends for *_, low, high in rows for ends in [[low, high]]]}

    panels = [
        {"x": f"utilization, {test}", "lines": [line(name, test.replace(" ", "_")) for name in NAMES]}
        for test in list(sweep.tests.values())[:4]
    ]
    return {
        "schema": "isx.chart/1",
        "title": "Task sets with custom instructions that are schedulable within an area",
        "subtitle": f"12 tasks with 4 to 8 choices each; {sets} sets per utilization; bands: intervals at 95 %",
        "y": "share of the sets",
        "linear": True,
        "panels": panels,
    }


def main():
    options = arguments(__doc__.split("\n")[0], sets=200)
    report = Report(options, "repeat_custom_instructions")
    spec = scratch() / "sweep.yaml"
    spec.write_text(re.sub("sets_per_point: .*", f"sets_per_point: {options.sets}", SPEC.read_text()))
    run_isx("sweep", "run", spec, "--out", "chunks")
    sweep = Sweep(scratch() / "chunks")
    curves = sweep.curves()
    (scratch() / "chart.json").write_text(json.dumps(chart(sweep, curves, options.sets)))
    run_isx("plot", "chart.json", "-o", options.out.resolve() / "custom-instructions.svg")

    rows = sweep.rows("select * from records order by point, index, scheduler")
    counts = {"sets": len(rows) // 2, "sets that only EDF schedules within some budget": 0, "sets with less area under EDF": 0}
    for edf, rm in zip(rows[::2], rows[1::2], strict=True):
        facts = {"point": edf["point"], "index": edf["index"]}
        budgets = [key for key in edf if key.startswith("accepted_")]
        report.same("EDF schedules what rate-monotonic priorities do", any(rm[key] and not edf[key] for key in budgets), False, **facts)
        areas = [float("inf") if row["min_area"] is None else int(row["min_area"]) for row in (edf, rm)]
        report.same("EDF takes no more area", areas[0] <= areas[1], True, **facts)
        counts["sets that only EDF schedules within some budget"] += any(edf[key] and not rm[key] for key in budgets)
        counts["sets with less area under EDF"] += areas[0] < areas[1]

    tests = list(sweep.tests.values())
    lines = [f"| utilization | scheduler | {' | '.join(tests)} | median least area |", "|---:|---|" + "---:|" * (len(tests) + 1)]
    for row in curves:
        names = [test.replace(" ", "_") for test in tests]
        shares = [f"{row[f'ratio_{name}']:.3f} ({row[f'low_{name}']:.3f}-{row[f'high_{name}']:.3f})" for name in names]
        median = row["min_area_50_high"]
        lines.append(f"| {row['utilization']} | {NAMES[row['scheduler']]} | {' | '.join(shares)} | {'none' if median is None else f'{median:g}'} |")
    lines += ["", "Pairs of verdicts that differ, by McNemar's exact test:", "", "| within | only EDF | only rate-monotonic | probability |", "|---|---:|---:|---:|"]
    for pair in sweep.compared():
        probability = f"{pair['p']:.3g}" if pair["p"] >= 1e-12 else "< 1e-12"
        lines.append(f"| {pair['test']} | {pair['only_first']} | {pair['only_second']} | {probability} |")
    return report.write(counts, "\n".join(lines))


if __name__ == "__main__":
    raise SystemExit(main())
