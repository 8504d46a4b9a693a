"""What the processor itself costs: `explore`, `check`, `fit` and `partition` about the same file, against brute force.

Random sets with one area, one resource or two, with and without a `base`, `cores` with and without a cost, variants,
blocks per core or per chip, EDF and fixed priorities. Without a cost of a core the base is the processor and counts once per core;
with it the base is the rest of the chip and counts once. For one and two cores every design and every assignment of
tasks to cores is tried; what one core costs must be the same in all four commands, point by point of the front.
"""

import json
import random
from collections import Counter
from itertools import product

import schedulability_oracle as oracle
import schedulability_sets as sets
from harness import Report, arguments, run_isx, scratch

CORES = (1, 2)


def draw(seed):
    """A set whose costs are lists of amounts, and the names of its resources (none: one area)."""
    rng = random.Random(f"base {seed}")
    instance = sets.draw(seed, (), ("edf", "fixed"), choices=2)
    for key in ("switch", "blocks"):
        instance.pop(key, None)
    instance["tasks"] = tasks = instance["tasks"][:4]
    for at, task in enumerate(tasks):
        task["priority"] = at + 1
    resources = rng.choice(([], ["LUT"], ["LUT", "DSP"]))
    amounts = lambda most: [rng.randint(0, most), *(rng.randint(0, 2) for _ in resources[1:])]
    if resources and rng.random() < 0.7:
        instance["base"] = amounts(40)
    if rng.random() < 0.7:
        instance["cores"] = {"count": "1..2"}
        if rng.random() < 0.6:
            instance["cores"]["cost"] = [rng.randint(1, 30), *amounts(0)[1:]]
    instance["blocks"] = [{"name": f"b{at}", "cost": amounts(9)} for at in range(rng.choice((0, 1, 2)))]
    for block in instance["blocks"]:
        if "cores" in instance and rng.random() < 0.4:
            block["scope"] = "chip"
    for choice in (choice for task in tasks for choice in task.get("choices", ())):
        choice.pop("area")
        choice.pop("uses", None)
        choice["cost"] = amounts(9)
        if instance["blocks"] and rng.random() < 0.5:
            choice["uses"] = [rng.choice(instance["blocks"])["name"]]
    if resources and rng.random() < 0.5:
        # A base beyond the device is refused.
        least_of = add(instance.get("base", amounts(0)), instance.get("cores", {}).get("cost", amounts(0)))
        instance["device"] = add(least_of, [rng.randint(0, 60), *(rng.randint(0, 5) for _ in resources[1:])])
    if rng.random() < 0.2:
        instance["variants"] = [{"name": "small"}, {"name": "fast", "cost": amounts(15)}]
    return instance, resources


def text(instance, resources):
    def costed(entry):
        if "cost" not in entry:
            return entry
        cost = {"cost": dict(zip(resources, entry["cost"]))} if resources else {"area": entry["cost"][0]}
        return {key: value for key, value in entry.items() if key != "cost"} | cost

    document = dict(instance)
    for key in ("blocks", "variants"):
        if document.get(key):
            document[key] = [*map(costed, document[key])]
        else:
            document.pop(key, None)
    document["tasks"] = [task | ({"choices": [*map(costed, task["choices"])]} if "choices" in task else {}) for task in instance["tasks"]]
    if resources:
        document["resources"] = resources
    if "base" in document:
        document["base"] = dict(zip(resources, instance["base"]))
    if "device" in document:
        document["device"] = {"name": "mine"} | dict(zip(resources, instance["device"]))
    if "cores" in document:
        document["cores"] = costed(instance["cores"])
    return json.dumps(document)


def add(*costs):
    return [sum(amounts) for amounts in zip(*costs)]


def cost(instance, cores, assigned, variant, resources=()):
    """Of a design given as pairs of core and choice for each task."""
    nothing = [0] * len(next(iter(costs_in(instance)), resources or [0]))
    base, core = instance.get("base", nothing), instance.get("cores", {}).get("cost")
    total = add(nothing, *([base] if core else [base] * cores), *([core] * cores if core else []))
    if variant and "cost" in variant:
        total = add(total, *[variant["cost"]] * cores)
    built = set()
    for on, choice in assigned:
        if choice:
            total = add(total, choice["cost"])
            built |= {(name, on) for name in choice.get("uses", ())}
    chip = {block["name"] for block in instance["blocks"] if block.get("scope") == "chip"}
    built = {(name, 0 if name in chip else on) for name, on in built}
    costs = {block["name"]: block["cost"] for block in instance["blocks"]}
    return add(total, *(costs[name] for name, _ in built))


def costs_in(instance):
    entries = [instance.get("cores", {}), *instance["blocks"], *instance.get("variants", ())]
    entries += [choice for task in instance["tasks"] for choice in task.get("choices", ())]
    yield from ([instance["base"]] if "base" in instance else [])
    yield from (entry["cost"] for entry in entries if "cost" in entry)


