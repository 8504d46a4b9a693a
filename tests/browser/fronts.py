"""Task sets to make pages of, their fronts as front.json has them, and names that attack a page."""

import json
import os
import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path
from random import Random

import looks
from cost_cases import CostCase, taken
from partition_cases import of_set

ROOT = Path(__file__).resolve().parents[2]
ISX = os.environ["ISX_BIN"]

# What sets the flag is markup or code in some context or other; none of it may ever run.
ATTACKS = [
    "</script><script>window.attacked=1</script>",
    "<img src=x onerror=window.attacked=1>",
    "<!--<script>window.attacked=1//",
    "\"><svg onload=window.attacked=1>",
    "'-window.attacked=1-'",
    "${window.attacked=1}",
    "{{constructor.constructor('window.attacked=1')()}}",
    "javascript:window.attacked=1",
    "&lt;b&gt; & </title></style>",
    "__proto__",
    "constructor",
    "toString",
    "שלום עולם",
    "日本語のタスク",
    "long " * 2000 + "name",
]

HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\u00ad\ufeff\ufff9-\ufffb\ufffe\uffff]|[\U000e0000-\U000e007f]"
)


def visible(name):
    """The name as the page writes it, as long as it is shown whole."""
    return HIDDEN.sub(lambda letter: f"\\u{{{ord(letter[0]):x}}}", name)


def isx(*arguments, codes=(0,)):
    done = subprocess.run([ISX, *map(str, arguments)], capture_output=True, text=True, cwd=ROOT)
    if done.returncode not in codes:
        raise SystemExit(f"isx {' '.join(map(str, arguments))}: {done.returncode}\n{done.stderr}")
    return done.stdout


class Point:
    """A design as it is in front.json, its figures exact."""

    def __init__(self, record):
        self.area = record["area"]
        self.num, self.den = record["utilization"]["num"], record["utilization"]["den"]
        margin = record.get("margin")
        self.margin = margin and f"{margin['num']}/{margin['den']}"
        self.schedulable = record["schedulable"]
        self.schedulable_within = record["schedulable_within"]
        self.variant = record.get("variant")
        self.choices = list(taken(record["choices"]))
        self.blocks = sorted(record.get("blocks", []))
        self.clock = record.get("clock_hz")
        modes = record.get("mode_utilization", {})
        self.modes = {mode: [utilization["num"], utilization["den"]] for mode, utilization in modes.items()}
        self.critical = record.get("critical_mode")

    def is_same(self, point):
        own, others = [(one.area, one.num, one.den, one.choices) for one in (self, point)]
        return own == others

    def figures(self):
        return {
            "area": self.area,
            "num": self.num,
            "den": self.den,
            "schedulable": self.schedulable,
            "schedulable_within": self.schedulable_within,
            "choices": [choice for _, choice in self.choices],
            "variant": self.variant,
            "blocks": self.blocks,
            "clock": self.clock,
            "modes": self.modes,
            "critical": self.critical,
            "margin": self.margin,
        }


class Case:
    """A page, and the front.json that it must agree with."""

    def __init__(self, name, page, front, taskset=None):
        self.name, self.page, self.taskset = name, Path(page), taskset
        document = json.loads(Path(front).read_text())
        self.front = [Point(record) for record in document["points"]]
        self.base = Point(document["base"])
        smallest = document["min_schedulable_designs"]
        self.smallest = Point(smallest[0]) if smallest else None
        self.areas = [Fraction(point.area) for point in self.front]
        self.scheduler = document["scheduler"]
        # Beside the front, a design has the margin of its point there.
        self.is_by_margin = document.get("front") == "margin"
        for alone in [self.base, self.smallest] if self.is_by_margin else []:
            if alone:
                same = [point for point in self.front if alone.is_same(point)]
                alone.margin = same[0].margin if same else None

    def __repr__(self):
        return self.name


def explored(taskset, name, work, *options):
    folder = work / name
    isx("explore", taskset, "--format", "csv,json,html", "--out", folder, "-q", *options)
    return made_of(name, folder / "front.html", folder / "front.json", taskset)


def made_of(name, page, front, taskset=None):
    """The page of a front of one objective or of several."""
    document = json.loads(Path(front).read_text())
    if len(document["objectives"]) > 1:
        return CostCase(name, page, document)
    return Case(name, page, front, taskset)


