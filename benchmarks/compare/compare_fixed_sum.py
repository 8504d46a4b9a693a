"""Fixed sums with limits per task: `isx generate taskset --utilizations fixed-sum` against ConvolutionalFixedSum.

Griffin and Davis's programs (RTAS 2025; PyPI `convolutionalfixedsum`) draw in floats what isx draws by exact counting on
a grid of 10^-9. For each recipe both draw as many vectors; the distribution of every utilization, of the least and of the
largest are compared by the two-sample test of Kolmogorov and Smirnov, at a level of 10^-6 each. isx's vectors must also
keep their limits and, but for the rounding of WCETs to cycles, their sum.

Where the least utilizations differ the numeric program `cfsn` is asked: the analytical one, `cfsa` 2.0.1, then leaves the
limits (a task of 0.9 to 1 gets 0.83) or ends with an error.
"""

import re
import time

import numpy as np
from convolutionalfixedsum import CFSAConfig, cfsa, cfsn
from harness import Report, arguments, run_isx, scratch

# Tasks, sum, and limits for all tasks or one pair for each.
RECIPES = (
    (3, "1.2", [(0, 1)]),
    (8, "5", [(0, 1)]),
    (10, "2.1", [(0.05, 0.5)]),
    (4, "1.3", [(0.1, 0.5), (0.2, 0.3), (0, 1), (0.05, 0.6)]),
    (6, "3.9", [(0.5, 0.75), (0, 1), (0.25, 0.5), (0, 1), (0.9, 1), (0.1, 0.8)]),
)
MICROSECONDS = {"us": 1, "ms": 1_000, "s": 1_000_000}
CLOCK_MHZ = 100_000


def drawn_by_isx(name, tasks, total, limits, vectors):
    how = "fixed-sum:" + ",".join(f"{low}..{high}" for low, high in limits)
    folder = scratch() / name
    started = time.time()
    run_isx(
        *("generate", "taskset", "--tasks", tasks, "--utilization", total, "--utilizations", how, "--choices", 0),
        *("--clock-mhz", CLOCK_MHZ, "--count", vectors, "-o", folder),
    )
    seconds = time.time() - started
    entry = re.compile(r"wcet: (\d+)\n    period: (\d+) (\w+)")
    rows = [
        [int(wcet) / (int(period) * MICROSECONDS[unit] * CLOCK_MHZ) for wcet, period, unit in entry.findall(text)]
        for text in (file.read_text() for file in sorted(folder.iterdir()))
    ]
    return np.array(rows), seconds


def distance(one, other):
    """The largest difference of two empirical distribution functions."""
    both = np.sort(np.concatenate([one, other]))
    shares = [np.searchsorted(np.sort(sample), both, side="right") / len(sample) for sample in (one, other)]
    return float(np.abs(shares[0] - shares[1]).max())


def main():
    options = arguments(__doc__.split("\n")[0], vectors=2_000)
    report = Report(options, "compare_fixed_sum")
    bound = float(np.sqrt(-np.log(1e-6 / 2) / options.vectors))
    counts = {"vectors of each": 0, "distributions compared": 0}
    times = []
    for number, (tasks, total, limits) in enumerate(RECIPES):
        isx, seconds = drawn_by_isx(f"recipe-{number}", tasks, total, limits, options.vectors)
        each = limits * (tasks // len(limits))
        lows, highs = (list(map(float, ends)) for ends in zip(*each))
        started = time.time()
        config = CFSAConfig(seed=number + 1)
        ask = cfsn if len(set(lows)) > 1 else lambda *problem, config=config: cfsa(*problem, config)
        other = np.array([ask(tasks, float(total), lows, highs) for _ in range(options.vectors)])
        times.append({"tasks": tasks, "sum": total, "isx_seconds": seconds, "cfs_seconds": time.time() - started})
        facts = {"tasks": tasks, "sum": total, "limits": limits}
        rounding = 1e-7
        within = (isx >= np.array(lows) - rounding).all() and (isx <= np.array(highs) + rounding).all()
        report.same("limits", bool(within), True, **facts)
        report.same("sum", bool((np.abs(isx.sum(axis=1) - float(total)) < rounding * tasks).all()), True, **facts)
        statistics = {f"task {task + 1}": (isx[:, task], other[:, task]) for task in range(tasks)}
        statistics["least"] = (isx.min(axis=1), other.min(axis=1))
        statistics["largest"] = (isx.max(axis=1), other.max(axis=1))
        for what, samples in statistics.items():
            far = distance(*samples)
            if far > bound:
                report.differ(f"distribution of {what}", distance=far, bound=bound, **facts)
            counts["distributions compared"] += 1
        counts["vectors of each"] += options.vectors
    summary = (
        "Every distribution is that of ConvolutionalFixedSum, and every vector keeps its limits and its sum."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    return report.write(counts, summary, times=times)


if __name__ == "__main__":
    raise SystemExit(main())
