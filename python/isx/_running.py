"""How to compute: what all functions that take long have in common."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import NamedTuple, SupportsIndex, TypedDict

from . import _isx
from ._errors import EngineWarning, InputError
from ._exact import counted, utf8
from ._taskset import _depth


class Progress(NamedTuple):
    """How far a computation has come.

    A computation may have several stages, one after the other; each counts its own steps, often one per task.
    """

    stage: str
    """What is being done, in a few words."""
    done: int
    """Steps of the stage that are done."""
    steps: int
    """Steps of the stage."""

    @property
    def fraction(self) -> float:
        """The part of the stage that is done, from 0 to 1."""
        return min(self.done / self.steps, 1.0) if self.steps else 0.0


class Computing(TypedDict, total=False):
    """How to compute."""

    engine: str
    threads: SupportsIndex | None
    max_memory: SupportsIndex | None
    gpu: SupportsIndex | str | Iterable[SupportsIndex] | None
    gpu_memory: SupportsIndex | None
    progress: Callable[[Progress], object] | None


class Options(TypedDict):
    """What the native functions want to know."""

    engine: str
    threads: int | None
    max_memory: int | None
    gpus: list[int] | None
    gpu_memory: int | None
    told: Callable[[str, int | None, int | None], None]


def _gpus(gpu: SupportsIndex | str | Iterable[SupportsIndex] | None) -> list[int] | None:
    """The numbers of the GPUs; none for all."""
    if gpu is None:
        return None
    if gpu == "all":
        return []
    if isinstance(gpu, Iterable) and not isinstance(gpu, (str, bytes, bytearray)):
        several = [counted(one, "each of gpu", 0, 1 << 16) for one in gpu]
        if not several:
            raise InputError('gpu is empty: give the numbers of GPUs, or "all"')
        return [one for one in several if one is not None]
    number = counted(gpu, "gpu", 0, 1 << 16)
    return None if number is None else [number]


def options(how: Computing) -> Options:
    """The options of a computation, checked."""
    progress = how.get("progress")
    if progress is not None and not callable(progress):
        raise InputError(f"progress must be callable, not {type(progress).__name__}")

    said: set[str] = set()

    def told(stage: str, done: int | None, steps: int | None) -> None:
        if done is None or steps is None:
            # Many problems may meet the same trouble.
            if stage not in said:
                said.add(stage)
                warnings.warn(stage, EngineWarning, stacklevel=_depth())
        elif progress is not None:
            progress(Progress(stage, done, steps))

    return {
        "engine": utf8(how.get("engine", "auto"), "engine"),
        "threads": counted(how.get("threads"), "threads", 1, 1024),
        "max_memory": counted(how.get("max_memory"), "max_memory"),
        "gpus": _gpus(how.get("gpu")),
        "gpu_memory": counted(how.get("gpu_memory"), "gpu_memory"),
        "told": told,
    }


def engines() -> dict[str, tuple[str, ...]]:
    """The engines by name, beside ``"auto"``, which takes the one expected to be fastest.

    Returns
    -------
    dict of str to tuple of str
        ``"mckp"``: those of `explore`, `check`, `show` and `solve_mckp`; ``"knapsack"``: those of `solve_knapsack`.
        Those whose name begins with ``cuda`` need an NVIDIA GPU.

    Examples
    --------
    >>> "list" in isx.engines()["mckp"]
    True
    """
    mckp, knapsack = map(tuple, _isx.engines())
    return {"mckp": mckp, "knapsack": knapsack}
