"""What Python answers is what the command answers, to the last byte."""

import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

import isx
from conftest import TASK_SETS

Command = Callable[..., subprocess.CompletedProcess[bytes]]

pytestmark = pytest.mark.filterwarnings("ignore::isx.TaskSetWarning")


def named(path: Path) -> str:
    return path.stem


@pytest.mark.parametrize("path", TASK_SETS, ids=named)
def test_files_of_a_front_are_those_of_the_command(path: Path, command: Command, tmp_path: Path) -> None:
    ran = command("explore", path, "--format", "csv,json,svg,parquet", "--out", tmp_path / "out", "--threads", 2)
    assert ran.returncode == 0, ran.stderr
    front = isx.explore(path, threads=2)
    written = {
        "csv": front.to_csv(),
        "json": front.to_json(),
        "svg": front.to_svg(),
        "parquet": front.to_parquet(),
    }
    for form, mine in written.items():
        assert mine == (tmp_path / "out" / f"front.{form}").read_bytes(), form
    front.to_csv(tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == written["csv"]
    record = json.loads(written["json"])
    assert len(front) == len(record["points"]) == len(front.area)
    for at in {0, len(front) // 2, len(front) - 1}:
        point, wanted = front[at], record["points"][at]
        assert point.area == Fraction(wanted["area"])
        assert point.utilization == Fraction(int(wanted["utilization"]["num"]), int(wanted["utilization"]["den"]))
        assert (point.choices, point.schedulable) == (wanted["choices"], wanted["schedulable"])
        assert point.schedulable_within == wanted["schedulable_within"]
        words = {True: 1, False: 0, None: -1}
        assert front.schedulable[at] == words[point.schedulable]
        assert front.schedulable_within[at] == words[point.schedulable_within]
        assert list(point.blocks) == wanted.get("blocks", [])
        assert front.utilization[at] == wanted["utilization"]["approx"]
        assert float(front.area[at]) == float(point.area)
    smallest = record["min_schedulable_area"]
    mine_smallest = front.smallest_schedulable
    assert (mine_smallest and mine_smallest.area) == (smallest and Fraction(smallest))


def test_a_page_says_where_it_comes_from(tmp_path: Path) -> None:
    path = next(path for path in TASK_SETS if path.stem == "tutorial")
    page = isx.explore(path).to_html()
    assert page.startswith(b"<!DOCTYPE html>")
    isx.explore(path, certificate=tmp_path / "t.cert").to_html(tmp_path / "front.html")
    proved = (tmp_path / "front.html").read_text()
    for word in ("tutorial.yaml", sha256(path.read_bytes()).hexdigest(), "for Python"):
        assert word in page.decode() and word in proved
    assert sha256((tmp_path / "t.cert").read_bytes()).hexdigest() in proved and b"t.cert" not in page


@pytest.mark.parametrize("path", TASK_SETS, ids=named)
def test_verdicts_and_designs_are_those_of_the_command(path: Path, command: Command) -> None:
    base = isx.explore(path)
    middle = base[len(base) // 2].area
    if middle.denominator == 1:
        ran = command("check", path, "--area", middle, "--json")
        verdict = isx.check(path, middle)
        assert verdict.to_json() == ran.stdout
        assert {True: 0, False: 1, None: 3}[verdict.schedulable] == ran.returncode
    ran = command("check", path, "--json")
    anywhere = isx.check(path)
    assert anywhere.to_json() == ran.stdout and anywhere.budget is None
    ran = command("show", path, "--smallest", "--json")
    if ran.returncode == 0:
        smallest = isx.show(path, smallest=True)
        assert smallest.to_json() == ran.stdout == base.show(smallest=True).to_json()
        assert smallest.area == anywhere.smallest_area
        assert smallest.point is None or base[smallest.point].area == smallest.area
    else:
        with pytest.raises(isx.NoSuchDesign):
            isx.show(path, smallest=True)
    ran = command("show", path, "--point", len(base) - 1, "--json")
    design = isx.show(path, point=-1)
    assert design.to_json() == ran.stdout == base.show(point=-1).to_json()
    # Of a set with modes, the tasks of one mode.
    assert design.area == base[-1].area and {task.name for task in design.tasks} <= set(base.tasks)


def test_what_if_is_that_of_the_command(command: Command) -> None:
    path = next(path for path in TASK_SETS if path.stem == "crypto-gateway")
    changes = ("--force", "packet-sha256=ssha256", "--forbid", "esp-encrypt=aes-v3.1", "--scale-wcet", "10/9")
    changes += ("--margin", "2.5%")
    ran = command("explore", path, "--json", *changes, "--max-area", 3000)
    front = isx.explore(
        path, force="packet-sha256=ssha256", forbid=["esp-encrypt=aes-v3.1"], scale_wcet="10/9", margin=0.025, max_area=3000
    )
    assert front.to_json() == ran.stdout and len(front.what_if) == 4 and not front.complete


@pytest.mark.parametrize("seed", [1, 7])
def test_generated_sets_are_those_of_the_command(command: Command, seed: int) -> None:
    flags = "--tasks 12 --choices 2..5 --utilization 1.7 --area 10.00..99.50 --deadlines constrained:0.60..1.00"
    flags += " --scheduler fixed --blocks 4 --uses 1..2 --fmax 80..120 --periods 10ms,15ms,20ms --name made"
    ran = command("generate", "taskset", *flags.split(), "--seed", seed)
    made = isx.generate(
        tasks=12,
        choices=(2, 5),
        utilization=1.7,
        area="10.00..99.50",
        deadlines="constrained:0.60..1.00",
        scheduler="fixed",
        blocks=4,
        uses=(1, 2),
        fmax=(80, 120),
        periods=["10ms", "15ms", "20ms"],
        name="made",
        seed=seed,
    )
    assert made.to_yaml().encode() == ran.stdout
    flags = "--switch 100 --jitter 0.00..0.20 --blocking 0.1..0.2 --nonpreemptive 0.5 --cores 1..4 --core-area 12.5"
    ran = command("generate", "taskset", *flags.split(), "--seed", seed)
    made = isx.generate(
        switch=100,
        jitter="0.00..0.20",
        blocking=("0.1", "0.2"),
        nonpreemptive="0.5",
        cores=(1, 4),
        core_area=12.5,
        seed=seed,
    )
    assert made.to_yaml().encode() == ran.stdout
    flags = "--utilizations fixed-sum:0.05..0.40 --periods automotive --deadlines slack:0.50..1.00 --savings uncorrelated:0.1..0.2"
    ran = command("generate", "taskset", *flags.split(), "--seed", seed)
    made = isx.generate(
        utilizations="fixed-sum:0.05..0.40",
        periods="automotive",
        deadlines="slack:0.50..1.00",
        savings="uncorrelated:0.1..0.2",
        seed=seed,
    )
    assert made.to_yaml().encode() == ran.stdout
    flags = "--recipe davis-burns-2009 --modes 3 --tasks 5"
    ran = command("generate", "taskset", *flags.split(), "--seed", seed)
    assert isx.generate(recipe="davis-burns-2009", modes=3, tasks=5, seed=seed).to_yaml().encode() == ran.stdout
    named = command("generate", "taskset", "--utilizations", "exp-light", "--choices", 2, "--seed", seed)
    assert isx.generate(seed=seed, utilizations="exp-light", choices=2).to_yaml().encode() == named.stdout
    assert isx.generate(seed=seed).to_yaml().encode() == command("generate", "taskset", "--seed", seed).stdout


def test_fronts_by_margin_are_those_of_the_command(command: Command, tmp_path: Path) -> None:
    made = isx.generate(tasks=6, scheduler="rm", nonpreemptive="0.0..0.3", seed=3)
    path = tmp_path / "made.yaml"
    path.write_text(made.to_yaml())
    front = isx.explore(made, front="margin")
    assert command("explore", path, "--front", "margin", "--json").stdout == front.to_json()
    record = json.loads(front.to_json())["points"]
    assert [str(point.margin) for point in front] == [
        str(Fraction(int(point["margin"]["num"]), int(point["margin"]["den"]))) for point in record
    ]
    assert front.larger_margins_unknown is None
    assert isx.explore(made)[0].margin is None
    with pytest.raises(isx.InputError, match="front is 'utilization' or 'margin', not 'clock'"):
        isx.explore(made, front="clock")
    with pytest.raises(isx.InputError, match="a front of area against margin is not proved"):
        isx.explore(made, front="margin", prove=True)
    table = pytest.importorskip("pyarrow").table(front)
    assert table["margin_num"].to_pylist() == [point["margin"]["num"] for point in record]
    assert table.column_names[-6:] == list(front.tasks)


def test_a_certificate_is_one_that_the_command_takes(command: Command, tmp_path: Path) -> None:
    path = next(path for path in TASK_SETS if path.stem == "tutorial")
    front = isx.explore(path, certificate=tmp_path / "tutorial.cert")
    assert front.status == "proved" == isx.explore(path, prove=True).status
    assert command("verify", path, tmp_path / "tutorial.cert").returncode == 0
    assert command("explore", path, "--prove", "--json").stdout == front.to_json()
