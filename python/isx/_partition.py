"""The tasks of a set divided among equal cores."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, SupportsIndex, Unpack, cast, overload

from . import _html, _isx
from ._asked import Counting, Dividing, keywords
from ._errors import InputError
from ._exact import counted, exact
from ._explore import changes, origin
from ._running import Computing, options
from ._taskset import TaskSetLike, task_set
from ._types import Number, Source
from ._verdict import number, ratio

_MOST_CORES = 64


@dataclass(frozen=True, slots=True)
class PartitionRow:
    """The least area with a number of cores.

    Attributes
    ----------
    cores : int
        The number of cores.
    status : str
        ``"proved"``: no design has less area; ``"infeasible"``: there is none; ``"unknown"``: the search ended before.
    reason : str or None
        Why there is no design, or why the search ended.
    area : fractions.Fraction or None
        That of the best design, every core included; None if none was found. It and all below are of this design.
    bound : fractions.Fraction or None
        Every design has at least this area; None if there is no design.
    cores_used : int or None
        The number of cores with a task.
    assignment : dict of str to int
        The core of every task, from 0.
    choices : dict of str to (str or None)
        The choice of every task; None is software.
    blocks : tuple of tuple of str
        The blocks of each core.
    chip_blocks : tuple of str
        Those that are built once, for all cores.
    utilizations : tuple of fractions.Fraction
        The utilization of each core.
    margin : fractions.Fraction or None
        By what part of themselves all WCETs may grow with this assignment; None if that was not decided.
    clock_hz : fractions.Fraction or None
        The clock of all cores, where a block limits it.
    cost : dict of str to fractions.Fraction
        What it takes of each resource, where a price made one area of them.
    """

    cores: int
    status: str
    reason: str | None
    area: Fraction | None
    bound: Fraction | None
    cores_used: int | None
    assignment: Mapping[str, int]
    choices: Mapping[str, str | None]
    blocks: tuple[tuple[str, ...], ...]
    chip_blocks: tuple[str, ...]
    utilizations: tuple[Fraction, ...]
    margin: Fraction | None
    clock_hz: Fraction | None
    cost: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Partitions:
    """A task set on several numbers of cores. It comes from `partition`.

    As a condition, ``if partitions:``, it is whether there is a design for one of them; TypeError where that is not known.

    Attributes
    ----------
    name, area_unit : str
        Of the task set; the unit is empty if none is named.
    core_area : fractions.Fraction
        The area of a core, without choices and blocks.
    rows : tuple of PartitionRow
        One per number of cores.
    what_if : tuple of str
        What was changed, in words.
    """

    name: str
    area_unit: str
    core_area: Fraction
    rows: tuple[PartitionRow, ...]
    what_if: tuple[str, ...]
    _native: _isx.Partitions = field(repr=False, compare=False)
    _source: Source = field(repr=False, compare=False)

    @classmethod
    def _of(cls, native: _isx.Partitions, source: Source) -> Partitions:
        told: dict[str, Any] = json.loads(native.json())
        return cls(
            name=told["taskset"],
            area_unit=told["area_unit"],
            core_area=Fraction(told["core_area"]),
            rows=tuple(map(_row, told["rows"])),
            what_if=tuple(told.get("what_if", ())),
            _native=native,
            _source=source,
        )

    @property
    def best(self) -> PartitionRow | None:
        """The row of least area, of equal ones that with the fewest cores; None if there is no design."""
        found = [row for row in self.rows if row.area is not None]
        return min(found, key=lambda row: (row.area, row.cores), default=None)

    def __bool__(self) -> bool:
        if self.best is None and any(row.status == "unknown" for row in self.rows):
            raise TypeError("whether there is a design for one of the numbers of cores is not known")
        return self.best is not None

    def to_json(self) -> bytes:
        """The rows as JSON, schema ``isx.partition/1``: the bytes that ``isx partition --json`` prints."""
        return self._native.json()

    def to_svg(self) -> bytes | None:
        """The design of `best`, a column per core: the picture that ``isx partition -o FILE.svg`` writes; None without a design."""
        return self._native.svg()

    @overload
    def to_html(self, path: None = None) -> bytes: ...

    @overload
    def to_html(self, path: str | os.PathLike[str]) -> None: ...

    def to_html(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """Every number of cores as one page for a browser, which needs no network.

        Parameters
        ----------
        path : path, optional
            Write to this file.

        Returns
        -------
        bytes or None
            The page, if it was not written to a file.
        """
        page = self._native.html(self._source)
        if path is None:
            return page
        with open(path, "wb") as file:
            file.write(page)
        return None

    def _repr_html_(self) -> str:
        """A row per number of cores and the picture, for notebooks; names are escaped."""

        def cells(row: PartitionRow) -> list[str]:
            area = "-" if row.area is None else _html.amount(row.area, self.area_unit)
            largest = _html.rounded(max(row.utilizations)) if row.utilizations else "-"
            return [str(row.cores), row.status, area, largest, row.reason or ""]

        drawn = self.to_svg()
        picture = "" if drawn is None else _html.picture(drawn, f"{self.name} on several cores")
        heads = ["Cores", "Result", "Area", "Largest utilization", ""]
        return _html.page(self.name, _html.table(heads, map(cells, self.rows)), picture)


@keywords(Dividing)
def partition(
    source: TaskSetLike,
    cores: SupportsIndex | tuple[SupportsIndex, SupportsIndex] | None = None,
    *,
    max_time: Number | None = None,
    **asked: Unpack[Dividing],
) -> Partitions:
    """Divide the tasks among equal cores: for each number of cores the least area with which all deadlines are met.

    Parameters
    ----------
    source : path, dict or TaskSet
        The task set; its ``cores`` may say how many there are, and the area of one.
    cores : int or (int, int), optional
        The number of cores, or the least and the most of them; those of the set, else 1 to 4, if not given.
    max_time : Number, optional
        Stop after this many seconds. What is not decided by then is unknown, with both bounds.
    force, forbid, scale_wcet, margin, overruns, variant, price, progress
        As for `explore`; progress counts the numbers of cores.
    objectives, within, device
        Of several resources a price makes the area, or the only objective is the area. Limits hold beside it, for the chip with
        all cores.

    Returns
    -------
    Partitions
        A row per number of cores.

    Raises
    ------
    InputError
        The set has several modes, variants of the processor or resources without a price, or an argument is wrong.
    Error
        As for `explore`.

    Examples
    --------
    >>> pair = isx.partition(gateway, cores=(1, 2))
    >>> [(row.cores, row.status, row.area) for row in pair.rows]
    [(1, 'proved', Fraction(1157, 1)), (2, 'proved', Fraction(0, 1))]
    >>> pair.best.cores, max(pair.best.utilizations) <= 1
    (2, True)
    """
    between = None
    if cores is not None:
        ends = cores if isinstance(cores, tuple) else (cores, cores)
        if len(ends) != 2:
            raise InputError("cores must be a number, or the least and the most of them, such as (1, 8)")
        least, most = (counted(end, "cores", 1, _MOST_CORES) or 1 for end in ends)
        if least > most:
            raise InputError(f"cores begins with {least}, which is above {most}")
        between = (least, most)
    seconds = None if max_time is None else float(exact(max_time, "max_time"))
    given = task_set(source)
    changed = changes(cast(Counting, asked))
    found = _isx.partition(given._native, between, seconds, changed, options(cast(Computing, asked)))
    return Partitions._of(found, origin(given, None))


def _row(told: Mapping[str, Any]) -> PartitionRow:
    return PartitionRow(
        cores=told["cores"],
        status=told["status"],
        reason=told["reason"],
        area=number(told["area"]),
        bound=number(told["bound"]),
        cores_used=told["cores_used"],
        assignment=told["assignment"] or {},
        choices=told["choices"] or {},
        blocks=tuple(map(tuple, told["blocks"] or ())),
        chip_blocks=tuple(told["chip_blocks"] or ()),
        utilizations=tuple(map(ratio, told["utilizations"] or ())),
        margin=None if told["margin"] is None else ratio(told["margin"]),
        clock_hz=number(told.get("clock_hz")),
        cost={name: Fraction(amount) for name, amount in told.get("cost", {}).items()},
    )
