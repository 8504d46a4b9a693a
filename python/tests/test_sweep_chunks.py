"""Chunks of a sweep: a pure function, and what the command writes."""

import json
import subprocess
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import isx
import isx.sweep

Command = Callable[..., subprocess.CompletedProcess[bytes]]

SPEC = {
    "schema": "isx.sweep/1",
    "seed": 7,
    "sets_per_point": 30,
    "grid": {"utilization": ["0.9", "1.2"]},
    "recipe": {"tasks": 4, "choices": 3},
    "measure": ["min_area"],
    "budgets": [0, 2000],
}


def test_a_chunk_is_the_same_bytes_each_time_and_from_a_file(tmp_path: Path) -> None:
    numbers = isx.sweep.chunks(SPEC)
    assert list(numbers) == [0, 1]
    assert isx.sweep.run_chunk(SPEC, 1) == isx.sweep.run_chunk(SPEC, 1) != isx.sweep.run_chunk(SPEC, 0)
    (tmp_path / "spec.yaml").write_text(json.dumps(SPEC), encoding="utf-8")
    assert isx.sweep.run_chunk(tmp_path / "spec.yaml", 0) == isx.sweep.run_chunk(SPEC, 0)


def test_its_records_are_what_check_says(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    for number in isx.sweep.chunks(SPEC):
        isx.sweep.run_chunk(SPEC, number, out=tmp_path)
    table = parquet.read_table(sorted(tmp_path.iterdir())[1]).to_pylist()
    assert [row["index"] for row in table] == list(range(30))
    for row in table:
        area = row["min_area"]
        assert row["accepted_2000"] == (area is not None and Fraction(area) <= 2000)


def test_the_command_writes_the_same_files(tmp_path: Path, command: Command) -> None:
    for number in isx.sweep.chunks(SPEC, out=tmp_path / "python"):
        isx.sweep.run_chunk(SPEC, number, out=tmp_path / "python")
    assert isx.sweep.chunks(SPEC, out=tmp_path / "python") == []
    spec = tmp_path / "spec.yaml"
    spec.write_text(json.dumps(SPEC), encoding="utf-8")
    ran = command("sweep", "run", spec, "--out", tmp_path / "command")
    if b"built without Parquet" in ran.stderr:
        pytest.skip("the command was built without Parquet")
    python, written = ({file.name: file.read_bytes() for file in (tmp_path / folder).iterdir()} for folder in ("python", "command"))
    assert len(python) == 2 and python == written


def test_mistakes_are_errors_of_their_kind() -> None:
    with pytest.raises(isx.TaskSetError, match="the sweep has no `measure`"):
        isx.sweep.chunks({"schema": "isx.sweep/1", "seed": 1, "sets_per_point": 5})
    with pytest.raises(isx.InputError, match="there is no chunk 2: they are numbered 0 to 1"):
        isx.sweep.run_chunk(SPEC, 2)
