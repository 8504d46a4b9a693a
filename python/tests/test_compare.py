"""Fronts compared."""

import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import isx
from conftest import two_tasks


def test_a_comparison_is_the_one_of_the_command(
    command: Callable[..., subprocess.CompletedProcess[bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    first, second = isx.explore(two_tasks()), isx.explore(two_tasks(), forbid="control=mac")
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    first.to_json(one)
    second.to_json(other)
    ran = command("compare", one, other, "--json", "-o", tmp_path / "pair.svg")
    assert ran.returncode == 0, ran.stderr
    names = (str(one), str(other))
    record = json.loads(ran.stdout)
    first.to_parquet(tmp_path / "one.parquet")
    for same in (isx.compare(first, second, names=names), isx.compare(tmp_path / "one.parquet", str(other), names=names)):
        assert same.to_dict() == record and same == isx.compare(one, other, names=names)
    assert same.to_json() == ran.stdout
    assert same.to_svg() == (tmp_path / "pair.svg").read_bytes()
    same.to_svg(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == same.to_svg()
    assert f"{same}\n".encode() == command("compare", one, other).stdout
    assert f"{same.conclusion}\n".encode() == command("compare", one, other, "-q").stdout


def test_what_a_comparison_says() -> None:
    comparison = isx.compare(isx.explore(two_tasks()), isx.explore(two_tasks(), forbid="control=mac"))
    first, second = comparison.fronts
    assert first.name == second.task_set == "two tasks" and (first.label, second.label) == ("two tasks (1)", "two tasks (2)")
    assert (first.points, first.smallest_area) == (3, 120)
    assert second.what_if == ("control=mac is forbidden",)
    assert second.smallest_area == 300 and second.least_utilization == Fraction(9, 10)
    assert comparison.spans == (
        isx.Span(Fraction(0), Fraction(120), (0, 1), (), Fraction(0), Fraction(0)),
        isx.Span(Fraction(120), Fraction(300), (0,), (), Fraction(1, 5), Fraction(120)),
        isx.Span(Fraction(300), Fraction(420), (0, 1), (), Fraction(0), Fraction(300)),
        isx.Span(Fraction(420), None, (0,), (), Fraction(1, 5), Fraction(420)),
    )
    assert comparison.known_to is None and comparison.area_unit == ""
    named = isx.compare(isx.explore(two_tasks()), isx.explore(two_tasks(), forbid="control=mac"), names=("a", "b"))
    wanted = "a is nowhere worse than b. a is schedulable with 180 less area. Least utilization: a 0.700000, b 0.900000."
    assert named.conclusion == wanted
    three = isx.compare(*(isx.explore(two_tasks(), margin=margin) for margin in ("0%", "10%", "20%")), names=["x", "y", "z"])
    assert [front.label for front in three.fronts] == ["x", "y", "z"] and three.spans[0].least == (0,)
    cut = isx.compare(isx.explore(two_tasks(), max_area=200), isx.explore(two_tasks()))
    assert cut.known_to == 120 and not cut.fronts[0].complete


def test_what_is_no_front_is_refused_with_a_way_out(tmp_path: Path) -> None:
    front = isx.explore(two_tasks())
    (tmp_path / "set.yaml").write_text(isx.generate().to_yaml())
    (tmp_path / "other.json").write_text("{}")
    dear = two_tasks() | {"area_unit": "LUT"}
    refused = {
        "a front is an isx.Front or the path of a front.json, not dict: explore it first": two_tasks(),
        "set.yaml: not a JSON document: expected value at line 1 column 1; give the front.json that `isx explore` wrote": (
            tmp_path / "set.yaml"
        ),
        "the areas of `two tasks` have no unit, those of `two tasks` are in `LUT`: they cannot be compared; give both task sets the same "
        "`area_unit`": isx.explore(dear),
    }
    for message, second in refused.items():
        with pytest.raises(isx.InputError) as error:
            isx.compare(front, second)  # type: ignore[arg-type]
        assert str(error.value) == message
    with pytest.raises(FileNotFoundError):
        isx.compare(front, tmp_path / "none.json")
    for names in ("ab", ("a",), 7):
        with pytest.raises(isx.InputError, match="names must be as many texts as there are fronts, 2, not"):
            isx.compare(front, front, names=names)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="isx.compare"):
        isx.Comparison()
