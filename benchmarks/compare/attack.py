"""An attack on whole commands: random small task sets with everything at once, and plain problems, against brute force.

`differential.py` asks one question of each problem; this asks many of each set, with every flag, and lies to `verify`.
A set mixes blocks of area 0, slots, clocks with and without `fmax`, deadlines of every length, every scheduler with
equal priorities, choices slower than software, ties, decimals of 18 digits and units; the flags are drawn too. For each:

- `explore`: every point, its canonical design and verdict, the smallest schedulable design, whether it is complete;
- `check` at, just below and far from points: verdict, exit code, design, response times;
- `show`: design, verdict, response times, margin, what comes next;
- certificates of the front and of verdicts: proved with the same flags, refused with other flags and for a changed set;
- plain problems (mckp, knapsack): value, weight and the one selection that every engine gives.

The answers come from `attack_oracle.py`; where that takes too long, a question is left out and counted. A simulated
schedule holds the oracle itself. What differs is made smaller first. `--plant` spoils isx's answers, one fault after the
other: each must be found. Sets are shared out over `--processes`.
"""

import json
import random
from collections import Counter
from fractions import Fraction
from multiprocessing import Pool
from typing import NamedTuple

import attack_isx
import attack_oracle as oracle
from attack_isx import Wrong, ask_one, folder, fraction, knows, same, wrong
from attack_problems import Problems, drawn_problems, problem_texts, tidy_problems
from attack_sets import SCHEDULERS, decimal, drawn_set, flag_words, mixed, problem_of, text_of, tidy_set
from harness import Report, arguments, scratch
from shrinking import shrunk

# A factor this close above a margin is too much; the exact margin is compared where the oracle has it.
HAIR = Fraction(1, 10**30)


