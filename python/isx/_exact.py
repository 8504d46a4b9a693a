"""Exact numbers from what users write them as."""

import operator
from decimal import Decimal
from fractions import Fraction
from typing import SupportsIndex

from . import _isx
from ._errors import InputError

ExactLike = SupportsIndex | float | str | Decimal | Fraction
"""A number: an integer, a Fraction, a Decimal, a text (``"0.25"``, ``"10/9"``), or a float, which counts as the decimal that
Python prints for it: 0.1 is exactly 1/10."""


def exact(value: ExactLike, name: str) -> Fraction:
    """The number, 0 or greater and without any rounding; `name` says in messages what it is."""
    number = _exact(value, name)
    if number < 0:
        raise InputError(f"{name} must be 0 or greater, not {value!r}")
    return number


def _exact(value: ExactLike, name: str) -> Fraction:
    if isinstance(value, bool):
        raise InputError(f"{name} must be a number, not {value!r}")
    if isinstance(value, Fraction):
        return value
    if isinstance(value, SupportsIndex):
        return Fraction(operator.index(value))
    try:
        return _isx.parse_exact(text_of(value))
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except TypeError:
        raise InputError(f"{name} must be a number, not {type(value).__name__}") from None


def text_of(value: object) -> str:
    """A number that is no integer, in digits."""
    if isinstance(value, (str, Decimal)):
        return str(value)
    # Floats of numpy convert themselves; a narrower one stands for the double that it is.
    if isinstance(value, float) or hasattr(value, "__float__"):
        return float.__repr__(float(value))
    raise TypeError


def index(value: SupportsIndex, name: str) -> int:
    """An integer."""
    if isinstance(value, bool):
        raise InputError(f"{name} must be an integer, not {value!r}")
    try:
        return operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be an integer, not {type(value).__name__}") from None


def counted(value: SupportsIndex | None, name: str, least: int = 0, most: int = 2**64 - 1) -> int | None:
    """An integer within bounds, or None."""
    if value is None:
        return None
    number = index(value, name)
    if not least <= number <= most:
        raise InputError(f"{name} must be from {least} to {most}, not {number}")
    return number
