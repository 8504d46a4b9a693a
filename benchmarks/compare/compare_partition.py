"""Tasks on several cores, against CP-SAT.

Sets of 10 to 16 tasks on 2 to 4 cores, with blocks of both scopes, pins and pairs apart, are drawn here; on every number of
cores the least area of `isx partition` must be CP-SAT's optimum, and so must infeasibility. Every design is summed again
from its assignment and choices. With `--resources` hardware takes LUT and DSP, of both there is a limit, and a price makes
the area. `--speed` instead measures sets of the size that its name says, beside CP-SAT with
a time limit: optimum and bound of both. `--proofs` draws sets of 10 to 30 tasks on 2 to 8 cores with up to 3 blocks and
compares the processor time to a proof with that of CP-SAT with one worker: isx must prove what CP-SAT proves within 10 s,
within 3 times its time.
"""

import argparse
import json
import math
import pathlib
import random
import resource
import subprocess
import sys
import tempfile
import time

import yaml
from ortools.sat.python import cp_model

PERIODS = [20, 40, 50, 100, 200]
HYPERPERIOD = math.lcm(*PERIODS)


def drawn(rng, tasks, cores, choices, blocks, load, rules):
    """A set whose software utilization is about `load` per core; utilization is counted in `HYPERPERIOD`."""
    shares = [0.2 + rng.random() for _ in range(tasks)]
    total = sum(shares)
    made_blocks = [
        {"name": f"b{at}", "area": rng.randint(100, 800), "scope": rng.choice(["core", "chip"]) if rules else "core"}
        for at in range(blocks)
    ]
    made = []
    for at, share in enumerate(shares):
        period = rng.choice(PERIODS) * 10000
        wcet = max(2, min(int(0.9 * period), int(share / total * load * cores * period)))
        task = {"name": f"t{at}", "wcet": wcet, "period": period, "choices": []}
        for number in range(choices):
            area = rng.randint(30, 1500)
            saved = 0.85 * (1 - math.exp(-area / 600 * (0.4 + rng.random())))
            uses = [block["name"] for block in made_blocks if rng.random() < 1.5 / max(blocks, 1)][:3]
            own = max(0, area - 300 * len(uses)) if uses else area
            choice = {"name": f"c{number}", "area": own, "wcet": max(1, int(wcet * (1 - saved)))}
            if uses:
                choice["uses"] = uses
            task["choices"].append(choice)
        made.append(task)
    if rules and rng.random() < 0.3:
        for task in rng.sample(made, 2):
            task["core"] = rng.randrange(2)
    if rules and rng.random() < 0.3:
        made[0]["apart"] = ["t1"]
    return {"name": "drawn", "cores": {"area": 0}, "blocks": made_blocks, "tasks": made}


PRICE = {"LUT": 1, "DSP": 20}


def with_resources(rng, document, cores):
    """Draws what hardware takes of DSP, and limits for all cores: of some of what the choices could take."""
    hardware = document["blocks"] + [choice for task in document["tasks"] for choice in task["choices"]]
    for own in hardware:
        own["dsp"] = rng.choice([0, 0, 1, 2, 4])
        own["area"] = max(0, own["area"] - 60 * own["dsp"])
    tasks = document["tasks"]
    most = {
        name: sum(max(choice[key] for choice in task["choices"]) for task in tasks if task["choices"])
        for name, key in (("LUT", "area"), ("DSP", "dsp"))
    }
    document["limits"] = {name: int(rng.uniform(0.15, 0.6) * most[name]) for name in most}


def written(document):
    """The document in the keys of isx, and the flags of the question."""
    if "limits" not in document:
        return document, []
    made = json.loads(json.dumps(document))
    made["resources"] = list(PRICE)
    made["device"] = {"name": "fpga", "LUT": 10**9, "DSP": made["limits"]["DSP"]}
    made["cores"] = {}
    flags = ["--within", f"LUT={made.pop('limits')['LUT']}"]
    for own in made["blocks"] + [choice for task in made["tasks"] for choice in task["choices"]]:
        own["cost"] = {"LUT": own.pop("area"), "DSP": own.pop("dsp")}
    return made, flags + ["--price", ",".join(f"{name}={price}" for name, price in PRICE.items())]


def priced(own):
    return own["area"] + PRICE["DSP"] * own.get("dsp", 0)


