"""Exact Pareto fronts of hardware area against processor utilization, for sets of real-time tasks.

A task set says what each task needs in software and what custom instructions it could have. `explore` computes every
design that is worth considering, exactly; `check` decides whether a set is schedulable within an area; `show` tells one
design task by task. `solve_mckp` and `solve_knapsack` are the solvers below, on arrays; `generate` makes task sets.

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

Everything is computed by the library in process: no other program is called. Long calls release the interpreter's lock,
end within a second of Ctrl-C, and tell of their progress if asked to. What goes wrong is an `Error` of its kind.
"""

from ._errors import (
    EngineUnavailable,
    EngineWarning,
    Error,
    Infeasible,
    InputError,
    MemoryLimitError,
    NoSuchDesign,
    Place,
    SelfCheckFailed,
    TaskSetError,
    TaskSetWarning,
)
from ._design import Design, DesignBlock, DesignTask, NextDesign
from ._explore import check, explore, show
from ._front import Front, Point
from ._generate import generate
from ._isx import TASK_SET_SCHEMA, __version__
from ._running import Progress, engines
from ._solve import Solution, solve_knapsack, solve_mckp
from ._taskset import Block, Choice, Task, TaskSet
from ._verdict import ResponseTime, Verdict

__all__ = [
    "TASK_SET_SCHEMA",
    "Block",
    "Choice",
    "Design",
    "DesignBlock",
    "DesignTask",
    "EngineUnavailable",
    "EngineWarning",
    "Error",
    "Front",
    "Infeasible",
    "InputError",
    "MemoryLimitError",
    "NextDesign",
    "NoSuchDesign",
    "Place",
    "Point",
    "Progress",
    "ResponseTime",
    "SelfCheckFailed",
    "Solution",
    "Task",
    "TaskSet",
    "TaskSetError",
    "TaskSetWarning",
    "Verdict",
    "__version__",
    "check",
    "engines",
    "explore",
    "generate",
    "show",
    "solve_knapsack",
    "solve_mckp",
]

# Where users find them, and what tracebacks name.
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = "isx"
