"""Verdicts on thousands of task sets against SchedCAT's: EDF, rate-monotonic, deadline-monotonic and given priorities.

    python compare_verdicts.py --schedcat DIR --out DIR [--sets 5000] [--tasks 8] [--plant]

DIR holds a checkout of github.com/brandenburg/schedcat (86211bc6; it is not on PyPI). Its exact test for EDF on one processor
is C++, compiled here with `schedcat_edf.cpp` (g++ and GMP); that for fixed priorities is `schedcat/sched/fp/rta.py`.

1. `isx sweep` over all sets says for each scheduler whether the set is schedulable in software.
2. `isx explore` says for a random point of the front of each set, and for the first within whose area some design is schedulable, whether that
   design is schedulable under the set's own scheduler. SchedCAT gets its WCETs.

--plant turns one verdict in a hundred of isx's, and succeeds if each of them, and no other, is named as a difference.
"""

import json
import random
import subprocess
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import pyarrow.parquet
import taskset_yaml
import yaml
from compare_priorities import above
from compare_response_times import analysis
from compare_taskset import PERIODS
from harness import Report, arguments, run_isx, scratch

SCHEDULERS = ("edf", "rm", "dm", "fixed")
DEADLINES = ("implicit", "constrained:0.60..1.00")
UTILIZATIONS = ("0.7", "0.9", "1", "1.2", "1.4")
GROUPS = 40


def edf_test(schedcat):
    """The compiled test: verdicts for lists of (WCET, period, deadline)."""
    native = Path(schedcat).resolve() / "native"
    program = scratch() / "schedcat_edf"
    sources = [Path(__file__).with_name("schedcat_edf.cpp"), native / "src" / "tasks.cpp", native / "src" / "edf" / "qpa.cpp"]
    subprocess.run(["g++", "-O2", "-I", native / "include", *sources, "-o", program, "-lgmpxx", "-lgmp"], check=True)

    def verdicts(designs):
        lines = (f"{len(tasks)} " + " ".join(f"{number}" for task in tasks for number in task) for tasks in designs)
        done = subprocess.run([program], input="\n".join(lines), capture_output=True, text=True, check=True)
        return [line == "1" for line in done.stdout.splitlines()]

    return verdicts


class FixedPriorities:
    """SchedCAT's response-time analysis: a verdict for tasks, given with the numbers of those of a higher or the same priority."""

    def __init__(self, schedcat):
        self.rta = analysis(schedcat)

    def verdict(self, tasks, higher):
        # Fractions, for it divides.
        tasks = [SimpleNamespace(cost=Fraction(wcet), period=period, deadline=deadline) for wcet, period, deadline in tasks]
        return all(self.rta.rta_jitter_aware(task, [tasks[at] for at in others]) for task, others in zip(tasks, higher))


def draw(options):
    """Folders of sets: every scheduler with every kind of deadline and utilization, some with no choices."""
    for group in range(GROUPS):
        count = options.sets * (group + 1) // GROUPS - options.sets * group // GROUPS
        recipe = ["--tasks", 2 + (group + options.tasks) % options.tasks, "--periods", PERIODS[group % len(PERIODS)]]
        recipe += ["--scheduler", SCHEDULERS[group % 4], "--deadlines", DEADLINES[group // 4 % 2]]
        recipe += ["--utilization", UTILIZATIONS[group // 8], "--choices", (0, 3, 5)[group % 3]]
        folder = scratch() / "sets" / f"{group:02}"
        run_isx("generate", "taskset", *recipe, "--count", count, "--seed", 1 + group * 10**6, "-o", folder)


def own_parts(path):
    document = yaml.load(path.read_text(), Loader=taskset_yaml.LOADER)
    return document, taskset_yaml.read(path).tasks


def design(tasks, choices):
    """WCET, period and deadline of each task of a design, in file order."""

    def wcet(task):
        return next((wcet for name, _, wcet in task.choices if name == choices.get(task.name)), task.wcet)

    return [(wcet(task), task.period, task.deadline) for task in tasks]


def asked(options, sets):
    """What isx says: (set, scheduler, choices, verdict) and what is asked."""
    folders = sorted({str(Path(name).parent) for name in sets})
    for first, schedulers in enumerate([SCHEDULERS[:3]] * 3 + [SCHEDULERS]):
        # Every fourth folder has priorities.
        spec = scratch() / f"sweep-{first}.yaml"
        files, paired = json.dumps([f"{folder}/*.yaml" for folder in folders[first::4]]), json.dumps(schedulers)
        spec.write_text(f"schema: isx.sweep/1\nfiles: {files}\npaired: {{scheduler: {paired}}}\nbudgets: [0]\n")
        run_isx("sweep", "run", spec, "--out", spec.stem)
        for row in pyarrow.parquet.read_table(scratch() / spec.stem).to_pylist():
            yield "software", row["file"], row["scheduler"], {}, row["accepted_0"]
    rng = random.Random(1)
    run_isx("explore", *folders, "--format", "json", "--out", "fronts")
    for name, (document, tasks) in sets.items():
        if not any(task.choices for task in tasks):
            continue
        front = json.loads((scratch() / "fronts" / Path(name).stem / "front.json").read_text())
        points = front["points"]
        least = [point for point in points if point["schedulable_within"]][:1]
        for what, point in [("a point of the front", rng.choice(points)), *(("the first point with a schedulable design", point) for point in least)]:
            yield what, name, document.get("scheduler", "edf"), point["choices"], point["schedulable"]


def main():
    options = arguments(__doc__.split("\n")[0], schedcat="", sets=5_000, tasks=8, plant=False)
    edf, fixed = edf_test(options.schedcat), FixedPriorities(options.schedcat)
    report = Report(options, "compare_verdicts_planted" if options.plant else "compare_verdicts", "compare_verdicts")
    draw(options)
    sets = {str(path.relative_to(scratch())): own_parts(path) for path in sorted((scratch() / "sets").glob("*/*.yaml"))}
    rows = list(asked(options, sets))
    designs = [design(sets[name][1], choices) for _, name, _, choices, _ in rows]
    by_edf = iter(edf([tasks for tasks, row in zip(designs, rows) if row[2] == "edf"]))

    counts, planted = {"sets": len(sets)}, set()
    for at, ((what, name, scheduler, choices, verdict), tasks) in enumerate(zip(rows, designs)):
        document, own = sets[name]
        higher = None if scheduler == "edf" else above(document | {"scheduler": scheduler}, own)
        independent = next(by_edf) if higher is None else fixed.verdict(tasks, higher)
        if options.plant and at % 100 == 0:
            planted.add(at)
            verdict = not verdict
        report.same(f"verdict on {what}", verdict, independent, set=name, scheduler=scheduler, row=at, choices=choices)
        key = f"{what}, {scheduler}: " + ("schedulable" if independent else "not schedulable")
        counts[key] = counts.get(key, 0) + 1
    counts = {key: counts[key] for key in sorted(counts, key=lambda key: (key != "sets", key))}
    if options.plant:
        found = {difference["row"] for difference in report.differences}
        report.differences = []
        report.same("the verdicts that were turned are the differences", sorted(found), sorted(planted))
        counts = {"verdicts turned": len(planted), "of them found": len(found & planted)}
    summary = "Every verdict is SchedCAT's." if not options.plant else "Every planted fault was found, and nothing else."
    return report.write(counts, summary if not report.differences else "THERE ARE DIFFERENCES: see the JSON.")


if __name__ == "__main__":
    raise SystemExit(main())
