"""The questions that are asked of task sets."""

from __future__ import annotations

import json
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import file_digest, sha256
from typing import Any, SupportsIndex, Unpack

from . import _isx
from ._answers import Comparison, Design, Fit, FpgaDevice, Partitions, Verdict
from ._errors import Error, InputError, TaskSetWarning
from ._front import WHICH, Front
from ._keywords import Asking, Dividing, Fitting, changes, fpga, keywords, options
from ._numbers import Number, counted, exact, shown, utf8
from ._taskset import TaskSet, TaskSetLike, collecting, depth, task_set


@keywords(Asking)
def explore(
    source: TaskSetLike,
    *,
    max_area: Number | None = None,
    prove: bool = False,
    certificate: str | os.PathLike[str] | None = None,
    front: str = "utilization",
    **asked: Unpack[Asking],
) -> Front:
    """Compute the exact Pareto front of area, or of several resources, against utilization.

    source: The task set: a path, a dictionary or a `TaskSet`. Text is a path; for YAML text see `TaskSet.from_yaml`.
    max_area: Consider no design above this area, in the set's area unit.
    prove: Have a certificate made and checked that no point is missing and none can be better; `Front.status` is then ``"proved"``.
    certificate: Keep the certificate in this file, which ``isx verify`` checks.
    front: What the front is about: area against ``"utilization"``, or against ``"margin"``, the largest factor on all WCETs with
        which a design stays schedulable (`Point.margin`), for sets with one area; such a front is not proved.
    {keywords}

    Every design that is worth considering is returned. TaskSetError: the task set cannot be read. InputError: an argument is wrong, or
    the set's figures pass the integers. Infeasible: no design within `max_area` has all choices that are forced, or no design is within
    the limits. MemoryLimitError: the tables would pass `max_memory`. EngineUnavailable: the engine asked for cannot run here.
    SelfCheckFailed: the answer does not hold or cannot be proved. KeyboardInterrupt: within a second of Ctrl-C.

    Examples
    --------
    >>> front = isx.explore(gateway)
    >>> len(front), front.area_unit, front.status
    (16, 'NAND2', 'checked')
    >>> isx.explore(gateway, scale_wcet="1.1").smallest_schedulable.area
    Fraction(1904, 1)
    >>> [str(point.cost["LUT"]) for point in isx.explore(hub, within={"LUT": 1700})]
    ['1614', '1634', '1644']
    """
    kept = None if certificate is None else os.fspath(certificate)
    if front not in ("utilization", "margin"):
        raise InputError(f"front is 'utilization' or 'margin', not {shown(front)}")
    if front == "margin" and (prove or kept is not None):
        raise InputError("a front of area against margin is not proved: leave prove and certificate out")
    wanted = {"max_area": max_area, "by_margin": front == "margin", "prove": bool(prove), "certificate": kept, "alone": True}
    [found] = _explored([task_set(source)], wanted, asked)
    if isinstance(found, BaseException):
        raise found
    return found


def _explored(sets: list[TaskSet], wanted: dict[str, Any], asked: Mapping[str, Any]) -> list[Front | Error]:
    most = wanted["max_area"]
    wanted = {**wanted, "max_area": None if most is None else exact(most, "max_area")}
    how, changed = options(asked), changes(asked)
    explored = _isx.explore([one._native for one in sets], wanted, changed, how)

    def front(given: TaskSet, found: _isx.Answer | Exception) -> Any:
        is_front = isinstance(found, _isx.Answer)
        return Front._by(found, task_set=given, source=origin(given, wanted["certificate"])) if is_front else found

    return [front(given, one) for given, one in zip(sets, explored, strict=True)]


def origin(given: TaskSet, certificate: str | None = None) -> tuple[Any, ...]:
    """Where an answer comes from."""
    proof = None
    # What is no regular file, such as a pipe, is not read again.
    if certificate is not None and os.path.isfile(certificate):
        with open(certificate, "rb") as file:
            proof = (os.path.basename(certificate), file_digest(file, "sha256").hexdigest())
    named = (os.path.basename(given.source), sha256(given.to_yaml().encode()).hexdigest())
    return named, proof, [message for message, _ in given._native.warnings]


