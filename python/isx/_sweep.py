"""Many task sets at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import Unpack

from . import _isx
from ._asked import Asking, keywords
from ._errors import Error, InputError, TaskSetWarning
from ._exact import exact
from ._explore import changes, origin
from ._front import Front
from ._running import options
from ._taskset import TaskSet, TaskSetLike, collecting, _depth, task_set
from ._types import Number


@keywords(Asking)
def explore_many(
    sources: Iterable[TaskSetLike],
    *,
    max_area: Number | None = None,
    prove: bool = False,
    **asked: Unpack[Asking],
) -> list[Front | Error | OSError]:
    """Compute the fronts of many task sets, as many at the same time as there are threads.

    Parameters
    ----------
    sources : iterable of path, dict or TaskSet
        The task sets.
    max_area, force, forbid, scale_wcet, margin, overruns, variant, objectives, within, price, device, prove
        For every set, as for `explore`.
    threads : int, optional
        Sets to explore at the same time; one per core if not given.
    max_memory : int, optional
        Most bytes of tables, of all sets together. A set whose share is too small is explored again by itself.
    engine, gpu, gpu_memory
        As for `explore`.
    progress : callable, optional
        As for `explore`; it counts the sets.

    Returns
    -------
    list of Front, Error or OSError
        In the order of the sets. Where a set has no front, the exception that `explore` would have raised stands in its
        place, and the others go on.

    Raises
    ------
    InputError
        An argument other than the sets is wrong.
    KeyboardInterrupt
        Within a second of Ctrl-C.

    Warns
    -----
    TaskSetWarning
        Once per message, with the number of sets that it is about, however many these are.

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
    most = None if max_area is None else exact(max_area, "max_area")
    how = options(asked)
    changed = changes(asked)
    with collecting() as warned:
        read = [_read(source) for source in sources]
    _warn_once(warned)
    sets = [one for one in read if isinstance(one, TaskSet)]
    explored = iter(_isx.explore_many([one._native for one in sets], most, changed, how, bool(prove)))

    def answer(one: TaskSet | Error | OSError) -> Front | Error | OSError:
        if not isinstance(one, TaskSet):
            return one
        found = next(explored)
        return Front._of(found, origin(one, None)) if isinstance(found, _isx.Front) else found

    return [answer(one) for one in read]


def _read(source: TaskSetLike) -> TaskSet | Error | OSError:
    try:
        return task_set(source)
    except (Error, OSError) as error:
        return error


def _warn_once(warned: list[tuple[str, str]]) -> None:
    """Gives every message once: as it is drawn with the lines of the first set, and how many more there are."""
    first: dict[str, str] = {}
    count: dict[str, int] = {}
    for message, drawn in warned:
        first.setdefault(message, drawn)
        count[message] = count.get(message, 0) + 1
    for message, drawn in first.items():
        more = count[message] - 1
        text = f"{drawn}\nand {more} more warning{'s' if more != 1 else ''} of the same text" if more else drawn
        warnings.warn(text, TaskSetWarning, stacklevel=_depth())
