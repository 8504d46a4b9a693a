"""FPGAs, and on which of them a task set is schedulable."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Unpack, cast

from . import _cost, _html, _isx
from ._asked import Counting, Fitting, keywords
from ._errors import InputError
from ._explore import changes, fpga
from ._running import options
from ._taskset import TaskSetLike, task_set
from ._verdict import ratio


@dataclass(frozen=True, slots=True)
class FpgaDevice:
    """A known FPGA.

    Attributes
    ----------
    name : str
        The vendor's name, without package and speed grade.
    also : tuple of str
        Other names under which it is found.
    resources : dict of str to int
        How many it has of each resource, by every name of the resource: those of the same thing follow each other, the
        vendor's first.
    source : str
        The document with the figures.
    """

    name: str
    also: tuple[str, ...]
    resources: Mapping[str, int] = field(hash=False)
    source: str


def fpga_devices() -> tuple[FpgaDevice, ...]:
    """The known FPGAs, a family after the other, each from the smallest.

    Returns
    -------
    tuple of FpgaDevice
        Those whose names `explore`, `check`, `show` and `fit` take, in upper or lower case.

    Examples
    --------
    >>> up5k = next(device for device in isx.fpga_devices() if device.name == "iCE40UP5K")
    >>> up5k.resources["LUT"], up5k.resources["DSP"]
    (5280, 8)
    """

    def resources(amounts: list[tuple[list[str], int]]) -> dict[str, int]:
        return {name: amount for names, amount in amounts for name in names}

    return tuple(
        FpgaDevice(name, tuple(also), resources(amounts), source) for name, also, amounts, source in _isx.fpga_devices()
    )


@dataclass(frozen=True, slots=True)
class FitDesign:
    """A design on a device: its utilization, its cost by resource, the choice of every task, the blocks that it builds, and the
    variant of the processor, if there are several."""

    utilization: Fraction
    cost: Mapping[str, Fraction]
    choices: Mapping[str, str | None]
    blocks: tuple[str, ...]
    variant: str | None


@dataclass(frozen=True, slots=True)
class FitRow:
    """How a task set fits one FPGA.

    Attributes
    ----------
    device : str
        Its name.
    family : str or None
        Its family, whose devices are made of the same cells; None if it is not known.
    warnings : tuple of str
        What of the set's figures does not carry over to it, which are of another family.
    schedulable : bool or None
        Whether some design within its limits meets all deadlines; None if that was not decided.
    utilization : fractions.Fraction or None
        The least utilization of a design within the limits; None if no design is within them.
    cost : dict of str to fractions.Fraction, or None
        What that design uses of each resource, the base included.
    limits : dict of str to fractions.Fraction
        How much there is of each resource; the set's ``fill`` counts already.
    binding : tuple of str
        The resources that bind: more of one of them alone would give less utilization.
    reason : str or None
        Why no design is within the limits; None if one is.
    choices : dict of str to (str or None), or None
        The choice of every task in that design.
    blocks : tuple of str, or None
        The blocks that it builds.
    variant : str or None
        The variant of the processor that it is built with; None if there is one processor.
    schedulable_design : FitDesign or None
        The schedulable design where that of least utilization misses a deadline, which under EDF with no deadline below its
        period does not happen; else None.
    """

    device: str
    family: str | None
    warnings: tuple[str, ...]
    schedulable: bool | None
    utilization: Fraction | None
    cost: Mapping[str, Fraction] | None
    limits: Mapping[str, Fraction]
    binding: tuple[str, ...]
    reason: str | None
    choices: Mapping[str, str | None] | None
    blocks: tuple[str, ...] | None
    variant: str | None
    schedulable_design: FitDesign | None


@dataclass(frozen=True, slots=True)
class Fit:
    """How a task set fits several FPGAs. It comes from `fit`.

    As a condition, ``if fit:``, it is whether the set is schedulable on one of them; TypeError where that is not known.

    Attributes
    ----------
    name : str
        Of the task set.
    resources : tuple of str
        The resources that hardware costs.
    rows : tuple of FitRow
        One per device.
    smallest_device : str or None
        Of the devices on which the set is schedulable, the one with the least of the first resource; of equal ones, of the
        next, and so on. Devices whose rows have warnings are only among them if all rows have some.
    min_schedulable : tuple of dict
        The minimal schedulable costs of the set without any limit.
    smallest_unknown : str or None
        Why some of them are not known, where they are not.
    what_if : tuple of str
        What was changed, in words.
    """

    name: str
    resources: tuple[str, ...]
    rows: tuple[FitRow, ...]
    smallest_device: str | None
    min_schedulable: tuple[Mapping[str, Fraction], ...]
    smallest_unknown: str | None
    what_if: tuple[str, ...]
    _document: bytes = field(repr=False, compare=False)

    @classmethod
    def _of(cls, document: bytes) -> Fit:
        told: dict[str, Any] = json.loads(document)
        return cls(
            name=told["taskset"],
            resources=tuple(told["resources"]),
            rows=tuple(map(_row, told["rows"])),
            smallest_device=told["smallest_device"],
            min_schedulable=tuple(map(_cost.amounts, told["min_schedulable"])),
            smallest_unknown=told["min_schedulable_unknown"],
            what_if=tuple(told.get("what_if", ())),
            _document=document,
        )

    def __bool__(self) -> bool:
        verdicts = {row.schedulable for row in self.rows}
        if True not in verdicts and None in verdicts:
            raise TypeError("whether the set is schedulable on one of the devices is not known")
        return True in verdicts

    def to_json(self) -> bytes:
        """The rows as JSON, schema ``isx.fit/1``: the bytes that ``isx fit --json`` prints."""
        return self._document

    def _repr_html_(self) -> str:
        """A row per device, for notebooks; names are escaped."""
        minimal = _cost.minimal_words(self.min_schedulable, self.smallest_unknown)
        rows = {"Smallest schedulable device": self.smallest_device or "none", "Minimal schedulable costs": minimal}
        warnings = dict.fromkeys(warning for row in self.rows for warning in row.warnings)
        if warnings:
            rows["Warnings"] = "; ".join(warnings)
        if self.what_if:
            rows["What if"] = ", ".join(self.what_if)

        def used(row: FitRow, resource: str) -> str:
            amount = "-" if row.cost is None else _html.amount(row.cost[resource])
            return f"{amount}/{_html.amount(row.limits[resource])}" if resource in row.limits else amount

        def cells(row: FitRow) -> list[str]:
            least = "-" if row.utilization is None else _html.rounded(row.utilization)
            amounts = [used(row, resource) for resource in self.resources]
            return [row.device, _html.verdict(row.schedulable), least, *amounts, row.reason or ", ".join(row.binding)]

        heads = ["Device", "Verdict", "Utilization", *self.resources, "Binds"]
        return _html.page(self.name, _html.facts(rows), _html.table(heads, map(cells, self.rows)))


@keywords(Fitting)
def fit(
    source: TaskSetLike,
    devices: str | Iterable[str] | None = None,
    all_families: bool = False,
    **asked: Unpack[Fitting],
) -> Fit:
    """Decide on which FPGAs a task set is schedulable, and which resource binds on each.

    Parameters
    ----------
    source : path, dict or TaskSet
        The task set, which counts resources, or an area whose unit is the name of one. Its ``fill`` and ``base`` apply to
        every device.
    devices : str or iterable of str
        The FPGAs, by name; if not given, that of the set and those of its family, or without one all of `fpga_devices` that have
        the set's resources.
    all_families : bool, default False
        Whether to try all of `fpga_devices` that have the set's resources.
    force, forbid, scale_wcet, margin, overruns, variant, engine, threads, max_memory, gpu, gpu_memory, progress
        As for `explore`.

    Returns
    -------
    Fit
        A row per device, the smallest device on which the set is schedulable, and the minimal schedulable costs.

    Raises
    ------
    InputError
        There is no such device, or it lacks a resource of the set.
    Error
        As for `explore`.

    Examples
    --------
    >>> fit = isx.fit(hub, devices=["iCE40UP5K", "iCE40HX4K", "iCE40LP1K"])
    >>> [(row.device, row.schedulable, row.binding) for row in fit.rows]
    [('iCE40UP5K', True, ()), ('iCE40HX4K', True, ('DSP',)), ('iCE40LP1K', False, ('LUT',))]
    >>> fit.smallest_device  # clocks of an iCE40HX are not those of an iCE40UP
    'iCE40UP5K'
    """
    if devices is None:
        named = []
    elif isinstance(devices, str):
        named = [fpga(devices, "devices")]
    elif isinstance(devices, Iterable) and not isinstance(devices, (bytes, Mapping)):
        named = [fpga(one, "each of devices") for one in devices]
        if not named:
            raise InputError("devices is empty: name some, or leave it out for those of the family")
    else:
        raise InputError(f"devices must be names of FPGAs, not {type(devices).__name__}")
    if named and all_families:
        raise InputError("devices and all_families are given: leave one of the two out")
    given = task_set(source)
    how = options(asked)
    changed = changes(cast(Counting, asked))
    return Fit._of(_isx.fit(given._native, named, all_families, changed, how))


def _row(told: Mapping[str, Any]) -> FitRow:
    other = told.get("schedulable_design")
    return FitRow(
        device=told["device"],
        family=told["family"],
        warnings=tuple(told["warnings"]),
        schedulable=told["schedulable"],
        utilization=None if told["utilization"] is None else ratio(told["utilization"]),
        cost=None if told["cost"] is None else _cost.amounts(told["cost"]),
        limits=_cost.amounts(told["limits"]),
        binding=tuple(told["binding"]),
        reason=told["reason"],
        choices=told["choices"],
        blocks=None if told["blocks"] is None else tuple(told["blocks"]),
        variant=told.get("variant"),
        schedulable_design=None if other is None else _design(other),
    )


def _design(told: Mapping[str, Any]) -> FitDesign:
    cost = _cost.amounts(told["cost"])
    return FitDesign(ratio(told["utilization"]), cost, told["choices"], tuple(told["blocks"]), told.get("variant"))