@keywords(Asking)
def explore_many(
    sources: Iterable[TaskSetLike],
    *,
    max_area: Number | None = None,
    prove: bool = False,
    **asked: Unpack[Asking],
) -> list[Front | Error | OSError]:
    """Compute the fronts of many task sets, as many at the same time as there are threads.

    sources: The task sets: paths, dictionaries or `TaskSet`s.
    max_area, prove: For every set, as for `explore`.
    {keywords}

    The fronts are returned in the order of the sets. Where a set has no front, the exception that `explore` would have raised stands
    in its place, and the others go on. A set whose share of `max_memory` is too small is explored again by itself. `progress` counts
    the sets. InputError: an argument other than the sets is wrong. Warns with TaskSetWarning once per message, with the number of sets
    that it is about.

    Examples
    --------
    >>> fronts = isx.explore_many([gateway, "missing.yaml", isx.generate(tasks=3)])
    >>> [type(front).__name__ for front in fronts]
    ['Front', 'FileNotFoundError', 'Front']
    >>> [front.smallest_schedulable.area for front in fronts[:1] if isinstance(front, isx.Front)]
    [Fraction(1157, 1)]
    """
    if isinstance(sources, (str, bytes, Mapping, TaskSet)) or not isinstance(sources, Iterable):
        raise InputError(f"explore_many takes several task sets, such as a list, not one {type(sources).__name__}")

    def read(source: TaskSetLike) -> TaskSet | Error | OSError:
        try:
            return task_set(source)
        except (Error, OSError) as error:
            return error

    with collecting() as warned:
        given = [read(source) for source in sources]
    # Every message once: as it is drawn with the lines of the first set, and how many more there are.
    count, first = Counter(message for message, _ in warned), dict(reversed(warned))
    for message in dict.fromkeys(message for message, _ in warned):
        more = count[message] - 1
        text = f"\nand {more} more warning{'s' if more != 1 else ''} of the same text" if more else ""
        warnings.warn(first[message] + text, TaskSetWarning, stacklevel=depth())
    wanted = {"max_area": max_area, "by_margin": False, "prove": bool(prove), "certificate": None, "alone": False}
    explored = iter(_explored([one for one in given if isinstance(one, TaskSet)], wanted, asked))
    return [next(explored) if isinstance(one, TaskSet) else one for one in given]


@keywords(Asking)
def check(
    source: TaskSetLike,
    area: Number | None = None,
    **asked: Unpack[Asking],
) -> Verdict:
    """Decide whether a task set is schedulable within a given area or limits, or with any, under its scheduler.

    Of several resources, `within` or `device` asks whether some design within these limits is schedulable, which needs no
    front; without them all minimal costs are found.

    source: The task set.
    area: The area to spend, in the set's area unit. Without it all designs are looked at, and the smallest schedulable one is shown.
    {keywords}

    Yes, no or unknown is returned, with the reason and the smallest area that would do. Errors are those of `explore`.

    Examples
    --------
    >>> verdict = isx.check(gateway, 1116)
    >>> verdict.schedulable, verdict.reason, verdict.smallest_area
    (False, 'the least utilization is above 1', Fraction(1157, 1))
    >>> isx.check(hub, within={"LUT": 1620}).schedulable
    False
    """
    budget = None if area is None else exact(area, "area")
    document, engine = _isx.check((task_set(source)._native, changes(asked), options(asked)), budget)
    return Verdict._by(document, engine=engine)


