"""Task sets with several resources, against brute force and CP-SAT.

Small sets (up to 5 tasks, 3 choices, 3 resources, blocks, slots, a clock that drops, costs of either sign, halves, a
device, objectives fewer than resources) are solved by trying every design in exact fractions: all points with their costs,
choices, blocks and verdicts, the minimal schedulable costs, and the least utilization within ten limits and within known
devices, with the resources that bind. Of designs of equal utilization and objectives the one with the
least other costs counts, then the one whose choices come first from the last task to the first.

Sets of 20 tasks and 8 choices that `isx generate taskset --resources` draws: the least utilization under ten random limits
is CP-SAT's optimum; of points drawn from the front no design costs one unit less in one resource at no more utilization.
"""

import itertools
import json
import random
from fractions import Fraction

import yaml
from ortools.sat.python import cp_model

import taskset_yaml
from compare_taskset import fraction
from exact import common_scale, cp_sat_solve
from harness import Report, arguments, run_isx, scratch

NAMES = ("LUT", "DSP", "BRAM")
MOST = {"LUT": 60, "DSP": 4, "BRAM": 6}
DEVICES = ("iCE40UP5K", "iCE40HX1K", "iCE40HX8K")


def drawn(rng):
    """A random set as a YAML document."""
    names = list(NAMES[: rng.randint(1, 3)])
    rng.shuffle(names)
    document = {"name": "random", "resources": names}
    clocked = rng.random() < 0.3
    if clocked:
        document["clock"] = "100 MHz"

    def cost(most_scale=1):
        amounts = {}
        for name in names:
            if rng.random() < 0.75:
                least = -MOST[name] // 3 if rng.random() < 0.2 else 0
                amount = Fraction(rng.randint(least, MOST[name] * most_scale))
                if name == "BRAM" and rng.random() < 0.3:
                    amount += Fraction(1, 2)
                amounts[name] = str(float(amount)) if amount.denominator > 1 else str(amount)
        return amounts

    blocks = []
    if rng.random() < 0.6:
        for at in range(rng.randint(1, 3)):
            block = {"name": f"b{at}", "cost": cost()}
            if rng.random() < 0.4:
                block["slot"] = "s"
            if clocked and rng.random() < 0.5:
                block["fmax"] = rng.choice(("80 MHz", "97.5 MHz", "120 MHz"))
            blocks.append(block)
        document["blocks"] = blocks
    if len(names) > 1 and rng.random() < 0.4:
        document["objectives"] = rng.sample(names, rng.randint(1, len(names) - 1))
    if rng.random() < 0.4:
        document["base"] = {name: str(rng.randint(0, 30)) for name in names}
    if rng.random() < 0.4:
        base = document.get("base", {})
        room = {name: int(base.get(name, 0)) + rng.randint(0, MOST[name] * 2) for name in names}
        document["device"] = {"name": "board", **{name: str(amount) for name, amount in room.items()}}
        if rng.random() < 0.4:
            document["fill"] = {rng.choice(names): f"{rng.choice((70, 85, 90))} %"}
    tasks = []
    for at in range(rng.randint(1, 5)):
        period = rng.choice((10, 20, 40))
        wcet = rng.randint(2, period - 1)
        choices = []
        for k in range(rng.randint(0, 3)):
            choice = {"name": f"c{k}", "cost": cost(), "wcet": str(rng.randint(1, wcet + 1))}
            uses, slotted = [], False
            for block in blocks:
                if rng.random() < 0.4 and not (slotted and "slot" in block):
                    uses.append(block["name"])
                    slotted |= "slot" in block
            if uses:
                choice["uses"] = uses
            choices.append(choice)
        task = {"name": f"t{at}", "wcet": str(wcet), "period": str(period)}
        if choices:
            task["choices"] = choices
        tasks.append(task)
    document["tasks"] = tasks
    return document


