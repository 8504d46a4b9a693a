"""Keywords that are the command's flags: what they are, their texts, and what the native functions get of them."""

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from inspect import formatannotation
from typing import Annotated, Any, NamedTuple, SupportsIndex, TypedDict, TypeVar, get_args, get_type_hints

from . import _isx
from ._errors import EngineWarning, InputError
from ._numbers import Number, counted, exact, index, names, shown, utf8
from ._taskset import depth

Names = SupportsIndex | str | Iterable[str]
RangeLike = Number | tuple[Number, Number]
"""``"3..8"``, a pair ``(3, 8)``, or one number. Numbers drawn have as many decimals as the text."""
Ranges = str | Mapping[str, RangeLike]
Amounts = str | Mapping[str, Number]
"""Amounts of resources: ``{"LUT": 5000, "DSP": 8}``, or ``"LUT=5000,DSP=8"``."""


class Progress(NamedTuple):
    """How far a computation has come.

    A computation may have several stages, one after the other; each counts its own steps, often one per task.
    """

    stage: str
    """What is being done, in a few words."""
    done: int
    """Steps of the stage that are done."""
    steps: int
    """Steps of the stage."""

    @property
    def fraction(self) -> float:
        """The part of the stage that is done, from 0 to 1."""
        return min(self.done / self.steps, 1.0) if self.steps else 0.0


class Trying(TypedDict, total=False):
    """What is tried out with a task set, as the command's flags."""

    force: Annotated[str | Iterable[str], '``"TASK=CHOICE"`` or ``"TASK=software"``, or several: what a task takes in every design.']
    forbid: Annotated[str | Iterable[str], '``"TASK=CHOICE"`` or ``"BLOCK"``, or several: what no design takes.']
    scale_wcet: Annotated[Number | None, "A factor on every WCET, in software and with choices."]
    margin: Annotated[Number | None, 'Every WCET is longer by this part of it: ``"20%"`` or 0.2.']
    overruns: Annotated[SupportsIndex | None, "At most this many tasks exceed their WCET at a time, up to the ``wcet_high`` of the file."]
    variant: Annotated[str | None, "The variant of the processor that is built."]


class Counting(TypedDict, total=False):
    """What is counted, as the command's flags."""

    objectives: Annotated[str | Iterable[str], 'Resources that span the front, ``["LUT", "DSP"]`` or ``"LUT,DSP"``; the others have limits.']
    within: Annotated[Amounts | None, "The most that a design may cost of each resource, the base included: ``{'LUT': 5000, 'DSP': 8}``."]
    price: Annotated[Amounts | None, 'Make one area of several resources, a price for each: ``{"LUT": 1, "DSP": 80}``.']
    device: Annotated[str | None, 'Take the limits of this FPGA, such as ``"iCE40UP5K"``, in place of those of the set; see `fpga_devices`.']


class Telling(TypedDict, total=False):
    """Who hears of the progress."""

    progress: Annotated[
        Callable[[Progress], object] | None,
        "Called with a `Progress` some twenty times a second at most, in this thread. What it raises ends the computation.",
    ]


class Computing(Telling, total=False):
    """How to compute."""

    engine: Annotated[str, 'One of `engines`, or ``"auto"``.']
    threads: Annotated[SupportsIndex | None, "Threads to use, or questions to answer at the same time; one per core if not given."]
    max_memory: Annotated[SupportsIndex | None, "Most bytes of tables; 4 GiB if not given."]
    gpu: Annotated[
        SupportsIndex | str | Iterable[SupportsIndex] | None,
        'The GPU to use, as the driver counts; several, or ``"all"``, share one hard problem of `solve_knapsack`.',
    ]
    gpu_memory: Annotated[SupportsIndex | None, "The most bytes to take on it."]


class Asking(Trying, Counting, Computing, total=False):
    """All that a question about a task set may have."""


class Fitting(Trying, Computing, total=False):
    """As `Asking`, where the devices are given otherwise."""


class Dividing(Trying, Counting, Telling, total=False):
    """As `Asking`, where tasks are divided among cores."""


_DEFAULTS = {"engine": "auto", "force": (), "forbid": (), "objectives": (), "all_capacities": False, "picks": True, "reduce": True}

Asked = TypeVar("Asked", bound=Callable[..., Any])


def kind(hint: Any) -> str:
    """The name of a keyword's type, which says how it is read."""
    kinds: dict[str, Any] = {"Number": Number, "RangeLike": RangeLike, "Ranges": Ranges, "Amounts": Amounts, "Names": Names}
    kinds |= {"str": str, "SupportsIndex": SupportsIndex}
    hint = get_args(hint)[0]
    return next((name for name, one in kinds.items() if hint == one | None), formatannotation(hint))


