"""Schedules simulated job by job, which judge the tests of `schedulability_oracle.py`.

Locks follow the stack resource policy (Baker 1991), under fixed priorities the immediate ceiling protocol: a job starts
only if it goes before the one that runs and its level is above the ceiling of all that is held; then it waits for nobody.
Time is whole and `FINE` times as fine as the tasks', so that what blocks can begin a moment before everything else.
"""

import heapq
from math import lcm

import schedulability_oracle as oracle

FINE = 4
NEVER = 1 << 60


class Plan:
    """The jobs of one task in a simulation: `sections` are (begin, end, ceiling) in time executed; a smaller `level` is higher."""

    def __init__(self, wcet, deadline, level, sections=(), key=None):
        self.wcet, self.deadline, self.level, self.sections, self.key = wcet, deadline, level, sorted(sections), key
        self.arrivals = []

    def every(self, first, period, end, jitter=0):
        """Arrivals as early as they can be, the first released at `first` at the earliest."""
        self.arrivals = [(arrival, max(first, arrival)) for arrival in range(first - jitter, end, period)]
        return self


def run(plans, horizon):
    """Simulates; the longest response of each plan's jobs, and whether one due by `horizon` was late. `key` orders the jobs of a
    plan before those of others (by deadline if it is None)."""
    releases = sorted(
        (release, arrival, at) for at, plan in enumerate(plans) for arrival, release in plan.arrivals if release <= horizon
    )
    pending, stack, now, following = [], [], 0, 0
    longest, is_late = [0] * len(plans), False
    while following < len(releases) or pending or stack:
        if not pending and not stack:
            now = releases[following][0]
        while following < len(releases) and releases[following][0] <= now:
            _, arrival, at = releases[following]
            plan = plans[at]
            key = (arrival + plan.deadline,) if plan.key is None else plan.key(arrival)
            heapq.heappush(pending, (key, arrival, at))
            following += 1
        if pending:
            key, arrival, at = pending[0]
            if (not stack or key < stack[-1][0]) and plans[at].level < held(plans, stack):
                stack.append([key, arrival, at, 0])
                heapq.heappop(pending)
        job = stack[-1]
        plan = plans[job[2]]
        length = min([plan.wcet, *(end for _, end, _ in plan.sections if end > job[3])]) - job[3]
        if following < len(releases):
            length = min(length, releases[following][0] - now)
        job[3] += length
        now += length
        if job[3] == plan.wcet:
            stack.pop()
            due = job[1] + plan.deadline
            if due <= horizon:
                longest[job[2]] = max(longest[job[2]], now - job[1])
                is_late |= now > due
    return longest, is_late


def held(plans, stack):
    """The highest ceiling of the sections that started jobs are in."""
    ceiling = NEVER
    for _, _, at, executed in stack:
        for begin, end, level in plans[at].sections:
            if begin < executed < end:
                ceiling = min(ceiling, level)
    return ceiling


def horizon(tasks):
    return FINE * (2 * lcm(*(task.period for task in tasks)) + max(task.deadline for task in tasks))


def blockers(tasks, own, below, used):
    """What may keep the processor when all others are released: (task or None for one outside the set, length)."""
    found = {(None, tasks[own].blocking)} if own is not None else set()
    found |= {(at, tasks[at].section) for at in below}
    found |= {(at, length) for at in below for name, length in tasks[at].locks.items() if name in used}
    return [(None, 0), *sorted((found - {(at, 0) for at, _ in found}), key=str)]


