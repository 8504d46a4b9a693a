"""Fronts compared: which has the least utilization within the same area, and by how much."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
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
    """One of the fronts that are compared.

    Attributes
    ----------
    name : str
        What it was called: the name of its task set, that of its file, or one of ``names``.
    label : str
        What texts and pictures call it, which differs from those of the others.
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
    label: str
    task_set: str
    what_if: tuple[str, ...]
    points: int
    smallest_area: Fraction | None
    least_utilization: Fraction
    complete: bool


@dataclass(frozen=True, slots=True)
class Span:
    """A range of areas in which the same fronts have the least utilization.

    Attributes
    ----------
    start : fractions.Fraction
        The first area of the range.
    end : fractions.Fraction or None
        The area before which it ends; None if it does not end.
    least : tuple of int
        The fronts that have it, as positions in `Comparison.fronts`: several if they are equal.
    absent : tuple of int
        The fronts that have no design so small.
    most : fractions.Fraction
        The greatest difference in the range between the least utilization and the next.
    most_at : fractions.Fraction
        The least area with that difference.
    """

    start: Fraction
    end: Fraction | None
    least: tuple[int, ...]
    absent: tuple[int, ...]
    most: Fraction
    most_at: Fraction


class Comparison:
    """Fronts compared, exactly. As text, ``print(comparison)``, it is what ``isx compare`` prints."""

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
    def fronts(self) -> tuple[ComparedFront, ...]:
        """The fronts, in the order given."""
        return tuple(_side(told) for told in self._told["fronts"])

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
        """All fronts in one picture: the bytes that ``isx compare -o`` writes.

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
        return f"<isx.Comparison of {len(self.fronts)} fronts: {self.conclusion}>"

    def __eq__(self, other: object) -> bool:
        return self._told == other._told if isinstance(other, Comparison) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.to_json())

    def _repr_html_(self) -> str:
        """The fronts, where which is better, and the picture, for notebooks."""
        unit = self.area_unit

        def named(side: ComparedFront) -> list[str]:
            smallest = "none known" if side.smallest_area is None else _html.amount(side.smallest_area, unit)
            changed = ", ".join(side.what_if) or "nothing"
            return [side.label, side.task_set, changed, str(side.points), smallest, _html.rounded(side.least_utilization)]

        def words(span: Span) -> list[str]:
            end = "on" if span.end is None else f"to {_html.amount(span.end, unit)}"
            areas = f"{_html.amount(span.start, '' if span.end is not None else unit)} {end}"
            better = "equal" if len(span.least) == len(labels) else ", ".join(labels[at] for at in span.least)
            absent = ", ".join(labels[at] for at in span.absent)
            return [areas, better, _html.rounded(span.most) if span.most else "", absent]

        labels = [side.label for side in self.fronts]
        heads = ["Front", "Task set", "Changed", "Designs", "Smallest schedulable area", "Least utilization"]
        spans = _html.table(["Area", "Least utilization", "By up to", "No design"], map(words, self.spans))
        try:
            drawn = _html.picture(self.to_svg(), ", ".join(labels))
        except Error:
            # Figures beyond a double cannot be drawn.
            drawn = ""
        return _html.page(self.conclusion, _html.table(heads, map(named, self.fronts)), spans, drawn)


def compare(
    *fronts: Front | str | os.PathLike[str],
    names: Sequence[str] | None = None,
) -> Comparison:
    """Compare two to six fronts: which has the least utilization within the same area, and by how much, exactly.

    Parameters
    ----------
    *fronts : Front, or path
        Fronts of `explore`, or files of fronts, JSON or Parquet (``front.to_json("front.json")``, ``isx explore``).
    names : strings, optional
        What they are called; if not given, a file has its own name, and a front that of its task set.

    Returns
    -------
    Comparison
        Which front is better where: as text (``print``), dictionary, JSON and picture. Notebooks show it.

    Raises
    ------
    InputError
        A file holds no front, the areas have different units, or there are less than two fronts or more than six.
    OSError
        A file cannot be read.

    Examples
    --------
    >>> comparison = isx.compare(isx.explore(gateway), isx.explore(gateway, forbid="packet-sha256=ssha256"), names=("all", "less"))
    >>> comparison.conclusion
    'all is nowhere worse than less. Least utilization: all 0.462019, less 0.603654.'
    >>> comparison.spans[1].least, comparison.spans[1].start
    ((0,), Fraction(787, 1))
    """
    given = [None] * len(fronts) if names is None else names
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != len(fronts):
        raise InputError(f"names must be as many texts as there are fronts, {len(fronts)}, not {names!r}")
    called = [None if name is None else utf8(name, "each of names") for name in given]
    return Comparison._of(_isx.compare([_document(*one) for one in zip(fronts, called, strict=True)]))


def _document(given: object, name: str | None) -> tuple[str, bytes]:
    """The name of a front, and its JSON."""
    match given:
        case Front():
            return name or given.name, given.to_json()
        case str() | os.PathLike():
            with open(given, "rb") as file:
                return name or os.path.basename(os.fspath(given)), file.read()
    raise InputError(f"a front is an isx.Front or the path of a front.json, not {type(given).__name__}: explore it first")


def _side(told: Mapping[str, Any]) -> ComparedFront:
    return ComparedFront(
        name=told["name"],
        label=told["label"],
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
        least=tuple(told["least"]),
        absent=tuple(told["absent"]),
        most=ratio(told["most"]),
        most_at=Fraction(told["most_at"]),
    )
