"""Two fronts compared: which has less utilization within the same area, and by how much."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, overload

from . import _html, _isx
from ._errors import Error, InputError
from ._exact import utf8
from ._front import Front
from ._verdict import number, ratio


@dataclass(frozen=True, slots=True)
class ComparedFront:
    """One of two fronts that are compared.

    Attributes
    ----------
    name : str
        What it is called in the comparison.
    task_set : str
        The name of its task set.
    what_if : tuple of str
        What was changed in the task set, in words.
    points : int
        The number of its points.
    smallest_area : fractions.Fraction or None
        Its smallest schedulable area, if there is one and it is known.
    least_utilization : fractions.Fraction
        The utilization of its last point.
    complete : bool
        Whether it reaches every useful area.
    """

    name: str
    task_set: str
    what_if: tuple[str, ...]
    points: int
    smallest_area: Fraction | None
    least_utilization: Fraction
    complete: bool


@dataclass(frozen=True, slots=True)
class Span:
    """A range of areas in which the same front is better.

    Attributes
    ----------
    start : fractions.Fraction
        The first area of the range.
    end : fractions.Fraction or None
        The area before which it ends; None if it does not end.
    better : str
        ``"first"``, ``"second"`` or ``"equal"``; ``"only_first"`` or ``"only_second"`` where the other has no design so small.
    most : fractions.Fraction
        The greatest difference of the utilizations in the range.
    most_at : fractions.Fraction
        The least area with that difference.
    """

    start: Fraction
    end: Fraction | None
    better: str
    most: Fraction
    most_at: Fraction


class Comparison:
    """Two fronts compared, exactly. As text, ``print(comparison)``, it is what ``isx compare`` prints."""

    _native: _isx.Comparison
    _told: dict[str, Any]

    def __init__(self) -> None:
        raise TypeError("a comparison is made by isx.compare")

    @classmethod
    def _of(cls, native: _isx.Comparison) -> Comparison:
        self = object.__new__(cls)
        self._native = native
        self._told = json.loads(native.json())
        return self

    @property
    def area_unit(self) -> str:
        """The unit of areas; empty if none is named."""
        unit: str = self._told["area_unit"]
        return unit

    @property
    def first(self) -> ComparedFront:
        """The first front, A in texts."""
        return _side(self._told["first"])

    @property
    def second(self) -> ComparedFront:
        """The second front, B in texts."""
        return _side(self._told["second"])

    @property
    def spans(self) -> tuple[Span, ...]:
        """Which front is better where, in order of area."""
        return tuple(_span(told) for told in self._told["spans"])

    @property
    def known_to(self) -> Fraction | None:
        """The area from which on nothing is known, because a front was cut there; None if all is known."""
        return number(self._told["known_to"])

    @property
    def conclusion(self) -> str:
        """Which front is better overall, in words: the line that ``isx compare --quiet`` prints."""
        return self._native.line()

    def to_dict(self) -> dict[str, Any]:
        """The comparison as a dictionary, schema ``isx.comparison/1``; exact numbers are texts."""
        told: dict[str, Any] = json.loads(self._native.json())
        return told

    def to_json(self) -> bytes:
        """The comparison as JSON: the bytes that ``isx compare --json`` prints."""
        return self._native.json()

    @overload
    def to_svg(self, path: None = None) -> bytes: ...

    @overload
    def to_svg(self, path: str | os.PathLike[str]) -> None: ...

    def to_svg(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """Both fronts in one picture: the bytes that ``isx compare -o`` writes.

        Parameters
        ----------
        path : path, optional
            Write to this file.

        Returns
        -------
        bytes or None
            The picture, if it was not written to a file.

        Raises
        ------
        InputError
            The figures are beyond those that can be drawn.
        """
        drawn = self._native.svg()
        if path is None:
            return drawn
        with open(path, "wb") as file:
            file.write(drawn)
        return None

    def __str__(self) -> str:
        return self._native.text(100).rstrip("\n")

    def __repr__(self) -> str:
        return f"<isx.Comparison of {self.first.name!r} and {self.second.name!r}: {self.conclusion}>"

    def __eq__(self, other: object) -> bool:
        return self._told == other._told if isinstance(other, Comparison) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_json())

    def _repr_html_(self) -> str:
        """Both fronts, where which is better, and the picture, for notebooks."""
        unit = self.area_unit

        def named(side: ComparedFront) -> list[str]:
            smallest = "none known" if side.smallest_area is None else _html.amount(side.smallest_area, unit)
            changed = ", ".join(side.what_if) or "nothing"
            return [side.name, side.task_set, changed, str(side.points), smallest, _html.rounded(side.least_utilization)]

        def words(span: Span) -> list[str]:
            end = "on" if span.end is None else f"to {_html.amount(span.end, unit)}"
            areas = f"{_html.amount(span.start, '' if span.end is not None else unit)} {end}"
            better = {
                "first": "A has less utilization",
                "second": "B has less utilization",
                "equal": "equal",
                "only_first": "only A has a design",
                "only_second": "only B has a design",
            }[span.better]
            by = _html.rounded(span.most) if span.better in ("first", "second") else ""
            return [areas, better, by]

        heads = ["", "Front", "Task set", "Changed", "Designs", "Smallest schedulable area", "Least utilization"]
        sides = [["A", *named(self.first)], ["B", *named(self.second)]]
        spans = _html.table(["Area", "Which is better", "By up to"], map(words, self.spans))
        try:
            drawn = _html.picture(self.to_svg(), f"{self.first.name} and {self.second.name}")
        except Error:
            # Figures beyond a double cannot be drawn.
            drawn = ""
        return _html.page(self.conclusion, _html.table(heads, sides), spans, drawn)


def compare(
    first: Front | str | os.PathLike[str],
    second: Front | str | os.PathLike[str],
    *,
    names: tuple[str, str] | None = None,
) -> Comparison:
    """Compare two fronts: where one has less utilization within the same area, and by how much, exactly.

    Parameters
    ----------
    first, second : Front, or path
        Fronts of `explore`, or files with the JSON of fronts (``front.to_json("front.json")``, ``isx explore``).
    names : pair of str, optional
        What they are called; if not given, a file has its own name, and a front that of its task set.

    Returns
    -------
    Comparison
        Which front is better where: as text (``print``), dictionary, JSON and picture. Notebooks show it.

    Raises
    ------
    InputError
        A file holds no front, or the areas have different units.
    OSError
        A file cannot be read.

    Examples
    --------
    >>> comparison = isx.compare(isx.explore(gateway), isx.explore(gateway, forbid="packet-sha256=ssha256"))
    >>> comparison.conclusion
    'A is nowhere worse than B. Least utilization: A 0.462019, B 0.603654.'
    >>> comparison.spans[1].better, comparison.spans[1].start
    ('first', Fraction(787, 1))
    """
    if names is not None and (not isinstance(names, (tuple, list)) or len(names) != 2):
        raise InputError(f"names must be a pair of texts, one per front, not {names!r}")
    called = (None, None) if names is None else (utf8(names[0], "each of names"), utf8(names[1], "each of names"))
    return Comparison._of(_isx.compare(_document(first, "first", called[0]), _document(second, "second", called[1])))


def _document(given: object, which: str, name: str | None) -> tuple[str, bytes]:
    """The name of a front, and its JSON."""
    match given:
        case Front():
            return name or given.name, given.to_json()
        case str() | os.PathLike():
            with open(given, "rb") as file:
                return name or os.path.basename(os.fspath(given)), file.read()
    raise InputError(f"{which} must be an isx.Front or the path of a front.json, not {type(given).__name__}: explore it first")


def _side(told: Mapping[str, Any]) -> ComparedFront:
    return ComparedFront(
        name=told["name"],
        task_set=told["taskset"],
        what_if=tuple(told["what_if"]),
        points=told["points"],
        smallest_area=number(told["min_schedulable_area"]),
        least_utilization=ratio(told["least_utilization"]),
        complete=told["complete"],
    )


def _span(told: Mapping[str, Any]) -> Span:
    return Span(
        start=Fraction(told["from"]),
        end=number(told["to"]),
        better=told["better"],
        most=ratio(told["most"]),
        most_at=Fraction(told["most_at"]),
    )
