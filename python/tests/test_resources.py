"""Task sets that count several resources: what the command answers, and what a search over all designs finds."""

import itertools
import json
import pickle
import random
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import isx
from conftest import COUNTED_SETS, hub, two_tasks

Command = Callable[..., subprocess.CompletedProcess[bytes]]

pytestmark = pytest.mark.filterwarnings("ignore::isx.TaskSetWarning")


@pytest.fixture
def hub_file(tmp_path: Path) -> Path:
    place = tmp_path / "hub.yaml"
    place.write_text(isx.TaskSet.from_dict(hub()).to_yaml())
    return place


def exact(record: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(amount) for name, amount in record.items()}


def test_there_are_sets_with_resources_to_compare() -> None:
    assert len(COUNTED_SETS) >= 2 and all(isx.TaskSet.from_file(path).resources for path in COUNTED_SETS)


@pytest.mark.parametrize("path", COUNTED_SETS, ids=lambda path: path.stem)
def test_files_of_a_front_are_those_of_the_command(path: Path, command: Command, tmp_path: Path) -> None:
    ran = command("explore", path, "--format", "csv,json,svg,parquet", "--out", tmp_path / "out", "--threads", 2)
    assert ran.returncode == 0, ran.stderr
    front = isx.explore(path, threads=2)
    written = {"csv": front.to_csv(), "json": front.to_json(), "svg": front.to_svg()}
    written["parquet"] = front.to_parquet()
    assert front.to_html().startswith(b"<!DOCTYPE html>")
    for form, mine in written.items():
        assert mine == (tmp_path / "out" / f"front.{form}").read_bytes(), form
    record = json.loads(written["json"])
    assert front.resources == tuple(record["resources"]) and front.objectives == tuple(record["objectives"])
    assert (front.device, front.limits) == (record.get("device"), exact(record.get("limits", {})))
    assert len(front) == len(record["points"])
    for at in {0, len(front) // 2, len(front) - 1}:
        point, wanted = front[at], record["points"][at]
        assert point.cost == exact(wanted["cost"]) and list(point.cost) == list(front.resources)
        assert (point.choices, point.schedulable) == (wanted["choices"], wanted["schedulable"])
        for name in front.resources:
            assert float(front.cost[name][at]) == float(point.cost[name])
    assert [one.cost for one in front.min_schedulable] == list(map(exact, record["min_schedulable"]))
    assert [one.choices for one in front.min_schedulable] == [one["choices"] for one in record["min_schedulable_designs"]]
    assert front.smallest_schedulable == (front.min_schedulable or (None,))[0] and front.margins == ()


@pytest.mark.parametrize("path", COUNTED_SETS, ids=lambda path: path.stem)
def test_verdicts_and_designs_are_those_of_the_command(path: Path, command: Command) -> None:
    names = isx.TaskSet.from_file(path).resources
    most = {names[0]: isx.explore(path)[0].cost[names[0]] + 100}
    within = f"{names[0]}={most[names[0]]}"
    codes = {True: 0, False: 1, None: 3}
    for flags, given in (((), {}), (("--within", within), {"within": most}), (("--within", within), {"within": within})):
        ran, verdict = command("check", path, "--json", *flags), isx.check(path, **given)
        assert verdict.to_json() == ran.stdout and codes[verdict.schedulable] == ran.returncode
        assert (verdict.min_schedulable is None) == bool(given)
    ran = command("show", path, "--within", within, "--json")
    least = isx.show(path, within=most)
    assert least.to_json() == ran.stdout and (least.point, least.points, least.next) == (None, None, None)
    ran = command("show", path, "--point", 1, "--json")
    assert isx.show(path, point=1).to_json() == ran.stdout == isx.explore(path).show(point=1).to_json()
    ran = command("fit", path, "--json")
    fit = isx.fit(path)
    assert fit.to_json() == ran.stdout and len(fit.rows) > (0 if "opcodes" in names else 1) and bool(fit) == (ran.returncode == 0)
    minimal = isx.check(path, device=fit.rows[0].device).min_schedulable
    assert minimal is None and fit.min_schedulable == isx.fit(path, fit.rows[-1].device).min_schedulable


CHANGES: list[tuple[tuple[str, ...], dict[str, Any]]] = [
    (("--objectives", "LUT"), {"objectives": "LUT"}),
    (("--objectives", "BRAM,LUT"), {"objectives": ["BRAM", "LUT"]}),
    (("--within", "LUT=1900,BRAM=4.5"), {"within": {"LUT": 1900, "BRAM": 4.5}}),
    (("--device", "iCE40HX4K"), {"device": "ice40hx4k"}),
    (("--device", "UP5K", "--within", "LUT=1700", "--objectives", "LUT"), {"device": "UP5K", "within": "LUT=1700", "objectives": "LUT"}),
    (("--price", "LUT=1,DSP=80,BRAM=0.5"), {"price": {"LUT": 1, "DSP": 80, "BRAM": Fraction(1, 2)}}),
    (("--force", "fir=mac", "--margin", "20%"), {"force": "fir=mac", "margin": "20%"}),
]


@pytest.mark.parametrize(("flags", "given"), CHANGES, ids=lambda one: " ".join(one) if isinstance(one, tuple) else "")
def test_what_if_is_that_of_the_command(
    flags: tuple[str, ...], given: dict[str, Any], command: Command, hub_file: Path
) -> None:
    front = isx.explore(hub_file, **given)
    assert front.to_json() == command("explore", hub_file, "--json", *flags).stdout and front.what_if
    assert isx.check(hub_file, **given).to_json() == command("check", hub_file, "--json", *flags).stdout
    assert isx.show(hub_file, smallest=True, **given).to_json() == command("show", hub_file, "--smallest", "--json", *flags).stdout
    (several,) = isx.explore_many([hub_file], **given)
    assert isinstance(several, isx.Front) and several.to_json() == front.to_json()


def test_devices_and_changes_of_a_fit_are_those_of_the_command(command: Command, hub_file: Path) -> None:
    flags = ("--device", "UP5K", "--device", "iCE40HX4K", "--device", "iCE40LP1K", "--forbid", "aes=rom", "--scale-wcet", "11/10")
    fit = isx.fit(hub_file, ["UP5K", "iCE40HX4K", "iCE40LP1K"], forbid="aes=rom", scale_wcet="11/10")
    assert fit.to_json() == command("fit", hub_file, "--json", *flags).stdout
    first, _, last = fit.rows
    assert (first.device, first.cost) == ("iCE40UP5K", {"LUT": 2108, "DSP": 4, "BRAM": 4})
    assert (first.choices, first.blocks) == ({"fir": "mac", "aes": "sbox"}, ("multiplier",))
    assert (last.schedulable, last.utilization, last.cost, last.binding) == (False, None, None, ("LUT",))
    assert fit and not isx.fit(hub_file, "iCE40LP1K") and len(fit.what_if) == 2
    page = fit._repr_html_()
    assert "<td>LUT 2108, DSP 4, BRAM 4</td>" in page and "<td>no</td>" in page and "<td>the base does not fit: LUT</td>" in page


def test_a_design_of_more_utilization_may_be_the_schedulable_one_of_a_device() -> None:
    slow = {"name": "slow", "wcet": 13, "period": 24, "choices": [{"name": "mac", "cost": {"LUT": 300}, "wcet": 12}]}
    fir = {"name": "fir", "cost": {"LUT": 300}, "wcet": 3}
    tight = {"name": "tight", "wcet": 5, "period": 1000, "deadline": 4, "choices": [fir]}
    row = isx.fit({"name": "late", "resources": ["LUT"], "tasks": [slow, tight]}, "iCE40LP384").rows[0]
    other = row.schedulable_design
    assert row.schedulable and other is not None and row.utilization is not None
    assert row.choices == {"slow": "mac", "tight": None} and row.binding == ("LUT",)
    assert other.choices == {"slow": None, "tight": "fir"} and other.utilization > row.utilization


def test_a_certificate_is_one_that_the_command_takes(command: Command, hub_file: Path, tmp_path: Path) -> None:
    front = isx.explore(hub_file, certificate=tmp_path / "hub.cert", within={"LUT": 1800})
    assert front.status == "proved"
    assert command("verify", hub_file, tmp_path / "hub.cert", "--within", "LUT=1800").returncode == 0


def test_a_set_says_what_it_counts() -> None:
    made = isx.TaskSet.from_dict({**hub(), "fill": {"LUT": 0.9}, "objectives": ["DSP", "LUT"]})
    assert repr(made) == "<isx.TaskSet 'sensor hub': 2 tasks, counted in LUT, DSP, BRAM>"
    assert (made.resources, made.objectives) == (("LUT", "DSP", "BRAM"), ("DSP", "LUT"))
    assert made.base == {"LUT": 1614, "DSP": 0, "BRAM": 4} and made.device == "iCE40UP5K"
    assert made.fill == {"LUT": Fraction(9, 10), "DSP": 1, "BRAM": 1}
    assert made.limits == {"LUT": 4752, "DSP": 8, "BRAM": 30}
    assert made.blocks[0].cost == {"LUT": -30, "DSP": 4, "BRAM": 0}
    table = made.tasks[0].choices[1]
    assert table.cost == {"LUT": 20, "DSP": 0, "BRAM": Fraction(5, 2)} and len({*made.tasks, *made.blocks}) == 3
    again = isx.TaskSet.from_yaml(made.to_yaml())
    assert again == made == pickle.loads(pickle.dumps(made)) and again.to_yaml() == made.to_yaml()
    own = isx.TaskSet.from_dict({**hub(), "device": {"name": "mine", "LUT": 3000, "DSP": 8, "BRAM": 8}})
    assert (own.device, own.limits) == ("mine", {"LUT": 3000, "DSP": 8, "BRAM": 8})
    page = made._repr_html_()
    assert "<td>LUT 1614, DSP 0, BRAM 4</td>" in page and "<td>LUT 4752, DSP 8, BRAM 30</td>" in page and "<td>iCE40UP5K</td>" in page


def test_a_set_with_an_area_has_one_resource_and_its_cost_is_the_area() -> None:
    made = isx.TaskSet.from_dict(two_tasks())
    assert (made.resources, made.objectives, made.limits, made.device) == (("area",), ("area",), {}, None)
    assert (made.base, made.fill) == ({"area": 0}, {"area": 1})
    counted = isx.explore(two_tasks() | {"area_unit": "LUT"})
    assert counted.resources == ("LUT",) and counted[1].cost == {"LUT": 120} and counted[1].area == counted.area[1] == 120
    choice = made.tasks[0].choices[0]
    assert choice.cost == {"area": 120} and choice.area == 120
    front = isx.explore(made)
    assert front.resources == ("area",) and front[1].cost == {"area": 120} and front.cost["area"] is front.area
    assert front.min_schedulable == (front.smallest_schedulable,)
    verdict = isx.check(made)
    assert verdict.min_schedulable == ({"area": 120},) and verdict.smallest_area == verdict.area == 120


def test_an_area_in_a_unit_that_names_a_resource_can_be_limited() -> None:
    given = two_tasks() | {"area_unit": "LUT"}
    front = isx.explore(given, within={"LUT": 200})
    assert front.resources == ("LUT",) and [point.cost["LUT"] for point in front] == [0, 120]
    assert isx.fit(given, "iCE40LP384").rows[0].cost == {"LUT": 120}


def test_there_is_no_area_where_resources_are_counted() -> None:
    front, verdict = isx.explore(hub()), isx.check(hub())
    without: list[tuple[Callable[[], object], str]] = [
        (lambda: front.area, "use cost, which has LUT, DSP, BRAM"),
        (lambda: front[0].area, "use cost, which has LUT, DSP, BRAM"),
        (lambda: front.show(point=0).area, "use cost"),
        (lambda: front.show(point=0).tasks[0].area, "use cost"),
        (lambda: verdict.area, "use cost"),
        (lambda: verdict.smallest_area, "use min_schedulable"),
        (lambda: isx.TaskSet.from_dict(hub()).blocks[0].area, "use cost"),
        (lambda: front.within(9), "within={'LUT': 5000}"),
        (lambda: front.show(area=9), "`sensor hub` counts LUT, DSP, BRAM, not one area"),
        (lambda: isx.explore(hub(), max_area=9), "`sensor hub` counts LUT, DSP, BRAM, not one area"),
        (lambda: isx.check(hub(), 9), "`sensor hub` counts LUT, DSP, BRAM, not one area"),
        (lambda: isx.show(hub(), area=9), "`sensor hub` counts LUT, DSP, BRAM, not one area"),
    ]
    for asked, words in without:
        with pytest.raises(isx.InputError) as refused:
            asked()
        assert words in str(refused.value)
    assert front._repr_html_().count("LUT 1634, DSP 0, BRAM 6.5") == 1


def test_fronts_of_several_resources_are_compared() -> None:
    front = isx.explore(hub())
    comparison = isx.compare(front, isx.explore(hub(), forbid="aes=rom"), names=("all", "less"))
    assert comparison.objectives == ("LUT", "DSP", "BRAM")
    assert comparison.fronts[0].min_schedulable == tuple(one.cost for one in front.min_schedulable)
    assert (comparison.spans[1].least, comparison.spans[1].start, comparison.spans[1].most) == ((0,), 1704, Fraction(1, 3))
    assert comparison.conclusion.startswith("all is nowhere worse than less.") and "dominated by" in str(comparison)


def test_notebooks_show_costs_and_limits() -> None:
    verdict = isx.check(hub(), within={"LUT": 1700})._repr_html_()
    assert "<th>Schedulable</th><td>yes</td>" in verdict and "<th>Limits</th><td>LUT 1700, DSP 8, BRAM 30</td>" in verdict
    assert "<th>Cost</th><td>LUT 1644, DSP 4, BRAM 4</td>" in verdict and "Min schedulable" not in verdict
    anywhere = isx.check({**hub(), "device": {"LUT": 1700, "DSP": 8, "BRAM": 30}})._repr_html_()
    assert "<td>LUT 1634, DSP 0, BRAM 6.5; LUT 1644, DSP 4, BRAM 4</td>" in anywhere
    assert "<th>Schedulable</th><td>no</td>" in isx.check(hub(), scale_wcet=9)._repr_html_()
    least = isx.show(hub(), within={"LUT": 1800})._repr_html_()
    assert "<th>Schedulable</th><td>yes</td>" in least
    assert "<th>Cost</th><td>LUT 1734, DSP 4, BRAM 6</td>" in least and "<th>Area</th>" not in least
    front = isx.explore(hub(), objectives=["LUT", "DSP"])._repr_html_()
    assert "<th>Objectives</th><td>LUT, DSP</td>" in front and "<th>Smallest schedulable</th>" in front


def test_mistakes_name_the_argument_and_the_way_out() -> None:
    known = "within: there is no resource `LUTS`; did you mean `LUT`?"
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"within": {"LUTS": 1}}, known),
        ({"within": "LUTS=1"}, known),
        ({"within": "LUT"}, "within: `LUT` does not say how much of which resource"),
        ({"within": {"LUT": "much"}}, "within: the amount of LUT: `much` is not a decimal number"),
        ({"within": {"LUT": -1}}, "within of LUT must be 0 or greater, not -1"),
        ({"within": {"LUT": Fraction(1, 3)}}, "within: the amount of LUT: `1/3` is not a decimal number"),
        ({"within": {"LUT=1,DSP": 2}}, "within: there is no resource 'LUT=1,DSP'"),
        ({"within": {}}, "within must be amounts of resources, such as {'LUT': 5000, 'DSP': 8}, not {}"),
        ({"within": 5000}, "within must be amounts of resources, such as {'LUT': 5000, 'DSP': 8}, not 5000"),
        ({"objectives": "LUT,LUT"}, "objectives: resource `LUT` is named twice"),
        ({"objectives": ["FF"]}, "objectives: there is no resource `FF`"),
        ({"objectives": 3}, "objectives must be a text, or several, not int"),
        ({"device": 0}, "device names an FPGA, such as 'iCE40UP5K', not 0; a GPU is chosen with gpu=0"),
        ({"device": "UP5"}, "device: there is no known device `UP5`"),
        ({"device": "UP5K", "price": "LUT=1,DSP=80"}, "a price makes one area of all resources"),
        ({"price": {"LUT": 1}}, "at these prices block `multiplier` has an area of -30"),
        ({"gpu": "first"}, "gpu must be an integer, not str"),
    ]
    for given, words in wrong:
        with pytest.raises(isx.InputError) as refused:
            isx.explore(hub(), **given)
        assert words in str(refused.value), given
    with pytest.raises(isx.InputError, match="one area without a unit and no resources by name"):
        isx.explore(two_tasks(), within={"LUT": 1})
    with pytest.raises(isx.Infeasible, match="no design is within the limits of LUT 1, DSP 8, BRAM 30"):
        isx.explore(hub(), within={"LUT": 1})
    with pytest.raises(isx.InputError, match="within would change a task set, and this is a front"):
        isx.show(isx.explore(hub()), within={"LUT": 1800})
    with pytest.raises(isx.InputError, match="give one of area, point, max_utilization and smallest, or of several"):
        isx.show(hub())
    with pytest.raises(TypeError, match="unexpected keyword argument 'device'"):
        isx.solve_knapsack([1], [1], capacity=1, device=0)  # type: ignore[call-arg]
    for devices, words in (("UP5", "devices: there is no known device"), ([], "devices is empty"), (7, "names of FPGAs, not int")):
        with pytest.raises(isx.InputError, match=words):
            isx.fit(hub(), devices)  # type: ignore[arg-type]
    with pytest.raises(isx.InputError, match="each of devices names an FPGA, such as 'iCE40UP5K', not 5"):
        isx.fit(hub(), [5])  # type: ignore[list-item]
    with pytest.raises(isx.InputError, match="no known device has what `two tasks` counts: an area without a unit"):
        isx.fit(two_tasks())
    with pytest.raises(isx.TaskSetError) as mistake:
        isx.TaskSet.from_dict({**hub(), "base": {"LUTS": 3}})
    assert "LUTS" in str(mistake.value) and mistake.value.line is not None


