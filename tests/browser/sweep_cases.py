"""The page of a sweep, and the curves that the command writes of it."""

import json
from pathlib import Path

SPEC = """schema: isx.sweep/1
seed: 7
sets_per_point: 60
grid: {utilization: 0.9..1.5/0.1, tasks: [4, 6]}
paired: {scheduler: [edf, rm]}
recipe: {choices: 3}
measure: [min_area, breakdown]
budgets: [0, 3000]
"""


class SweepCase:
    """A page, and the curves that it must agree with."""

    def __init__(self, name, page, title, document):
        self.name, self.page, self.title, self.taskset = name, Path(page), title, None
        self.document, self.front = document, document["cells"]

    def __repr__(self):
        return self.name


def of_sweep(work, isx, attacks):
    """The page of a sweep under a hostile title; none where isx was built without Parquet."""
    spec, page, merged = work / "sweep.yaml", work / "sweep.html", work / "sweep.parquet"
    spec.write_text(SPEC)
    if not isx("schema", "sweep", codes=(0, 2)):
        print("NOT LOOKED AT: the page of a sweep, for which isx must be built with the feature full", flush=True)
        return []
    isx("sweep", "run", spec, "--out", work / "sweep", "-q")
    isx("sweep", "merge", work / "sweep", "-o", merged, "-q")
    isx("sweep", "report", merged, "-o", page, "--title", attacks[0], "-q")
    return [SweepCase("sweep", page, attacks[0], json.loads(isx("sweep", "report", merged, "--format", "json", "-o", "-")))]
