"""Chunks of a sweep, for any scheduler of work: a chunk is a pure function of the specification and its number.

>>> import isx.sweep
>>> spec = {"schema": "isx.sweep/1", "seed": 1, "sets_per_point": 20, "measure": ["min_area"]}
>>> isx.sweep.chunks(spec)
range(0, 1)
>>> isx.sweep.run_chunk(spec, 0)[:4]
b'PAR1'
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, SupportsIndex

from . import _isx
from ._numbers import index

SpecLike = str | os.PathLike[str] | Mapping[str, Any]
"""A file with a specification, or what would stand in one."""

__all__ = ["SpecLike", "chunks", "run_chunk"]


def chunks(spec: SpecLike, *, out: str | os.PathLike[str] | None = None) -> Sequence[int]:
    """The numbers of the chunks of a sweep, one for each 500 sets of a point, or of those that the folder `out` lacks, which is
    created if necessary. TaskSetError: the specification is not valid. InputError: the folder holds another sweep."""
    return range(_isx.sweep_chunks(_read(spec))) if out is None else _isx.sweep_missing(_read(spec), Path(out))


def run_chunk(spec: SpecLike, number: SupportsIndex, *, out: str | os.PathLike[str] | None = None) -> bytes:
    """Measure the sets of a chunk, on one thread: the records as a Parquet file, the same on every machine. It is also written to
    the folder `out`, as ``isx sweep run`` does; SQL over its ``*.parquet`` asks what they add up to. InputError: there is no such chunk,
    or a set cannot be drawn or measured. KeyboardInterrupt: after the set in progress."""
    return _isx.sweep_chunk(_read(spec), index(number, "number"), None if out is None else Path(out))


def _read(spec: SpecLike) -> tuple[bytes, str, Path]:
    """The text, its name, and the folder that files are named from."""
    if isinstance(spec, Mapping):
        return json.dumps(dict(spec)).encode(), "<dict>", Path()
    path = Path(spec)
    return path.read_bytes(), str(path), path.parent
