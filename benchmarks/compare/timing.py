"""Timed runs of isx and of the textbook loop, and the check that both say the same before any time counts."""

import hashlib
import json
import re
import statistics
import subprocess
import time
from functools import cache
from pathlib import Path

import numpy as np

from harness import ISX, run_isx, scratch

STAGES = ("reduce", "solve", "traceback")
# A configuration whose first run takes longer is not repeated.
ONCE_ABOVE = 30.0


class Mismatch(Exception):
    """An answer that is not the textbook's; nothing is timed then."""


def median(numbers):
    return statistics.median(numbers)


def generate(**flags):
    """The file of a problem from `isx generate mckp`, and the command that makes it."""
    words = [word for name, value in flags.items() for word in (f"--{name}", str(value))]
    path = scratch() / ("-".join(str(value).replace("..", "-") for value in flags.values()) + ".txt")
    if not path.exists():
        run_isx("generate", "mckp", *words, "-o", path)
    return path, "isx generate mckp " + " ".join(words)


@cache
def engines():
    """The engines to time: those that `isx solve mckp --help` names, without the textbook table `reference`."""
    listed = re.search(r"possible values: (auto[^\]]*)\]", run_isx("solve", "mckp", "--help").stdout).group(1)
    return [name for name in listed.split(", ") if name != "reference"]


@cache
def textbook_binary():
    binary = scratch() / "baseline_textbook"
    source = Path(__file__).with_name("baseline_textbook.c")
    subprocess.run(["gcc", "-O3", "-march=native", "-o", binary, source], check=True)
    return binary


def textbook(path, repeats, optional=False, row=False):
    """Value (None: infeasible), updates, seconds of every repeat, and the last row where wanted."""
    flags = ["--optional"] * optional
    row_file = scratch() / "textbook.row"
    command = [textbook_binary(), path, str(repeats), *flags, *(["--row", row_file] if row else [])]
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    value = None if words[0] == "infeasible" else int(words[0])
    found = {"value": value, "updates": int(words[1]), "seconds": [float(word) for word in words[2:]]}
    return found | ({"row": np.fromfile(row_file, dtype=np.int32)} if row else {})


def isx(path, flags, limit):
    """One run that writes its JSON to a file: time of its stages, of the whole command, and the most memory seen.

    Memory is looked up twenty times a second at least, so a run of milliseconds has none (the kernel's own account of a
    child counts this process's memory too). None where it passed `limit` seconds; a dict with `refused` where isx
    refused (exit codes 4 and 5).
    """
    out = scratch() / "answer.json"
    command = [str(ISX), "solve", "mckp", str(path), "--all-capacities", "--picks", "--json", *flags]
    started = time.perf_counter()
    with out.open("wb") as stdout, (scratch() / "notes").open("wb") as stderr:
        child = subprocess.Popen(command, stdout=stdout, stderr=stderr, cwd=scratch())
        status, memory = wait_for(child, started + limit)
    wall = time.perf_counter() - started
    if status is None:
        return None
    if status in (4, 5):
        return {"refused": (scratch() / "notes").read_text().strip()}
    if status != 0:
        raise RuntimeError(f"{' '.join(command[1:])}: exit {status}: {(scratch() / 'notes').read_text()}")
    with out.open() as file:
        head = file.read(1 << 16)
    # All that describes the run comes before the front.
    before, front, _ = head.partition(',\n  "front":')
    document = json.loads(before + "}" if front else head)
    return {
        "stages": {stage: document["timings"][stage] for stage in STAGES},
        "seconds": sum(document["timings"][stage] for stage in STAGES),
        "wall": wall,
        "megabytes": memory / 1024,
        "ran_on": document["engine"]["ran_on"] if document["engine"] else None,
        "updates": document["updates"],
        "value": document["value"],
    }


def wait_for(child, deadline):
    """Exit code of a child and the most memory seen in kB; `(None, None)` and an ended child past the deadline."""
    pause, memory = 0.0005, 0
    while child.poll() is None:
        memory = max(memory, most_memory(child.pid))
        if time.perf_counter() > deadline:
            child.kill()
            child.wait()
            return None, None
        # Fine at first, then coarse enough to take no time from the run.
        time.sleep(pause)
        pause = min(pause * 1.3, 0.05)
    return child.returncode, memory


def most_memory(pid):
    """The high-water mark of a process in kB; 0 where it cannot be read."""
    try:
        found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found.group(1)) if found else 0


def read_problem(path):
    words = np.array(path.read_text().split(), dtype=np.int64)
    classes, at = [], 2
    for _ in range(words[0]):
        count = int(words[at])
        classes.append(words[at + 1 : at + 1 + 2 * count].reshape(count, 2))
        at += 1 + 2 * count
    return classes, int(words[1])


def front_digest():
    """SHA-256 of the front and its picks as the last run wrote them."""
    digest, inside = hashlib.sha256(), False
    with (scratch() / "answer.json").open("rb") as file:
        for line in file:
            inside = inside or line.startswith(b'  "front":')
            if inside:
                digest.update(line)
    return digest.hexdigest()


def check_front(path, row):
    """Holds the last run's front against the textbook's last row, cell by cell, and sums every point's picks again."""
    classes, capacity = read_problem(path)
    points, picks, into = [], [], None
    with (scratch() / "answer.json").open() as file:
        for line in file:
            if line.startswith('  "front'):
                into = points if line.startswith('  "front":') else picks
            elif into is not None and line.startswith("    ["):
                into.append(np.array([-1 if x is None else int(x) for x in json.loads(line.rstrip(",\n"))]))
    points, picks = np.array(points).reshape(-1, 2), np.array(picks).reshape(-1, len(classes))
    steps = np.zeros(capacity + 1, dtype=np.int64)
    first = int(points[0][0]) if len(points) else capacity + 1
    steps[points[:, 0]] = np.diff(points[:, 1], prepend=0)
    expanded = np.cumsum(steps)
    if not (np.array_equal(expanded[first:], row[first:]) and (row[:first] < -(2**28)).all()):
        raise Mismatch("the front is not the textbook's row")
    sums = np.zeros_like(points)
    for items, taken in zip(classes, picks.T):
        sums += np.where((taken >= 0)[:, None], items[taken], 0)[:, ::-1]
    if not np.array_equal(sums, points):
        raise Mismatch("the picks of a point do not sum to it")
    return len(points)


def checked_front(path, flags, row, limit):
    """Runs isx once and holds its front against the textbook's row: number of points and digest, or None where the run
    passed the limit or was refused."""
    run = isx(path, flags, limit)
    if run is None or "refused" in run:
        return None
    return {"points": check_front(path, row), "digest": front_digest()}


def timed(path, flags, repeats, limit, digest, runs_checked):
    """Median over repeats; the first run's front must have the digest of the checked one."""
    runs = []
    for _ in range(repeats):
        run = isx(path, flags, limit)
        if run is None:
            return {"over_limit": limit}
        if "refused" in run:
            return run
        if not runs:
            if front_digest() != digest:
                raise Mismatch(f"{' '.join(flags)}: another front or other picks than the checked run")
            runs_checked[0] += 1
        runs.append(run)
        if run["wall"] > ONCE_ABOVE:
            break
    middle = {key: median([run[key] for run in runs]) for key in ("seconds", "wall", "megabytes")}
    stages = {stage: median([run["stages"][stage] for run in runs]) for stage in STAGES}
    rest = {key: runs[0][key] for key in ("ran_on", "updates")}
    return middle | {"stages": stages, "runs": len(runs), "all_seconds": [run["seconds"] for run in runs]} | rest
