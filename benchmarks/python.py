"""Figures of the Python package: what a front of a million points costs as a table beyond solving, and how fast Ctrl-C is.

Run it where an optimized wheel is installed, with pyarrow, polars and duckdb beside it:
    python benchmarks/python.py [--points 1000000] [--runs 5]
"""

import argparse
import os
import platform
import random
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import isx

LONG = """
import isx
given = isx.generate(tasks=120, choices="30..40", area="1000..9000000", savings="correlated:0.01..0.6", seed=3)
print("ready", flush=True)
try:
    isx.explore(given)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def dense_set(points: int, tasks: int) -> dict[str, object]:
    """A set whose front has a point at nearly every area up to `points`: what a choice saves is what it costs."""
    draw = random.Random(14)
    most = points * 5 // 4 // tasks
    areas = [sorted(draw.sample(range(1, most + 1), 7)) + [most] for _ in range(tasks)]
    return {
        "name": f"a front of {points} points",
        "tasks": [
            {
                "name": f"task-{task}",
                "wcet": 2 * most,
                "period": 1 << 30,
                "choices": [{"name": f"c{at}", "area": area, "saves": area} for at, area in enumerate(some)],
            }
            for task, some in enumerate(areas)
        ],
    }


def timed(runs: int, work: Callable[[], object]) -> str:
    """The median of some runs, and their range, in milliseconds; and the least processor time, of all threads."""
    times, spent = [], []
    for _ in range(runs):
        started, processor = time.perf_counter(), time.process_time()
        work()
        times.append((time.perf_counter() - started) * 1e3)
        spent.append((time.process_time() - processor) * 1e3)
    return f"{statistics.median(times):8.1f} ms   ({min(times):.1f} .. {max(times):.1f}), processor time {min(spent):.1f} ms at least"


def summed(front: isx.Front) -> object:
    """DuckDB finds the front by its name here."""
    import duckdb

    return duckdb.sql("select sum(area) from front").fetchall()


def interrupted() -> float:
    """Seconds from the signal to the exception."""
    running = subprocess.Popen([sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True)
    assert running.stdout is not None and running.stdout.readline() == "ready\n"
    time.sleep(1)
    assert running.poll() is None
    started = time.perf_counter()
    running.send_signal(signal.SIGINT)
    assert running.stdout.readline() == "interrupted\n"
    lasted = time.perf_counter() - started
    running.wait()
    return lasted


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=1_000_000)
    parser.add_argument("--tasks", type=int, default=30)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    import duckdb
    import polars
    import pyarrow

    print(f"isx {isx.__version__}, Python {platform.python_version()}, {os.cpu_count()} cores")
    versions = (("pyarrow", pyarrow), ("polars", polars), ("duckdb", duckdb))
    print(", ".join(f"{name} {module.__version__}" for name, module in versions))
    given = isx.TaskSet.from_dict(dense_set(asked.points, asked.tasks))
    started = time.perf_counter()
    front = isx.explore(given)
    print(f"solved in {time.perf_counter() - started:.2f} s by {front.engine}: {len(front)} points, {asked.tasks} tasks")
    assert len(front) >= asked.points
    print("pyarrow.table(front)      ", timed(asked.runs, lambda: pyarrow.table(front)))
    print("polars.DataFrame(front)   ", timed(asked.runs, lambda: polars.DataFrame(front)))
    print("duckdb: sum(area)         ", timed(asked.runs, lambda: summed(front)))
    print("figures as numpy arrays   ", timed(asked.runs, lambda: front._native.figures()))
    print("to_parquet()              ", timed(asked.runs, front.to_parquet))
    delays = [interrupted() for _ in range(asked.runs)]
    print(f"Ctrl-C to KeyboardInterrupt {statistics.median(delays):.3f} s ({min(delays):.3f} .. {max(delays):.3f})")


if __name__ == "__main__":
    main()