class Attack:
    """All questions of one set."""

    def __init__(self, instance, counts):
        self.instance, self.counts, self.rng = instance, counts, random.Random(instance["seed"])
        self.problem = problem_of(instance, instance["flags"])
        self.unit = Fraction(1, 10 ** instance["area_digits"])
        self.most = instance["max_area"][0] * self.unit if instance["max_area"] else None
        self.path, self.certificate = folder() / "set.yaml", folder() / "set.cert"
        self.path.write_text(text_of(instance))
        self.flags = flag_words(instance, instance["flags"])
        self.cap = [f"--max-area={decimal(area, instance['area_digits'])}" for area in instance["max_area"]]
        self.compute = ["--engine", instance["engine"], "--threads", instance["threads"]]
        self.compute += ["--arithmetic", "big"] * instance["big"]

    def run(self):
        self.counts["sets"] += 1
        if mixed(self.instance) or self.problem is None:
            what = "units that are mixed" if mixed(self.instance) else "flags that contradict each other"
            self.counts[f"sets refused for {what}"] += 1
            same(f"exit code for {what}", self.solve("explore")[0], 2)
            return
        self.front, self.smallest = self.problem.front(), self.problem.smallest()
        self.hold_oracle()
        self.explore(proving=True)
        if self.rng.random() < 0.3:
            # The proof may take another way to the front.
            self.explore(proving=False)
        for budget in self.budgets():
            self.check(budget)
        if not knows("check", "--area <AREA> <TASKSET>") and self.rng.random() < 0.3:
            self.check(None)
        self.show()

    def solve(self, command, *words):
        """A command with the flags of the instance; by another engine where this one has no memory for it."""
        answer = ask_one(command, command, self.path, "--json", *self.flags, *words, *self.compute)
        if answer[0] in (4, 5) and self.instance["engine"] != "auto":
            self.counts["refused by the engine asked for"] += 1
            answer = ask_one(command, command, self.path, "--json", *self.flags, *words)
        return answer

    def hold_oracle(self):
        """The oracle against a simulated schedule: a difference is its fault, not isx's."""
        for design in self.front[-1:] + ([self.smallest] if isinstance(self.smallest, oracle.Design) else []):
            longest = oracle.simulated(self.problem, design.wcets, 60)
            passes = self.problem.passes(design.wcets)
            if longest is None or passes is None:
                continue
            meets = all(response <= deadline for response, deadline in zip(longest, self.problem.deadlines))
            same("ORACLE: verdict of a simulated schedule", meets, passes)
            if self.problem.scheduler != "edf":
                same("ORACLE: responses of a simulated schedule", longest, self.problem.responses(design.wcets))
            self.counts["schedules simulated"] += 1

    def within(self, area):
        """Whether some design of at most this area, if one is given, is schedulable; None where undecided."""
        if isinstance(self.smallest, oracle.Design):
            return area is None or self.smallest.area <= area
        return None if self.smallest is ... else False

    def verdict(self, record, wcets, area):
        """`schedulable` of a design in any document, as written before and after `schedulable_within` was added."""
        passes, within = self.problem.passes(wcets), self.within(area)
        if passes is None or within is None:
            self.counts["verdicts that the oracle left undecided"] += 1
        elif "schedulable_within" in record:
            same("schedulable, schedulable_within", (record["schedulable"], record["schedulable_within"]), (passes, within))
        else:
            same("schedulable", record["schedulable"], True if passes else None if within else False)

    def design(self, what, record, design):
        """Area, utilization, choices, blocks and clock of a design in any document."""
        same(f"{what}: area", Fraction(record["area"]), design.area)
        same(f"{what}: utilization", fraction(record["utilization"]), design.utilization)
        if "choices" in record:
            chosen = {f"t{at}": None if k is None else f"c{k}" for at, k in enumerate(design.choices)}
            same(f"{what}: choices", record["choices"], chosen)
        blocks = record.get("blocks", [])
        blocks = [block["block"] if isinstance(block, dict) else block for block in blocks]
        same(f"{what}: blocks", blocks, [f"b{at}" for at in design.blocks])
        if any(block.fmax for block in self.problem.blocks):
            same(f"{what}: clock", Fraction(record["clock_hz"]), design.clock)

    def explore(self, proving):
        code, record, message = self.solve("explore", *self.cap, *["--certificate", self.certificate] * proving)
        front = self.problem.front(self.most)
        if not front:
            same("exit code without a design", code, 1)
            return
        same(f"exit code of explore ({message})", code, 0)
        if code:
            return
        same("number of points", [p["area"] for p in record["points"]], [area_text(d.area) for d in front])
        for point, design in zip(record["points"], front):
            self.design("point", point, design)
            self.verdict(point, design.wcets, design.area)
        self.counts["points"] += len(front)
        smallest = self.problem.smallest(self.most)
        if smallest is not ...:
            area = area_text(smallest.area) if smallest else None
            same("smallest schedulable area", record["min_schedulable_area"], area)
            same("smallest schedulable design, not decided", record["min_schedulable_unknown"], None)
            if smallest:
                [claimed] = record["min_schedulable_designs"]
                self.design("smallest schedulable design", claimed, smallest)
                self.verdict(claimed, smallest.wcets, smallest.area)
        software = sum((e / p for e, p in zip(self.problem.software, self.problem.periods)), Fraction())
        same("base: utilization", fraction(record["base"]["utilization"]), software)
        passes = self.problem.passes(tuple(self.problem.software))
        if passes is not None:
            # Software counts as a design of its area here, even where something else is forced.
            same("base: schedulable", record["base"]["schedulable"], passes)
            if passes:
                same("base: schedulable_within", record["base"].get("schedulable_within", True), True)
        same("complete", record["complete"], len(front) == len(self.front))
        same("status", record["status"], "proved" if proving else "checked")
        if proving:
            self.counts["certificates of fronts"] += 1
            self.verify_front(front)
            self.refuse("front", self.cap_words(), self.most)

    def verify(self, *words, path=None):
        return ask_one("verify", "verify", path or self.path, self.certificate, "--json", *words)

    def cap_words(self):
        return self.cap if knows("verify", "--max-area") else []

    def verify_front(self, front):
        code, record, message = self.verify(*self.flags, *self.cap_words())
        same(f"exit code of verify ({message})", code, 0)
        if code:
            return
        same("verify: claim", (record["status"], record["claim"]), ("proved", "front"))
        self.question(record, self.most)
        points = [(Fraction(p["area"]), fraction(p["utilization"])) for p in record["points"]]
        same("verify: points", points, [(design.area, design.utilization) for design in front])
        for schedulable, design in zip(record["schedulable"], front, strict=True):
            passes = self.problem.passes(design.wcets)
            if schedulable is not None and passes is not None:
                same("verify: schedulable", schedulable, passes)

    def question(self, record, most):
        """The question that `verify` says it answers, where it does."""
        if "question" not in record:
            return
        asked = record["question"]
        same("verify: area of the question", asked["max_area"] and Fraction(asked["max_area"]), most)
        given = [f"--{flag}={value}" for flag in ("force", "forbid") for value in asked[flag]]
        scale = [f"--scale-wcet={asked['scale_wcet']}"] if asked["scale_wcet"] else []
        same("verify: flags of the question", len(given + scale), len(self.flags))
        same("verify: flags of the question", given, self.flags[: len(given)])

    def key(self, instance, flags, most):
        """What a question about designs within an area is about, so that another one can be distinguished from it."""
        problem = problem_of(instance, flags)
        if problem is None:
            return None
        # Choices are numbers to a certificate: their names are no part of the question.
        numbers = ((one.area, one.wcets, str(one.clock), one.blocks) for one in problem.designs)
        designs = sorted(one for one in numbers if most is None or one[0] <= most)
        return designs, problem.periods, problem.deadlines, problem.above if problem.scheduler != "edf" else None

    def refuse(self, what, words, most):
        """The certificate must not prove another question: other flags, a changed set, another area."""
        asked = self.key(self.instance, self.instance["flags"], most)
        for way in self.rng.sample(range(3), 3):
            changed, flags, other_most, other_words = self.instance, self.instance["flags"], most, words
            if way == 0:
                flags = self.instance["other"]
            elif way == 1:
                changed = self.changed()
            elif knows("verify", "--max-area"):
                units = int(self.rng.choice(self.problem.designs).area / self.unit)
                other_most = units * self.unit
                other_words = [f"--max-area={decimal(units, self.instance['area_digits'])}"]
            if tidy_set(changed) and not mixed(changed) and self.key(changed, flags, other_most) != asked:
                break
        else:
            return
        other = folder() / "other.yaml"
        other.write_text(text_of(changed))
        given = [*flag_words(changed, flags), *other_words]
        code, record, _ = self.verify(*given, path=other)
        self.counts["certificates put to another question"] += 1
        if code not in (2, 7):
            wrong(f"another question proved, about a {what}: {given} {record}\n{text_of(changed)}")

    def changed(self):
        """The set with one figure changed, or another scheduler."""
        instance = json.loads(json.dumps(self.instance))
        task = self.rng.choice(instance["tasks"])
        figures = [task["wcet"], task["period"], *task["deadline"], *(choice["time"] for choice in task["choices"])]
        way = self.rng.randrange(4)
        if way == 0:
            instance["scheduler"] = self.rng.choice(SCHEDULERS)
        elif way == 1 and task["choices"]:
            self.rng.choice(task["choices"])["area"] += 1
        else:
            self.rng.choice(figures)["n"] += 1
        return instance

    def budgets(self):
        """Areas to ask about, in units: at and just below a point or the smallest schedulable design, or anywhere."""
        most = max((design.area for design in self.problem.designs), default=Fraction())
        places = [self.rng.choice(self.front).area]
        places += [self.smallest.area] if isinstance(self.smallest, oracle.Design) else []
        place = int(self.rng.choice(places) / self.unit)
        return {place, max(0, place - 1) if self.rng.random() < 0.6 else self.rng.randint(0, int(most / self.unit) + 1)}

    def check(self, budget):
        """A verdict within so many units of area, or of all areas."""
        certain, proving = self.problem.decided_by_utilization(), self.rng.random() < 0.5
        area, words = None, []
        if budget is not None:
            area, words = budget * self.unit, ["--area", decimal(budget, self.instance["area_digits"])]
        code, record, message = self.solve("check", *words, *["--certificate", self.certificate] * proving)
        front, within = self.problem.front(area), self.within(area)
        if not front:
            same("exit code of check without a design", code, 1)
            return
        self.counts["budgets"] += 1
        if proving and code == 7 and not certain and within is not True:
            self.counts["verdicts without a certificate"] += 1
            return
        if code == 3:
            same("exit code of a set that utilization decides", certain, False)
            self.counts["unknown although the oracle decides" if within is not None else "unknown"] += 1
            return
        verdict = {0: "schedulable", 1: "not_schedulable"}.get(code)
        same(f"verdict and exit code of check ({message})", record and record["verdict"], verdict)
        same("check: least utilization", fraction(record["least_utilization"]), front[-1].utilization)
        if within is not None:
            same(f"check within {area}", verdict, "schedulable" if within else "not_schedulable")
            smallest = area_text(self.smallest.area) if self.smallest else None
            same("check: smallest schedulable area", record["min_schedulable_area"], smallest)
            shown = front[-1]
            if within and (area is None or not self.problem.passes(shown.wcets)):
                shown = self.smallest
            self.design("check", record, shown)
            if "schedulable_within" in record:
                self.verdict(record, shown.wcets, shown.area)
            same("check: slack", fraction(record["slack"]), 1 - shown.utilization)
            self.responses("check", record, shown)
        if proving:
            self.counts["certificates of verdicts"] += 1
            self.verify_verdict(area, words, verdict)
            self.refuse("verdict", words if knows("verify", "--max-area") else [], area)

    def verify_verdict(self, area, words, verdict):
        code, record, message = self.verify(*self.flags, *words if knows("verify", "--max-area") else ())
        same(f"exit code of verify ({message})", code, 0)
        if code:
            return
        self.question(record, area)
        if record["claim"] == "least area":
            same("verify: verdict of the least area", verdict, "schedulable")
            same("verify: least area", Fraction(record["point"]["area"]), self.smallest.area)
            return
        same("verify: claim", record["claim"], verdict.replace("_", " "))
        # An area beyond that of all designs may be reported as one of which it makes no difference.
        proved = Fraction(record["within"])
        if verdict == "schedulable":
            fits = Fraction(record["point"]["area"]) <= min(proved, proved if area is None else area)
            same("verify: the design fits", fits, True)
        else:
            areas = [design.area for design in self.problem.designs]
            beyond = [other for other in areas if proved < other and (area is None or other <= area)]
            same("verify: areas of which nothing is proved", beyond, [])

    def responses(self, what, record, design):
        if self.problem.scheduler == "edf":
            return
        rows, responses = record["response_times"], self.problem.responses(design.wcets)
        same(f"{what}: tasks", [row["task"] for row in rows], [f"t{at}" for at in range(len(responses))])
        for row, response, deadline in zip(rows, responses, self.problem.deadlines):
            same(f"{what}: deadline", Fraction(row["deadline"]), deadline)
            if response is not ...:
                claimed = row["response_time"]
                same(f"{what}: response time", None if claimed is None else Fraction(claimed), response)

    def show(self):
        at = self.rng.randrange(len(self.front))
        design, ways = self.front[at], ["area", "point", "utilization"] + ["smallest"] * knows("show", "--smallest")
        way, digits = self.rng.choice(ways), self.instance["area_digits"]
        if way == "area":
            words = ["--area", decimal(int(design.area / self.unit), digits)]
        elif way == "point":
            words = ["--point", at]
        elif way == "utilization":
            before = self.front[at - 1].utilization if at else design.utilization + 1
            bound = design.utilization + (before - design.utilization) * self.rng.choice((0, 0, Fraction(1, 3)))
            if max(bound.numerator, bound.denominator) >= 10**40:
                bound = Fraction(-(-bound * 10**18 // 1), 10**18)
            design = next(design for design in self.front if design.utilization <= bound)
            words = ["--max-utilization", bound]
        else:
            words, design = ["--smallest"], self.smallest
            if design is ...:
                return
        code, record, message = self.solve("show", *words)
        if design is None:
            same("exit code of show --smallest where there is none", code, 1)
            return
        same(f"exit code of show ({message})", code, 0)
        self.counts["designs shown"] += 1
        self.design("show", record, design)
        self.verdict(record, design.wcets, design.area)
        self.responses("show", record, design)
        if design in self.front:
            at = self.front.index(design)
            same("show: number of the point", (record["point"], record["points"]), (at, len(self.front)))
            following = self.front[at + 1] if at + 1 < len(self.front) else None
            same("show: is there a next", record["next"] is None, following is None)
            if following:
                same("show: utilization of the next", fraction(record["next"]["utilization"]), following.utilization)
                same("show: more area", Fraction(record["next"]["more_area"]), following.area - design.area)
        for row, k, task, wcet in zip(record["tasks"], design.choices, self.problem.tasks, design.wcets):
            option = next(option for option in task.options if option.index == k)
            shown = (row["choice"], Fraction(row["area"]), Fraction(row["wcet"]["design"]))
            same("show: row", shown, (None if k is None else f"c{k}", option.area, option.wcet))
            same("show: utilization of a task", fraction(row["utilization"]["design"]), wcet / task.period)
        if record["margin"] is not None:
            self.margin(fraction(record["margin"]), design)

    def margin(self, margin, design):
        exact_margin = self.problem.margin(design.wcets)
        if exact_margin is not None:
            same("margin", margin, exact_margin)
            self.counts["margins"] += 1
        at, beyond = (self.problem.test(tuple(e * by for e in design.wcets)) for by in (margin, margin * (1 + HAIR)))
        if at is not None and beyond is not None:
            same("schedulable at the margin, and a hair beyond", (at, beyond), (True, False))
            self.counts["margins tried on both sides"] += 1


def area_text(area):
    """An area as isx writes it: the shortest exact decimal."""
    digits = next(d for d in range(40) if (area * 10**d).denominator == 1)
    return decimal(int(area * 10**digits), digits)


# One case, shrinking, planting, and the whole.



class Kind(NamedTuple):
    """How instances are drawn, made fit to ask, asked about and reported."""

    draw: object
    tidy: object
    attack: object
    text: object


KINDS = {
    "set": Kind(drawn_set, tidy_set, Attack, text_of),
    "problems": Kind(drawn_problems, tidy_problems, Problems, problem_texts),
}


def examine(name, counts, instance):
    """What is wrong with isx's answers to an instance; None for nothing, or for no instance."""
    kind = KINDS[name]
    instance = kind.tidy(instance)
    if instance is None:
        counts["drawn, but no instance"] += 1
        return None
    try:
        kind.attack(instance, counts).run()
    except Wrong as difference:
        return str(difference)
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        return f"the answer has another form: {type(error).__name__} {error}"
    return None


def one(case):
    """A case of a seed: counts, and the difference made small, as long as it begins alike."""
    name, seed, tries = case
    kind, counts = KINDS[name], Counter()
    instance = kind.draw(random.Random(f"{name} {seed}"))
    first = examine(name, counts, instance)
    if first is None:
        return counts, None

    def alike(less):
        what = examine(name, Counter(), less)
        return what if what and what.split(":")[0] == first.split(":")[0] else None

    small, what = shrunk(instance, alike, tries)
    small = kind.tidy(small)
    return counts, {"kind": name, "seed": seed, "instance": small, "text": kind.text(small), "what": what}


# What `--plant` spoils.

PLAIN = ("mckp", "knapsack")


def each(change):
    """Changes every document."""

    def spoil(code, documents):
        for document in documents:
            change(document)
        return code, documents

    return spoil


def field(key, change):
    """Changes a field of the document where it has one."""

    def spoil(document):
        if document.get(key) is not None:
            document[key] = change(document[key])

    return each(spoil)


def last(change, key="points"):
    """Changes the last entry of a list of the document."""
    return field(key, lambda rows: rows[:-1] + [row | change(row) for row in rows[-1:]])


def turned(code, documents):
    """The verdict of `check` and its exit code."""
    if code not in (0, 1):
        return code, documents
    return 1 - code, [record | {"verdict": ("not_schedulable", "schedulable")[code]} for record in documents]


def more(record):
    """Another fraction in lowest terms."""
    other = Fraction(int(record["num"]), int(record["den"])) + Fraction(1, 10**20)
    return {"num": str(other.numerator), "den": str(other.denominator)}


def software(choices):
    return dict.fromkeys(choices)


def later(row):
    return {"response_time": (row["response_time"] or "") + "1"}


FAULTS = [
    ("set", "explore", "a point left out", field("points", lambda points: points[:-1])),
    ("set", "explore", "an area", last(lambda point: {"area": point["area"] + "1"})),
    ("set", "explore", "a utilization", last(lambda point: {"utilization": more(point["utilization"])})),
    ("set", "explore", "choices of a point", last(lambda point: {"choices": software(point["choices"])})),
    ("set", "explore", "blocks of a point", last(lambda point: {"blocks": []})),
    ("set", "explore", "clock of a point", last(lambda point: {"clock_hz": "1"})),
    ("set", "explore", "a point that fails called schedulable", last(lambda point: {"schedulable": True})),
    ("set", "explore", "a schedulable point called failing", last(lambda point: {"schedulable": False})),
    ("set", "explore", "smallest area", field("min_schedulable_area", lambda area: area + "1")),
    ("set", "explore", "smallest design", field("min_schedulable_designs", lambda designs: [d | {"choices": software(d["choices"])} for d in designs])),
    ("set", "explore", "whether the front is complete", field("complete", lambda complete: not complete)),
    ("set", "explore", "refused", lambda code, documents: (2, [])),
    ("set", "check", "the verdict", turned),
    ("set", "check", "least utilization", field("least_utilization", more)),
    ("set", "check", "choices", field("choices", software)),
    ("set", "check", "a response time", last(later, "response_times")),
    ("set", "check", "no proof", lambda code, documents: (7, documents)),
    ("set", "show", "the margin", field("margin", more)),
    ("set", "show", "the choice of a task", last(lambda row: {"choice": "c9"}, "tasks")),
    ("set", "show", "what comes next", field("next", lambda following: None)),
    ("set", "show", "a response time", last(later, "response_times")),
    ("set", "verify", "another question proved", lambda code, documents: (0, documents)),
    ("set", "verify", "the same question refused", lambda code, documents: (7, [])),
    ("set", "verify", "a point left out", field("points", lambda points: points[1:])),
    ("set", "verify", "a design called schedulable", field("schedulable", lambda record: [True for _ in record])),
    *(("problems", kind, "value", field("value", lambda value: str(int(value) - 1))) for kind in PLAIN),
    *(("problems", kind, "an item forgotten", field("picks", lambda picks: picks[:-1])) for kind in PLAIN),
    *(("problems", kind, "a weight", field("weight", lambda weight: weight + 1)) for kind in PLAIN),
    *(("problems", kind, "a point left out", field("front", lambda front: front[1:])) for kind in PLAIN),
    ("problems", "mckp", "an item not the first", field("picks", lambda picks: [p and p - 1 for p in picks])),
    ("problems", "verify", "another question proved", lambda code, documents: (0, documents)),
]


def plant(report, options):
    """Spoils answers until each fault is found; one that is not found within so many cases is a difference."""
    rows = []
    for kind, command, fault, spoil in FAULTS:
        draws = (KINDS[kind].draw(random.Random(f"{kind} {seed}")) for seed in range(options.cases))
        for instance in draws:
            what = None
            if not examine(kind, Counter(), instance):
                attack_isx.spoiled = command, spoil
                what = examine(kind, Counter(), instance)
                attack_isx.spoiled = None
            if what:
                rows.append(f"| {command}: {fault} | {what.splitlines()[0][:90]} |")
                break
        else:
            report.differ("a planted fault was not found", command=command, fault=fault)
    summary = "\n".join(["| planted fault | how it was noticed |", "|---|---|", *rows])
    return report.write({"planted faults": len(FAULTS), "found": len(rows)}, summary)


def main():
    options = arguments(__doc__.split("\n")[0], cases=2000, seed=1, processes=2, tries=400, ignore="", plant=False)
    attack_isx.ignored = tuple(filter(None, options.ignore.split(";")))
    report = Report(options, "attack_planted" if options.plant else "attack", "attack")
    if options.plant:
        return plant(report, options)
    scratch()
    first, counts = options.seed * 10**6, Counter()
    # Plain problems come in handfuls, one to every ten sets.
    cases = [("set" if at % 11 else "problems", first + at, options.tries) for at in range(options.cases * 11 // 10)]
    with Pool(options.processes) as pool:
        for more_counts, difference in pool.imap_unordered(one, cases, chunksize=8):
            counts += more_counts
            if difference:
                report.differ(**difference)
    summary = "Every answer is the oracle's." if not report.differences else "THERE ARE DIFFERENCES: see the JSON."
    return report.write(dict(sorted(counts.items())), summary)


if __name__ == "__main__":
    raise SystemExit(main())
