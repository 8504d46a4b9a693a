"""The exact schedulability tests once more, in Python integers and straight from the formulas, for `compare_schedulability.py`.

A set is a dictionary with the keys of a task set in YAML and whole numbers in one unit of time; with `clock` that unit is
a cycle of the clock in the file. `jobs` makes of a design (the number of a choice for each task, or None) one `Job` for
each task; `verdict` and `responses` judge them:

- EDF (Baker 1991, Spuri 1996, Zhang and Burns 2009): at every deadline t up to the longest deadline and a hyperperiod
  beyond it, the work that is due and the longest wait that can delay it are at most t.
- Fixed priorities (Joseph and Pandya 1986, Lehoczky 1990, Audsley et al. 1993): every job of the busy period; for a task
  that is never interrupted its start (George, Rivierre and Spuri 1996). Tasks of equal priority delay each other.
"""

from fractions import Fraction
from itertools import product
from math import lcm
from typing import NamedTuple


class Job(NamedTuple):
    """A task of one design. `wcet` holds its context switches; `section` is its longest part that cannot be interrupted."""

    wcet: int
    period: int
    deadline: int
    jitter: int
    blocking: int
    section: int
    locks: dict
    rank: tuple
    # Whether a job, once started, is never interrupted; a part given as a number is a bound, however long.
    is_whole: bool


def is_above(other, own):
    """Whether a task of rank `other` may delay one of rank `own`: a higher or the same priority. Where a rank has no second
    number, it is tied with all that have the same first one."""
    if other[0] != own[0]:
        return other[0] < own[0]
    return other[1] is None or own[1] is None or other[1] <= own[1]


def rank(scheduler, task):
    first = {"edf": None, "rm": task["period"], "dm": task.get("deadline", task["period"])}
    return (task["priority"], None) if scheduler == "fixed" else (first[scheduler], task.get("priority"))


def taken(instance, choices):
    return [None if at is None else task["choices"][at] for task, at in zip(instance["tasks"], choices)]


def built(instance, choices):
    """The blocks of a design, None if two share a slot."""
    names = {name for choice in taken(instance, choices) if choice for name in choice.get("uses", ())}
    blocks = [block for block in instance.get("blocks", ()) if block["name"] in names]
    slots = [block["slot"] for block in blocks if "slot" in block]
    return blocks if len(slots) == len(set(slots)) else None


def area(instance, choices):
    own = sum(choice["area"] for choice in taken(instance, choices) if choice)
    return own + sum(block["area"] for block in built(instance, choices))


def clock(instance, choices):
    rates = [block["fmax"] for block in built(instance, choices) if "fmax" in block]
    return min([instance["clock"], *rates])


def jobs(instance, choices, margin=1, slower=1):
    """The jobs of a design and the number that all their times are multiplied by. A margin makes WCETs, critical sections
    and parts that cannot be interrupted longer; a slower clock also what others hold and context switches."""
    if "clock" in instance:
        slower *= Fraction(instance["clock"], clock(instance, choices))
    margin *= slower
    unit = lcm(margin.denominator, slower.denominator)
    longest, slowest = int(margin * unit), int(slower * unit)
    longer = lambda time: time * longest
    kernel = lambda time: time * slowest
    switches = {block["name"]: block.get("switch", 0) for block in instance.get("blocks", ())}
    found = []
    for task, choice in zip(instance["tasks"], taken(instance, choices)):
        run = (choice or task)["wcet"]
        switch = instance.get("switch", 0) + sum(switches[name] for name in (choice or {}).get("uses", ()))
        wcet = longer(run) + kernel(2 * switch)
        section = task.get("nonpreemptive", 0)
        locks = (choice or {}).get("locks", task.get("locks", {}))
        found.append(
            Job(
                wcet=wcet,
                period=task["period"] * unit,
                deadline=task.get("deadline", task["period"]) * unit,
                jitter=task.get("jitter", 0) * unit,
                blocking=kernel(task.get("blocking", 0)),
                section=wcet if section == "all" else min(wcet, longer(section)),
                locks={name: min(longer(length), longer(run)) for name, length in locks.items()},
                rank=rank(instance["scheduler"], task),
                is_whole=section == "all" and "partial" not in task,
            )
        )
    return found, unit


def load(tasks):
    """The work of a hyperperiod, and the hyperperiod."""
    end = lcm(*(task.period for task in tasks))
    return sum(task.wcet * (end // task.period) for task in tasks), end


def utilization(tasks):
    return Fraction(*load(tasks))


def verdict(scheduler, tasks):
    work, end = load(tasks)
    if work > end:
        return False
    if scheduler == "edf":
        return demand_fits(tasks, end)
    return all(response(tasks, at) <= tasks[at].deadline for at in range(len(tasks)))


def demand_fits(tasks, hyperperiod):
    """From the longest deadline on, demand and time grow alike by hyperperiods, and the wait no longer changes."""
    end = max(task.deadline for task in tasks) + hyperperiod
    times = {time for task in tasks for time in range(task.deadline - task.jitter, end, task.period)}
    return all(demand(tasks, time) + longest_wait(tasks, time) <= time for time in times)


def demand(tasks, time):
    due = lambda task: max(0, (time + task.jitter - task.deadline) // task.period + 1)
    return sum(due(task) * task.wcet for task in tasks)


def longest_wait(tasks, time):
    used = {name for task in tasks if task.deadline <= time for name in task.locks}
    waits = [0]
    for task in tasks:
        if task.deadline - task.jitter > time:
            waits.append(task.section)
        else:
            waits.append(task.blocking)
        if task.deadline > time:
            waits += [length for name, length in task.locks.items() if name in used]
    return max(waits)


def ceiling(number, divisor):
    return -(-number // divisor)


def response(tasks, at):
    """The longest response time of a task under fixed priorities; infinite where it has no bound."""
    own = tasks[at]
    others = [task for other, task in enumerate(tasks) if other != at]
    above = [task for task in others if is_above(task.rank, own.rank)]
    below = [task for task in others if not is_above(task.rank, own.rank)]
    used = {name for task in [own, *above] for name in task.locks}
    held = [length for task in below for name, length in task.locks.items() if name in used]
    wait = max([own.blocking, *held, *(task.section for task in below)])

    work, hyperperiod = load([own, *above])
    if work > hyperperiod:
        return float("inf")
    if work == hyperperiod:
        # The busy period may never end; after a hyperperiod everything comes again.
        count = hyperperiod // own.period + ceiling(own.jitter, own.period) + 1
    else:
        length = wait + sum((task.jitter // task.period + 1) * task.wcet for task in [own, *above])
        while True:
            longer = wait + sum(ceiling(length + task.jitter, task.period) * task.wcet for task in [own, *above])
            if longer == length:
                break
            length = longer
        count = ceiling(length + own.jitter, own.period)

    def released(task, time):
        """The jobs of a task of higher priority that go before one that is done, or starts, at `time`."""
        if own.is_whole and wait == 0:
            return (time + task.jitter) // task.period + 1
        return max(1, ceiling(time + task.jitter, task.period))

    longest, time = 0, 0
    for number in range(count):
        before = wait + (number if own.is_whole else number + 1) * own.wcet
        time = max(time, before)
        while True:
            later = before + sum(released(task, time) * task.wcet for task in above)
            if later <= time:
                break
            time = later
        done = time + own.wcet if own.is_whole else time
        longest = max(longest, done - number * own.period + own.jitter)
    return longest


def designs(instance):
    """All designs that can be built."""
    options = [[None, *range(len(task.get("choices", ())))] for task in instance["tasks"]]
    return [choices for choices in product(*options) if built(instance, choices) is not None]
