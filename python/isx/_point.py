"""The designs of a front, and what margins cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from . import _html
from ._cost import Costed


@dataclass(frozen=True, slots=True)
class Point(Costed):
    """A design of a front, exactly. Its `area` is that of a set with one area.

    Attributes
    ----------
    index : int or None
        Its number on the front, from 0; None for a design that need not be on it.
    cost : dict of str to fractions.Fraction
        What it costs of each resource, the base included; with one area, ``{"area": ...}`` in the set's area unit.
    utilization : fractions.Fraction
        The sum of WCET / period, at the clock that the design runs at.
    schedulable : bool or None
        Whether this design meets all deadlines; None where that was not decided.
    schedulable_within : bool or None
        Whether any design of no more area meets all deadlines, of several resources one of no more of any objective; None
        where that was not decided.
    choices : dict of str to (str or None)
        The choice of every task; None is software.
    blocks : tuple of str
        The blocks that it builds, in the order of the file.
    clock_hz : fractions.Fraction or None
        The clock that it runs at, where a block limits it.
    variant : str or None
        The variant of the processor that it is built with; None if there is one processor.
    mode_utilization : dict of str to fractions.Fraction
        The utilization in each mode, of which `utilization` is the largest; empty if the set has one mode.
    margin : fractions.Fraction or None
        On a front of area against margin, the largest factor on all WCETs with which it stays schedulable.
    """

    index: int | None
    cost: Mapping[str, Fraction]
    utilization: Fraction
    schedulable: bool | None
    schedulable_within: bool | None
    choices: Mapping[str, str | None]
    blocks: tuple[str, ...]
    clock_hz: Fraction | None
    variant: str | None
    mode_utilization: Mapping[str, Fraction]
    margin: Fraction | None = None

    @property
    def critical_mode(self) -> str | None:
        """The mode of the largest utilization, the first of several; None if the set has one mode."""
        return critical(self.mode_utilization)


def critical(modes: Mapping[str, Fraction]) -> str | None:
    """The mode of the largest utilization, the first of several."""
    return max(modes, key=lambda mode: modes[mode], default=None)


@dataclass(frozen=True, slots=True)
class Margin:
    """The smallest schedulable area if all WCETs are longer.

    Attributes
    ----------
    margin : fractions.Fraction
        By which part of them: 1/10 for 10 %.
    smallest_area : fractions.Fraction or None
        The smallest schedulable area then; None if no design is, or it is not known.
    smallest_unknown : str or None
        Why it is not known, where it is not.
    """

    margin: Fraction
    smallest_area: Fraction | None
    smallest_unknown: str | None

    def __str__(self) -> str:
        area = "not known" if self.smallest_unknown else "none"
        if self.smallest_area is not None:
            area = _html.amount(self.smallest_area)
        return f"{_html.amount(100 * self.margin)} %: {area}"