def of_resources(work, name, head, tasks, choices, hostile_names=False):
    """A task set with several resources: costs of every sign, halves, and a block."""
    random, lines = Random(name), [*head, "blocks:", "  - {name: shared, cost: {LUT: 60, DSP: 2}}", "tasks:"]
    for at in range(tasks):
        task = json.dumps(ATTACKS[at], ensure_ascii=False) if hostile_names else f"t{at}"
        lines.append(f"  - {{name: {task}, wcet: {300 + 40 * at}, period: 1000, choices: [")
        for choice in range(choices):
            cost = f"LUT: {random.randint(20, 400)}, DSP: {random.choice([0, 0, 1, 2, 4])}, BRAM: {random.choice([0, 0, 0.5, 1, 2.5])}"
            named = json.dumps(ATTACKS[choice + 2], ensure_ascii=False) if hostile_names else f"c{choice}"
            uses = ", uses: [shared]" if choice == 1 else ""
            lines.append(f"      {{name: {named}, cost: {{{cost}}}, wcet: {random.randint(60, 280)}{uses}}},")
        lines.append("    ]}")
    file = work / f"{name}.yaml"
    file.write_text("\n".join(lines) + "\n")
    return file


def cases_of_resources(work):
    """Pages of sets with several resources: with a device and without, some resource no objective, hostile names."""
    counted = "resources: [LUT, DSP, BRAM]"
    device = ["name: device", counted, "device: iCE40UP5K", "base: {LUT: 4635, BRAM: 14}"]
    objectives = ["name: objectives", counted, "objectives: [DSP, LUT]", "base: {LUT: -50}"]
    hostile = [f"name: {json.dumps(ATTACKS[0])}", f"description: {json.dumps(ATTACKS[1])}", counted]
    made = [explored(of_resources(work, "device", device, 4, 3), "device", work)]
    made.append(explored(of_resources(work, "objectives", objectives, 4, 3), "objectives", work))
    made.append(explored(of_resources(work, "hostile-costs", hostile, 3, 3, True), "hostile-costs", work))
    front, page = work / "device" / "front.json", work / "device-front.html"
    isx("report", front, "-o", page)
    made.append(made_of("device (front alone)", page, front))
    return made


def hostile(work):
    """A task set all of whose texts attack the page."""
    quoted = [json.dumps(text, ensure_ascii=False) for text in ATTACKS]
    lines = [f"name: {quoted[0]}", f"description: {quoted[1]}", f"area_unit: {quoted[3]}", "blocks:"]
    lines += [f"  - {{name: {name}, area: {3 + at}}}" for at, name in enumerate(quoted)]
    lines.append("tasks:")
    for at, name in enumerate(quoted):
        choices = f"[{{name: {name}, area: {10 + at}, wcet: 40, uses: [{name}]}}, {{name: plain, area: 4, wcet: 90}}]"
        lines.append(f"  - {{name: {name}, wcet: {100 + at}, period: 1000, choices: {choices}}}")
    file = work / "hostile.yaml"
    file.write_text("\n".join(lines) + "\n")
    return file


def modes(work):
    """A task set whose modes attack the page, each with a task of its own."""
    names = [json.dumps(text, ensure_ascii=False) for text in ATTACKS[:6]]
    lines = ["name: modes", f"modes: [{', '.join(names)}]", "tasks:"]
    lines.append("  - {name: all, wcet: 40, period: 100, choices: [{name: fast, area: 300, wcet: 9}]}")
    for at, mode in enumerate(names):
        choices = f"[{{name: mac, area: {50 + 7 * at}, wcet: 30}}, {{name: dsp, area: {90 - at}, wcet: {20 + at}}}]"
        lines.append(f"  - {{name: t{at}, wcet: {62 + at}, period: {{{mode}: 100}}, choices: {choices}}}")
    file = work / "modes.yaml"
    file.write_text("\n".join(lines) + "\n")
    return file


