"""One design, task by task."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from . import _cost, _html
from ._cost import Costed
from ._verdict import ResponseTime, number, ratio, response_rows, responses


@dataclass(frozen=True, slots=True)
class DesignTask(Costed):
    """A task of a design. Its `area` is that of a set with one area.

    Attributes
    ----------
    name : str
        The task.
    choice : str or None
        What it takes; None is software.
    cost : dict of str to fractions.Fraction
        The choice's own cost, beside its blocks; with one area, ``{"area": ...}``.
    software_wcet, wcet : fractions.Fraction
        In software and in the design, in the set's time unit; cycles are those of the design's own clock.
    software_utilization, utilization : fractions.Fraction
        In software and in the design.
    share : fractions.Fraction
        The part of the design's utilization that is this task's.
    """

    name: str
    choice: str | None
    cost: Mapping[str, Fraction]
    software_wcet: Fraction
    wcet: Fraction
    software_utilization: Fraction
    utilization: Fraction
    share: Fraction


@dataclass(frozen=True, slots=True)
class DesignBlock(Costed):
    """A block that a design builds: its name, its cost (with one area, ``{"area": ...}``), and the tasks whose choices use it."""

    name: str
    cost: Mapping[str, Fraction]
    used_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NextDesign:
    """The next point of the front.

    Attributes
    ----------
    point : int
        Its number.
    area, more_area : fractions.Fraction
        Its area, and what that is more.
    utilization, less_utilization : fractions.Fraction
        Its utilization, and what that is less.
    choices : tuple of str
        ``task=choice`` for every task that takes another choice.
    blocks : tuple of str
        ``+block`` for one that is built then, ``-block`` for one that is not any more.
    """

    point: int
    area: Fraction
    more_area: Fraction
    utilization: Fraction
    less_utilization: Fraction
    choices: tuple[str, ...]
    blocks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Design(Costed):
    """A design, task by task. Its `area` is that of a set with one area.

    Attributes
    ----------
    name, area_unit, time_unit, scheduler : str
        Of the task set; a unit is empty if none is named.
    point : int or None
        Its number on the front, from 0; None if it is off the front.
    points : int or None
        The number of points; None where limits chose the design, which needs no front.
    resources : tuple of str
        The resources that hardware costs; empty if it costs an area.
    limits : dict of str to fractions.Fraction
        The most that a design may cost of each resource that is limited.
    device : str or None
        The FPGA that the limits come from.
    cost : dict of str to fractions.Fraction
        What it costs of each resource, the base included; with one area, ``{"area": ...}`` in the set's area unit.
    utilization, software_utilization, slack : fractions.Fraction
        Of the design, all in software, and 1 less the first.
    schedulable, schedulable_within : bool or None
        As those of `Point`.
    margin : fractions.Fraction or None
        The largest factor on all WCETs with which it stays schedulable.
    margin_limit, margin_unknown : str or None
        What would fail beyond; why the margin is not known.
    tasks : tuple of DesignTask
        In the order of the file.
    blocks : tuple of DesignBlock or None
        Those that are built; None where the set has none.
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
    clock_limited_by : tuple of str
        The blocks that limit it.
    response_times : tuple of ResponseTime or None
        Under fixed priorities.
    what_if : tuple of str
        What was changed, in words.
    next : NextDesign or None
        The next point of the front; None for several resources, where none comes next.
    complete : bool
        Whether the front ends where no design saves more.
    """

    name: str
    area_unit: str
    time_unit: str
    scheduler: str
    point: int | None
    points: int | None
    resources: tuple[str, ...]
    limits: Mapping[str, Fraction]
    device: str | None
    cost: Mapping[str, Fraction]
    utilization: Fraction
    software_utilization: Fraction
    slack: Fraction
    schedulable: bool | None
    schedulable_within: bool | None
    margin: Fraction | None
    margin_limit: str | None
    margin_unknown: str | None
    tasks: tuple[DesignTask, ...]
    blocks: tuple[DesignBlock, ...] | None
    clock_hz: Fraction | None
    variant: str | None
    mode_utilization: Mapping[str, Fraction]
    mode_schedulable: Mapping[str, bool | None]
    critical_mode: str | None
    clock_limited_by: tuple[str, ...]
    response_times: tuple[ResponseTime, ...] | None
    what_if: tuple[str, ...]
    next: NextDesign | None
    complete: bool
    _document: bytes = field(repr=False, compare=False)

    @classmethod
    def _of(cls, document: bytes) -> "Design":
        told: dict[str, Any] = json.loads(document)
        margin = told["margin"]
        blocks = told.get("blocks")
        return cls(
            name=told["taskset"],
            area_unit=told.get("area_unit", ""),
            time_unit=told["time_unit"],
            scheduler=told["scheduler"],
            point=told["point"],
            points=told["points"],
            resources=tuple(told.get("resources", ())),
            limits=_cost.amounts(told.get("limits", {})),
            device=told.get("device"),
            cost=_cost.told(told),
            utilization=ratio(told["utilization"]),
            software_utilization=ratio(told["software_utilization"]),
            slack=ratio(told["slack"]),
            schedulable=told["schedulable"],
            schedulable_within=told["schedulable_within"],
            margin=None if margin is None else ratio(margin),
            margin_limit=told["margin_limit"],
            margin_unknown=told["margin_unknown"],
            tasks=tuple(_task(task) for task in told["tasks"]),
            blocks=None if blocks is None else tuple(_block(block) for block in blocks),
            clock_hz=number(told.get("clock_hz")),
            variant=told.get("variant"),
            mode_utilization={mode: ratio(one) for mode, one in told.get("mode_utilization", {}).items()},
            mode_schedulable=told.get("mode_schedulable", {}),
            critical_mode=told.get("critical_mode"),
            clock_limited_by=tuple(told.get("clock_limited_by", ())),
            response_times=responses(told),
            what_if=tuple(told.get("what_if", ())),
            next=None if told["next"] is None else _next(told["next"]),
            complete=told["complete"],
            _document=document,
        )

    def to_json(self) -> bytes:
        """The design as JSON, schema ``isx.design/1``, or of several resources ``isx.design/2``.

        These are the bytes that ``isx show --json`` prints.
        """
        return self._document

    def _repr_html_(self) -> str:
        """The design task by task, for notebooks; names are escaped."""
        if self.points is None:
            place = "design of least utilization within the limits"
        else:
            place = "off the front" if self.point is None else f"design {self.point} (numbered 0 to {self.points - 1})"
        rows = {"Cost" if self.resources else "Area": _cost.words(self.cost, self.area_unit)}
        if self.limits:
            rows["Limits"] = _cost.limits_words(self.limits, self.device)
        rows["Utilization"] = _html.change(self.software_utilization, self.utilization)
        if self.margin is not None:
            rows["Largest factor on all WCETs"] = _html.rounded(self.margin)
        if self.blocks:
            rows["Blocks"] = ", ".join(block.name for block in self.blocks)
        if self.variant is not None:
            rows["Variant"] = self.variant
        if self.clock_hz is not None:
            rows["Clock"] = _html.amount(self.clock_hz / 10**6, "MHz")
        if self.next is not None:
            more = _html.amount(self.next.more_area, self.area_unit)
            less = _html.rounded(self.next.less_utilization)
            rows["Next design"] = f"{more} more area, {less} less utilization: {', '.join(self.next.choices)}"
        if self.what_if:
            rows["What if"] = ", ".join(self.what_if)
        heads = ["Task", "Choice", f"WCET{f' ({self.time_unit})' if self.time_unit else ''}", "Utilization", "Share"]

        def row(task: DesignTask) -> list[str]:
            wcet = _html.change(task.software_wcet, task.wcet)
            utilization = _html.change(task.software_utilization, task.utilization)
            return [task.name, task.choice or "software", wcet, utilization, f"{round(100 * task.share)} %"]

        times = "" if self.response_times is None else response_rows(self.response_times)
        title = f"{self.name}: {place}, {_html.verdict(self.schedulable)}"
        return _html.page(title, _html.facts(rows), _html.table(heads, map(row, self.tasks)), times)


def _task(told: Mapping[str, Any]) -> DesignTask:
    wcet, utilization = told["wcet"], told["utilization"]
    return DesignTask(
        name=told["task"],
        choice=told["choice"],
        cost=_cost.told(told),
        software_wcet=Fraction(wcet["software"]),
        wcet=Fraction(wcet["design"]),
        software_utilization=ratio(utilization["software"]),
        utilization=ratio(utilization["design"]),
        share=ratio(told["share"]),
    )


def _block(told: Mapping[str, Any]) -> DesignBlock:
    return DesignBlock(told["block"], _cost.told(told), tuple(told["used_by"]))


def _next(told: Mapping[str, Any]) -> NextDesign:
    return NextDesign(
        point=told["point"],
        area=Fraction(told["area"]),
        more_area=Fraction(told["more_area"]),
        utilization=ratio(told["utilization"]),
        less_utilization=ratio(told["less_utilization"]),
        choices=tuple(told["choices"]),
        blocks=tuple(told["blocks"]),
    )
