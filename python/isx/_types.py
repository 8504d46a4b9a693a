"""What passes between the package's modules and the native one."""

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, SupportsIndex, TypedDict

import numpy as np
import numpy.typing as npt

Number = SupportsIndex | float | str | Decimal | Fraction
"""A number: an integer, a Fraction, a Decimal, a text (``"0.25"``, ``"10/9"``), or a float, which counts as the decimal that
Python prints for it: 0.1 is exactly 1/10. A float that is wider than a double and no double is refused."""


class Changes(TypedDict):
    force: list[str]
    forbid: list[str]
    scale_wcet: Fraction | None
    margin: Fraction | None
    overruns: int | None
    variant: str | None
    objectives: str | None
    within: str | None
    price: str | None
    device: str | None


class Wanted(TypedDict):
    all_capacities: bool
    picks: bool
    reduce: bool


class Source(TypedDict):
    task_set: tuple[str, str]
    certificate: tuple[str, str] | None
    notes: list[str]


DesignParts = tuple[
    list[Fraction], Fraction, bool | None, bool | None, list[str | None], list[str], Fraction | None, str | None, list[Fraction]
]
"""Cost (of a set with one area this alone), utilization, verdicts, the choice of every task, blocks, clock in hertz, variant,
the utilization in each mode if there are several."""

ResourceParts = tuple[list[str], list[str], list[Fraction], list[Fraction | None], list[Fraction], str | None]
"""Names, objectives, what every design builds, limits, the parts of the device that may be used, its name."""

Amounts = str | Mapping[str, Number]
"""Amounts of resources: ``{"LUT": 5000, "DSP": 8}``, or ``"LUT=5000,DSP=8"``."""

Integers = npt.NDArray[np.integer[Any]]
"""An array of 64-bit integers."""

ProblemParts = tuple[Integers, Integers, npt.NDArray[np.int64] | None, int, bool]
"""Values, weights, where classes begin (None for a 0-1 knapsack), capacity, whether a class may give no item."""


class Said(TypedDict):
    """What is said beside tables that are imported."""

    clock: str | None
    unit: str | None
    decimal: str | None
    name: str | None
