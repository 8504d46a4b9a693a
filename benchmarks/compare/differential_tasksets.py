"""Small task sets for `differential.py`: all designs one by one, in Python integers."""

import json
from fractions import Fraction
from itertools import product
from math import lcm

from compare_priorities import response
from harness import run_isx, scratch
from schedulability_oracle import is_above, rank

PERIODS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20)
SCHEDULERS = ("edf", "edf", "rm", "dm", "fixed")


class TaskSets:
    """An instance has the keys of the YAML, times in cycles and areas in whole units; blocks go by number."""

    def draw(self, rng):
        clock, beyond = rng.choice((None, None, 12)), rng.choice((None, 0, 3))
        blocks = []
        for _ in range(rng.choice((0, 0, 2, 4))):
            fmax = rng.choice((None, 6, 8, 9, 13)) if clock else None
            blocks.append({"area": rng.randint(0, 15), "slot": rng.choice((None, None, 0, 1)), "fmax": fmax})
        tasks = []
        for _ in range(rng.randint(1, 4)):
            period = rng.choice(PERIODS)
            wcet = rng.randint(1, period)
            deadline = period if beyond is None else rng.randint(1, period + beyond)
            choices = []
            for _ in range(rng.randint(0, 3)):
                uses = [at for at in range(len(blocks)) if rng.random() < 0.4]
                choices.append({"area": rng.randint(0, 12), "wcet": rng.randint(1, wcet + 1), "uses": uses})
            priority = rng.randint(1, 3)
            tasks.append({"wcet": wcet, "period": period, "deadline": deadline, "priority": priority, "choices": choices})
        return {"scheduler": rng.choice(SCHEDULERS), "clock": clock, "blocks": blocks, "tasks": tasks}

    def tidy(self, instance):
        """Uses of blocks that are gone go too, and of two blocks of a slot the second; `None` if nothing is left to read."""
        times = [time for task in instance["tasks"] for time in (task["wcet"], task["period"], task["deadline"])]
        times += [choice["wcet"] for task in instance["tasks"] for choice in task["choices"]]
        times += [task["priority"] for task in instance["tasks"]]
        times += [rate for rate in [instance["clock"], *(b["fmax"] for b in instance["blocks"])] if rate is not None]
        areas = [entry["area"] for entry in instance["blocks"] + [c for t in instance["tasks"] for c in t["choices"]]]
        if not instance["tasks"] or min(times) < 1 or min([0, *areas]) < 0:
            return None
        slots = [block["slot"] for block in instance["blocks"]]
        tasks = []
        for task in instance["tasks"]:
            choices = []
            for choice in task["choices"]:
                uses = []
                for at in choice["uses"]:
                    alone = at < len(slots) and (slots[at] is None or slots[at] not in [slots[other] for other in uses])
                    uses += [at] * (alone and at not in uses)
                choices.append({**choice, "uses": uses})
            tasks.append({**task, "choices": choices})
        return {**instance, "tasks": tasks}

    def ask(self, instance):
        path = scratch() / "set.yaml"
        path.write_text(json.dumps(document(instance)))
        done = run_isx("explore", path, "--json", allowed=(0, 2, 4))
        return {"refused": done.stderr.strip()} if done.returncode else json.loads(done.stdout)

    def wrong(self, instance, answer):
        if "refused" in answer:
            return f"refused: {answer['refused']}"
        designs = [design for design in map(Design.of(instance), all_choices(instance)) if design]
        front = []
        for design in sorted(designs, key=lambda design: (design.area, design.utilization)):
            if not front or design.utilization < front[-1].utilization:
                front.append(design)
        points = [(Fraction(p["area"]), fraction(p["utilization"]), tuple(p["choices"].values())) for p in answer["points"]]
        expected = [(design.area, design.utilization, design.names()) for design in front]
        if points != expected:
            return f"front {[(str(a), str(u), c) for a, u, c in points]}"
        passing = sorted((d for d in designs if d.passes()), key=lambda design: (design.area, design.utilization))
        verdicts = [(design.passes(), bool(passing) and passing[0].area <= design.area) for design in front]
        record = [(point["schedulable"], point["schedulable_within"]) for point in answer["points"]]
        if record != verdicts:
            return f"verdicts {record}, brute force {verdicts}"
        smallest = str(passing[0].area) if passing else None
        if answer["min_schedulable_area"] != smallest:
            return f"smallest schedulable area {answer['min_schedulable_area']}, brute force {smallest}"
        return None


def fraction(record):
    return Fraction(int(record["num"]), int(record["den"]))


