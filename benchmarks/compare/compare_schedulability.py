"""Ties, locks, parts that cannot be interrupted and other costs of a kernel: verdicts, responses, margins, permuted files.

Thousands of random sets near the border of what is schedulable, in seven parts (`--part NAME` runs one):

- `simulated`: the tests of `schedulability_oracle.py`, which judge all that follows, against simulated schedules: the
  responses of the worst cases are the same, and no schedule with random arrivals and places of locks is late where
  the test accepts. isx has no part in it.
- `locks`, `all`, `mixed`: `isx check` about sets with locks, with tasks that are never interrupted, and with
  everything at once; verdicts, response times, and whether priorities tied.
- `designs`: `isx explore` about sets with choices, some with locks of their own: the least schedulable area, also with
  margins of 10, 20 and 30 %, and the verdict on every point, against all designs one by one.
- `margins`: margins of `isx show` and `isx explore --front margin` and lowest clocks of `isx check`: the oracle accepts
  the set with all execution times that many times as long, and not a hair longer; no cheaper design reaches more.
- `permuted`: the same set with its tasks in another order has the same front, verdicts, areas and margins.

A set whose verdict turns when a feature is left out is counted as decided by it; too few of these count as a difference.
"""

import json
import random
from collections import Counter
from fractions import Fraction
from math import lcm

import schedulability_oracle as oracle
import schedulability_sets as sets
import schedulability_simulation as simulation
from harness import Report, arguments, run_isx, scratch

BATCH = 500
HAIR = Fraction(1, 10**6)
RUNS = 5
# From so many sets on, shares mean something.
MANY = 2000


def asked(command, texts, *words):
    """What isx prints about each text; None where it refuses."""
    texts, folder = list(texts), scratch() / "sets"
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for at, text in enumerate(texts):
        (folder / f"{at:05}.yaml").write_text(text)
    done = run_isx(command, folder, "--json", *words, allowed=(0, 1, 2, 3, 4))
    found = [None] * len(texts)
    for line in done.stdout.splitlines():
        document = json.loads(line)
        found[int(document["file"].rsplit("/", 1)[-1][:-5])] = document if "schema" in document else None
    return found


def asked_one(text, *words):
    path = scratch() / "one.yaml"
    path.write_text(text)
    done = run_isx(words[0], path, "--json", *words[1:], allowed=(0, 1, 2, 3, 4))
    return json.loads(done.stdout) if done.stdout else None


def fraction(number):
    return Fraction(int(number["num"]), int(number["den"]))


def software(instance):
    return (None,) * len(instance["tasks"])


def judged(instance, choices=None, **scale):
    tasks, _ = oracle.jobs(instance, choices or software(instance), **scale)
    return oracle.verdict(instance["scheduler"], tasks)


def tied(instance):
    """Pairs of tasks of which each may delay the other."""
    if instance["scheduler"] == "edf":
        return False
    ranks = [oracle.rank(instance["scheduler"], task) for task in instance["tasks"]]
    pairs = [(one, other) for at, one in enumerate(ranks) for other in ranks[:at]]
    return any(oracle.is_above(*pair) and oracle.is_above(*pair[::-1]) for pair in pairs)


def in_file_order(instance):
    """The set with ties broken by the order of the file."""
    first = lambda at: oracle.rank(instance["scheduler"], instance["tasks"][at])
    ranked = sorted(range(len(instance["tasks"])), key=lambda at: (first(at)[0], first(at)[1] or 0))
    tasks = [task | {"priority": ranked.index(at) + 1} for at, task in enumerate(instance["tasks"])]
    return instance | {"scheduler": "fixed", "tasks": tasks}


def without(instance, feature):
    """The set without a feature, None if it has none of it."""
    if feature == "names of locks":
        # All locks as if they were one.
        locks = {name for task in instance["tasks"] for name in task.get("locks", ())}
        one = lambda task: {"locks": {"a": max(task["locks"].values())}} if task.get("locks") else {}
        return instance | {"tasks": [task | one(task) for task in instance["tasks"]]} if len(locks) > 1 else None
    if feature == "ties":
        return in_file_order(instance) if tied(instance) else None
    if feature == "switch":
        return {key: value for key, value in instance.items() if key != "switch"} if "switch" in instance else None
    key = "nonpreemptive" if feature in ("all", "exactness of all") else feature
    has = lambda task: key in task and (key != "nonpreemptive" or (task[key] == "all") == (feature != "nonpreemptive"))
    if not any(map(has, instance["tasks"])):
        return None
    if feature == "exactness of all":
        # Blocks as long, but is tested as if it could be interrupted.
        return instance | {"tasks": [task | ({"partial": True} if has(task) else {}) for task in instance["tasks"]]}
    leave = lambda task: {name: value for name, value in task.items() if not (has(task) and name == key)}
    return instance | {"tasks": [leave(task) for task in instance["tasks"]]}


