"""Task sets with shared blocks, slots and clocks that drop, against CP-SAT.

`isx generate taskset --blocks` draws the sets; slots for some blocks and an fmax for some are drawn here. At ten budgets
a set (four random, six at and just below points of the front) the least utilization within the budget is CP-SAT's
optimum: a block is built if any choice taken uses it and is paid for once, a slot holds one block, and a design runs at
the lowest fmax of its blocks, of which every possible clock is tried by itself. Every point is summed again from its
choices, with the blocks and the clock that the YAML says they need.
"""

import json
import random
from fractions import Fraction

import yaml
from ortools.sat.python import cp_model

import taskset_yaml
from compare_taskset import PERIODS, SAVINGS, budgets, fraction
from exact import common_divisor, cp_sat_solve, linear, select
from harness import Report, arguments, run_isx, scratch


class Blocks:
    """The blocks of a YAML document, and what each choice uses."""

    def __init__(self, document, area_unit):
        self.names = [block["name"] for block in document["blocks"]]
        self.areas = [int(Fraction(block["area"]) / area_unit) for block in document["blocks"]]
        self.slots = [block.get("slot") for block in document["blocks"]]
        self.base = Fraction(document["clock"].split()[0])
        self.fmax = [Fraction(block["fmax"].split()[0]) if "fmax" in block else None for block in document["blocks"]]
        self.uses = [
            [[self.names.index(name) for name in choice.get("uses", [])] for choice in task.get("choices", [])]
            for task in document["tasks"]
        ]

    def clocks(self):
        """Every clock that some design may run at, in MHz."""
        return sorted({min(self.base, fmax) for fmax in self.fmax if fmax is not None} | {self.base})

    def clock(self, built):
        return min([self.base, *(self.fmax[block] for block in built if self.fmax[block] is not None)])

    def allowed(self, clock):
        return [fmax is None or fmax >= clock for fmax in self.fmax]


