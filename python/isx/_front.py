"""Fronts: every design of a task set that is worth considering."""

import bisect
import json
import operator
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, NoReturn, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from . import _html
from ._answers import Design, Margin, Point
from ._document import OfSet, Written, only
from ._errors import InputError, NoSuchDesign
from ._numbers import Number, exact, index, shown

BATCH = 256
"""Points that are read at a time."""

WHICH = "give one of area, point, max_utilization and smallest, or of several resources within or device"


class Front(OfSet):
    """The designs that no other dominates: of one area, area strictly rising and utilization strictly falling. Of several
    resources, no design costs no more of every objective and has no more utilization than another.

    A front has a length, and is indexed and sliced as a sequence of `Point`, exact and with the choice of every task; its figures
    are numpy arrays, too. polars, pandas, pyarrow and DuckDB read it as a table by the Arrow PyCapsule interface:
    ``polars.DataFrame(front)``, ``pandas.DataFrame.from_arrow(front)``, ``pyarrow.table(front)``. It comes from `explore`. The table
    has the columns of the command's Parquet file; the choices of tasks are coded by a dictionary and null for software.

    Examples
    --------
    >>> front = isx.explore(gateway)
    >>> front[-1].choices["session-rekey"]
    'aes-v3.1'
    >>> front.within(1200).utilization <= 1
    True
    """

    modes: Annotated[tuple[str, ...], "The names of the modes, of which one runs at a time; empty if there is one."]
    objectives: Annotated[tuple[str, ...], "The resources that the front is computed for, in the order its points are sorted by."]
    status: Annotated[str, "``checked``: every point was summed again from its choices. ``proved``: a certificate shows that none is missing."]
    complete: Annotated[bool, "Whether the front reaches every useful area; False where ``max_area`` cut it."]
    engine: Annotated[str, "The engine and what it used.", "engine.ran_on"]
    engine_why: Annotated[str, "Why this engine ran; half a sentence.", "engine.why"]
    base: Annotated[Point, "The design that is all software. Its verdict is about itself alone."]
    min_schedulable: Annotated[
        tuple[Point, ...],
        "The schedulable designs of minimal costs, which need not be on the front: no schedulable design costs no more of every "
        "resource and less of one.",
        "min_schedulable_designs",
    ]
    smallest_unknown: Annotated[str | None, "Why some minimal schedulable cost is not known.", "min_schedulable_unknown"]
    margins: Annotated[
        tuple[Margin, ...],
        "The smallest schedulable areas with margins of 10, 20 and 30 %, among the designs of this front; empty if it counts several "
        "resources, where ``margin=`` of `explore` asks for one margin.",
    ]
    larger_margins_unknown: Annotated[str | None, "Why designs of larger margins may be missing from a front of area against margin."]
    mode_areas: Annotated[
        Mapping[tuple[str, ...], Fraction | None],
        "The smallest area at which some of the modes are schedulable without the others, by their names; None if there is none or "
        "it is not known. Empty if the task set has one mode.",
    ]

    to_csv = Written("csv", "The front as CSV, a row per point.")
    to_parquet = Written("parquet", "The front as Parquet, a row per point, a few bytes each.")
    to_svg = Written("svg", "The front as a picture.")
    to_html = Written("html", "The front as one page for a browser, to pass on and decide with, which needs no network.")

    _MADE_BY: ClassVar = "isx.explore"

    @classmethod
    def _read(cls, record: Mapping[str, Any]) -> dict[str, Any]:
        areas = {tuple(one["modes"]): one["min_schedulable_area"] for one in record.get("mode_areas", ())}
        return super()._read({**record, "mode_areas": areas})

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, at: SupportsIndex) -> Point: ...

    @overload
    def __getitem__(self, at: slice) -> list[Point]: ...

    def __getitem__(self, at: SupportsIndex | slice) -> Point | list[Point]:
        if isinstance(at, slice):
            return [self[number] for number in range(*at.indices(len(self)))]
        number = operator.index(at)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no point {shown(number)}: the front has {len(self)}")
        return next(self._points(number % len(self), number % len(self) + 1))

    def __iter__(self) -> Iterator[Point]:
        for first in range(0, len(self), BATCH):
            yield from self._points(first, min(first + BATCH, len(self)))

    def __reversed__(self) -> Iterator[Point]:
        return (self[number] for number in reversed(range(len(self))))

    def _points(self, first: int, end: int) -> Iterator[Point]:
        record = json.loads(self._native.points(first, end))
        return (Point._of({**point, "index": first + at}) for at, point in enumerate(record))

    def _arrays(self, first: int, count: int) -> list[npt.NDArray[Any]]:
        return [np.frombuffer(array, kind) for kind, array in self._native.arrays(first, count)]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks, in the order of the file; of a task with parts those of its parts, ``task/part``."""
        taken = self.base.choices.items()
        parts = ([f"{task}/{part}" for part in own] if isinstance(own, Mapping) else [task] for task, own in taken)
        return tuple(name for names in parts for name in names)

    @property
    def area(self) -> npt.NDArray[Any]:
        """The areas of all points: int64 where they are whole and fit it, else the nearest float64. Read-only.

        Exact areas are those of the points: ``front[k].area``. InputError if the front counts several resources, see `cost`.
        """
        areas: npt.NDArray[Any] = only(self.cost, "cost")
        return areas

    @cached_property
    def cost(self) -> dict[str, npt.NDArray[Any]]:
        """The costs of all points in each resource, as `area`.

        Examples
        --------
        >>> isx.explore(hub).cost["DSP"].tolist()
        [0, 0, 4, 0, 0, 4, 0, 0, 4]
        """
        return dict(zip(self.base.cost, self._arrays(0, len(self.base.cost)), strict=True))

    @cached_property
    def utilization(self) -> npt.NDArray[np.float64]:
        """The float64 nearest to the utilization of every point. Read-only.

        Do not compare it with 1 to see whether a design is schedulable: `schedulable` is decided exactly.
        """
        return self._arrays(len(self.base.cost) + 2, 1)[0]

    @cached_property
    def schedulable(self) -> npt.NDArray[np.int8]:
        """The verdicts of all points: 1 for yes, 0 for no, -1 for unknown, see `Point.schedulable`. Read-only int8."""
        return self._arrays(len(self.base.cost) + 3, 1)[0]

    @cached_property
    def schedulable_within(self) -> npt.NDArray[np.int8]:
        """Whether any design that costs no more of any objective is schedulable. Read-only int8, as `schedulable`."""
        return self._arrays(len(self.base.cost) + 4, 1)[0]

    @cached_property
    def choice_codes(self) -> npt.NDArray[np.int32]:
        """The choice of every task (row) at every point (column), as an index into `choice_names`; -1 is software. Read-only."""
        codes = b"".join(array for _, array in self._native.arrays(-len(self.tasks), len(self.tasks)))
        return np.frombuffer(codes, np.int32).reshape(len(self.tasks), len(self))

    @property
    def choice_names(self) -> dict[str, tuple[str, ...]]:
        """The names of the choices that each task has, in the order of the file."""
        names = set(self.tasks)
        tasks = (task for task in self._beside["task_set"].tasks if task.name in names)
        return {task.name: tuple(choice.name for choice in task.choices) for task in tasks}

    def choices(self, task: str) -> npt.NDArray[np.object_]:
        """The choice of a task at every point, by name; None is software. KeyError if there is no such task.

        Examples
        --------
        >>> isx.explore(gateway).choices("packet-sha256")[:3].tolist()
        [None, 'ssha256', None]
        """
        names = np.array([*self.choice_names[task], None], dtype=object)
        chosen: npt.NDArray[np.object_] = names[self.choice_codes[self.tasks.index(task)]]
        return chosen

    @property
    def smallest_schedulable(self) -> Point | None:
        """The schedulable design of least area, which need not be on the front; None if there is none or it is not known. Of
        several resources it is the first of `min_schedulable`."""
        return self.min_schedulable[0] if self.min_schedulable else None

    def within(self, area: Number) -> Point | None:
        """The point of least utilization within an area; None if even the first point needs more. InputError if the front counts
        several resources: `show` with ``within=`` finds the design of least utilization within limits."""
        if len(self.base.cost) > 1:
            raise InputError("an area is no limit of several resources: ask isx.show(set, within={'LUT': 5000})")
        number = bisect.bisect_right(range(len(self)), exact(area, "area"), key=lambda at: self[at].area)
        return self[number - 1] if number else None

    def show(
        self,
        *,
        area: Number | None = None,
        point: SupportsIndex | None = None,
        max_utilization: Number | None = None,
        smallest: bool = False,
    ) -> Design:
        """One design task by task; as `isx.show`. Give one of the four. NoSuchDesign if there is none, or the smallest schedulable
        one is not known."""
        numbers = {"area": area, "max_utilization": max_utilization}
        given: list[tuple[str, Fraction | None]] = [(by, exact(one, by)) for by, one in numbers.items() if one is not None]
        if point is not None:
            number = index(point, "point")
            if not -len(self) <= number < len(self):
                raise NoSuchDesign(f"there is no point {shown(number)}: the front has {len(self)}, counted from 0")
            given.append(("point", Fraction(number % len(self))))
        if smallest:
            given.append(("smallest", None))
        if len(given) != 1:
            raise InputError(WHICH)
        if area is not None and len(self.resources) > 1:
            raise InputError(f"`{self.name}` counts {', '.join(self.resources)}, not one area")
        return Design._by(self._native.show(*given[0]))

    def __array__(self, dtype: object = None, copy: object = None) -> NoReturn:
        """Refused: a front has arrays, and is not one; pandas would make a column of objects of it."""
        raise TypeError(
            "a front is a table, not an array: use front.area and front.utilization; for pandas, "
            "pandas.DataFrame.from_arrow(front), or pyarrow.table(front).to_pandas() before pandas 3"
        )

    def __arrow_c_schema__(self) -> object:
        """The schema of the table, for libraries that speak Arrow."""
        return self._native.arrow_schema()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The front as a stream of Arrow batches; another schema than its own is not made."""
        return self._native.arrow_stream()

    def __repr__(self) -> str:
        return f"<isx.Front of {self.name!r}: {len(self)} points, {self.status}>"

    def _told(self) -> dict[str, Any]:
        known, status = super()._told(), f"{self.status}{'' if self.complete else ', cut at an area'}"
        minimal = tuple(one.cost for one in self.min_schedulable) or self.smallest_unknown or "none: no design is schedulable"
        taken = {task: choice for task, choice in (self.smallest_schedulable or self.base).choices.items() if choice}
        first = {"name": self.name, "designs": f"{len(self)}, {status}", "software_only": f"utilization {_html.rounded(self.base.utilization)}"}
        shown = ("objectives", "device", "limits", "margins", "engine", "what_if")
        return {**first, "smallest_schedulable": minimal, "with": taken, **{name: known[name] for name in shown}}

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Front stays in its process: send to_parquet(), or the TaskSet, or the figures you need")

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)
