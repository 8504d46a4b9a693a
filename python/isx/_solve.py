"""The knapsack solvers by themselves, on arrays of integers."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, SupportsIndex, Unpack

import numpy as np
import numpy.typing as npt

from . import _isx
from ._errors import Error, InputError
from ._keywords import Computing, keywords, options
from ._numbers import index, shown

IntegersLike = npt.NDArray[np.integer[Any]] | Sequence[Any]
"""An array of an integer type, or lists of integers. Floats are refused, whatever they hold: integers decide."""

Parts = tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int64] | None, int, bool]
"""Values, weights, where classes begin (None for a 0-1 knapsack), capacity, whether a class may give no item."""


MOST = 2**62
"""Weights stay below this, and capacities do not pass it."""


class Solving(Computing, total=False):
    """What is wanted of a solution."""

    all_capacities: Annotated[bool, "The best value of every capacity up to this one: the front."]
    picks: Annotated[bool, "What is taken is wanted, with `all_capacities` at every point."]
    reduce: Annotated[bool, "Leave dominated items out first; False is for measuring."]


class Solution:
    """An answer to a knapsack problem: a best selection, or with ``all_capacities`` the front of them.

    Points are numbered from 0; their weights and values rise strictly. Without ``all_capacities`` there is one.
    """

    _native: _isx.Solution
    _starts: npt.NDArray[np.int64] | None
    _picked: bool

    def __init__(self) -> None:
        raise TypeError("a solution is made by isx.solve_mckp and isx.solve_knapsack")

    @classmethod
    def _of(cls, native: _isx.Solution, parts: Parts, picked: bool) -> "Solution":
        self = object.__new__(cls)
        self._native, self._picked = native, picked
        self._starts = None if parts[2] is None else parts[2][:-1]
        return self

    def __len__(self) -> int:
        return len(self.weights)

    @cached_property
    def weights(self) -> npt.NDArray[np.int64]:
        """The weight of every point. Read-only int64."""
        return np.frombuffer(self._native.weights(), np.int64)

    @cached_property
    def values(self) -> npt.NDArray[Any]:
        """The value of every point: int64 where all fit it, else Python integers (dtype object). Exact either way."""
        values = self._native.values()
        return np.frombuffer(values, np.int64) if isinstance(values, bytes) else np.array(values, dtype=object)

    @property
    def value(self) -> int:
        """The best value within the capacity."""
        return int(self.values[-1])

    @property
    def weight(self) -> int:
        """The least weight that brings it."""
        return int(self.weights[-1])

    @property
    def picks(self) -> npt.NDArray[np.int64] | None:
        """What is taken for the best value: see `picks_at`."""
        return self.picks_at(-1)

    def picks_at(self, point: SupportsIndex) -> npt.NDArray[np.int64] | None:
        """What is taken at the point of this number; -1 is the last, the best within the capacity. IndexError if there is none.

        `solve_mckp`: for each class the number of its item, from 0 within the class, -1 for none. `solve_knapsack`: the numbers of the
        items taken, rising. None where ``picks=False``.
        """
        number = index(point, "point")
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no point {shown(number)}: there are {len(self)}")
        # Some engines find the items along with the value, asked or not.
        picks = self._native.picks(number % len(self)) if self._picked else None
        return None if picks is None else np.frombuffer(picks, np.int64)

    def items_at(self, point: SupportsIndex = -1) -> npt.NDArray[np.int64] | None:
        """The items taken at a point, rising, as positions in the flat arrays of values and weights. None where ``picks=False``."""
        picks = self.picks_at(point)
        if picks is None or self._starts is None:
            return picks
        taken: npt.NDArray[np.int64] = (self._starts + picks)[picks >= 0]
        return taken

    @property
    def engine(self) -> str:
        """The engine and what it used."""
        return self._native.engine[0]

    @property
    def engine_why(self) -> str:
        """Why this engine ran; half a sentence."""
        return self._native.engine[1]

    def __repr__(self) -> str:
        points = f", {len(self)} points" if len(self) != 1 else ""
        return f"<isx.Solution: value {self.value}, weight {self.weight}{points}>"


@keywords(Solving)
def solve_mckp(
    values: IntegersLike,
    weights: IntegersLike,
    capacity: SupportsIndex,
    *,
    offsets: IntegersLike | None = None,
    optional: bool = False,
    **how: Unpack[Solving],
) -> Solution:
    """Solve a multiple-choice knapsack problem exactly: the most value with one item of every class within a capacity. Of several
    best selections the lightest is taken; of these the canonical one.

    values: Two-dimensional, a row per class; or flat, and then `offsets` says which items are a class. Any signs.
    weights: Of the same shape, from 0 to below 2**62.
    capacity: From 0 to 2**62.
    offsets: Class k has the items from ``offsets[k]`` to before ``offsets[k + 1]``; it begins with 0 and ends with their number.
    optional: A class may give no item.
    {keywords}

    InputError: an array has floats, negative weights or another shape. Infeasible: no selection fits. Otherwise as `explore`.

    Examples
    --------
    >>> solution = isx.solve_mckp([[3, 9], [1, 5]], [[2, 6], [4, 8]], capacity=13)
    >>> solution.value, solution.weight, solution.picks.tolist()
    (10, 10, [1, 0])
    >>> flat = isx.solve_mckp([3, 9, 1, 5], [2, 6, 4, 8], 14, offsets=[0, 2, 4], all_capacities=True)
    >>> flat.weights.tolist(), flat.values.tolist()
    ([6, 10, 14], [4, 10, 14])
    """
    return _alone({"values": values, "weights": weights, "capacity": capacity, "offsets": offsets, "optional": optional}, how)


@keywords(Solving)
def solve_knapsack(profits: IntegersLike, weights: IntegersLike, capacity: SupportsIndex, **how: Unpack[Solving]) -> Solution:
    """Solve a 0-1 knapsack problem exactly: the most profit of items within a capacity. Of several best selections one of the least
    weight is taken.

    profits, weights: One per item. Profits of any sign; weights from 0 to below 2**62.
    capacity: From 0 to 2**62.
    {keywords}

    Examples
    --------
    >>> solution = isx.solve_knapsack([3, 9, 5], [2, 6, 5], capacity=10)
    >>> solution.value, solution.weight, solution.picks.tolist()
    (12, 8, [0, 1])
    """
    return _alone({"profits": profits, "weights": weights, "capacity": capacity}, how)


@keywords(Solving)
def solve_many(problems: Iterable[Mapping[str, Any]], **how: Unpack[Solving]) -> list[Solution | Error]:
    """Solve many knapsack problems exactly, as many at the same time as there are threads.

    problems: Each a dictionary with the arguments of its solver: ``{"profits": .., "weights": .., "capacity": ..}`` for
        `solve_knapsack`, ``{"values": .., "weights": .., "capacity": ..}`` for `solve_mckp`, maybe with ``"offsets"`` and ``"optional"``.
    {keywords}

    The solutions are returned in the order of the problems. Where a problem has none, the exception that its solver would have raised
    stands in its place, and the others go on. One whose share of `max_memory` is too small is solved again by itself.

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

    def read(problem: Mapping[str, Any]) -> Parts | InputError:
        try:
            return _parts(problem)
        except InputError as error:
            return error

    given = [read(problem) for problem in problems]
    solved = iter(_solved([one for one in given if not isinstance(one, Error)], how, alone=False))
    return [one if isinstance(one, Error) else next(solved) for one in given]