def test_designs_name_their_variant_of_the_processor() -> None:
    def faster(one: dict[str, Any]) -> dict[str, Any]:
        return {**one, "wcet": {"small": one["wcet"], "big": one["wcet"] * 9 // 10}}

    tasks = [{**faster(task), "choices": [faster(choice) for choice in task["choices"]]} for task in hub()["tasks"]]
    variants = [{"name": "small", "cost": {"LUT": 1614}}, {"name": "big", "cost": {"LUT": 2000}}]
    given = {**hub(), "variants": variants, "tasks": tasks}
    del given["base"]
    made = isx.TaskSet.from_dict(given)
    front = isx.explore(made, prove=True)
    assert (front.status, front[0].variant, front.base.variant) == ("proved", "small", "small")
    named = [point["variant"] for point in json.loads(front.to_json())["points"]]
    assert [point.variant for point in front] == named and set(named) == {"small", "big"}
    least = min(front, key=lambda point: point.utilization)
    assert isx.show(front, point=least.index).variant == least.variant == "big"
    assert isx.check(made, within="LUT=1700").variant == "small"
    assert isx.fit(made, devices=["iCE40UP5K"]).rows[0].variant == "big"
    assert isx.explore(isx.TaskSet.from_dict(hub()))[0].variant is None


def test_known_fpgas_are_those_that_functions_take() -> None:
    devices = isx.fpga_devices()
    assert len(devices) == len({device.name for device in devices}) > 20
    up5k = next(device for device in devices if "UP5K" in device.also)
    assert (up5k.name, up5k.resources["LC"], up5k.resources["LUT"], up5k.resources["SPRAM"]) == ("iCE40UP5K", 5280, 5280, 4)
    assert "Lattice" in up5k.source
    assert {row.device for row in isx.fit(hub(), all_families=True).rows} == {device.name for device in devices}
    row = isx.fit({**hub(), "fill": 0.5}, up5k.also[0]).rows[0]
    assert row.limits == {"LUT": 2640, "DSP": 4, "BRAM": 15}


@pytest.mark.parametrize("given", ["LUT:1..1500,DSP:0..4,BRAM:0.0..3.5", {"LUT": (1, 1500), "DSP": (0, 4), "BRAM": "0.0..3.5"}], ids=str)
def test_generated_resources_are_those_of_the_command(given: Any, command: Command) -> None:
    flags = "--tasks 6 --choices 3 --blocks 2 --seed 4 --resources LUT:1..1500,DSP:0..4,BRAM:0.0..3.5"
    made = isx.generate(tasks=6, choices=3, blocks=2, seed=4, resources=given)
    assert made.to_yaml().encode() == command("generate", "taskset", *flags.split()).stdout
    assert made.resources == ("LUT", "DSP", "BRAM")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"area": (1, 2)}, "area cannot be combined with `resources`, which replaces it"),
        ({"area_unit": "LUT"}, "area_unit cannot be combined with `resources`, which replaces it"),
    ]
    for beside, words in wrong:
        with pytest.raises(isx.InputError, match=words):
            isx.generate(resources=given, **beside)


