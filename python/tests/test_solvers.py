"""The solvers on arrays, against brute force and against another solver."""

import itertools
import os
import random
from typing import Any

import numpy as np
import pytest

import isx

CASES = int(os.environ.get("ISX_CASES", 300))


def best_of_classes(values: list[list[int]], weights: list[list[int]], capacity: int, optional: bool) -> Any:
    """The most value, and the least weight that brings it, by trying everything."""
    classes = [list(zip(*pair, strict=True)) + ([(0, 0)] if optional else []) for pair in zip(values, weights)]
    sums = [(sum(v for v, _ in taken), -sum(w for _, w in taken)) for taken in itertools.product(*classes)]
    return max((one for one in sums if -one[1] <= capacity), default=None)


def test_classes_against_everything_tried() -> None:
    draw, feasible, infeasible = random.Random(14), 0, 0
    for _ in range(CASES):
        rows, columns = draw.randint(1, 4), draw.randint(1, 4)
        wide = draw.random() < 0.2
        most = 2**60 if wide else 30
        values = [[draw.randint(-most, most) for _ in range(columns)] for _ in range(rows)]
        weights = [[draw.randint(0, most if wide else 20) for _ in range(columns)] for _ in range(rows)]
        capacity, optional = draw.randint(0, min(rows * most, 2**62)), draw.random() < 0.5
        wanted = best_of_classes(values, weights, capacity, optional)
        if wanted is None:
            infeasible += 1
            with pytest.raises(isx.Infeasible):
                isx.solve_mckp(values, weights, capacity, optional=optional)
            continue
        feasible += 1
        solution = isx.solve_mckp(np.array(values), weights, capacity, optional=optional)
        assert (solution.value, -solution.weight) == wanted
        items, picks = solution.items_at(), solution.picks
        assert items is not None and picks is not None and len(picks) == rows
        assert sum(np.ravel(values)[item] for item in items.tolist()) == solution.value
        assert sum(np.ravel(weights)[item] for item in items.tolist()) == solution.weight
        front = isx.solve_mckp(values, weights, capacity, optional=optional, all_capacities=True)
        assert (front.value, front.weight, len(front)) == (solution.value, solution.weight, len(front.values))
        for at, weight in enumerate(front.weights.tolist()):
            assert best_of_classes(values, weights, weight, optional) == (front.values[at], -weight)
            record = front.picks_at(at)
            assert record is not None
            assert sum(weights[row][pick] for row, pick in enumerate(record.tolist()) if pick >= 0) == weight
    assert feasible > CASES / 3 and infeasible > CASES / 20


def test_items_against_everything_tried() -> None:
    draw = random.Random(15)
    for _ in range(CASES):
        count = draw.randint(0, 9)
        profits = [draw.randint(-5, 40) for _ in range(count)]
        weights = [draw.randint(0, 25) for _ in range(count)]
        capacity = draw.randint(0, 90)
        subsets = itertools.product([0, 1], repeat=count)
        sums = [tuple(sum(itertools.compress(of, taken)) for of in (profits, weights)) for taken in subsets]
        wanted = max(profit for profit, weight in sums if weight <= capacity)
        solution = isx.solve_knapsack(profits, weights, capacity)
        picks = solution.picks
        assert picks is not None
        assert solution.value == wanted == sum(profits[item] for item in picks.tolist())
        assert solution.weight == sum(weights[item] for item in picks.tolist()) <= capacity
        front = isx.solve_knapsack(profits, weights, capacity, all_capacities=True)
        for weight, value in zip(front.weights.tolist(), front.values.tolist(), strict=True):
            assert value == max(profit for profit, other in sums if other <= weight)


def test_both_against_another_solver() -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    draw = random.Random(16)
    for _ in range(12):
        rows, columns = draw.randint(5, 12), draw.randint(2, 8)
        values = np.array([[draw.randint(0, 1000) for _ in range(columns)] for _ in range(rows)])
        weights = np.array([[draw.randint(1, 1000) for _ in range(columns)] for _ in range(rows)])
        capacity = int(weights.min(axis=1).sum() + draw.randint(0, 300 * rows))
        for exactly_one in (True, False):
            model = cp_model.CpModel()
            taken = [[model.new_bool_var("") for _ in range(columns)] for _ in range(rows)]
            flat = list(itertools.chain(*taken))
            model.add(sum(w * x for w, x in zip(weights.ravel().tolist(), flat)) <= capacity)
            model.maximize(sum(v * x for v, x in zip(values.ravel().tolist(), flat)))
            if exactly_one:
                for row in taken:
                    model.add_exactly_one(row)
                solution = isx.solve_mckp(values, weights, capacity)
            else:
                solution = isx.solve_knapsack(values.ravel(), weights.ravel(), capacity)
            solver = cp_model.CpSolver()
            assert solver.solve(model) == cp_model.OPTIMAL
            assert solution.value == int(solver.objective_value)


def test_engines_agree_and_can_be_named() -> None:
    draw = np.random.default_rng(17)
    profits, weights = draw.integers(1, 1000, 200), draw.integers(1, 1000, 200)
    answers = set()
    for engine in isx.engines()["knapsack"]:
        if engine.startswith("cuda"):
            continue
        solution = isx.solve_knapsack(profits, weights, 20_000, engine=engine, threads=1)
        assert engine in solution.engine or solution.engine.startswith("reduction")
        answers.add((solution.value, solution.weight))
    assert len(answers) == 1


def test_arrays_of_every_kind_of_integer_are_read_as_they_are() -> None:
    profits = np.array([3, 9, 5])
    for given in (np.int8, np.int16, np.uint16, np.int32, np.uint64, np.dtype(">i4"), np.dtype(">u8")):
        array = profits.astype(given)
        for layout in (array, array[::-1][::-1], np.asfortranarray(array)):
            assert isx.solve_knapsack(layout, layout, 12).value == 12
    # Every other one, without a copy by the caller.
    assert isx.solve_knapsack(np.arange(10)[::2], np.ones(5, np.int64), 2).value == 14
    huge = isx.solve_knapsack([2**64 - 1, 2**64 - 1], [1, 1], 2)
    assert huge.value == 2**65 - 2 and huge.values.dtype == object
    # What is handed out is taken in.
    assert isx.solve_knapsack(np.array([3, 9], object), [1, 1], 2).value == 12
    assert isx.solve_knapsack([], [], 0).value == 0


def test_what_is_not_wanted_is_not_told() -> None:
    without = isx.solve_knapsack([3, 9], [2, 6], 10, picks=False)
    assert without.value == 12 and without.picks is None and without.items_at() is None
    assert isx.solve_mckp([[3, 9]], [[2, 6]], 10, picks=False).picks is None
    assert isx.solve_mckp([[3, 9]], [[2, 6]], 10, reduce=False).value == 9
