"""Task sets: read from a file, from YAML, from a dictionary or from tables."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from . import _isx
from ._document import Amounts, Costed, OfSet, Record
from ._errors import InputError, TaskSetWarning
from ._numbers import Frame, Table, table, utf8, yaml

MOST_BYTES = 64 << 20
"""Of a file; the reader refuses more."""

_collected: ContextVar[list[tuple[str, str]] | None] = ContextVar("collected", default=None)


@contextmanager
def collecting() -> Iterator[list[tuple[str, str]]]:
    """Collects the warnings of task sets, message and drawn text, instead of giving them."""
    record: list[tuple[str, str]] = []
    before = _collected.set(record)
    try:
        yield record
    finally:
        _collected.reset(before)


class Choice(Record, Costed):
    """A custom instruction, or several, that a task may take."""

    name: Annotated[str, "Unique within the task."]
    cost: Annotated[Amounts, "Hardware beside the blocks it uses: an amount of each resource, below 0 where some of it is freed."]
    uses: Annotated[tuple[str, ...], "The blocks that it uses."]
    wcet: Annotated[Fraction, "The task's worst-case execution time with it, in the set's time unit."]
    source: Annotated[str | None, "Where the figures come from."]


class Task(Record):
    """A task, or behind it a part of one, ``task/part``, whose time adds to it; times are in the set's time unit."""

    name: Annotated[str, "Unique within the set."]
    wcet: Annotated[Fraction, "Worst-case execution time in software."]
    period: Annotated[Fraction, "Period, or least time between two jobs."]
    deadline: Annotated[Fraction, "Relative deadline; the period unless given."]
    priority: Annotated[int | None, "1 is the highest; for the scheduler ``fixed``."]
    choices: Annotated[tuple[Choice, ...], "At most one of them is taken."]

    def _told(self) -> dict[str, Any]:
        more = (f"… {len(self.choices) - 6} more",) if len(self.choices) > 6 else ()
        deadline = None if self.deadline == self.period else self.deadline
        return {**super()._told(), "deadline": deadline, "choices": (*(choice.name for choice in self.choices[:6]), *more)}


class Block(Record, Costed):
    """Hardware that is built once, however many choices use it."""

    name: Annotated[str, "Unique within the set."]
    cost: Annotated[Amounts, "As that of a `Choice`."]
    slot: Annotated[str | None, "Of the blocks of a slot at most one is built."]
    fmax_hz: Annotated[Fraction | None, "A design that builds it runs at this clock or less, in hertz."]
    source: Annotated[str | None, "Where the figures come from."]