def cp_sat(document, cores, seconds, workers):
    """The status, the area and the bound."""
    model = cp_model.CpModel()
    blocks = document["blocks"]
    load = [[] for _ in range(cores)]
    cost = []
    taken = {"LUT": [], "DSP": []}
    uses = {}
    on = []
    for task in document["tasks"]:
        frequency = HYPERPERIOD * 10000 // task["period"]
        ways = [({"area": 0}, task["wcet"], [])] + [(c, c["wcet"], c.get("uses", [])) for c in task["choices"]]
        variables = []
        for core in range(cores):
            own = []
            for way, wcet, used in ways:
                variable = model.new_bool_var("")
                own.append(variable)
                load[core].append(wcet * frequency * variable)
                cost.append(priced(way) * variable)
                taken["LUT"].append(way["area"] * variable)
                taken["DSP"].append(way.get("dsp", 0) * variable)
                for name in used:
                    uses.setdefault((name, core), []).append(variable)
            variables.append(own)
        model.add_exactly_one(sum(variables, []))
        if "core" in task:
            if task["core"] >= cores:
                return "infeasible", None, None
            model.add(sum(variables[task["core"]]) == 1)
        on.append(variables)
    for task, variables in zip(document["tasks"], on):
        for other in task.get("apart", []):
            for core in range(cores):
                model.add(sum(variables[core]) + sum(on[int(other[1:])][core]) <= 1)
    for core in range(cores):
        model.add(sum(load[core]) <= HYPERPERIOD * 10000)
    for block in blocks:
        for group in [range(cores)] if block["scope"] == "chip" else [[core] for core in range(cores)]:
            built = model.new_bool_var("")
            cost.append(priced(block) * built)
            taken["LUT"].append(block["area"] * built)
            taken["DSP"].append(block.get("dsp", 0) * built)
            for core in group:
                for variable in uses.get((block["name"], core), []):
                    model.add_implication(variable, built)
    for name, limit in document.get("limits", {}).items():
        model.add(sum(taken[name]) <= limit)
    model.minimize(sum(cost))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = workers
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return "infeasible", None, None
    if status == cp_model.OPTIMAL:
        return "proved", int(solver.objective_value), int(solver.objective_value)
    found = int(solver.objective_value) if status == cp_model.FEASIBLE else None
    return "unknown", found, math.ceil(solver.best_objective_bound - 1e-6)


