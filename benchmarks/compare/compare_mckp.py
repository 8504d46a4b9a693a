"""Multiple-choice knapsack problems, against CP-SAT and a plain dynamic program.

Each instance is drawn here and written in the text format: exactly-one and optional, uncorrelated, weakly and strongly
correlated, some with decimals, negative values, weight 0, classes of one item, nothing that fits. For each:

- `isx solve mckp FILE --picks`: the value is CP-SAT's optimum, the picks sum to it and to the weight, and where nothing
  fits both say so; once more at a random `--capacity`;
- `--all-capacities --picks`: the whole front is that of a textbook table in numpy, every point's picks sum to it,
  those of a few random points are the canonical ones, and at random capacities the front's value is CP-SAT's optimum.
"""

import json
import random
from fractions import Fraction

from exact import Table, cp_sat, weigh
from harness import Report, arguments, run_isx, scratch


def drawn(seed):
    """`(classes, capacity, optional, value places, weight places, kind)` in integers of the last place."""
    rng = random.Random(seed)
    kind = ("uncorrelated", "weak", "strong")[seed % 3]
    optional = rng.random() < 0.5
    value_places, weight_places = rng.choice((0, 0, 1, 3)), rng.choice((0, 0, 0, 1))
    heaviest, negative = rng.choice((10, 100, 1000)), rng.random() < 0.3
    classes = []
    for _ in range(rng.randint(3, 15)):
        count = rng.choice((1, rng.randint(2, 30), rng.randint(2, 30)))
        weights = [rng.randint(rng.random() < 0.9, heaviest * 10**weight_places) for _ in range(count)]
        classes.append([(valued(rng, kind, weight, heaviest, negative), weight) for weight in weights])
    if rng.random() < 0.02:
        classes[rng.randrange(len(classes))] = []
    most = sum(max((weight for _, weight in items), default=0) for items in classes)
    capacity = rng.randint(0, int(most * rng.choice((0.2, 0.6, 1.1))))
    return classes, capacity, optional, value_places, weight_places, kind


