"""Generated task sets: the same arguments give the same set on every machine."""

from typing import Annotated, SupportsIndex, TypedDict, Unpack, get_type_hints

from . import _isx
from ._keywords import Names, RangeLike, Ranges, flag, keywords, kind
from ._numbers import Number, counted
from ._taskset import TaskSet


class Recipe(TypedDict, total=False):
    """What a set is made of."""

    tasks: Annotated[Names | None, "How many tasks, or their names; 10 if not given."]
    utilization: Annotated[Number | None, "The sum of the utilizations in software; 1.5 if not given, less if the tasks are few."]
    seed: Annotated[SupportsIndex | None, "Seed of the random numbers; 1 if not given."]
    name: Annotated[str | None, "The set's name."]
    recipe: Annotated[str | None, 'A named recipe of the field for what is not given, such as ``"davis-burns-2009"``.']
    max_task_utilization: Annotated[Number | None, "The largest utilization of a task in software; 1 if not given."]
    utilizations: Annotated[
        str | None,
        'How the sum is split: ``"uunifast"`` (and discard) if not given, ``"fixed-sum"``, which discards nothing, ``"fixed-sum:0.05..0.50"``, '
        'or a distribution of SchedCAT, such as ``"uni-light"``, which draws tasks until they pass the sum.',
    ]
    clock_mhz: Annotated[SupportsIndex | None, "The clock in MHz, in whose cycles WCETs are."]
    periods: Annotated[
        Names | None,
        'Periods to draw from, ``"10ms,20ms"``; a range, ``"10ms..1s/10ms"``, whose logarithm is uniform; ``"uniform:3ms..33ms/1ms"``, '
        '``"harmonic:1ms..1s"`` or ``"automotive"``.',
    ]
    choices: Annotated[RangeLike | None, "Choices per task, a range."]
    area: Annotated[RangeLike | None, "Areas of choices, a range in `area_unit`."]
    area_unit: Annotated[str | None, "Their unit."]
    resources: Annotated[
        Ranges | None,
        'Resources that hardware costs, in place of `area` and `area_unit`: ``{"LUT": (1, 1500), "DSP": (0, 4)}`` or '
        '``"LUT:1..1500,DSP:0..4"``. Of a range from 0, three choices in ten take some.',
    ]
    savings: Annotated[str | None, 'What choices save of the WCET: ``"uncorrelated:0.05..0.60"`` or ``"correlated:0.05..0.60"``.']
    deadlines: Annotated[
        str | None,
        '``"implicit"``, ``"constrained:0.60..1.00"`` or ``"arbitrary:0.50..2.00"``, in periods, or ``"slack:0.00..1.00"``, the WCET plus '
        "a part of the rest of the period.",
    ]
    scheduler: Annotated[str | None, "``edf``, ``rm``, ``dm`` or ``fixed``."]
    blocks: Annotated[SupportsIndex | None, "How many blocks choices share."]
    uses: Annotated[RangeLike | None, "Blocks a choice uses, a range."]
    block_area: Annotated[RangeLike | None, "Areas of the blocks, a range."]
    fmax: Annotated[RangeLike | None, "The fastest clocks with them in MHz, a range."]
    cores: Annotated[RangeLike | None, 'Numbers of cores for `partition`: ``4`` or ``"1..4"``.']
    core_area: Annotated[Number | None, "Area of a core."]
    modes: Annotated[SupportsIndex | None, "Modes of the set; 1 if not given."]
    switch: Annotated[SupportsIndex | None, "Cycles of a context switch; 0 if not given."]
    jitter: Annotated[RangeLike | None, 'Release jitter as a part of the deadline, up to 1: ``"0.00..0.20"``.']
    blocking: Annotated[RangeLike | None, "Blocking, as a part of the WCET up to 1."]
    nonpreemptive: Annotated[RangeLike | None, "The longest part that cannot be interrupted, as a part of the WCET up to 1."]


@keywords(Recipe)
def generate(**given: Unpack[Recipe]) -> TaskSet:
    """Make a random task set, as ``isx generate taskset`` does, to the last byte.

    {keywords}

    `TaskSet.to_yaml` of the set is the file that the command writes. InputError: an argument is outside what it may be.

    Examples
    --------
    >>> made = isx.generate(tasks=20, choices=8, utilization="1.8", seed=7)
    >>> len(made.tasks), made == isx.generate(tasks=20, choices=8, utilization="1.8", seed=7)
    (20, True)
    >>> isx.generate(tasks=3, resources={"LUT": (1, 1500), "DSP": (0, 4)}).resources
    ('LUT', 'DSP')
    """
    seed = counted(given.pop("seed", None), "seed")
    hints = get_type_hints(Recipe, include_extras=True)
    pairs = [(name, flag(value, name, kind(hints[name]))) for name, value in given.items() if value is not None]
    return TaskSet.from_yaml(_isx.generate(pairs, seed), source="<generated>")