def passes(instance, members):
    """Whether the tasks of one core, given as (task, choice), meet their deadlines."""
    if not members:
        return True
    tasks = [task | ({"wcet": choice["wcet"]} if choice else {}) for task, choice in members]
    jobs, _ = oracle.jobs({"scheduler": instance["scheduler"], "tasks": tasks}, (None,) * len(tasks))
    return oracle.verdict(instance["scheduler"], jobs)


def least(instance, cores, variant, limits=None):
    """The least amount of the first resource of a design on so many cores, within the limits."""
    options = [[None, *task.get("choices", ())] for task in instance["tasks"]]
    best, seen = None, {}
    for choices in product(*options):
        for on in product(range(cores), repeat=len(choices)):
            if on[0]:
                break
            amounts = cost(instance, cores, list(zip(on, choices)), variant)
            amount = amounts[0]
            if best is not None and amount >= best or any(map(int.__gt__, amounts, limits or amounts)):
                continue
            numbers = [None if choice is None else choice["name"] for choice in choices]
            groups = [tuple((at, numbers[at]) for at in range(len(on)) if on[at] == core) for core in range(cores)]
            for group in groups:
                if group not in seen:
                    seen[group] = passes(instance, [(instance["tasks"][at], choices[at]) for at, _ in group])
            if all(seen[group] for group in groups):
                best = amount
    return best


def compare_set(report, seed, counts):
    instance, resources = draw(seed)
    path = scratch() / "set.yaml"
    path.write_text(text(instance, resources))
    variant = next(iter(instance.get("variants", [])[1:]), None)
    objective, what_if = ["--objectives", "LUT"] if resources else [], ["--variant", "fast"] if variant else []
    # Where no design at all fits, there is nothing to show.
    ask = lambda command, *words: json.loads(run_isx(command, path, "--json", *what_if, *words, allowed=(0, 1)).stdout or "null")
    counts["sets"] += 1
    core_cost = instance.get("cores", {}).get("cost")
    kind = ("base" if "base" in instance else "no base") + (", a core has a cost" if core_cost else "")
    counts[f"sets with {kind}"] += 1
    expected = [least(instance, cores, variant, instance.get("device")) for cores in CORES]
    rows = ask("partition", "--cores", "1..2", *objective)["rows"]
    for cores, row, best in zip(CORES, rows, expected):
        record = None if row["area"] is None else int(row["area"])
        report.same(f"partition on {cores} cores", record, best, seed=seed, status=row["status"])
        counts["partitions"] += 1
        if resources and row["cost"]:
            design = [(row["assignment"][task["name"]], chosen(task, row["choices"])) for task in instance["tasks"]]
            summed = dict(zip(resources, map(str, cost(instance, cores, design, variant, resources))))
            report.same(f"cost of a partition on {cores} cores", row["cost"], summed, seed=seed)
    front, verdict = ask("explore", *objective), ask("check", *objective)
    for name, answer in [("explore", front), ("check", verdict)]:
        report.same(name, smallest(answer, resources), expected[0], seed=seed)
    if resources:
        fit = ask("fit")
        report.same("fit", smallest(fit, resources), least(instance, 1, variant), seed=seed)
        if "device" in instance:
            counts["sets with a device"] += 1
            counts["sets with a device: it decides"] += least(instance, 1, variant) != expected[0]
            own = fit["rows"][0]
            report.same("fit of the file's device", (own["device"], own["schedulable"]), ("mine", expected[0] is not None), seed=seed)
    for point in [front["base"], *front["points"]] if front else ():
        design = [(0, chosen(task, point["choices"])) for task in instance["tasks"]]
        summed = cost(instance, 1, design, variant, resources)
        summed = dict(zip(resources, map(str, summed))) if resources else str(summed[0])
        report.same("cost of a point", point["cost" if resources else "area"], summed, seed=seed)
        counts["points of fronts"] += 1
    counts["schedulable on one core"] += expected[0] is not None
    counts["dearer on two cores"] += None not in expected and expected[1] > expected[0]
    counts["cheaper on two cores"] += expected[1] is not None and (expected[0] is None or expected[1] < expected[0])


def chosen(task, choices):
    return next((choice for choice in task.get("choices", ()) if choice["name"] == choices[task["name"]]), None)


def smallest(answer, resources):
    """The least amount of the first resource, or least area, at which some design is schedulable."""
    if answer is None:
        record = None
    elif not resources:
        record = answer["min_schedulable_area"]
    else:
        record = min((int(cost["LUT"]) for cost in answer["min_schedulable"]), default=None)
    return None if record is None else int(record)


def main():
    options = arguments(__doc__.split("\n")[0], sets=1000, seed=1)
    report = Report(options, "compare_base")
    counts = Counter()
    for seed in range(options.seed * 10**8, options.seed * 10**8 + options.sets):
        compare_set(report, seed, counts)
    summary = "One core costs the same in every command, and every cost is that of brute force."
    return report.write(counts, summary if not report.differences else "THERE ARE DIFFERENCES: see the JSON.")


if __name__ == "__main__":
    raise SystemExit(main())
