"""What hardware costs: one area, or an amount of each of several resources."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeVar

from . import _html, _isx
from ._errors import InputError
from ._types import ResourceParts

AREA = "area"
"""What stands for the only resource of a set with one area, as in the command's files."""

MOST_COSTS = 3
"""Of more minimal costs than this the first ones are shown."""

Of = TypeVar("Of")


class Costed:
    """What has a cost, and in a set with one area this alone."""

    __slots__ = ()

    cost: Mapping[str, Fraction]

    @property
    def area(self) -> Fraction:
        """Its area, in the set's area unit; InputError if the set counts several resources, see `cost`."""
        return only(self.cost, "cost")


class Resources(NamedTuple):
    """The resources of a set or a front; all lists are empty if it has one area."""

    names: list[str]
    objectives: list[str]
    base: list[Fraction]
    limits: list[Fraction | None]
    fill: list[Fraction]
    device: str | None

    @classmethod
    def _of(cls, parts: ResourceParts | None) -> "Resources":
        return cls([], [], [], [], [], None) if parts is None else cls(*parts)

    def limited(self) -> dict[str, Fraction]:
        """The limits of the resources that have any."""
        return {name: limit for name, limit in zip(self.names, self.limits, strict=True) if limit is not None}


class Described:
    """What a task set and its front say alike."""

    __slots__ = ()

    _native: _isx.TaskSet | _isx.Front

    @property
    def name(self) -> str:
        """The task set's name."""
        return self._native.name

    @property
    def area_unit(self) -> str:
        """The unit of areas; empty if none is named."""
        return self._native.area_unit

    @property
    def scheduler(self) -> str:
        """``edf``, ``rm``, ``dm`` or ``fixed``."""
        return self._native.scheduler

    @property
    def _resources(self) -> Resources:
        return Resources._of(self._native.resources)

    @property
    def resources(self) -> tuple[str, ...]:
        """The names of the resources that hardware costs; empty if it costs an area."""
        return tuple(self._resources.names)

    @property
    def objectives(self) -> tuple[str, ...]:
        """The resources that the front is computed for, in the order its points are sorted by; the others only have limits."""
        return tuple(self._resources.objectives)

    @property
    def limits(self) -> dict[str, Fraction]:
        """The most that a design may cost of each resource that is limited; what may be filled of a device counts already."""
        return self._resources.limited()

    @property
    def device(self) -> str | None:
        """The FPGA that the limits come from, by name."""
        return self._resources.device


def only(of: Mapping[str, Of], name: str) -> Of:
    """What there is of the one area; refused where resources are counted."""
    if of.keys() != {AREA}:
        raise InputError(f"there is no area where resources are counted: use {name}, which has {', '.join(of)}")
    return of[AREA]


def named(names: Iterable[str], parts: Iterable[Of]) -> dict[str, Of]:
    """What there is of each resource; without names, of the area."""
    return dict(zip(tuple(names) or (AREA,), parts, strict=True))


def told(document: Mapping[str, object]) -> dict[str, Fraction]:
    """The cost of something in a document."""
    cost = document.get("cost")
    return amounts(cost if isinstance(cost, Mapping) else {AREA: document["area"]})


def amounts(told: Mapping[str, object]) -> dict[str, Fraction]:
    """Exact amounts by resource, as documents have them."""
    return {name: Fraction(str(amount)) for name, amount in told.items()}


def words(cost: Mapping[str, Fraction], unit: str = "") -> str:
    """A cost in words: ``120 NAND2``, or ``LUT 120, DSP 4``."""
    if cost.keys() == {AREA}:
        return _html.amount(cost[AREA], unit)
    return ", ".join(f"{name} {_html.amount(amount)}" for name, amount in cost.items())


def limits_words(limits: Mapping[str, Fraction], device: str | None) -> str:
    """Limits in words, with the device that they are of."""
    shown = words(limits)
    return f"{device} ({shown})" if device and shown else device or shown


def minimal_words(costs: Sequence[Mapping[str, Fraction]], unknown: str | None, unit: str = "") -> str:
    """The minimal schedulable costs in words, at most some of them."""
    if not costs:
        return "unknown" if unknown else "none: no design is schedulable"
    shown = " or ".join(words(cost, unit) for cost in costs[:MOST_COSTS])
    more = f" or {len(costs) - MOST_COSTS} more" if len(costs) > MOST_COSTS else ""
    return f"{shown}{more}{'; others are not known' if unknown else ''}"
