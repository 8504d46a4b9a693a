"""Modes, overruns and several cores: what the command answers."""

import inspect
import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import isx
from conftest import ROOT, two_tasks

Command = Callable[..., subprocess.CompletedProcess[bytes]]

MODES = ROOT / "tasksets" / "gateway-modes.yaml"

pytestmark = pytest.mark.filterwarnings("ignore::isx.TaskSetWarning")


def in_modes(record: dict[str, Any]) -> dict[str, Fraction]:
    return {mode: Fraction(int(one["num"]), int(one["den"])) for mode, one in record["mode_utilization"].items()}


def pair() -> dict[str, Any]:
    """A set for two cores: a block of each scope, a task on a core of its own."""
    return {
        "name": "<pair>",
        "area_unit": "LUT",
        "cores": {"count": "1..2", "area": 400},
        "blocks": [{"name": "mul", "area": 300}, {"name": "aes", "area": 250, "scope": "chip"}],
        "tasks": [
            {"name": "control", "wcet": 5, "period": 10, "core": 0, "choices": [{"name": "mac", "uses": ["mul"], "wcet": 3}]},
            {"name": "radio", "wcet": 9, "period": 10, "choices": [{"name": "crypt", "uses": ["aes"], "wcet": 6}]},
            {"name": "disk", "wcet": 7, "period": 10, "choices": [{"name": "crypt", "uses": ["aes"], "wcet": 4}]},
        ],
    }


def test_points_say_their_utilization_in_every_mode_as_the_command_does(command: Command) -> None:
    record = json.loads(command("explore", MODES, "--json").stdout)
    front = isx.explore(MODES)
    assert front.modes == isx.TaskSet.from_file(MODES).modes == tuple(record["modes"]) and len(front) == len(record["points"])
    designs = [*record["points"], record["base"], *record["min_schedulable_designs"]]
    for point, wanted in zip([*front, front.base, *front.min_schedulable], designs, strict=True):
        assert (point.mode_utilization, point.critical_mode) == (in_modes(wanted), wanted["critical_mode"])
        assert point.utilization == point.mode_utilization[wanted["critical_mode"]]
    areas = {tuple(one["modes"]): Fraction(one["min_schedulable_area"]) for one in record["mode_areas"]}
    assert front.mode_areas == areas and len(areas) == 3
    plain = isx.explore(two_tasks())
    assert (plain.modes, plain[0].mode_utilization, plain[0].critical_mode, plain.mode_areas) == ((), {}, None, {})


def test_verdicts_and_designs_say_the_modes_as_the_command_does(command: Command) -> None:
    for area in (0, 1117):
        verdict, record = isx.check(MODES, area), json.loads(command("check", MODES, "--area", area, "--json").stdout)
        design, shown = isx.show(MODES, area=area), json.loads(command("show", MODES, "--area", area, "--json").stdout)
        for mine, wanted in [(verdict, record), (design, shown)]:
            assert (mine.mode_utilization, mine.critical_mode) == (in_modes(wanted), wanted["critical_mode"])
            assert mine.mode_schedulable == wanted["mode_schedulable"]
    plain = isx.check(two_tasks(), 0)
    assert (plain.mode_utilization, plain.mode_schedulable, plain.critical_mode) == ({}, {}, None)


def test_overruns_are_those_of_the_command(command: Command, tmp_path: Path) -> None:
    high = tmp_path / "high.yaml"
    high.write_text("name: x\ntasks: [{name: a, wcet: 1, wcet_high: 2, period: 4}, {name: b, wcet: 1, wcet_high: 3, period: 4}]\n")
    for most in (0, 1, 2):
        front = isx.explore(high, overruns=most)
        assert front.to_json() == command("explore", high, "--overruns", most, "--json").stdout
        assert front[0].utilization == [Fraction(1, 2), 1, Fraction(5, 4)][most]
        assert isx.check(high, overruns=most).schedulable == (most < 2)
    with pytest.raises(isx.InputError, match="overruns need a `wcet_high`"):
        isx.explore(two_tasks(), overruns=1)
    with pytest.raises(isx.InputError, match="overruns must be from 0"):
        isx.explore(high, overruns=-1)


