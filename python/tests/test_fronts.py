"""Fronts and task sets as Python objects."""

import inspect
import pickle
import re
import subprocess
import sys
import typing
import warnings
from decimal import Decimal
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import isx
from conftest import ROOT, TASK_SETS, hub, two_tasks

pytestmark = pytest.mark.filterwarnings("ignore::isx.TaskSetWarning")


def test_a_front_is_a_sequence_of_exact_points() -> None:
    front = isx.explore(two_tasks())
    assert [point.area for point in front] == [0, 120, 420]
    assert [point.utilization for point in front[1:]] == [Fraction(9, 10), Fraction(7, 10)]
    assert front[-1] == front[2] and front[np.int64(0)] == front[0] and len(front[::2]) == 2
    assert next(iter(reversed(front))).index == 2 and front[1] in front
    assert front[1].choices == {"control": "mac", "filter": None}
    assert front.smallest_schedulable is not None and front.smallest_schedulable.index is None
    assert (front.base.utilization, front.base.schedulable) == (Fraction(11, 10), False)
    assert front.within(119.5) == front[0] and front.within("420") == front[2]
    assert front.choices("filter").tolist() == [None, None, "fir"]
    assert front.choice_codes.tolist() == [[-1, 0, 0], [-1, -1, 0]]
    assert (front.area.dtype, front.schedulable.tolist()) == (np.int64, [0, 1, 1])
    for at in (3, -4, 10**5000):
        with pytest.raises(IndexError):
            front[at]
        with pytest.raises(isx.NoSuchDesign):
            front.show(point=at)
    for wrong in (1.5, "control", None):
        with pytest.raises(TypeError):
            front[wrong]  # type: ignore[call-overload]
    for array in (front.area, front.utilization, front.choice_codes):
        with pytest.raises(ValueError):
            array[0] = 7
    with pytest.raises(KeyError):
        front.choices("none")
    with pytest.raises(TypeError):
        pickle.dumps(front)


def test_areas_are_doubles_only_where_integers_do_not_hold_them() -> None:
    def area(text: object) -> Any:
        given = two_tasks()
        given["tasks"][0]["choices"][0]["area"] = text
        return isx.explore(given).area

    assert area("0.1").dtype == np.float64 and area("0.1")[1] == 0.1
    # A front's largest area decides for all.
    assert area(10**17).dtype == np.int64
    assert area(10**18).dtype == np.float64


def test_numbers_of_a_dictionary_are_exact() -> None:
    given = two_tasks()
    given["tasks"][0] |= {"wcet": Decimal("0.1"), "period": 0.3, "deadline": Fraction(1, 4)}
    given["tasks"][0]["choices"][0] |= {"wcet": np.float64(0.05), "area": np.int32(7)}
    task = isx.TaskSet.from_dict(given).tasks[0]
    assert (task.wcet, task.period, task.deadline) == (Fraction(1, 10), Fraction(3, 10), Fraction(1, 4))
    assert (task.choices[0].wcet, task.choices[0].area) == (Fraction(1, 20), 7)
    third = two_tasks()
    third["tasks"][0]["period"] = f"{Fraction(100, 3)} s"
    third["tasks"][0] |= {"wcet": "6 s", "choices": []}
    third["tasks"][1] |= {"wcet": "5 s", "period": "10 s", "choices": []}
    assert isx.TaskSet.from_dict(third).tasks[0].period == Fraction(100, 3)


def test_a_dictionary_says_what_its_yaml_says() -> None:
    yaml = pytest.importorskip("yaml")
    for path in TASK_SETS:
        # Every scalar as the text that stands in the file.
        mapping = yaml.load(path.read_text(), Loader=yaml.BaseLoader)
        assert isx.TaskSet.from_dict(mapping) == isx.TaskSet.from_file(path), path


def test_task_sets_tell_what_they_hold() -> None:
    given = isx.TaskSet.from_file(ROOT / "tasksets" / "neorv32-extensions.yaml")
    assert given.blocks and any(block.fmax_hz for block in given.blocks) and given.clock_hz
    users = [choice for task in given.tasks for choice in task.choices if choice.uses]
    assert users and set(users[0].uses) <= {block.name for block in given.blocks}
    again = pickle.loads(pickle.dumps(given))
    assert again == given and hash(again) == hash(given) and again.source == given.source
    assert given != isx.TaskSet.from_dict(two_tasks()) and given != 1


