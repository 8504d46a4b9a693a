"""Independent exact answers to the multiple-choice knapsack problem (MCKP).

A problem is `(classes, capacity)`: classes of items `(value, weight)` in integers, at most one item a class where
`optional`, else exactly one. CP-SAT decides in 64-bit integers, so its optimum can be compared for equality. HiGHS
computes in doubles: its selection is summed again in integers, and with both gaps 0 that sum is the optimum wherever
the values are small against 2^53; it stands second.
"""

import json
import subprocess
import sys
from fractions import Fraction
from functools import cache, reduce
from math import gcd, lcm
from pathlib import Path

import numpy as np
from ortools.sat.python import cp_model

INT64 = 2**62
NOTHING = -(2**62)


def common_scale(numbers):
    """The least positive integer that makes every fraction whole."""
    return lcm(*(Fraction(number).denominator for number in numbers)) if numbers else 1


def common_divisor(numbers):
    return reduce(gcd, numbers, 0) or 1


def weigh(classes, picks):
    """Value and weight of a selection; `None` is no item."""
    taken = [items[pick] for items, pick in zip(classes, picks, strict=True) if pick is not None]
    return sum(value for value, _ in taken), sum(weight for _, weight in taken)


def select(model, classes, optional):
    """The 0-1 variables of a selection."""
    selection = [[model.new_bool_var("") for _ in items] for items in classes]
    for variables in selection:
        (model.add_at_most_one if optional else model.add_exactly_one)(variables)
    return selection


def linear(classes, selection, which):
    return sum(
        item[which] * variable
        for items, variables in zip(classes, selection, strict=True)
        for item, variable in zip(items, variables, strict=True)
        if item[which]
    )


def cp_sat_solve(model, seconds=None, threads=1):
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = threads
    if seconds:
        solver.parameters.max_time_in_seconds = seconds
    return solver, solver.solve(model)


def picked(solver, selection):
    taken = [[k for k, variable in enumerate(variables) if solver.value(variable)] for variables in selection]
    return [found[0] if found else None for found in taken]


def cp_sat(classes, capacity, optional, seconds=None, threads=1):
    """`(status, value, picks)` with status "optimal", "infeasible" or another word of CP-SAT's."""
    if not optional and not all(classes):
        return "infeasible", None, None
    unit = common_divisor([value for items in classes for value, _ in items])
    scaled = [[(value // unit, weight) for value, weight in items] for items in classes]
    for which in (0, 1):
        assert sum(max((abs(item[which]) for item in items), default=0) for items in scaled) < INT64, "passes 64 bits"
    model = cp_model.CpModel()
    selection = select(model, scaled, optional)
    model.add(linear(scaled, selection, 1) <= capacity)
    model.maximize(linear(scaled, selection, 0))
    solver, status = cp_sat_solve(model, seconds, threads)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return solver.status_name(status).lower(), None, None
    picks = picked(solver, selection)
    value, weight = weigh(classes, picks)
    assert weight <= capacity
    return solver.status_name(status).lower(), value, picks


def cp_sat_chosen(items, capacities):
    """The most profit of 0-1 items `(profit, weights)` within capacities, one a dimension; proved optimal."""
    unit = common_divisor([profit for profit, _ in items])
    assert sum(abs(profit) for profit, _ in items) // unit < INT64, "passes 64 bits"
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in items]
    for dimension, capacity in enumerate(capacities):
        assert sum(weights[dimension] for _, weights in items) < INT64, "passes 64 bits"
        model.add(sum(weights[dimension] * variable for (_, weights), variable in zip(items, chosen)) <= capacity)
    model.maximize(sum(profit // unit * variable for (profit, _), variable in zip(items, chosen)))
    solver, status = cp_sat_solve(model)
    assert status == cp_model.OPTIMAL, solver.status_name(status)
    return sum(profit for (profit, _), variable in zip(items, chosen) if solver.value(variable))


def cp_sat_least_weight(classes, needed, optional):
    """The least weight of a selection worth at least `needed`, or None."""
    unit = common_divisor([value for items in classes for value, _ in items])
    scaled = [[(value // unit, weight) for value, weight in items] for items in classes]
    model = cp_model.CpModel()
    selection = select(model, scaled, optional)
    model.add(linear(scaled, selection, 0) >= -(-needed // unit))
    model.minimize(linear(scaled, selection, 1))
    solver, status = cp_sat_solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    assert status == cp_model.OPTIMAL, solver.status_name(status)
    return weigh(classes, picked(solver, selection))[1]


def highs(classes, capacity, optional, seconds=None, threads=1):
    """As `cp_sat`, from HiGHS with both gaps 0, in the process of its own that `highs_worker.py` says the reason of."""
    if not optional and not all(classes):
        return "infeasible", None, None
    worker = highs_process()
    worker.stdin.write(json.dumps([classes, capacity, optional, seconds, threads]) + "\n")
    worker.stdin.flush()
    status, picks = json.loads(worker.stdout.readline())
    return status, picks and weigh(classes, picks)[0], picks


@cache
def highs_process():
    script = Path(__file__).with_name("highs_worker.py")
    return subprocess.Popen([sys.executable, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class Table:
    """The textbook dynamic program over all capacities, in 64-bit integers, with numpy doing one item at a time."""

    def __init__(self, classes, capacity, optional):
        self.classes, self.optional = classes, optional
        assert sum(max((abs(value) for value, _ in items), default=0) for items in classes) < 2**60
        self.rows = [np.zeros(capacity + 1, dtype=np.int64)]
        for items in classes:
            before = self.rows[-1]
            row = before.copy() if optional else np.full(capacity + 1, NOTHING)
            for value, weight in items:
                if weight <= capacity:
                    reached = before[: capacity + 1 - weight]
                    here = row[weight:]
                    np.maximum(here, np.where(reached > NOTHING, reached + value, NOTHING), out=here)
            self.rows.append(row)

    def front(self):
        """Every capacity at which the best value rises: `[(weight, value), ..]`."""
        row = self.rows[-1]
        rises = np.flatnonzero(np.concatenate(([row[0] > NOTHING], row[1:] > row[:-1])))
        return [(int(weight), int(row[weight])) for weight in rises]

    def canonical(self, weight):
        """The picks at a front point: from the last class to the first, no item if that explains the value, else the
        first item in file order that does."""
        picks = [None] * len(self.classes)
        for c in range(len(self.classes) - 1, -1, -1):
            before, due = self.rows[c], self.rows[c + 1][weight]
            if self.optional and before[weight] == due:
                continue
            for k, (value, heavy) in enumerate(self.classes[c]):
                if heavy <= weight and before[weight - heavy] > NOTHING and before[weight - heavy] + value == due:
                    picks[c], weight = k, weight - heavy
                    break
            else:
                raise AssertionError("no item explains the value")
        return picks
