"""Knapsack problems of two and of three dimensions, against CP-SAT, by every engine that this machine has.

Files of ten instances are drawn here: profits drawn freely, near the sum of the weights, or that sum; some with
decimals, negative profits, weights of 0, items over a capacity, equal items, a capacity of 0. For every instance and
engine of `isx solve multidim FILE` the value is CP-SAT's optimum, and the items fit in every dimension, are named once
and are worth what is claimed.
"""

import random
from fractions import Fraction

from compare_mckp import decimal, parsed
from exact import cp_sat_chosen
from harness import Report, arguments, engines, run_isx, scratch

KINDS = ("uncorrelated", "weak", "strong")
BATCH = 10


def drawn(seed, dimensions):
    """`(items, capacities, profit places, places of every dimension, kind)` in integers of the last place."""
    rng = random.Random(seed * 4 + dimensions)
    kind = KINDS[seed % len(KINDS)]
    heaviest = rng.choice((5, 20, 60) if dimensions == 2 else (4, 10, 20))
    items = []
    for _ in range(rng.randint(10, 40)):
        weights = tuple(rng.randint(1, heaviest) for _ in range(dimensions))
        profit = rng.randint(1, 100) if kind == "uncorrelated" else sum(weights)
        items.append((profit + (rng.randint(-2, 2) if kind == "weak" else 0), weights))
    if rng.random() < 0.2:
        items = [(profit - rng.randint(0, heaviest), weights) for profit, weights in items]
    if rng.random() < 0.3:
        items = [(p, tuple(0 if rng.random() < 0.1 else weight for weight in weights)) for p, weights in items]
    if rng.random() < 0.2:
        items += items[: len(items) // 2]
    totals = [sum(weights[at] for _, weights in items) for at in range(dimensions)]
    capacities = [rng.choice((total, *(rng.randint(0, total // 2) for _ in range(6)))) for total in totals]
    if rng.random() < 0.05:
        capacities[rng.randrange(dimensions)] = 0
    places = [rng.choice((0, 0, 0, 1)) for _ in range(dimensions)]
    return items, capacities, rng.choice((0, 0, 2)), places, kind


def text(items, capacities, profit_places, places, _kind):
    lines = [f"{len(items)} {len(capacities)}", " ".join(map(decimal, capacities, places))]
    for profit, weights in items:
        lines.append(" ".join([decimal(profit, profit_places), *map(decimal, weights, places)]))
    return lines


def check(report, problem, answer, optimum, facts):
    items, capacities, profit_places, places, _ = problem
    value = Fraction(answer["value"]) * 10**profit_places
    weights = tuple(weight * 10**count for weight, count in zip(answer["weight"], places, strict=True))
    report.same("value", value, optimum, **facts)
    picks = [int(pick) for pick in answer["picks"]]
    there = all(0 <= pick < len(items) for pick in picks) and len(set(picks)) == len(picks)
    report.same("picks name items once", there, True, **facts)
    if not there:
        return
    summed = tuple(sum(items[pick][1][at] for pick in picks) for at in range(len(capacities)))
    claimed = (value, *weights)
    report.same("picks summed again", claimed, (sum(items[pick][0] for pick in picks), *summed), **facts)
    fits = all(weight <= capacity for weight, capacity in zip(summed, capacities))
    report.same("picks fit the capacities", fits, True, **facts)


def batch(report, names, counts, seeds, dimensions):
    problems = [drawn(seed, dimensions) for seed in seeds]
    path = scratch() / "batch.txt"
    path.write_text("\n".join([str(len(problems)), *(line for problem in problems for line in text(*problem))]) + "\n")
    optima = [cp_sat_chosen(items, capacities) for items, capacities, *_ in problems]
    for engine in names:
        output = run_isx("solve", "multidim", path, "--json", "--engine", engine).stdout
        answers = [parsed(line) for line in output.splitlines()]
        facts = {"dimensions": dimensions, "engine": engine}
        report.same("an answer an instance", len(answers), len(problems), first=seeds[0], **facts)
        for seed, problem, answer, optimum in zip(seeds, problems, answers, optima):
            check(report, problem, answer, optimum, {"seed": seed, **facts})
            counts["answers"] += 1
    counts[f"instances of {dimensions} dimensions"] += len(problems)
    return [[dimensions, seed, kind, len(items), *capacities] for seed, (items, capacities, *_, kind) in zip(seeds, problems)]


def main():
    options = arguments(__doc__.split("\n")[0], instances=1000)
    report, names = Report(options, "compare_multidim"), engines("multidim")
    counted = ("instances of 2 dimensions", "instances of 3 dimensions", "engines", "answers")
    counts = dict.fromkeys(counted, 0) | {"engines": len(names)}
    instances = []
    for dimensions in (2, 3):
        for first in range(1, options.instances + 1, BATCH):
            seeds = range(first, min(first + BATCH, options.instances + 1))
            instances += batch(report, names, counts, seeds, dimensions)
    summary = (
        "The value of every engine is CP-SAT's for every instance, and the items add up and fit."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    columns = ["dimensions", "seed", "kind", "items", "capacities in last places"]
    more = {"engines": names, "columns": columns, "instances": instances}
    return report.write(counts, summary + f" Engines: {', '.join(names)}.", **more)


if __name__ == "__main__":
    raise SystemExit(main())