@keywords(Asking)
def show(
    source: TaskSetLike | Front,
    *,
    area: Number | None = None,
    point: SupportsIndex | None = None,
    max_utilization: Number | None = None,
    smallest: bool = False,
    **asked: Unpack[Asking],
) -> Design:
    """Tell one design task by task: what it takes, what that gains, its margin, and what comes next.

    source: The task set, or a `Front`, which is not computed again; the arguments from `force` on are for task sets.
    area: The design of least utilization within this area.
    point: Or the design of this number on the front, from 0; -1 is the last.
    max_utilization: Or the design of least area with at most this utilization.
    smallest: Or the smallest schedulable design; with short deadlines or fixed priorities it may be off the front. Of several
        resources, the first of the minimal costs. Of these, `within` or `device` alone chooses the design of least utilization.
    {keywords}

    NoSuchDesign: there is no such design, or the smallest schedulable one is not known. Other errors are those of `explore`.

    Examples
    --------
    >>> design = isx.show(gateway, area=1200)
    >>> design.area, {task.name: task.choice for task in design.tasks}["esp-encrypt"]
    (Fraction(1157, 1), 'aes-v3.1')
    >>> isx.show(hub, within={"LUT": 1800}).utilization
    Fraction(11, 24)
    """
    changed = changes(asked)
    is_least = not smallest and area is None and point is None and max_utilization is None
    if is_least and not any(key in ("within", "device") for key, _ in changed):
        raise InputError(WHICH)
    if isinstance(source, Front) and changed:
        raise InputError(f"{', '.join(dict.fromkeys(key for key, _ in changed))} would change a task set, and this is a front")
    if is_least and not isinstance(source, Front):
        return Design._by(_isx.show_least((task_set(source)._native, changed, options(asked))))
    front = source if isinstance(source, Front) else explore(source, **asked)
    return front.show(area=area, point=point, max_utilization=max_utilization, smallest=smallest)


@keywords(Fitting)
def fit(
    source: TaskSetLike,
    devices: str | Iterable[str] | None = None,
    all_families: bool = False,
    **asked: Unpack[Fitting],
) -> Fit:
    """Decide on which FPGAs a task set is schedulable, and which resource binds on each.

    source: The task set, which counts resources, or an area whose unit is the name of one. Its ``fill`` and ``base`` apply to
        every device.
    devices: The FPGAs, by name; if not given, that of the set and those of its family, or without one all of `fpga_devices` that
        have the set's resources.
    all_families: Whether to try all of `fpga_devices` that have the set's resources.
    {keywords}

    A row per device is returned, the smallest device on which the set is schedulable, and the minimal schedulable costs. InputError:
    there is no such device, or it lacks a resource of the set. Other errors are those of `explore`.

    Examples
    --------
    >>> fit = isx.fit(hub, devices=["iCE40UP5K", "iCE40HX4K", "iCE40LP1K"])
    >>> [(row.device, row.schedulable, row.binding) for row in fit.rows]
    [('iCE40UP5K', True, ()), ('iCE40HX4K', True, ('DSP',)), ('iCE40LP1K', False, ('LUT',))]
    >>> fit.smallest_device  # clocks of an iCE40HX are not those of an iCE40UP
    'iCE40UP5K'
    """
    named: list[str] = []
    if isinstance(devices, str):
        named = [fpga(devices, "devices")]
    elif isinstance(devices, Iterable) and not isinstance(devices, (bytes, Mapping)):
        named = [fpga(one, "each of devices") for one in devices]
        if not named:
            raise InputError("devices is empty: name some, or leave it out for those of the family")
    elif devices is not None:
        raise InputError(f"devices must be names of FPGAs, not {type(devices).__name__}")
    if named and all_families:
        raise InputError("devices and all_families are given: leave one of the two out")
    return Fit._by(_isx.fit((task_set(source)._native, changes(asked), options(asked)), named, all_families))


def fpga_devices() -> tuple[FpgaDevice, ...]:
    """The known FPGAs, a family after the other, each from the smallest: those whose names `explore`, `check`, `show` and `fit`
    take, in upper or lower case.

    Examples
    --------
    >>> up5k = next(device for device in isx.fpga_devices() if device.name == "iCE40UP5K")
    >>> up5k.resources["LUT"], up5k.resources["DSP"]
    (5280, 8)
    """
    return tuple(map(FpgaDevice._of, json.loads(_isx.fpga_devices())))


