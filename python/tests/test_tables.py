"""A front as a table, in every library that speaks Arrow."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import isx
from conftest import ALL_SETS, ROOT, hub, two_tasks

pa: Any = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.filterwarnings("ignore::isx.TaskSetWarning")


def by_part(choices: Any) -> dict[str, str | None]:
    """What every task and part takes, by its name."""
    parts = ({f"{task}/{part}": one for part, one in own.items()} if isinstance(own, dict) else {task: own} for task, own in choices.items())
    return {name: choice for own in parts for name, choice in own.items()}


def column(front: isx.Front, task: str) -> str:
    return f"task {task}" if task in ("area", "utilization", "schedulable", "schedulable_within", "blocks", "clock_hz") else task


def assert_rows(front: isx.Front, rows: list[dict[str, Any]]) -> None:
    """The rows of a table are the points, exactly."""
    assert len(rows) == len(front)
    for point, row in zip(front, rows, strict=True):
        columns = ["area"] if "area" in row else list(front.resources)
        assert [Fraction(row[name]) for name in columns] == list(point.cost.values())
        assert Fraction(int(row["utilization_num"]), int(row["utilization_den"])) == point.utilization
        assert row["utilization"] == float(point.utilization)
        assert (row["schedulable"], row["schedulable_within"]) == (point.schedulable, point.schedulable_within)
        assert {task: row[column(front, task)] for task in front.tasks} == by_part(point.choices)
        if "blocks" in row:
            assert tuple(row["blocks"]) == point.blocks
        if "clock_hz" in row:
            assert Fraction(row["clock_hz"]) == point.clock_hz


@pytest.mark.parametrize("path", ALL_SETS, ids=lambda path: path.stem)
def test_pyarrow_reads_the_points_and_they_are_those_of_the_parquet_file(path: Path) -> None:
    front = isx.explore(path)
    table = pa.table(front)
    table.validate(full=True)
    assert_rows(front, table.to_pylist()[:400]) if len(front) <= 400 else None
    import io

    import pyarrow.parquet

    stored = pyarrow.parquet.read_table(io.BytesIO(front.to_parquet()))
    assert stored.column_names == table.column_names
    for name in table.column_names:
        mine = table[name]
        if pa.types.is_dictionary(mine.type):
            mine = mine.cast(pa.string())
        assert mine.to_pylist() == stored[name].to_pylist(), name
    assert pa.schema(front) == table.schema


def fronts() -> list[isx.Front]:
    fine = two_tasks()
    fine["tasks"][0]["choices"][0]["area"] = "0.125"
    vast = two_tasks()
    vast["tasks"][0]["choices"][0]["area"] = 10**18
    vast["tasks"][0]["period"] = "10.000000000000000001"
    names = ["neorv32-extensions", "crypto-gateway-shared"]
    return [isx.explore(fine), isx.explore(vast), isx.explore(hub()), *(isx.explore(ROOT / "tasksets" / f"{name}.yaml") for name in names)]


def test_every_width_of_numbers_is_exact() -> None:
    fine, vast, *_ = fronts()
    assert pa.table(fine)["area"].to_pylist() == [Decimal("0"), Decimal("0.125"), Decimal("300.125")]
    assert pa.types.is_string(pa.table(vast).schema.field("area").type)
    for front in fronts():
        assert_rows(front, pa.table(front).to_pylist())


def test_polars_reads_it() -> None:
    polars: Any = pytest.importorskip("polars")
    for front in fronts():
        frame = polars.DataFrame(front)
        assert_rows(front, frame.to_dicts())
    assert str(frame.schema[front.tasks[0]]).startswith(("Categorical", "Enum"))


def test_pandas_reads_it() -> None:
    pandas: Any = pytest.importorskip("pandas")
    for front in fronts():
        if hasattr(pandas.DataFrame, "from_arrow"):
            frame = pandas.DataFrame.from_arrow(front)
        else:
            frame = pa.table(front).to_pandas()
        rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
        assert_rows(front, rows)


def test_a_front_as_an_array_is_refused_with_the_calls_that_are_right() -> None:
    import numpy as np

    front = isx.explore(two_tasks())
    message = (
        "a front is a table, not an array: use front.area and front.utilization; for pandas, "
        "pandas.DataFrame.from_arrow(front), or pyarrow.table(front).to_pandas() before pandas 3"
    )
    with pytest.raises(TypeError) as refused:
        np.asarray(front)
    assert str(refused.value) == message
    pandas: Any = pytest.importorskip("pandas")
    with pytest.raises(TypeError) as refused:
        pandas.DataFrame(front)
    assert str(refused.value) == message


def test_duckdb_reads_it() -> None:
    duckdb: Any = pytest.importorskip("duckdb")
    for front in fronts():
        read = duckdb.sql("select * from front")
        rows = [dict(zip(read.columns, row, strict=True)) for row in read.fetchall()]
        assert_rows(front, rows)
    assert duckdb.sql("select count(*) from front where schedulable").fetchall()[0][0] == (front.schedulable == 1).sum()


def test_a_stream_that_nobody_reads_is_freed() -> None:
    front = isx.explore(two_tasks())
    for _ in range(1000):
        front.__arrow_c_stream__()
        front.__arrow_c_schema__()
    reader = pa.RecordBatchReader.from_stream(front)
    del front
    assert reader.read_all().num_rows == 3
