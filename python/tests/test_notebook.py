"""The example notebook runs from the first cell to the last, and what it draws and counts is there."""

import os
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("duckdb")
pytest.importorskip("joblib")
pytest.importorskip("matplotlib")

NOTEBOOK = Path(__file__).parents[1] / "examples" / "sweep.ipynb"


def swept(tmp_path: Path, sets: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ISX_SWEEP_SETS", str(sets))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    texts = "".join(output.get("text", "") for output in outputs)
    assert f"{sets} sets" in texts
    assert "5 chunks, 10 points of curves" in texts
    assert any("image/png" in output.get("data", {}) for output in outputs), "no figure was drawn"
    assert any("text/html" in output.get("data", {}) for output in outputs), "no front was shown"


def test_the_notebook_sweeps_some_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept(tmp_path, 20, monkeypatch)


@pytest.mark.slow
def test_the_notebook_sweeps_a_thousand_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    swept(tmp_path, int(os.environ.get("ISX_SWEEP_SETS", "1000")), monkeypatch)
