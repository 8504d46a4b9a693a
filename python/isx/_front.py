"""Fronts: every design of a task set that is worth considering."""

from __future__ import annotations

import operator
import os
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NoReturn, SupportsIndex, overload

import numpy as np
import numpy.typing as npt

from . import _cost, _html, _isx
from ._cost import Described, Resources
from ._design import Design
from ._errors import Error, InputError, NoSuchDesign
from ._exact import exact, index, shown
from ._point import Margin, Point
from ._types import DesignParts, Number, Source


class Front(Described):
    """The designs that no other dominates, in order of area: area strictly rising, utilization strictly falling. Of several
    resources, no design costs no more of every objective and has no more utilization than another.

    A front has a length, and is indexed and sliced as a sequence of `Point`, exact and with the choice of every task; its figures
    are numpy arrays, too. polars, pandas, pyarrow and DuckDB read it as a table by the Arrow PyCapsule interface:
    ``polars.DataFrame(front)``, ``pandas.DataFrame.from_arrow(front)``, ``pyarrow.table(front)``. It comes from `explore`.

    The table has the columns of the command's Parquet file: ``area``, or one per resource (integer, decimal or, where neither
    holds it, text), ``utilization_num``, ``utilization_den``, ``utilization``, ``schedulable``, ``schedulable_within``, ``blocks`` and ``clock_hz`` where the set has
    them, and one per task, whose names are coded by a dictionary and null for software.

    Examples
    --------
    >>> front = isx.explore(gateway)
    >>> front[-1].choices["session-rekey"]
    'aes-v3.1'
    >>> front.within(1200).utilization <= 1
    True
    """

    _native: _isx.Front
    _tasks: tuple[tuple[str, tuple[str, ...]], ...]
    _source: Source

    def __init__(self) -> None:
        raise TypeError("a front is made by isx.explore")

    @classmethod
    def _of(cls, native: _isx.Front, source: Source) -> Front:
        self = object.__new__(cls)
        self._native = native
        self._source = source
        self._tasks = tuple((name, tuple(choices)) for name, choices in native.tasks)
        return self

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, at: SupportsIndex) -> Point: ...

    @overload
    def __getitem__(self, at: slice) -> list[Point]: ...

    def __getitem__(self, at: SupportsIndex | slice) -> Point | list[Point]:
        if isinstance(at, slice):
            return [self._point(number) for number in range(*at.indices(len(self)))]
        number = operator.index(at)
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no point {shown(number)}: the front has {len(self)}")
        return self._point(number % len(self))

    def __iter__(self) -> Iterator[Point]:
        return (self._point(number) for number in range(len(self)))

    def __reversed__(self) -> Iterator[Point]:
        return (self._point(number) for number in reversed(range(len(self))))

    def _point(self, number: int) -> Point:
        point = self._design(number, self._native.point(number))
        margins, _ = self._margins
        return replace(point, margin=margins[number]) if margins else point

    @cached_property
    def _margins(self) -> tuple[list[Fraction], str | None]:
        return self._native.point_margins

    @property
    def larger_margins_unknown(self) -> str | None:
        """Why designs of larger margins may be missing from a front of area against margin; None if none is."""
        return self._margins[1]

    def _design(self, number: int | None, parts: DesignParts) -> Point:
        cost, utilization, schedulable, within, choices, blocks, clock, variant, modes = parts
        chosen = dict(zip(self.tasks, choices, strict=True))
        counted = _cost.named(self.resources, cost)
        in_modes = dict(zip(self.modes, modes, strict=True))
        return Point(number, counted, utilization, schedulable, within, chosen, tuple(blocks), clock, variant, in_modes)

    @cached_property
    def modes(self) -> tuple[str, ...]:
        """The names of the modes, of which one runs at a time; empty if there is one."""
        return tuple(self._native.modes)

    @cached_property
    def _resources(self) -> Resources:
        return super()._resources

    @property
    def what_if(self) -> tuple[str, ...]:
        """What was changed to see what would happen, in words."""
        return tuple(self._native.what_if)

    @property
    def status(self) -> str:
        """``"checked"``: every point was summed again from its choices. ``"proved"``: a certificate shows that none is missing."""
        return self._native.status

    @property
    def complete(self) -> bool:
        """Whether the front reaches every useful area; False where ``max_area`` cut it."""
        return self._native.complete

    @property
    def engine(self) -> str:
        """The engine and what it used."""
        return self._native.engine[0]

    @property
    def engine_why(self) -> str:
        """Why this engine ran; half a sentence."""
        return self._native.engine[2]

    @property
    def tasks(self) -> tuple[str, ...]:
        """The names of the tasks, in the order of the file."""
        return tuple(name for name, _ in self._tasks)

    @cached_property
    def _figures(
        self,
    ) -> tuple[list[npt.NDArray[Any]], npt.NDArray[np.float64], npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        costs, utilizations, verdicts, within = self._native.figures()
        return (
            [np.frombuffer(cost, np.int64 if is_whole else np.float64) for is_whole, cost in costs],
            np.frombuffer(utilizations, np.float64),
            np.frombuffer(verdicts, np.int8),
            np.frombuffer(within, np.int8),
        )

    @property
    def area(self) -> npt.NDArray[Any]:
        """The areas of all points: int64 where they are whole and fit it, else the nearest float64. Read-only.

        Exact areas are those of the points: ``front[k].area``. InputError if the front counts several resources, see `cost`.
        """
        return _cost.only(self.cost, "cost")

    @property
    def cost(self) -> dict[str, npt.NDArray[Any]]:
        """The costs of all points in each resource, as `area`; with one area, ``{"area": ...}``.

        Examples
        --------
        >>> isx.explore(hub).cost["DSP"].tolist()
        [0, 0, 4, 0, 0, 4, 0, 0, 4]
        """
        return _cost.named(self.resources, self._figures[0])

    @property
    def utilization(self) -> npt.NDArray[np.float64]:
        """The float64 nearest to the utilization of every point. Read-only.

        Do not compare it with 1 to see whether a design is schedulable: `schedulable` is decided exactly.
        """
        return self._figures[1]

    @property
    def schedulable(self) -> npt.NDArray[np.int8]:
        """The verdicts of all points: 1 for yes, 0 for no, -1 for unknown, see `Point.schedulable`. Read-only int8."""
        return self._figures[2]

    @property
    def schedulable_within(self) -> npt.NDArray[np.int8]:
        """Whether any design of no more area, or no more of any objective, is schedulable. Read-only int8, as `schedulable`."""
        return self._figures[3]

    @cached_property
    def choice_codes(self) -> npt.NDArray[np.int32]:
        """The choice of every task (row) at every point (column), as an index into `choice_names`; -1 is software. Read-only."""
        codes = np.frombuffer(self._native.choices(), np.int32)
        return codes.reshape(len(self._tasks), len(self))

    @property
    def choice_names(self) -> dict[str, tuple[str, ...]]:
        """The names of the choices that each task has, in the order of the file."""
        return dict(self._tasks)

    def choices(self, task: str) -> npt.NDArray[np.object_]:
        """The choice of a task at every point, by name.

        Parameters
        ----------
        task : str
            The task's name.

        Returns
        -------
        numpy.ndarray of object
            A name, or None for software, a point.

        Raises
        ------
        KeyError
            There is no such task.

        Examples
        --------
        >>> isx.explore(gateway).choices("packet-sha256")[:3].tolist()
        [None, 'ssha256', None]
        """
        if task not in self.tasks:
            raise KeyError(task)
        at = self.tasks.index(task)
        names = np.array([*self._tasks[at][1], None], dtype=object)
        chosen: npt.NDArray[np.object_] = names[self.choice_codes[at]]
        return chosen

    @property
    def base(self) -> Point:
        """The design that is all software. Its verdict is about itself alone."""
        return self._design(None, self._native.base)

    @property
    def smallest_schedulable(self) -> Point | None:
        """The schedulable design of least area, which need not be on the front; None if there is none or it is not known. Of
        several resources it is the first of `min_schedulable`.
        """
        parts = self._native.smallest
        return None if parts is None else self._design(None, parts)

    @property
    def smallest_unknown(self) -> str | None:
        """Why the smallest schedulable design, or some minimal schedulable cost, is not known, where it is not."""
        return self._native.smallest_unknown

    @property
    def min_schedulable(self) -> tuple[Point, ...]:
        """The schedulable designs of minimal costs, which need not be on the front: no schedulable design costs no more of every
        resource and less of one. With one area, the smallest schedulable design.

        Examples
        --------
        >>> [(str(one.cost["LUT"]), str(one.cost["DSP"])) for one in isx.explore(hub).min_schedulable]
        [('1634', '0'), ('1644', '4'), ('1704', '0'), ('2078', '0')]
        """
        if self.resources:
            return tuple(self._design(None, parts) for parts in self._native.minimal)
        smallest = self.smallest_schedulable
        return () if smallest is None else (smallest,)

    @property
    def mode_areas(self) -> dict[tuple[str, ...], Fraction | None]:
        """The smallest area at which some of the modes are schedulable without the others, by their names; None if there
        is none or it is not known. Empty if the task set has one mode."""
        return {tuple(modes): area for modes, area, _ in self._native.mode_areas}

    @property
    def margins(self) -> tuple[Margin, ...]:
        """The smallest schedulable areas with margins of 10, 20 and 30 %, among the designs of this front; empty if it
        counts several resources, where ``margin=`` of `explore` asks for one margin.

        Examples
        --------
        >>> [(str(one.margin), one.smallest_area) for one in isx.explore(gateway).margins]
        [('1/10', Fraction(1904, 1)), ('1/5', Fraction(1944, 1)), ('3/10', Fraction(2274, 1))]
        """
        return tuple(Margin(*parts) for parts in self._native.margins)

    def within(self, area: Number) -> Point | None:
        """The point of least utilization within an area.

        Parameters
        ----------
        area : Number
            In the set's area unit.

        Returns
        -------
        Point or None
            None if even the first point needs more.

        Raises
        ------
        InputError
            The front counts several resources: `show` with ``within=`` finds the design of least utilization within limits.
        """
        if self.resources:
            raise InputError("an area is no limit of several resources: ask isx.show(set, within={'LUT': 5000})")
        number = self._native.within(exact(area, "area"))
        return None if number is None else self._point(number)

    def show(
        self,
        *,
        area: Number | None = None,
        point: SupportsIndex | None = None,
        max_utilization: Number | None = None,
        smallest: bool = False,
    ) -> Design:
        """One design task by task; as `isx.show`.

        Parameters
        ----------
        area, point, max_utilization, smallest
            Which design; give one of the four.

        Returns
        -------
        Design
            The design.

        Raises
        ------
        NoSuchDesign
            There is no such design, or the smallest schedulable one is not known.
        """
        number = None if point is None else index(point, "point")
        if number is not None:
            if not -len(self) <= number < len(self):
                raise NoSuchDesign(f"there is no point {shown(number)}: the front has {len(self)}, counted from 0")
            number %= len(self)
        budget = None if area is None else exact(area, "area")
        most = None if max_utilization is None else exact(max_utilization, "max_utilization")
        return Design._of(self._native.show(budget, number, most, smallest))

    @overload
    def to_json(self, path: None = None) -> bytes: ...

    @overload
    def to_json(self, path: str | os.PathLike[str]) -> None: ...

    def to_json(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """The front as JSON, schema ``isx.front/1``, or of several resources ``isx.front/2``: the bytes that the command writes.

        Parameters
        ----------
        path : path, optional
            Write to this file, which appears whole or not at all.

        Returns
        -------
        bytes or None
            The document, if it was not written to a file.
        """
        return self._written("json", path)

    @overload
    def to_csv(self, path: None = None) -> bytes: ...

    @overload
    def to_csv(self, path: str | os.PathLike[str]) -> None: ...

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """The front as CSV, a row per point; otherwise as `to_json`."""
        return self._written("csv", path)

    @overload
    def to_parquet(self, path: None = None) -> bytes: ...

    @overload
    def to_parquet(self, path: str | os.PathLike[str]) -> None: ...

    def to_parquet(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """The front as Parquet, a row per point, a few bytes each; otherwise as `to_json`."""
        return self._written("parquet", path)

    @overload
    def to_svg(self, path: None = None) -> bytes: ...

    @overload
    def to_svg(self, path: str | os.PathLike[str]) -> None: ...

    def to_svg(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """The front as a picture; otherwise as `to_json`. InputError if it counts several resources."""
        return self._written("svg", path)

    @overload
    def to_html(self, path: None = None) -> bytes: ...

    @overload
    def to_html(self, path: str | os.PathLike[str]) -> None: ...

    def to_html(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """The front as one page for a browser, to pass on and decide with; otherwise as `to_json`.

        The page needs no network. It says which task set it was made of, by name and SHA-256.

        Raises
        ------
        InputError
            The figures are too long for a page, or the front counts several resources.
        """
        return self._written("html", path)

    def _written(self, form: str, path: str | os.PathLike[str] | None) -> bytes | None:
        if path is None:
            return self._native.to_bytes(form, self._source)
        self._native.to_file(form, os.fspath(path), self._source)
        return None

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

    def _repr_html_(self) -> str:
        """A summary and the picture, for notebooks; names are escaped, and the picture cannot run anything."""
        smallest = self.smallest_schedulable
        if self.resources:
            answer = _cost.minimal_words([one.cost for one in self.min_schedulable], self.smallest_unknown)
        elif smallest is not None:
            answer = f"{_html.amount(smallest.area, self.area_unit)}, with {_html.taken(smallest.choices)}"
        else:
            answer = self.smallest_unknown or "none: no design is"
        rows = {
            "Designs": f"{len(self)}, {self.status}{'' if self.complete else ', cut at an area'}",
            "Software only": f"utilization {_html.rounded(self.base.utilization)}",
        }
        if self.objectives != self.resources:
            rows["Objectives"] = ", ".join(self.objectives)
        if self.limits:
            rows["Limits"] = _cost.limits_words(self.limits, self.device)
        rows["Minimal schedulable costs" if self.resources else "Smallest schedulable area"] = answer
        if self.margins:
            rows["With more margin"] = ", ".join(map(str, self.margins))
        rows["Engine"] = self.engine
        if self.what_if:
            rows["What if"] = ", ".join(self.what_if)
        return _html.page(self.name, _html.facts(rows), self._picture())

    def _picture(self) -> str:
        try:
            return _html.picture(self.to_svg(), f"The front of {self.name}")
        except Error:
            # Figures beyond a double cannot be drawn.
            return ""

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Front stays in its process: send to_parquet(), or the TaskSet, or the figures you need")

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)