def decided(instance, verdict, counts, part):
    """Counts the features without which the verdict would be another, of every fourth set."""
    if counts[f"{part}: sets"] % 4:
        return
    for feature in (*sets.FEATURES, "ties", "exactness of all", "names of locks"):
        other = without(instance, feature)
        if other is None:
            continue
        counts[f"{part}: sets with {feature}"] += 1
        if judged(other) != verdict:
            counts[f"{part}: decided by {feature}"] += 1


def enough(report, counts, part, features, share):
    """Too few decided sets are a difference: such a comparison would prove little."""
    accepted, total = counts[f"{part}: schedulable"], counts[f"{part}: sets"]
    if total < MANY:
        return
    if not 0.3 <= accepted / total <= 0.7:
        report.differ(f"{part}: share of schedulable sets", accepted=accepted, sets=total)
    for feature in features:
        if counts[f"{part}: decided by {feature}"] < share * counts[f"{part}: sets with {feature}"]:
            report.differ(f"{part}: too few sets are decided by {feature}", counted=counts[f"{part}: decided by {feature}"])


def seeds(options, part, count):
    return range(options.seed * 10**8, options.seed * 10**8 + max(20, count * options.percent // 100))


def simulated(report, options, counts):
    for seed in seeds(options, "simulated", 20_000):
        features = (("locks",), ("all",), sets.FEATURES)[seed % 3]
        instance = sets.draw(seed, features)
        tasks, _ = oracle.jobs(instance, software(instance))
        counts["simulated: sets"] += 1
        if oracle.utilization(tasks) > 1:
            continue
        accepted = oracle.verdict(instance["scheduler"], tasks)
        if instance["scheduler"] == "edf":
            report.same("ORACLE: demand test and simulation", accepted, simulation.edf_meets(tasks), set=instance)
        else:
            responses = [oracle.response(tasks, at) for at in range(len(tasks))]
            report.same_list("ORACLE: responses", responses, simulation.worst_responses(tasks), set=instance)
        counts["simulated: worst cases of sets"] += 1
        rng = random.Random(seed)
        for _ in range(RUNS if accepted else 0):
            if simulation.random_run(instance["scheduler"], tasks, rng):
                report.differ("ORACLE: a schedule of an accepted set is late", set=instance)
            counts["simulated: random schedules of accepted sets"] += 1


def verdicts(part, count, features, decisive):
    def compare(report, options, counts):
        drawn = [sets.draw(seed, features) for seed in seeds(options, part, count)]
        for first in range(0, len(drawn), BATCH):
            batch = drawn[first : first + BATCH]
            for instance, answer in zip(batch, asked("check", map(sets.text, batch))):
                compare_verdict(report, part, instance, answer, counts)
        enough(report, counts, part, decisive, 0.004)

    return compare


def compare_verdict(report, part, instance, answer, counts):
    tasks, _ = oracle.jobs(instance, software(instance))
    accepted = oracle.verdict(instance["scheduler"], tasks)
    counts[f"{part}: sets"] += 1
    counts[f"{part}: schedulable"] += accepted
    decided(instance, accepted, counts, part)
    if answer is None:
        return report.differ(f"{part}: refused", set=instance)
    record = {"schedulable": True, "not_schedulable": False}.get(answer["verdict"], answer["verdict"])
    report.same(f"{part}: verdict", record, accepted, set=instance)
    report.same(f"{part}: utilization", fraction(answer["utilization"]), oracle.utilization(tasks), set=instance)
    report.same(f"{part}: ties", answer.get("ties"), tied(instance), set=instance)
    if instance["scheduler"] == "edf":
        return None
    responses = [oracle.response(tasks, at) for at in range(len(tasks))]
    record = [row["response_time"] for row in answer["response_times"]]
    record = [float("inf") if time is None else Fraction(time) for time in record]
    report.same_list(f"{part}: responses", record, responses, set=instance)
    counts[f"{part}: response times"] += len(record)
    return None


def designs(report, options, counts):
    drawn = [sets.draw(seed, choices=2, clock=seed % 2 == 0) for seed in seeds(options, "designs", 5_000)]
    for first in range(0, len(drawn), BATCH):
        batch = drawn[first : first + BATCH]
        for instance, answer in zip(batch, asked("explore", map(sets.text, batch))):
            compare_front(report, instance, answer, counts)
    if counts["designs: least area is off the front"] * 200 < counts["designs: sets"] >= MANY:
        report.differ("designs: too few sets whose least area is off the front")


def least(instance, designs, margin):
    """The least area of a design that is schedulable with this margin."""
    passing = (area for area, choices in designs if judged(instance, choices, margin=margin))
    return next(passing, None)


def by_area(instance):
    found = ((oracle.area(instance, choices), choices) for choices in oracle.designs(instance))
    return sorted(found, key=lambda design: design[0])


def compare_front(report, instance, answer, counts):
    counts["designs: sets"] += 1
    if answer is None:
        return report.differ("designs: refused", set=instance)
    found = by_area(instance)
    counts["designs: designs"] += len(found)
    least_area = least(instance, found, 1)
    record = [(0, answer["min_schedulable_area"]), *((row["margin"], row["min_schedulable_area"]) for row in answer.get("margins", ()))]
    for margin, stated_area in record:
        smallest = least(instance, found, 1 + Fraction(margin))
        text = None if smallest is None else str(smallest)
        report.same(f"designs: smallest area with margin {margin}", stated_area, text, set=instance)
    counts["designs: schedulable"] += least_area is not None
    shown = [point["area"] for point in answer["points"] if point["schedulable"]]
    counts["designs: least area is off the front"] += least_area is not None and str(least_area) not in shown
    for design in answer["min_schedulable_designs"]:
        accepted = judged(instance, numbers(instance, design["choices"]))
        report.same("designs: verdict on the smallest design", accepted, True, set=instance)
    for point in answer["points"]:
        choices = numbers(instance, point["choices"])
        report.same("designs: verdict on a point", point["schedulable"], judged(instance, choices), point=point, set=instance)
        within = least_area is not None and least_area <= int(point["area"])
        report.same("designs: verdict within an area", point["schedulable_within"], within, point=point, set=instance)
        counts["designs: points"] += 1
    return None


def numbers(instance, choices):
    """Choices by number, of the names that isx shows."""
    named = lambda task: [choice["name"] for choice in task.get("choices", ())]
    shown = [(task, choices[task["name"]]) for task in instance["tasks"]]
    return tuple(None if name is None else named(task).index(name) for task, name in shown)


def margins(report, options, counts):
    for seed in seeds(options, "margins", 3_000):
        instance = sets.draw(seed)
        counts["margins: sets"] += 1
        answer = asked_one(sets.text(instance), "show", "--point", "0")
        if answer is None:
            report.differ("margins: refused", set=instance)
            continue
        hold(report, "margin", fraction(answer["margin"]), lambda factor: judged(instance, margin=factor), instance, counts)
    drawn = [sets.draw(seed, clock=True) for seed in seeds(options, "margins", 6_000)]
    for first in range(0, len(drawn), BATCH):
        batch = drawn[first : first + BATCH]
        for instance, answer in zip(batch, asked("check", map(sets.text, batch))):
            slowest = answer and answer.get("lowest_clock_hz")
            factor = Fraction(instance["clock"]) / Fraction(slowest) if slowest else Fraction(0)
            hold(report, "lowest clock", factor, lambda factor: judged(instance, slower=factor), instance, counts)
    for seed in seeds(options, "margins", 1_500):
        instance = sets.draw(seed, choices=2)
        compare_margin_front(report, instance, asked_one(sets.text(instance), "explore", "--front", "margin"), counts)


def hold(report, what, factor, accepts, instance, counts):
    """The largest factor is one that the oracle accepts, and a hair more is too much. The set of factors of a task that is never
    interrupted may be open above: at the limit, a job of higher priority arrives just when it would start."""
    counts[f"margins: {what}"] += 1
    if factor == 0:
        counts[f"margins: {what}: none"] += 1
        report.same(f"{what} of 0", accepts(HAIR), False, set=instance)
        return
    if not accepts(factor):
        counts[f"margins: {what}: open above"] += 1
        report.same(f"{what} is too large", accepts(factor * (1 - HAIR)), True, factor=str(factor), set=instance)
    report.same(f"{what} is too small", accepts(factor * (1 + HAIR)), False, factor=str(factor), set=instance)


def compare_margin_front(report, instance, answer, counts):
    counts["margins: fronts"] += 1
    found = by_area(instance)
    if answer is None:
        # There is no front where no design passes, however short it is.
        passing = [choices for _, choices in found if judged(instance, choices, margin=HAIR)]
        return report.same("margins: designs of a front that is refused", passing, [], set=instance)
    points = answer["points"]
    reached = [fraction(point["margin"]) for point in points]
    areas = [int(point["area"]) for point in points]
    report.same("front of margins: rises", reached, sorted(set(reached)), set=instance)
    for at, point in enumerate(points):
        counts["margins: points of fronts"] += 1
        choices = numbers(instance, point["choices"])
        report.same("front of margins: area", areas[at], oracle.area(instance, choices), set=instance)
        hold(report, "margin of a point", reached[at], lambda factor: judged(instance, choices, margin=factor), instance, counts)
        before = areas[at + 1] if at + 1 < len(areas) else None
        more = reached[at] * (1 + HAIR) or HAIR
        better = [choices for area, choices in found if before is None or area < before]
        if any(judged(instance, choices, margin=more) for choices in better):
            report.differ("front of margins: a cheaper design reaches more", point=point, set=instance)
    return None


def permuted(report, options, counts):
    drawn = [sets.everything(seed) for seed in seeds(options, "permuted", 20_000)]
    for first in range(0, len(drawn), BATCH):
        batch = drawn[first : first + BATCH]
        rng = random.Random(first + options.seed)
        others = [shuffled(instance, rng) for instance in batch]
        for command in ("explore", "check"):
            answers = zip(batch, asked(command, map(sets.text, batch)), asked(command, map(sets.text, others)))
            for instance, one, other in answers:
                same_answer(report, command, instance, one, other, counts)
    for seed in seeds(options, "permuted", 1_000):
        instance = sets.everything(seed)
        if "resources" not in instance:
            other = shuffled(instance, random.Random(seed))
            answers = [asked_one(sets.text(each), "explore", "--front", "margin") for each in (instance, other)]
            same_answer(report, "explore --front margin", instance, *answers, counts)


def shuffled(instance, rng):
    tasks = instance["tasks"]
    order = tasks
    while order == tasks and len(tasks) > 1:
        order = rng.sample(tasks, len(tasks))
    return instance | {"tasks": order}


# What a front or verdict says as a whole, what of a point whichever design is shown, and what says how it was computed.
OF_A_SET = ("verdict", "min_schedulable_area", "margins", "mode_areas", "complete", "ties", "scheduler", "least_utilization")
OF_A_POINT = ("area", "cost", "utilization", "margin", "schedulable_within")


def same_answer(report, command, instance, one, other, counts):
    counts[f"permuted: {command}"] += 1
    if one is None or other is None:
        counts[f"permuted: {command}: refused"] += 1
        return report.same(f"{command}: refused", one is None, other is None, set=instance)
    for key in OF_A_SET:
        report.same(f"{command}: {key}", one.get(key), other.get(key), set=instance)
    least = [answer.get("min_schedulable") for answer in (one, other)]
    if command != "check" and isinstance(least[0], list):
        report.same(f"{command}: minimal costs", *least, set=instance)
    counts[f"permuted: {command}: schedulable"] += bool(one.get("min_schedulable_area") or least[0])
    pairs = [(one, other)] if command == "check" else [(one["base"], other["base"]), *zip(one["points"], other["points"])]
    if command != "check":
        report.same(f"{command}: number of points", len(one["points"]), len(other["points"]), set=instance)
    for point, match in pairs:
        counts[f"permuted: {command}: designs"] += 1
        if command == "check" and point["area" if "area" in point else "cost"] != match["area" if "area" in match else "cost"]:
            report.differ("check: area", isx=point, other=match, set=instance)
        alike = all(point.get(key) == match.get(key) for key in ("choices", "variant"))
        keys = OF_A_POINT if command != "check" else ()
        if not alike:
            counts[f"permuted: {command}: another design of equal cost and utilization"] += 1
        else:
            keys = [key for key in point if key not in ("file", "response_times", "reason", "blocks")]
            rows = [sorted(map(str, answer.get("response_times", ()))) for answer in (point, match)]
            report.same(f"{command}: responses", *rows, set=instance)
        for key in keys:
            report.same(f"{command}: {key} of a design", point.get(key), match.get(key), set=instance)
    return None


PARTS = {
    "simulated": simulated,
    "locks": verdicts("locks", 100_000, ("locks",), ("locks", "names of locks")),
    "all": verdicts("all", 100_000, ("all",), ("all", "exactness of all")),
    "mixed": verdicts("mixed", 50_000, sets.FEATURES, (*sets.FEATURES, "ties")),
    "designs": designs,
    "margins": margins,
    "permuted": permuted,
}


def main():
    options = arguments(__doc__.split("\n")[0], part="every", seed=1, percent=100)
    report = Report(options, "compare_schedulability")
    counts = Counter()
    for name, part in PARTS.items():
        if options.part in (name, "every"):
            part(report, options, counts)
    summary = "Every verdict, response time, margin and lowest clock is that of the independent tests, and no answer depends on the order of tasks."
    return report.write(counts, summary if not report.differences else "THERE ARE DIFFERENCES: see the JSON.")


if __name__ == "__main__":
    raise SystemExit(main())
