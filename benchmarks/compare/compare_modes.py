"""Several modes of one chip, against CP-SAT.

Sets with tasks that run in one mode and tasks that run in all, and with blocks, are drawn here. The least schedulable area of
`isx explore` must be CP-SAT's optimum, and so must the least largest utilization within the areas of points of the front.
CP-SAT has the time that isx took for the whole front, or `--seconds`, for each of these questions.
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

from ortools.sat.python import cp_model

PERIODS = [20, 40, 50, 100, 200]
HYPERPERIOD = math.lcm(*PERIODS) * 10000


def drawn(seed, modes, tasks, choices, blocks, shared):
    """A set with `tasks` tasks in every mode, of which the part `shared` is in all."""
    rng = random.Random(seed)
    names = [f"m{at}" for at in range(modes)]
    made_blocks = [{"name": f"b{at}", "area": rng.randint(100, 800)} for at in range(blocks)]
    made = []
    common = int(tasks * shared)
    for at in range(common + (tasks - common) * modes):
        period = rng.choice(PERIODS) * 10000
        wcet = max(2, int(1.6 / tasks * (0.5 + rng.random()) * period))
        task = {"name": f"t{at}", "wcet": wcet, "choices": []}
        task["period"] = period if at < common else {names[at % modes]: period}
        for number in range(choices):
            area = rng.randint(30, 1500)
            uses = [block["name"] for block in made_blocks if rng.random() < 1.5 / max(blocks, 1)][:3]
            saved = 0.85 * (1 - math.exp(-area / 600 * (0.4 + rng.random())))
            own = max(0, area - 300 * len(uses)) if uses else area
            choice = {"name": f"c{number}", "area": own, "wcet": max(1, int(wcet * (1 - saved)))}
            task["choices"].append({**choice, "uses": uses} if uses else choice)
        made.append(task)
    return {"name": "drawn", "modes": names, "blocks": made_blocks, "tasks": made}


def cp_sat(document, area, seconds, workers):
    """The least area with which every mode is schedulable, or the least largest demand within an area: value, bound, seconds."""
    model = cp_model.CpModel()
    cost, uses = [], {}
    demand = {mode: [] for mode in document["modes"]}
    for task in document["tasks"]:
        period = task["period"]
        in_modes = period if isinstance(period, dict) else {mode: period for mode in document["modes"]}
        ways = [(0, task["wcet"], [])] + [(c["area"], c["wcet"], c.get("uses", [])) for c in task["choices"]]
        variables = [model.new_bool_var("") for _ in ways]
        model.add_exactly_one(variables)
        for variable, (own, wcet, used) in zip(variables, ways):
            cost.append(own * variable)
            for mode, length in in_modes.items():
                demand[mode].append(wcet * (HYPERPERIOD // length) * variable)
            for name in used:
                uses.setdefault(name, []).append(variable)
    for block in document["blocks"]:
        built = model.new_bool_var("")
        cost.append(block["area"] * built)
        for variable in uses.get(block["name"], []):
            model.add_implication(variable, built)
    if area is None:
        for terms in demand.values():
            model.add(sum(terms) <= HYPERPERIOD)
        model.minimize(sum(cost))
    else:
        most = model.new_int_var(0, 100 * HYPERPERIOD, "")
        for terms in demand.values():
            model.add(sum(terms) <= most)
        model.add(sum(cost) <= area)
        model.minimize(most)
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = workers
    started = time.perf_counter()
    status = solver.solve(model)
    took = time.perf_counter() - started
    value = int(solver.objective_value) if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None
    bound = value if status == cp_model.OPTIMAL else math.ceil(solver.best_objective_bound - 1e-6)
    return value, bound, took


def isx_front(isx, document):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "set.yaml"
        path.write_text(json.dumps(document))
        started = time.perf_counter()
        ran = subprocess.run([isx, "explore", str(path), "--json"], capture_output=True, text=True)
        took = time.perf_counter() - started
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout), took


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--isx", default="target/release/isx")
    parser.add_argument("--cases", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, help="time of CP-SAT for one question [default: what isx took for the front]")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--size", type=int, nargs=4, default=[4, 10, 8, 12], metavar=("MODES", "TASKS", "CHOICES", "BLOCKS"))
    options = parser.parse_args()
    differences = 0
    print("| shared | seed | isx s | points | question | isx | CP-SAT | bound | CP-SAT s |\n|---|---|---|---|---|---|---|---|---|")
    for shared in (0, 0.5):
        for seed in range(options.seed, options.seed + options.cases):
            document = drawn(seed, *options.size, shared)
            front, took = isx_front(options.isx, document)
            points = front["points"]
            asked = [(None, int(front["min_schedulable_area"]) if front["min_schedulable_area"] is not None else None)]
            for point in random.Random(seed).sample(points, min(2, len(points))):
                most = Fraction(int(point["utilization"]["num"]), int(point["utilization"]["den"])) * HYPERPERIOD
                assert most.denominator == 1
                asked.append((int(point["area"]), int(most)))
            for area, own in asked:
                value, bound, seconds = cp_sat(document, area, options.seconds or took, options.workers)
                question = "least area" if area is None else f"demand within {area}"
                print(f"| {shared} | {seed} | {took:.3f} | {len(points)} | {question} | {own} | {value} | {bound} | {seconds:.2f} |", flush=True)
                # A proved optimum must be ours; bounds must not contradict it.
                if (value is not None and (own is None or value < own)) or (own is not None and bound > own):
                    differences += 1
                    print(f"DIFFERENCE: {shared} {seed} {question}")
    print(f"{differences} differences")
    return differences > 0


if __name__ == "__main__":
    sys.exit(main())
