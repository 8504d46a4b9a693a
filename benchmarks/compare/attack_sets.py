"""Random small task sets for `attack.py`: how they are drawn, what they mean and how they are written.

An instance is what `shrinking.py` takes: dictionaries, lists and integers. What may be left out is a list of one entry or
none; areas are whole numbers of the last decimal, times say their unit and their decimals.
"""

import json
from fractions import Fraction

import attack_oracle as oracle

PERIODS = (2, 3, 4, 6, 8, 8, 10, 12, 15, 20, 24, 30)
UNITS = ("", "s", "ms", "us", "ns", "ps")
RATES = ("Hz", "kHz", "MHz", "GHz")
SCHEDULERS = ("edf", "edf", "rm", "dm", "fixed")
ENGINES = ("auto", "auto", "list", "dense", "reference")


def number(value, unit, rng):
    """A value in the unit of that number, as a decimal where it is one of at most 18 digits, else as a fraction."""
    value *= 1000 ** max(0, unit - 1)
    digits = next((d for d in range(19) if (value * 10**d).denominator == 1), None)
    if digits is None:
        return {"n": value.numerator, "over": value.denominator, "digits": 0, "unit": unit}
    digits = rng.choice((digits, digits, min(18, digits + 2)))
    return {"n": int(value * 10**digits), "over": 1, "digits": digits, "unit": unit}


