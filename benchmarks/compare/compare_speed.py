"""Time of isx, of the textbook loop and of general solvers on the papers' families, in one run on one machine.

Per instance: the textbook loop (`baseline_textbook.c`, value only) in all repeats; then `isx solve mckp FILE
--all-capacities --picks --json` for every engine with 1 and 2 threads, reduced and with --no-reduce, of which reduce +
solve + traceback count. Nothing is timed before the front was held against the textbook's row cell by cell and every
point's picks were summed again; all later configurations must write the same front and picks byte for byte.

HiGHS (both gaps 0) and CP-SAT solve two instances at their one capacity, after dominance, up to a limit.
"""

import os
import time

from exact import cp_sat, highs
from harness import Report, arguments
from timing import Mismatch, checked_front, engines, generate, isx, median, read_problem, textbook, timed

CASES = (
    ("uncorrelated", 20, 94280),
    ("uncorrelated", 50, 390500),
    ("uncorrelated", 100, 303500),
    ("weak", 50, 390500),
    ("strong", 50, 390500),
)
SOLVER_CASES = (CASES[1], CASES[4])
THREADS = (1, 2)


def problem(kind, classes, capacity):
    return generate(classes=classes, capacity=capacity, items="10..1024", kind=kind, seed=1)


def configurations():
    for engine in engines():
        for threads in THREADS:
            for reduced in (True, False):
                flags = ["--engine", engine, "--threads", str(threads), *([] if reduced else ["--no-reduce"])]
                yield {"engine": engine, "threads": threads, "reduced": reduced}, flags


def time_case(case, options, counts):
    path, recipe = problem(*case)
    book = textbook(path, options.repeats, row=True)
    row = book.pop("row")
    result = {"kind": case[0], "classes": case[1], "capacity": case[2], "recipe": recipe, "textbook": book}
    front = checked_front(path, [], row, options.limit)
    if front is None:
        return result | {"isx": [], "not_run": f"auto was refused or passed {options.limit} s"}
    result |= front
    counts["fronts equal to the textbook's row, with picks that add up"] += 1
    counts["points of these fronts"] += result["points"]
    checked, found = [0], []
    for words, flags in configurations():
        if not words["reduced"] and "over_limit" in found[-1]:
            # The same engine and threads were too slow on less work.
            found.append(words | {"over_limit": options.limit})
            continue
        found.append(words | timed(path, flags, options.repeats, options.limit, front["digest"], checked))
        print(case, words, found[-1].get("seconds", "over the limit or refused"), flush=True)
    counts["configurations with the same front and picks byte for byte"] += checked[0]
    return result | {"isx": found}


def undominated(items):
    """The items that none of no more weight beats or equals in value; lightest first."""
    kept, best = [], None
    for weight, value in sorted(((int(w), int(v)) for v, w in items), key=lambda item: (item[0], -item[1])):
        if best is None or value > best:
            kept.append((value, weight))
            best = value
    return kept


def time_solvers(case, options, report):
    path, _ = problem(*case)
    classes, capacity = read_problem(path)
    classes = [undominated(items) for items in classes]
    answer = int(isx(path, [], options.limit)["value"])
    rows = []
    for name, solver in (("HiGHS", highs), ("CP-SAT", cp_sat)):
        started = time.perf_counter()
        status, value, _ = solver(classes, capacity, False, seconds=options.solver_limit, threads=os.cpu_count())
        seconds = time.perf_counter() - started
        rows.append({"solver": name, "seconds": seconds, "status": status, "value": value})
        print(case, rows[-1], flush=True)
        if value is not None and (value > answer or (status == "optimal" and name == "CP-SAT" and value != answer)):
            report.differ(f"{name} at one capacity", case=list(case), isx=answer, independent=value)
    items = sum(map(len, classes))
    return {"case": list(case), "undominated_items": items, "value": answer, "threads": os.cpu_count(), "solvers": rows}


def shown(seconds):
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


def row_of(case, found, work=None):
    """A row; `work` is the textbook loop's candidates, where the rate at which the engine looked at its own counts."""
    if "seconds" not in found:
        why = f"over {found['over_limit']} s" if "over_limit" in found else "refused: " + found["refused"]
        return f"| {case} | isx {found['engine']}, {found['threads']} thr. | {why} | | | |"
    rate = f"{found['updates'] / found['seconds'] / 1e9:.3g} ({found['updates'] / work:.1%})" if work else ""
    stages = " + ".join(shown(found["stages"][stage]) for stage in ("reduce", "solve", "traceback"))
    who = f"isx {found['engine']}, {found['threads']} thr. ({found['ran_on']})"
    return f"| {case} | {who} | {shown(found['seconds'])} | {stages} | {rate} | {found['megabytes']:.0f} MB |"


def tables(cases):
    header = (
        "| instance (m, C) | program | time | reduce + solve + traceback | {} | memory |\n|---|---|---:|---:|---:|---:|"
    )
    raw = ["### Without reduction", "", header.format("G updates/s (of the textbook's)")]
    best = ["### The whole answer, by whatever way is fastest", "", header.format("")]
    for case in cases:
        name, book = f"{case['kind']} ({case['classes']}, {case['capacity']:,})", case["textbook"]
        time, work = median(book["seconds"]), book["updates"]
        raw.append(f"| {name} | textbook loop, value only | {shown(time)} | | {work / time / 1e9:.3g} | |")
        best.append(f"| {name} | textbook loop, value only | {shown(time)} | | | |")
        if "not_run" in case:
            best.append(f"| {name} | isx | not timed: {case['not_run']} | | | |")
        for found in case["isx"]:
            (best if found["reduced"] else raw).append(row_of(name, found, None if found["reduced"] else work))
    note = (
        "The first table is not a speed-up over the second: it repeats work that dominance makes needless. Its rates are of "
        "the candidates that each program looked at, in parentheses their share of the textbook loop's; two rates compare "
        "only where the shares are alike. isx's times "
        "are of all capacities with the picks of every point, the textbook's of the value row alone."
    )
    return [*raw, "", *best, "", note, ""]


def solver_table(found):
    lines = ["### One capacity, general solvers on the undominated items", ""]
    lines += [
        "| instance (m, C) | items | solver | time | status | value | optimum |",
        "|---|---:|---|---:|---|---:|---:|",
    ]
    for case in found:
        kind, classes, capacity = case["case"]
        for row in case["solvers"]:
            name = f"{kind} ({classes}, {capacity:,}) | {case['undominated_items']:,}"
            answer = f"{row['status']} | {row['value']} | {case['value']}"
            lines.append(f"| {name} | {row['solver']} | {shown(row['seconds'])} | {answer} |")
    return [*lines, ""]


def main():
    options = arguments(__doc__.split("\n")[0], repeats=5, cases=len(CASES), limit=300, solver_limit=300)
    report = Report(options, "compare_speed")
    counts = {
        "fronts equal to the textbook's row, with picks that add up": 0,
        "points of these fronts": 0,
        "configurations with the same front and picks byte for byte": 0,
    }
    cases = []
    for case in CASES[: options.cases]:
        try:
            cases.append(time_case(case, options, counts))
        except Mismatch as problem:
            report.differ(str(problem), case=list(case))
    chosen = [case for case in SOLVER_CASES if options.solver_limit and case in CASES[: options.cases]]
    solvers = [time_solvers(case, options, report) for case in chosen]
    lines = tables(cases) + (solver_table(solvers) if solvers else [])
    return report.write(counts, "\n".join(lines), engines=engines(), cases=cases, solvers=solvers)


if __name__ == "__main__":
    raise SystemExit(main())