def test_unlikely_figures_are_warned_of_once_and_at_the_callers_place() -> None:
    given = two_tasks()
    given["tasks"][0].update(wcet=11, choices=[{"name": "mac", "area": 120, "wcet": "10.5"}])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        task_set = isx.TaskSet.from_dict(given)
        isx.explore(task_set)
        pickle.loads(pickle.dumps(task_set))
        isx.explore(given)
    entry = [warning for warning in caught if warning.category is isx.TaskSetWarning]
    assert len(entry) == 2 and {warning.filename for warning in entry} == {__file__}


def test_verdicts_have_three_values_and_the_third_is_no_condition() -> None:
    assert isx.check(two_tasks(), 120)
    no = isx.check(two_tasks(), 119)
    assert not no and no.schedulable is False and no.smallest_area == 120
    tight = {"name": "tight", "scheduler": "rm", "tasks": []}
    tight["tasks"] = [{"name": f"t{at}", "wcet": 1, "period": 9 + at, "deadline": 8 + at} for at in range(3)]
    assert isx.check(tight, 0).response_times == tuple(
        isx.ResponseTime(f"t{at}", Fraction(at + 1), Fraction(8 + at), None) for at in range(3)
    )
    unknown = isx.Verdict._by(isx.check(two_tasks(), 0).to_json().replace(b'"not_schedulable"', b'"unknown"'))
    assert unknown.schedulable is None
    with pytest.raises(TypeError):
        bool(unknown)


def test_one_design_is_told_task_by_task() -> None:
    front = isx.explore(two_tasks())
    design = isx.show(front, max_utilization=0.9)
    assert (design.point, design.area, design.margin) == (1, 120, Fraction(10, 9))
    assert design.next is not None and design.next.choices == ("filter=fir",) and design.next.more_area == 300
    control = design.tasks[0]
    assert (control.choice, control.software_wcet, control.wcet, control.share) == ("mac", 6, 4, Fraction(4, 9))