def partitions_of(work):
    """Pages of sets on several numbers of cores: blocks of both scopes, hostile names, no design, and forty tasks."""
    names = [json.dumps(text, ensure_ascii=False) for text in ATTACKS]
    lines = [f"name: {names[0]}", f"area_unit: {names[3]}", "cores: {count: 1..4, area: 1614}", "blocks:"]
    lines += [f"  - {{name: {name}, area: {30 + at}, scope: {'core chip'.split()[at % 2]}}}" for at, name in enumerate(names[:6])]
    lines.append("tasks:")
    for at, name in enumerate(names):
        choices = f"[{{name: {name}, area: {10 + at}, wcet: 90, uses: [{names[at % 6]}]}}, {{name: plain, area: 4, wcet: 170}}]"
        lines.append(f"  - {{name: {name}, wcet: {200 + at}, period: 1000, choices: {choices}}}")
    file, full, forty = work / "cores.yaml", work / "full.yaml", work / "forty.yaml"
    file.write_text("\n".join(lines) + "\n")
    full.write_text("name: full\ntasks: [{name: a, wcet: 2, period: 1}, {name: b, wcet: 1, period: 3}]\n")
    isx("generate", "taskset", "--tasks", 40, "--choices", 3, "--utilization", 5, "--seed", 4, "-o", forty)
    made = [(file, ()), (full, ()), (forty, ("--cores", "4..6")), (ROOT / "tasksets" / "waters-2019.yaml", ())]
    return [of_set(f"cores of {one.stem}", one, work, isx, *options) for one, options in made]


def minute(work):
    """A task set whose designs differ by less than six decimals show."""
    file = work / "minute.yaml"
    choices = "[{name: a, area: 1, saves: 1 ps}, {name: b, area: 2, saves: 3 ps}]"
    file.write_text(f"name: minute\ntasks:\n  - {{name: t, wcet: 1 ms, period: 3 ms, choices: {choices}}}\n")
    return file


def near_one(work, name, wcet):
    """A task set whose front ends just above or below utilization 1, its areas with many digits."""
    file = work / f"{name}.yaml"
    file.write_text(
        f"""name: {name}
area_unit: GE
tasks:
  - {{name: control, wcet: 600, period: 1000, choices: [{{name: mac, area: 129723.125, wcet: 550}}, {{name: dsp, area: 150000.5, wcet: 500}}]}}
  - {{name: video, wcet: 700, period: 1000, choices: [{{name: sad, area: 40000.0625, wcet: 600}}, {{name: idct, area: 260000, wcet: {wcet}}}]}}
"""
    )
    return file


def large(work, name, *recipe):
    file = work / f"{name}.yaml"
    isx("generate", "taskset", "--tasks", 30, "--seed", 3, "-o", file, *recipe)
    return explored(file, name, work)


def cases(work):
    """Every page that is looked at."""
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    made = [explored(file, file.stem, work) for file in sorted((ROOT / "tasksets").glob("*.yaml"))]
    made.append(explored(hostile(work), "hostile", work))
    made.append(explored(modes(work), "modes", work))
    made.append(explored(minute(work), "minute", work))
    made.append(large(work, "ten-thousand", "--choices", 10, "--savings", "correlated:0.1..0.9"))
    made.append(large(work, "thinned", "--choices", 20, "--savings", "correlated:0.1..0.9", "--area", "20..40000"))
    made.append(large(work, "never", "--choices", 20, "--savings", "correlated:0.01..0.05", "--area", "20..40000", "--utilization", 2.5))
    for name, wcet in [("just-above", 502), ("just-below", 499)]:
        made.append(explored(near_one(work, name, wcet), name, work))
    made += cases_of_resources(work) + partitions_of(work)
    front = work / "undecided.json"
    looks.undecided(work / "constrained-deadlines" / "front.json", front)
    isx("report", front)
    made.append(Case("undecided", front.with_suffix(".html"), front))
    front, page = work / "modes" / "front.json", work / "modes-front.html"
    isx("report", front, "-o", page)
    made.append(Case("modes (front alone)", page, front))
    for name in ["neorv32-extensions", "papabench-autopilot-rm", "hostile"]:
        made += reports_of(next(case for case in made if case.name == name), work)
    made += by_margin(work)
    return made


def by_margin(work):
    """Pages of fronts of area against margin: under fixed priorities, with short deadlines, where utilization decides, and in modes."""
    made = []
    for name in ["papabench-autopilot-rm", "constrained-deadlines", "crypto-gateway-shared", "gateway-modes"]:
        made.append(explored(ROOT / "tasksets" / f"{name}.yaml", f"margins of {name}", work, "--front", "margin"))
    return made + reports_of(made[0], work)


def reports_of(case, work):
    """The pages that `isx report` makes of a front, alone and with its task set."""
    front = work / case.name / "front.json"
    alone, both = work / f"{case.name}-front.html", work / f"{case.name}-both.html"
    isx("report", front, "-o", alone, "--title", ATTACKS[0] + "\u202e")
    isx("report", front, "--taskset", case.taskset, "-o", both)
    return [Case(f"{case.name} (front alone)", alone, front), Case(f"{case.name} (both)", both, front, case.taskset)]
