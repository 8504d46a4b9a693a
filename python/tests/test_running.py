"""Long computations: interrupted, watched, and beside other threads."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import isx
from conftest import ROOT, long_lasting

INTERRUPTED = """
import sys, time
sys.path.insert(0, {tests!r})
import isx
from conftest import long_lasting
given = long_lasting()
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    # What was cancelled does not stand in the way of what comes next.
    isx.explore({{"name": "n", "tasks": [{{"name": "t", "wcet": 1, "period": 2}}]}})
    print("goes on", flush=True)
"""

CALLS = {
    "explore": "isx.explore(given)",
    "check": "isx.check(given, 10**9)",
    "one layer that lasts": "isx.solve_knapsack(list(range(1, 4000)), [10**6 + 7 * x for x in range(3999)], 3 * 10**9, "
    "engine='dense', max_memory=1 << 36, all_capacities=True)",
}


@pytest.mark.parametrize("name", ["explore", pytest.param("check", marks=pytest.mark.slow)])
def test_ctrl_c_ends_it_within_a_second(name: str) -> None:
    program = INTERRUPTED.format(tests=str(ROOT / "python" / "tests"), call=CALLS[name])
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        time.sleep(0.7)
        assert running.poll() is None, "it was over too soon to be interrupted"
        running.send_signal(signal.SIGINT)
        started = time.monotonic()
        assert running.stdout.readline() == "interrupted\n"
        assert time.monotonic() - started < 1.0
        assert running.stdout.readline() == "goes on\n"
        assert running.wait(10) == 0
    finally:
        running.kill()


def test_other_threads_go_on_meanwhile() -> None:
    given = isx.generate(tasks=40, choices=10, seed=4)
    ticks, over = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not over.is_set():
            ticks += 1
            time.sleep(0.001)

    beside = threading.Thread(target=tick)
    beside.start()
    started = time.monotonic()
    while time.monotonic() - started < 0.2:
        isx.explore(given, engine="dense", threads=1)
    lasted = time.monotonic() - started
    over.set()
    beside.join()
    # With the lock held the other thread would not tick at all.
    assert ticks > lasted * 1000 / 20, (ticks, lasted)


def test_several_threads_may_ask_at_once() -> None:
    sets = [isx.generate(tasks=8, seed=seed) for seed in range(1, 7)]
    wanted = [isx.explore(given).to_csv() for given in sets]
    found: dict[int, bytes] = {}

    def work(at: int) -> None:
        found[at] = isx.explore(sets[at]).to_csv()

    threads = [threading.Thread(target=work, args=(at,)) for at in range(len(sets))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[at] for at in range(len(sets))] == wanted


class Enough(Exception):
    """What a listener raises."""


def test_progress_is_told_as_it_rises() -> None:
    record: list[isx.Progress] = []

    def listen(progress: isx.Progress) -> None:
        record.append(progress)
        if len(record) == 4:
            raise Enough

    with pytest.raises(Enough):
        isx.explore(long_lasting(), progress=listen)
    assert all(0 <= one.fraction <= 1 and one.stage and one.steps for one in record)
    assert len({(one.stage, one.done) for one in record}) == 4


def test_what_a_listener_raises_ends_the_computation() -> None:
    def listen(progress: isx.Progress) -> None:
        raise Enough

    started = time.monotonic()
    with pytest.raises(Enough):
        isx.explore(long_lasting(), progress=listen)
    assert time.monotonic() - started < 3