def _alone(problem: dict[str, Any], how: Solving) -> Solution:
    [solution] = _solved([_parts(problem)], how, alone=True)
    if isinstance(solution, BaseException):
        raise solution
    return solution


def _solved(problems: list[Parts], how: Solving, alone: bool) -> list[Solution | Error]:
    wanted = {"all_capacities": False, "picks": True, "reduce": True, "alone": alone}
    wanted |= {key: bool(value) for key, value in how.items() if key in wanted}
    asked = options(how)
    if not alone and asked["gpus"] is not None and len(asked["gpus"]) != 1:
        raise InputError("several GPUs share one problem of solve_knapsack; several problems have one GPU: give its number")
    found = zip(problems, _isx.solve(problems, wanted, asked), strict=True)
    return [Solution._of(one, parts, wanted["picks"]) if isinstance(one, _isx.Solution) else one for parts, one in found]


_KEYS = {"profits": {"profits", "weights", "capacity"}, "values": {"values", "weights", "capacity", "offsets", "optional"}}


def _parts(given: Mapping[str, Any]) -> Parts:
    """The parts of a problem."""
    if not isinstance(given, Mapping):
        raise InputError(f"a problem is a dictionary with profits or values, weights and capacity, not {type(given).__name__}")
    kinds = [kind for kind in _KEYS if kind in given]
    if len(kinds) != 1:
        raise InputError("a problem has either profits (0-1 knapsack) or values (multiple-choice)")
    [kind] = kinds
    missing = [key for key in ("weights", "capacity") if key not in given]
    unknown = [repr(key) for key in given if key not in _KEYS[kind]]
    if missing or unknown:
        what = f"lacks {' and '.join(missing)}" if missing else f"has {', '.join(unknown)}, which is unknown"
        raise InputError(f"a problem with {kind} {what}; it may have {', '.join(sorted(_KEYS[kind]))}")
    capacity, offsets = index(given["capacity"], "capacity"), given.get("offsets")
    dimensions = 2 if kind == "values" and offsets is None else 1
    values, weights = integers(given[kind], kind, dimensions), integers(given["weights"], "weights", dimensions)
    if values.shape != weights.shape:
        raise InputError(f"{kind} are {values.shape} and weights {weights.shape}: they must be alike")
    for at in np.flatnonzero((weights < 0) | (weights >= weights.dtype.type(MOST)))[:1]:
        must = "below 2**62" if weights.flat[at] > 0 else "0 or greater"
        raise InputError(f"weights[{at}] is {weights.flat[at]}, and a weight must be {must}")
    if not 0 <= capacity <= MOST:
        raise InputError(f"capacity is {shown(capacity)}, and it must be {'at most 2**62' if capacity > 0 else '0 or greater'}")
    if kind == "profits":
        return values, weights, None, capacity, False
    if offsets is None:
        bounds = np.arange(values.shape[0] + 1, dtype=np.int64) * values.shape[1]
    else:
        bounds = integers(offsets, "offsets", 1)
        if (bounds > bounds.dtype.type(MOST)).any():
            raise InputError("offsets must rise from 0 to the number of items")
    return values.reshape(-1), weights.reshape(-1), bounds.astype(np.int64), capacity, bool(given.get("optional", False))