class Designs:
    """Every design of a document, in exact fractions."""

    def __init__(self, document):
        self.names = document["resources"]
        self.objectives = document.get("objectives", self.names)
        self.tasks = document["tasks"]
        self.blocks = document.get("blocks", [])
        self.clock = Fraction(document["clock"].split()[0]) if "clock" in document else None
        base = document.get("base", {})
        self.base = [Fraction(base.get(name, 0)) for name in self.names]
        self.limits = None
        if "device" in document:
            fill = document.get("fill", {})
            share = [Fraction(fill.get(name, "100 %").split()[0]) / 100 for name in self.names]
            self.limits = [Fraction(document["device"][name]) * part for name, part in zip(self.names, share)]
        options = [[None, *range(len(task.get("choices", [])))] for task in self.tasks]
        found = (self.design(choices) for choices in itertools.product(*options))
        self.all = [design for design in found if design is not None]

    def cost_of(self, entry):
        return [Fraction(entry["cost"].get(name, 0)) for name in self.names]

    def design(self, choices):
        """(costs, utilization, choices, names of blocks), or None where a slot would hold two."""
        costs, used = list(self.base), set()
        taken = [None if at is None else task["choices"][at] for task, at in zip(self.tasks, choices)]
        for choice in filter(None, taken):
            costs = [a + b for a, b in zip(costs, self.cost_of(choice))]
            used |= set(choice.get("uses", []))
        built = [block for block in self.blocks if block["name"] in used]
        slots = [block["slot"] for block in built if "slot" in block]
        if len(slots) != len(set(slots)):
            return None
        factor = Fraction(1)
        for block in built:
            costs = [a + b for a, b in zip(costs, self.cost_of(block))]
            if "fmax" in block:
                factor = max(factor, self.clock / Fraction(block["fmax"].split()[0]))
        wcets = [Fraction((choice or task)["wcet"]) for task, choice in zip(self.tasks, taken)]
        utilization = factor * sum(wcet / Fraction(task["period"]) for wcet, task in zip(wcets, self.tasks))
        return tuple(costs), utilization, choices, [block["name"] for block in built]

    def within(self, limits):
        """Designs within limits, one a resource; None is no limit."""
        if limits is None:
            return self.all
        fits = lambda costs: all(limit is None or cost <= limit for cost, limit in zip(costs, limits))
        return [design for design in self.all if fits(design[0])]

    def objective(self, costs):
        return tuple(costs[self.names.index(name)] for name in self.objectives)

    def order(self, design):
        """Of designs of equal utilization: the one that comes first."""
        costs, utilization, choices, _ = design
        others = tuple(cost for name, cost in zip(self.names, costs) if name not in self.objectives)
        numbers = tuple(-1 if choice is None else choice for choice in reversed(choices))
        return self.objective(costs), utilization, others, numbers

    def best_of_each(self, designs):
        best = {}
        for design in sorted(designs, key=self.order):
            best.setdefault(self.objective(design[0]), design)
        return list(best.values())

    def front(self):
        points = self.best_of_each(self.within(self.limits))
        cost = {id(point): self.objective(point[0]) for point in points}
        no_more = lambda a, b: all(x <= y for x, y in zip(cost[id(a)], cost[id(b)]))
        dominated = lambda point: any(
            other is not point and no_more(other, point) and other[1] <= point[1] for other in points
        )
        return [point for point in points if not dominated(point)]

    def minimal(self):
        costs = {self.objective(design[0]) for design in self.within(self.limits) if design[1] <= 1}
        less = lambda a, b: a != b and all(x <= y for x, y in zip(a, b))
        return sorted(cost for cost in costs if not any(less(other, cost) for other in costs))


def named(cost, names):
    return tuple(Fraction(cost[name]) for name in names)