def worst_responses(tasks):
    """The longest response times under fixed priorities, by trying what may block; rounded up to a whole time."""
    found = []
    for own, task in enumerate(tasks):
        # Of a load of 1 a busy period may last many hyperperiods.
        end = horizon(tasks) + FINE * oracle.response(tasks, own)
        others = [at for at in range(len(tasks)) if at != own]
        above = [at for at in others if oracle.is_above(tasks[at].rank, task.rank)]
        below = [at for at in others if at not in above]
        used = {name for at in [own, *above] for name in tasks[at].locks}
        longest = 0
        for blocker, length in blockers(tasks, own, below, used):
            plans = []
            for at in [*above, own]:
                one = tasks[at]
                whole = [(0, FINE * one.wcet, -1)] if one.is_whole else []
                plan = Plan(FINE * one.wcet, FINE * one.deadline, len(plans), whole)
                plans.append(plan.every(0, FINE * one.period, end, FINE * one.jitter))
            if length:
                plans.append(Plan(FINE * length, NEVER, len(plans), [(0, FINE * length, -1)]).every(-1, NEVER, 0))
            for place, plan in enumerate(plans):
                plan.key = lambda arrival, place=place: (place,)
            responses, _ = run(plans, end)
            longest = max(longest, responses[len(above)])
        found.append(-(-longest // FINE))
    return found


def edf_meets(tasks):
    """Whether EDF meets all deadlines, whatever blocks when all others are released."""
    end = horizon(tasks)
    everyone = range(len(tasks))
    used = {name for task in tasks for name in task.locks}
    causes = [(at, length, None) for at, length in blockers(tasks, None, everyone, ())]
    for name in sorted(used):
        first = min(task.deadline - task.jitter for task in tasks if name in task.locks)
        causes += [(at, tasks[at].locks[name], first) for at in everyone if name in tasks[at].locks]
    causes += [(None, task.blocking, task.deadline - task.jitter) for task in tasks if task.blocking]
    for blocker, length, first in causes:
        plans = []
        for at, one in enumerate(tasks):
            sections = [(0, FINE * one.wcet, -NEVER)] if one.is_whole else []
            if at == blocker and length:
                sections = [(0, FINE * length, -NEVER if first is None else FINE * first)]
            plan = Plan(FINE * one.wcet, FINE * one.deadline, FINE * (one.deadline - one.jitter), sections)
            early = at == blocker
            plans.append(plan.every(-early, FINE * one.period, end, 0 if early else FINE * one.jitter))
        if blocker is None and length:
            plans.append(Plan(FINE * length, NEVER, NEVER - 1, [(0, FINE * length, FINE * first)]).every(-1, NEVER, 0))
        if run(plans, end)[1]:
            return False
    return True


def random_run(scheduler, tasks, rng):
    """Whether a schedule with random arrivals, jitters, places of locks and orders of equals is late. Some arrivals are periodic,
    some sporadic; sections of one task may lie within each other; equals go in some order or first come, first served."""
    end = horizon(tasks)
    plans = []
    by_deadline = scheduler == "edf"
    if by_deadline:
        levels = [task.deadline - task.jitter for task in tasks]
    elif any(task.rank[1] is not None for task in tasks):
        second = lambda rank: rng.randint(0, 4) if rank[1] is None else rank[1]
        ranks = sorted(range(len(tasks)), key=lambda at: (tasks[at].rank[0], second(tasks[at].rank), rng.random()))
        levels = [ranks.index(at) for at in range(len(tasks))]
    else:
        levels = [task.rank[0] for task in tasks]
    ceilings = {}
    for task, level in zip(tasks, levels):
        for name in task.locks:
            ceilings[name] = min(level, ceilings.get(name, level))
    synchronous, first_come = rng.random() < 0.5, rng.random() < 0.5
    order = rng.sample(range(len(tasks)), len(tasks))
    for at, task in enumerate(tasks):
        wcet = FINE * task.wcet
        lengths = [(FINE * length, ceilings[name]) for name, length in task.locks.items()]
        lengths += [(FINE * task.section, -1)] if task.section else []
        plan = Plan(wcet, FINE * task.deadline, levels[at], placed(lengths, wcet, rng))
        if not by_deadline:
            place = (levels[at], at if first_come else order.index(at))
            plan.key = lambda arrival, place=place: (place[0], arrival, place[1]) if first_come else (*place, arrival)
        arrival = rng.choice((-1, 0, 0)) if synchronous else rng.randrange(-1, FINE * task.period)
        lazy = rng.random() < 0.3
        while arrival < end:
            late = rng.choice((0, FINE * task.jitter, rng.randint(0, FINE * task.jitter)))
            plan.arrivals.append((arrival, arrival + late))
            arrival += FINE * task.period + (rng.randint(0, 5) if lazy else 0)
        plans.append(plan)
    return run(plans, end)[1]


def placed(lengths, wcet, rng):
    """Sections at random places, one after the other or within each other."""
    found, free, around = [], [(0, wcet)], []
    for length, ceiling in sorted(lengths, reverse=True, key=lambda section: (section[0], rng.random())):
        wide = [place for place in free + around if place[1] - place[0] >= length]
        begin, end = rng.choice(wide)
        (free if (begin, end) in free else around).remove((begin, end))
        start = rng.choice((begin, end - length, rng.randint(begin, end - length)))
        found.append((start, start + length, ceiling))
        around.append((start, start + length))
        free += [(begin, start), (start + length, end)]
    return found
