"""What can go wrong, a class a kind: the kinds of the command's exit codes."""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple


class Error(Exception):
    """Any failure of isx; `exit_code` is the one that the command has for this kind."""

    exit_code: ClassVar[int] = 2


class InputError(Error, ValueError):
    """What was given is wrong: an argument, an array, a task set whose figures pass the integers."""


class Place(NamedTuple):
    """A place in a task set, line and column from 1, with what is wrong there."""

    file: str
    line: int
    column: int
    message: str


class TaskSetError(InputError):
    """A task set that cannot be read. The text shows the lines that are wrong, and says what is due there.

    `file` is as it was given, or ``<dict>`` or ``<yaml>``; `line` and `column` are those of the first mistake, from 1, of a dictionary in
    its text, which the message shows, and None where it has no place, as in an empty file. `places` has all mistakes, at most 20.
    """

    def __init__(
        self,
        message: str,
        file: str = "",
        line: int | None = None,
        column: int | None = None,
        places: Sequence[tuple[str, int, int, str]] = (),
    ) -> None:
        super().__init__(message, file, line, column, places)
        self.file, self.line, self.column = file, line, column
        self.places = tuple(Place(*place) for place in places)

    def __str__(self) -> str:
        return str(self.args[0])


class Infeasible(Error):
    """Nothing fits: no selection has one item of every class, or no design has all choices that are forced."""

    exit_code = 1


class NoSuchDesign(Error, LookupError):
    """The front has no design as asked for."""

    exit_code = 1


class MemoryLimitError(Error, MemoryError):
    """Refused before it began: the tables would pass ``max_memory``, or the system or the GPU gives no memory."""

    exit_code = 4


class EngineUnavailable(Error, RuntimeError):
    """The engine asked for cannot run here, or its hardware failed."""

    exit_code = 5


class SelfCheckFailed(Error, RuntimeError):
    """An answer was found and does not hold, or cannot be proved. Please report it."""

    exit_code = 7


class TaskSetWarning(UserWarning):
    """Something in a task set is allowed but unlikely to be meant."""


class EngineWarning(RuntimeWarning):
    """An engine went on in another way, as when a GPU failed and the CPU took over."""
