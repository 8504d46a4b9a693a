"""The knapsack solvers by themselves, on arrays of integers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, SupportsIndex, Unpack

import numpy as np
import numpy.typing as npt

from . import _isx
from ._asked import keywords
from ._errors import InputError
from ._exact import index, shown
from ._running import Computing, options
from ._types import Wanted

IntegersLike = npt.NDArray[np.integer[Any]] | Sequence[Any]
"""An array of an integer type, or lists of integers. Floats are refused, whatever they hold: integers decide."""


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
    def _of(cls, native: _isx.Solution, starts: npt.NDArray[np.int64] | None, picked: bool) -> Solution:
        self = object.__new__(cls)
        self._native = native
        self._starts = starts
        self._picked = picked
        return self

    def __len__(self) -> int:
        return len(self._native)

    @cached_property
    def weights(self) -> npt.NDArray[np.int64]:
        """The weight of every point. Read-only int64."""
        return np.frombuffer(self._native.weights(), np.int64)

    @cached_property
    def values(self) -> npt.NDArray[Any]:
        """The value of every point: int64 where all fit it, else Python integers (dtype object). Exact either way."""
        small = self._native.values()
        if small is not None:
            return np.frombuffer(small, np.int64)
        return np.array(self._native.wide_values(), dtype=object)

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
        """What is taken at a point.

        Parameters
        ----------
        point : int
            Its number; -1 is the last, the best within the capacity.

        Returns
        -------
        numpy.ndarray of int64, or None
            `solve_mckp`: for each class the number of its item, from 0 within the class, -1 for none. `solve_knapsack`: the numbers
            of the items taken, rising. None where ``picks=False``.

        Raises
        ------
        IndexError
            There is no such point.
        """
        number = index(point, "point")
        if not -len(self) <= number < len(self):
            raise IndexError(f"there is no point {shown(number)}: there are {len(self)}")
        # Some engines find the items along with the value, asked or not.
        picks = self._native.picks(number % len(self)) if self._picked else None
        return None if picks is None else np.frombuffer(picks, np.int64)

    def items_at(self, point: SupportsIndex = -1) -> npt.NDArray[np.int64] | None:
        """The items taken at a point, as positions in the flat arrays of values and weights.

        Parameters
        ----------
        point : int
            As for `picks_at`.

        Returns
        -------
        numpy.ndarray of int64, or None
            Rising; None where ``picks=False``.
        """
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
        return self._native.engine[2]

    def __repr__(self) -> str:
        points = f", {len(self)} points" if len(self) != 1 else ""
        return f"<isx.Solution: value {self.value}, weight {self.weight}{points}>"


@keywords(Computing)
def solve_mckp(
    values: IntegersLike,
    weights: IntegersLike,
    capacity: SupportsIndex,
    *,
    offsets: IntegersLike | None = None,
    optional: bool = False,
    all_capacities: bool = False,
    picks: bool = True,
    reduce: bool = True,
    **how: Unpack[Computing],
) -> Solution:
    """Solve a multiple-choice knapsack problem exactly: the most value with one item of every class within a capacity.

    Parameters
    ----------
    values : array of integers
        Two-dimensional, a row per class; or flat, and then `offsets` says which items are a class. Any signs.
    weights : array of integers
        Of the same shape, from 0 to below 2**62.
    capacity : int
        From 0 to 2**62.
    offsets : array of integers, optional
        Class k has the items from ``offsets[k]`` to before ``offsets[k + 1]``; it begins with 0 and ends with their number.
    optional : bool
        A class may give no item.
    all_capacities : bool
        The best value of every capacity up to this one: the front.
    picks : bool
        What is taken is wanted, with `all_capacities` at every point.
    reduce : bool
        Leave dominated items out first; False is for measuring.
    engine, threads, max_memory, gpu, gpu_memory, progress
        As for `explore`; the engines are ``engines()["mckp"]``.

    Returns
    -------
    Solution
        Value, weight and picks. Of several best selections the lightest; of these the canonical one.

    Raises
    ------
    InputError
        An array has floats, negative weights or another shape.
    Infeasible
        No selection fits.
    Error
        Otherwise as for `explore`.

    Examples
    --------
    >>> solution = isx.solve_mckp([[3, 9], [1, 5]], [[2, 6], [4, 8]], capacity=13)
    >>> solution.value, solution.weight, solution.picks.tolist()
    (10, 10, [1, 0])
    >>> flat = isx.solve_mckp([3, 9, 1, 5], [2, 6, 4, 8], 14, offsets=[0, 2, 4], all_capacities=True)
    >>> flat.weights.tolist(), flat.values.tolist()
    ([6, 10, 14], [4, 10, 14])
    """
    flat, flat_weights, bounds = classes(values, weights, offsets)
    wanted = wanted_of(all_capacities, picks, reduce)
    most = index(capacity, "capacity")
    solved = _isx.solve_mckp(flat, flat_weights, bounds, most, bool(optional), wanted, options(how))
    return Solution._of(solved, bounds[:-1], bool(picks))


@keywords(Computing)
def solve_knapsack(
    profits: IntegersLike,
    weights: IntegersLike,
    capacity: SupportsIndex,
    *,
    all_capacities: bool = False,
    picks: bool = True,
    reduce: bool = True,
    **how: Unpack[Computing],
) -> Solution:
    """Solve a 0-1 knapsack problem exactly: the most profit of items within a capacity.

    Parameters
    ----------
    profits, weights : array of integers
        One per item. Profits of any sign; weights from 0 to below 2**62.
    capacity : int
        From 0 to 2**62.
    all_capacities : bool
        The most profit of every capacity up to this one: the front.
    picks : bool
        What is taken is wanted, with `all_capacities` at every point.
    reduce : bool
        Remove dominated items first; False is for measuring.
    engine, threads, max_memory, gpu, gpu_memory, progress
        As for `explore`; the engines are ``engines()["knapsack"]``. ``gpu=[0, 1]`` lets two GPUs
        share one hard problem.

    Returns
    -------
    Solution
        Value, weight and picks. Of several best selections one of the least weight.

    Raises
    ------
    InputError
        An array has floats, negative weights or another shape.
    Error
        Otherwise as for `explore`.

    Examples
    --------
    >>> solution = isx.solve_knapsack([3, 9, 5], [2, 6, 5], capacity=10)
    >>> solution.value, solution.weight, solution.picks.tolist()
    (12, 8, [0, 1])
    """
    profit_array, weight_array = items(profits, weights)
    wanted = wanted_of(all_capacities, picks, reduce)
    solved = _isx.solve_knapsack(profit_array, weight_array, index(capacity, "capacity"), wanted, options(how))
    return Solution._of(solved, None, bool(picks))


def classes(values: IntegersLike, weights: IntegersLike, offsets: IntegersLike | None) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The items of all classes, and where each class begins."""
    dimensions = 2 if offsets is None else 1
    value_array, weight_array = integers(values, "values", dimensions), integers(weights, "weights", dimensions)
    if value_array.shape != weight_array.shape:
        raise InputError(f"values are {value_array.shape} and weights {weight_array.shape}: they must be alike")
    if offsets is None:
        rows, columns = value_array.shape
        bounds = np.arange(rows + 1, dtype=np.int64) * columns
    else:
        given = integers(offsets, "offsets", 1)
        if (given > np.int64(2**62)).any():
            raise InputError("offsets must rise from 0 to the number of items")
        bounds = given.astype(np.int64)
    return value_array.reshape(-1), weight_array.reshape(-1), bounds


