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
    told = json.loads(ran.stdout)
    for comparison in (isx.compare(first, second, names=names), isx.compare(one, str(other), names=names)):
        assert comparison.to_dict() | {"first": 0, "second": 0} == told | {"first": 0, "second": 0}
        assert comparison == isx.compare(one, other, names=names)
    # The command calls a file by its name.
    same = isx.compare(first, second, names=(told["first"]["name"], told["second"]["name"]))
    assert same.to_json() == ran.stdout
    assert same.to_svg() == (tmp_path / "pair.svg").read_bytes()
    same.to_svg(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_bytes() == same.to_svg()
    assert f"{same}\n".encode() == command("compare", one, other).stdout
    assert f"{same.conclusion}\n".encode() == command("compare", one, other, "-q").stdout


def test_what_a_comparison_says() -> None:
    comparison = isx.compare(isx.explore(two_tasks()), isx.explore(two_tasks(), forbid="control=mac"))
    assert comparison.first.name == comparison.second.task_set == "two tasks"
    assert (comparison.first.points, comparison.first.smallest_area) == (3, 120)
    assert comparison.second.what_if == ("control=mac is forbidden",)
    assert comparison.second.smallest_area == 300 and comparison.second.least_utilization == Fraction(9, 10)
    assert comparison.spans == (
        isx.Span(Fraction(0), Fraction(120), "equal", Fraction(0), Fraction(0)),
        isx.Span(Fraction(120), Fraction(300), "first", Fraction(1, 5), Fraction(120)),
        isx.Span(Fraction(300), Fraction(420), "equal", Fraction(0), Fraction(300)),
        isx.Span(Fraction(420), None, "first", Fraction(1, 5), Fraction(420)),
    )
    assert comparison.known_to is None and comparison.area_unit == ""
    wanted = "A is nowhere worse than B. A is schedulable with 180 less area. Least utilization: A 0.700000, B 0.900000."
    assert comparison.conclusion == wanted
    cut = isx.compare(isx.explore(two_tasks(), max_area=200), isx.explore(two_tasks()))
    assert cut.known_to == 120 and not cut.first.complete


def test_what_is_no_front_is_refused_with_a_way_out(tmp_path: Path) -> None:
    front = isx.explore(two_tasks())
    (tmp_path / "set.yaml").write_text(isx.generate().to_yaml())
    (tmp_path / "other.json").write_text("{}")
    dear = two_tasks() | {"area_unit": "LUT"}
    refused = {
        "second must be an isx.Front or the path of a front.json, not dict: explore it first": two_tasks(),
        "set.yaml: not a JSON document: expected value at line 1 column 1; give the front.json that `isx explore` wrote": (
            tmp_path / "set.yaml"
        ),
        "the areas of A have no unit, those of B are in `LUT`: they cannot be compared; give both task sets the same "
        "`area_unit`": isx.explore(dear),
    }
    for message, second in refused.items():
        with pytest.raises(isx.InputError) as error:
            isx.compare(front, second)  # type: ignore[arg-type]
        assert str(error.value) == message
    with pytest.raises(FileNotFoundError):
        isx.compare(front, tmp_path / "none.json")
    for names in ("ab", ("a",), 7):
        with pytest.raises(isx.InputError, match="names must be a pair of texts"):
            isx.compare(front, front, names=names)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="isx.compare"):
        isx.Comparison()