def keywords(of: type) -> Callable[[Asked], Asked]:
    """Shows the keywords of this TypedDict in the signature and the text of a function that takes them, and refuses any other."""
    hints = get_type_hints(of, include_extras=True)

    def spelled(function: Asked) -> Asked:
        plain = inspect.signature(function)
        parameters = [one for one in plain.parameters.values() if one.kind is not one.VAR_KEYWORD]
        for name, hint in hints.items():
            shown = kind(hint) if "None" in kind(hint) or name in _DEFAULTS else f"{kind(hint)} | None"
            parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=_DEFAULTS.get(name), annotation=shown))
        signature = plain.replace(parameters=parameters)

        @functools.wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            try:
                signature.bind(*given, **named)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function(*given, **named)

        call.__signature__ = signature  # type: ignore[attr-defined]
        call.__annotations__ = {**function.__annotations__, **{name: get_args(hint)[0] for name, hint in hints.items()}}
        texts = "\n    ".join(f"{name}: {hint.__metadata__[0]}" for name, hint in hints.items())
        call.__doc__ = (function.__doc__ or "").replace("{keywords}", texts)
        return call  # type: ignore[return-value]

    return spelled


def options(how: Mapping[str, Any]) -> dict[str, Any]:
    """How to compute, checked."""
    progress, gpu = how.get("progress"), how.get("gpu")
    if progress is not None and not callable(progress):
        raise InputError(f"progress must be callable, not {type(progress).__name__}")
    gpus: list[int | None] | None = None
    if isinstance(gpu, Iterable) and not isinstance(gpu, (str, bytes, bytearray)):
        gpus = [counted(one, "each of gpu", 0, 1 << 16) for one in gpu]
        if not gpus:
            raise InputError('gpu is empty: give the numbers of GPUs, or "all"')
    elif gpu is not None:
        gpus = [] if gpu == "all" else [counted(gpu, "gpu", 0, 1 << 16)]  # type: ignore[arg-type]
    said: set[str] = set()

    def report(stage: str, done: int | None, steps: int | None) -> None:
        if done is None or steps is None:
            # Many problems may meet the same trouble.
            if stage not in said:
                said.add(stage)
                warnings.warn(stage, EngineWarning, stacklevel=depth())
        elif progress is not None:
            progress(Progress(stage, done, steps))

    return {
        "engine": utf8(how.get("engine", "auto"), "engine"),
        "threads": counted(how.get("threads"), "threads", 1, 1024),
        "max_memory": counted(how.get("max_memory"), "max_memory"),
        "gpus": gpus,
        "gpu_memory": counted(how.get("gpu_memory"), "gpu_memory"),
        "report": report,
    }


def changes(asked: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What is tried out, as the command's flags and their texts."""
    flags: list[tuple[str, str]] = []
    for key, hint in {**get_type_hints(Trying, include_extras=True), **get_type_hints(Counting, include_extras=True)}.items():
        if key not in asked or asked[key] is None and key not in _DEFAULTS:
            continue
        if key in ("force", "forbid"):
            flags += [(key, one) for one in names(asked[key], key)]
        elif key == "device":
            flags.append((key, fpga(asked[key], key)))
        elif key == "objectives":
            flags += [(key, one) for one in [",".join(names(asked[key], key))] if one]
        else:
            flags.append((key, flag(asked[key], key, kind(hint))))
    return flags


def fpga(given: str, name: str) -> str:
    """The name of an FPGA."""
    if not isinstance(given, str):
        raise InputError(f"{name} names an FPGA, such as 'iCE40UP5K', not {shown(given)}; a GPU is chosen with gpu=0")
    return utf8(given, name)


def flag(given: Any, name: str, kind: str) -> str:
    """What is given for a keyword, as the command has it."""
    kind = kind.removesuffix(" | None")
    if isinstance(given, str) and kind != "SupportsIndex" or kind == "str":
        return utf8(given, name)
    if kind == "SupportsIndex":
        return str(counted(given, name))
    if kind == "RangeLike" and isinstance(given, tuple):
        if len(given) != 2:
            raise InputError(f"{name} must be a number or a pair of them, not {given!r}")
        return "..".join(flag(end, name, "Number") for end in given)
    if kind in ("Number", "RangeLike"):
        return _isx.format_exact(exact(given, name))
    if kind in ("Ranges", "Amounts"):
        mark, what, of = (":", "ranges", "RangeLike") if kind == "Ranges" else ("=", "amounts", "Number")
        example = "{'LUT': (1, 1500), 'DSP': (0, 4)}" if kind == "Ranges" else "{'LUT': 5000, 'DSP': 8}"
        if not isinstance(given, Mapping) or not given:
            raise InputError(f"{name} must be {what} {'by name' if of == 'RangeLike' else 'of resources'}, such as {example}, not {shown(given)}")
        for resource in given:
            if set(f"{mark},") & set(utf8(resource, f"a resource of {name}")):
                raise InputError(f"{name}: there is no resource {resource!r}")
        return ",".join(f"{resource}{mark}{flag(one, f'{name} of {resource}', of)}" for resource, one in given.items())
    if isinstance(given, SupportsIndex):
        return str(index(given, name))
    several = names(given, name)
    # The command would take the one for several, and a single number for how many.
    if not several or any("," in one for one in several) or (name == "tasks" and several[0][:1] in set("+0123456789")):
        raise InputError(f"{name} must be texts without commas, and the first no number: {several!r}")
    return ",".join(several)
