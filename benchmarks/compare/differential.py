"""Random small problems of every kind against independent answers; a problem that differs is made smaller first.

The other comparisons hold long lists of one kind against one solver. This one goes round all kinds (task sets with
blocks, slots, clocks, deadlines and every scheduler; mckp, knapsack), asks a random engine, and holds
the answer against brute force over all designs (task sets), CP-SAT (mckp, knapsack) or HiGHS with both gaps 0
(mckp). Where they differ, lists lose entries and numbers shrink as long as a difference
stays, and what is left is reported. `--plant` spoils isx's answers, one fault of every kind after the other: each must be
found, and made small.
"""

import json
import random
from functools import partial

import differential_tasksets as tasksets
from exact import cp_sat, cp_sat_chosen, highs
from harness import Report, arguments, engines, run_isx, scratch
from shrinking import shrunk, size


class Solved:
    """A kind that `isx solve` answers: an instance is a dictionary of lists and numbers, and the name of an engine."""

    def __init__(self, name):
        self.name, self.engines = name, engines(name)

    def draw(self, rng):
        return {"engine": rng.choice(self.engines), **DRAWN[self.name](rng)}

    def tidy(self, instance):
        return TIDY[self.name](instance)

    def ask(self, instance):
        """isx's answer; `None` where it refuses the problem, which no engine but those of tables may."""
        files, flags = [], []
        for at, text in enumerate(TEXTS[self.name](instance)):
            files.append(scratch() / f"{self.name}-{at}.txt")
            files[-1].write_text(text)
        if self.name == "mckp":
            flags = ["--all-capacities", "--picks", *(["--optional"] if instance["optional"] else [])]
        words = ("solve", self.name, *files, *flags, "--engine", instance["engine"], "--json")
        done = run_isx(*words, allowed=(0, 1, 2, 4, 5))
        if done.returncode in (2, 4, 5):
            refusal = done.stderr.strip() or str(done.returncode)
            return {"refused": refusal} if done.returncode == 2 or instance["engine"] == "auto" else None
        return json.loads(done.stdout)

    def wrong(self, instance, answer):
        """What is wrong with the answer, None if nothing is."""
        if "refused" in answer:
            return f"refused: {answer['refused']}"
        return WRONG[self.name](instance, answer)


def number(rng):
    """The size of the numbers of an instance."""
    return rng.choice((1, 3, 12, 100, 10**4, 10**6))


def drawn_mckp(rng):
    value, weight = number(rng), rng.choice((1, 3, 12, 100, 3000))
    item = lambda: [rng.randint(-value // 4, value), rng.randint(0, weight)]
    classes = [[item() for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, 6))] for _ in range(rng.randint(0, 8))]
    return {"optional": rng.random() < 0.5, "capacity": rng.randint(0, 3 * weight + 2), "classes": classes}