def test_wrong_resources_of_a_generated_set_are_refused() -> None:
    wrong: list[tuple[Any, str]] = [
        ("LUT", "write NAME:LOW..HIGH for each"),
        ({"LUT": (1, 2, 3)}, "resources of LUT must be a number or a pair"),
        ({"LUT:1..2,DSP": 1}, "resources: there is no resource 'LUT:1..2,DSP'"),
        ({}, "resources must be ranges by name, such as {'LUT': (1, 1500), 'DSP': (0, 4)}, not {}"),
        (7, "resources must be ranges by name"),
    ]
    for given, words in wrong:
        with pytest.raises(isx.InputError) as refused:
            isx.generate(resources=given)
        assert words in str(refused.value)


def test_tables_have_a_column_per_resource() -> None:
    polars: Any = pytest.importorskip("polars")
    pa: Any = pytest.importorskip("pyarrow")
    front = isx.explore(hub())
    table = polars.DataFrame(front)
    assert table.columns[:4] == ["LUT", "DSP", "BRAM", "utilization_num"] and "area" not in table.columns
    for name in front.resources:
        wanted = [point.cost[name] for point in front]
        assert [Fraction(one) for one in table[name]] == wanted
        assert [Fraction(one) for one in pa.table(front)[name].to_pylist()] == wanted
    assert front.cost["LUT"].dtype == np.int64 and front.cost["BRAM"].dtype == np.float64


