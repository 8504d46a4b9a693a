"""Tasks, the choices that they have, and the blocks that choices use."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ._cost import Costed


@dataclass(frozen=True, slots=True)
class Choice(Costed):
    """A custom instruction, or several, that a task may take. Its `area` is that of a set with one area.

    Attributes
    ----------
    name : str
        Unique within the task.
    cost : dict of str to fractions.Fraction
        Hardware beside the blocks it uses: an amount of each resource, which is below 0 where some of it is freed; with one
        area, ``{"area": ...}`` in the set's area unit.
    uses : tuple of str
        The blocks that it uses.
    wcet : fractions.Fraction
        The task's worst-case execution time with it, in the set's time unit.
    source : str or None
        Where the figures come from.
    """

    name: str
    cost: Mapping[str, Fraction] = field(hash=False)
    uses: tuple[str, ...]
    wcet: Fraction
    source: str | None


@dataclass(frozen=True, slots=True)
class Task:
    """A task; times are in the set's time unit.

    Attributes
    ----------
    name : str
        Unique within the set.
    wcet : fractions.Fraction
        Worst-case execution time in software.
    period : fractions.Fraction
        Period, or least time between two jobs.
    deadline : fractions.Fraction
        Relative deadline; the period unless given.
    priority : int or None
        1 is the highest; for the scheduler ``fixed``.
    choices : tuple of Choice
        At most one of them is taken.
    """

    name: str
    wcet: Fraction
    period: Fraction
    deadline: Fraction
    priority: int | None
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Block(Costed):
    """Hardware that is built once, however many choices use it. Its `area` is that of a set with one area.

    Attributes
    ----------
    name : str
        Unique within the set.
    cost : dict of str to fractions.Fraction
        As that of a `Choice`.
    slot : str or None
        Of the blocks of a slot at most one is built.
    fmax_hz : fractions.Fraction or None
        A design that builds it runs at this clock or less, in hertz.
    source : str or None
        Where the figures come from.
    """

    name: str
    cost: Mapping[str, Fraction] = field(hash=False)
    slot: str | None
    fmax_hz: Fraction | None
    source: str | None
