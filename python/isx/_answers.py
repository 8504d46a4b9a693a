"""What isx answers: points, verdicts, designs, FPGAs, cores and comparisons, each declared as its document is written."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, ClassVar

from . import _html
from ._document import Amounts, Answer, Choices, Costed, Document, OfSet, Record, Written, only


class Built(Document, Costed):
    """What is built, and how busy that is."""

    cost: Annotated[Amounts, "What it costs of each resource, the base included."]
    utilization: Annotated[Fraction, "The sum of WCET / period, at the clock that the design runs at."]
    clock_hz: Annotated[Fraction | None, "The clock that it runs at, where a block limits it."]
    variant: Annotated[str | None, "The variant of the processor that it is built with; None if there is one processor."]
    mode_utilization: Annotated[Amounts, "The utilization in each mode, of which `utilization` is the largest; empty if there is one."]
    critical_mode: Annotated[str | None, "The mode of the largest utilization; None if the set has one mode."]

    _MADE_BY: ClassVar = "isx.explore"


class Point(Built):
    """A design of a front, exactly."""

    index: Annotated[int | None, "Its number on the front, from 0; None for a design that need not be on it."]
    schedulable: Annotated[bool | None, "Whether this design meets all deadlines; None where that was not decided."]
    schedulable_within: Annotated[bool | None, "Whether any design that costs no more of any objective does."]
    choices: Annotated[Choices, "The choice of every task; None is software."]
    blocks: Annotated[tuple[str, ...], "The blocks that it builds, in the order of the file."]
    margin: Annotated[Fraction | None, "On a front of area against margin, the largest factor on all WCETs with which it stays schedulable."]


class Margin(Record):
    """The smallest schedulable area if all WCETs are longer."""

    margin: Annotated[Fraction, "By which part of them: 1/10 for 10 %."]
    smallest_area: Annotated[Fraction | None, "The area; None if no design is schedulable, or it is not known.", "min_schedulable_area"]
    smallest_unknown: Annotated[str | None, "Why it is not known, where it is not.", "min_schedulable_unknown"]

    def __str__(self) -> str:
        known = "not known" if self.smallest_unknown else "none"
        return f"{_html.rounded(100 * self.margin)} %: {known if self.smallest_area is None else _html.rounded(self.smallest_area)}"


class ResponseTime(Record):
    """The worst-case response time of a task under fixed priorities, in the set's time unit."""

    task: Annotated[str, "The task."]
    response_time: Annotated[Fraction | None, "None where there is none, or it was not found."]
    deadline: Annotated[Fraction, "The task's relative deadline."]
    why: Annotated[str | None, "Why there is no response time."]


class Verdict(OfSet, Built):
    """Whether a task set is schedulable within a given area or limits, or with any. Its cost, choices and blocks are those of a
    schedulable design where there is one, else of the one of least utilization.

    As a condition, ``if verdict:``, it is its `schedulable`; an unknown one raises TypeError there.
    """

    schedulable: Annotated[bool | None, "True, False, or None if it was not decided.", "verdict"]
    reason: Annotated[str, "Why, in one sentence."]
    min_schedulable: Annotated[
        tuple[Amounts, ...] | None,
        "The minimal costs that would do: no schedulable design costs no more of every resource and less of one. Empty if nothing does "
        "or it is not known; None if only limits were asked about.",
    ]
    smallest_unknown: Annotated[str | None, "Why some minimal cost is not known, where it is not.", "min_schedulable_unknown"]
    budget: Annotated[Fraction | None, "The area that was to be spent; None if any may be."]
    slack: Annotated[Fraction, "1 less the utilization."]
    least_utilization: Annotated[Fraction, "The least utilization within the budget or the limits."]
    choices: Annotated[Choices, "The choice of every task."]
    blocks: Annotated[tuple[str, ...] | None, "The blocks that are built; None where the set has none."]
    mode_schedulable: Annotated[Mapping[str, bool | None], "Whether all deadlines are met in each mode."]
    response_times: Annotated[tuple[ResponseTime, ...] | None, "Under fixed priorities."]
    engine: Annotated[str, "The engine and what it used."]

    _MADE_BY: ClassVar = "isx.check"

    @classmethod
    def _read(cls, record: Mapping[str, Any]) -> dict[str, Any]:
        record = {**record, "verdict": {"schedulable": True, "not_schedulable": False, "unknown": None}[record["verdict"]]}
        return super()._read(record)

    @property
    def smallest_area(self) -> Fraction | None:
        """The smallest area that would do; None if none does or it is not known. InputError if there are several resources."""
        only(self.cost, "min_schedulable")
        return only(self.min_schedulable[0], "min_schedulable") if self.min_schedulable else None

    def __bool__(self) -> bool:
        if self.schedulable is None:
            raise TypeError(f"whether the set is schedulable is not known: {self.reason}")
        return self.schedulable