@keywords(Dividing)
def partition(
    source: TaskSetLike,
    cores: SupportsIndex | tuple[SupportsIndex, SupportsIndex] | None = None,
    *,
    max_time: Number | None = None,
    **asked: Unpack[Dividing],
) -> Partitions:
    """Divide the tasks among equal cores: for each number of cores the least area with which all deadlines are met.

    source: The task set; its ``cores`` may say how many there are, and the area of one.
    cores: The number of cores, or the least and the most of them; those of the set, else 1 to 4, if not given.
    max_time: Stop after this many seconds. What is not decided by then is unknown, with both bounds.
    {keywords}

    Of several resources a price makes the area, or the only objective is the area; limits hold beside it, for the chip with all cores.
    `progress` counts the numbers of cores. InputError: the set has several modes, variants of the processor or resources without a
    price, or an argument is wrong. Other errors are those of `explore`.

    Examples
    --------
    >>> pair = isx.partition(gateway, cores=(1, 2))
    >>> [(row.cores, row.status, row.area) for row in pair.rows]
    [(1, 'proved', Fraction(1157, 1)), (2, 'proved', Fraction(0, 1))]
    >>> pair.best.cores, max(pair.best.utilizations) <= 1
    (2, True)
    """
    between = None
    if cores is not None:
        ends = cores if isinstance(cores, tuple) else (cores, cores)
        if len(ends) != 2:
            raise InputError("cores must be a number, or the least and the most of them, such as (1, 8)")
        between = tuple(counted(end, "cores", 1, 64) or 1 for end in ends)
        if between[0] > between[1]:
            raise InputError(f"cores begins with {between[0]}, which is above {between[1]}")
    seconds = None if max_time is None else float(exact(max_time, "max_time"))
    given = task_set(source)
    found = _isx.partition((given._native, changes(asked), options(asked)), between, seconds)
    return Partitions._by(found, source=origin(given))


def compare(*fronts: Front | str | os.PathLike[str], names: Sequence[str] | None = None) -> Comparison:
    """Compare two to six fronts: which has the least utilization within the same area, and by how much, exactly.

    fronts: Fronts of `explore`, or files of fronts, JSON or Parquet (``front.to_json("front.json")``, ``isx explore``).
    names: What they are called; if not given, a file has its own name, and a front that of its task set.

    InputError: a file holds no front, the areas have different units, or there are less than two fronts or more than six.

    Examples
    --------
    >>> comparison = isx.compare(isx.explore(gateway), isx.explore(gateway, forbid="packet-sha256=ssha256"), names=("all", "less"))
    >>> comparison.conclusion
    'all is nowhere worse than less. Least utilization: all 0.462019, less 0.603654.'
    >>> comparison.spans[1].least, comparison.spans[1].start
    ((0,), Fraction(787, 1))
    """
    given = [None] * len(fronts) if names is None else names
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != len(fronts):
        raise InputError(f"names must be as many texts as there are fronts, {len(fronts)}, not {names!r}")
    documents = []
    for front, name in zip(fronts, given, strict=True):
        called = None if name is None else utf8(name, "each of names")
        if isinstance(front, Front):
            documents.append((called or front.name, front.to_json()))
        elif isinstance(front, (str, os.PathLike)):
            with open(front, "rb") as file:
                documents.append((called or os.path.basename(os.fspath(front)), file.read()))
        else:
            raise InputError(f"a front is an isx.Front or the path of a front.json, not {type(front).__name__}: explore it first")
    return Comparison._by(_isx.compare(documents))


def engines() -> dict[str, tuple[str, ...]]:
    """The engines by name, beside ``"auto"``, which takes the one expected to be fastest.

    ``"mckp"``: those of `explore`, `check`, `show` and `solve_mckp`; ``"knapsack"``: those of `solve_knapsack`. Those whose name begins
    with ``cuda`` need an NVIDIA GPU.

    Examples
    --------
    >>> "list" in isx.engines()["mckp"]
    True
    """
    mckp, knapsack = map(tuple, _isx.engines())
    return {"mckp": mckp, "knapsack": knapsack}
