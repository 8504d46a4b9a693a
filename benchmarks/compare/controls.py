"""Planted faults that the comparisons must find: a comparison that cannot fail shows nothing.

Each fault is a stand-in for isx that runs the real one and spoils one thing in what it says. A comparison passes its
control when it ends with exit code 1 and names a difference of the expected kind; with the stand-in that spoils nothing
it must find none.
"""

import json
import os
import shlex
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

from harness import ISX, Report, arguments, scratch

HERE = Path(__file__).parent


def spoil_points(document, **change):
    points = document["points"]
    points[len(points) // 2] |= change
    return document


def without_a_point(document):
    """A front that misses one point in the middle, as an engine would that drops an undominated partial design."""
    del document["points"][len(document["points"]) // 2]
    return document


def half_a_front(document):
    return document | {"points": document["points"][: len(document["points"]) // 2 + 1]}


def another_verdict(document):
    for point in document["points"]:
        point["schedulable"] = False
    return document


def larger_smallest(document):
    document["min_schedulable_area"] = document["min_schedulable_area"] and document["points"][-1]["area"]
    return document


def lower_value(document):
    return document | ({"value": str(int(float(document["value"])) - 1)} if document["feasible"] else {})


def other_pick(document):
    """The pick of a class with more than one item changed in one point of the front."""
    for picks in document.get("front_picks", [])[-1:]:
        picks[0] = 0 if picks[0] != 0 else 1
    return document


def shorter_front(document):
    return document | ({"front": document["front"][:-1]} if document.get("front") else {})


def never_infeasible(document):
    return document | {
        "feasible": True,
        "value": document["value"] or "0",
        "weight": document["weight"] or 0,
        "picks": document["picks"] or [],
    }


def lower_profits(document):
    """Every profit of a front one too low, and the value with them."""
    front = [[weight, str(Fraction(value) - 1)] for weight, value in document.get("front", [])]
    return document | ({"front": front} if front else {})


def without_an_item(document):
    """One item of the selection forgotten, as a traceback would that loses its way."""
    return document | {"picks": document["picks"][1:]}


def an_item_twice(document):
    return document | {"picks": document["picks"][:1] + document["picks"]}


def flipped(document):
    turned = {"schedulable": "not_schedulable", "not_schedulable": "schedulable"}
    return document | {"verdict": turned[document["verdict"]]}


def later_response(document):
    later = lambda time: time and str(Fraction(time) + 1)
    rows = [row | {"response_time": later(row["response_time"])} for row in document.get("response_times", ())]
    return document | {"response_times": rows}


def larger_margin(document):
    margin = document["margin"]
    return document | {"margin": margin | {"num": str(int(margin["num"]) * 101), "den": str(int(margin["den"]) * 100)}}


def larger_partition(document):
    rows = [row | {"area": row["area"] and str(int(row["area"]) + 1)} for row in document["rows"]]
    return document | {"rows": rows}


# name: (comparison, its arguments, subcommand spoiled, function, a difference to be named)
SMALL = {
    "compare_taskset": ("--sets", "6", "--wide-sets", "2", "--tasks", "6", "--choices", "4"),
    "compare_blocks": ("--sets", "5", "--tasks", "6", "--choices", "4", "--blocks", "4"),
    "compare_mckp": ("--instances", "30"),
    "compare_edf": ("--sets", "20"),
    "compare_priorities": ("--sets", "20"),
    "compare_schedulability": ("--percent", "1"),
    "compare_base": ("--sets", "20"),
    "compare_knapsack": ("--instances", "12"),
}
FAULTS = {
    "a point missing": ("compare_taskset", "explore", without_a_point, "whole front"),
    "a point's area one off": ("compare_taskset", "explore", lambda d: spoil_points(d, area="1"), "point summed again"),
    "a verdict of U <= 1 wrong": ("compare_taskset", "explore", another_verdict, "verdict of a point"),
    "smallest area too large": ("compare_taskset", "explore", larger_smallest, "smallest schedulable area"),
    "blocks: a block of a point forgotten": (
        "compare_blocks",
        "explore",
        lambda d: spoil_points(d, blocks=[]),
        "point summed again",
    ),
    "blocks: a verdict of U <= 1 wrong": ("compare_blocks", "explore", another_verdict, "verdict of a point"),
    "blocks: the last points missing": ("compare_blocks", "explore", half_a_front, "least utilization (CP-SAT)"),
    "value one too low": ("compare_mckp", "solve", lower_value, "value"),
    "one pick of one point changed": ("compare_mckp", "solve", other_pick, "picks summed again"),
    "last point missing": ("compare_mckp", "solve", shorter_front, "front at a capacity"),
    "infeasible called feasible": ("compare_mckp", "solve", never_infeasible, "feasible"),
    "knapsack: value one too low": ("compare_knapsack", "solve", lower_value, "value"),
    "knapsack: an item forgotten": ("compare_knapsack", "solve", without_an_item, "picks summed again"),
    "knapsack: an item twice": ("compare_knapsack", "solve", an_item_twice, "picks name items once"),
    "knapsack: profits of the front one too low": ("compare_knapsack", "solve", lower_profits, "last point of the front"),
    "knapsack: last point missing": ("compare_knapsack", "solve", shorter_front, "last point of the front"),
    "priorities: a response time one too long": (
        "compare_priorities",
        "check",
        later_response,
        "response times",
    ),
    "priorities: verdict turned": ("compare_priorities", "check", flipped, "verdict on the design shown"),
    "locks, permuted sets: verdicts turned": ("compare_schedulability", "check", flipped, "locks: verdict"),
    "all: response times one too long": ("compare_schedulability", "check", later_response, "all: responses"),
    "margins one per cent too large": ("compare_schedulability", "show", larger_margin, "margin is too large"),
    "smallest area of fronts too large": ("compare_schedulability", "explore", larger_smallest, "designs: smallest"),
    "base: smallest area too large": ("compare_base", "partition", larger_partition, "partition on"),
    "verdict of check turned": ("compare_edf", "check", flipped, "isx check"),
    "smallest area too large under EDF": ("compare_edf", "explore", larger_smallest, "smallest schedulable area"),
    "points called unschedulable": ("compare_edf", "explore", another_verdict, "verdict of a point"),
}


def stand_in(fault):
    """A program to name in ISX: this file, with the choice of which fault to plant."""
    number = str(list(FAULTS).index(fault)) if fault else "none"
    path = scratch() / f"stand-in-{number}"
    words = [sys.executable, str(Path(__file__).resolve()), "--as", number, str(ISX)]
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    path.chmod(0o755)
    return path


def act(number, isx, words):
    """Runs as isx with the fault of that number planted."""
    fault = None if number == "none" else list(FAULTS)[int(number)]
    done = subprocess.run([isx, *words], capture_output=True, text=True)
    sys.stderr.write(done.stderr)
    text = done.stdout
    # An engine that does not answer says nothing on standard output.
    if fault and words[0] == FAULTS[fault][1] and "--json" in words and text:
        # Several task sets are a line each.
        several = os.path.isdir(words[1])
        documents = [json.loads(part) for part in (text.splitlines() if several else [text])]
        text = "\n".join(json.dumps(FAULTS[fault][2](document)) for document in documents) + "\n"
    sys.stdout.write(text)
    return done.returncode


def run(comparison, fault):
    """Exit code and the kinds of differences of a comparison that drives a stand-in."""
    out = scratch() / "control"
    result = out / f"{comparison}.json"
    result.unlink(missing_ok=True)
    environment = os.environ | {"ISX": str(stand_in(fault))}
    command = [sys.executable, HERE / f"{comparison}.py", "--out", out, *SMALL[comparison]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    # An exception ends Python with exit code 1 too, but writes no result.
    if not result.exists():
        raise RuntimeError(done.stderr)
    differences = json.loads(result.read_text())["differences"]
    return done.returncode, {difference["what"] for difference in differences}


def main():
    options = arguments(__doc__.split("\n")[0])
    report = Report(options, "controls")
    counts = {"comparisons without a fault that find none": 0, "planted faults found": 0}
    for comparison in SMALL:
        code, kinds = run(comparison, None)
        report.same("no fault, no difference", (code, kinds), (0, set()), comparison=comparison)
        counts["comparisons without a fault that find none"] += code == 0
    rows = []
    for fault, (comparison, _, _, kind) in FAULTS.items():
        code, kinds = run(comparison, fault)
        found = code == 1 and any(what.startswith(kind) for what in kinds)
        report.same("planted fault found", found, True, fault=fault, kinds=sorted(kinds))
        counts["planted faults found"] += found
        rows.append(f"| {fault} | {comparison} | {'found' if found else 'MISSED'} |")
    return report.write(counts, "\n".join(["| planted fault | comparison | |", "|---|---|---|", *rows]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--as"]:
        raise SystemExit(act(sys.argv[2], sys.argv[3], sys.argv[4:]))
    raise SystemExit(main())