def test_one_variant_may_be_chosen(command: Command) -> None:
    variants = ROOT / "tasksets" / "vexriscv-variants.yaml"
    name = isx.explore(variants).base.variant
    record = command("explore", variants, "--variant", name, "--json").stdout
    assert isx.explore(variants, variant=name).to_json() == record


def test_partitions_are_those_of_the_command(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "pair.yaml"
    file.write_text(isx.TaskSet.from_dict(pair()).to_yaml())
    found = isx.partition(file)
    ran = command("partition", file, "--json")
    assert ran.returncode == 0 and found.to_json() == ran.stdout
    first, second = found.rows
    assert (first.status, first.area, first.assignment, first.utilizations) == ("infeasible", None, {}, ())
    assert first.reason is not None and "0.3 of a core" in first.reason
    assert (second.status, second.area, second.bound, second.cores_used) == ("proved", 1050, 1050, 2)
    assert second.assignment["control"] == 0 and second.chip_blocks == ("aes",) and second.blocks == ((), ())
    assert second.choices == {"control": None, "radio": "crypt", "disk": "crypt"}
    assert second.utilizations == (Fraction(9, 10), Fraction(3, 5)) and second.margin == Fraction(1, 9)
    assert found and found.best == second and (found.core_area, found.area_unit) == (400, "LUT")
    picture = tmp_path / "pair.svg"
    assert command("partition", file, "-o", picture, "-q").returncode == 0
    assert found.to_svg() == picture.read_bytes()
    page = tmp_path / "pair.html"
    found.to_html(page)
    assert page.read_bytes() == found.to_html() and b"isx.partition/1" in page.read_bytes()
    shown = found._repr_html_()
    assert "&lt;pair&gt;" in shown and "<pair>" not in shown and "infeasible" in shown


def test_partitions_without_a_design_are_false_or_not_known() -> None:
    none = isx.partition(pair(), cores=1)
    assert not none and none.best is None and none.to_svg() is None
    open_one = isx.partition(pair(), cores=2, max_time=0)
    assert open_one.rows[0].status == "unknown" and open_one.rows[0].bound is not None
    if open_one.best is None:
        with pytest.raises(TypeError, match="not known"):
            bool(open_one)
    assert [row.cores for row in isx.partition(two_tasks()).rows] == [1, 2, 3, 4]
    assert isx.partition(pair(), scale_wcet="1.05").what_if == ("every WCET is 1.05 times as long",)


@pytest.mark.parametrize(
    ("cores", "words"),
    [(0, "from 1 to 64"), (65, "from 1 to 64"), ((4, 1), "begins with 4, which is above 1"), ((1, 2, 3), "the least and the most")],
)
def test_wrong_numbers_of_cores_are_refused(cores: Any, words: str) -> None:
    with pytest.raises(isx.InputError, match=words):
        isx.partition(pair(), cores)


def test_sets_that_cannot_be_divided_are_refused() -> None:
    with pytest.raises(isx.InputError, match="several modes"):
        isx.partition(MODES)
    with pytest.raises(TypeError, match=r"partition\(\) got an unexpected keyword argument 'engine'"):
        isx.partition(pair(), engine="auto")  # type: ignore[call-arg]


def test_signatures_spell_out_the_keywords_they_take() -> None:
    names = list(inspect.signature(isx.partition).parameters)
    assert names == ["source", "cores", "max_time", "force", "forbid", "scale_wcet", "margin", "overruns", "variant", "objectives", "within", "price", "device", "progress"]
    assert {"overruns", "within", "engine", "progress", "max_area"} <= set(inspect.signature(isx.explore).parameters)
    assert inspect.signature(isx.solve_knapsack).parameters["engine"].default == "auto"
    with pytest.raises(TypeError, match=r"explore\(\) got an unexpected keyword argument 'treads'"):
        isx.explore(two_tasks(), treads=2)  # type: ignore[call-arg]
