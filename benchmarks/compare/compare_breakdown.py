"""Breakdown utilizations of rate-monotonic sets: `isx sweep` against exact fractions, and the mean that the field knows.

    python compare_breakdown.py --out DIR [--sets 1000] [--checked 20]

Measures the sets of `benchmarks/sweeps/rate-monotonic-breakdown.yaml`. Sets of many tasks break down near a utilization of 0.88
(J. Lehoczky, L. Sha and Y. Ding, "The Rate Monotonic Scheduling Algorithm: Exact Characterization and Average Case
Behavior", RTSS 1989, for uniform periods and WCETs independent of them). The constant of infinitely many tasks with periods
from 1 to B is ln B / min over t of (the integral of ceil(t / x) / t dx from 1 to B): 0.693 for B = 2, the bound of Liu and
Layland, as the paper has it too, and 0.889 for the two decades measured here. The means of finite sets fall towards it.

For some of the sets the breakdown utilization is computed here from `isx sweep show`: the largest factor at which some
point of every task's scheduling points holds, as a fraction.
"""

import re
import sys
from fractions import Fraction
from math import log

from harness import ROOT, Report, arguments, run_isx, scratch

sys.path.append(str(ROOT / "python" / "examples"))
from sweep_curves import Sweep  # noqa: E402

SPEC = ROOT / "benchmarks" / "sweeps" / "rate-monotonic-breakdown.yaml"

MICROSECONDS = {"us": 1, "ms": 1_000, "s": 1_000_000}


def tasks_of(yaml):
    """WCETs in cycles and periods in cycles at 100 MHz, the shortest period first."""
    entry = re.compile(r"wcet: (\d+)\n    period: (\d+) (\w+)")
    tasks = [(int(number) * MICROSECONDS[unit] * 100, int(wcet)) for wcet, number, unit in entry.findall(yaml)]
    return sorted(tasks, key=lambda task: task[0])


def breakdown(tasks):
    """The utilization at the largest factor of all WCETs at which every task meets its deadline."""
    factor = None
    for at, (period, _) in enumerate(tasks):
        # Tasks of equal periods share the last one's condition.
        higher = (
            [task for task in tasks if task[0] <= period] if at + 1 == len(tasks) or tasks[at + 1][0] > period else []
        )
        if not higher:
            continue
        points = {release for other, _ in higher for release in range(other, period + 1, other)}
        least = min(Fraction(sum(wcet * -(-point // other) for other, wcet in higher), point) for point in points)
        factor = 1 / least if factor is None else min(factor, 1 / least)
    return factor * sum(Fraction(wcet, period) for period, wcet in tasks)


def limit(most):
    """The constant for periods from 1 to `most`."""

    def demand(time):
        # ceil(time / x) is k from time / k to time / (k - 1), and 1 beyond time.
        parts = (k * (time / (k - 1) - max(1, time / k)) for k in range(2, int(time) + 2) if time / (k - 1) > 1)
        return (most - time + sum(parts)) / time

    return log(most) / min(demand(1 + (most - 1) * step / 2_000) for step in range(2_001))


def main():
    options = arguments(__doc__.split("\n")[0], sets=1_000, checked=20)
    report = Report(options, "compare_breakdown")
    folder = scratch()
    spec = folder / "sweep.yaml"
    spec.write_text(re.sub("sets_per_point: .*", f"sets_per_point: {options.sets}", SPEC.read_text()))
    run_isx("sweep", "run", spec, "--out", folder / "chunks")
    sweep = Sweep(folder / "chunks")
    curves = sweep.curves()
    report.same("breakdown utilizations that were not decided", sum(row["unknown_breakdown"] for row in curves), 0)
    means = {row["tasks"]: row["mean_breakdown_low"] for row in curves}
    counts = {"sets measured": len(means) * options.sets, "breakdown utilizations computed again": 0}
    for row in sweep.rows("select * from records order by point, index"):
        # In Python a set of a hundred tasks takes half a minute.
        if row["index"] < options.checked and row["tasks"] <= 50:
            shown = run_isx("sweep", "show", spec, "--set", f"{row['point']}:{row['index']}").stdout
            facts = {"point": row["point"], "index": row["index"]}
            report.same("breakdown utilization", Fraction(row["breakdown"]), breakdown(tasks_of(shown)), **facts)
            counts["breakdown utilizations computed again"] += 1
    constant = limit(100)
    falling = [mean for _, mean in sorted(means.items())]
    report.same("the means fall with the number of tasks", falling, sorted(falling, reverse=True))
    report.same("that of the largest is within 0.025 above the constant", 0 < falling[-1] - constant < 0.025, True)
    lines = ["| tasks | mean breakdown utilization |", "|---:|---:|"]
    lines += [f"| {tasks} | {mean:.4f} |" for tasks, mean in means.items()] + [f"| infinitely many | {constant:.4f} |"]
    return report.write(counts, "\n".join(lines), means=means)


if __name__ == "__main__":
    raise SystemExit(main())
