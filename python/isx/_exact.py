"""Exact numbers from what users write them as."""

import operator
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import SupportsIndex

import numpy as np

from . import _isx
from ._errors import InputError
from ._types import Number


def exact(value: Number, name: str) -> Fraction:
    """The number, 0 or greater and without any rounding; `name` says in messages what it is."""
    number = _exact(value, name)
    if number < 0:
        raise InputError(f"{name} must be 0 or greater, not {shown(value)}")
    return number


def _exact(value: Number, name: str) -> Fraction:
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be a number, not {value!r}")
    try:
        known = rational(value)
        return _isx.parse_exact(digits(value)) if known is None else known
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except TypeError:
        raise InputError(f"{name} must be a number, not {type(value).__name__}") from None


def rational(value: object) -> Fraction | None:
    """A number that is a fraction of integers by its type; TypeError if it is an array."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, SupportsIndex):
        return Fraction(operator.index(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return None


def digits(value: object) -> str:
    """A decimal or a float, in digits; TypeError if it is neither."""
    if isinstance(value, str):
        return utf8(value, "a number")
    if isinstance(value, Decimal):
        return str(value)
    if not hasattr(value, "__float__"):
        raise TypeError
    nearest = float(value)
    # A narrower float stands for the double that it is. What is no double, as a longer float, would be rounded.
    if not isinstance(value, float) and not (nearest == value or nearest != nearest):
        raise InputError(f"a double does not hold {shown(value)} exactly: give a text, a Decimal or a Fraction")
    return float.__repr__(nearest)


def shown(value: object) -> str:
    """A value in a message; Python does not print integers of many thousands of digits."""
    try:
        return repr(value)
    except ValueError:
        return f"a number of type {type(value).__name__} with too many digits"


def utf8(value: object, name: str) -> str:
    """A text that can be written."""
    if not isinstance(value, str):
        raise InputError(f"{name} must be a text, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(f"{name} is no text that can be written as UTF-8") from None
    return value


def index(value: SupportsIndex, name: str) -> int:
    """An integer."""
    if isinstance(value, (bool, np.bool_)):
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
        raise InputError(f"{name} must be from {least} to {most}, not {shown(number)}")
    return number