def summed(document, row):
    """The area of a row's design, summed again; a rule it breaks is an error."""
    cores = row["cores"]
    load, built, hardware = [0] * cores, [set() for _ in range(cores)], []
    for task in document["tasks"]:
        core, choice = row["assignment"][task["name"]], row["choices"][task["name"]]
        assert task.get("core", core) == core
        assert all(row["assignment"][other] != core for other in task.get("apart", []))
        wcet = task["wcet"]
        for own in task["choices"]:
            if own["name"] == choice:
                wcet = own["wcet"]
                hardware.append(own)
                built[core] |= set(own.get("uses", []))
        load[core] += wcet * (HYPERPERIOD * 10000 // task["period"])
    assert max(load) <= HYPERPERIOD * 10000
    for block in document["blocks"]:
        count = sum(block["name"] in names for names in built)
        hardware += [block] * (min(count, 1) if block["scope"] == "chip" else count)
    taken = {"LUT": sum(own["area"] for own in hardware), "DSP": sum(own.get("dsp", 0) for own in hardware)}
    if "limits" in document:
        assert {name: int(amount) for name, amount in row["cost"].items()} == taken
        assert all(taken[name] <= limit for name, limit in document["limits"].items())
    return sum(priced(own) for own in hardware)


def isx_rows(isx, document, cores, seconds=None):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "set.yaml"
        made, flags = written(document)
        path.write_text(json.dumps(made))
        command = [isx, "partition", str(path), "--json", "--cores", str(cores), *flags]
        command += ["--max-time", str(seconds)] if seconds else []
        started = time.perf_counter()
        ran = subprocess.run(command, capture_output=True, text=True)
        took = time.perf_counter() - started
    assert ran.returncode in (0, 1, 3), ran.stderr
    return json.loads(ran.stdout)["rows"], took


def compare(options):
    differences, slowest = 0, 0.0
    counts = {"proved": 0, "infeasible": 0, "unknown": 0}
    for seed in range(options.cases):
        rng = random.Random(options.seed + seed)
        tasks, cores = rng.randint(10, 16), rng.randint(2, 4)
        document = drawn(rng, tasks, cores, rng.randint(1, 4), rng.randint(0, 5), rng.uniform(1.0, 2.2), True)
        if options.resources:
            with_resources(rng, document, cores)
        rows, took = isx_rows(options.isx, document, cores)
        slowest = max(slowest, took)
        row = rows[0]
        counts[row["status"]] += 1
        status, area, bound = cp_sat(document, cores, options.seconds, options.workers)
        own = None if row["area"] is None else int(row["area"])
        if own is not None:
            assert summed(document, row) == own, seed
        if status == "proved" and row["status"] == "proved":
            same = own == area
        elif "infeasible" in (status, row["status"]):
            same = own is None and area is None
        else:
            # One of the two has bounds only; they must not contradict the other.
            low, high = (int(row["bound"]), own) if row["status"] == "unknown" else (bound, area)
            exact = area if row["status"] == "unknown" else own
            same = status == "unknown" == row["status"] or (low <= exact and (high is None or high >= exact))
        if not same:
            differences += 1
            print(f"seed {seed}: {tasks} tasks, {cores} cores: isx {row['status']} {own}, CP-SAT {status} {area} {bound}")
    print(f"{options.cases} sets: {counts}, {differences} differences, slowest {slowest:.2f} s")
    return differences


SIZES = {"20x4": (20, 4, 6, 0), "60x8": (60, 8, 6, 0), "16x8": (16, 8, 6, 0), "40x4": (40, 4, 6, 8)}


def speed(options):
    tasks, cores, choices, blocks = SIZES[options.speed]
    print("| set | isx s | isx | area | bound | CP-SAT s | CP-SAT | area | bound |\n|---|---|---|---|---|---|---|---|---|")
    for seed in range(options.cases):
        document = drawn(random.Random(seed), tasks, cores, choices, blocks, 1.6, False)
        rows, took = isx_rows(options.isx, document, cores, options.seconds)
        row = rows[0]
        if row["area"] is not None:
            assert summed(document, row) == int(row["area"])
        line = f"| {options.speed} {seed} | {took:.3f} | {row['status']} | {row['area']} | {row['bound']} |"
        if options.workers:
            started = time.perf_counter()
            status, area, bound = cp_sat(document, cores, options.seconds or max(took, 0.1), options.workers)
            line += f" {time.perf_counter() - started:.2f} | {status} | {area} | {bound} |"
        print(line, flush=True)
    return 0


PROOF_SECONDS = 10
PROOF_FACTOR = 3


def drawn_for_proof(rng):
    """A set that the cores can hold with its fastest choices, and mostly not in software."""
    cores = rng.randint(2, 8)
    tasks = rng.randint(max(10, 2 * cores), 30)
    blocks = [
        {"name": f"b{at}", "area": rng.randint(50, 400), "scope": rng.choice(["chip", "core"])}
        for at in range(rng.randint(0, 3))
    ]
    shares = [0.1 + rng.random() for _ in range(tasks)]
    load = rng.uniform(1.0, 1.5) * cores / sum(shares)
    made, least = [], 0
    for at, share in enumerate(shares):
        period = rng.choice([20, 40, 50, 100, 200]) * 10
        wcet = max(2, int(period * min(0.8, share * load * rng.uniform(0.7, 1.3))))
        choices = [
            {
                "name": f"c{number}",
                "area": rng.randint(5, 300),
                "wcet": max(1, int(wcet * rng.uniform(0.3, 0.95))),
                "uses": [block["name"] for block in blocks if rng.random() < 0.4],
            }
            for number in range(rng.randint(0, 3))
        ]
        least += min([wcet] + [choice["wcet"] for choice in choices]) * (HYPERPERIOD * 10 // period)
        made.append({"name": f"t{at}", "wcet": wcet, "period": period, "choices": choices})
    if least > cores * HYPERPERIOD * 10:
        return drawn_for_proof(rng)
    return {"name": "drawn", "cores": {"count": cores, "area": 0}, "blocks": blocks, "tasks": made}


def proofs(options):
    """Processor time to a proof beside CP-SAT with one worker, which has twice the time on the clock; how many fall short."""
    sets = [(f"seed {seed}", drawn_for_proof(random.Random(seed))) for seed in range(options.cases)]
    for path in options.sets:
        sets.append((path.stem, yaml.safe_load(path.read_text())))
    print("| set | tasks | cores | blocks | isx s | isx | area | CP-SAT s | CP-SAT | area | bound |\n" + "|---" * 11 + "|")
    short, proved = 0, 0
    for name, document in sets:
        document["cores"]["area"] = 0
        cores = document["cores"]["count"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        [row], _ = isx_rows(options.isx, document, cores, 3 * PROOF_SECONDS)
        took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        own = None if row["area"] is None else int(row["area"])
        if own is not None:
            assert summed(document, row) == own, name
        started = time.process_time()
        status, area, bound = cp_sat(document, cores, 2 * PROOF_SECONDS, 1)
        theirs = time.process_time() - started
        if status != "unknown":
            assert row["status"] == "unknown" or own == area, name
            if theirs <= PROOF_SECONDS:
                proved += 1
                short += row["status"] == "unknown" or took > PROOF_FACTOR * theirs
        blocks = len(document["blocks"])
        print(
            f"| {name} | {len(document['tasks'])} | {cores} | {blocks} | {took:.3f} | {row['status']} | {own} "
            f"| {theirs:.2f} | {status} | {area} | {bound} |",
            flush=True,
        )
    print(f"CP-SAT proved {proved} of {len(sets)} sets within {PROOF_SECONDS} s; isx falls short on {short} of these")
    return short


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--isx", default="target/release/isx")
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--speed", choices=SIZES)
    parser.add_argument("--resources", action="store_true")
    parser.add_argument("--proofs", action="store_true")
    parser.add_argument("sets", nargs="*", type=pathlib.Path, help="more sets for --proofs, with a number of cores")
    options = parser.parse_args()
    return (proofs if options.proofs else speed if options.speed else compare)(options) > 0


if __name__ == "__main__":
    sys.exit(main())