def integers(given: IntegersLike, name: str, dimensions: int) -> npt.NDArray[Any]:
    """The array in 64 bits, without changing a number; numpy by itself makes floats of lists of large ones."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise InputError(f"{name} are masked in places: leave those items out first")
    try:
        array = np.asarray(given) if hasattr(given, "__array__") else np.array(given, dtype=object)
    except ValueError:
        raise InputError(f"{name} have rows of different lengths: give a flat list and offsets") from None
    if array.dtype == object:
        for number in array.flat:
            if isinstance(number, (list, tuple, np.ndarray)):
                raise InputError(f"{name} have rows of different lengths: give a flat list and offsets")
            if isinstance(number, bool) or not hasattr(number, "__index__"):
                raise InputError(f"{name} hold {number!r}, and only integers are exact")
        kinds = [kind for kind in (np.int64, np.uint64) if all(np.iinfo(kind).min <= number <= np.iinfo(kind).max for number in array.flat)]
        if not kinds:
            raise InputError(f"{name} pass 64 bits")
        array = np.array([number.__index__() for number in array.flat], kinds[0]).reshape(array.shape)
    if array.dtype.kind not in "iu":
        raise InputError(f"{name} are {array.dtype}, and only integers are exact: convert them first")
    if array.ndim != dimensions:
        due = "one-dimensional" if dimensions == 1 else "two-dimensional, a row per class (or give offsets)"
        raise InputError(f"{name} have the shape {array.shape}, and must be {due}")
    return np.ascontiguousarray(array, np.uint64 if array.dtype == np.uint64 else np.int64)
