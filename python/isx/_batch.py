"""Many knapsack problems at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Unpack

from . import _isx
from ._asked import keywords
from ._errors import Error, InputError
from ._exact import index
from ._running import Computing, options
from ._solve import Solution, classes, items, wanted_of
from ._types import ProblemParts


@keywords(Computing)
def solve_many(
    problems: Iterable[Mapping[str, Any]],
    *,
    all_capacities: bool = False,
    picks: bool = True,
    reduce: bool = True,
    **how: Unpack[Computing],
) -> list[Solution | Error]:
    """Solve many knapsack problems exactly, as many at the same time as there are threads.

    Parameters
    ----------
    problems : iterable of dict
        Each has the arguments of its solver: ``{"profits": .., "weights": .., "capacity": ..}`` for `solve_knapsack`,
        ``{"values": .., "weights": .., "capacity": ..}`` for `solve_mckp`, which may have ``"offsets"`` and ``"optional"`` too.
    all_capacities, picks, reduce, engine, gpu, gpu_memory
        For every problem, as for `solve_mckp`.
    threads : int, optional
        Problems to solve at the same time; one per core if not given.
    max_memory : int, optional
        Most bytes of tables, of all problems together. One whose share is too small is solved again by itself.
    progress : callable, optional
        As for `explore`; it counts the problems.

    Returns
    -------
    list of Solution or Error
        In the order of the problems. Where a problem has no solution, the exception that its solver would have raised
        stands in its place, and the others go on.

    Raises
    ------
    InputError
        An argument other than the problems is wrong.

    Examples
    --------
    >>> problems = [{"profits": [3, 9, 5], "weights": [2, 6, 5], "capacity": capacity} for capacity in (5, 10)]
    >>> problems.append({"values": [[3, 9]], "weights": [[2, 6]], "capacity": 1})
    >>> isx.solve_many(problems)[:2]
    [<isx.Solution: value 5, weight 5>, <isx.Solution: value 12, weight 8>]
    >>> isx.solve_many(problems)[2]
    Infeasible('no selection of items fits the capacity')
    """
    if isinstance(problems, (str, bytes, Mapping)) or not isinstance(problems, Iterable):
        raise InputError(f"solve_many takes several problems, such as a list, not one {type(problems).__name__}")
    read = [_problem(problem) for problem in problems]
    given = [one for one in read if not isinstance(one, Error)]
    asked = options(how)
    if asked["gpus"] is not None and len(asked["gpus"]) != 1:
        raise InputError("several GPUs share one problem of solve_knapsack; several problems have one GPU: give its number")
    solved = iter(_isx.solve_many(given, wanted_of(all_capacities, picks, reduce), asked))

    def answer(one: ProblemParts | Error) -> Solution | Error:
        if isinstance(one, Error):
            return one
        found = next(solved)
        if isinstance(found, Error):
            return found
        return Solution._of(found, None if one[2] is None else one[2][:-1], bool(picks))

    return [answer(one) for one in read]


_KEYS = {"profits": {"profits", "weights", "capacity"}, "values": {"values", "weights", "capacity", "offsets", "optional"}}


def _problem(given: Mapping[str, Any]) -> ProblemParts | Error:
    """The parts of a problem, or what is wrong with it."""
    try:
        if not isinstance(given, Mapping):
            raise InputError(f"a problem is a dictionary with profits or values, weights and capacity, not {type(given).__name__}")
        kinds = [kind for kind in _KEYS if kind in given]
        if len(kinds) != 1:
            raise InputError("a problem has either profits (0-1 knapsack) or values (multiple-choice)")
        missing = [key for key in ("weights", "capacity") if key not in given]
        unknown = [repr(key) for key in given if key not in _KEYS[kinds[0]]]
        if missing or unknown:
            what = f"lacks {' and '.join(missing)}" if missing else f"has {', '.join(unknown)}, which is unknown"
            raise InputError(f"a problem with {kinds[0]} {what}; it may have {', '.join(sorted(_KEYS[kinds[0]]))}")
        capacity = index(given["capacity"], "capacity")
        if kinds == ["profits"]:
            return *items(given["profits"], given["weights"]), None, capacity, False
        parts = classes(given["values"], given["weights"], given.get("offsets"))
        return *parts, capacity, bool(given.get("optional", False))
    except InputError as error:
        return error