class DesignTask(Record, Costed):
    """A task of a design, with its parts; or behind it one of these, which has no times of its own."""

    name: Annotated[str, "The task, or ``task/part``.", "task"]
    choice: Annotated[str | None, "What it takes; None is software."]
    cost: Annotated[Amounts, "The choice's own cost, beside its blocks."]
    saves: Annotated[Fraction | None, "What a part saves of the WCET of its task."]
    software_wcet: Annotated[Fraction | None, "In software, in the set's time unit.", "wcet.software"]
    wcet: Annotated[Fraction | None, "In the design; cycles are those of the design's own clock.", "wcet.design"]
    software_utilization: Annotated[Fraction | None, "In software.", "utilization.software"]
    utilization: Annotated[Fraction | None, "In the design.", "utilization.design"]
    share: Annotated[Fraction | None, "The part of the design's utilization that is this task's."]


class DesignBlock(Record, Costed):
    """A block that a design builds."""

    name: Annotated[str, "The block.", "block"]
    cost: Annotated[Amounts, "Its cost."]
    used_by: Annotated[tuple[str, ...], "The tasks whose choices use it."]


class NextDesign(Record):
    """The next point of the front."""

    point: Annotated[int, "Its number."]
    area: Annotated[Fraction, "Its area."]
    more_area: Annotated[Fraction, "What that is more."]
    utilization: Annotated[Fraction, "Its utilization."]
    less_utilization: Annotated[Fraction, "What that is less."]
    choices: Annotated[tuple[str, ...], "``task=choice`` for every task that takes another choice."]
    blocks: Annotated[tuple[str, ...], "``+block`` for one that is built then, ``-block`` for one that is not any more."]

    def __str__(self) -> str:
        more, less = _html.rounded(self.more_area), _html.rounded(self.less_utilization)
        return f"{more} more area, {less} less utilization: {', '.join(self.choices)}"


class Design(OfSet, Built):
    """A design, task by task."""

    time_unit: Annotated[str, "The unit of times; empty if none is named."]
    point: Annotated[int | None, "Its number on the front, from 0; None if it is off the front."]
    points: Annotated[int | None, "The number of points; None where limits chose the design, which needs no front."]
    software_utilization: Annotated[Fraction, "All in software."]
    slack: Annotated[Fraction, "1 less the utilization."]
    schedulable: Annotated[bool | None, "Whether it meets all deadlines; None where that was not decided."]
    schedulable_within: Annotated[bool | None, "As that of `Point`."]
    margin: Annotated[Fraction | None, "The largest factor on all WCETs with which it stays schedulable."]
    margin_limit: Annotated[str | None, "What would fail beyond."]
    margin_unknown: Annotated[str | None, "Why the margin is not known."]
    tasks: Annotated[tuple[DesignTask, ...], "In the order of the file."]
    blocks: Annotated[tuple[DesignBlock, ...] | None, "Those that are built; None where the set has none."]
    mode_schedulable: Annotated[Mapping[str, bool | None], "Whether it meets all deadlines in each mode."]
    clock_limited_by: Annotated[tuple[str, ...], "The blocks that limit the clock."]
    response_times: Annotated[tuple[ResponseTime, ...] | None, "Under fixed priorities."]
    next: Annotated[NextDesign | None, "The next point of the front; None for several resources, where none comes next."]
    complete: Annotated[bool, "Whether the front ends where no design saves more."]

    _MADE_BY: ClassVar = "isx.show"


