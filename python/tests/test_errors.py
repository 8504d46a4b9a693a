"""What goes wrong is an error of its kind, and says where."""

import os
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import isx
from conftest import two_tasks


def test_mistakes_in_a_file_have_their_place(tmp_path: Path) -> None:
    place = tmp_path / "set.yaml"
    place.write_text("name: demo\ntasks:\n  - {name: fir, wcet: 2 ms, period: 0 ms}\n  - {name: fir, wcte: 1}\n")
    with pytest.raises(isx.TaskSetError) as caught:
        isx.explore(place)
    error = caught.value
    assert (error.file, error.line, error.column) == (str(place), 3, 37)
    assert [at.line for at in error.places] == [3, 4] and "wcte" in error.places[1].message
    assert "period: 0 ms" in str(error) and "^^^^" in str(error)
    assert isinstance(error, ValueError) and error.exit_code == 2


def test_mistakes_in_a_dictionary_show_their_text() -> None:
    given = two_tasks()
    given["tasks"][1]["choices"][0]["saves"] = 7
    with pytest.raises(isx.TaskSetError) as caught:
        isx.explore(given)
    assert caught.value.file == "<dict>" and caught.value.line is not None
    assert "saves: 7" in str(caught.value)
    line = isx.TaskSet.from_dict(two_tasks()).to_yaml().splitlines()[caught.value.line - 1]
    assert "saves" in line


@pytest.mark.parametrize(
    "change",
    [
        {"wcet": float("nan")},
        {"wcet": float("inf")},
        {"wcet": True},
        {"wcet": -1},
        {"period": [1]},
        {"name": "a\x00b"},
        {"name": "\u202egnp"},
        {"name": None},
        {"colour": "red"},
        {"period": 1e-300},
    ],
    ids=str,
)
def test_wrong_values_of_a_dictionary_are_refused(change: dict[str, Any]) -> None:
    given = two_tasks()
    given["tasks"][0] |= change
    with pytest.raises(isx.TaskSetError):
        isx.explore(given)


def test_what_is_no_task_set_is_refused(tmp_path: Path) -> None:
    loop: dict[str, Any] = {"name": "loop"}
    loop["tasks"] = [loop]
    wrong: list[Any] = [loop, {"name": "x", "tasks": [{1: 2}]}, {"name": object()}, {"name": "\ud800"}, 7, None, [1]]
    for given in wrong:
        with pytest.raises(isx.InputError):
            isx.explore(given)
    with pytest.raises(FileNotFoundError) as caught:
        isx.explore(tmp_path / "none.yaml")
    assert caught.value.filename == str(tmp_path / "none.yaml")
    for name in ("name: x\ntasks: []", os.fsdecode(b"none\xff")):
        with pytest.raises(FileNotFoundError) as caught:
            isx.explore(name)
        assert caught.value.filename == name
        assert ("from_yaml" in "".join(getattr(caught.value, "__notes__", []))) == ("\n" in name)
    with pytest.raises(IsADirectoryError):
        isx.explore(tmp_path)
    (tmp_path / "binary").write_bytes(b"a\x00b")
    with pytest.raises(isx.TaskSetError) as refused:
        isx.explore(tmp_path / "binary")
    assert (refused.value.line, refused.value.column) == (1, 2)
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(isx.TaskSetError):
        isx.explore(tmp_path / "empty")


class Rounding:
    """A number that is no double, as those of some libraries: its conversion to a float would round it."""

    def __float__(self) -> float:
        return 1 / 3

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rounding)


def test_no_number_is_rounded_on_its_way_in() -> None:
    given = two_tasks()
    longer = np.longdouble(2**62) + 1
    wider = longer != float(longer)
    for number in (Rounding(), *((longer,) if wider else ())):
        given["tasks"][0]["choices"][0]["area"] = number
        with pytest.raises(isx.InputError, match=r"choices\[0\].area"):
            isx.explore(given)
    given["tasks"][0]["choices"][0]["area"] = np.longdouble(2.5)
    assert isx.explore(given)[1].area == Fraction(5, 2)
    with pytest.raises(isx.InputError, match="digits"):
        isx.explore({"name": "long", "tasks": [{"name": "a", "wcet": 1, "period": 10**5000}]})


def test_wrong_arguments_are_told_by_name() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"engine": "fast"}, "fast"),
        ({"threads": 0}, "threads"),
        ({"threads": 2000}, "threads"),
        ({"threads": 1.5}, "threads"),
        ({"max_memory": -1}, "max_memory"),
        ({"max_area": "much"}, "max_area"),
        ({"max_area": float("nan")}, "max_area"),
        ({"max_area": "1e999999999"}, "max_area"),
        ({"max_area": object()}, "max_area"),
        ({"max_area": -1}, "max_area"),
        ({"force": "contrl=mac"}, "control"),
        ({"forbid": "control=mca"}, "mac"),
        ({"scale_wcet": 0}, "scale_wcet"),
        ({"margin": 20}, "margin: that would be 2000 %: write 20% for WCETs 20 % longer, or 2000% if that is meant"),
        ({"margin": "-20%"}, "margin"),
        ({"scale_wcet": True}, "scale_wcet"),
        ({"scale_wcet": np.True_}, "scale_wcet"),
        ({"max_area": np.array([5])}, "max_area"),
        ({"max_area": "\ud800"}, "max_area"),
        ({"max_area": Rounding()}, "max_area"),
        ({"threads": 10**5000}, "threads"),
        ({"max_area": -(10**5000)}, "max_area"),
        ({"engine": None}, "engine"),
        ({"engine": "\ud800"}, "engine"),
        ({"force": None}, "force"),
        ({"force": {"control": "mac"}}, "force"),
        ({"forbid": ["\ud800"]}, "forbid"),
        ({"progress": 5}, "progress"),
    ]
    for arguments, word in wrong:
        with pytest.raises(isx.InputError, match=word):
            isx.explore(two_tasks(), **arguments)
    with pytest.raises(isx.InputError):
        isx.show(two_tasks())
    with pytest.raises(isx.InputError, match="smallest"):
        isx.show(two_tasks(), area=3, smallest=True)
    with pytest.raises(isx.InputError):
        isx.show(isx.explore(two_tasks()), point=0, force="control=mac")
    with pytest.raises(isx.InputError):
        isx.TaskSet.from_dict(None)  # type: ignore[arg-type]
    with pytest.raises(isx.InputError):
        isx.TaskSet.from_yaml("\ud800")


