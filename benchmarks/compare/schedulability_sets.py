"""Random task sets near the border of what is schedulable, for `compare_schedulability.py`.

Numbers are whole; periods divide 120, so that exhaustive tests are short, and few, so that tasks tie. What a set has is
given by the names of features: each is in about half of the sets that may have it.
"""

import json
import random

import schedulability_oracle as oracle

PERIODS = (8, 10, 12, 15, 20, 24, 30, 40, 60)
FEATURES = ("locks", "jitter", "blocking", "nonpreemptive", "all", "switch")


def split(rng, total, count):
    weights = [rng.random() + 0.05 for _ in range(count)]
    return [total * weight / sum(weights) for weight in weights]


def draw(seed, features=FEATURES, schedulers=("edf", "rm", "dm", "fixed"), choices=0, clock=False):
    """A set; of choices each task has up to that many, and then there are blocks."""
    rng = random.Random(f"{seed} {features} {choices}")
    scheduler = rng.choice(schedulers)
    count = rng.choice((2, 3, 3, 4, 4, 5))
    periods = rng.sample(PERIODS, rng.randint(1, min(count, 3)) if choices == 0 else min(count, 4))
    has = {feature for feature in features if rng.random() < (0.6 if len(features) > 2 else 0.9)}
    if scheduler == "edf" and {"locks", "jitter"} <= has:
        has.discard(rng.choice(("locks", "jitter")))
    load = rng.uniform(0.4, 1.05) if choices == 0 else rng.uniform(0.5, 1.2)
    tight = rng.random()
    tasks = []
    for at, share in enumerate(split(rng, load, count)):
        period = rng.choice(periods)
        wcet = max(1, min(period, round(share * period)))
        task = {"name": f"t{at}", "wcet": wcet, "period": period}
        kind = rng.random()
        if kind < (0.5 if choices == 0 else 0.8) * tight:
            task["deadline"] = rng.randint((wcet + period) // 2 if choices == 0 else (2 * wcet + period) // 3, period)
        elif kind > 0.9:
            task["deadline"] = rng.randint(period, 2 * period)
        tasks.append(task)
    deadlines = [task.get("deadline", task["period"]) for task in tasks]
    if scheduler == "dm" and rng.random() < 0.5:
        # Deadlines tie less often than periods.
        tasks[-1]["deadline"] = deadlines[-1] = max(deadlines[0], tasks[-1]["wcet"])
    for task, deadline in zip(tasks, deadlines):
        if scheduler == "fixed" or (scheduler in ("rm", "dm") and rng.random() < 0.3):
            task["priority"] = rng.randint(1, max(2, count - 1))
        own = lambda: rng.random() < 0.5
        wcet, room = task["wcet"], max(1, deadline // 6)
        if "jitter" in has and own():
            task["jitter"] = rng.randint(1, room)
        if "blocking" in has and own():
            task["blocking"] = rng.randint(1, room)
        if "nonpreemptive" in has and wcet > 1 and own():
            task["nonpreemptive"] = rng.randint(1, wcet - 1)
        elif "all" in has and rng.random() < 0.7:
            task["nonpreemptive"] = "all"
        if "locks" in has and rng.random() < 0.7:
            task["locks"] = locks(rng, wcet)
    instance = {"name": "random", "scheduler": scheduler, "tasks": tasks}
    if clock:
        instance["clock"] = 1000
    if "switch" in has and rng.random() < 0.5:
        instance["switch"] = 1
    if choices:
        add_choices(rng, instance, choices, "locks" in has)
    elif rng.random() < 0.6:
        to_border(rng, instance)
    return instance


def to_border(rng, instance):
    """Gives a task the longest WCET with which the set is schedulable, or one more."""
    task = rng.choice(instance["tasks"])

    def passes(wcet):
        task["wcet"] = wcet
        return oracle.verdict(instance["scheduler"], oracle.jobs(instance, (None,) * len(instance["tasks"]))[0])

    low, high = 0, task["period"] + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if passes(middle) else (low, middle)
    task["wcet"] = max(1, min(task["period"], low + rng.choice((0, 1))))


def locks(rng, wcet):
    names = rng.sample("abc", rng.choice((1, 1, 2)))
    # A section as long as the job or longer counts as the job.
    return {name: rng.choice((rng.randint(1, wcet), rng.randint(1, wcet), wcet, wcet + 1)) for name in names}


def add_choices(rng, instance, most, locked):
    blocks = [{"name": f"b{at}", "area": rng.randint(0, 9)} for at in range(rng.choice((0, 0, 1, 2)))]
    for block in blocks:
        if "clock" in instance and rng.random() < 0.3:
            block["fmax"] = rng.choice((800, 900, 1200))
        if "switch" in instance and rng.random() < 0.5:
            block["switch"] = 1
    if len(blocks) == 2 and rng.random() < 0.3:
        for block in blocks:
            block["slot"] = "s"
    for task in instance["tasks"]:
        found = []
        for at in range(rng.randint(0, most)):
            choice = {"name": f"c{at}", "area": rng.randint(0, 9), "wcet": rng.randint(1, task["wcet"])}
            if blocks and rng.random() < 0.4:
                choice["uses"] = [rng.choice(blocks)["name"]]
            if locked and rng.random() < 0.5:
                choice["locks"] = locks(rng, choice["wcet"]) if rng.random() < 0.7 else {}
            found.append(choice)
        if found:
            task["choices"] = found
    if blocks:
        instance["blocks"] = blocks


def text(instance):
    """The set as YAML of the JSON kind."""
    if "clock" not in instance:
        return json.dumps(instance)
    times = ("period", "deadline", "jitter")
    timed = lambda time: {mode: f"{each} ms" for mode, each in time.items()} if isinstance(time, dict) else f"{time} ms"
    tasks = [{key: timed(value) if key in times else value for key, value in task.items()} for task in instance["tasks"]]
    blocks = [block | ({"fmax": f"{block['fmax']} Hz"} if "fmax" in block else {}) for block in instance.get("blocks", ())]
    more = {"blocks": blocks} if blocks else {}
    return json.dumps(instance | {"clock": f"{instance['clock']} Hz", "tasks": tasks} | more)


def everything(seed):
    """A set with choices and, sometimes, resources, modes and variants."""
    rng = random.Random(f"everything {seed}")
    instance = draw(seed, choices=3, clock=rng.random() < 0.3)
    if rng.random() < 0.3:
        instance = with_resources(rng, instance)
    variants = ["small", "fast"] if rng.random() < 0.2 else []
    modes = ["rest", "rush"] if rng.random() < 0.2 else []
    if variants:
        entries = [{"name": "small"}, {"name": "fast"}]
        if "resources" not in instance:
            entries[1]["area"] = rng.randint(0, 9)
        instance["variants"] = entries
    if modes:
        instance["modes"] = modes
    for task in instance["tasks"]:
        if variants:
            for entry in [task, *task.get("choices", ())]:
                entry["wcet"] = {"small": entry["wcet"], "fast": rng.randint(1, entry["wcet"])}
        if modes and rng.random() < 0.5:
            period = task["period"]
            task["period"] = {"rest": 2 * period, "rush": period}
            if rng.random() < 0.3 and task is not instance["tasks"][0]:
                del task["period"]["rest"]
    return instance


def with_resources(rng, instance):
    def cost(entry):
        amounts = {"LUT": entry["area"], "DSP": rng.choice((0, 0, 1, 2))}
        return {key: value for key, value in entry.items() if key != "area"} | {"cost": amounts}

    tasks = [task | ({"choices": [*map(cost, task["choices"])]} if "choices" in task else {}) for task in instance["tasks"]]
    blocks = {"blocks": [*map(cost, instance["blocks"])]} if "blocks" in instance else {}
    more = {"base": {"LUT": 100}} if rng.random() < 0.5 else {}
    return instance | {"resources": ["LUT", "DSP"], "tasks": tasks} | blocks | more
