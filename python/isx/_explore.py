"""The questions that are asked of a task set."""

from __future__ import annotations

import os
from collections.abc import Mapping
from fractions import Fraction
from hashlib import file_digest, sha256
from typing import SupportsIndex, Unpack

from . import _isx
from ._asked import Asking, Counting, keywords
from ._design import Design
from ._errors import InputError
from ._exact import counted, exact, shown, utf8
from ._front import Front
from ._running import options
from ._taskset import TaskSet, TaskSetLike, names, task_set
from ._types import Amounts, Changes, Number, Source
from ._verdict import Verdict


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

    Parameters
    ----------
    source : path, dict or TaskSet
        The task set. Text is a path; for YAML text see `TaskSet.from_yaml`.
    max_area : Number, optional
        Consider no design above this area, in the set's area unit.
    force : str or iterable of str
        ``"TASK=CHOICE"`` or ``"TASK=software"``: what a task takes in every design.
    forbid : str or iterable of str
        ``"TASK=CHOICE"`` or ``"BLOCK"``: what no design takes.
    scale_wcet : Number, optional
        A factor on every WCET, in software and with choices.
    margin : Number or str, optional
        Every WCET is longer by this part of it: ``"20%"`` or 0.2.
    overruns : int, optional
        At most this many tasks exceed their WCET at a time, up to the ``wcet_high`` of the file; no other does.
    variant : str, optional
        The variant of the processor that is built.
    objectives : str or iterable of str
        Resources that span the front, ``["LUT", "DSP"]`` or ``"LUT,DSP"``; the others only have limits. Those of the set, or
        all, if not given.
    within : dict or str
        The most that a design may cost of each resource, the base included: ``{"LUT": 5000, "DSP": 8}`` or ``"LUT=5000,DSP=8"``.
        The lesser of this and of a device counts.
    price : dict or str
        Make one area of several resources, a price for each: ``{"LUT": 1, "DSP": 80}``.
    device : str
        Take the limits of this FPGA, such as ``"iCE40UP5K"``, in place of those of the set; see `fpga_devices`.
    prove : bool
        Have a certificate made and checked that no point is missing and none can be better; `Front.status` is then
        ``"proved"``.
    certificate : path, optional
        Keep the certificate in this file, which ``isx verify`` checks.
    front : str
        What the front is about: area against ``"utilization"``, or against ``"margin"``, the largest factor on all WCETs with
        which a design stays schedulable (`Point.margin`), for sets with one area; such a front is not proved.
    engine : str
        One of `engines`, or ``"auto"``.
    threads : int, optional
        Threads to use; one per core if not given.
    max_memory : int, optional
        Most bytes of tables; 4 GiB if not given.
    gpu, gpu_memory : int, optional
        The GPU to use, as the driver counts, and the most bytes to take on it.
    progress : callable, optional
        Called with a `Progress` some twenty times a second at most, in this thread. What it raises ends the computation.

    Returns
    -------
    Front
        Every design that is worth considering.

    Raises
    ------
    TaskSetError
        The task set cannot be read.
    InputError
        An argument is wrong, or the set's figures pass the integers.
    Infeasible
        No design within `max_area` has all choices that are forced, or no design is within the limits.
    MemoryLimitError
        The tables would pass `max_memory`.
    EngineUnavailable
        The engine asked for cannot run here.
    SelfCheckFailed
        The answer does not hold or cannot be proved.
    KeyboardInterrupt
        Within a second of Ctrl-C.

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
    given = task_set(source)
    most = None if max_area is None else exact(max_area, "max_area")
    how = options(asked)
    kept = None if certificate is None else os.fspath(certificate)
    if front not in ("utilization", "margin"):
        raise InputError(f"front is 'utilization' or 'margin', not {shown(front)}")
    if front == "margin" and (prove or kept is not None):
        raise InputError("a front of area against margin is not proved: leave prove and certificate out")
    changed = changes(asked)
    explored = _isx.explore(given._native, most, changed, how, (bool(prove), kept), front == "margin")
    return Front._of(explored, origin(given, kept))


