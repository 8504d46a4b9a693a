"""Documents: what an answer says, under the keys of its JSON, with exact numbers. A class declares its attributes, each with a
type, which says how it is read, a text for its documentation, and the key where that is not the attribute's name."""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from inspect import cleandoc, formatannotation
from types import UnionType
from typing import Annotated, Any, ClassVar, Self, Union, dataclass_transform, get_args, get_origin, overload

from . import _html
from ._errors import Error, InputError

Amounts = Mapping[str, Fraction]
Choices = Mapping[str, str | None | Mapping[str, str | None]]
Path = str | os.PathLike[str]


def reader(hint: Any) -> Callable[[Any], Any]:
    """How a value of the document becomes one of this type. What is not there is None or empty."""
    origin: Any = get_origin(hint)
    of = get_args(hint)
    if origin in (Union, UnionType):
        known = reader(of[0])
        return lambda record: None if record is None else known(record)
    if origin is tuple:
        each = reader(of[0])
        return lambda record: tuple(map(each, record or ()))
    if origin is Mapping:
        value = reader(of[1])
        return lambda record: {key: value(one) for key, one in (record or {}).items()}
    if hint is Fraction:
        return lambda record: Fraction(int(record["num"]), int(record["den"])) if isinstance(record, dict) else Fraction(record)
    if isinstance(hint, type) and issubclass(hint, Document):
        return hint._of
    return (lambda record: record or "") if hint is str else (lambda record: record)


class Document:
    """Attributes by the keys of a document; ``wcet.design`` is a key of an object in it."""

    _READERS: ClassVar[dict[str, tuple[list[str], Callable[[Any], Any]]]] = {}
    _MADE_BY: ClassVar[str] = ""
    """The function that returns it, for the error of a direct construction."""

    def __init__(self) -> None:
        raise TypeError(f"{type(self).__name__} is made by {self._MADE_BY}")

    def __init_subclass__(cls) -> None:
        cls._READERS = {name: one for base in reversed(cls.__mro__) for name, one in vars(base).get("_READERS", {}).items()}
        texts = []
        for name, hint in cls.__annotations__.items():
            if hasattr(hint, "__metadata__"):
                record, text, key = (*get_args(hint), name)[:3]
                cls._READERS[name] = (key.split("."), reader(record))
                texts.append(f"{name} : {formatannotation(record).replace('collections.abc.', '')}\n    {text}\n")
        if texts:
            cls.__doc__ = f"{cleandoc(cls.__doc__ or '')}\n\nAttributes\n----------\n{''.join(texts)}"
            dataclass(frozen=True, eq=False, init=not cls._MADE_BY, match_args=not cls._MADE_BY)(cls)

    @classmethod
    def _of(cls, record: Mapping[str, Any]) -> Self:
        self = object.__new__(cls)
        self.__dict__.update(cls._read(record))
        return self

    @classmethod
    def _read(cls, record: Mapping[str, Any]) -> dict[str, Any]:
        """The attributes that a document stands for."""
        attributes = {}
        for name, (path, read) in cls._READERS.items():
            found: Any = record
            for key in path:
                found = None if found is None else found.get(key)
            attributes[name] = read(found)
        return attributes

    def _told(self) -> dict[str, Any]:
        """What notebooks show."""
        return {name: getattr(self, name) for name in self._READERS}

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self), *(one for one in vars(self).values() if isinstance(one, (str, int, Fraction)))))


@dataclass_transform(frozen_default=True)
class Record(Document):
    """A part of a document."""


class Written:
    """A method that writes an answer in a form: ``to_json()`` gives the bytes, ``to_json(path)`` writes them to that file."""

    def __init__(self, form: str, about: str, of: "Answer | None" = None) -> None:
        self._form, self._of, self.__doc__ = form, of, about

    def __get__(self, of: "Answer | None", owner: type) -> "Written":
        return Written(self._form, self.__doc__ or "", of)

    @overload
    def __call__(self, path: None = None) -> bytes: ...

    @overload
    def __call__(self, path: Path) -> None: ...

    def __call__(self, path: Path | None = None) -> bytes | None:
        return None if self._of is None else self._of._written(self._form, path)


class Answer(Document):
    """A document that isx writes; it is read when something is asked of it."""

    _native: ClassVar[Any]
    """The document, or what writes it in several forms."""
    _beside: ClassVar[Mapping[str, Any]]
    """What is known beside the document, and where it comes from."""
    _MADE_BY: ClassVar = "isx"

    @classmethod
    def _by(cls, native: Any, **beside: Any) -> Self:
        self = object.__new__(cls)
        self.__dict__.update(_native=native, _beside=beside)
        return self

    def __getattr__(self, name: str) -> Any:
        if name not in self._READERS or "_native" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
        self.__dict__.update(self._read({**json.loads(self._document), **self._beside}))
        return self.__dict__[name]

    @property
    def _document(self) -> bytes:
        document: bytes = self._native if isinstance(self._native, bytes) else self._native.document()
        return document

    def _written(self, form: str, path: Path | None = None) -> bytes | None:
        if not isinstance(self._native, bytes):
            written: bytes | None = self._native.written(form, path, self._beside.get("source"))
            return written
        if path is None:
            return self._native
        with open(path, "wb") as file:
            file.write(self._native)
        return None

    def to_dict(self) -> dict[str, Any]:
        """The document as a dictionary; exact numbers are texts."""
        record: dict[str, Any] = json.loads(self._written("json") or b"")
        return record

    to_json = Written("json", "The document that the command writes with ``--json``, to the byte.")

    def __eq__(self, other: object) -> bool:
        return self._document == other._document if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._document)

    def _repr_html_(self) -> str:
        """Tables, and the picture if there is one, for notebooks; names are escaped, and the picture cannot run anything."""
        record, drawn = self._told(), None
        try:
            drawn = self._written("svg") if hasattr(self, "to_svg") else None
        except Error:
            # Figures beyond a double cannot be drawn.
            pass
        return _html.page(record.pop("name"), record, drawn)


class OfSet(Answer):
    """What answers say of their task set."""

    name: Annotated[str, "Of the task set.", "taskset"]
    area_unit: Annotated[str, "The unit of areas; empty if none is named."]
    scheduler: Annotated[str, "``edf``, ``rm``, ``dm`` or ``fixed``."]
    resources: Annotated[tuple[str, ...], "The resources that hardware costs; of one area its unit, or ``area``."]
    limits: Annotated[Amounts, "The most that a design may cost of each resource that is limited; what may be filled of a device."]
    device: Annotated[str | None, "The FPGA that the limits come from, by name."]
    what_if: Annotated[tuple[str, ...], "What was changed to see what would happen, in words."]


class Costed:
    """What has a cost, and with one resource an area."""

    @property
    def area(self) -> Fraction:
        """Its area, the cost in the only resource; InputError if there are several, see `cost`."""
        area: Fraction = only(getattr(self, "cost"), "cost")
        return area


def only(of: Mapping[str, Any], name: str) -> Any:
    """What there is of the only resource."""
    if len(of) != 1:
        raise InputError(f"there is no area where resources are counted: use {name}, which has {', '.join(of)}")
    [one] = of.values()
    return one