def document(instance):
    """The task set as JSON, which is YAML too."""
    blocks = []
    for at, block in enumerate(instance["blocks"]):
        entry = {"name": f"b{at}", "area": block["area"]}
        if block["slot"] is not None:
            entry["slot"] = f"s{block['slot']}"
        if block["fmax"] is not None and instance["clock"]:
            entry["fmax"] = f"{block['fmax']} Hz"
        blocks.append(entry)
    tasks = []
    for at, task in enumerate(instance["tasks"]):
        entry = {"name": f"t{at}", **{key: task[key] for key in ("wcet", "period", "deadline", "priority")}}
        uses = lambda choice: {"uses": [f"b{at}" for at in choice["uses"]]} if choice["uses"] else {}
        named = enumerate(task["choices"])
        entry["choices"] = [{"name": f"c{k}", "area": c["area"], "wcet": c["wcet"], **uses(c)} for k, c in named]
        tasks.append(entry)
    clock = {"clock": f"{instance['clock']} Hz"} if instance["clock"] else {}
    return {"name": "random", **clock, "scheduler": instance["scheduler"], "blocks": blocks, "tasks": tasks}


def all_choices(instance):
    """Every selection, None for software; the canonical one first: the last task's choice decides first."""
    options = [[None, *range(len(task["choices"]))] for task in reversed(instance["tasks"])]
    return (tuple(reversed(taken)) for taken in product(*options))


class Design:
    """A selection with its area and its utilization; times in parts of a cycle so fine that all are whole."""

    @classmethod
    def of(cls, instance):
        rates = [block["fmax"] for block in instance["blocks"] if block["fmax"]]
        base = instance["clock"] or 1
        parts = lcm(base, *rates) if instance["clock"] else 1

        def made(choices):
            taken = [task["choices"][at] if at is not None else None for task, at in zip(instance["tasks"], choices)]
            built = sorted({block for choice in taken if choice for block in choice["uses"]})
            blocks = [instance["blocks"][at] for at in built]
            slots = [block["slot"] for block in blocks if block["slot"] is not None]
            if len(set(slots)) < len(slots):
                return None
            clock = min([base, *(block["fmax"] for block in blocks if block["fmax"])]) if instance["clock"] else base
            design = cls()
            design.choices, design.instance = choices, instance
            design.area = sum(choice["area"] for choice in taken if choice) + sum(block["area"] for block in blocks)
            cycle = parts * base // clock
            design.jobs = []
            for task, choice in zip(instance["tasks"], taken):
                wcet = (choice or task)["wcet"] * cycle
                design.jobs.append((wcet, task["period"] * parts, task["deadline"] * parts))
            design.utilization = sum((Fraction(wcet, period) for wcet, period, _ in design.jobs), Fraction())
            return design

        return made

    def names(self):
        return tuple(None if at is None else f"c{at}" for at in self.choices)

    def passes(self):
        if self.utilization > 1:
            return False
        return self.demand_fits() if self.instance["scheduler"] == "edf" else self.responds()

    def demand_fits(self):
        """The demand at every deadline of two hyperperiods."""
        end = 2 * lcm(*(period for _, period, _ in self.jobs))
        times = {time for _, period, deadline in self.jobs for time in range(deadline, end + deadline + 1, period)}
        due = lambda time: sum(max(0, (time - d) // p + 1) * e for e, p, d in self.jobs)
        return all(due(time) <= time for time in times)

    def responds(self):
        tasks = self.instance["tasks"]
        ranks = [rank(self.instance["scheduler"], task) for task in tasks]
        for at, (wcet, period, deadline) in enumerate(self.jobs):
            above = [other for other in range(len(tasks)) if other != at and is_above(ranks[other], ranks[at])]
            longest = response(wcet, period, [self.jobs[other][:2] for other in above])
            if longest is None or longest > deadline:
                return False
        return True


def without_a_point(answer):
    return answer | {"points": answer["points"][:-1]} if len(answer["points"]) > 2 else answer


def verdict_turned(answer):
    for point in answer["points"]:
        point["schedulable"] = False if point["schedulable"] else point["schedulable"]
    return answer


def larger_smallest(answer):
    last = answer["points"][-1]["area"]
    return answer | ({"min_schedulable_area": last} if answer["min_schedulable_area"] is not None else {})


def other_choice(answer):
    """The last point forgets what its first task takes."""
    last = answer["points"][-1]
    last["choices"] |= {next(iter(last["choices"])): None}
    return answer


FAULTS = [
    ("last point missing", without_a_point),
    ("a schedulable point called unschedulable", verdict_turned),
    ("smallest area too large", larger_smallest),
    ("a choice forgotten", other_choice),
]
