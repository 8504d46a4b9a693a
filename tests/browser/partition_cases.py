"""Pages of task sets on several numbers of cores, and the rows that the command prints of them."""

import json
from pathlib import Path


class PartitionCase:
    """A page, and the rows that it must agree with."""

    def __init__(self, name, page, document):
        self.name, self.page, self.taskset = name, Path(page), None
        self.document, self.front = document, document["rows"]

    def __repr__(self):
        return self.name


def of_set(name, taskset, work, isx, *options):
    """The page of a set, and the rows that the command prints of it."""
    page = work / f"{name}.html"
    isx("partition", taskset, "-o", page, "-q", *options, codes=(0, 1))
    return PartitionCase(name, page, json.loads(isx("partition", taskset, "--json", *options, codes=(0, 1))))
