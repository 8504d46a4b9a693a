#!/usr/bin/env python3
"""Task sets that SimSo and SchedCAT write themselves, imported by isx, against the figures that those tools read from the same files.

    python compare_import.py --isx target/release/isx --schedcat DIR [--python2 python2.7] [--sets 200] [--seed 1]

DIR holds SchedCAT's folder `schedcat` (github.com/brandenburg/schedcat at 86211bc6; it is no package, and is written for Python 2). SimSo and PyYAML come from
requirements-import.txt. Every difference is reported, and the exit code is 1 if there is one. Figures are compared as exact fractions:
what isx says, what stands in the file, and what the tool's own reader makes of it (a float for SimSo, whose nearest float
must be the same).
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

import yaml

SECONDS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "ps": 10**12}


def time(text):
    """A time of isx's YAML: a fraction of seconds, or a plain number."""
    number, _, unit = str(text).partition(" ")
    return Fraction(number) / SECONDS[unit] if unit else Fraction(number)


def imported(isx, path, *options):
    """The tasks that isx makes of a file, by name: WCET, period, deadline."""
    done = subprocess.run([isx, "import", path, "-q", *options], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{path}: exit code {done.returncode}\n{done.stderr}")
    # Every scalar as text: no figure passes a float here either.
    read = yaml.load(done.stdout, Loader=yaml.BaseLoader)
    figures = lambda task: tuple(time(task.get(key, task["period"])) for key in ("wcet", "period", "deadline"))
    return read, {task["name"]: figures(task) for task in read["tasks"]}


def explored(isx, path):
    """Whether isx explores what it has imported."""
    text = subprocess.run([isx, "import", path, "-q"], capture_output=True, check=True).stdout
    return subprocess.run([isx, "explore", "-", "-q", "--json"], input=text, capture_output=True).returncode == 0


def simso_set(draw, path):
    """A random simulation, written by SimSo; what its own reader finds there, in seconds."""
    from simso.configuration import Configuration

    configuration = Configuration()
    configuration.cycles_per_ms = draw.choice([1, 1000, 10**6, 123457])
    configuration.duration = 420 * configuration.cycles_per_ms
    configuration.scheduler_info.clas = draw.choice(["simso.schedulers.RM", "simso.schedulers.EDF", "simso.schedulers.EDF_mono"])
    configuration.add_processor(name="CPU 1", identifier=1)
    for number in range(1, draw.randint(2, 12)):
        period = draw.choice([draw.randint(1, 1000), draw.uniform(0.01, 1000.0), draw.randint(1, 10**6) / 1000])
        deadline = draw.choice([period, period * 0.75])
        wcet = draw.choice([period / 7, draw.uniform(1e-9, period), 1e-05])
        configuration.add_task(name=f"T {number}", identifier=number, period=period, wcet=wcet, deadline=deadline)
    configuration.save(str(path))
    again = Configuration(str(path))
    return {task.name: (task.wcet, task.period, task.deadline) for task in again.task_info_list}


def schedcat_sets(arguments, folder):
    """Lets SchedCAT, under its own Python, write the sets."""
    worker = pathlib.Path(__file__).with_name("schedcat_worker.py")
    command = [arguments.python2, worker, arguments.schedcat, folder, str(arguments.sets), str(arguments.seed)]
    subprocess.run(command, check=True)


def schedcat_set(_, path):
    """What SchedCAT's own reader finds in a set."""
    lines = pathlib.Path(f"{path}.figures").read_text().splitlines()
    return {name: tuple(map(int, figures)) for name, *figures in map(str.split, lines)}


def differences(tool, found, wanted):
    """What isx says otherwise than the tool."""
    if list(found) != list(wanted):
        yield f"tasks {list(found)} for {list(wanted)}"
        return
    for name in wanted:
        for key, got, figure in zip(("wcet", "period", "deadline"), found[name], wanted[name]):
            # A float of milliseconds is the nearest to the decimal that was written.
            same = float(got * 1000) == figure if tool == "simso" else got == figure
            if not same:
                yield f"{key} of {name}: {got} for {figure!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--isx", required=True)
    parser.add_argument("--schedcat", help="the folder that holds SchedCAT's folder `schedcat`")
    parser.add_argument("--python2", default="python2.7")
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    makers = {"simso": simso_set}
    if arguments.schedcat:
        makers["schedcat"] = schedcat_set
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        if arguments.schedcat:
            schedcat_sets(arguments, folder)
        for tool, make in makers.items():
            draw = random.Random(f"{tool} {arguments.seed}")
            tasks = 0
            for number in range(arguments.sets):
                path = pathlib.Path(folder) / f"{tool}-{number}.xml"
                wanted = make(draw, path)
                _, found = imported(arguments.isx, path)
                tasks += len(wanted)
                record = list(differences(tool, found, wanted))
                if number % 20 == 0 and not explored(arguments.isx, path):
                    record.append("isx does not explore it")
                for line in record:
                    print(f"{path.name}: {line}")
                wrong += bool(record)
            print(f"{tool}: {arguments.sets} sets, {tasks} tasks, figures compared: {3 * tasks}")
    print("all figures are the tools' own" if wrong == 0 else f"{wrong} sets differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