def drawn(seed, options):
    """The path of a set with slots and clocks."""
    rng = random.Random(seed)
    path = scratch() / "set.yaml"
    recipe = ["--tasks", options.tasks, "--choices", options.choices, "--blocks", options.blocks, "--uses", "1..3"]
    recipe += ["--periods", PERIODS[seed % len(PERIODS)], "--savings", SAVINGS[seed // 3 % len(SAVINGS)]]
    recipe += ["--area", ("100..5000", "1..60", "0..900")[seed % 3], "--block-area", ("100..5000", "0..90")[seed % 2]]
    run_isx("generate", "taskset", *recipe, "--utilization", ("1.5", "1.2", "2.4")[seed % 3], "--seed", seed, "-o", path)
    document = yaml.load(path.read_text(), Loader=yaml.BaseLoader)
    blocks = document["blocks"]
    if seed % 2:
        for block in blocks:
            if rng.random() < 0.4:
                block["slot"] = f"slot-{rng.randint(1, 2)}"
    if seed % 5 < 2:
        for block in blocks:
            if rng.random() < 0.4:
                block["fmax"] = f"{rng.choice((70, 85, '97.5', 120))} MHz"
    slots = {block["name"]: block.get("slot") for block in blocks}
    for task in document["tasks"]:
        for choice in task["choices"]:
            taken, kept = set(), []
            for name in choice["uses"]:
                if slots[name] is None or slots[name] not in taken:
                    kept.append(name)
                    taken.add(slots[name])
            choice["uses"] = kept
    path.write_text(yaml.safe_dump(document, sort_keys=False))
    return path


def least_demand(task_set, blocks, budget, clock):
    """The least demand in a hyperperiod, counted at the base clock, within the budget with blocks that allow the clock."""
    classes = task_set.classes()
    unit = common_divisor([value for items in classes for value, _ in items])
    scaled = [[(value // unit, weight) for value, weight in items] for items in classes]
    model = cp_model.CpModel()
    selection = select(model, scaled, True)
    built = [model.new_bool_var("") for _ in blocks.names]
    for variables, uses in zip(selection, blocks.uses, strict=True):
        for variable, used in zip(variables, uses, strict=True):
            for block in used:
                model.add_implication(variable, built[block])
    for slot in set(blocks.slots) - {None}:
        model.add_at_most_one(variable for variable, other in zip(built, blocks.slots) if other == slot)
    for variable, allowed in zip(built, blocks.allowed(clock)):
        if not allowed:
            model.add(variable == 0)
    area = sum(area * variable for area, variable in zip(blocks.areas, built))
    model.add(linear(scaled, selection, 1) + area <= budget)
    model.maximize(linear(scaled, selection, 0))
    solver, status = cp_sat_solve(model)
    assert status == cp_model.OPTIMAL, solver.status_name(status)
    taken = sum(
        value
        for items, variables in zip(classes, selection, strict=True)
        for (value, _), variable in zip(items, variables, strict=True)
        if solver.value(variable)
    )
    return task_set.base() - taken


def summed(task_set, blocks, choices):
    """Area in units, utilization and the names of the blocks of a design."""
    area, demand = task_set.design(choices)
    built = set()
    for task, uses in zip(task_set.tasks, blocks.uses, strict=True):
        names = [name for name, _, _ in task.choices]
        if choices[task.name] is not None:
            built |= set(uses[names.index(choices[task.name])])
    utilization = Fraction(demand, task_set.hyperperiod) * blocks.base / blocks.clock(built)
    return area + sum(blocks.areas[block] for block in built), utilization, [blocks.names[at] for at in sorted(built)]


def compare_set(report, seed, options, counts):
    path = drawn(seed, options)
    task_set = taskset_yaml.read(path)
    blocks = Blocks(yaml.load(path.read_text(), Loader=yaml.BaseLoader), task_set.area_unit)
    document = json.loads(run_isx("explore", path, "--json").stdout)
    areas = []
    for point in document["points"]:
        area, utilization, built = summed(task_set, blocks, point["choices"])
        claimed = (Fraction(point["area"]) / task_set.area_unit, fraction(point["utilization"]), point["blocks"])
        report.same("point summed again", claimed, (area, utilization, built), seed=seed)
        report.same("verdict of a point", point["schedulable"], utilization <= 1, seed=seed, area=point["area"])
        if any(blocks.fmax):
            hertz = Fraction(point["clock_hz"])
            clock = blocks.clock({blocks.names.index(name) for name in built})
            report.same("clock of a point", hertz, clock * 10**6, seed=seed, area=point["area"])
            counts["points below the base clock"] += clock < blocks.base
        areas.append(area)
    counts["points of the fronts"] += len(areas)
    counts["sets with slots"] += any(blocks.slots)
    counts["sets with clocks"] += any(blocks.fmax)
    most = sum(max((area for _, area, _ in task.choices), default=0) for task in task_set.tasks) + sum(blocks.areas)
    rows = []
    for budget in budgets(random.Random(seed), areas, most):
        within = [point for point, area in zip(document["points"], areas) if area <= budget]
        claimed = fraction(within[-1]["utilization"])
        least = min(
            Fraction(least_demand(task_set, blocks, budget, clock), task_set.hyperperiod) * blocks.base / clock
            for clock in blocks.clocks()
        )
        report.same("least utilization (CP-SAT)", claimed, least, seed=seed, budget=budget)
        counts["budgets solved by CP-SAT"] += 1
        rows.append([budget, str(claimed)])
    return {"seed": seed, "points": len(areas), "budgets": rows}


def main():
    options = arguments(__doc__.split("\n")[0], sets=200, tasks=20, choices=8, blocks=10)
    report = Report(options, "compare_blocks")
    counted = ("sets", "sets with slots", "sets with clocks", "points of the fronts", "points below the base clock")
    counts = dict.fromkeys((*counted, "budgets solved by CP-SAT"), 0)
    sets = []
    for seed in range(1, options.sets + 1):
        sets.append(compare_set(report, seed, options, counts))
        counts["sets"] += 1
    summary = (
        "The least utilization at every budget equals CP-SAT's optimum, and every point's choices, blocks and clock add up."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    return report.write(counts, summary, sets=sets)


if __name__ == "__main__":
    raise SystemExit(main())
