"""What passes between the package's modules and the native one."""

from fractions import Fraction
from typing import TypedDict


class Changes(TypedDict):
    force: list[str]
    forbid: list[str]
    scale_wcet: Fraction | None
    margin: Fraction | None


class Wanted(TypedDict):
    all_capacities: bool
    picks: bool
    reduce: bool


class Source(TypedDict):
    task_set: tuple[str, str]
    certificate: tuple[str, str] | None
    notes: list[str]


class Recipe(TypedDict):
    name: str | None
    tasks: str | None
    utilization: str | None
    max_task_utilization: str | None
    clock_mhz: int | None
    periods: str | None
    choices: str | None
    area: str | None
    area_unit: str | None
    savings: str | None
    deadlines: str | None
    scheduler: str | None
    blocks: int | None
    uses: str | None
    block_area: str | None
    fmax: str | None
    seed: int | None


DesignParts = tuple[Fraction, Fraction, bool | None, bool | None, list[str | None], list[str], Fraction | None]
"""Area, utilization, verdict, the choice of every task, blocks, clock in hertz."""


class Said(TypedDict):
    """What is said beside tables that are imported."""

    clock: str | None
    unit: str | None
    decimal: str | None
    name: str | None
