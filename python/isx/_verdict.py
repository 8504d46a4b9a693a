"""Verdicts within an area budget, or with any area."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from . import _cost, _html
from ._cost import AREA, Costed


@dataclass(frozen=True, slots=True)
class ResponseTime:
    """The worst-case response time of a task under fixed priorities, in the set's time unit.

    Attributes
    ----------
    task : str
        The task.
    response_time : fractions.Fraction or None
        None where there is none, or it was not found; `why` says so.
    deadline : fractions.Fraction
        The task's relative deadline.
    why : str or None
        Why there is no response time.
    """

    task: str
    response_time: Fraction | None
    deadline: Fraction
    why: str | None


@dataclass(frozen=True, slots=True)
class Verdict(Costed):
    """Whether a task set is schedulable within a given area or limits, or with any.

    As a condition, ``if verdict:``, it is its `schedulable`; an unknown one raises TypeError there.

    Attributes
    ----------
    name, area_unit : str
        Of the task set; the unit is empty if none is named.
    schedulable : bool or None
        True, False, or None if it was not decided.
    reason : str
        Why, in one sentence.
    min_schedulable : tuple of dict, or None
        The minimal costs that would do: no schedulable design costs no more of every resource and less of one. With one
        area, the smallest area that would do. Empty if nothing does or it is not known; None if only limits were asked about.
    smallest_unknown : str or None
        Why the smallest area, or some minimal cost, is not known, where it is not.
    budget : fractions.Fraction or None
        The area that was to be spent; None if any may be.
    resources : tuple of str
        The resources that hardware costs; empty if it costs an area.
    limits : dict of str to fractions.Fraction
        The most that a design may cost of each resource that is limited.
    device : str or None
        The FPGA that the limits come from.
    cost : dict of str to fractions.Fraction
        The cost of the design below: a schedulable one where there is one, else the one of least utilization. With one area,
        ``{"area": ...}``.
    utilization, slack : fractions.Fraction
        Its utilization, and 1 less that.
    least_utilization : fractions.Fraction
        The least utilization within the budget or the limits.
    choices : dict of str to (str or None)
        The choice of every task of that design.
    blocks : tuple of str or None
        The blocks that it builds; None where the set has none.
    clock_hz : fractions.Fraction or None
        The clock that it runs at, where a block limits it.
    variant : str or None
        The variant of the processor that it is built with; None if there is one processor.
    mode_utilization : dict of str to fractions.Fraction
        Its utilization in each mode; empty if the set has one mode.
    mode_schedulable : dict of str to (bool or None)
        Whether it meets all deadlines in each mode; None where that was not decided.
    critical_mode : str or None
        The mode of the largest utilization; None if the set has one mode.
    response_times : tuple of ResponseTime or None
        Under fixed priorities.
    what_if : tuple of str
        What was changed, in words.
    engine : str
        The engine and what it used.
    """

    name: str
    area_unit: str
    schedulable: bool | None
    reason: str
    min_schedulable: tuple[Mapping[str, Fraction], ...] | None
    smallest_unknown: str | None
    budget: Fraction | None
    resources: tuple[str, ...]
    limits: Mapping[str, Fraction]
    device: str | None
    cost: Mapping[str, Fraction]
    utilization: Fraction
    slack: Fraction
    least_utilization: Fraction
    choices: Mapping[str, str | None]
    blocks: tuple[str, ...] | None
    clock_hz: Fraction | None
    variant: str | None
    mode_utilization: Mapping[str, Fraction]
    mode_schedulable: Mapping[str, bool | None]
    critical_mode: str | None
    response_times: tuple[ResponseTime, ...] | None
    what_if: tuple[str, ...]
    engine: str
    _document: bytes = field(repr=False, compare=False)

    @classmethod
    def _of(cls, document: bytes, unknown: str | None, engine: str) -> "Verdict":
        told: dict[str, Any] = json.loads(document)
        words = {"schedulable": True, "not_schedulable": False, "unknown": None}
        return cls(
            name=told["taskset"],
            area_unit=told.get("area_unit", ""),
            schedulable=words[told["verdict"]],
            reason=told["reason"],
            min_schedulable=minimal(told),
            smallest_unknown=unknown,
            budget=number(told.get("budget")),
            resources=tuple(told.get("resources", ())),
            limits=_cost.amounts(told.get("limits", {})),
            device=told.get("device"),
            cost=_cost.told(told),
            utilization=ratio(told["utilization"]),
            slack=ratio(told["slack"]),
            least_utilization=ratio(told["least_utilization"]),
            choices=told["choices"],
            blocks=tuple(told["blocks"]) if "blocks" in told else None,
            clock_hz=number(told.get("clock_hz")),
            variant=told.get("variant"),
            mode_utilization={mode: ratio(one) for mode, one in told.get("mode_utilization", {}).items()},
            mode_schedulable=told.get("mode_schedulable", {}),
            critical_mode=told.get("critical_mode"),
            response_times=responses(told),
            what_if=tuple(told.get("what_if", ())),
            engine=engine,
            _document=document,
        )

    @property
    def smallest_area(self) -> Fraction | None:
        """The smallest area that would do, in the set's area unit; None if none does or it is not known. InputError if the set
        counts several resources, see `min_schedulable`.
        """
        _cost.only(self.cost, "min_schedulable")
        return self.min_schedulable[0][AREA] if self.min_schedulable else None

    def __bool__(self) -> bool:
        if self.schedulable is None:
            raise TypeError(f"whether the set is schedulable is not known: {self.reason}")
        return self.schedulable

    def to_json(self) -> bytes:
        """The verdict as JSON, schema ``isx.verdict/1``, or of several resources ``isx.verdict/2``.

        These are the bytes that ``isx check --json`` prints.
        """
        return self._document

    def _repr_html_(self) -> str:
        """The verdict, and the design behind it, for notebooks; names are escaped."""
        within = "" if self.budget is None else f" with area {_html.amount(self.budget, self.area_unit)}"
        if self.limits:
            within = f" within {_cost.limits_words(self.limits, self.device)}"
        smallest = "Minimal schedulable costs" if self.resources else "Smallest schedulable area"
        rows = {"Why": self.reason}
        if self.min_schedulable is not None:
            rows[smallest] = _cost.minimal_words(self.min_schedulable, self.smallest_unknown, self.area_unit)
        rows["Cost" if self.resources else "Area used"] = _cost.words(self.cost, self.area_unit)
        rows["Utilization"] = _html.rounded(self.utilization)
        rows["Choices"] = _html.taken(self.choices)
        if self.blocks:
            rows["Blocks"] = ", ".join(self.blocks)
        if self.what_if:
            rows["What if"] = ", ".join(self.what_if)
        times = "" if self.response_times is None else response_rows(self.response_times)
        return _html.page(f"{self.name}: {_html.verdict(self.schedulable)}{within}", _html.facts(rows), times)


def response_rows(times: tuple[ResponseTime, ...]) -> str:
    """Response times as a table, for notebooks."""
    heads = ["Task", "Response time", "Deadline"]

    def row(one: ResponseTime) -> list[str]:
        longest = one.why or "unknown" if one.response_time is None else _html.amount(one.response_time)
        return [one.task, longest, _html.amount(one.deadline)]

    return _html.table(heads, map(row, times))


def minimal(told: Mapping[str, Any]) -> tuple[Mapping[str, Fraction], ...] | None:
    """The minimal schedulable costs of a document; of one area the smallest."""
    if "min_schedulable" in told:
        costs = told["min_schedulable"]
        return None if costs is None else tuple(map(_cost.amounts, costs))
    smallest = number(told["min_schedulable_area"])
    return () if smallest is None else ({AREA: smallest},)


def number(text: str | None) -> Fraction | None:
    """The exact number that a text of a document stands for."""
    return None if text is None else Fraction(text)


def ratio(told: Mapping[str, Any]) -> Fraction:
    """The fraction that an object of a document stands for."""
    return Fraction(int(told["num"]), int(told["den"]))


def responses(told: Mapping[str, Any]) -> tuple[ResponseTime, ...] | None:
    """The response times of a document, where it has any."""
    if "response_times" not in told:
        return None
    return tuple(
        ResponseTime(one["task"], number(one["response_time"]), Fraction(one["deadline"]), one.get("why"))
        for one in told["response_times"]
    )