class Page(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


HOSTILE = [
    "</td><script>alert(1)</script>",
    '" onerror="alert(1)',
    "<img src=x onerror=alert(1)>",
    "--></style><svg onload=alert(1)>",
    "&lt;b&gt;",
]


def test_hostile_names_stay_text_in_notebooks() -> None:
    given = two_tasks()
    given |= {"name": HOSTILE[0], "area_unit": HOSTILE[1]}
    given["tasks"][0]["name"] = HOSTILE[2]
    given["tasks"][0]["choices"][0]["name"] = HOSTILE[3]
    given["tasks"][1]["name"] = HOSTILE[4]
    front = isx.explore(given, force=[f"{HOSTILE[4]}=none"])
    page = Page(front._repr_html_())
    assert {tag for tag, _ in page.tags} == {"div", "strong", "table", "tr", "th", "td", "img"}
    for _, attributes in page.tags:
        assert set(attributes) <= {"alt", "style", "src"}
    for name in HOSTILE:
        assert name in page.text
    [picture] = [attributes for tag, attributes in page.tags if tag == "img"]
    assert picture["src"] is not None and picture["src"].startswith("data:image/svg+xml;base64,")


def test_everything_that_notebooks_show_is_escaped_and_sets_no_color() -> None:
    given = two_tasks() | {"name": HOSTILE[0], "area_unit": HOSTILE[1], "scheduler": "rm"}
    given["tasks"][0] |= {"name": HOSTILE[2], "choices": [{"name": HOSTILE[3], "area": 120, "wcet": 4, "uses": [HOSTILE[4]]}]}
    given |= {"blocks": [{"name": HOSTILE[4], "area": 7}]}
    task_set = isx.TaskSet.from_dict(given)
    front = isx.explore(task_set)
    shown: list[Any] = [task_set, front, isx.check(task_set), isx.check(task_set, 0), front.show(point=-1)]
    shown.append(isx.compare(front, front))
    for one in shown:
        html = one._repr_html_()
        page = Page(html)
        assert {tag for tag, _ in page.tags} <= {"div", "strong", "table", "tr", "th", "td", "img"}, one
        assert all(set(attributes) <= {"alt", "style", "src"} for _, attributes in page.tags), one
        assert HOSTILE[0] in page.text and "color" not in html.split("base64,")[0]
    # The set, the verdict with a schedulable design, and the design name the block.
    assert all(HOSTILE[4] in Page(shown[at]._repr_html_()).text for at in (0, 2, 4))


def test_notebooks_show_what_matters() -> None:
    def cells(shown: Any) -> list[str]:
        return [cell for cell in re.split("<[^>]*>", shown._repr_html_()) if cell]

    task_set = isx.TaskSet.from_dict(two_tasks())
    assert cells(task_set) == (
        ["two tasks", "Scheduler", "edf", "Resources", "area", "Objectives", "area", "Fill", "area 1", "Software utilization", "1.1"]
        + ["Name", "Wcet", "Period", "Choices", "control", "6", "10", "mac", "filter", "5", "10", "fir"]
    )
    shown = cells(isx.check(task_set, 119))
    assert shown[0] == "two tasks" and {"Schedulable": "no", "Budget": "119", "Reason": "the least utilization is above 1"}.items() <= (
        dict(zip(shown[1::2], shown[2::2], strict=True)).items()
    )
    shown = cells(isx.show(task_set, area=120))
    table = shown.index("Name")
    facts = dict(zip(shown[1:table:2], shown[2:table:2], strict=True))
    assert {"Point": "1", "Points": "3", "Software utilization": "1.1", "Utilization": "0.9", "Margin": "about 1.111111"}.items() <= facts.items()
    assert facts["Next"] == "300 more area, 0.2 less utilization: filter=fir" and facts["Schedulable"] == "yes"
    assert shown[table:] == (
        ["Name", "Choice", "Cost", "Software wcet", "Wcet", "Software utilization", "Utilization", "Share"]
        + ["control", "mac", "area 120", "6", "4", "0.6", "0.4", "about 0.444444", "filter", "area 0", "5", "5", "0.5", "0.5", "about 0.555556"]
    )
    many = {"name": "many", "tasks": [{"name": f"t{at}", "wcet": 1, "period": 1000} for at in range(70)]}
    assert cells(isx.TaskSet.from_dict(many))[-1] == "… 10 more"
    close = {"name": "close", "tasks": [{"name": "t", "wcet": 10**9 - 1, "period": 10**9}]}
    assert "just below 1" in cells(isx.check(close))


def test_figures_in_notebooks_are_exact_or_say_that_they_are_not() -> None:
    assert "utilization 1.1S" in Page(isx.explore(two_tasks())._repr_html_()).text
    assert "utilization about 0.366667S" in Page(isx.explore(two_tasks(), scale_wcet="1/3")._repr_html_()).text
    with pytest.raises(isx.InputError, match="scale_wcet: .* has more than 40 digits"):
        isx.explore(two_tasks(), scale_wcet=10**400)


def test_a_forked_process_computes_too() -> None:
    program = """
import os, isx
first = isx.explore({path!r}, threads=None).to_json()
child = os.fork()
if child == 0:
    os._exit(0 if isx.explore({path!r}).to_json() == first else 3)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    path = str(ROOT / "tasksets" / "crypto-gateway.yaml")
    subprocess.run([sys.executable, "-c", program.format(path=path)], check=True, timeout=60)


def test_docstrings_say_what_is_true() -> None:
    import doctest

    # What is public says that it is of the package itself, so all its examples are found here.
    known = {"isx": isx, "gateway": ROOT / "tasksets" / "crypto-gateway.yaml", "hub": hub()}
    result = doctest.testmod(isx, extraglobs=known)
    assert result.failed == 0 and result.attempted > 15, result


def test_signatures_name_the_numbers_they_take() -> None:
    for function, name in ((isx.explore, "max_area"), (isx.check, "area"), (isx.generate, "utilization")):
        assert inspect.signature(function).parameters[name].annotation == "Number | None"
        assert typing.get_type_hints(function)[name] == isx.Number | None


def test_everything_public_has_a_docstring() -> None:
    for name in isx.__all__:
        thing = getattr(isx, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), name
        if inspect.isclass(thing) and thing.__module__.startswith("isx"):
            for attribute, member in vars(thing).items():
                if not attribute.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert inspect.getdoc(member), f"{name}.{attribute}"


def test_paths_of_any_kind_are_taken(tmp_path: Path) -> None:
    place = tmp_path / "straße 🚦.yaml"
    place.write_text(isx.generate(tasks=3, seed=2).to_yaml())
    assert isx.explore(str(place)).to_json() == isx.explore(place).to_json()
