"""Tables for the importer: files as they are, data frames as the CSV that they stand for."""

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from . import _exact, _isx
from ._errors import InputError

Table = tuple[str, bytes]
"""A name for messages, and CSV."""


class Frame(Protocol):
    """A ``polars.DataFrame``, or what has its two methods that are used."""

    @property
    def columns(self) -> list[str]: ...

    def rows(self) -> Sequence[tuple[Any, ...]]: ...


def of_file(path: str | os.PathLike[str] | None) -> Table | None:
    """The bytes of a file."""
    return None if path is None else (os.fspath(path), Path(path).read_bytes())


def of_frame(frame: Frame | None, name: str) -> Table | None:
    """The CSV of a data frame, in which no number is rounded."""
    if frame is None:
        return None
    if not (hasattr(frame, "columns") and callable(getattr(frame, "rows", None))):
        raise InputError(f"{name} must be a polars.DataFrame, not {type(frame).__name__}")
    text = io.StringIO(newline="")
    # All in quotes: a first cell that begins with `#` is no comment.
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    writer.writerow(frame.columns)
    for at, row in enumerate(frame.rows()):
        writer.writerow([cell(value, f"{name}, row {at}, {column}") for column, value in zip(frame.columns, row)])
    return f"<{name}>", _exact.utf8(text.getvalue(), name).encode()


def cell(value: object, place: str) -> str:
    """A cell as the importer takes it: a text, a number, or several texts."""
    match value:
        case None:
            return ""
        case str():
            return value
        case list() | tuple():
            return "; ".join(cell(one, place) for one in value)
    if isinstance(value, (bool, np.bool_)):
        raise InputError(f"{place} is {value}, not a text or a number")
    try:
        known = _exact.rational(value)
        return _exact.digits(value) if known is None else _isx.format_exact(known)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    except TypeError:
        raise InputError(f"{place} is of type {type(value).__name__}, not a text or a number") from None
