"""The selection step of an instruction-set flow: the exact front against the greedy rule by ratio of benefit to area.

    python selection_step.py --out DIR [--sets 30] [--small 60] [--blocks 12] [--budgets 40] [--seed 1]

Draws candidate instructions in the shape that ISAAC writes them: an index of candidates, each with what a program saves with it alone and
with the instructions that it covers, and a table of schedules with the solutions of each sharing group. `isx import` and `isx explore`
give the front of area against runtime. The greedy rule takes candidates by falling benefit per area, one pass per budget: what no longer fits, or adds
less than 0.001, is passed over. Both are asked for the largest saving within 40 budgets.

Three kinds of sets: candidates that cover instructions of their own, candidates that overlap (of two that cover the same instruction a program has one), and
overlapping ones of which some share hardware, with a fast and a slow solution. Every design of isx is summed again, and must save no less than the
greedy one; fronts of small sets must be those of all selections. Leaves selection_step.svg, and every figure in selection_step.csv.
"""

import csv
import itertools
import json
import random
import statistics
from fractions import Fraction

from harness import Report, arguments, run_isx, scratch

KINDS = {"alone": "no overlaps", "overlaps": "overlaps", "shared": "shared hardware"}
LEAST_GAIN = Fraction(1, 1000)


class Candidate:
    """Instructions `first` to `last` of a basic block as one, which saves all but one of them each time that the block runs."""

    def __init__(self, number, block, first, last, saves, area):
        self.name, self.block, self.first, self.last = f"CUSTOM{number}", block, first, last
        self.saves, self.area, self.length = saves, area, last - first + 1

    def overlaps(self, other):
        return self.block == other.block and self.first <= other.last and other.first <= self.last


