"""Exact Pareto fronts of hardware area against processor utilization, for sets of real-time tasks.

A task set says what each task needs in software and what custom instructions it could have. `explore` computes every
design that is worth considering, exactly; `check` decides whether a set is schedulable within an area; `show` tells one
design task by task, `compare` compares two fronts, and `explore_many` explores many sets at once. A set may count several
resources of an FPGA in place of an area; `fit` decides on which FPGAs it is schedulable, and `partition` divides its tasks
among several cores. `solve_mckp`
and `solve_knapsack` are solvers by themselves, on arrays; `generate` makes task sets.

>>> import isx
>>> front = isx.explore({
...     "name": "two tasks",
...     "tasks": [
...         {"name": "control", "wcet": 6, "period": 10, "choices": [{"name": "mac", "area": 120, "wcet": 4}]},
...         {"name": "filter", "wcet": 5, "period": 10, "choices": [{"name": "fir", "area": 300, "saves": 2}]},
...     ],
... })
>>> front.area
array([  0, 120, 420])
>>> front[1].utilization, front[1].choices["control"]
(Fraction(9, 10), 'mac')
>>> front.smallest_schedulable.area
Fraction(120, 1)

A `Number` in signatures is an integer, a `Fraction`, a `Decimal`, a text (``"0.25"``, ``"10/9"``) or a float, which counts
as the decimal that Python prints for it.

Everything is computed by the library in process: no other program is called. Long calls release the interpreter's lock,
end within a second of Ctrl-C, and tell of their progress if asked to. What goes wrong is an `Error` of its kind.
"""

from types import FunctionType as _FunctionType

# fmt: off
from . import sweep
from ._answers import (
    ComparedFront, Comparison, Design, DesignBlock, DesignTask, Fit, FitDesign, FitRow, FpgaDevice, Margin, NextDesign, PartitionRow,
    Partitions, Point, ResponseTime, Span, Verdict,
)
from ._ask import check, compare, engines, explore, explore_many, fit, fpga_devices, partition, show
from ._errors import (
    EngineUnavailable, EngineWarning, Error, Infeasible, InputError, MemoryLimitError, NoSuchDesign, Place, SelfCheckFailed, TaskSetError,
    TaskSetWarning,
)
from ._front import Front
from ._generate import generate
from ._isx import TASK_SET_SCHEMA, __version__
from ._keywords import Progress
from ._numbers import Number
from ._solve import Solution, solve_knapsack, solve_many, solve_mckp
from ._taskset import Block, Choice, Task, TaskSet

__all__ = [
    "Block", "Choice", "ComparedFront", "Comparison", "Design", "DesignBlock", "DesignTask", "EngineUnavailable", "EngineWarning",
    "Error", "Fit", "FitDesign", "FitRow", "FpgaDevice", "Front", "Infeasible", "InputError", "Margin", "MemoryLimitError", "NextDesign",
    "NoSuchDesign", "Number", "PartitionRow", "Partitions", "Place", "Point", "Progress", "ResponseTime", "SelfCheckFailed", "Solution",
    "Span", "TASK_SET_SCHEMA", "Task", "TaskSet", "TaskSetError", "TaskSetWarning", "Verdict", "__version__", "check", "compare",
    "engines", "explore", "explore_many", "fit", "fpga_devices", "generate", "partition", "show", "solve_knapsack", "solve_many",
    "solve_mckp", "sweep",
]
# fmt: on

# Where users find them, and what tracebacks name.
for _name in __all__:
    if isinstance(globals()[_name], (type, _FunctionType)):
        globals()[_name].__module__ = "isx"
