"""Multi-dimensional knapsacks and shortest tours, on arrays of integers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import SupportsIndex, Unpack

import numpy as np
import numpy.typing as npt

from . import _isx
from ._asked import keywords
from ._errors import InputError
from ._exact import index
from ._running import Computing, options
from ._solve import IntegersLike, integers


@dataclass(frozen=True, eq=False)
class Selection:
    """The best selection of a multi-dimensional knapsack problem.

    Attributes
    ----------
    value : int
        The sum of its profits.
    weights : tuple of int
        The sum of its weights in each dimension.
    picks : numpy.ndarray of int64
        The numbers of the items taken, rising.
    engine, engine_why : str
        The engine and what it used; why this engine ran.
    """

    value: int
    weights: tuple[int, ...]
    picks: npt.NDArray[np.int64]
    engine: str
    engine_why: str


@dataclass(frozen=True, eq=False)
class Tour:
    """A shortest tour.

    Attributes
    ----------
    length : int
        The sum of its distances, with the way back to the first city.
    cities : numpy.ndarray of int64
        The cities in their order, numbered from 0; it begins with city 0.
    engine, engine_why : str
        The engine and what it used; why this engine ran.
    """

    length: int
    cities: npt.NDArray[np.int64]
    engine: str
    engine_why: str


@keywords(Computing)
def solve_multidim(
    profits: IntegersLike,
    weights: IntegersLike,
    capacities: Iterable[SupportsIndex],
    **how: Unpack[Computing],
) -> Selection:
    """Solve a 0-1 knapsack problem with up to three capacities exactly: the most profit of items that fit all of them.

    Parameters
    ----------
    profits : array of integers
        One per item, of any sign.
    weights : array of integers
        Two-dimensional: a row per item, a column per capacity. From 0 to below 2**62.
    capacities : ints
        One to three, each from 0 to 2**62.
    engine, threads, max_memory, gpu, gpu_memory, progress
        As for `explore`; the engines are ``engines()["multidim"]``.

    Returns
    -------
    Selection
        Value, weights and picks.

    Raises
    ------
    InputError
        An array has floats, negative weights or another shape.
    Error
        Otherwise as for `explore`.

    Examples
    --------
    >>> best = isx.solve_multidim([3, 2, 2], [[1, 2], [2, 1], [1, 0]], capacities=[2, 2])
    >>> best.value, best.weights, best.picks.tolist()
    (5, (2, 2), [0, 2])
    """
    if not isinstance(capacities, Iterable):
        raise InputError("capacities must be several integers, such as [10, 20], one per column of weights")
    bounds = [index(capacity, "each of capacities") for capacity in capacities]
    profit_array, weight_array = integers(profits, "profits", 1), integers(weights, "weights", 2, "a row per item")
    if weight_array.shape != (len(profit_array), len(bounds)) and weight_array.size:
        due = (len(profit_array), len(bounds))
        raise InputError(f"weights have the shape {weight_array.shape}: a row per item and a column per capacity is {due}")
    if not weight_array.size and len(profit_array):
        raise InputError(f"there are {len(profit_array)} profits and no weights: a row per item is due")
    value, weight, picks, ran = _isx.solve_multidim(profit_array, weight_array.reshape(-1), bounds, options(how))
    return Selection(value, tuple(weight), np.array(picks, np.int64), ran[0], ran[2])


@keywords(Computing)
def solve_tsp(
    distances: IntegersLike,
    **how: Unpack[Computing],
) -> Tour:
    """Find a shortest tour through all cities exactly. Memory decides how many there may be: about 2 GB for 28.

    Parameters
    ----------
    distances : array of integers
        Square: row k has the distances from city k. They need not be the same in both directions; the diagonal is ignored.
    engine, threads, max_memory, gpu, gpu_memory, progress
        As for `explore`; the engines are ``engines()["tsp"]``.

    Returns
    -------
    Tour
        Length and cities.

    Raises
    ------
    InputError
        The array has floats or is not square, or a tour may be longer than 2**62.
    MemoryLimitError
        There are too many cities for `max_memory`.
    Error
        Otherwise as for `explore`.

    Examples
    --------
    >>> tour = isx.solve_tsp([[0, 3, 5, 4], [3, 0, 4, 5], [5, 4, 0, 3], [4, 5, 3, 0]])
    >>> tour.length, tour.cities.tolist()
    (14, [0, 3, 2, 1])
    """
    array = integers(distances, "distances", 2, "a row per city")
    if array.shape[0] != array.shape[1]:
        raise InputError(f"distances have the shape {array.shape}: as many rows as columns are due, one per city")
    length, cities, ran = _isx.solve_tsp(array.reshape(-1), len(array), options(how))
    return Tour(length, np.array(cities, np.int64), ran[0], ran[2])
