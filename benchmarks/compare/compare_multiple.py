"""Multiple knapsack problems, against CP-SAT and HiGHS, each on one thread.

Problems of `isx generate multiple` of several sizes and kinds. Solvers that prove an optimum must agree; no
profit is above another's proved bound, and the items that isx names are summed again. A line per problem with the time of
each, or what it knew when its time ended.
"""

import json
import math
import random
import time

import highspy
from harness import arguments, hardware, run_isx, scratch
from ortools.sat.python import cp_model

SIZES = ((40, 4), (100, 10), (200, 10), (500, 20), (2000, 10), (40, 20), (60, 20), (60, 12))
KINDS = ("uncorrelated", "weak", "strong", "subset-sum")


def read(path):
    numbers = [int(word) for word in path.read_text().split()]
    count, knapsacks = numbers[:2]
    rest = numbers[2 + knapsacks :]
    return numbers[2 : 2 + knapsacks], list(zip(rest[0::2], rest[1::2]))[:count]


def by_isx(path, capacities, items, seconds):
    started = time.perf_counter()
    limit = ("--max-time", seconds) if seconds else ()
    done = run_isx("solve", "multiple", path, "--json", *limit, allowed=(0, 3))
    took = time.perf_counter() - started
    answer = json.loads(done.stdout)
    picks = answer["picks"]
    assert len({item for chosen in picks for item in chosen}) == sum(map(len, picks)), "an item is in two knapsacks"
    for chosen, weight, capacity in zip(picks, answer["weight"], capacities, strict=True):
        assert sum(items[item][1] for item in chosen) == weight <= capacity, "a knapsack's weight"
    value = int(answer["value"])
    assert sum(items[item][0] for chosen in picks for item in chosen) == value, "the profit"
    assert (done.returncode == 0) == (answer["status"] == "proved") == (answer["value"] == answer["bound"])
    return value, int(answer["bound"]), took


def by_cp_sat(capacities, items, seconds):
    model = cp_model.CpModel()
    taken = [[model.new_bool_var("") for _ in capacities] for _ in items]
    for row in taken:
        model.add_at_most_one(row)
    for at, capacity in enumerate(capacities):
        model.add(sum(weight * row[at] for (_, weight), row in zip(items, taken)) <= capacity)
    model.maximize(sum(profit * sum(row) for (profit, _), row in zip(items, taken)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    started = time.perf_counter()
    status = solver.solve(model)
    took = time.perf_counter() - started
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return 0, math.inf, took
    found = int(solver.objective_value)
    return found, found if status == cp_model.OPTIMAL else math.floor(solver.best_objective_bound + 1e-6), took


def by_highs(capacities, items, seconds):
    model = highspy.Highs()
    for name, value in (("output_flag", False), ("threads", 1), ("time_limit", float(seconds)), ("mip_rel_gap", 0.0)):
        model.setOptionValue(name, value)
    # Gaps below a whole profit are proofs.
    model.setOptionValue("mip_abs_gap", 0.999)
    taken = [[model.addBinary(obj=profit) for _ in capacities] for profit, _ in items]
    for row in taken:
        model.addConstr(model.qsum(row) <= 1)
    for at, capacity in enumerate(capacities):
        model.addConstr(model.qsum(weight * row[at] for (_, weight), row in zip(items, taken)) <= capacity)
    started = time.perf_counter()
    model.changeObjectiveSense(highspy.ObjSense.kMaximize)
    model.run()
    took = time.perf_counter() - started
    info = model.getInfo()
    if not math.isfinite(info.objective_function_value) or not math.isfinite(info.mip_dual_bound):
        return 0, math.inf, took
    found = round(info.objective_function_value)
    proved = model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return found, found if proved else math.floor(info.mip_dual_bound + 1e-6), took


def shown(found, bound, took):
    if bound == math.inf:
        return "nothing"
    return f"{took:.2f}" if found == bound else f"{found} to {bound}"


def compare(path, seconds, facts, differences):
    capacities, items = read(path)
    answers = {
        "isx": by_isx(path, capacities, items, seconds),
        "CP-SAT": by_cp_sat(capacities, items, seconds),
        "HiGHS": by_highs(capacities, items, seconds),
    }
    for one, (found, _, _) in answers.items():
        for other, (_, bound, _) in answers.items():
            if found > bound:
                differences.append(f"{facts}: {one} has {found}, {other} says at most {bound}")
    return answers


def small(seed, path):
    """A problem of few items: everything of it is decided by all within a second."""
    rng = random.Random(seed)
    heaviest = rng.choice((5, 20, 100))
    capacities = [rng.randint(0, 2 * heaviest) for _ in range(rng.randint(1, 5))]
    items = [(rng.randint(1, 50), rng.randint(1, heaviest)) for _ in range(rng.randint(1, 14))]
    lines = [f"{len(items)} {len(capacities)}", " ".join(map(str, capacities)), *(f"{p} {w}" for p, w in items)]
    path.write_text("\n".join(lines) + "\n")


def main():
    options = arguments(__doc__.split("\n")[0], seconds=5, seeds=2, small=300)
    path, differences = scratch() / "problem.txt", []
    for seed in range(options.small):
        small(seed, path)
        capacities, items = read(path)
        mine, other = by_isx(path, capacities, items, 0), by_cp_sat(capacities, items, 60)
        if mine[:2] != other[:2]:
            differences.append(f"small problem {seed}: isx has {mine}, CP-SAT {other}")
    lines = [f"# Multiple knapsack problems\n\n{hardware()}. Seconds of whole solves, one thread; where a time limit of"]
    lines += [f"{options.seconds} s ended before a proof: the profit found and the bound.\n"]
    lines += ["| items | knapsacks | kind | seed | isx | CP-SAT | HiGHS |", "|---:|---:|---|---:|---:|---:|---:|"]
    proved = {}
    for count, knapsacks in SIZES:
        for kind in KINDS:
            for seed in range(1, options.seeds + 1):
                flags = f"--items {count} --knapsacks {knapsacks} --kind {kind} --seed {seed}"
                run_isx("generate", "multiple", *flags.split(), "-o", path)
                answers = compare(path, options.seconds, flags, differences)
                for name, (found, bound, _) in answers.items():
                    proved[name] = proved.get(name, 0) + (found == bound)
                cells = " | ".join(shown(*answer) for answer in answers.values())
                lines.append(f"| {count} | {knapsacks} | {kind} | {seed} | {cells} |")
                print(lines[-1], flush=True)
    problems = len(SIZES) * len(KINDS) * options.seeds
    counts = ", ".join(f"{name} {count}" for name, count in proved.items())
    lines.append(f"\nProved of {problems}: {counts}. {options.small} small problems against CP-SAT, all proved.")
    lines.append(f"Differences: {len(differences)}." + "".join(f"\n- {difference}" for difference in differences))
    (options.out / "multiple.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines[-2:]))
    return 1 if differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