def draw(kind, blocks, random):
    """Candidates of a program, and its sharing groups: lists of candidates, each with its solutions `(area, interval)`."""
    lengths = [random.randint(4, 14) for _ in range(blocks)]
    runs = [int(10 ** random.uniform(1, 4)) for _ in range(blocks)]
    total = sum(length * run for length, run in zip(lengths, runs, strict=True)) * 5 // 4
    candidates = []
    for block, (length, run) in enumerate(zip(lengths, runs, strict=True)):
        windows = []
        for _ in range(random.randint(2, 7)):
            first = random.randint(0, length - 2)
            window = (first, min(length - 1, first + random.randint(1, 4)))
            free = all(window[0] > last or window[1] < first for first, last in windows)
            if window not in windows and (free or kind != "alone"):
                windows.append(window)
        for first, last in sorted(windows):
            # A tenth of the instructions are multiplications, which are far larger than the rest.
            area = sum(26_000 if random.random() < 0.1 else random.randint(100, 1500) for _ in range(first, last + 1))
            saves = Fraction(round((last - first) * run * 10**9 / total), 10**9)
            if saves > 0:
                candidates.append(Candidate(len(candidates), block, first, last, saves, area))
    groups = [[candidate] for candidate in candidates]
    if kind == "shared":
        for _ in range(len(candidates) // 6):
            one, other = random.sample(range(len(groups)), 2)
            if len(groups[one]) == len(groups[other]) == 1:
                groups[one] = groups[one] + groups[other]
                del groups[other]
    solutions = []
    for group in groups:
        area = max(member.area for member in group) + sum(member.area for member in group) // 8 * (len(group) - 1)
        slow = [(area * random.randint(45, 80) // 100, 2)] if kind == "shared" and random.random() < 0.5 else []
        solutions.append([(area, 1), *slow])
    return candidates, groups, solutions


def write(folder, candidates, groups, solutions):
    """The index and the table of schedules, as ISAAC writes them."""
    listed = [{
        "artifacts": {"sub": f"work/block{candidate.block}_0/{candidate.name}.pkl"},
        "metrics": {"runtime_reduction_rel": f"{float(candidate.saves):.9f}"},
        "properties": {
            "InstrName": candidate.name, "#Instrs": candidate.length,
            "IsoNodes": list(range(candidate.first, candidate.last + 1)),
        },
    } for candidate in candidates]
    # JSON is YAML; the figure is written as a plain number.
    (folder / "index.yml").write_text("candidates: " + json.dumps(listed, indent=1).replace("\n", "\n  ") + "\n")
    with (folder / "hls_schedules.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["", "config", "idx", "II", "Fallback", "Instruction latencies", "Area estimate w/o lifetimes"])
        for number, (group, ways) in enumerate(zip(groups, solutions, strict=True), 1):
            for index, (area, interval) in enumerate(ways):
                latencies = {member.name: interval + 2 for member in group}
                out.writerow(["", f"SG_{number}_SOL_IDX_{index}", index, interval, False, latencies, float(area)])


def saved(candidate, interval):
    """What an instruction saves that keeps the processor for `interval` cycles."""
    return candidate.saves * max(0, candidate.length - interval) / (candidate.length - 1)


def best_use(built):
    """The most that a program saves with these instructions `(candidate, interval)`: in each basic block those of the largest sum that cover no
    instruction twice."""
    total = Fraction(0)
    for block in {candidate.block for candidate, _ in built}:
        ways = sorted(((c, saved(c, n)) for c, n in built if c.block == block), key=lambda way: way[0].last)
        best = []
        for at, (candidate, saves) in enumerate(ways):
            before = max((best[earlier] for earlier in range(at) if ways[earlier][0].last < candidate.first), default=Fraction(0))
            best.append(max(before + saves, best[-1] if best else Fraction(0)))
        total += best[-1]
    return total


def greedy(groups, solutions, budget):
    """What the greedy rule by ratio saves within a budget, and the area that it takes. It knows the fastest solution of a group, whose area stands with
    each of its instructions; sharing instructions pay for their hardware once."""
    place = {member.name: number for number, group in enumerate(groups) for member in group}
    area_of = [ways[0][0] for ways in solutions]
    members = [member for group in groups for member in group]
    queue = reversed(sorted(members, key=lambda member: member.saves / area_of[place[member.name]]))
    taken, benefit, used = [], Fraction(0), 0
    for member in queue:
        wanted = [*taken, member]
        area = sum(area_of[number] for number in {place[one.name] for one in wanted})
        if area > budget:
            continue
        gained = best_use([(one, 1) for one in wanted])
        if gained >= benefit + LEAST_GAIN:
            taken, benefit, used = wanted, gained, area
    return benefit, used


def every_selection(groups, solutions):
    """The front by brute force: every solution, or none, of every group."""
    best = {}
    for picked in itertools.product(*[range(-1, len(ways)) for ways in solutions]):
        chosen = [(number, index) for number, index in enumerate(picked) if index >= 0]
        area = sum(solutions[number][index][0] for number, index in chosen)
        built = [(member, solutions[number][index][1]) for number, index in chosen for member in groups[number]]
        best[area] = max(best.get(area, Fraction(0)), best_use(built))
    points = []
    for area in sorted(best):
        if not points or best[area] > points[-1][1]:
            points.append((Fraction(area), best[area]))
    return points


def front(folder, report, candidates, groups, solutions, facts):
    """The points `(area, saving)` of isx's front, each summed again."""
    (folder / "set.yaml").unlink(missing_ok=True)
    write(folder, candidates, groups, solutions)
    run_isx("import", folder / "index.yml", "--schedules", folder / "hls_schedules.csv", "-o", folder / "set.yaml")
    document = json.loads(run_isx("explore", folder / "set.yaml", "--json").stdout)
    by_name = {candidate.name: candidate for candidate in candidates}
    points = []
    for point in document["points"]:
        utilization = Fraction(int(point["utilization"]["num"]), int(point["utilization"]["den"]))
        parts = next(iter(point["choices"].values()))
        # A part of several candidates names its choices after both: `CUSTOM0.SG_1_SOL_IDX_0`.
        names = [(f"{part}.{name}" if name.startswith("SG_") else name).split(".") for part, name in parts.items() if name]
        ways = [(by_name[name], solution.split("_")) for name, solution in names]
        chosen = {(int(words[1]) - 1, int(words[4])) for _, words in ways}
        built = [(candidate, solutions[int(words[1]) - 1][int(words[4])][1]) for candidate, words in ways]
        report.same("one solution per sharing group", len({group for group, _ in chosen}), len(chosen), **facts)
        report.same("area", Fraction(point["area"]), Fraction(sum(solutions[group][index][0] for group, index in chosen)), **facts)
        report.same("saving", 1 - utilization, best_use(built), **facts)
        report.same("no overlap", any(one.overlaps(other) for one, _ in built for other, _ in built if one is not other), False, **facts)
        points.append((Fraction(point["area"]), 1 - utilization))
    return points


def main():
    options = arguments(__doc__.split("\n")[0], sets=30, small=60, blocks=12, budgets=40, seed=1)
    report = Report(options, "selection_step")
    folder = scratch()
    rows, lines = [], []
    counts = {"sets": 0, "candidates": 0, "designs summed again": 0, "budgets": 0, "small sets by brute force": 0}
    for kind in KINDS:
        for number in range(options.small):
            drawn = draw(kind, 2, random.Random(f"{options.seed} small {kind} {number}"))
            if drawn[0] and len(drawn[1]) < 10:
                facts = {"kind": kind, "small set": number}
                report.same_list("front of all selections", front(folder, report, *drawn, facts), every_selection(*drawn[1:]), **facts)
                counts["small sets by brute force"] += 1
        for number in range(options.sets):
            draws = random.Random(f"{options.seed} {kind} {number}")
            candidates, groups, solutions = draw(kind, options.blocks, draws)
            facts = {"kind": kind, "set": number}
            points = front(folder, report, candidates, groups, solutions, facts)
            counts["sets"] += 1
            counts["candidates"] += len(candidates)
            counts["designs summed again"] += len(points)
            most = points[-1][0]
            for step in range(1, options.budgets + 1):
                budget = most * step / options.budgets
                exact = max(saving for area, saving in points if area <= budget)
                by_ratio, area = greedy(groups, solutions, budget)
                enough = min(area for area, saving in points if saving >= by_ratio)
                report.same("the greedy rule saves no more", by_ratio <= exact, True, budget=str(budget), **facts)
                rows.append((kind, number, step / options.budgets, budget, exact, by_ratio, area, enough))
                counts["budgets"] += 1

    with (options.out / "selection_step.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["kind", "set", "budget_share", "budget", "exact", "greedy", "greedy_area", "exact_area_for_the_same"])
        out.writerows([kind, number, share, *(f"{float(value):.7g}" for value in values)] for kind, number, share, *values in rows)
    panels = []
    lines += ["| kind | the greedy rule saves 1 % less | 5 % less | mean | 90 % quantile | most | it takes more area for the same: median | 90 % quantile |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for kind, words in KINDS.items():
        of_kind = [row for row in rows if row[0] == kind]
        losses = sorted(float(1 - by_ratio / exact) for *_, exact, by_ratio, _, _ in of_kind if exact)
        extra = sorted(float(area / enough - 1) for *_, area, enough in of_kind if enough)
        more = [sum(loss > least for loss in losses) / len(losses) for least in (0.01, 0.05)]
        figures = [*more, statistics.mean(losses), losses[len(losses) * 9 // 10], losses[-1], statistics.median(extra), extra[len(extra) * 9 // 10]]
        lines.append(f"| {words} | " + " | ".join(f"{100 * figure:.1f} %" for figure in figures) + " |")
        shares = sorted({row[2] for row in of_kind})
        mean = {at: [row for row in of_kind if row[2] == at] for at in shares}
        panels.append({"x": f"area in %, {words}", "lines": [
            {"name": name, "points": [[100 * at, 100 * float(statistics.mean(row[column] for row in mean[at]))] for at in shares]}
            for name, column in (("exact", 4), ("greedy by ratio", 5))
        ]})
    chart = {
        "schema": "isx.chart/1", "title": "Runtime saved by custom instructions within an area",
        "subtitle": f"means of {options.sets} drawn sets of candidates each; area in % of the largest design's", "y": "runtime saved, %", "linear": True, "panels": panels,
    }
    (folder / "chart.json").write_text(json.dumps(chart))
    run_isx("plot", "chart.json", "-o", options.out.resolve() / "selection_step.svg")
    return report.write(counts, "\n".join(lines))


if __name__ == "__main__":
    raise SystemExit(main())
