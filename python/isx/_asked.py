"""The keywords that several functions have in common."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, SupportsIndex, TypedDict, TypeVar

from ._running import Computing, Progress
from ._types import Amounts, Number


class Trying(TypedDict, total=False):
    """What is tried out."""

    force: str | Iterable[str]
    forbid: str | Iterable[str]
    scale_wcet: Number | None
    margin: Number | None
    overruns: SupportsIndex | None
    variant: str | None


class Counting(Trying, total=False):
    """And what is counted."""

    objectives: str | Iterable[str]
    within: Amounts | None
    price: Amounts | None
    device: str | None


class Asking(Counting, Computing, total=False):
    """All that a question about a task set may have."""


class Fitting(Trying, Computing, total=False):
    """As `Asking`, where the devices are given otherwise."""


class Dividing(Counting, total=False):
    """As `Asking`, where tasks are divided among cores."""

    progress: Callable[[Progress], object] | None


Asked = TypeVar("Asked", bound=Callable[..., Any])

_DEFAULTS = {"engine": "auto", "force": (), "forbid": (), "objectives": ()}


def keywords(of: type) -> Callable[[Asked], Asked]:
    """Shows the keywords of this TypedDict in the signature of a function that takes them, and refuses any other."""

    def spelled(function: Asked) -> Asked:
        plain = inspect.signature(function)
        parameters = [one for one in plain.parameters.values() if one.kind is not one.VAR_KEYWORD]
        for name, hint in of.__annotations__.items():
            annotation = getattr(hint, "__forward_arg__", hint)
            default = _DEFAULTS.get(name)
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
        signature = plain.replace(parameters=parameters)

        @functools.wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            try:
                signature.bind(*given, **named)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(*given, **named)

        call.__signature__ = signature  # type: ignore[attr-defined]
        return call  # type: ignore[return-value]

    return spelled
