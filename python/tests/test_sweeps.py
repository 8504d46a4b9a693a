"""Many task sets or problems at once."""

import signal
import subprocess
import sys
import time
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import isx
from conftest import ROOT, long_lasting, two_tasks


def test_every_set_has_the_front_that_it_has_by_itself_in_order() -> None:
    sets = [isx.generate(tasks=4 + seed % 5, seed=seed) for seed in range(1, 25)]
    fronts = isx.explore_many(iter(sets), threads=3, margin="10%")
    assert len(fronts) == len(sets)
    for given, front in zip(sets, fronts, strict=True):
        assert isinstance(front, isx.Front)
        assert front.to_json() == isx.explore(given, margin="10%", threads=1).to_json()
    proved = isx.explore_many(sets[:2], prove=True)
    assert [front.status for front in proved if isinstance(front, isx.Front)] == ["proved", "proved"]
    assert isx.explore_many([]) == []


def test_a_set_without_a_front_has_its_error_in_its_place(tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("name: n\ntasks: [{name: t, wcet: 1, period: 0}]\n")
    given: list[Any] = [two_tasks(), tmp_path / "wrong.yaml", "missing.yaml", {"name": "n"}, 7, two_tasks()]
    first, wrong, missing, empty, number, last = isx.explore_many(given, force="control=mac")
    assert isinstance(first, isx.Front) and isinstance(last, isx.Front)
    assert isinstance(wrong, isx.TaskSetError) and (wrong.line, wrong.column) == (2, 36)
    assert isinstance(missing, FileNotFoundError) and missing.filename == "missing.yaml"
    assert isinstance(empty, isx.TaskSetError) and isinstance(number, isx.InputError)
    assert str(number) == "a task set is a path, a dictionary or an isx.TaskSet, not int"
    other = {"name": "other", "tasks": [{"name": "t", "wcet": 1, "period": 2}]}
    [unknown, known] = isx.explore_many([other, two_tasks()], force="control=mac")
    assert isinstance(unknown, isx.InputError) and "control" in str(unknown) and isinstance(known, isx.Front)
    vast = isx.generate(tasks=60, choices=30, seed=2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        small, *large = isx.explore_many([two_tasks(), vast, vast, vast], max_memory=200_000)
    assert isinstance(small, isx.Front) and all(isinstance(one, isx.MemoryLimitError) for one in large)
    # Without a GPU that could do it instead, this is said once for all sets, at the caller's place.
    assert [(one.category, one.filename) for one in caught] in ([], [(isx.EngineWarning, __file__)])
    with pytest.raises(isx.InputError) as one:
        isx.explore_many(two_tasks())
    assert str(one.value) == "explore_many takes several task sets, such as a list, not one dict"
    with pytest.raises(isx.InputError):
        isx.explore_many([two_tasks()], threads=0)


def test_a_set_too_large_for_its_share_of_the_memory_is_explored_by_itself() -> None:
    given = isx.generate(tasks=30, choices=20, seed=2)
    needed = next(size for size in (1 << at for at in range(14, 34)) if not refused(given, size))
    fronts = isx.explore_many([given] * 4, threads=4, max_memory=needed, engine="dense")
    assert all(isinstance(front, isx.Front) for front in fronts), fronts


def refused(given: isx.TaskSet, size: int) -> bool:
    try:
        isx.explore(given, max_memory=size, threads=1, engine="dense")
    except isx.MemoryLimitError:
        return True
    return False


def test_the_same_warning_of_many_sets_is_given_once() -> None:
    def late(name: str, wcet: int) -> dict[str, Any]:
        return {"name": name, "tasks": [{"name": "t", "wcet": wcet, "period": 10}]}

    given = [late(f"set {at}", 11) for at in range(100)]
    given[7]["tasks"][0]["name"] = "other"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        isx.explore_many(given)
    texts = [str(warning.message) for warning in caught]
    assert [text.splitlines()[0] for text in texts] == [
        "warning: the WCET of task `t` is greater than the period",
        "warning: the WCET of task `other` is greater than the period",
    ]
    assert texts[0].endswith("\nand 98 more warnings of the same text") and "more" not in texts[1]
    assert {warning.category for warning in caught} == {isx.TaskSetWarning}
    assert {warning.filename for warning in caught} == {__file__}


def test_progress_counts_the_sets() -> None:
    entry: list[isx.Progress] = []
    isx.explore_many([isx.generate(seed=seed) for seed in range(20)], progress=entry.append)
    assert entry[-1] == isx.Progress("sets", 20, 20)
    assert [one.done for one in entry] == sorted(one.done for one in entry)


INTERRUPTED = """
import sys
sys.path.insert(0, {tests!r})
import isx
from conftest import long_lasting
given = [long_lasting()] * 6
print("ready", flush=True)
try:
    isx.explore_many(given)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_ends_all_within_a_second() -> None:
    program = INTERRUPTED.format(tests=str(ROOT / "python" / "tests"))
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert running.poll() is None, "it was over too soon to be interrupted"
        running.send_signal(signal.SIGINT)
        started = time.monotonic()
        assert running.stdout.readline() == "interrupted\n"
        assert time.monotonic() - started < 1.0
        assert running.wait(10) == 0
    finally:
        running.kill()


def test_what_a_listener_raises_ends_a_sweep() -> None:
    def listen(progress: isx.Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        isx.explore_many([two_tasks(), long_lasting()], progress=listen, threads=2)


def test_every_problem_has_the_solution_that_it_has_by_itself() -> None:
    draw = np.random.default_rng(3)
    problems: list[dict[str, Any]] = []
    for at in range(60):
        first, second = draw.integers(0, 50, 12), draw.integers(1, 50, 12)
        if at % 3 == 0:
            problems.append({"profits": first, "weights": second, "capacity": 100})
        elif at % 3 == 1:
            problems.append({"values": first.reshape(3, 4), "weights": second.reshape(3, 4), "capacity": 120})
        else:
            flat = {"values": first, "weights": second, "capacity": 20, "offsets": [0, 5, 12], "optional": True}
            problems.append(flat)
    solutions = isx.solve_many(problems, threads=4, all_capacities=True)
    for problem, solution in zip(problems, solutions, strict=True):
        solve = isx.solve_knapsack if "profits" in problem else isx.solve_mckp
        alone = solve(**problem, all_capacities=True)
        assert isinstance(solution, isx.Solution)
        assert solution.values.tolist() == alone.values.tolist()
        assert solution.weights.tolist() == alone.weights.tolist()
        for point in range(len(alone)):
            mine, wanted = solution.items_at(point), alone.items_at(point)
            assert mine is not None and wanted is not None and mine.tolist() == wanted.tolist()
    assert isx.solve_many([]) == []
    # Whether there is a GPU or not: it has what would take long, and this does not.
    again = isx.solve_many(problems, gpu=0)
    assert [solution.value for solution in again] == [max(solution.values) for solution in solutions]  # type: ignore[union-attr]
    for wrong, why in (
        ([], "gpu is empty"),
        ([0, -1], "each of gpu must be from 0"),
        ("first", "gpu must be an integer"),
        ([0, 1], "several problems have one GPU"),
        ("all", "several problems have one GPU"),
    ):
        with pytest.raises(isx.InputError, match=why):
            isx.solve_many(problems, gpu=wrong)


def test_a_problem_without_a_solution_has_its_error_in_its_place() -> None:
    good = {"profits": [3, 9], "weights": [2, 6], "capacity": 6}
    given: list[Any] = [
        good,
        {"profits": [3]},
        {"profits": [3], "values": [3], "weights": [1], "capacity": 1},
        {**good, "optional": True},
        {**good, "weights": [2.5, 1]},
        {**good, "weights": [-2, 1]},
        {"values": [[3]], "weights": [[2]], "capacity": 1},
        7,
        good,
    ]
    first, *wrong, last = isx.solve_many(given)
    assert isinstance(first, isx.Solution) and isinstance(last, isx.Solution) and first.value == last.value == 9
    assert [(type(one), str(one)) for one in wrong] == [
        (isx.InputError, "a problem with profits lacks weights and capacity; it may have capacity, profits, weights"),
        (isx.InputError, "a problem has either profits (0-1 knapsack) or values (multiple-choice)"),
        (isx.InputError, "a problem with profits has 'optional', which is unknown; it may have capacity, profits, weights"),
        (isx.InputError, "weights hold 2.5, and only integers are exact"),
        (isx.InputError, "weights[0] is -2, and a weight must be 0 or greater"),
        (isx.Infeasible, "no selection of items fits the capacity"),
        (isx.InputError, "a problem is a dictionary with profits or values, weights and capacity, not int"),
    ]
    with pytest.raises(isx.InputError) as one:
        isx.solve_many(good)
    assert str(one.value) == "solve_many takes several problems, such as a list, not one dict"


def test_margins_are_those_of_the_sets_with_longer_wcets() -> None:
    front = isx.explore(two_tasks())
    assert [one.margin for one in front.margins] == [Fraction(1, 10), Fraction(1, 5), Fraction(3, 10)]
    for one in front.margins:
        alone = isx.explore(two_tasks(), margin=one.margin).smallest_schedulable
        assert one.smallest_area == (alone and alone.area) and one.smallest_unknown is None
    assert list(map(str, front.margins)) == ["10 %: 120", "20 %: 420", "30 %: 420"]
