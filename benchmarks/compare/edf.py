"""EDF without isx: the demand of every design at every deadline of a hyperperiod, and a simulated schedule.

A synchronous set with U <= 1 that misses a deadline has dbf(t) > t at some absolute deadline t <= H: shifting t by H
adds at most U H <= H to the demand. So all deadlines up to H are looked at, for every combination of choices; no bound,
no search, nothing shared with what isx does.
"""

import heapq
from itertools import product

import numpy as np


class Designs:
    """Every design of a small task set with its area, demand in a hyperperiod and EDF verdict.

    `choices[i]` numbers task i's choice in design i's row, 0 for software, then file order.
    """

    def __init__(self, task_set):
        self.task_set = task_set
        tasks, h = task_set.tasks, task_set.hyperperiod
        options = [[(0, task.wcet), *((area, wcet) for _, area, wcet in task.choices)] for task in tasks]
        self.choices = np.array(list(product(*(range(len(option)) for option in options))))
        columns = list(zip(options, self.choices.T))
        self.wcets = np.stack([np.array([e for _, e in option])[taken] for option, taken in columns], axis=1)
        self.areas = sum(np.array([a for a, _ in option])[taken] for option, taken in columns)
        self.demands = self.wcets @ np.array([h // task.period for task in tasks])
        assert int(self.demands.max()) < 2**62
        self.passes = (self.demands <= h) & ~self.misses()

    def misses(self):
        times = self.deadlines()
        jobs = np.stack([np.maximum(0, (times - t.deadline) // t.period + 1) for t in self.task_set.tasks])
        late = np.zeros(len(self.wcets), dtype=bool)
        for start in range(0, len(late), 4096):
            part = slice(start, start + 4096)
            late[part] = (self.wcets[part] @ jobs > times).any(axis=1)
        return late

    def deadlines(self):
        h = self.task_set.hyperperiod
        return np.unique(np.concatenate([np.arange(t.deadline, h + 1, t.period) for t in self.task_set.tasks]))

    def best(self):
        """Index of the passing design of least area, then least demand, then the canonical one; None if none passes."""
        passing = np.flatnonzero(self.passes)
        if not len(passing):
            return None
        least = self.areas[passing].min()
        candidates = passing[self.areas[passing] == least]
        return min(candidates, key=lambda at: (int(self.demands[at]), tuple(self.choices[at][::-1])))

    def find(self, names):
        """Index of the design that a JSON object of choice names describes."""
        row = [
            0 if names[task.name] is None else 1 + [name for name, *_ in task.choices].index(names[task.name])
            for task in self.task_set.tasks
        ]
        (found,) = np.flatnonzero((self.choices == row).all(axis=1))
        return int(found)


def simulate(task_set, wcets):
    """Runs preemptive EDF from a release of all tasks at 0 until the processor idles or H has passed; whether every
    job met its deadline. Needs U <= 1: without a miss before the first idle time there is none at all."""
    releases = [(0, i) for i in range(len(wcets))]
    heapq.heapify(releases)
    ready, now = [], 0
    while True:
        while releases[0][0] <= now:
            at, i = heapq.heappop(releases)
            task = task_set.tasks[i]
            heapq.heappush(ready, [at + task.deadline, i, int(wcets[i])])
            heapq.heappush(releases, (at + task.period, i))
        if not ready or now >= task_set.hyperperiod:
            return all(deadline >= now + left for deadline, _, left in ready)
        job = ready[0]
        ran = min(job[2], releases[0][0] - now)
        now, job[2] = now + ran, job[2] - ran
        if now > job[0]:
            return False
        if job[2] == 0:
            heapq.heappop(ready)