@pytest.mark.parametrize(
    "arguments",
    [
        {"tasks": ["a,b", "c"]},
        {"tasks": ["5"]},
        {"tasks": []},
        {"tasks": [1, 2]},
        {"tasks": True},
        {"tasks": 1.5},
        {"periods": [10, 20]},
        {"choices": 8.5},
        {"choices": [3, 8]},
        {"choices": (3,)},
        {"choices": True},
        {"name": 5},
        {"scheduler": 5},
        {"area_unit": "\ud800"},
    ],
    ids=str,
)
def test_a_recipe_is_not_read_as_another(arguments: dict[str, Any]) -> None:
    [name] = arguments
    with pytest.raises(isx.InputError, match=name):
        isx.generate(**arguments)


def test_a_recipe_takes_numbers_of_every_kind() -> None:
    assert isx.generate(tasks=2, area=2.5) == isx.generate(tasks=np.int64(2), area=(Fraction(5, 2), "2.5"))


def test_other_failures_are_of_their_kinds() -> None:
    with pytest.raises(isx.Infeasible):
        isx.explore(two_tasks(), force="control=mac", max_area=10)
    with pytest.raises(isx.Infeasible):
        isx.solve_mckp([[1], [1]], [[5], [6]], 10)
    with pytest.raises(isx.MemoryLimitError, match="max_memory") as caught:
        isx.explore(isx.generate(tasks=30, seed=5), engine="reference", max_memory=1000)
    assert isinstance(caught.value, MemoryError) and isinstance(caught.value, isx.Error)
    for missing in ({"point": 3}, {"point": -4}, {"max_utilization": "0.1"}):
        with pytest.raises(isx.NoSuchDesign):
            isx.show(isx.explore(two_tasks()), **missing)  # type: ignore[arg-type]
    with pytest.raises(isx.InputError):
        isx.generate(tasks=3, utilization=17)
    with pytest.raises(isx.InputError, match="uses stands without `blocks`"):
        isx.generate(uses="1..2")
    with pytest.raises(isx.InputError, match="core_area must be 0 or greater, not -1"):
        isx.generate(cores=2, core_area=-1)
    with pytest.raises(isx.InputError, match="scheduler"):
        isx.generate(scheduler="lifo")


def test_without_a_gpu_its_engine_is_not_available() -> None:
    if "cuda" not in isx.engines()["mckp"]:
        pytest.skip("built without the engine for GPUs")
    if os.path.exists("/dev/nvidiactl"):
        assert isx.explore(two_tasks(), engine="cuda").to_csv() == isx.explore(two_tasks()).to_csv()
        return
    with pytest.raises(isx.EngineUnavailable):
        isx.explore(two_tasks(), engine="cuda")


def test_what_cannot_be_written_is_an_os_error(tmp_path: Path) -> None:
    front = isx.explore(two_tasks())
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        front.to_json(tmp_path / "folder")
    with pytest.raises(OSError):
        isx.explore(two_tasks(), certificate=tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder"]


def test_arrays_are_taken_only_as_integers() -> None:
    good = np.array([3, 9, 5])
    wrong: list[tuple[Any, Any, Any]] = [
        (good.astype(float), good, 10),
        (good, [2.0, 6, 5], 10),
        (good, np.array([np.nan, 1, 2]), 10),
        (good, [True, 1, 2], 10),
        (good, ["1", "2", "3"], 10),
        (good, [-1, 2, 3], 10),
        (good, [2**62, 2, 3], 10),
        (good, [2**63, -1, 3], 10),
        (good, [2, 6], 10),
        (good, [[2, 6, 5]], 10),
        (good, good, -1),
        (good, good, 2**62 + 1),
        (good, good, 1.5),
        (good.astype(complex), good, 1),
        (good, None, 1),
        (np.ma.masked_equal(good, 9), good, 1),
        (np.array([2**70, 9, 5], object), good, 1),
    ]
    for profits, weights, capacity in wrong:
        with pytest.raises(isx.InputError):
            isx.solve_knapsack(profits, weights, capacity)
    for values, weights, offsets in [
        ([1, 2], [1, 2], None),
        ([[1, 2], [3]], [[1, 2], [3]], None),
        ([1, 2], [1, 2], [0, 1]),
        ([1, 2], [1, 2], [1, 2]),
        ([1, 2], [1, 2], [0, 2, 1, 2]),
        ([1, 2], [1, 2], [-1, 2]),
        ([1, 2], [1, 2], []),
        ([[1, 2]], [[1, 2]], [0, 2]),
        ([np.array([1, 2]), np.array([3])], [np.array([1, 2]), np.array([3])], None),
    ]:
        with pytest.raises(isx.InputError):
            isx.solve_mckp(values, weights, 5, offsets=offsets)
    assert sys.exc_info() == (None, None, None)
