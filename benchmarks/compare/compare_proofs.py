"""Formulas and proofs of fronts, checked by VeriPB and decided by CP-SAT; certificates beside them.

For each generated task set, with blocks, slots and clocks in some, `isx explore --opb --veripb --certificate` writes the
claim of the front as a pseudo-Boolean formula, its refutation, and isx's own certificate. VeriPB 3 must accept the
refutation, and refuse it once a step of it is left out and a formula of a front that lacks a point. CP-SAT must find the
formulas of the small sets without a solution, and with one once a point is removed from the staircase, or made worse by 1.
The command `veripb` is looked for on the path, or named in the variable VERIPB (cargo install veripb).
"""

import json
import os
import random
import re
import subprocess
import time

from ortools.sat.python import cp_model

from harness import Report, arguments, run_isx, scratch

VERIPB = os.environ.get("VERIPB", "veripb")
PERIODS = ("10..100", "1..1000", "5..40")


def has_clocks(seed):
    """Whether blocks of the set limit the clock."""
    return seed % 6 == 1


def drawn(seed, tasks, choices):
    path = scratch() / "set.yaml"
    recipe = ["--tasks", tasks, "--choices", choices, "--area", "1..300", "--seed", seed]
    recipe += ["--utilization", ("1.2", "0.9", "1.5")[seed % 3]]
    if seed % 3 == 1:
        blocks = 1 + seed // 3 % 4
        recipe += ["--blocks", blocks, "--uses", f"1..{min(blocks, 2)}", "--block-area", "0..200"]
        if has_clocks(seed):
            recipe += ["--fmax", "40..99", "--clock-mhz", "100"]
    run_isx("generate", "taskset", *recipe, "-o", path)
    return path


def proved(path):
    """Writes formula, refutation and certificate; their sizes, the time, and the number of points."""
    files = {name: scratch() / f"set.{name}" for name in ("opb", "pbp", "cert")}
    started = time.perf_counter()
    words = ["--opb", files["opb"], "--veripb", files["pbp"], "--certificate", files["cert"]]
    front = json.loads(run_isx("explore", path, "--json", *words).stdout)
    seconds = time.perf_counter() - started
    sizes = {name: file.stat().st_size for name, file in files.items()}
    return files, {"points": len(front["points"]), "seconds": seconds, "bytes": sizes, "status": front["status"]}


def veripb(formula, proof):
    """Whether VeriPB accepts, and the time it takes."""
    started = time.perf_counter()
    done = subprocess.run([VERIPB, formula, proof], capture_output=True, text=True)
    accepted = done.returncode == 0 and "VERIFIED UNSATISFIABLE" in done.stdout
    return accepted, time.perf_counter() - started


def constraints(text):
    """The sums of an OPB file as ({variable: coefficient}, least), and the variable's meaning."""
    names = dict(re.findall(r"^\* (x\d+): (.*)$", text, re.MULTILINE))
    sums = []
    for line in text.splitlines():
        if not line.startswith("*"):
            left, least = line.rstrip("; ").split(">=")
            words = left.split()
            sums.append((dict(zip(words[1::2], map(int, words[::2]), strict=True)), int(least)))
    return names, sums


def gaps(names):
    """The gap variables of each clock in order."""
    found = {}
    for variable, name in names.items():
        match = re.fullmatch(r"the design lies in gap (\d+), at clock (\d+)", name)
        if match:
            found.setdefault(int(match[2]), {})[int(match[1])] = variable
    return found


def has_solution(sums):
    model = cp_model.CpModel()
    variables = {}
    for terms, least in sums:
        for name in terms:
            variables.setdefault(name, model.new_bool_var(name))
        model.add(sum(value * variables[name] for name, value in terms.items()) >= least)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
        raise RuntimeError(solver.status_name(status))
    return status != cp_model.INFEASIBLE


def area_and_cost(sums, gap):
    """The places of the constraints on a gap's area and cost; None where one of them limits nothing and lacks the gap."""
    places = [at for at, (terms, _) in enumerate(sums[:-1]) if gap in terms]
    return places[:2] if len(places) >= 2 else None


