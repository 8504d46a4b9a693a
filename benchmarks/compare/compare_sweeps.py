"""One sweep, computed in every way that there is: the SHA-256 of all its chunks must be the same each time.

    python compare_sweeps.py --out DIR [--sets 2000] [--seed 1]

Needs a build of isx with the feature `full`, and in this Python the package isx, joblib, ray and `dask[distributed]`. The
ways: one run on one thread; seven shards with other numbers of threads, in two folders; a run killed with `kill -9` twenty
times; the examples of `python/examples` on joblib, Ray and Dask, each with processes killed in the middle; and
`sweep.sbatch` as a job array of a real Slurm on this host (as root; `slurm_host.py` starts and ends it), where one task
is requeued while it runs, and another after its isx was killed.

Last, the control: records of another seed must have another SHA-256, and a folder with such a chunk must not go on.
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from harness import ISX, ROOT, Report, arguments, run_isx, scratch
from slurm_host import Slurm, is_here

SPEC = """schema: isx.sweep/1
seed: {seed}
sets_per_point: {sets}
grid: {{utilization: 0.8..1.4/0.1, tasks: [6, 12, 16]}}
paired: {{scheduler: [edf, rm]}}
recipe: {{choices: 2..8, savings: "correlated:0.05..0.60"}}
measure: [min_area]
budgets: [0, 5000]
"""
KILLS = 20
SHARDS = 7
EXAMPLES = ROOT / "python" / "examples"


def chunks(folder):
    return len(list(folder.glob("*.parquet")))


def merged(*folders):
    """The SHA-256 of all chunks, in order of their names."""
    files = {file.name: file.read_bytes() for folder in folders for file in Path(folder).glob("*.parquet")}
    return hashlib.sha256(b"".join(name.encode() + files[name] for name in sorted(files))).hexdigest()


def content(path):
    """What /proc says in a file of a process, which may be gone."""
    try:
        return path.read_bytes()
    except OSError:
        return b""


def descendants(process):
    """Command lines of the processes that it started, and of those that these did, by their ids."""
    parents = {int(stat.parent.name): int(text.rpartition(b")")[2].split()[1])
               for stat in Path("/proc").glob("[0-9]*/stat") if (text := content(stat))}
    found = {process}
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: content(Path(f"/proc/{pid}/cmdline")).decode() for pid in found - {process}}


class Ways:
    """Every way to compute the sweep; each returns its folders and what happened on the way."""

    def __init__(self, spec, seed):
        self.spec, self.draw = spec, random.Random(seed)

    def run(self, out, *more):
        return [str(ISX), "sweep", "run", str(self.spec), "--out", str(out), *more]

    def one_run(self, out):
        started = time.monotonic()
        run_isx(*self.run(out, "--threads", "1")[1:])
        self.seconds = time.monotonic() - started
        self.chunks = chunks(out)
        return [out], "one thread"

    def seven_shards(self, out):
        folders = [out / "a", out / "b"]
        for shard in range(SHARDS):
            run_isx(*self.run(folders[shard % 2], "--shard", f"{shard}/{SHARDS}", "--threads", str(1 + shard % 3))[1:])
        return folders, f"{SHARDS} shards in two folders"

    def twenty_kills(self, out):
        for _ in range(KILLS):
            child = subprocess.Popen(self.run(out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(self.draw.uniform(0, self.seconds / KILLS))
            child.kill()
            if child.wait() != -signal.SIGKILL:
                raise RuntimeError("a run ended before it was killed: ask for more --sets")
        left = self.chunks - chunks(out)
        run_isx(*self.run(out)[1:])
        return [out], f"{KILLS} kills, after which {left} of {self.chunks} chunks were missing"

    def example(self, name, out, is_worker, again):
        """Runs an example and kills three of its workers, each after some more chunks."""
        command = [sys.executable, EXAMPLES / name, self.spec, out]
        log = (scratch() / f"{name}.log").open("a")
        killed, begun = 0, 1
        child = subprocess.Popen(command, stdout=log, stderr=log)
        while child.poll() is None or (again and child.returncode):
            if child.poll() is not None:
                child, begun = subprocess.Popen(command, stdout=log, stderr=log), begun + 1
            time.sleep(0.2)
            if killed < 3 and chunks(out) > (killed + 1) * self.chunks // 5:
                workers = [pid for pid, words in descendants(child.pid).items() if is_worker(words)]
                for pid in workers[:1]:
                    os.kill(pid, signal.SIGKILL)
                    killed += 1
        if child.returncode:
            raise RuntimeError(f"{name}: exit {child.returncode}: {Path(log.name).read_text()[-3000:]}")
        if not killed:
            raise RuntimeError(f"{name}: no worker was killed: ask for more --sets")
        return [out], f"{killed} workers killed" + (f", the command given {begun} times" if again else "")

    def joblib(self, out):
        return self.example("sweep_joblib.py", out, lambda words: "popen_loky" in words, again=True)

    def ray(self, out):
        return self.example("sweep_ray.py", out, lambda words: words.startswith("ray::compute"), again=False)

    def dask(self, out):
        return self.example("sweep_dask.py", out, lambda words: "spawn_main" in words, again=False)

    def slurm(self, out):
        with Slurm(scratch() / "slurm") as slurm:
            slurm.environment["PATH"] = f"{self.named_isx()}:{slurm.environment['PATH']}"
            job = slurm.run("sbatch", "--parsable", f"--array=0-{SHARDS - 1}", "--cpus-per-task=1", "--time=60",
                            f"--chdir={scratch()}", EXAMPLES / "sweep.sbatch", self.spec, out)

            def wait(holds):
                while not holds():
                    time.sleep(0.3)

            def is_running(task):
                return slurm.states(job).get(task, ("",))[0] == "RUNNING"

            def isx_of(task):
                wanted = {f"SLURM_CONF={slurm.environment['SLURM_CONF']}", f"SLURM_ARRAY_TASK_ID={task}"}
                return [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/environ")
                        if wanted <= set(content(file).decode(errors="replace").split("\0"))
                        and content(file.parent / "cmdline").startswith(b"isx\0")]

            wait(lambda: is_running(0) and isx_of(0))
            slurm.run("scontrol", "requeue", f"{job}_0")
            wait(lambda: is_running(1) and isx_of(1))
            for pid in isx_of(1):
                os.kill(pid, signal.SIGKILL)
            wait(lambda: slurm.states(job)[1][0] == "FAILED")
            slurm.run("scontrol", "requeue", f"{job}_1")
            wait(lambda: all(state not in ("PENDING", "RUNNING", "COMPLETING") for state, _ in slurm.states(job).values())
                 and len(slurm.states(job)) == SHARDS)
            ended = slurm.states(job)
            version = slurm.run("sinfo", "--version")
        if ended != {task: ("COMPLETED", int(task < 2)) for task in range(SHARDS)}:
            raise RuntimeError(f"the tasks of the array ended as {ended}")
        return [out], f"{version}: an array of {SHARDS}, task 0 requeued while it ran, task 1 after its isx was killed"

    def named_isx(self):
        """A folder with the isx that is compared, under its name."""
        folder = scratch() / "bin"
        folder.mkdir(exist_ok=True)
        shutil.copy2(ISX, folder / "isx")
        return folder


def main():
    options = arguments(__doc__.split("\n")[0], sets=2_000, seed=1)
    report = Report(options, "compare_sweeps")
    folder = scratch()
    spec = folder / "sweep.yaml"
    spec.write_text(SPEC.format(sets=options.sets, seed=options.seed))
    ways = Ways(spec, options.seed)
    names = ["one_run", "seven_shards", "twenty_kills", "joblib", "ray", "dask"] + ["slurm"] * is_here()
    rows, first = [], None
    for name in names:
        out = folder / f"out-{name}"
        folders, what = getattr(ways, name)(out)
        found = merged(*folders)
        first = first or found
        report.same("SHA-256 of the chunks", found, first, way=name)
        left = [file.name for part in folders for file in part.iterdir() if file.suffix != ".parquet"]
        report.same("files left behind", left, [], way=name)
        rows.append(f"| {name.replace('_', ' ')} | {what} | `{found[:16]}..` |")
        print(rows[-1], flush=True)
    if not is_here():
        print("NOT RUN: Slurm, which needs root and Debian's munge, slurmctld, slurmd and slurm-client", file=sys.stderr)

    other = folder / "other.yaml"
    other.write_text(SPEC.format(sets=options.sets, seed=options.seed + 1))
    run_isx("sweep", "run", other, "--out", folder / "other")
    report.same("another seed has another SHA-256", merged(folder / "other") != first, True)
    shutil.copy(sorted((folder / "other").iterdir())[3], folder / "out-one_run")
    refused = subprocess.run([str(ISX), "sweep", "run", str(spec), "--out", str(folder / "out-one_run")],
                             capture_output=True, text=True)
    report.same("a chunk of another sweep is refused", refused.returncode != 0, True, said=refused.stderr)

    counts = {"sets": options.sets * 21, "records": options.sets * 42, "chunks": ways.chunks, "ways": len(names)}
    summary = "\n".join(["| way | what happened | SHA-256 of the chunks |", "|---|---|---|", *rows])
    return report.write(counts, summary, sha256=first)


if __name__ == "__main__":
    raise SystemExit(main())
