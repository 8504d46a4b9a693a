"""Pages of fronts of several resources, and the designs in their front.json."""

from fractions import Fraction
from pathlib import Path


def taken(choices):
    """Every task with the choice it takes, and behind a task with parts each of these."""
    for task, own in choices.items():
        parts = own.items() if isinstance(own, dict) else ()
        yield task, None if parts else own
        yield from ((f"{task}/{part}", choice) for part, choice in parts)


class CostPoint:
    def __init__(self, record, resources):
        self.cost = [record["cost"][name] for name in resources]
        self.exact = [Fraction(amount) for amount in self.cost]
        self.num, self.den = record["utilization"]["num"], record["utilization"]["den"]
        self.utilization = Fraction(int(self.num), int(self.den))
        self.schedulable, self.schedulable_within = record["schedulable"], record["schedulable_within"]
        self.variant = record.get("variant")
        self.choices = [choice for _, choice in taken(record["choices"])]
        self.blocks = sorted(record.get("blocks", []))

    def figures(self):
        return {key: value for key, value in vars(self).items() if key not in ("exact", "utilization")}


class CostCase:
    """A page, and the front.json that it must agree with."""

    def __init__(self, name, page, document):
        self.name, self.page, self.taskset = name, Path(page), None
        self.resources = document["resources"]
        self.objectives = [self.resources.index(name) for name in document["objectives"]]
        self.front = [CostPoint(record, self.resources) for record in document["points"]]
        self.minimal = [CostPoint(record, self.resources) for record in document["min_schedulable_designs"]]
        self.base = CostPoint(document["base"], self.resources)

    def __repr__(self):
        return self.name