def drawn_knapsack(rng):
    profit, weight = number(rng), number(rng)
    items = [[rng.randint(-profit // 4, profit), rng.randint(0, weight)] for _ in range(rng.randint(0, 25))]
    return {"capacity": rng.randint(0, 6 * weight + 2), "items": items}


def tidy_mckp(instance):
    pairs = all(len(item) == 2 and item[1] >= 0 for items in instance["classes"] for item in items)
    return instance if pairs and instance["capacity"] >= 0 else None


def tidy_knapsack(instance):
    pairs = all(len(item) == 2 and item[1] >= 0 for item in instance["items"])
    return instance if pairs and instance["capacity"] >= 0 else None


def text_mckp(instance):
    classes = "".join(f"{len(items)}\n" + lines(items) for items in instance["classes"])
    return [f"{len(instance['classes'])} {instance['capacity']}\n{classes}"]


def lines(rows):
    return "".join(" ".join(map(str, row)) + "\n" for row in rows)


def wrong_mckp(instance, answer):
    classes, optional = [[tuple(item) for item in items] for items in instance["classes"]], instance["optional"]
    status, most, _ = cp_sat(classes, instance["capacity"], optional)
    if answer["feasible"] != (status != "infeasible"):
        return f"feasible: {answer['feasible']}, CP-SAT: {status}"
    if not answer["feasible"]:
        return None
    # HiGHS has no word for the optimum of a model without variables.
    gapless = highs(classes, instance["capacity"], optional)[1] if any(classes) else most
    if (int(answer["value"]), gapless) != (most, most):
        return f"value {answer['value']}, CP-SAT {most}, HiGHS {gapless}"
    front = [(weight, int(value)) for weight, value in answer["front"]]
    if front != sorted(pareto(classes, instance["capacity"], optional)):
        return f"front {front}"
    for (weight, value), picks in zip(front, answer["front_picks"], strict=True):
        taken = [items[pick] for items, pick in zip(classes, picks, strict=True) if pick is not None]
        complete = optional or None not in picks
        if (sum(v for v, _ in taken), sum(w for _, w in taken), complete) != (value, weight, True):
            return f"picks {picks} are not worth {value} at {weight}"
    return None


def pareto(classes, capacity, optional):
    """Every (weight, value) that nothing of its weight or less is as good as."""
    front = [(0, 0)]
    for items in classes:
        options = [*items, (0, 0)] if optional else items
        sums = sorted(((w + more, -v - value) for w, v in front for value, more in options if w + more <= capacity))
        front = []
        for weight, negative in sums:
            if not front or -negative > front[-1][1]:
                front.append((weight, -negative))
    return front


def wrong_selection(items, capacities, answer):
    """Items `(profit, weights)` that are named once, fit, and are worth as much as CP-SAT's."""
    most, picks = cp_sat_chosen(items, capacities), answer["picks"]
    if int(answer["value"]) != most:
        return f"value {answer['value']}, CP-SAT {most}"
    if len(set(picks)) < len(picks) or sum(items[pick][0] for pick in picks) != most:
        return f"picks {picks} are not worth {most}"
    fits = all(sum(items[pick][1][d] for pick in picks) <= capacity for d, capacity in enumerate(capacities))
    return None if fits else f"picks {picks} do not fit"


DRAWN = {"mckp": drawn_mckp, "knapsack": drawn_knapsack}
TIDY = {"mckp": tidy_mckp, "knapsack": tidy_knapsack}
TEXTS = {
    "mckp": text_mckp,
    "knapsack": lambda i: [lines([[len(i["items"]), i["capacity"]], *i["items"]])],
}
WRONG = {
    "mckp": wrong_mckp,
    "knapsack": lambda i, answer: wrong_selection([(p, [w]) for p, w in i["items"]], [i["capacity"]], answer),
}


def examine(kind, spoil, instance):
    """What is wrong with isx's answer to an instance, spoilt if that is wanted; None for nothing, or for no instance."""
    instance = kind.tidy(instance)
    answer = instance and kind.ask(instance)
    if answer is None:
        return None
    if spoil and "refused" not in answer:
        answer = spoil(json.loads(json.dumps(answer)))
    return kind.wrong(instance, answer)


def lower(answer):
    return answer | ({"value": str(int(answer["value"]) - 1)} if answer.get("feasible", True) else {})


def without_last(key, answer):
    return answer | {key: answer[key][:-1]} if answer.get(key) else answer


# What `--plant` spoils: kind, fault, the function.
FAULTS = [
    *((name, "value one too low", lower) for name in WRONG),
    ("mckp", "last point missing", partial(without_last, "front")),
    ("knapsack", "an item forgotten", partial(without_last, "picks")),
    *(("taskset", what, spoil) for what, spoil in tasksets.FAULTS),
]


def compare(report, kinds, options):
    counts = dict.fromkeys(kinds, 0)
    for case in range(options.cases):
        seed = options.seed * 10**9 + case
        name = list(kinds)[case % len(kinds)]
        instance = kinds[name].draw(random.Random(seed))
        if examine(kinds[name], None, instance):
            small, what = shrunk(instance, partial(examine, kinds[name], None))
            report.differ(what, kind=name, seed=seed, instance=small)
        counts[name] += 1
    summary = "Every answer is the independent one." if not report.differences else "THERE ARE DIFFERENCES: see the JSON."
    return report.write(counts, summary)


def plant(report, kinds, options):
    """Spoils answers until each fault is found; one that is not found within so many cases is a difference."""
    rows, found = [], 0
    for name, fault, spoil in FAULTS:
        look = partial(examine, kinds[name], spoil)
        draws = (kinds[name].draw(random.Random(options.seed * 10**9 + case)) for case in range(options.cases))
        instance = next((instance for instance in draws if look(instance)), None)
        if instance is None:
            report.differ("a planted fault was not found", kind=name, fault=fault)
            continue
        small, what = shrunk(instance, look)
        found += 1
        rows.append(f"| {name}: {fault} | {size(instance)} | {size(small)} | `{json.dumps(small)}` |")
        report.document.setdefault("planted", []).append({"kind": name, "fault": fault, "instance": small, "what": what})
    head = ["| planted fault | size | once made small | |", "|---|---:|---:|---|"]
    return report.write({"planted faults": len(FAULTS), "found": found}, "\n".join([*head, *rows]))


def main():
    options = arguments(__doc__.split("\n")[0], cases=600, seed=1, plant=False)
    report = Report(options, "differential_planted" if options.plant else "differential", "differential")
    kinds = {name: Solved(name) for name in WRONG} | {"taskset": tasksets.TaskSets()}
    return (plant if options.plant else compare)(report, kinds, options)


if __name__ == "__main__":
    raise SystemExit(main())