def test_tables_with_a_column_per_resource_are_imported(tmp_path: Path) -> None:
    (tmp_path / "tasks.csv").write_text("name,period_ms,wcet_us\nvalve,1,800\npump,2,1500\n")
    (tmp_path / "choices.csv").write_text("task,choice,wcet_us,cost.LUT,cost.DSP\nvalve,mac,400,60,4\npump,fir,900,90,0\n")
    made = isx.TaskSet.from_csv(tmp_path / "tasks.csv", choices=tmp_path / "choices.csv")
    assert made.resources == ("LUT", "DSP") and made.tasks[0].choices[0].cost == {"LUT": 60, "DSP": 4}
    assert [tuple(map(int, point.cost.values())) for point in isx.explore(made)] == [(0, 0), (60, 4), (90, 0), (150, 4)]


def designs(made: isx.TaskSet) -> list[tuple[tuple[Fraction, ...], Fraction]]:
    """Cost and utilization of every design within the limits, one by one."""
    blocks = {block.name: block for block in made.blocks}
    found = []
    for chosen in itertools.product(*([None, *task.choices] for task in made.tasks)):
        built = {name for choice in chosen if choice for name in choice.uses}
        parts = [made.base, *(choice.cost for choice in chosen if choice), *(blocks[name].cost for name in built)]
        cost = tuple(sum((part[name] for part in parts), Fraction(0)) for name in made.resources)
        if any(amount > made.limits.get(name, amount) for name, amount in zip(made.resources, cost, strict=True)):
            continue
        times = [(choice or task).wcet / task.period for task, choice in zip(made.tasks, chosen, strict=True)]
        found.append((cost, sum(times, Fraction(0))))
    return found


