"""The example that draws the curves of a sweep: every figure once more, from the records, one by one."""

import csv
import io
import math
import subprocess
import sys
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

import isx.sweep

pytest.importorskip("duckdb")
parquet = pytest.importorskip("pyarrow.parquet")

SCRIPT = Path(__file__).parents[1] / "examples" / "sweep_curves.py"
SPEC: dict[str, Any] = {
    "schema": "isx.sweep/1",
    "seed": 11,
    "sets_per_point": 40,
    "grid": {"utilization": ["0.9", "1.1"], "deadlines": ["implicit", "constrained:0.50..1.00", "constrained:0.90..1.00"]},
    "paired": {"scheduler": ["edf", "dm"]},
    "recipe": {"tasks": 8, "choices": 3},
    "measure": ["min_area", "breakdown"],
    "budgets": [0, 20000],
    # So few that some sets are not decided.
    "steps": 3000,
}


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True, check=False)


def table(*arguments: object) -> list[dict[str, str]]:
    ran = run(*arguments)
    assert ran.returncode == 0, ran.stderr
    return list(csv.DictReader(io.StringIO(ran.stdout)))


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sweep")
    for number in isx.sweep.chunks(SPEC):
        isx.sweep.run_chunk(SPEC, number, out=folder)
    assert isx.sweep.chunks(SPEC, out=folder) == []
    return folder


def records(folder: Path) -> list[dict[str, Any]]:
    return [row for file in sorted(folder.glob("*.parquet")) for row in parquet.read_table(file).to_pylist()]


def near(text: str, wanted: float) -> bool:
    return math.isclose(float(text), wanted, rel_tol=1e-6, abs_tol=1e-6)


def wilson(accepted: int, sets: int, sign: int) -> float:
    z = 1.959963984540054
    share = accepted / sets
    half = z * math.sqrt(share * (1 - share) / sets + z * z / (4 * sets * sets))
    return (share + z * z / (2 * sets) + sign * half) / (1 + z * z / sets)


def quantile(areas: list[float], percent: int) -> str:
    area = sorted(areas)[max(math.ceil(len(areas) * percent / 100), 1) - 1]
    return "" if math.isinf(area) else f"{area:.9g}"


def test_every_figure_is_that_of_the_records(swept: Path) -> None:
    def key(row: dict[str, Any]) -> tuple[str, ...]:
        return (str(row["utilization"]), row["deadlines"], row["scheduler"])

    groups = {name: list(rows) for name, rows in groupby(sorted(records(swept), key=key), key)}
    found = table(swept)
    assert len(found) == len(groups) == 12
    undecided = 0
    for row in found:
        rows = groups[key(row)]
        assert int(row["sets"]) == len(rows) == 40
        utilizations = [Fraction(int(own["utilization_num"]), int(own["utilization_den"])) for own in rows]
        assert near(row["mean_utilization"], float(sum(utilizations) / 40))
        for column, test in [("accepted_0", "area_0"), ("accepted_20000", "area_20000"), ("accepted_any", "any_area")]:
            accepted = sum(own[column] is True for own in rows)
            unknown = sum(own[column] is None for own in rows)
            assert (int(row[f"accepted_{test}"]), int(row[f"unknown_{test}"])) == (accepted, unknown)
            assert near(row[f"ratio_{test}"], accepted / 40)
            assert near(row[f"low_{test}"], max(wilson(accepted, 40, -1), 0))
            assert near(row[f"high_{test}"], min(wilson(accepted + unknown, 40, 1), 1))
        # What is accepted within an area is accepted with any.
        assert int(row["accepted_area_0"]) <= int(row["accepted_area_20000"]) <= int(row["accepted_any_area"])
        for end in ["low", "high"]:
            breakdowns = [Fraction(own[f"breakdown_{end}"]) for own in rows]
            assert near(row[f"mean_breakdown_{end}"], float(sum(breakdowns) / 40))
        assert float(row["mean_breakdown_low"]) <= float(row["mean_breakdown_high"])
        assert int(row["unknown_breakdown"]) == sum(own["breakdown"] is None for own in rows)
        undecided += int(row["unknown_breakdown"]) + int(row["unknown_any_area"]) + int(row["unknown_min_area"])
        least = [math.inf if own["accepted_any"] is False else float(own["min_area_low"]) for own in rows]
        most = [math.inf if own["min_area_high"] is None else float(own["min_area_high"]) for own in rows]
        for percent in (10, 50, 90):
            assert row[f"min_area_{percent}_low"] == quantile(least, percent)
            assert row[f"min_area_{percent}_high"] == quantile(most, percent)
    assert undecided > 20