def items(profits: IntegersLike, weights: IntegersLike) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The profits and weights of items."""
    profit_array, weight_array = integers(profits, "profits", 1), integers(weights, "weights", 1)
    if profit_array.shape != weight_array.shape:
        raise InputError(f"there are {len(profit_array)} profits and {len(weight_array)} weights: one per item is due")
    return profit_array, weight_array


def wanted_of(all_capacities: bool, picks: bool, reduce: bool) -> Wanted:
    """What is wanted of an answer."""
    return {"all_capacities": bool(all_capacities), "picks": bool(picks), "reduce": bool(reduce)}


def integers(
    given: IntegersLike, name: str, dimensions: int, rows: str = "a row per class (or give offsets)"
) -> npt.NDArray[Any]:
    """The array in 64 bits, without changing a number; `rows` says in messages what its rows are."""
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise InputError(f"{name} are masked in places: leave those items out first")
    array = np.asarray(given) if hasattr(given, "__array__") else _listed(given, name)
    if array.dtype == object:
        array = _listed(array, name)
    if array.dtype.kind not in "iu":
        raise InputError(f"{name} are {array.dtype}, and only integers are exact: convert them first")
    if array.ndim != dimensions:
        due = "one-dimensional" if dimensions == 1 else f"two-dimensional, {rows}"
        raise InputError(f"{name} have the shape {array.shape}, and must be {due}")
    return np.ascontiguousarray(array, np.uint64 if array.dtype == np.uint64 else np.int64)


def _listed(given: Sequence[Any] | npt.NDArray[Any], name: str) -> npt.NDArray[Any]:
    """Lists of integers as an array; numpy by itself makes floats of large ones."""
    try:
        array = np.array(given, dtype=object)
    except ValueError:
        raise InputError(f"{name} have rows of different lengths: give a flat list and offsets") from None
    for number in array.flat:
        if isinstance(number, (list, tuple, np.ndarray)):
            raise InputError(f"{name} have rows of different lengths: give a flat list and offsets")
        if isinstance(number, bool) or not hasattr(number, "__index__"):
            raise InputError(f"{name} hold {number!r}, and only integers are exact")
    numbers = [number.__index__() for number in array.flat]
    if all(-(2**63) <= number < 2**63 for number in numbers):
        return np.array(numbers, np.int64).reshape(array.shape)
    if all(0 <= number < 2**64 for number in numbers):
        return np.array(numbers, np.uint64).reshape(array.shape)
    raise InputError(f"{name} pass 64 bits")