class FpgaDevice(Record):
    """A known FPGA."""

    name: Annotated[str, "The vendor's name, without package and speed grade."]
    also: Annotated[tuple[str, ...], "Other names under which it is found."]
    family: Annotated[str, "Its family, whose devices are made of the same cells."]
    resources: Annotated[Mapping[str, int], "How many it has of each resource, by every name of the resource, the vendor's first."]
    source: Annotated[str, "The document with the figures."]


class FitDesign(Built):
    """A design on a device."""

    choices: Annotated[Choices, "The choice of every task."]
    blocks: Annotated[tuple[str, ...], "The blocks that it builds."]


class FitRow(Record):
    """How a task set fits one FPGA."""

    device: Annotated[str, "Its name."]
    family: Annotated[str | None, "Its family, whose devices are made of the same cells; None if it is not known."]
    warnings: Annotated[tuple[str, ...], "What of the set's figures does not carry over to it, which are of another family."]
    schedulable: Annotated[bool | None, "Whether some design within its limits meets all deadlines; None if that was not decided."]
    utilization: Annotated[Fraction | None, "The least utilization of a design within the limits; None if no design is within them."]
    cost: Annotated[Amounts | None, "What that design uses of each resource, the base included."]
    limits: Annotated[Amounts, "How much there is of each resource; the set's ``fill`` counts already."]
    binding: Annotated[tuple[str, ...], "The resources that bind: more of one of them alone would give less utilization."]
    reason: Annotated[str | None, "Why no design is within the limits; None if one is."]
    choices: Annotated[Choices | None, "The choice of every task in that design."]
    blocks: Annotated[tuple[str, ...] | None, "The blocks that it builds."]
    variant: Annotated[str | None, "The variant of the processor that it is built with; None if there is one processor."]
    schedulable_design: Annotated[FitDesign | None, "The schedulable design where that of least utilization misses a deadline; else None."]


class Fit(OfSet):
    """How a task set fits several FPGAs.

    As a condition, ``if fit:``, it is whether the set is schedulable on one of them; TypeError where that is not known.
    """

    rows: Annotated[tuple[FitRow, ...], "One per device."]
    smallest_device: Annotated[
        str | None,
        "Of the devices on which the set is schedulable, the one with the least of the first resource; of equal ones, of the next, and "
        "so on. Devices whose rows have warnings are only among them if all rows have some.",
    ]
    min_schedulable: Annotated[tuple[Amounts, ...], "The minimal schedulable costs of the set without any limit."]
    smallest_unknown: Annotated[str | None, "Why some of them are not known, where they are not.", "min_schedulable_unknown"]

    _MADE_BY: ClassVar = "isx.fit"

    def __bool__(self) -> bool:
        verdicts = {row.schedulable for row in self.rows}
        if True not in verdicts and None in verdicts:
            raise TypeError("whether the set is schedulable on one of the devices is not known")
        return True in verdicts


class PartitionRow(Record):
    """The least area with a number of cores."""

    cores: Annotated[int, "The number of cores."]
    status: Annotated[str, "``proved``: no design has less area; ``infeasible``: there is none; ``unknown``: the search ended before."]
    reason: Annotated[str | None, "Why there is no design, or why the search ended."]
    area: Annotated[Fraction | None, "That of the best design, every core included; None if none was found. All below is of this design."]
    bound: Annotated[Fraction | None, "Every design has at least this area; None if there is no design."]
    cores_used: Annotated[int | None, "The number of cores with a task."]
    assignment: Annotated[Mapping[str, int], "The core of every task, from 0."]
    choices: Annotated[Choices, "The choice of every task; None is software."]
    blocks: Annotated[tuple[tuple[str, ...], ...], "The blocks of each core."]
    chip_blocks: Annotated[tuple[str, ...], "Those that are built once, for all cores."]
    utilizations: Annotated[tuple[Fraction, ...], "The utilization of each core."]
    margin: Annotated[Fraction | None, "By what part of themselves all WCETs may grow with this assignment; None if that was not decided."]
    clock_hz: Annotated[Fraction | None, "The clock of all cores, where a block limits it."]
    cost: Annotated[Amounts, "What it takes of each resource."]


