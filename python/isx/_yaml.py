"""A dictionary as the YAML that it stands for, so that one reader checks both and mistakes have a place."""

import json
import re
from collections.abc import Iterator, Mapping

import numpy as np

from . import _exact, _isx
from ._errors import InputError

# As deep as the reader goes.
MAX_DEPTH = 16

# Words, and numbers with a unit, that mean themselves without quotes; YAML gives some words a meaning of their own.
PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*|[0-9][0-9.]*(/[0-9]+)? ?[A-Za-z]{1,3}")
MEANING = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}


def dumped(mapping: Mapping[str, object]) -> str:
    """The YAML of a dictionary of dictionaries, lists, texts and numbers."""
    if not isinstance(mapping, Mapping):
        raise InputError(f"a task set is a dictionary, not {type(mapping).__name__}")
    return "".join(f"{line}\n" for line in block(mapping, "the task set", 0))


def block(value: object, path: str, depth: int) -> Iterator[str]:
    """The lines of a mapping or list."""
    if depth > MAX_DEPTH:
        raise InputError(f"{path} lies too deep: a task set has at most {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        for key, entry in value.items():
            if not isinstance(key, str):
                raise InputError(f"a key of {path} is {key!r}, and keys are texts")
            yield from entry_of(f"{text(key)}:", entry, place(path, key), depth)
    else:
        assert isinstance(value, (list, tuple))
        for at, entry in enumerate(value):
            yield from entry_of("-", entry, f"{path}[{at}]", depth)


def entry_of(head: str, entry: object, path: str, depth: int) -> Iterator[str]:
    """An entry after its key or dash."""
    if not isinstance(entry, (Mapping, list, tuple)):
        yield f"{head} {scalar(entry, path)}"
    elif not entry:
        yield f"{head} {'{}' if isinstance(entry, Mapping) else '[]'}"
    elif head == "-" and isinstance(entry, Mapping):
        for at, line in enumerate(block(entry, path, depth + 1)):
            yield f"{'  ' if at else '- '}{line}"
    else:
        yield head
        for line in block(entry, path, depth + 1):
            yield f"  {line}"


def place(path: str, key: str) -> str:
    return key if path == "the task set" else f"{path}.{key}"


def text(value: str) -> str:
    """A text, quoted unless it is plain."""
    if PLAIN.fullmatch(value) and value.lower() not in MEANING:
        return value
    return json.dumps(value, ensure_ascii=False)


def scalar(value: object, path: str) -> str:
    """A text or number as the reader takes it."""
    match value:
        case None:
            return "null"
        case bool() | np.bool_():
            return "true" if value else "false"
        case str():
            return text(_exact.utf8(value, path))
    try:
        known = _exact.rational(value)
        if known is None:
            return _exact.digits(value)
        return str(known) if known.denominator == 1 else _isx.format_exact(known)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except TypeError:
        raise InputError(f"{path} is of type {type(value).__name__}, not a text or a number") from None
    except ValueError:
        raise InputError(f"{path} has too many digits") from None