def test_weighted_schedulability_and_paired_values_are_summed_over_all_points(swept: Path) -> None:
    rows = records(swept)
    for row in table(swept, "--table", "weighted"):
        own = [r for r in rows if (r["deadlines"], r["scheduler"]) == (row["deadlines"], row["scheduler"])]
        whole = sum(Fraction(int(r["utilization_num"]), int(r["utilization_den"])) for r in own)
        for end, verdicts in [("low", {True}), ("high", {True, None})]:
            part = sum(Fraction(int(r["utilization_num"]), int(r["utilization_den"])) for r in own if r["accepted_20000"] in verdicts)
            assert near(row[f"{end}_area_20000"], float(part / whole))
    by_set: dict[tuple[int, int], dict[str, Any]] = {}
    for r in rows:
        by_set.setdefault((r["point"], r["index"]), {})[r["scheduler"]] = r["accepted_0"]
    compared = table(swept, "--table", "compared")[0]
    assert (compared["test"], {compared["first"], compared["second"]}) == ("area 0", {"scheduler=dm", "scheduler=edf"})
    one, other = (compared[side].removeprefix("scheduler=") for side in ("first", "second"))
    only = [sum(v[a] is True and v[b] is False for v in by_set.values()) for a, b in ((one, other), (other, one))]
    assert [int(compared["only_first"]), int(compared["only_second"])] == only
    count, most = sum(only), max(only)
    p = min(1, 2 * sum(math.comb(count, k) for k in range(most, count + 1)) / 2**count) if only[0] != only[1] else 1
    assert near(compared["p"], p)


def test_chunks_of_several_folders_count_once_and_other_sweeps_are_refused(swept: Path, tmp_path: Path) -> None:
    whole = table(swept)
    first = sorted(swept.glob("*.parquet"))[0]
    (tmp_path / first.name).write_bytes(first.read_bytes())
    assert table(swept, tmp_path) == whole
    isx.sweep.run_chunk({**SPEC, "seed": 12}, 0, out=tmp_path / "other")
    assert "the chunks of 2 sweeps" in run(swept, tmp_path / "other").stderr
    assert "no chunks are in" in run(tmp_path / "none").stderr
    with pytest.raises(isx.InputError, match="holds another sweep"):
        isx.sweep.chunks({**SPEC, "seed": 12}, out=swept)


def test_pictures_have_a_line_of_its_own_look_for_every_combination(swept: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ran = run(swept, "--csv", tmp_path / "curves.csv", "--pictures", tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == f"5 pictures are in {tmp_path}\n"
    assert len(sorted(tmp_path.glob("*.svg"))) == 5
    # Six curves: their legend has the values that tell them apart, in full.
    drawn = (tmp_path / "acceptance-ratio--area-20000.svg").read_text(encoding="utf-8")
    for deadlines in SPEC["grid"]["deadlines"]:
        for scheduler in ["edf", "dm"]:
            assert f"<!-- deadlines={deadlines}, scheduler={scheduler} -->" in drawn


def test_the_specification_of_a_chunk_is_one_that_gives_it_again(swept: Path, tmp_path: Path) -> None:
    file = sorted(swept.glob("*.parquet"))[2]
    keys = {key.decode(): value.decode() for key, value in parquet.read_metadata(file).metadata.items()}
    (tmp_path / "spec.yaml").write_text(keys["isx.sweep"], encoding="utf-8")
    assert isx.sweep.run_chunk(tmp_path / "spec.yaml", int(keys["isx.chunk"])) == file.read_bytes()
