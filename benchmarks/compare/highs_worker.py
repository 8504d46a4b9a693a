"""HiGHS in a process of its own: a problem a line of JSON in, an answer a line out.

OR-Tools brings another version of the HiGHS library under the same name, and the two cannot live in one process.
"""

import json
import sys
from math import gcd

import highspy
import numpy as np


def solve(classes, capacity, optional, seconds, threads):
    """`(status, picks)`, a pick an item's index or None; picks is None where nothing was found."""
    unit = gcd(*(value for items in classes for value, _ in items)) or 1
    items = [
        (c, k, value // unit, weight) for c, group in enumerate(classes) for k, (value, weight) in enumerate(group)
    ]
    count, rows = len(items), len(classes) + 1
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = count, rows
    lp.sense_ = highspy.ObjSense.kMaximize
    lp.col_cost_ = np.array([value for _, _, value, _ in items], dtype=float)
    lp.col_lower_, lp.col_upper_ = np.zeros(count), np.ones(count)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * count
    lp.row_lower_ = np.array([-highspy.kHighsInf] + [0.0 if optional else 1.0] * len(classes))
    lp.row_upper_ = np.array([float(capacity)] + [1.0] * len(classes))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_ = np.arange(0, 2 * count + 1, 2, dtype=np.int32)
    lp.a_matrix_.index_ = np.array([row for c, *_ in items for row in (0, c + 1)], dtype=np.int32)
    lp.a_matrix_.value_ = np.array([entry for *_, weight in items for entry in (float(weight), 1.0)])
    solver = highspy.Highs()
    for option, value in (("output_flag", False), ("mip_rel_gap", 0.0), ("mip_abs_gap", 0.0), ("threads", threads)):
        solver.setOptionValue(option, value)
    if seconds:
        solver.setOptionValue("time_limit", float(seconds))
    solver.passModel(lp)
    solver.run()
    status = solver.getModelStatus()
    word = {
        highspy.HighsModelStatus.kOptimal: "optimal",
        highspy.HighsModelStatus.kInfeasible: "infeasible",
    }.get(status, solver.modelStatusToString(status).lower())
    if solver.getInfo().primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
        return word, None
    picks = [None] * len(classes)
    for (c, k, _, _), x in zip(items, solver.getSolution().col_value):
        if x > 0.5:
            picks[c] = k
    return word, picks


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(solve(*json.loads(line))), flush=True)
