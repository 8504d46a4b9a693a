"""Small tables for notebooks. They set no colors, so that they are readable on light and dark pages; everything is escaped."""

import base64
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from html import escape

from . import _isx

MOST_ROWS = 60
"""More rows than this are counted, not shown."""


def page(title: str, *parts: str) -> str:
    """A title with tables and pictures below it."""
    return f"<div><strong>{escape(title)}</strong>{''.join(parts)}</div>"


def facts(rows: Mapping[str, str]) -> str:
    """A table of names and values."""
    cells = "".join(f"<tr><th>{escape(head)}</th><td>{escape(text)}</td></tr>" for head, text in rows.items())
    return f"<table>{cells}</table>"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a head; of many rows the first ones."""
    all_rows = list(rows)
    shown = [f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in all_rows[:MOST_ROWS]]
    more = len(all_rows) - MOST_ROWS
    if more > 0:
        shown.append(f'<tr><td colspan="{len(heads)}">… {more} more</td></tr>')
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    return f"<table><tr>{head}</tr>{''.join(shown)}</table>"


def picture(svg: bytes, about: str) -> str:
    """A picture, which cannot run anything."""
    data = base64.b64encode(svg).decode("ascii")
    return f'<img alt="{escape(about, quote=True)}" style="max-width:100%" src="data:image/svg+xml;base64,{data}">'


def amount(number: Fraction, unit: str = "") -> str:
    """A number exactly, with its unit."""
    return f"{_isx.format_exact(number)}{f' {unit}' if unit else ''}"


def rounded(number: Fraction) -> str:
    """A number with six decimals at most; rounding does not hide on which side of 1 it lies."""
    short = round(number, 6)
    if short == number:
        return _isx.format_exact(number)
    if short == 1:
        return "just below 1" if number < 1 else "just above 1"
    return f"about {_isx.format_exact(short)}"


def change(software: Fraction, design: Fraction) -> str:
    """A figure in software and in a design."""
    return rounded(design) if software == design else f"{rounded(software)} → {rounded(design)}"


def verdict(schedulable: bool | None) -> str:
    """The word of a verdict, as the command prints it."""
    return {True: "SCHEDULABLE", False: "NOT SCHEDULABLE", None: "UNKNOWN"}[schedulable]


def taken(choices: Mapping[str, str | None]) -> str:
    """What the tasks take that are not in software."""
    return ", ".join(f"{task}={choice}" for task, choice in choices.items() if choice is not None) or "all in software"