class Partitions(OfSet):
    """A task set on several numbers of cores.

    As a condition, ``if partitions:``, it is whether there is a design for one of them; TypeError where that is not known.
    """

    core_area: Annotated[Fraction, "The area of a core, without choices and blocks."]
    rows: Annotated[tuple[PartitionRow, ...], "One per number of cores."]

    to_svg = Written("svg", "The design of `best`, a column per core; None without a design.")
    to_html = Written("html", "Every number of cores as one page for a browser, which needs no network.")

    _MADE_BY: ClassVar = "isx.partition"

    @property
    def best(self) -> PartitionRow | None:
        """The row of least area, of equal ones that with the fewest cores; None if there is no design."""
        found = [row for row in self.rows if row.area is not None]
        return min(found, key=lambda row: (row.area, row.cores), default=None)

    def __bool__(self) -> bool:
        if self.best is None and any(row.status == "unknown" for row in self.rows):
            raise TypeError("whether there is a design for one of the numbers of cores is not known")
        return self.best is not None


class ComparedFront(Record):
    """One of the fronts that are compared."""

    name: Annotated[str, "What it was called: the name of its task set, that of its file, or one of ``names``."]
    label: Annotated[str, "What texts and pictures call it, which differs from those of the others."]
    task_set: Annotated[str, "The name of its task set.", "taskset"]
    what_if: Annotated[tuple[str, ...], "What was changed in the task set, in words."]
    points: Annotated[int, "The number of its points."]
    smallest_area: Annotated[Fraction | None, "Its smallest schedulable area, if there is one and it is known.", "min_schedulable_area"]
    min_schedulable: Annotated[tuple[Amounts, ...], "Of several resources, its minimal schedulable costs."]
    least_utilization: Annotated[Fraction, "The utilization of its last point."]
    complete: Annotated[bool, "Whether it reaches every useful area."]


class Span(Record):
    """A range of areas in which the same fronts have the least utilization."""

    start: Annotated[Fraction, "The first area of the range.", "from"]
    end: Annotated[Fraction | None, "The area before which it ends; None if it does not end.", "to"]
    least: Annotated[tuple[int, ...], "The fronts that have it, as positions in `Comparison.fronts`: several if they are equal."]
    absent: Annotated[tuple[int, ...], "The fronts that have no design so small."]
    most: Annotated[Fraction, "The greatest difference in the range between the least utilization and the next."]
    most_at: Annotated[Fraction, "The least area with that difference."]


class Comparison(Answer):
    """Fronts compared, exactly. As text, ``print(comparison)``, it is what ``isx compare`` prints."""

    area_unit: Annotated[str, "The unit of areas; empty if none is named."]
    objectives: Annotated[tuple[str, ...], "Of several resources, those that the fronts are computed for; spans are of the first."]
    fronts: Annotated[tuple[ComparedFront, ...], "The fronts, in the order given."]
    spans: Annotated[tuple[Span, ...], "Which front is better where, in order of area."]
    known_to: Annotated[Fraction | None, "The area from which on nothing is known, because a front was cut there; None if all is known."]

    to_svg = Written("svg", "All fronts in one picture. InputError if the figures are beyond those that can be drawn.")

    _MADE_BY: ClassVar = "isx.compare"

    @property
    def conclusion(self) -> str:
        """Which front is better overall, in words: the line that ``isx compare --quiet`` prints."""
        return (self._written("line") or b"").decode().rstrip("\n")

    def _told(self) -> dict[str, Any]:
        return {"name": self.conclusion, **super()._told()}

    def __str__(self) -> str:
        return (self._written("text") or b"").decode().rstrip("\n")

    def __repr__(self) -> str:
        return f"<isx.Comparison of {len(self.fronts)} fronts: {self.conclusion}>"