def without_a_point(names, sums, rng):
    """The staircase without a point: the gap before it reaches as far as the one after it. None if there is no such pair."""
    spoilt = list(sums)
    pairs = [
        (before[at], before[at + 1]) for before in gaps(names).values() for at in before if at > 0 and at + 1 in before
    ]
    if not pairs:
        return None
    first, second = rng.choice(pairs)
    before, after = area_and_cost(sums, first), area_and_cost(sums, second)
    if before is None or after is None:
        return None
    area, further = before[0], after[0]
    terms, least = sums[further]
    renamed = {first if name == second else name: value for name, value in terms.items()}
    spoilt[area] = (renamed, least)
    return spoilt


def worse_by_one(names, sums, rng):
    """The staircase with a point that costs 1 more than it does: the gap after it takes in the point itself."""
    pairs = [gap for by_place in gaps(names).values() for at, gap in by_place.items() if at > 0]
    if not pairs:
        return None
    gap = rng.choice(pairs)
    places = area_and_cost(sums, gap)
    if places is None:
        return None
    cost = places[1]
    terms, least = sums[cost]
    spoilt = list(sums)
    spoilt[cost] = ({**terms, gap: terms.get(gap, 0)}, least - 1)
    return spoilt


def compare_by_veripb(report, seed, rng, counts):
    path = drawn(seed, rng.randint(2, 9), rng.randint(1, 6))
    files, facts = proved(path)
    accepted, facts["veripb seconds"] = veripb(files["opb"], files["pbp"])
    report.same("VeriPB accepts", accepted, True, seed=seed)
    report.same("status", facts["status"], "proved", seed=seed)
    counts["accepted by VeriPB"] += accepted
    steps = files["pbp"].read_text().splitlines()
    removable = [at for at, step in enumerate(steps) if step.startswith(("rup", "pol"))]
    if len(removable) > 1 and seed % 5 == 0:
        broken = scratch() / "broken.pbp"
        left_out = rng.choice(removable[:-1])
        broken.write_text("\n".join(steps[:left_out] + steps[left_out + 1 :]) + "\n")
        report.same("VeriPB refuses a proof without a step", veripb(files["opb"], broken)[0], False, seed=seed)
        counts["broken proofs refused"] += 1
    return {"seed": seed, **facts}


def compare_by_cp_sat(report, seed, rng, counts):
    path = drawn(seed, rng.randint(2, 5), rng.randint(1, 4))
    files, facts = proved(path)
    names, sums = constraints(files["opb"].read_text())
    report.same("the formula has a solution", has_solution(sums), False, seed=seed)
    counts["without a solution"] += 1
    if has_clocks(seed):
        # A point belongs to one clock only; spoilt at another it is still beyond it.
        return {"seed": seed, "points": facts["points"]}
    for what, spoil in (("without a point", without_a_point), ("with a worse point", worse_by_one)):
        spoilt = spoil(names, sums, rng)
        if spoilt is None:
            continue
        report.same(f"the formula {what} has a solution", has_solution(spoilt), True, seed=seed)
        counts[f"{what}: a solution"] += 1
    return {"seed": seed, "points": facts["points"]}


def median(values):
    values = sorted(values)
    return values[len(values) // 2]


def main():
    options = arguments(__doc__.split("\n")[0], sets=1000, small=200)
    report = Report(options, "compare_proofs")
    names = ("accepted by VeriPB", "broken proofs refused", "without a solution")
    counts = dict.fromkeys((*names, "without a point: a solution", "with a worse point: a solution"), 0)
    rng = random.Random(11)
    sets = [compare_by_veripb(report, seed, rng, counts) for seed in range(1, options.sets + 1)]
    small = [compare_by_cp_sat(report, 100_000 + seed, rng, counts) for seed in range(1, options.small + 1)]
    if sets:
        counts["median points"] = median(one["points"] for one in sets)
        counts["most points"] = max(one["points"] for one in sets)
        for name in ("opb", "pbp", "cert"):
            counts[f"median bytes {name}"] = median(one["bytes"][name] for one in sets)
            counts[f"most bytes {name}"] = max(one["bytes"][name] for one in sets)
        counts["median ms isx"] = round(1e3 * median(one["seconds"] for one in sets), 1)
        counts["median ms VeriPB"] = round(1e3 * median(one["veripb seconds"] for one in sets), 1)
        counts["most s VeriPB"] = round(max(one["veripb seconds"] for one in sets), 2)
    summary = (
        "VeriPB accepts every refutation, and CP-SAT finds every formula without a solution until the front is spoilt."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    return report.write(counts, summary, sets=sets, small=small)


if __name__ == "__main__":
    raise SystemExit(main())