def valued(rng, kind, weight, heaviest, negative):
    if kind == "strong":
        value = weight + max(heaviest // 100, 1)
    elif kind == "weak":
        value = weight + rng.randint(-heaviest // 10, heaviest // 10)
    else:
        value = rng.randint(1, 1000)
    return value - (rng.randint(0, heaviest) if negative else 0)


def decimal(number, places):
    """The integer with the point put in, as a person would write it."""
    if not places:
        return str(number)
    sign, digits = "-" if number < 0 else "", str(abs(number)).rjust(places + 1, "0")
    return f"{sign}{digits[:-places]}.{digits[-places:]}"


def write(path, classes, capacity, value_places, weight_places):
    lines = [f"{len(classes)} {decimal(capacity, weight_places)}"]
    for items in classes:
        lines.append(str(len(items)))
        lines += [f"{decimal(value, value_places)} {decimal(weight, weight_places)}" for value, weight in items]
    path.write_text("\n".join(lines) + "\n")


def parsed(text):
    """JSON with its decimals exact."""
    return json.loads(text, parse_float=Fraction, parse_int=Fraction)


def indices(picks):
    return [None if pick is None else int(pick) for pick in picks]


class Comparison:
    def __init__(self, report, seed, counts):
        self.report, self.seed, self.counts = report, seed, counts
        self.classes, self.capacity, self.optional, *places, self.kind = drawn(seed)
        self.value_unit, self.weight_unit = (Fraction(1, 10**count) for count in places)
        self.path, self.places = scratch() / "problem.txt", places
        self.flags = ["--optional"] if self.optional else []
        write(self.path, self.classes, self.capacity, *places)

    def run(self):
        self.one_capacity(self.capacity, [])
        rng = random.Random(-self.seed)
        other = rng.randint(0, self.capacity * 2)
        self.one_capacity(other, ["--capacity", decimal(other, self.places[1])])
        self.all_capacities(rng)

    def solve(self, *flags):
        words = ("solve", "mckp", self.path, "--json", "--picks", *self.flags, *flags)
        # Exit code 1 is that nothing fits, which the document says too.
        return parsed(run_isx(*words, allowed=(0, 1)).stdout)

    def scaled(self, value, weight):
        return Fraction(value) / self.value_unit, Fraction(weight) / self.weight_unit

    def optimum(self, capacity):
        self.counts["capacities solved by CP-SAT"] += 1
        status, value, _ = cp_sat(self.classes, capacity, self.optional)
        assert status in ("optimal", "infeasible"), status
        self.counts["of these infeasible"] += value is None
        return value

    def one_capacity(self, capacity, flags):
        answer, optimum = self.solve(*flags), self.optimum(capacity)
        facts = {"seed": self.seed, "capacity": capacity}
        self.report.same("feasible", answer["feasible"], optimum is not None, **facts)
        if not answer["feasible"] or optimum is None:
            return
        value, weight = self.scaled(answer["value"], answer["weight"])
        self.report.same("value", value, optimum, **facts)
        picks = indices(answer["picks"])
        self.report.same("picks fit the capacity", weight <= capacity, True, **facts)
        self.check_picks(picks, value, weight, **facts)

    def check_picks(self, picks, value, weight, **facts):
        there = len(picks) == len(self.classes) and all(
            pick is None or 0 <= pick < len(items) for items, pick in zip(self.classes, picks)
        )
        self.report.same("picks name items", there, True, **facts)
        if not there:
            return
        if not self.optional:
            self.report.same("an item a class", None in picks, False, **facts)
        self.report.same("picks summed again", (value, weight), weigh(self.classes, picks), **facts)

    def all_capacities(self, rng):
        answer = self.solve("--all-capacities")
        table = Table(self.classes, self.capacity, self.optional)
        front = [self.scaled(value, weight)[::-1] for weight, value in answer.get("front", [])]
        self.report.same_list("whole front", front, table.front(), seed=self.seed)
        self.counts["points of the fronts"] += len(front)
        all_picks = [indices(picks) for picks in answer.get("front_picks", [])]
        self.report.same("picks of every point", len(all_picks), len(front), seed=self.seed)
        for (weight, value), picks in zip(front, all_picks):
            self.check_picks(picks, value, weight, seed=self.seed, point=str(weight))
        for at in rng.sample(range(len(front)), min(20, len(front))):
            canonical = table.canonical(int(front[at][0]))
            self.report.same("canonical picks", all_picks[at], canonical, seed=self.seed, point=at)
            self.counts["points whose picks are the canonical ones"] += 1
        for _ in range(2):
            capacity = rng.randint(0, self.capacity)
            within = [value for weight, value in front if weight <= capacity]
            claimed = within[-1] if within else None
            self.report.same("front at a capacity", claimed, self.optimum(capacity), seed=self.seed, capacity=capacity)


def main():
    options = arguments(__doc__.split("\n")[0], instances=1000)
    report = Report(options, "compare_mckp")
    names = ("capacities solved by CP-SAT", "of these infeasible", "points of the fronts")
    counts = {"instances": 0} | dict.fromkeys((*names, "points whose picks are the canonical ones"), 0)
    instances = []
    for seed in range(1, options.instances + 1):
        comparison = Comparison(report, seed, counts)
        comparison.run()
        counts["instances"] += 1
        items = sum(map(len, comparison.classes))
        instances.append(
            [seed, comparison.kind, comparison.optional, len(comparison.classes), items, comparison.capacity]
        )
    summary = (
        "Feasibility and value at every capacity tried are CP-SAT's, every front is the textbook table's, and all "
        "picks add up; those looked at are the canonical ones."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    columns = ["seed", "kind", "optional", "classes", "items", "capacity in last places"]
    return report.write(counts, summary, columns=columns, instances=instances)


if __name__ == "__main__":
    raise SystemExit(main())
