"""What is true of a small task set: every design one by one, in exact fractions, from textbook definitions alone.

Times are in the unit that isx answers in: cycles of the set's clock, else seconds, else the file's own unit. A design at
a lower clock has longer WCETs by the same factor. What takes more than `STEPS` is left undecided, never guessed.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm

# Points in time, or jobs, that are looked at before a question is left undecided.
STEPS = 20_000


@dataclass(frozen=True)
class Option:
    """What a task can take: software (`index` None) or a choice."""

    index: int | None
    area: Fraction
    wcet: Fraction
    uses: tuple = ()


@dataclass(frozen=True)
class Block:
    area: Fraction
    slot: int | None
    fmax: Fraction | None


@dataclass
class Task:
    options: list
    period: Fraction
    deadline: Fraction
    priority: int


@dataclass(frozen=True)
class Design:
    choices: tuple
    area: Fraction
    utilization: Fraction
    blocks: tuple
    clock: Fraction | None
    wcets: tuple


class Problem:
    """A task set after its what-if changes, with every design that its slots allow, in canonical order."""

    def __init__(self, scheduler, clock, blocks, tasks, software):
        self.scheduler, self.clock, self.blocks, self.tasks = scheduler, clock, blocks, tasks
        # The WCETs of software alone, whatever is forced.
        self.software = software
        self.periods = [task.period for task in tasks]
        self.deadlines = [task.deadline for task in tasks]
        keys = {"edf": lambda t: 0, "rm": lambda t: t.period, "dm": lambda t: t.deadline, "fixed": lambda t: t.priority}
        # Of each task those of a higher or the same priority, whatever the order of the file.
        rank = [keys[scheduler](task) for task in tasks]
        self.above = [[other for other in range(len(tasks)) if other != at and rank[other] <= own] for at, own in enumerate(rank)]
        self.verdicts = {}
        # The last task's choice decides first, software before the first choice of the file.
        taken = product(*(task.options for task in reversed(tasks)))
        self.designs = [design for options in taken if (design := self.design(options[::-1]))]

    def design(self, options):
        built = tuple(sorted({block for option in options for block in option.uses}))
        slots = [self.blocks[at].slot for at in built if self.blocks[at].slot is not None]
        if len(set(slots)) < len(slots):
            return None
        limits = [self.blocks[at].fmax for at in built if self.blocks[at].fmax is not None]
        clock = min([self.clock, *limits]) if self.clock else None
        longer = self.clock / clock if clock else 1
        wcets = tuple(option.wcet * longer for option in options)
        return Design(
            tuple(option.index for option in options),
            sum(option.area for option in options) + sum(self.blocks[at].area for at in built),
            sum((wcet / period for wcet, period in zip(wcets, self.periods)), Fraction()),
            built,
            clock,
            wcets,
        )

    def front(self, most=None):
        """The Pareto front within an area; of equal figures the first in canonical order (the sort is stable)."""
        front = []
        for design in sorted(self.designs, key=lambda design: (design.area, design.utilization)):
            if most is not None and design.area > most:
                break
            if not front or design.utilization < front[-1].utilization:
                front.append(design)
        return front

    def smallest(self, most=None):
        """The schedulable design of least area, then least utilization, then the canonical one; None where there is none,
        and `...` where that was not decided."""
        undecided = False
        for design in sorted(self.designs, key=lambda design: (design.area, design.utilization)):
            if most is not None and design.area > most:
                break
            passes = self.passes(design.wcets)
            if passes:
                return ... if undecided else design
            undecided |= passes is None
        return ... if undecided else None

    def decided_by_utilization(self):
        return self.scheduler == "edf" and all(d >= p for p, d in zip(self.periods, self.deadlines))

    def passes(self, wcets):
        if wcets not in self.verdicts:
            self.verdicts[wcets] = self.test(wcets)
        return self.verdicts[wcets]

    def test(self, wcets):
        if sum(Fraction(e) / p for e, p in zip(wcets, self.periods)) > 1:
            return False
        if self.decided_by_utilization():
            return True
        if self.scheduler == "edf":
            return demand_fits(*self.whole(wcets))
        late = False
        for at, response in enumerate(self.responses(wcets)):
            if response is ...:
                return None
            late |= response is None or response > self.deadlines[at]
        return not late

    def whole(self, wcets):
        """WCETs, periods and deadlines in integers of one unit."""
        scale = lcm(*(time.denominator for time in (*wcets, *self.periods, *self.deadlines)))
        return [[int(time * scale) for time in times] for times in (wcets, self.periods, self.deadlines)]

    def responses(self, wcets):
        """The longest response time of each task in file order: None where there is none, `...` where undecided."""
        scale = lcm(*(time.denominator for time in (*wcets, *self.periods)))
        costs, periods = ([int(time * scale) for time in times] for times in (wcets, self.periods))
        found = [None] * len(costs)
        for at, above in enumerate(self.above):
            higher = [(costs[other], periods[other]) for other in above]
            longest = longest_response(costs[at], periods[at], higher)
            found[at] = Fraction(longest, scale) if isinstance(longest, int) else longest
        return found

    def margin(self, wcets):
        """The largest factor on all WCETs with which the design is schedulable; None where it would take too long."""
        utilization = sum((e / p for e, p in zip(wcets, self.periods)), Fraction())
        factors = [1 / utilization]
        costs, periods, deadlines = self.whole(wcets)
        cycle = lcm(*periods)
        if self.decided_by_utilization():
            return factors[0]
        if sum(cycle // period for period in periods) > STEPS // 20:
            return None
        if self.scheduler == "edf":
            times = {t for p, d in zip(periods, deadlines) for t in range(d, cycle + 1, p)}
            factors += [Fraction(t, demand(costs, periods, deadlines, t)) for t in times]
        else:
            for at, above in enumerate(self.above):
                higher = [(costs[other], periods[other]) for other in above]
                own = lcm(periods[at], *(period for _, period in higher))
                factors += [
                    best_factor(costs[at], higher, job, (job - 1) * periods[at] + deadlines[at])
                    for job in range(1, own // periods[at] + 1)
                ]
        return min(factors)


def demand(costs, periods, deadlines, time):
    """Baruah, Rosier, Howell 1990: the work of jobs that are released and due within `time`."""
    return sum(max(0, (time - d) // p + 1) * e for e, p, d in zip(costs, periods, deadlines))


def demand_fits(costs, periods, deadlines):
    """EDF with U <= 1: the demand at every deadline of the first busy period, or below the bound of Baruah and others,
    whichever is shorter."""
    cycle = lcm(*periods)
    used = sum(e * (cycle // p) for e, p in zip(costs, periods))
    bounds = [cycle]
    if used < cycle:
        lacking = sum(max(0, p - d) * e * (cycle // p) for e, p, d in zip(costs, periods, deadlines))
        bounds.append(lacking // (cycle - used))
    busy, steps = sum(costs), 0
    while steps < STEPS // 10 and (more := sum(-(-busy // p) * e for e, p in zip(costs, periods))) != busy:
        busy, steps = more, steps + 1
    if steps < STEPS // 10:
        bounds.append(busy)
    end = min(bounds)
    if sum(max(0, (end - d) // p + 1) for p, d in zip(periods, deadlines)) > STEPS:
        return None
    times = {t for p, d in zip(periods, deadlines) for t in range(d, end + 1, p)}
    return all(demand(costs, periods, deadlines, t) <= t for t in times)


def longest_response(cost, period, higher):
    """Lehoczky 1990: the longest response of a job of the busy period of this priority; None without a bound, `...` after
    too many steps."""
    cycle = lcm(period, *(p for _, p in higher))
    if cost * (cycle // period) + sum(e * (cycle // p) for e, p in higher) > cycle:
        return None
    longest, job, steps = 0, 1, 0
    while True:
        finish = job * cost
        while (more := job * cost + sum(-(-finish // p) * e for e, p in higher)) != finish:
            finish, steps = more, steps + 1
            if steps > STEPS:
                return ...
        longest = max(longest, finish - (job - 1) * period)
        if finish <= job * period:
            return longest
        job += 1


def best_factor(cost, higher, job, due):
    """The largest factor with which the job of that number, all before it at hand, is done by `due`: best at the end or
    where a job of higher priority is released."""
    times = {due, *(t for _, p in higher for t in range(p, due + 1, p))}
    return max(Fraction(t, job * cost + sum(-(-t // p) * e for e, p in higher)) for t in times)


def simulated(problem, wcets, most):
    """The longest response of each task in a hyperperiod from a release of all at once, job by job; None where U > 1 or
    the hyperperiod has more than `most` jobs. Holds the tests above against a schedule, under fixed priorities against one
    for each task, which goes after all that it ties with."""
    costs, periods, deadlines = problem.whole(wcets)
    scale = Fraction(periods[0]) / problem.periods[0]
    cycle = lcm(*periods)
    if sum(cycle // p for p in periods) > most or sum(e * (cycle // p) for e, p in zip(costs, periods)) > cycle:
        return None
    if problem.scheduler == "edf":
        return scheduled(costs, periods, lambda at, release: release + deadlines[at], scale)
    before = lambda own: lambda at, _: 0 if at in problem.above[own] else 1 if at == own else 2
    return [scheduled(costs, periods, before(own), scale)[own] for own in range(len(costs))]


def scheduled(costs, periods, urgency, scale):
    cycle = lcm(*periods)
    jobs = [(at, release) for at, p in enumerate(periods) for release in range(0, cycle, p)]
    jobs = sorted((release, urgency(at, release), at, costs[at]) for at, release in jobs)
    longest, ready, now = [Fraction()] * len(costs), [], 0
    while jobs or ready:
        if not ready:
            now = max(now, jobs[0][0])
        while jobs and jobs[0][0] <= now:
            release, urgent, at, left = jobs.pop(0)
            ready.append((urgent, release, at, left))
        ready.sort()
        urgent, release, at, left = ready.pop(0)
        until = min(now + left, jobs[0][0]) if jobs else now + left
        left, now = left - (until - now), until
        if left:
            ready.append((urgent, release, at, left))
        else:
            longest[at] = max(longest[at], (now - release) / scale)
    return longest


def selections(items, capacities):
    """Every selection of 0-1 items `(profit, weights)` that fits: (profit, weights, items taken)."""
    found = [(0, (0,) * len(capacities), ())]
    for at, (profit, weights) in enumerate(items):
        more = ((p + profit, tuple(map(sum, zip(w, weights))), (*taken, at)) for p, w, taken in found)
        found += [entry for entry in more if all(w <= c for w, c in zip(entry[1], capacities))]
    return found


def class_selections(classes, optional):
    """Every selection of one item per class: (value, weight, picks)."""
    options = [[(None, 0, 0)] * optional + [(at, *item) for at, item in enumerate(items)] for items in classes]
    for taken in product(*reversed(options)):
        taken = taken[::-1]
        yield sum(item[1] for item in taken), sum(item[2] for item in taken), [item[0] for item in taken]
