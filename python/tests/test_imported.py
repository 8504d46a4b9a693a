"""Task sets from tables: CSV as the command imports it, and data frames."""

import pickle
import subprocess
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import polars
import pytest

import isx

Command = Callable[..., subprocess.CompletedProcess[bytes]]

TASKS = "name;period_ms;wcet_us;deadline_ms\nvalve;1;800,5;\npump;2;1500;1,5\n"
CHOICES = "task;choice;area [LUT];wcet_us;uses\nvalve;mac;12,5;400;multiplier\npump;fir;;900;multiplier, delay\n"
BLOCKS = "block;area;slot;fmax_MHz;source\nmultiplier;310;;90,5;synthesis\ndelay;95,5;mem;;\n"


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Path]:
    texts = {"tasks": TASKS, "choices": CHOICES, "blocks": BLOCKS}
    paths = {name: tmp_path / f"{name}.csv" for name in texts}
    for name, path in paths.items():
        path.write_text(texts[name], encoding="utf-8")
    return paths


def frames() -> dict[str, polars.DataFrame]:
    """The same figures."""
    return {
        "tasks": polars.DataFrame(
            {"name": ["valve", "pump"], "period_ms": [1, 2], "wcet_us": [800.5, 1500.0], "deadline_ms": [None, 1.5]}
        ),
        "choices": polars.DataFrame(
            {
                "task": ["valve", "pump"],
                "choice": ["mac", "fir"],
                "area [LUT]": [Decimal("12.5"), None],
                "wcet_us": [400, 900],
                "uses": [["multiplier"], ["multiplier", "delay"]],
            }
        ),
        "blocks": polars.DataFrame(
            {
                "block": ["multiplier", "delay"],
                "area": [310.0, 95.5],
                "slot": [None, "mem"],
                "fmax": ["90.5 MHz", None],
                "source": ["synthesis", None],
            }
        ),
    }


def test_tables_are_imported_as_by_the_command(tables: dict[str, Path], command: Command) -> None:
    asked = isx.TaskSet.from_csv(
        tables["tasks"], choices=tables["choices"], blocks=tables["blocks"], clock="100 MHz", name="plant"
    )
    options = ("--choices", tables["choices"], "--blocks", tables["blocks"], "--clock", "100MHz", "--name", "plant")
    ran = command("import", tables["tasks"], *options)
    assert ran.returncode == 0, ran.stderr
    assert asked.to_yaml().encode() == ran.stdout
    assert (asked.name, asked.area_unit, asked.clock_hz) == ("plant", "LUT", 10**8)
    assert asked.tasks[0].wcet == Fraction(80050) and asked.tasks[1].choices[0].uses == ("multiplier", "delay")
    assert asked.blocks[0].fmax_hz == Fraction(90_500_000) and asked.blocks[1].slot == "mem"
    assert pickle.loads(pickle.dumps(asked)) == asked
    assert isx.explore(asked)[0].area == 0


def test_data_frames_give_the_same_set(tables: dict[str, Path]) -> None:
    files = isx.TaskSet.from_csv(
        tables["tasks"], choices=tables["choices"], blocks=tables["blocks"], clock="100 MHz", name="plant"
    )
    made = isx.TaskSet.from_polars(**frames(), clock="100 MHz", name="plant")

    def figures(found: isx.TaskSet) -> list[object]:
        tasks: list[object] = []
        for task in found.tasks:
            choices = [(choice.name, choice.area, choice.uses, choice.wcet) for choice in task.choices]
            tasks.append((task.name, task.wcet, task.period, task.deadline, choices))
        return [*tasks, *((block.name, block.area, block.slot, block.fmax_hz) for block in found.blocks)]

    assert figures(made) == figures(files)
    assert isx.TaskSet.from_polars(frames()["tasks"]).name == "tasks"


def test_numbers_of_frames_are_not_rounded() -> None:
    third = polars.DataFrame({"name": ["a", "#b"], "period_ms": [0.1, 7.0], "wcet_us": [1e-3, 1.0]})
    made = isx.TaskSet.from_polars(third)
    assert [task.name for task in made.tasks] == ["a", "#b"]
    assert (made.tasks[0].period, made.tasks[0].wcet) == (Fraction(1, 10_000), Fraction(1, 10**9))


def test_what_has_no_place_in_a_task_set_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "plant.csv").write_text("name,period_ms,wcet_us,colour\nfir,10,2500,0\n")
    with pytest.warns(isx.TaskSetWarning, match=r"left out: columns that no task set has \(colour in line 1\)"):
        isx.TaskSet.from_csv(tmp_path / "plant.csv")


def test_mistakes_have_their_place_and_the_argument_that_is_missing(tables: dict[str, Path]) -> None:
    with pytest.raises(isx.TaskSetError) as caught:
        isx.TaskSet.from_csv(tables["tasks"], choices=tables["choices"])
    assert (caught.value.line, caught.value.column) == (2, 20)
    assert caught.value.__notes__ == ["give a table of blocks with blocks="]
    with pytest.raises(isx.TaskSetError) as caught:
        isx.TaskSet.from_csv(tables["tasks"], choices=tables["choices"], blocks=tables["blocks"])
    assert caught.value.__notes__ == ['give the processor\'s clock with clock="100 MHz"']
    tables["tasks"].write_text("name;period_ms;wcet_us\nfir;10;2.500\n")
    with pytest.raises(isx.TaskSetError, match="`2.500` may be 2.5 or 2500") as caught:
        isx.TaskSet.from_csv(tables["tasks"])
    assert caught.value.__notes__ == ['say which it is with decimal="point" or decimal="comma"']
    assert isx.TaskSet.from_csv(tables["tasks"], decimal="point").tasks[0].wcet == Fraction(1, 400_000)
    with pytest.raises(FileNotFoundError):
        isx.TaskSet.from_csv(tables["tasks"].with_name("none.csv"))
    wrong = frames()["tasks"].with_columns(period_ms=polars.Series([1, 0]))
    with pytest.raises(isx.TaskSetError) as caught:
        isx.TaskSet.from_polars(wrong)
    assert (caught.value.file, caught.value.line) == ("<tasks>", 3)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"unit": "min"}, "unit: write one of s, ms, us, ns, ps"),
        ({"clock": "0 Hz"}, "clock: a clock is greater than 0"),
        ({"decimal": "dot"}, "decimal: write point or comma"),
        ({"name": 7}, "name must be a text, not int"),
    ],
)
def test_arguments_are_checked(tables: dict[str, Path], said: dict[str, object], message: str) -> None:
    with pytest.raises(isx.InputError, match=message):
        isx.TaskSet.from_csv(tables["tasks"], **said)  # type: ignore[arg-type]


def test_what_is_no_frame_or_no_number_is_refused() -> None:
    with pytest.raises(isx.InputError, match=r"tasks must be a polars.DataFrame, not dict"):
        isx.TaskSet.from_polars({"name": ["a"]})  # type: ignore[arg-type]
    durations = polars.DataFrame({"name": ["a"], "period": polars.Series([1000]).cast(polars.Duration("ms"))})
    with pytest.raises(isx.InputError, match="tasks, row 0, period is of type timedelta, not a text or a number"):
        isx.TaskSet.from_polars(durations)
    with pytest.raises(isx.InputError, match="row 0, wcet is True"):
        isx.TaskSet.from_polars(polars.DataFrame({"name": ["a"], "period": [1], "wcet": [True]}))
