"""0-1 knapsack problems, against CP-SAT, by every engine that this machine has.

Each instance is drawn here and written in one of the two text formats: uncorrelated, weakly and strongly correlated,
subset sums, multiples of few items, groups of nearly the same weight; some with decimals, negative profits, weight 0,
items over the capacity, equal items. For each and every engine:

- `isx solve knapsack FILE`: the value is CP-SAT's optimum, the items fit, are named once and are worth what is claimed;
  once more at a random `--capacity`;
- `--all-capacities`: profits and weights rise, the last point is the optimum of the file's capacity, and at a random
  capacity the front's value is CP-SAT's optimum. Every engine's front is the same.
"""

import random
from fractions import Fraction

from compare_mckp import decimal, parsed
from exact import cp_sat_chosen
from harness import Report, arguments, engines, run_isx, scratch

KINDS = ("uncorrelated", "weak", "strong", "subset sum", "multiples", "groups")


def drawn(seed):
    """`(items, capacity, profit places, weight places, kind)` in integers of the last place."""
    rng = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    heaviest = rng.choice((10, 100, 1000))
    count = rng.randint(20, 120)
    base = [(rng.randint(1, heaviest), rng.randint(1, heaviest)) for _ in range(rng.randint(1, 3))]
    items = [valued(rng, kind, heaviest, base) for _ in range(count)]
    if rng.random() < 0.3:
        items = [(profit - rng.randint(0, heaviest), weight) for profit, weight in items]
    if rng.random() < 0.3:
        items = [(profit, 0 if rng.random() < 0.05 else weight) for profit, weight in items]
    total = sum(weight for _, weight in items)
    capacity = rng.choice((0, total, rng.randint(0, total), rng.randint(0, total), rng.randint(0, total // 8)))
    return items, capacity, rng.choice((0, 0, 1, 3)), rng.choice((0, 0, 0, 1)), kind


def valued(rng, kind, heaviest, base):
    weight = rng.randint(1, heaviest)
    if kind == "weak":
        return weight + rng.randint(-heaviest // 10, heaviest // 10), weight
    if kind == "strong":
        return weight + max(heaviest // 10, 1), weight
    if kind == "subset sum":
        return weight, weight
    if kind == "multiples":
        (profit, weight), times = rng.choice(base), rng.randint(1, 10)
        return profit * times, weight * times
    if kind == "groups":
        center = heaviest * 4 >> rng.randint(1, 6)
        return center + rng.randint(1, 5), center + rng.randint(1, 5)
    return rng.randint(1, heaviest), weight


def write(path, items, capacity, places, with_ids):
    profit_places, weight_places = places
    written = [f"{decimal(profit, profit_places)} {decimal(weight, weight_places)}" for profit, weight in items]
    limit = decimal(capacity, weight_places)
    if with_ids:
        lines = [str(len(items)), *(f"{at} {line}" for at, line in enumerate(written, 1)), limit]
    else:
        lines = [f"{len(items)} {limit}", *written]
    path.write_text("\n".join(lines) + "\n")


class Comparison:
    def __init__(self, report, seed, counts):
        self.report, self.seed, self.counts = report, seed, counts
        self.items, self.capacity, *self.places, self.kind = drawn(seed)
        self.profit_unit, self.weight_unit = (Fraction(1, 10**places) for places in self.places)
        self.path = scratch() / "problem.txt"
        write(self.path, self.items, self.capacity, self.places, with_ids=seed % 2 == 0)

    def run(self, names):
        rng = random.Random(-self.seed)
        optima = {}

        def optimum(capacity):
            if capacity not in optima:
                self.counts["capacities solved by CP-SAT"] += 1
                optima[capacity] = cp_sat_chosen([(profit, (weight,)) for profit, weight in self.items], [capacity])
            return optima[capacity]

        other, within = rng.randint(0, self.capacity * 2), rng.randint(0, self.capacity)
        for engine in names:
            self.one_capacity(engine, self.capacity, optimum(self.capacity), [])
            flags = ["--capacity", decimal(other, self.places[1])]
            self.one_capacity(engine, other, optimum(other), flags)
        first = None
        for engine in names:
            front = self.front(engine)
            if front is None:
                continue
            first = first or front
            facts = {"seed": self.seed, "engine": engine}
            self.report.same_list("front of every engine", front, first, **facts)
            rises = all(a[0] < b[0] and a[1] < b[1] for a, b in zip(front, front[1:]))
            self.report.same("front rises", rises, True, **facts)
            self.report.same("last point of the front", front[-1][1], optimum(self.capacity), **facts)
            claimed = [profit for weight, profit in front if weight <= within][-1]
            self.report.same("front at a capacity", claimed, optimum(within), capacity=within, **facts)

    def solve(self, engine, *flags):
        """The document, or None where the engine does not answer this question (exit code 5)."""
        words = ("solve", "knapsack", self.path, "--json", "--engine", engine, *flags)
        done = run_isx(*words, allowed=(0, 5))
        return parsed(done.stdout) if done.returncode == 0 else None

    def one_capacity(self, engine, capacity, optimum, flags):
        answer = self.solve(engine, *flags)
        facts = {"seed": self.seed, "engine": engine, "capacity": capacity}
        self.report.same("engine answers", answer is not None, True, **facts)
        if answer is None:
            return
        self.counts["answers for one capacity"] += 1
        value, weight = Fraction(answer["value"]) / self.profit_unit, answer["weight"] / self.weight_unit
        self.report.same("value", value, optimum, **facts)
        picks = [int(pick) for pick in answer["picks"]]
        there = all(0 <= pick < len(self.items) for pick in picks) and len(set(picks)) == len(picks)
        self.report.same("picks name items once", there, True, **facts)
        if there:
            summed = tuple(sum(self.items[pick][which] for pick in picks) for which in (0, 1))
            self.report.same("picks summed again", (value, weight), summed, **facts)
            self.report.same("picks fit the capacity", summed[1] <= capacity, True, **facts)

    def front(self, engine):
        answer = self.solve(engine, "--all-capacities")
        if answer is None:
            return None
        self.counts["fronts"] += 1
        return [(weight / self.weight_unit, Fraction(value) / self.profit_unit) for weight, value in answer["front"]]


def main():
    options = arguments(__doc__.split("\n")[0], instances=1000)
    report, names = Report(options, "compare_knapsack"), engines("knapsack")
    counted = ("instances", "engines", "capacities solved by CP-SAT", "answers for one capacity", "fronts")
    counts = dict.fromkeys(counted, 0) | {"engines": len(names)}
    instances = []
    for seed in range(1, options.instances + 1):
        comparison = Comparison(report, seed, counts)
        comparison.run(names)
        counts["instances"] += 1
        instances.append([seed, comparison.kind, len(comparison.items), comparison.capacity])
    summary = (
        "At every capacity tried the value of every engine is CP-SAT's and the items add up; all engines have the same "
        "front."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    columns = ["seed", "kind", "items", "capacity in last places"]
    more = {"engines": names, "columns": columns, "instances": instances}
    return report.write(counts, summary + f" Engines: {', '.join(names)}.", **more)


if __name__ == "__main__":
    raise SystemExit(main())
