"""Tasks with many instructions and related blocks, against CP-SAT.

Three kinds of sets are drawn: 12 programs with 6 instructions each and 10 shared blocks; one program with 60 candidate instructions in 10
groups, each of which shares a unit; and programs whose blocks need, exclude and stand for each other. At ten budgets a set the least
utilization within the area is CP-SAT's optimum: what an instruction saves adds up, a block is built with all that it needs, of two that exclude
each other one is built, and an instruction that uses a block may use one that provides it. The times are those of the whole command.
"""

import itertools
import json
import random
import statistics
import sys
import time
from fractions import Fraction
from math import lcm

from ortools.sat.python import cp_model

from harness import Report, arguments, run_isx, scratch

PERIODS = (10_000, 20_000, 25_000, 40_000, 50_000)


def drawn(kind, seed):
    """Blocks with area, needs, excludes and provides, and tasks with period, WCET and instructions."""
    rng = random.Random(f"{kind} {seed}")
    count, each, shared = {"programs": (12, 6, 10), "groups": (1, 60, 10), "relations": (4, 8, 8)}[kind]
    blocks = [{"name": f"b{at}", "area": rng.randint(50, 900), "needs": [], "excludes": [], "provides": []} for at in range(shared)]
    if kind == "relations":
        for at, block in enumerate(blocks):
            for other in range(at):
                if (draw := rng.random()) < 0.08:
                    block["needs"].append(f"b{other}")
                elif draw < 0.16:
                    block["excludes"].append(f"b{other}")
                elif draw < 0.24:
                    block["provides"].append(f"b{other}")
        if any(excluded(blocks, closed(blocks, {block["name"]})) for block in blocks):
            return drawn(kind, seed + 1_000_000)
    tasks = []
    for number in range(count):
        period = rng.choice(PERIODS)
        wcet = int(period * rng.uniform(0.8, 1.5)) // count
        instructions = []
        for at in range(each):
            uses = [f"b{at % shared}"] if kind == "groups" else [f"b{block}" for block in rng.sample(range(shared), rng.choice((0, 1, 1, 2)))]
            if excluded(blocks, closed(blocks, set(uses))):
                uses = []
            instructions.append({"name": f"i{at}", "area": rng.randint(5, 200), "uses": uses, "saves": rng.randint(1, int(wcet * 0.8) // each + 1)})
        tasks.append({"name": f"t{number}", "wcet": wcet, "period": period, "instructions": instructions})
    return blocks, tasks


def closed(blocks, names):
    by_name = {block["name"]: block for block in blocks}
    while more := {need for name in names for need in by_name[name]["needs"]} - names:
        names = names | more
    return names


def excluded(blocks, names):
    return any(other in names for block in blocks if block["name"] in names for other in block["excludes"])


def least(blocks, tasks, budget):
    """The least utilization within an area, and whether CP-SAT proved it."""
    model = cp_model.CpModel()
    built = {block["name"]: model.new_bool_var(block["name"]) for block in blocks}
    for block in blocks:
        for need in block["needs"]:
            model.add_implication(built[block["name"]], built[need])
        for other in block["excludes"]:
            model.add_bool_or(~built[block["name"]], ~built[other])
    providers = {name: [name, *(block["name"] for block in blocks if name in block["provides"])] for name in built}
    areas, saved = [block["area"] * built[block["name"]] for block in blocks], []
    hyperperiod = lcm(*(task["period"] for task in tasks))
    for task, instruction in ((task, instruction) for task in tasks for instruction in task["instructions"]):
        taken = model.new_bool_var("")
        for use in instruction["uses"]:
            model.add_bool_or(~taken, *(built[name] for name in providers[use]))
        areas.append(instruction["area"] * taken)
        saved.append(instruction["saves"] * (hyperperiod // task["period"]) * taken)
    model.add(sum(areas) <= budget)
    model.maximize(sum(saved))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers, solver.parameters.max_time_in_seconds = 1, 60
    status = solver.solve(model)
    whole = sum(Fraction(task["wcet"], task["period"]) for task in tasks)
    return whole - Fraction(round(solver.objective_value), hyperperiod), status == cp_model.OPTIMAL


def main():
    options = arguments(__doc__.split("\n")[0], sets=10)
    report = Report(options, "compare_parts")
    rows = []
    for kind, seed in itertools.product(("programs", "groups", "relations"), range(options.sets)):
        blocks, tasks = drawn(kind, seed)
        path = scratch() / "set.json"
        path.write_text(json.dumps({"name": "set", "area_unit": "LUT", "blocks": blocks, "tasks": tasks}))
        begun = time.perf_counter()
        run_isx("explore", path, "--out", scratch() / "o", "--overwrite", "--format", "json")
        seconds = time.perf_counter() - begun
        points = json.loads((scratch() / "o" / "front.json").read_text())["points"]
        figures = [(int(point["area"]), Fraction(int(point["utilization"]["num"]), int(point["utilization"]["den"]))) for point in points]
        agreed = 0
        for part in range(1, 11):
            budget = figures[-1][0] * part // 10
            own = [utilization for area, utilization in figures if area <= budget][-1]
            optimum, is_proved = least(blocks, tasks, budget)
            if is_proved and optimum != own:
                report.differ("least utilization", kind=kind, seed=seed, budget=budget, isx=str(own), cp_sat=str(optimum))
            agreed += is_proved and optimum == own
        rows.append({"kind": kind, "seed": seed, "points": len(points), "seconds": round(seconds, 3), "optima": agreed})
    lines = ["| kind | sets | points, median | seconds, median | longest | optima of CP-SAT met |", "|---|---:|---:|---:|---:|---:|"]
    for kind in ("programs", "groups", "relations"):
        own = [row for row in rows if row["kind"] == kind]
        median = {key: statistics.median(row[key] for row in own) for key in ("points", "seconds")}
        longest, optima = max(row["seconds"] for row in own), sum(row["optima"] for row in own)
        lines.append(f"| {kind} | {len(own)} | {median['points']:.0f} | {median['seconds']:.3f} | {longest:.3f} | {optima} of {10 * len(own)} |")
    counts = {"sets": len(rows), "budgets compared": sum(row["optima"] for row in rows)}
    return report.write(counts, "\n".join(lines), sets=rows)


if __name__ == "__main__":
    sys.exit(main())
