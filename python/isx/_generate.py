"""Generated task sets: the same arguments give the same set on every machine."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import SupportsIndex

from . import _isx
from ._errors import InputError
from ._exact import counted, exact, index, shown, utf8
from ._taskset import TaskSet, names
from ._types import Number

RangeLike = Number | tuple[Number, Number]
"""``"3..8"``, a pair ``(3, 8)``, or one number. Numbers drawn have as many decimals as the text."""


def generate(
    *,
    tasks: SupportsIndex | str | Iterable[str] | None = None,
    utilization: Number | None = None,
    seed: SupportsIndex | None = None,
    name: str | None = None,
    recipe: str | None = None,
    max_task_utilization: Number | None = None,
    utilizations: str | None = None,
    clock_mhz: SupportsIndex | None = None,
    periods: str | Iterable[str] | None = None,
    choices: RangeLike | None = None,
    area: RangeLike | None = None,
    area_unit: str | None = None,
    resources: str | Mapping[str, RangeLike] | None = None,
    savings: str | None = None,
    deadlines: str | None = None,
    scheduler: str | None = None,
    blocks: SupportsIndex | None = None,
    uses: RangeLike | None = None,
    block_area: RangeLike | None = None,
    fmax: RangeLike | None = None,
    cores: RangeLike | None = None,
    core_area: Number | None = None,
    modes: SupportsIndex | None = None,
    switch: SupportsIndex | None = None,
    jitter: RangeLike | None = None,
    blocking: RangeLike | None = None,
    nonpreemptive: RangeLike | None = None,
) -> TaskSet:
    """Make a random task set, as ``isx generate taskset`` does, to the last byte.

    Parameters
    ----------
    tasks : int or names
        How many tasks, or their names; 10 if not given.
    utilization : Number
        The sum of the utilizations in software; 1.5 if not given, less if the tasks are few.
    seed : int
        Seed of the random numbers; 1 if not given.
    name : str
        The set's name.
    recipe : str
        A named recipe of the field for what is not given, such as ``"davis-burns-2009"``.
    max_task_utilization : Number
        The largest utilization of a task in software; 1 if not given.
    utilizations : str
        How the sum is split: ``"uunifast"`` (and discard) if not given, ``"fixed-sum"``, which discards nothing,
        ``"fixed-sum:0.05..0.50"``, or a distribution of SchedCAT, such as ``"uni-light"``, which draws tasks until they
        pass the sum.
    clock_mhz : int
        The clock in MHz, in whose cycles WCETs are.
    periods : str or iterable of str
        Periods to draw from, ``"10ms,20ms"``; a range, ``"10ms..1s/10ms"``, whose logarithm is uniform;
        ``"uniform:3ms..33ms/1ms"``, ``"harmonic:1ms..1s"`` or ``"automotive"``.
    choices : range
        Choices per task.
    area : range
        Areas of choices, in `area_unit`.
    area_unit : str
        Their unit.
    resources : dict or str
        Resources that hardware costs, in place of `area` and `area_unit`: ``{"LUT": (1, 1500), "DSP": (0, 4)}`` or
        ``"LUT:1..1500,DSP:0..4"``. Of a range from 0, three choices in ten take some.
    savings : str
        What choices save of the WCET: ``"uncorrelated:0.05..0.60"`` or ``"correlated:0.05..0.60"``.
    deadlines : str
        ``"implicit"``, ``"constrained:0.60..1.00"`` or ``"arbitrary:0.50..2.00"``, in periods, or ``"slack:0.00..1.00"``,
        the WCET plus a part of the rest of the period.
    scheduler : str
        ``edf``, ``rm``, ``dm`` or ``fixed``.
    blocks : int
        How many blocks choices share.
    uses, block_area, fmax : range
        Blocks a choice uses, areas of the blocks, and the fastest clocks with them in MHz.
    cores : range
        Numbers of cores for `partition`: ``4`` or ``"1..4"``.
    core_area : Number
        Area of a core.
    modes : int
        Modes of the set; 1 if not given.
    switch : int
        Cycles of a context switch; 0 if not given.
    jitter : range
        Release jitter as a part of the deadline, up to 1: ``"0.00..0.20"``.
    blocking, nonpreemptive : range
        Blocking, and the longest part that cannot be interrupted, as parts of the WCET, up to 1.

    Returns
    -------
    TaskSet
        The set; `TaskSet.to_yaml` is the file that the command writes.

    Raises
    ------
    InputError
        An argument is outside what it may be.

    Examples
    --------
    >>> made = isx.generate(tasks=20, choices=8, utilization="1.8", seed=7)
    >>> len(made.tasks), made == isx.generate(tasks=20, choices=8, utilization="1.8", seed=7)
    (20, True)
    >>> isx.generate(tasks=3, resources={"LUT": (1, 1500), "DSP": (0, 4)}).resources
    ('LUT', 'DSP')
    """
    given = {
        "name": _text(name, "name"),
        "recipe": _text(recipe, "recipe"),
        "tasks": _listed(tasks, "tasks"),
        "utilization": _number(utilization, "utilization"),
        "max_task_utilization": _number(max_task_utilization, "max_task_utilization"),
        "utilizations": _text(utilizations, "utilizations"),
        "clock_mhz": _count(clock_mhz, "clock_mhz"),
        "periods": _listed(periods, "periods"),
        "choices": _range(choices, "choices"),
        "area": _range(area, "area"),
        "area_unit": _text(area_unit, "area_unit"),
        "resources": _resources(resources),
        "savings": _text(savings, "savings"),
        "deadlines": _text(deadlines, "deadlines"),
        "scheduler": _text(scheduler, "scheduler"),
        "blocks": _count(blocks, "blocks"),
        "uses": _range(uses, "uses"),
        "block_area": _range(block_area, "block_area"),
        "fmax": _range(fmax, "fmax"),
        "cores": _range(cores, "cores"),
        "core_area": _number(core_area, "core_area"),
        "modes": _count(modes, "modes"),
        "switch": _count(switch, "switch"),
        "jitter": _range(jitter, "jitter"),
        "blocking": _range(blocking, "blocking"),
        "nonpreemptive": _range(nonpreemptive, "nonpreemptive"),
    }
    pairs = [(key, text) for key, text in given.items() if text is not None]
    return TaskSet.from_yaml(_isx.generate(pairs, counted(seed, "seed")), source="<generated>")


def _text(given: str | None, name: str) -> str | None:
    """A text, if one is given."""
    return None if given is None else utf8(given, name)


def _count(given: SupportsIndex | None, name: str) -> str | None:
    """A count in digits."""
    number = counted(given, name)
    return None if number is None else str(number)


def _listed(given: SupportsIndex | str | Iterable[str] | None, name: str) -> str | None:
    """A number, or texts with commas between, as the command has them."""
    if given is None or isinstance(given, str):
        return _text(given, name)
    if isinstance(given, SupportsIndex):
        return str(index(given, name))
    several = names(given, name)
    # The command would take the one for several, and a single number for how many.
    if not several or any("," in one for one in several) or (name == "tasks" and several[0][:1] in set("+0123456789")):
        raise InputError(f"{name} must be texts without commas, and the first no number: {several!r}")
    return ",".join(several)


def _number(given: Number | None, name: str) -> str | None:
    """A number in digits."""
    if given is None or isinstance(given, str):
        return _text(given, name)
    return _isx.format_exact(exact(given, name))


def _range(given: RangeLike | None, name: str) -> str | None:
    """A range as the command writes it."""
    if not isinstance(given, tuple):
        return _number(given, name)
    if len(given) != 2:
        raise InputError(f"{name} must be a number or a pair of them, not {given!r}")
    return "..".join(str(_number(end, name)) for end in given)


def _resources(given: str | Mapping[str, RangeLike] | None) -> str | None:
    """Resources with ranges, as the command writes them."""
    if given is None or isinstance(given, str):
        return _text(given, "resources")
    if not isinstance(given, Mapping) or not given:
        example = "{'LUT': (1, 1500), 'DSP': (0, 4)}"
        raise InputError(f"resources must be ranges by name, such as {example}, not {shown(given)}")
    for name in given:
        if set(":,") & set(utf8(name, "a resource")):
            raise InputError(f"resources: the name {name!r} has a colon or a comma")
    return ",".join(f"{name}:{_range(amounts, f'the range of {name}')}" for name, amounts in given.items())
