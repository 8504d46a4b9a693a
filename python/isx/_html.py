"""Small tables for notebooks. They set no colors, so that they are readable on light and dark pages; everything is escaped."""

import base64
from collections.abc import Mapping, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from . import _isx

MOST = 60
"""More rows than this are counted, not shown."""


def page(title: str, record: Mapping[str, Any], drawn: bytes | None) -> str:
    """A title, a table of the short values, a table per list of rows, and the picture."""
    shown = {name: words(value) for name, value in record.items()}
    facts = "".join(f"<tr><th>{label(name)}</th><td>{escape(one)}</td></tr>" for name, one in shown.items() if one and isinstance(one, str))
    tables = "".join(table(rows) for rows in shown.values() if not isinstance(rows, str))
    picture = ""
    if drawn is not None:
        data = base64.b64encode(drawn).decode("ascii")
        picture = f'<img alt="{escape(title, quote=True)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'
    return f"<div><strong>{escape(title)}</strong><table>{facts}</table>{tables}{picture}</div>"


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """A table with a head, without columns in which nothing stands; of many rows the first ones."""
    cells = [{name: str(words(value)) for name, value in row.items()} for row in rows[:MOST]]
    heads = [name for name in cells[0] if any(row[name] for row in cells)]
    lines = [f"<tr>{''.join(f'<td>{escape(row[name])}</td>' for name in heads)}</tr>" for row in cells]
    if len(rows) > MOST:
        lines.append(f'<tr><td colspan="{len(heads)}">… {len(rows) - MOST} more</td></tr>')
    return f"<table><tr>{''.join(f'<th>{label(name)}</th>' for name in heads)}</tr>{''.join(lines)}</table>"


def label(name: str) -> str:
    """An attribute's name in words."""
    return escape(name.replace("_", " ").capitalize())


def words(value: Any) -> Any:
    """A value as a text; several things as rows."""
    if value is None or value == () or value == {}:
        return ""
    match value:
        case bool():
            return "yes" if value else "no"
        case Fraction():
            return rounded(value)
        case Mapping():
            return ", ".join(f"{name} {words(one) or 'software'}" for name, one in value.items())
        case tuple() if hasattr(value[0], "_told") and "__str__" not in vars(type(value[0])):
            return [one._told() for one in value]
        case tuple():
            return "; ".join(map(words, value)) if isinstance(value[0], Mapping) else ", ".join(map(words, value))
    return str(value)


def rounded(number: Fraction) -> str:
    """A number with six decimals at most; rounding does not hide on which side of 1 it lies."""
    short = round(number, 6)
    if short == number:
        return _isx.format_exact(number)
    if short == 1:
        return "just below 1" if number < 1 else "just above 1"
    return f"about {_isx.format_exact(short)}"
