"""Exact numbers, and documents, from what users write them as."""

import csv
import io
import json
import operator
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import Any, Protocol, SupportsIndex

import numpy as np

from . import _isx
from ._errors import InputError

Number = SupportsIndex | float | str | Decimal | Fraction
"""A number: an integer, a Fraction, a Decimal, a text (``"0.25"``, ``"10/9"``), or a float, which counts as the decimal that
Python prints for it: 0.1 is exactly 1/10. A float that is wider than a double and no double is refused."""


def exact(value: Number, name: str) -> Fraction:
    """The number, 0 or greater and without any rounding; `name` says in messages what it is."""
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name} must be a number, not {value!r}")
    try:
        known = digits(value)
        number = known if isinstance(known, Fraction) else _isx.parse_exact(known)
    except InputError as error:
        raise InputError(f"{name}: {error}") from None
    except TypeError:
        raise InputError(f"{name} must be a number, not {type(value).__name__}") from None
    if number < 0:
        raise InputError(f"{name} must be 0 or greater, not {shown(value)}")
    return number


def digits(value: object) -> Fraction | str:
    """A number that is a fraction of integers by its type, or a decimal or a float in digits; TypeError if it is neither."""
    if isinstance(value, Fraction):
        return value
    if isinstance(value, SupportsIndex):
        return Fraction(operator.index(value))
    if isinstance(value, Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    if isinstance(value, (str, Decimal)):
        return utf8(str(value), "a number")
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


def names(given: str | Iterable[str], name: str) -> list[str]:
    """One text, or several."""
    if isinstance(given, str):
        return [utf8(given, name)]
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        raise InputError(f"{name} must be a text, or several, not {type(given).__name__}")
    return [utf8(one, f"each of {name}") for one in given]


def index(value: SupportsIndex, name: str) -> int:
    """An integer."""
    if not isinstance(value, (bool, np.bool_)) and hasattr(value, "__index__"):
        try:
            return operator.index(value)
        except TypeError:
            pass
    raise InputError(f"{name} must be an integer, not {type(value).__name__}")


def counted(value: SupportsIndex | None, name: str, least: int = 0, most: int = 2**64 - 1) -> int | None:
    """An integer within bounds, or None."""
    if value is None:
        return None
    number = index(value, name)
    if not least <= number <= most:
        raise InputError(f"{name} must be from {least} to {most}, not {shown(number)}")
    return number


def scalar(value: object, place: str) -> str:
    """A text as it is, or a number as the readers take it."""
    if isinstance(value, str):
        return utf8(value, place)
    try:
        known = digits(value)
        return known if isinstance(known, str) else _isx.format_exact(known)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except TypeError:
        raise InputError(f"{place} is of type {type(value).__name__}, not a text or a number") from None


# Words, and numbers with a unit, that mean themselves without quotes; YAML gives some words a meaning of their own.
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|[0-9][0-9.]*(/[0-9]+)? ?[A-Za-z]{1,3}")
MEANING = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def yaml(given: Mapping[Any, Any] | Sequence[Any], path: str = "", depth: int = 0) -> Iterator[str]:
    """The lines of the YAML that a dictionary or a list stands for, so that one reader checks both and mistakes have a place."""
    if depth > 16:
        raise InputError(f"{path} lies too deep: a task set has at most 16 levels")
    for key, entry in given.items() if isinstance(given, Mapping) else enumerate(given):
        if isinstance(given, Mapping) and not isinstance(key, str):
            raise InputError(f"a key of {path or 'the task set'} is {key!r}, and keys are texts")
        head = f"{text(str(key))}:" if isinstance(given, Mapping) else "-"
        place = f"{path}[{key}]" if head == "-" else f"{path}.{key}".lstrip(".")
        if not isinstance(entry, (Mapping, list, tuple)):
            plain = "null" if entry is None else str(bool(entry)).lower() if isinstance(entry, (bool, np.bool_)) else ""
            yield f"{head} {plain or (text if isinstance(entry, str) else str)(scalar(entry, place))}"
        elif not entry:
            yield f"{head} {'{}' if isinstance(entry, Mapping) else '[]'}"
        else:
            # The first entry of a mapping in a list stands behind its dash.
            lines = yaml(entry, place, depth + 1)
            yield f"- {next(lines)}" if head == "-" and isinstance(entry, Mapping) else head
            yield from (f"  {line}" for line in lines)


def text(value: str) -> str:
    """A text, quoted unless it is plain."""
    utf8(value, "a text")
    return value if PLAIN.fullmatch(value) and value.lower() not in MEANING else json.dumps(value, ensure_ascii=False)


class Frame(Protocol):
    """A ``polars.DataFrame``, or what has its two methods that are used."""

    @property
    def columns(self) -> list[str]: ...

    def rows(self) -> Sequence[tuple[Any, ...]]: ...


Table = tuple[str, bytes]
"""A name for messages, and CSV."""


def table(frame: Frame | None, name: str) -> Table | None:
    """The CSV of a data frame, in which no number is rounded."""
    if frame is None:
        return None
    if not (hasattr(frame, "columns") and callable(getattr(frame, "rows", None))):
        raise InputError(f"{name} must be a polars.DataFrame, not {type(frame).__name__}")
    lines = io.StringIO(newline="")
    # All in quotes: a first cell that begins with `#` is no comment.
    writer = csv.writer(lines, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(frame.columns)
    for at, row in enumerate(frame.rows()):
        writer.writerow([cell(value, f"{name}, row {at}, {column}") for column, value in zip(frame.columns, row, strict=True)])
    return f"<{name}>", utf8(lines.getvalue(), name).encode()


def cell(value: object, place: str) -> str:
    """A cell as the importer takes it: a text, a number, or several texts."""
    if value is None or isinstance(value, (list, tuple)):
        return "; ".join(cell(one, place) for one in value or ())
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"{place} is {value}, not a text or a number")
    return scalar(value, place)