def compare_small(report, seed, counts):
    rng = random.Random(seed)
    document = drawn(rng)
    path = scratch() / "small.yaml"
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    designs = Designs(document)
    front = designs.front()
    done = run_isx("explore", path, "--json", "-q", allowed=(0, 1, 2))
    if not front:
        counts["small sets in which no design is within the limits"] += 1
        report.same("exit code where nothing fits", done.returncode in (1, 2), True, seed=seed)
        return
    if done.returncode != 0:
        report.differ("not explored", seed=seed, error=done.stderr)
        return
    answer = json.loads(done.stdout)
    several = "area_unit" not in answer
    counts["small sets"] += 1
    counts["points of small sets"] += len(front)
    names = designs.names
    if several:
        claimed = [
            (named(point["cost"], names), fraction(point["utilization"]), list(point["choices"].values()), point.get("blocks", []))
            for point in answer["points"]
        ]
    else:
        claimed = [
            ((Fraction(point["area"]),), fraction(point["utilization"]), list(point["choices"].values()), point.get("blocks", []))
            for point in answer["points"]
        ]
    texts = lambda choices: [None if at is None else task["choices"][at]["name"] for task, at in zip(designs.tasks, choices)]
    expected = [(costs, utilization, texts(choices), blocks) for costs, utilization, choices, blocks in front]
    report.same_list("front", claimed, expected, seed=seed)
    verdicts = [point["schedulable"] for point in answer["points"]]
    report.same_list("verdicts", verdicts, [point[1] <= 1 for point in front], seed=seed)
    if several:
        least = sorted(tuple(Fraction(cost[name]) for name in designs.objectives) for cost in answer["min_schedulable"])
        report.same_list("minimal schedulable costs", least, designs.minimal(), seed=seed)
        compare_limits(report, seed, rng, path, designs, counts)


def compare_limits(report, seed, rng, path, designs, counts):
    names = designs.names
    for _ in range(3):
        costs = rng.choice(designs.all)[0]
        limits = [cost + rng.randint(-1, 2) if rng.random() < 0.8 else None for cost in costs]
        if all(limit is None for limit in limits) or any(limit is not None and limit < 0 for limit in limits):
            continue
        words = ",".join(f"{name}={float(limit):g}" for name, limit in zip(names, limits) if limit is not None)
        done = run_isx("check", path, "--within", words, "--json", allowed=(0, 1, 2))
        both = [
            min((x for x in pair if x is not None), default=None) for pair in zip(limits, designs.limits or [None] * len(names))
        ]
        within = designs.within(both)
        schedulable = any(design[1] <= 1 for design in within)
        report.same("check --within", done.returncode == 0, schedulable, seed=seed, within=words, stderr=done.stderr)
        counts["limits checked"] += 1
    if not set(names) <= {"LUT", "DSP", "BRAM"} or designs.limits is not None:
        return
    words = [word for device in DEVICES for word in ("--device", device)]
    done = run_isx("fit", path, *words, "--json", allowed=(0, 1, 2))
    if done.returncode == 2:
        counts["sets whose resources a device lacks"] += 1
        return
    for row in json.loads(done.stdout)["rows"]:
        limits = [Fraction(row["limits"][name]) for name in names]
        least = lambda limits: min((design[1] for design in designs.within(limits)), default=None)
        claimed = None if row["utilization"] is None else fraction(row["utilization"])
        report.same("fit", claimed, least(limits), seed=seed, device=row["device"])
        report.same("fit's verdict", row["schedulable"], claimed is not None and claimed <= 1, seed=seed, device=row["device"])
        lifted = lambda at: [None if other == at else limit for other, limit in enumerate(limits)]
        better = lambda a, b: a is not None and (b is None or a < b)
        binding = [name for at, name in enumerate(names) if better(least(lifted(at)), claimed)]
        report.same("what binds", sorted(row["binding"]), sorted(binding), seed=seed, device=row["device"])
        counts["devices fitted"] += 1