class Drawing:
    """One task set with its flags."""

    def __init__(self, rng):
        self.rng = rng
        long, random = Fraction(123456789012345678, 10**18), Fraction(rng.randint(1, 10**9), 10**9)
        self.tick = rng.choice((Fraction(1), Fraction(1), Fraction(1, 10), Fraction(1, 3), long, random))
        clocks = (12, 80, Fraction(25, 2), 10**6, 3 * 10**8, long * 10**8)
        self.clock = rng.choice(clocks) if rng.random() < 0.4 else None
        self.style = rng.choice(("plain", "plain", "one", "mixed"))
        self.unit, self.plain_cycles = rng.randint(1, 5), rng.random() < 0.8
        self.hair = rng.random() < 0.15
        self.area_digits = rng.choice((0, 0, 0, 1, 3, 18))
        self.area_most = rng.choice((2, 12, 12, 40, 1000, 10**16))

    def time(self, ticks, cycles=False):
        """So many ticks, which are cycles where the set has a clock."""
        rng, value = self.rng, ticks * self.tick
        if self.hair and rng.random() < 0.3:
            value += Fraction(rng.choice((-1, 1)), 10**18) * min(1, self.tick)
        if self.style == "plain" or (self.clock and cycles and self.plain_cycles):
            return number(value, 0, rng)
        value /= self.clock or 1
        return number(value, self.unit if self.style == "one" else rng.randint(1, 5), rng)

    def area(self):
        return 0 if self.rng.random() < 0.1 else self.rng.randint(0, self.area_most)

    def block(self):
        rng, fmax = self.rng, []
        if self.clock and rng.random() < 0.6:
            share = rng.choice(((1, 2), (2, 3), (3, 4), (37, 40), (1, 1), (5, 4), (rng.randint(1, 10**12), 10**12)))
            fmax = [self.rate(self.clock * Fraction(*share))]
        return {"area": self.area(), "slot": rng.choice(([], [], [0], [1])), "fmax": fmax}

    def rate(self, value):
        unit = self.rng.randrange(4)
        return number(Fraction(value) / 1000**unit, 0, self.rng) | {"unit": unit}

    def task(self, blocks, most, load):
        """A task of about this utilization in software."""
        rng, period = self.rng, self.rng.choice(PERIODS)
        wcet, choices = max(1, int(period * load * rng.uniform(0.6, 1.4))), []
        for _ in range(rng.randint(rng.randint(0, most), most)):
            if choices and rng.random() < 0.15:
                choices.append(json.loads(json.dumps(rng.choice(choices))))
                continue
            lower, saves = rng.randint(1, wcet + (rng.random() < 0.3)), 0
            if lower < wcet and rng.random() < 0.4:
                lower, saves = wcet - lower, 1
            uses = [at for at in range(blocks) if rng.random() < 0.3]
            choices.append({"area": self.area(), "time": self.time(lower, True), "saves": saves, "uses": uses})
        short = min(period, wcet // 2 + 1)
        tight = (short, max(short, min(period, 2 * wcet)))
        ranges = ((period, period), (short, period), tight, tight, tight, (short, 3 * period))
        ends = [[], [], *([rng.randint(*ends)] for ends in ranges)]
        deadline = [self.time(ticks) for ticks in rng.choice(ends if self.any_deadlines else ends[:3])]
        times = {"wcet": self.time(wcet, True), "period": self.time(period), "deadline": deadline}
        return times | {"priority": rng.randint(1, 3), "choices": choices}

    def set(self):
        rng = self.rng
        self.any_deadlines = rng.random() < 0.7
        blocks = [self.block() for _ in range(rng.choice((0, 0, 1, 2, 3, 4)))]
        most = rng.choice((6, 5, 4, 4, 3))
        tasks = rng.randint(1, 8 - most)
        load = rng.choice((0.5, 0.7, 0.9, 1.1, 1.4)) / tasks
        tasks = [self.task(len(blocks), most, load) for _ in range(tasks)]
        if rng.random() < 0.03:
            # Units that are mixed, where others have one.
            tasks[-1][rng.choice(("period", "wcet"))]["unit"] = 0
        head = {"scheduler": rng.choice(SCHEDULERS), "clock": [self.rate(self.clock)] if self.clock else []}
        return head | {"area_digits": self.area_digits, "blocks": blocks, "tasks": tasks}

    def flags(self, tasks):
        """What-if flags of a set: forced are pairs of a task and one more than its choice, 0 for software."""
        rng, some = self.rng, lambda share: rng.random() < share
        pick = lambda: [(at := rng.randrange(len(tasks))), rng.randrange(len(tasks[at]["choices"]) + 1)]
        scale = rng.choice(([11, 10], [10, 9], [1, 2], [999999999999999999, 10**18], [3, 1], [rng.randint(1, 400), 100]))
        return {
            "force": [pick() for _ in range(rng.choice((1, 1, 2)))] if some(0.25) else [],
            "forbid": [pick() for _ in range(rng.choice((1, 1, 2)))] if some(0.25) else [],
            "forbid_blocks": [rng.randrange(4)] if some(0.1) else [],
            "scale": [{"n": scale[0], "over": scale[1]}] if some(0.25) else [],
        }


def drawn_set(rng):
    drawing = Drawing(rng)
    instance = drawing.set()
    most = sum(max((c["area"] for c in task["choices"]), default=0) for task in instance["tasks"])
    return instance | {
        "flags": drawing.flags(instance["tasks"]),
        "other": drawing.flags(instance["tasks"]),
        "max_area": [rng.randint(0, most + 1)] if rng.random() < 0.25 else [],
        "engine": rng.choice(ENGINES),
        "big": rng.random() < 0.1,
        "threads": rng.randint(1, 3),
        "seed": rng.randrange(10**6),
    }


# Reading an instance: what it means, as a problem of the oracle, and how it is written.


def times(instance):
    for task in instance["tasks"]:
        yield from (task["wcet"], task["period"], *task["deadline"], *(choice["time"] for choice in task["choices"]))


def is_sound(figure, units):
    plain = figure["n"] > 0 and figure["over"] > 0 and max(figure["n"], figure["over"]) < 10**40
    return plain and 0 <= figure["digits"] <= 18 * (figure["over"] == 1) and figure["unit"] in range(units)


def tidy_set(instance):
    """Uses of blocks that are gone go, and of two blocks of a slot the second; `None` where nothing is left to ask."""
    rates = [*instance["clock"], *(rate for block in instance["blocks"] for rate in block["fmax"])]
    entries = [*instance["blocks"], *(choice for task in instance["tasks"] for choice in task["choices"])]
    areas = [*(entry["area"] for entry in entries), *instance["max_area"]]
    scales = [scale for flags in (instance["flags"], instance["other"]) for scale in flags["scale"]]
    positive = [task["priority"] for task in instance["tasks"]] + [instance["threads"]]
    positive += [part for scale in scales for part in scale.values()]
    if not instance["tasks"] or min([0, *areas]) < 0 or min(positive) < 1 or sum(areas) >= 2**60:
        return None
    if not all(is_sound(time, 6) for time in times(instance)) or not all(is_sound(rate, 4) for rate in rates):
        return None
    if (rates and not instance["clock"]) or len(instance["clock"]) > 1:
        return None
    slots, tasks = [block["slot"] for block in instance["blocks"]], []
    for task in instance["tasks"]:
        choices = []
        for choice in task["choices"]:
            uses = []
            for at in choice["uses"]:
                free = at < len(slots) and (not slots[at] or slots[at] not in [slots[other] for other in uses])
                uses += [at] * (free and at not in uses)
            if choice["saves"] and exact(choice["time"], UNIT) >= exact(task["wcet"], UNIT):
                return None
            choices.append(choice | {"uses": uses})
        tasks.append(task | {"choices": choices})
    return instance | {"tasks": tasks}


UNIT = [1, 1, *(Fraction(1, 1000**power) for power in range(1, 5))]


def exact(figure, units=(1,) * 6):
    return Fraction(figure["n"], figure["over"] * 10 ** figure["digits"]) * units[figure["unit"]]


def rate(figure):
    return exact(figure) * 1000 ** figure["unit"]


def mixed(instance):
    """Whether some times have a unit and some do not: that is refused. With a clock, WCETs may all be in cycles."""
    periods, costs = set(), set()
    for task in instance["tasks"]:
        periods |= {figure["unit"] > 0 for figure in (task["period"], *task["deadline"])}
        costs |= {figure["unit"] > 0 for figure in (task["wcet"], *(choice["time"] for choice in task["choices"]))}
    in_cycles = bool(instance["clock"]) and (periods, costs) == ({True}, {False})
    return len(periods | costs) > 1 and not in_cycles


def problem_of(instance, flags):
    """The set under these flags; `None` where they contradict each other."""
    clock = rate(instance["clock"][0]) if instance["clock"] else None
    time = lambda figure: exact(figure, UNIT) * (clock if clock and figure["unit"] else 1)
    unit = Fraction(1, 10 ** instance["area_digits"])
    first = lambda entries: entries[0] if entries else None
    blocks = [
        oracle.Block(block["area"] * unit, first(block["slot"]), first([rate(fmax) for fmax in block["fmax"]]))
        for block in instance["blocks"]
    ]
    force, forbid = read_flags(instance, flags)
    scale = Fraction(*flags["scale"][0].values()) if flags["scale"] else 1
    tasks, software, taken = [], [], set()
    for at, task in enumerate(instance["tasks"]):
        wcet, options = time(task["wcet"]), []
        options.append(oracle.Option(None, Fraction(), wcet * scale))
        for k, choice in enumerate(task["choices"]):
            lower = wcet - time(choice["time"]) if choice["saves"] else time(choice["time"])
            options.append(oracle.Option(k, choice["area"] * unit, lower * scale, tuple(choice["uses"])))
        software.append(wcet * scale)
        left = [option for k, option in enumerate(options) if (at, k) not in forbid and force.get(at, k) == k]
        if not left:
            return None
        taken |= set(left[0].uses) if force.get(at) else set()
        deadline = time(task["deadline"][0]) if task["deadline"] else time(task["period"])
        tasks.append(oracle.Task(left, time(task["period"]), deadline, task["priority"]))
    slots = [blocks[at].slot for at in taken if blocks[at].slot is not None]
    return None if len(set(slots)) < len(slots) else oracle.Problem(instance["scheduler"], clock, blocks, tasks, software)


def read_flags(instance, flags):
    """What is forced, one thing per task, and all choices that are forbidden; what names nothing is left out."""
    tasks = instance["tasks"]
    named = lambda pair: len(pair) == 2 and pair[0] < len(tasks) and pair[1] <= len(tasks[pair[0]]["choices"])
    known = lambda pairs: [tuple(pair) for pair in pairs if named(pair)]
    force = dict(known(flags["force"]))
    forbid = {(at, k) for at, k in known(flags["forbid"]) if k}
    gone = [at for at in flags["forbid_blocks"] if at < len(instance["blocks"])]
    for at, task in enumerate(instance["tasks"]):
        forbid |= {(at, k + 1) for k, choice in enumerate(task["choices"]) if set(gone) & set(choice["uses"])}
    return force, forbid


def flag_words(instance, flags):
    force, _ = read_flags(instance, flags)
    _, forbid = read_flags(instance, flags | {"forbid_blocks": []})
    words = [f"--force=t{at}={f'c{k - 1}' if k else 'none'}" for at, k in force.items()]
    words += [f"--forbid=t{at}=c{k - 1}" for at, k in sorted(forbid)]
    words += [f"--forbid=b{at}" for at in flags["forbid_blocks"] if at < len(instance["blocks"])]
    return words + [f"--scale-wcet={scale['n']}/{scale['over']}" for scale in flags["scale"]]


def decimal(n, digits):
    text = str(n).rjust(digits + 1, "0")
    return f"{text[:-digits]}.{text[-digits:]}" if digits else text


def figure(figure, units=UNITS):
    number = f"{figure['n']}/{figure['over']}" if figure["over"] > 1 else decimal(figure["n"], figure["digits"])
    return f"{number} {units[figure['unit']]}".strip()


def text_of(instance):
    """The set as YAML, in flow style."""
    area = lambda entry: decimal(entry["area"], instance["area_digits"])
    lines = ["name: attack", f"scheduler: {instance['scheduler']}"]
    lines += [f"clock: {figure(clock, RATES)}" for clock in instance["clock"]]
    lines += ["blocks:"] * bool(instance["blocks"])
    for at, block in enumerate(instance["blocks"]):
        rest = [f", slot: s{slot}" for slot in block["slot"]]
        rest += [f", fmax: {figure(fmax, RATES)}" for fmax in block["fmax"]]
        lines.append(f"  - {{name: b{at}, area: {area(block)}{''.join(rest)}}}")
    lines.append("tasks:")
    for at, task in enumerate(instance["tasks"]):
        lines.append(f"  - {{name: t{at}, wcet: {figure(task['wcet'])}, period: {figure(task['period'])}")
        lines[-1] += "".join(f", deadline: {figure(deadline)}" for deadline in task["deadline"])
        lines[-1] += f", priority: {task['priority']}" * (instance["scheduler"] == "fixed") + ", choices: ["
        for k, choice in enumerate(task["choices"]):
            uses = f", uses: [{', '.join(f'b{block}' for block in choice['uses'])}]" if choice["uses"] else ""
            word = "saves" if choice["saves"] else "wcet"
            lines.append(f"      {{name: c{k}, area: {area(choice)}, {word}: {figure(choice['time'])}{uses}}},")
        lines[-1] = lines[-1].rstrip(",") + "]}"
    return "\n".join(lines) + "\n"
