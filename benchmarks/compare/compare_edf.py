"""EDF verdicts where deadlines are shorter than periods, against brute force over all designs.

Small sets (4 to 6 tasks) from `isx generate taskset --deadlines constrained` and `arbitrary`, and as many drawn here
whose utilization in some design is exactly 1, 1 + 1/H or 1 - 1/H. Every combination of choices is put to the demand
test at every deadline of a hyperperiod (`edf.py`). Then, for each set:

- the smallest schedulable area is the brute-force one, and its design the one that isx promises: least utilization,
  then first in canonical order;
- every point's verdicts: whether its own design passes, and whether any design of no more area does;
- `isx check` at random areas, at the smallest schedulable one and just below it: exit code, verdict and shown design;
- EDF schedules simulated job by job agree with the demand test, for the design of the smallest area and random ones.
"""

import json
import random
from fractions import Fraction

import taskset_yaml
from edf import Designs, simulate
from harness import Report, arguments, run_isx, scratch

PERIODS = (
    "4ms,5ms,6ms,8ms,10ms,12ms",
    "10ms,20ms,25ms,40ms,50ms",
    "6ms,7ms,9ms,14ms",
    "3ms,11ms,13ms",
    "5ms,10ms,20ms",
)
DEADLINES = ("constrained:0.30..1.00", "constrained:0.60..0.95", "arbitrary:0.40..1.60", "constrained:0.15..0.60")
WORDS = {0: "schedulable", 1: "not_schedulable", 3: "unknown"}