class TaskSet(OfSet):
    """A task set, checked and in exact numbers. It is made by `from_file`, `from_yaml` or `from_dict`, or from
    tables by `from_csv` or `from_polars`.

    Task sets are immutable, compare equal if they say the same, and can be sent to other processes (pickle).
    """

    description: Annotated[str | None, "Free text about the set."]
    time_unit: Annotated[str, "The unit of times: ``cycles``, ``s``, or empty if none is named."]
    clock_hz: Annotated[Fraction | None, "The clock whose cycles times are, in hertz."]
    objectives: Annotated[tuple[str, ...], "The resources that the front is computed for; the others only have limits."]
    base: Annotated[Amounts, "What every design builds of each resource: the processor itself."]
    fill: Annotated[Amounts, "The part of a device that a design may use of each resource."]
    modes: Annotated[
        tuple[str, ...],
        "The names of the modes, of which one runs at a time; empty if there is one. The WCETs of `tasks` are then those of the first "
        "mode, periods and deadlines those of the first mode that a task runs in.",
    ]
    tasks: Annotated[tuple[Task, ...], "The tasks in the order of the file."]
    blocks: Annotated[tuple[Block, ...], "The blocks in the order of the file."]

    _MADE_BY: ClassVar = "TaskSet.from_file, from_yaml, from_dict, from_csv or from_polars"

    @classmethod
    def _made(cls, native: _isx.TaskSet) -> "TaskSet":
        collected = _collected.get()
        for message, drawn in native.warnings:
            if collected is None:
                warnings.warn(drawn, TaskSetWarning, stacklevel=depth())
            else:
                collected.append((message, drawn))
        return cls._by(native)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> "TaskSet":
        """Read a YAML file. TaskSetError if it is no task set; `TaskSetError.places` says where. OSError if it cannot be read."""
        try:
            with open(path, "rb") as file:
                text = file.read(MOST_BYTES + 1)
        except OSError as error:
            if "\n" in os.fspath(path):
                error.add_note("a text is the path of a file here; TaskSet.from_yaml reads YAML text")
            raise
        return cls._made(_isx.TaskSet(text, os.fsencode(path).decode(errors="replace"), path))

    @classmethod
    def from_yaml(cls, text: str, *, source: str = "<yaml>") -> "TaskSet":
        """Read YAML text; `source` names it in messages. TaskSetError if it is no task set.

        Examples
        --------
        >>> text = "name: demo\\ntasks: [{name: fir, wcet: 2 ms, period: 10 ms}]"
        >>> isx.TaskSet.from_yaml(text).tasks[0].period
        Fraction(1, 100)
        >>> try:
        ...     isx.TaskSet.from_yaml("name: demo\\ntasks: [{name: fir, wcet: 2 ms, period: 0 ms}]")
        ... except isx.TaskSetError as error:
        ...     print(error.line, error.column, error.places[0].message)
        2 42 `period` of task `fir` must be greater than 0
        """
        return cls._made(_isx.TaskSet(utf8(text, "a task set").encode(), utf8(source, "source")))

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "TaskSet":
        """Read a dictionary with the keys of the YAML file.

        Numbers may be integers, `fractions.Fraction`, `decimal.Decimal`, texts (``"2 ms"``) or floats, which count as the decimals
        that Python prints for them. TaskSetError, which shows its text at the place, if it is no task set; InputError if something in
        it is neither text nor number, list nor dictionary.

        Examples
        --------
        >>> fir = {"name": "fir", "wcet": "2 ms", "period": "10 ms"}
        >>> isx.TaskSet.from_dict({"name": "demo", "tasks": [fir]})
        <isx.TaskSet 'demo': 1 task>
        >>> mac = {"name": "mac", "cost": {"LUT": 60, "DSP": 4}, "wcet": "1 ms"}
        >>> counted = isx.TaskSet.from_dict({
        ...     "name": "demo", "resources": ["LUT", "DSP"], "base": {"LUT": 1614}, "device": "iCE40UP5K",
        ...     "tasks": [{**fir, "choices": [mac]}],
        ... })
        >>> counted
        <isx.TaskSet 'demo': 1 task, counted in LUT, DSP>
        >>> counted.limits["DSP"], counted.tasks[0].choices[0].cost["DSP"]
        (Fraction(8, 1), Fraction(4, 1))
        """
        if not isinstance(mapping, Mapping):
            raise InputError(f"a task set is a dictionary, not {type(mapping).__name__}")
        return cls._made(_isx.TaskSet("".join(f"{line}\n" for line in yaml(mapping)).encode(), "<dict>"))

    @classmethod
    def from_csv(
        cls,
        tasks: str | os.PathLike[str],
        *,
        choices: str | os.PathLike[str] | None = None,
        blocks: str | os.PathLike[str] | None = None,
        clock: str | None = None,
        unit: str | None = None,
        decimal: Literal["point", "comma"] | None = None,
        name: str | None = None,
    ) -> "TaskSet":
        """Read tables in CSV, as ``isx import`` does; `to_yaml` is the file that it writes.

        tasks: Columns ``name``, ``period``, ``wcet``, and optionally ``deadline``, ``priority``, ``source``. A unit is in the header
            (``period_ms``) or in the cell (``10 ms``).
        choices: Columns ``task``, ``choice``, ``area``, ``wcet`` or ``saves``, and optionally ``uses`` (names of blocks) and ``source``.
            Of several resources, columns such as ``cost.LUT`` and ``cost.DSP`` in place of ``area``; of blocks too.
        blocks: Columns ``block``, ``area``, and optionally ``slot``, ``fmax`` and ``source``.
        clock: The clock that WCETs are cycles of, such as ``"100 MHz"``.
        unit: The unit of times that have none: ``s``, ``ms``, ``us``, ``ns`` or ``ps``.
        decimal: ``"point"`` or ``"comma"``, where the figures do not show it.
        name: The set's name; that of the file if not given.

        TaskSetError if a table is wrong; `TaskSetError.places` says where, and a note names the argument that is missing. Warns with
        TaskSetWarning of columns that a task set has no place for.
        """

        def read(path: str | os.PathLike[str] | None) -> Table | None:
            return None if path is None else (os.fspath(path), Path(path).read_bytes())

        return cls._of_tables(read(tasks), read(choices), read(blocks), clock=clock, unit=unit, decimal=decimal, name=name)

    @classmethod
    def from_polars(
        cls,
        tasks: Frame,
        *,
        choices: Frame | None = None,
        blocks: Frame | None = None,
        clock: str | None = None,
        unit: str | None = None,
        name: str = "tasks",
    ) -> "TaskSet":
        """Read polars data frames with the columns of `from_csv`.

        A float counts as the decimal that Python prints for it; ``uses`` may be a list of texts; null is an empty cell. In messages
        line 1 is the head. InputError if a cell is neither text nor number; otherwise as `from_csv`.
        """
        beside = table(choices, "choices"), table(blocks, "blocks")
        return cls._of_tables(table(tasks, "tasks"), *beside, clock=clock, unit=unit, name=name)

    @classmethod
    def _of_tables(cls, tasks: Table | None, choices: Table | None, blocks: Table | None, **said: str | None) -> "TaskSet":
        if tasks is None:
            raise InputError("tasks must be a table, not None")
        given = [(key, utf8(value, key)) for key, value in said.items() if value is not None]
        native, left_out = _isx.from_tables(tasks, choices, blocks, given)
        for sentence in left_out:
            warnings.warn(f"left out: {sentence}", TaskSetWarning, stacklevel=depth())
        return cls._made(native)

    @property
    def source(self) -> str:
        """The file that it was read from, or ``<yaml>`` or ``<dict>``."""
        source: str = self._native.source
        return source

    def to_yaml(self) -> str:
        """The text that it was read from; of a dictionary, the text that it stands for."""
        text: str = self._native.text
        return text

    def _written(self, form: str, path: object = None) -> bytes | None:
        return self._document

    def __eq__(self, other: object) -> bool:
        return bool(self._native.equals(other._native)) if isinstance(other, TaskSet) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.area_unit, self.scheduler, len(self.tasks)))

    def __repr__(self) -> str:
        count = len(self.tasks)
        counted = f", counted in {', '.join(self.resources)}" if len(self.resources) > 1 else ""
        return f"<isx.TaskSet {self.name!r}: {count} task{'s' if count != 1 else ''}{counted}>"

    def _told(self) -> dict[str, Any]:
        # Of a set with a clock, WCETs are cycles and periods may be, too: both have the same unit.
        utilization = sum((task.wcet / task.period for task in self.tasks), Fraction(0))
        return {**super()._told(), "software_utilization": utilization, "base": self.base if any(self.base.values()) else None}

    def __reduce__(self) -> tuple[Callable[..., "TaskSet"], tuple[str, str]]:
        return _again, (self.to_yaml(), self.source)


def _again(text: str, source: str) -> TaskSet:
    """A task set that was read before, whose warnings were given then."""
    return TaskSet._by(_isx.TaskSet(text.encode(), source))


TaskSetLike = str | os.PathLike[str] | Mapping[str, Any] | TaskSet
"""A task set, the path of its file, or a dictionary with its keys."""


def task_set(given: TaskSetLike) -> TaskSet:
    """The task set that is given, read if need be."""
    match given:
        case TaskSet():
            return given
        case str() | os.PathLike():
            return TaskSet.from_file(given)
        case Mapping():
            return TaskSet.from_dict(given)
    raise InputError(f"a task set is a path, a dictionary or an isx.TaskSet, not {type(given).__name__}")


def depth() -> int:
    """How many frames above the caller the user's own code is."""
    count, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "isx":
        count, frame = count + 1, frame.f_back
    return count