def undominated(points: set[tuple[Fraction, ...]]) -> set[tuple[Fraction, ...]]:
    """Those of which no other is at most as great in everything."""
    return {one for one in points if not any(other != one and all(map(Fraction.__le__, other, one)) for other in points)}


@pytest.mark.parametrize("seed", range(40))
def test_fronts_are_what_a_search_over_all_designs_finds(seed: int) -> None:
    chance = random.Random(seed)
    names = ["LUT", "DSP", "BRAM"][: chance.randint(1, 3)]

    def cost() -> dict[str, object]:
        amounts = {name: chance.choice([0, 1, 2, 3, 5, "0.5"]) for name in names}
        # Some hardware frees what it replaces.
        return amounts | ({names[0]: -1} if len(names) > 1 and chance.random() < 0.2 else {})

    tasks = []
    for number in range(chance.randint(1, 4)):
        wcet = chance.randint(4, 12)
        choices = [
            {"name": f"c{at}", "cost": cost(), "uses": ["mul"] if chance.random() < 0.4 else [], "wcet": chance.randint(1, wcet)}
            for at in range(chance.randint(0, 3))
        ]
        tasks.append({"name": f"t{number}", "wcet": wcet, "period": chance.choice([10, 20, 40]), "choices": choices})
    given: dict[str, Any] = {"name": "random", "resources": names, "tasks": tasks, "base": {names[0]: 10}}
    given["blocks"] = [{"name": "mul", "cost": {names[-1]: 2}}]
    if chance.random() < 0.5:
        given["device"] = {name: chance.randint(14, 20) for name in names}
    made = isx.TaskSet.from_dict(given)
    objectives = chance.sample(names, chance.randint(1, len(names)))
    at = [names.index(name) for name in objectives]
    every = designs(made)
    wanted = undominated({(*(cost[one] for one in at), utilization) for cost, utilization in every})
    front = isx.explore(made, objectives=objectives)
    found = [(*(point.cost[name] for name in objectives), point.utilization) for point in front]
    assert found == sorted(wanted)
    assert [point.schedulable for point in front] == [point.utilization <= 1 for point in front]
    minimal = undominated({cost for cost, utilization in every if utilization <= 1})
    verdict = isx.check(made)
    assert verdict.min_schedulable is not None
    assert {tuple(cost.values()) for cost in verdict.min_schedulable} == minimal and verdict.schedulable == bool(minimal)
    assert verdict.least_utilization == min(utilization for _, utilization in every)
    most = {names[0]: chance.randint(10, 16)}
    left = [(cost, utilization) for cost, utilization in every if cost[0] <= most[names[0]]]
    if not left:
        with pytest.raises(isx.Infeasible):
            isx.check(made, within=most)
        return
    assert isx.check(made, within=most).schedulable == any(utilization <= 1 for _, utilization in left)
    least = isx.show(made, within=most)
    assert least.utilization == min(utilization for _, utilization in left)
    assert (tuple(least.cost.values()), least.utilization) in left