def generated(seed, path):
    run_isx(
        *("generate", "taskset", "--seed", seed, "--tasks", 4 + seed % 3, "--choices", "1..4"),
        *("--periods", PERIODS[seed % len(PERIODS)], "--deadlines", DEADLINES[seed // 2 % len(DEADLINES)]),
        *("--utilization", ("0.8", "1.0", "1.3", "1.6")[seed % 4], "--area", ("1..9", "100..900")[seed % 2]),
        *("--savings", ("uncorrelated:0.05..0.80", "correlated:0.05..0.80")[seed // 4 % 2], "-o", path),
    )


def on_the_edge(seed, path):
    """A set in which one random design has a demand of H - 1, H or H + 1 in a hyperperiod of H."""
    rng = random.Random(seed)
    while True:
        tasks = []
        for _ in range(rng.randint(4, 6)):
            period = rng.choice((4, 5, 6, 8, 10, 12, 15, 20))
            wcets = [rng.randint(1, max(1, period // 3)) for _ in range(rng.randint(1, 4))]
            tasks.append([period, rng.randint(max(1, period // 2), period + period // 4), wcets])
        h = taskset_yaml.lcm(*(period for period, *_ in tasks))
        designed = [rng.choice(wcets) for *_, wcets in tasks]
        used = sum(e * (h // period) for e, (period, *_) in zip(designed, tasks))
        left = h + rng.choice((-1, 0, 1)) - used
        if 0 < left <= h:
            break
    # The last task runs once a hyperperiod and fills it up.
    tasks.append([h, rng.randint(h - h // 8, h), [left, left + rng.randint(1, 9)]])
    lines = ["name: on the edge", "area_unit: LUT", "tasks:"]
    for i, (period, deadline, wcets) in enumerate(tasks):
        software, *lowered = sorted(wcets, reverse=True)
        lines += [f"  - name: t{i}", f"    wcet: {software}", f"    period: {period}", f"    deadline: {deadline}"]
        lines += ["    choices:"] * bool(lowered)
        for k, wcet in enumerate(lowered):
            lines.append(f"      - {{name: c{k}, area: {rng.randint(1, 12)}, wcet: {wcet}}}")
    path.write_text("\n".join(lines) + "\n")


class Comparison:
    def __init__(self, report, family, seed, counts):
        self.report, self.counts, self.facts = report, counts, {"family": family.__name__, "seed": seed}
        self.rng, self.path = random.Random(seed), scratch() / "set.yaml"
        family(seed, self.path)
        self.task_set = taskset_yaml.read(self.path)
        self.designs = Designs(self.task_set)
        self.best = self.designs.best()

    def same(self, what, isx, independent, **facts):
        self.report.same(what, isx, independent, **self.facts, **facts)

    def run(self):
        document = json.loads(run_isx("explore", self.path, "--json", "--out", scratch() / "out").stdout)
        self.compare_smallest(document)
        for point in document["points"]:
            self.compare_point(point)
        self.compare_checks()
        self.simulate_some()
        self.counts["designs put to the exhaustive demand test"] += len(self.designs.areas)
        full = self.task_set.hyperperiod
        self.counts["of these with U = 1, 1 - 1/H or 1 + 1/H"] += int((abs(self.designs.demands - full) <= 1).sum())

    def compare_smallest(self, document):
        self.same("decided", document["min_schedulable_unknown"], None)
        claimed = (document["min_schedulable_designs"] or [None])[0]
        found = None if claimed is None else self.designs.find(claimed["choices"])
        self.same("design of the smallest schedulable area", found, None if self.best is None else int(self.best))
        area = document["min_schedulable_area"]
        units = None if area is None else Fraction(area) / self.task_set.area_unit
        self.same("smallest schedulable area", units, None if self.best is None else int(self.designs.areas[self.best]))
        on_front = claimed is not None and any(point["choices"] == claimed["choices"] for point in document["points"])
        self.counts["sets of which no design is schedulable"] += claimed is None
        self.counts["sets whose smallest schedulable design is not on the front"] += (
            claimed is not None and not on_front
        )

    def compare_point(self, point):
        area = Fraction(point["area"]) / self.task_set.area_unit
        within = self.designs.areas <= int(area)
        own = bool(self.designs.passes[self.designs.find(point["choices"])])
        some = bool(self.designs.passes[within].any())
        self.same("verdict of a point", point["schedulable"], own, area=point["area"])
        self.same("verdict within a point's area", point["schedulable_within"], some, area=point["area"])
        least = Fraction(int(self.designs.demands[within].min()), self.task_set.hyperperiod)
        utilization = Fraction(int(point["utilization"]["num"]), int(point["utilization"]["den"]))
        self.same("least utilization of a point", utilization, least, area=point["area"])
        self.counts["points of the fronts"] += 1
        self.counts["of these the design fails, another of no more area passes"] += some and not own

    def compare_checks(self):
        most = int(self.designs.areas.max())
        budgets = [self.rng.randint(0, most) for _ in range(3)]
        if self.best is not None:
            smallest = int(self.designs.areas[self.best])
            budgets += [smallest, max(smallest - 1, 0)]
        for budget in budgets:
            self.check(budget)

    def check(self, budget):
        area = budget * self.task_set.area_unit
        assert area.denominator == 1, "areas of these recipes are whole"
        done = run_isx("check", self.path, "--area", area, "--json", allowed=(0, 1, 3))
        document = json.loads(done.stdout)
        within = self.designs.areas <= budget
        expected = bool(self.designs.passes[within].any())
        self.same("isx check", document["verdict"], WORDS[0 if expected else 1], budget=budget)
        self.same("exit code", WORDS[done.returncode], document["verdict"], budget=budget)
        self.counts["isx check: schedulable" if expected else "isx check: not schedulable"] += 1
        at = self.designs.find(document["choices"])
        shown = Fraction(document["area"]) / self.task_set.area_unit
        self.same("design shown fits", (shown, shown <= budget), (int(self.designs.areas[at]), True), budget=budget)
        if expected:
            self.same("design shown passes", True, bool(self.designs.passes[at]), budget=budget)

    def simulate_some(self):
        """Holds the demand test itself against schedules; a difference is this script's fault, and reported too."""
        chosen = [] if self.best is None else [int(self.best)]
        chosen += [self.rng.randrange(len(self.designs.areas)) for _ in range(10)]
        for at in chosen:
            if self.designs.demands[at] <= self.task_set.hyperperiod:
                meets = simulate(self.task_set, self.designs.wcets[at])
                self.same("simulated schedule and demand test", bool(self.designs.passes[at]), meets, design=at)
                self.counts["schedules simulated"] += 1


def main():
    options = arguments(__doc__.split("\n")[0], sets=400)
    report = Report(options, "compare_edf")
    names = (
        "designs put to the exhaustive demand test",
        "of these with U = 1, 1 - 1/H or 1 + 1/H",
        "schedules simulated",
    )
    names += ("points of the fronts", "of these the design fails, another of no more area passes")
    names += ("sets of which no design is schedulable", "sets whose smallest schedulable design is not on the front")
    names += ("isx check: schedulable", "isx check: not schedulable")
    counts = {"sets": 0} | dict.fromkeys(names, 0)
    for family in (generated, on_the_edge):
        for seed in range(1, options.sets // 2 + 1):
            Comparison(report, family, seed, counts).run()
            counts["sets"] += 1
    summary = (
        "Every verdict, every smallest schedulable area and the design behind it are those of brute force over all "
        "designs, and simulated schedules agree with the demand test."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    return report.write(counts, summary)


if __name__ == "__main__":
    raise SystemExit(main())