class Model:
    """A large document as a CP-SAT model: one 0-1 variable a choice."""

    def __init__(self, document):
        self.names, self.tasks = document["resources"], document["tasks"]
        hertz = Fraction(document["clock"].split()[0]) * taskset_yaml.HERTZ[document["clock"].split()[1]]
        utilizations = [self.utilizations(task, hertz) for task in self.tasks]
        self.unit = common_scale([part for parts in utilizations for part in parts])
        self.demand = [[int(part * self.unit) for part in parts] for parts in utilizations]
        self.costs = [[[0] * len(self.names)] + [self.cost(choice) for choice in task["choices"]] for task in self.tasks]

    def utilizations(self, task, hertz):
        """Of the task in software, then with each choice: cycles of execution over cycles of its period."""
        number, unit = task["period"].split()
        period = Fraction(number) / taskset_yaml.SECONDS[unit] * hertz
        wcet = Fraction(task["wcet"])
        return [wcet / period, *((wcet - Fraction(choice["saves"])) / period for choice in task["choices"])]

    def cost(self, choice):
        amounts = [Fraction(choice["cost"].get(name, 0)) for name in self.names]
        assert all(amount.denominator == 1 for amount in amounts)
        return [int(amount) for amount in amounts]

    def built(self, limits):
        model = cp_model.CpModel()
        takes = [[model.new_bool_var("") for _ in demands] for demands in self.demand]
        for variables in takes:
            model.add_exactly_one(variables)
        total = lambda amount: sum(
            amount(i, k) * variable for i, variables in enumerate(takes) for k, variable in enumerate(variables) if amount(i, k)
        )
        for at, limit in enumerate(limits):
            if limit is not None:
                model.add(total(lambda i, k, at=at: self.costs[i][k][at]) <= limit)
        return model, total(lambda i, k: self.demand[i][k])

    def least(self, limits):
        model, demand = self.built(limits)
        model.minimize(demand)
        solver, status = cp_sat_solve(model)
        if status == cp_model.INFEASIBLE:
            return None
        assert status == cp_model.OPTIMAL, solver.status_name(status)
        return Fraction(round(solver.objective_value), self.unit)

    def is_possible(self, limits, utilization):
        model, demand = self.built(limits)
        model.add(demand <= int(utilization * self.unit))
        _, status = cp_sat_solve(model)
        return status in (cp_model.OPTIMAL, cp_model.FEASIBLE)


def compare_large(report, seed, options, counts):
    rng = random.Random(seed)
    path = scratch() / "large.yaml"
    recipe = ["--tasks", options.tasks, "--choices", options.choices, "--resources", "LUT:30..1500,DSP:0..4,BRAM:0..3"]
    run_isx("generate", "taskset", *recipe, "--utilization", "1.6", "--seed", seed, "-o", path)
    document = yaml.load(path.read_text(), Loader=yaml.BaseLoader)
    model = Model(document)
    most = [sum(max(costs[at] for costs in choices) for choices in model.costs) for at in range(len(model.names))]
    for _ in range(options.limits):
        limits = [rng.randint(0, amount) for amount in most]
        words = ",".join(f"{name}={limit}" for name, limit in zip(model.names, limits))
        answer = json.loads(run_isx("show", path, "--within", words, "--json", allowed=(0, 1)).stdout)
        claimed = fraction(answer["utilization"])
        report.same("least utilization within limits (CP-SAT)", claimed, model.least(limits), seed=seed, within=words)
        cost = [int(answer["cost"][name]) for name in model.names]
        report.same("cost within the limits", all(a <= b for a, b in zip(cost, limits)), True, seed=seed, within=words)
        at = rng.randrange(len(cost))
        better = [amount - (place == at) for place, amount in enumerate(cost)]
        report.same("no design costs one unit less", model.is_possible(better, claimed), False, seed=seed, within=words)
        counts["limits solved by CP-SAT"] += 1
    counts["large sets"] += 1


def main():
    options = arguments(__doc__.split("\n")[0], small=20000, large=200, tasks=20, choices=8, limits=10, seed=1)
    report = Report(options, "compare_resources")
    counted = ["small sets", "points of small sets", "small sets in which no design is within the limits", "limits checked"]
    counted += ["devices fitted", "sets whose resources a device lacks", "large sets", "limits solved by CP-SAT"]
    counts = dict.fromkeys(counted, 0)
    for seed in range(options.seed, options.seed + options.small):
        compare_small(report, seed, counts)
    for seed in range(options.seed, options.seed + options.large):
        compare_large(report, seed, options, counts)
    summary = (
        "Every front, minimal cost, limit and device equals brute force; every least utilization is CP-SAT's optimum."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    return report.write(counts, summary)


if __name__ == "__main__":
    raise SystemExit(main())