@keywords(Asking)
def check(
    source: TaskSetLike,
    area: Number | None = None,
    **asked: Unpack[Asking],
) -> Verdict:
    """Decide whether a task set is schedulable within a given area or limits, or with any, under its scheduler.

    Of several resources, `within` or `device` asks whether some design within these limits is schedulable, which needs no
    front; without them all minimal costs are found.

    Parameters
    ----------
    source : path, dict or TaskSet
        The task set.
    area : Number, optional
        The area to spend, in the set's area unit. Without it all designs are looked at, and the smallest schedulable one
        is shown.
    force, forbid, scale_wcet, margin, overruns, variant, objectives, within, price, device
        As for `explore`.
    engine, threads, max_memory, gpu, gpu_memory, progress
        As for `explore`.

    Returns
    -------
    Verdict
        Yes, no or unknown, with the reason and the smallest area that would do.

    Raises
    ------
    Error
        As for `explore`.

    Examples
    --------
    >>> verdict = isx.check(gateway, 1116)
    >>> verdict.schedulable, verdict.reason, verdict.smallest_area
    (False, 'the least utilization is above 1', Fraction(1157, 1))
    >>> isx.check(hub, within={"LUT": 1620}).schedulable
    False
    """
    given = task_set(source)
    how = options(asked)
    changed = changes(asked)
    budget = None if area is None else exact(area, "area")
    return Verdict._of(*_isx.check(given._native, budget, changed, how))


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

    Parameters
    ----------
    source : path, dict, TaskSet or Front
        A front is not computed again; the arguments from `force` on are for task sets.
    area : Number
        The design of least utilization within this area.
    point : int
        Or the design of this number on the front, from 0; -1 is the last.
    max_utilization : Number
        Or the design of least area with at most this utilization.
    smallest : bool
        Or the smallest schedulable design; with short deadlines or fixed priorities it may be off the front. Of several
        resources, the first of the minimal costs.
    within, device
        Of several resources, one of these alone chooses the design of least utilization within the limits.
    force, forbid, scale_wcet, margin, overruns, variant, objectives, price, engine, threads, max_memory, gpu, gpu_memory, progress
        As for `explore`; `within` and `device` beside another choice, too.

    Returns
    -------
    Design
        The design.

    Raises
    ------
    NoSuchDesign
        There is no such design, or the smallest schedulable one is not known.
    Error
        As for `explore`.

    Examples
    --------
    >>> design = isx.show(gateway, area=1200)
    >>> design.area, {task.name: task.choice for task in design.tasks}["esp-encrypt"]
    (Fraction(1157, 1), 'aes-v3.1')
    >>> isx.show(hub, within={"LUT": 1800}).utilization
    Fraction(11, 24)
    """
    wanted = sum(one is not None for one in (area, point, max_utilization)) + bool(smallest)
    is_least = wanted == 0 and (asked.get("within") is not None or asked.get("device") is not None)
    if wanted != 1 and not is_least:
        raise InputError("give one of area, point, max_utilization and smallest, or of several resources within or device")
    changed = changes(asked)
    if isinstance(source, Front):
        if any(value not in (None, []) for value in changed.values()):
            raise InputError(f"{', '.join(changed)} change a task set, and this is a front")
        front = source
    elif is_least:
        how = options(asked)
        return Design._of(_isx.show_least(task_set(source)._native, changed, how))
    else:
        front = explore(source, **asked)
    return front.show(area=area, point=point, max_utilization=max_utilization, smallest=smallest)


def changes(asked: Counting) -> Changes:
    """What is tried out."""
    scale, margin = asked.get("scale_wcet"), asked.get("margin")
    variant, device = asked.get("variant"), asked.get("device")
    return {
        "force": names(asked.get("force", ()), "force"),
        "forbid": names(asked.get("forbid", ()), "forbid"),
        "scale_wcet": None if scale is None else exact(scale, "scale_wcet"),
        "margin": None if margin is None else _margin(margin),
        "overruns": counted(asked.get("overruns"), "overruns", 0, 2**32 - 1),
        "variant": None if variant is None else utf8(variant, "variant"),
        "objectives": ",".join(names(asked.get("objectives", ()), "objectives")) or None,
        "within": _amounts(asked.get("within"), "within"),
        "price": _amounts(asked.get("price"), "price"),
        "device": None if device is None else fpga(device, "device"),
    }


def fpga(given: str, name: str) -> str:
    """The name of an FPGA."""
    if not isinstance(given, str):
        raise InputError(f"{name} names an FPGA, such as 'iCE40UP5K', not {shown(given)}; a GPU is chosen with gpu=0")
    return utf8(given, name)


def _amounts(given: Amounts | None, name: str) -> str | None:
    """Amounts of resources, as the command has them."""
    if given is None or isinstance(given, str):
        return None if given is None else utf8(given, name)
    if not isinstance(given, Mapping) or not given:
        raise InputError(f"{name} must be amounts of resources, such as {{'LUT': 5000, 'DSP': 8}}, not {shown(given)}")
    amounts = []
    for resource, amount in given.items():
        if set("=,") & set(utf8(resource, f"a resource of {name}")):
            raise InputError(f"{name}: there is no resource {resource!r}")
        amounts.append(f"{resource}={_isx.format_exact(exact(amount, f'{name} of {resource}'))}")
    return ",".join(amounts)


def _margin(given: Number) -> Fraction:
    """A part of every WCET: ``"20%"``, ``"20 %"`` or 0.2."""
    if isinstance(given, str) and given.rstrip().endswith("%"):
        return exact(given.rstrip()[:-1].rstrip(), "margin") / 100
    margin = exact(given, "margin")
    if margin >= 1:
        raise InputError(f"a margin of {given} would be {margin * 100} %: write it in percent, such as '20%'")
    return margin


def origin(given: TaskSet, certificate: str | None) -> Source:
    """Where a front comes from."""
    notes = [message for _, _, _, message, _ in given._native.warnings]
    named = (os.path.basename(given.source), sha256(given.to_yaml().encode()).hexdigest())
    proof = None
    # What is no regular file, such as a pipe, is not read again.
    if certificate is not None and os.path.isfile(certificate):
        with open(certificate, "rb") as file:
            proof = (os.path.basename(certificate), file_digest(file, "sha256").hexdigest())
    return {"task_set": named, "certificate": proof, "notes": notes}
