"""How time grows with classes m, items a class n and capacity C, over three decades each.

The textbook loop, every dense engine with --no-reduce (the same raw work) and `auto` as a user runs it, on optional
instances whose heaviest item is a fifth of the capacity. The slope is that of a least-squares line through the
logarithms of the upper two decades (below, fixed costs show). A front is held against the textbook's row before its
time counts. compare_growth_chart.json holds the curves as `isx plot` draws them; compare_growth.svg is the drawing.
"""

import json
import math

from harness import Report, arguments, hardware, run_isx
from timing import Mismatch, checked_front, engines, generate, median, textbook, timed

DECADES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
# What is varied: (smallest value, the others fixed).
AXES = {
    "m": (2, {"n": 50, "C": 20_000}),
    "n": (3, {"m": 10, "C": 20_000}),
    "C": (1_000, {"m": 10, "n": 50}),
}
NAMES = {"m": "classes m", "n": "items a class n", "C": "capacity C"}


def programs():
    """The engines and flags to time."""
    raw = [name for name in engines() if name.startswith(("dense", "cuda"))]
    named = {f"isx {name}, every item": ["--engine", name, "--no-reduce"] for name in raw}
    return named | {"isx auto": ["--engine", "auto"]}


def measure(size, options, counts):
    weights = f"1..{size['C'] // 5}"
    path, recipe = generate(
        classes=size["m"], capacity=size["C"], items=size["n"], weights=weights, kind=options.kind, seed=1
    )
    book = textbook(path, options.repeats, optional=True, row=True)
    seconds = {"textbook loop": median(book["seconds"])}
    front = checked_front(path, ["--optional"], book["row"], options.limit)
    if front is None:
        return seconds, recipe
    counts["fronts equal to the textbook's row, with picks that add up"] += 1
    for name, flags in programs().items():
        found = timed(
            path, ["--optional", "--threads", "1", *flags], options.repeats, options.limit, front["digest"], [0]
        )
        if "seconds" in found:
            seconds[name] = found["seconds"]
    return seconds, recipe


def slope(points):
    """The exponent of growth over the upper two decades."""
    top = max(x for x, _ in points)
    logs = [(math.log(x), math.log(y)) for x, y in points if x >= top / 100 and y > 0]
    if len(logs) < 2:
        return None
    mean_x, mean_y = (sum(values) / len(logs) for values in zip(*logs))
    return sum((x - mean_x) * (y - mean_y) for x, y in logs) / sum((x - mean_x) ** 2 for x, _ in logs)


def chart(curves, machine):
    """The curves as a document of schema isx.chart/1."""
    def line(name, points):
        fitted = slope(points)
        note = {} if fitted is None else {"note": f"slope {fitted:.2f}"}
        return {"name": name, **note, "points": points}

    panels = [
        {"x": NAMES[axis], "lines": [line(name, points) for name, points in lines.items()]}
        for axis, lines in curves.items()
    ]
    return {
        "schema": "isx.chart/1",
        "title": "Time against classes, items and capacity",
        "subtitle": f"{machine}; slopes are fitted over the upper two decades",
        "y": "Seconds (reduce + solve + traceback)",
        "panels": panels,
    }


def draw(curves, machine, folder):
    document = (folder / "compare_growth_chart.json").resolve()
    document.write_text(json.dumps(chart(curves, machine), separators=(",", ":")) + "\n")
    run_isx("plot", document, "-o", (folder / "compare_growth.svg").resolve())


def main():
    options = arguments(__doc__.split("\n")[0], repeats=3, steps=len(DECADES), limit=300, kind="uncorrelated")
    report = Report(options, "compare_growth")
    counts = {"fronts equal to the textbook's row, with picks that add up": 0}
    curves, recipes = {}, []
    for axis, (least, fixed) in AXES.items():
        lines = curves.setdefault(axis, {})
        for factor in DECADES[: options.steps]:
            size = fixed | {axis: least * factor}
            try:
                seconds, recipe = measure(size, options, counts)
            except Mismatch as problem:
                report.differ(str(problem), **size)
                continue
            recipes.append(recipe + " (solved with --optional)")
            for name, value in seconds.items():
                lines.setdefault(name, []).append((least * factor, value))
            print(size, {name: f"{value:.3g}" for name, value in seconds.items()}, flush=True)
    draw(curves, hardware(), options.out)
    lines = ["| grows with | program | exponent | smallest | largest |", "|---|---|---:|---:|---:|"]
    for axis, programs_found in curves.items():
        for name, points in programs_found.items():
            fitted, ends = slope(points), (points[0], points[-1])
            shown = " | ".join(f"{y:.3g} s at {x:,}" for x, y in ends)
            lines.append(f"| {NAMES[axis]} | {name} | {'' if fitted is None else f'{fitted:.2f}'} | {shown} |")
    lines += ["", "![time against m, n and C](compare_growth.svg)", ""]
    return report.write(counts, "\n".join(lines), curves=curves, recipes=recipes)


if __name__ == "__main__":
    raise SystemExit(main())
