"""Hard public 0-1 knapsack problems on one core: isx's core engine beside combo, run in turn.

The set is JorikJooken/knapsackProblemInstances (J. Jooken, P. Leyman, P. De Causmaecker, "A new class of hard problem
instances for the 0-1 knapsack problem", European Journal of Operational Research 301, 2022); combo (S. Martello, D.
Pisinger, P. Toth, Management Science 45, 1999) is the executable that lies in it. Both are fetched by the user; neither
is a part of isx. combo reads `test.in` in its working folder.

For every instance of the set's `preliminaryExperiment100Names.txt` up to a capacity: both values must be that of
`optima.csv`, isx's items are summed by isx itself; then the processor time of each whole process counts, reading
included. `compare_jooken.csv` has a line an instance and is written as the run goes; instances that stand in it are not run
again, so that a run which was cut off goes on.
"""

import csv
import json
import os
import resource
import shutil
import subprocess
from pathlib import Path

from harness import ISX, Report, arguments, scratch


def optima(folder):
    with (folder / "optima.csv").open(newline="") as file:
        return {row["name"]: int(row["optimum"]) for row in csv.DictReader(file)}


def recorded(folder, name):
    """The seconds that combo took on the authors' machine: the short ones are run first."""
    words = (folder / "problemInstances" / name / "time.out").read_text().split()
    seconds = float(words[0]) if words else -1.0
    return seconds if seconds >= 0 else float("inf")


def processor_seconds(command, folder, limit):
    """Standard output of the command and the processor time it took; None for the output where it passed the limit."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=limit)
        output = done.stdout if done.returncode == 0 else None
    except subprocess.TimeoutExpired:
        output = None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def instance(name, folder, optimum, options, combo):
    """A line of the table: what both said and how long they took."""
    place = scratch() / "instance"
    place.mkdir(exist_ok=True)
    shutil.copyfile(folder / "problemInstances" / name / "test.in", place / "test.in")
    words = (place / "test.in").read_text().split()
    row = {"name": name, "items": int(words[0]), "capacity": int(words[-1]), "optimum": optimum}
    said, row["combo_seconds"] = processor_seconds([combo], place, options.limit)
    first = said.split()[:1] if said else []
    # It says in words where it gives up.
    row["combo_value"] = int(first[0]) if first and first[0].isdigit() else None
    flags = ["--engine", options.engine, "--threads", "1", "--json"]
    said, row["isx_seconds"] = processor_seconds([str(ISX), "solve", "knapsack", "test.in", *flags], place, options.limit)
    answer = json.loads(said) if said else {}
    row["isx_value"] = int(answer["value"]) if answer else None
    row["isx_updates"] = answer.get("updates")
    return row


def written(path):
    """The rows of a run so far, by name."""
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        rows = {row["name"]: row for row in csv.DictReader(file)}
    for row in rows.values():
        for key, text in row.items():
            if key != "name":
                row[key] = None if text == "" else float(text) if key.endswith("seconds") else int(text)
    return rows


def append(path, row):
    first = not path.exists()
    with path.open("a", newline="") as file:
        table = csv.DictWriter(file, row.keys(), lineterminator="\n")
        if first:
            table.writeheader()
        table.writerow(row | {key: f"{row[key]:.4f}" for key in ("combo_seconds", "isx_seconds")})


def main():
    options = arguments(__doc__.split("\n")[0], set="", combo="", engine="core", max_capacity=10**8, limit=3600)
    folder = Path(options.set)
    if not options.set or not (folder / "problemInstances").is_dir():
        raise SystemExit("--set names the folder of the public set, with optima.csv and problemInstances/")
    combo = Path(options.combo or folder / "comboExecutable").resolve()
    if not os.access(combo, os.X_OK):
        raise SystemExit("--combo names combo's executable")
    report = Report(options, "compare_jooken")
    # Paths are left out of the results.
    report.document["options"] = {key: getattr(options, key) for key in ("engine", "max_capacity", "limit")}
    known = optima(folder)
    names = (folder / "preliminaryExperiment100Names.txt").read_text().split()
    capacity = {name: int(name.split("_c_")[1].split("_")[0]) for name in names}
    lines = options.out / "compare_jooken.csv"
    done = written(lines)
    rows = []
    for name in sorted(names, key=lambda name: (recorded(folder, name), name)):
        if capacity[name] > options.max_capacity:
            continue
        row = done.get(name) or instance(name, folder, known[name], options, combo)
        for program in ("isx", "combo"):
            report.same(f"value of {program}", row[f"{program}_value"], row["optimum"], name=name)
        rows.append(row)
        if name not in done:
            append(lines, row)
            print(f"{name}: combo {row['combo_seconds']:.3f} s, isx {row['isx_seconds']:.3f} s", flush=True)
    return report.write({"instances": len(rows)}, summary(rows, report), rows=rows)


def summary(rows, report):
    totals = {program: sum(row[f"{program}_seconds"] for row in rows) for program in ("combo", "isx")}
    share = totals["isx"] / totals["combo"]
    faster = sum(row["isx_seconds"] < row["combo_seconds"] for row in rows)
    lines = [
        f"Processor time of all instances: combo {totals['combo']:.1f} s, isx {totals['isx']:.1f} s, {share:.3f} of it. "
        f"isx took less on {faster} of {len(rows)}; those of less than 0.02 s are reading and starting.",
        "" if not report.differences else "THERE ARE DIFFERENCES: see the JSON.",
        "| instance | combo, s | isx, s |",
        "|---|---:|---:|",
    ]
    slowest = sorted(rows, key=lambda row: -max(row["combo_seconds"], row["isx_seconds"]))
    lines += [f"| {row['name']} | {row['combo_seconds']:.3f} | {row['isx_seconds']:.3f} |" for row in slowest]
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
