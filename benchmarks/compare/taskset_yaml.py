"""A task set's YAML in exact fractions, read without isx: every scalar is text, nothing passes through a float."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import yaml

from exact import common_scale

# Every scalar as text; the loader in C is ten times as fast.
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
SECONDS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12}
HERTZ = {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}


@dataclass
class Task:
    name: str
    wcet: Fraction
    period: Fraction
    deadline: Fraction
    choices: list  # of (name, area, wcet)


@dataclass
class TaskSet:
    """Times in integers of one unit, areas in integers of `area_unit`."""

    tasks: list
    area_unit: Fraction
    hyperperiod: int

    def classes(self):
        """The knapsack problem: value = cycles saved in a hyperperiod, weight = area, at most one a task."""
        return [
            [((task.wcet - wcet) * (self.hyperperiod // task.period), area) for _, area, wcet in task.choices]
            for task in self.tasks
        ]

    def base(self):
        """The demand of software alone in a hyperperiod."""
        return sum(task.wcet * (self.hyperperiod // task.period) for task in self.tasks)

    def design(self, choices):
        """Area units and demand in a hyperperiod of the design that a JSON object of choice names describes."""
        assert list(choices) == [task.name for task in self.tasks], "one choice a task, in file order"
        area = demand = 0
        for task in self.tasks:
            wcet = task.wcet
            if choices[task.name] is not None:
                (found,) = [choice for choice in task.choices if choice[0] == choices[task.name]]
                area, wcet = area + found[1], found[2]
            demand += wcet * (self.hyperperiod // task.period)
        return area, demand


def read(path):
    document = yaml.load(path.read_text(), Loader=LOADER)
    clock = None
    if "clock" in document:
        number, unit = document["clock"].split()
        clock = Fraction(number) * HERTZ[unit]

    def time(text):
        number, _, unit = text.partition(" ")
        value = Fraction(number)
        if unit:
            value /= SECONDS[unit]
            return value * clock if clock else value
        return value

    tasks = []
    for entry in document["tasks"]:
        wcet, period = time(entry["wcet"]), time(entry["period"])
        deadline = time(entry["deadline"]) if "deadline" in entry else period
        choices = []
        for choice in entry.get("choices", []):
            lowered = time(choice["wcet"]) if "wcet" in choice else wcet - time(choice["saves"])
            choices.append((choice["name"], Fraction(choice["area"]), lowered))
        tasks.append(Task(entry["name"], wcet, period, deadline, choices))
    return in_integers(tasks)


def in_integers(tasks):
    scale = common_scale(
        [t for task in tasks for t in (task.wcet, task.period, task.deadline, *(c[2] for c in task.choices))]
    )
    areas = common_scale([choice[1] for task in tasks for choice in task.choices])
    whole = [
        Task(
            task.name,
            int(task.wcet * scale),
            int(task.period * scale),
            int(task.deadline * scale),
            [(name, int(area * areas), int(wcet * scale)) for name, area, wcet in task.choices],
        )
        for task in tasks
    ]
    return TaskSet(whole, Fraction(1, areas), lcm(*(task.period for task in whole)))
