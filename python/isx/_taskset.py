"""Task sets: read from a file, from YAML or from a dictionary."""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction
from typing import Any, Literal

from . import _cost, _html, _isx, _table, _yaml
from ._cost import Described
from ._errors import InputError, TaskSetWarning
from ._exact import utf8
from ._task import Block, Choice, Task
from ._types import Said

_collected: ContextVar[list[tuple[str, str]] | None] = ContextVar("collected", default=None)


@contextmanager
def collecting() -> Iterator[list[tuple[str, str]]]:
    """Collects the warnings of task sets, message and drawn text, instead of giving them."""
    told: list[tuple[str, str]] = []
    before = _collected.set(told)
    try:
        yield told
    finally:
        _collected.reset(before)


class TaskSet(Described):
    """A task set, checked and in exact numbers. It is made by `from_file`, `from_yaml` or `from_dict`, or from
    tables by `from_csv` or `from_polars`.

    Task sets are immutable, compare equal if they say the same, and can be sent to other processes (pickle).
    """

    __slots__ = ("_native",)

    _native: _isx.TaskSet

    def __init__(self) -> None:
        raise TypeError("make a task set with TaskSet.from_file, from_yaml, from_dict, from_csv or from_polars")

    @classmethod
    def _of(cls, native: _isx.TaskSet) -> "TaskSet":
        self = object.__new__(cls)
        self._native = native
        collected = _collected.get()
        for *_, message, drawn in native.warnings:
            if collected is None:
                warnings.warn(drawn, TaskSetWarning, stacklevel=_depth())
            else:
                collected.append((message, drawn))
        return self

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> "TaskSet":
        """Read a YAML file.

        Parameters
        ----------
        path : str or path-like
            The file.

        Raises
        ------
        TaskSetError
            The file is no task set; `TaskSetError.places` says where.
        OSError
            It cannot be read: FileNotFoundError, IsADirectoryError, PermissionError.
        """
        given = os.fspath(path)
        try:
            return cls._of(_isx.TaskSet.from_file(given))
        except OSError as error:
            if error.filename is not None:
                # As it was given: what the message of the library shows has no control characters.
                error.filename = given
            if "\n" in given:
                error.add_note("a text is the path of a file here; TaskSet.from_yaml reads YAML text")
            raise

    @classmethod
    def from_yaml(cls, text: str, *, source: str = "<yaml>") -> "TaskSet":
        """Read YAML text.

        Parameters
        ----------
        text : str
            The task set.
        source : str
            What names the text in messages.

        Raises
        ------
        TaskSetError
            The text is no task set.

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
        return cls._of(_isx.TaskSet.from_text(utf8(text, "a task set"), utf8(source, "source")))

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "TaskSet":
        """Read a dictionary with the keys of the YAML file.

        Parameters
        ----------
        mapping : dict
            Numbers may be integers, `fractions.Fraction`, `decimal.Decimal`, texts (``"2 ms"``) or floats, which count as the
            decimals that Python prints for them.

        Raises
        ------
        TaskSetError
            It is no task set. The message shows its text at the place.
        InputError
            Something in it is neither text nor number, list nor dictionary.

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
        return cls._of(_isx.TaskSet.from_text(_yaml.dumped(mapping), "<dict>"))

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

        Parameters
        ----------
        tasks : str or path-like
            Columns ``name``, ``period``, ``wcet``, and optionally ``deadline``, ``priority``, ``source``. A unit is in the
            header (``period_ms``) or in the cell (``10 ms``).
        choices : str or path-like
            Columns ``task``, ``choice``, ``area``, ``wcet`` or ``saves``, and optionally ``uses`` (names of blocks) and
            ``source``. Of several resources, columns such as ``cost.LUT`` and ``cost.DSP`` in place of ``area``; of blocks too.
        blocks : str or path-like
            Columns ``block``, ``area``, and optionally ``slot``, ``fmax`` and ``source``.
        clock : str
            The clock that WCETs are cycles of, such as ``"100 MHz"``.
        unit : str
            The unit of times that have none: ``s``, ``ms``, ``us``, ``ns`` or ``ps``.
        decimal : str
            ``"point"`` or ``"comma"``, where the figures do not show it.
        name : str
            The set's name; that of the file if not given.

        Raises
        ------
        TaskSetError
            A table is wrong; `TaskSetError.places` says where, and a note names the argument that is missing.
        OSError
            A file cannot be read.

        Warns
        -----
        TaskSetWarning
            For columns that a task set has no place for.
        """
        tables = _table.of_file(tasks), _table.of_file(choices), _table.of_file(blocks)
        return cls._of_tables(*tables, {"clock": clock, "unit": unit, "decimal": decimal, "name": name})

    @classmethod
    def from_polars(
        cls,
        tasks: _table.Frame,
        *,
        choices: _table.Frame | None = None,
        blocks: _table.Frame | None = None,
        clock: str | None = None,
        unit: str | None = None,
        name: str = "tasks",
    ) -> "TaskSet":
        """Read polars data frames with the columns of `from_csv`.

        Parameters
        ----------
        tasks, choices, blocks : polars.DataFrame
            The tables. A float counts as the decimal that Python prints for it; ``uses`` may be a list of texts; null is an
            empty cell.
        clock, unit : str
            As for `from_csv`.
        name : str
            The set's name.

        Raises
        ------
        TaskSetError
            A table is wrong. The message shows its text at the place; line 1 is the head.
        InputError
            A cell is neither text nor number.
        """
        beside = _table.of_frame(choices, "choices"), _table.of_frame(blocks, "blocks")
        said: Said = {"clock": clock, "unit": unit, "decimal": None, "name": name}
        return cls._of_tables(_table.of_frame(tasks, "tasks"), *beside, said)

    @classmethod
    def _of_tables(
        cls,
        tasks: _table.Table | None,
        choices: _table.Table | None,
        blocks: _table.Table | None,
        said: Said,
    ) -> "TaskSet":
        if tasks is None:
            raise InputError("tasks must be a table, not None")
        for key, value in said.items():
            if value is not None:
                utf8(value, key)
        native, left_out = _isx.TaskSet.from_tables(tasks, choices, blocks, said)
        for sentence in left_out:
            warnings.warn(f"left out: {sentence}", TaskSetWarning, stacklevel=_depth())
        return cls._of(native)

    @property
    def description(self) -> str | None:
        """Free text about the set."""
        return self._native.description

    @property
    def modes(self) -> tuple[str, ...]:
        """The names of the modes, of which one runs at a time; empty if there is one. The WCETs of `tasks` are then those of the
        first mode, periods and deadlines those of the first mode that a task runs in."""
        return tuple(self._native.modes)

    @property
    def base(self) -> dict[str, Fraction]:
        """What every design builds of each resource: the processor itself. Empty if hardware costs an area."""
        return dict(zip(self._resources.names, self._resources.base, strict=True))

    @property
    def fill(self) -> dict[str, Fraction]:
        """The part of a device that a design may use of each resource."""
        return dict(zip(self._resources.names, self._resources.fill, strict=True))

    @property
    def time_unit(self) -> str:
        """The unit of times: ``cycles``, ``s``, or empty if none is named."""
        return self._native.time_unit

    @property
    def clock_hz(self) -> Fraction | None:
        """The clock whose cycles times are, in hertz."""
        return self._native.clock_hz

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks in the order of the file."""

        counted = self.resources

        def choice(name: str, cost: list[Fraction], uses: list[str], wcet: Fraction, source: str | None) -> Choice:
            return Choice(name, _cost.named(counted, cost), tuple(uses), wcet, source)

        return tuple(
            Task(name, wcet, period, deadline, priority, tuple(choice(*parts) for parts in choices))
            for name, wcet, period, deadline, priority, choices in self._native.tasks
        )

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks in the order of the file."""
        counted = self.resources
        return tuple(
            Block(name, _cost.named(counted, cost), slot, fmax, source)
            for name, cost, slot, fmax, source in self._native.blocks
        )

    @property
    def source(self) -> str:
        """The file that it was read from, or ``<yaml>`` or ``<dict>``."""
        return self._native.source

    def to_yaml(self) -> str:
        """The text that it was read from; of a dictionary, the text that it stands for."""
        return self._native.text

    def __eq__(self, other: object) -> bool:
        return self._native.equals(other._native) if isinstance(other, TaskSet) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.name, self.area_unit, self.scheduler, len(self._native.tasks)))

    def __repr__(self) -> str:
        count = len(self._native.tasks)
        counted = f", counted in {', '.join(self.resources)}" if self.resources else ""
        return f"<isx.TaskSet {self.name!r}: {count} task{'s' if count != 1 else ''}{counted}>"

    def _repr_html_(self) -> str:
        """The tasks and blocks, for notebooks; names are escaped."""
        unit = f" ({self.time_unit})" if self.time_unit else ""
        deadlines = any(task.deadline != task.period for task in self.tasks)
        heads = ["Task", f"WCET{unit}", f"Period{unit}", *([f"Deadline{unit}"] if deadlines else []), "Choices"]

        def row(task: Task) -> list[str]:
            names = [choice.name for choice in task.choices]
            more = [f"… {len(names) - 6} more"] if len(names) > 6 else []
            times = [task.wcet, task.period, *([task.deadline] if deadlines else [])]
            return [task.name, *map(_html.amount, times), ", ".join(names[:6] + more) or "none"]

        rows = {"Scheduler": self.scheduler, "Utilization in software": _html.rounded(self._utilization())}
        if self.clock_hz is not None:
            rows["Clock"] = _html.amount(self.clock_hz / 10**6, "MHz")
        if self.resources:
            rows["Resources"] = ", ".join(self.resources)
        if any(self.base.values()):
            rows["Base"] = _cost.words(self.base)
        if self.limits:
            rows["Limits"] = _cost.limits_words(self.limits, self.device)
        if self.blocks:
            rows["Blocks"] = ", ".join(f"{block.name} ({_cost.words(block.cost, self.area_unit)})" for block in self.blocks)
        return _html.page(self.name, _html.facts(rows), _html.table(heads, map(row, self.tasks)))

    def _utilization(self) -> Fraction:
        # Of a set with a clock, WCETs are cycles and periods may be, too: both have the same unit.
        return sum((task.wcet / task.period for task in self.tasks), Fraction(0))

    def __reduce__(self) -> tuple[Callable[..., "TaskSet"], tuple[str, str]]:
        return _again, (self._native.text, self._native.source)


def _again(text: str, source: str) -> TaskSet:
    """A task set that was read before, whose warnings were given then."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TaskSetWarning)
        return TaskSet._of(_isx.TaskSet.from_text(text, source))


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


def _depth() -> int:
    """How many frames above the caller the user's own code is."""
    import sys

    depth, frame = 1, sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == "isx":
        depth, frame = depth + 1, frame.f_back
    return depth


def names(given: str | Iterable[str], name: str) -> list[str]:
    """One text, or several."""
    if isinstance(given, str):
        return [utf8(given, name)]
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        raise InputError(f"{name} must be a text, or several, not {type(given).__name__}")
    return [utf8(one, f"each of {name}") for one in given]
