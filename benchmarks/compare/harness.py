"""What every comparison needs: running isx, naming the machine and the versions, writing the results."""

import argparse
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ISX = Path(os.environ.get("ISX", ROOT / "target" / "release" / "isx")).resolve()
PACKAGES = ("ortools", "highspy", "numpy", "PyYAML", "RapidFuzz", "convolutionalfixedsum", "pyarrow", "polars", "duckdb", "joblib", "ray", "dask")


def arguments(description, **defaults):
    """The command line of a comparison: `--out DIR`, and one option for each default: an integer, or a flag where that is
    `False`."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for the results")
    for name, default in defaults.items():
        kind = {"action": "store_true"} if default is False else {"type": type(default)}
        parser.add_argument("--" + name.replace("_", "-"), default=default, **kind)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if not ISX.exists():
        parser.error("build isx first: cargo build --release (or name the binary in the variable ISX)")
    return options


def run_isx(*words, allowed=(0,)):
    """Standard output of `isx WORDS`; an exit code outside `allowed` ends the comparison."""
    done = subprocess.run([str(ISX), *map(str, words)], capture_output=True, text=True, cwd=scratch())
    if done.returncode not in allowed:
        raise RuntimeError(f"isx {' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
    return done


def engines(family):
    """The engines that `isx solve FAMILY --help` names, those of a GPU left out where there is none."""
    listed = re.search(r"possible values: (auto[^\]]*)\]", run_isx("solve", family, "--help").stdout).group(1)
    no_gpu = not re.search(r"^GPU \d", run_isx("engines").stdout, re.MULTILINE)
    return [name for name in listed.split(", ") if not (no_gpu and name.startswith("cuda"))]


_scratch = None


def scratch():
    """A folder of this process that goes when it ends; isx runs in it, so nothing is written elsewhere."""
    global _scratch
    if _scratch is None:
        _scratch = tempfile.TemporaryDirectory(prefix="isx-compare-")
    return Path(_scratch.name)


def hardware():
    """The machine in words that name nobody: kind of processor, count, memory, vector extension."""
    model, flags = "unknown processor", ""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        text = cpuinfo.read_text()
        found = re.search(r"model name\s*:\s*(.*)", text)
        model = re.sub(r"\s+", " ", found.group(1)).strip() if found else model
        found = re.search(r"flags\s*:\s*(.*)", text)
        flags = found.group(1) if found else ""
    vector = next((name for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags.split()), None)
    virtual = "hypervisor" in flags.split()
    count = os.cpu_count()
    kind = "vCPU" if virtual else "CPU"
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    extension = f", {vector}" if vector else ""
    return f"{count}-{kind} {platform.machine().replace('_', '-')} ({model}{extension}), {memory:.0f} GiB memory"


def first_line(*command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "not available"


def versions():
    found = {"python": platform.python_version(), "isx": first_line(str(ISX), "--version")}
    commit = first_line("git", "-C", str(ROOT), "rev-parse", "HEAD")
    changed = first_line("git", "-C", str(ROOT), "status", "--porcelain", "--", "src", "Cargo.toml", "Cargo.lock")
    found["isx commit"] = commit + ("" if changed == "not available" else " with changes")
    found["gcc"] = first_line("gcc", "--version")
    found["rustc"] = first_line("rustc", "--version")
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found


class Report:
    """The results of one comparison: NAME.json with every figure, NAME.md with what a person reads first."""

    def __init__(self, options, name, script=None):
        self.folder, self.name, self.started = options.out, name, time.time()
        self.script = script or name
        chosen = {key: value for key, value in vars(options).items() if key != "out"}
        self.document = {
            "comparison": name,
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%d"),
            "options": chosen,
            "hardware": hardware(),
            "versions": versions(),
        }
        self.differences = []

    def differ(self, what, **facts):
        """Notes a difference between isx and an independent answer, with all that is needed to see it again."""
        self.differences.append({"what": what, **facts})
        print(f"DIFFERENCE {what}: {facts}", file=sys.stderr)

    def same(self, what, isx, independent, **facts):
        if isx != independent:
            self.differ(what, isx=str(isx), independent=str(independent), **facts)

    def same_list(self, what, isx, independent, **facts):
        """As `same`, and names the first entry that differs instead of all of them."""
        if isx == independent:
            return
        pairs = zip([*isx, None], [*independent, None])
        at, (one, other) = next((at, pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])
        lengths = [len(isx), len(independent)]
        self.differ(what, isx=str(one), independent=str(other), entry=at, lengths=lengths, **facts)

    def write(self, counts, summary, **more):
        """Writes both files; returns the exit code: 1 where isx differed from an independent answer."""
        self.document |= {"seconds": round(time.time() - self.started, 1), "counts": counts}
        self.document |= {"differences": self.differences, **more}
        given = {key: value for key, value in self.document["options"].items() if value is not False}
        options = " ".join(f"--{key.replace('_', '-')}" + f" {value}" * (value is not True) for key, value in given.items())
        lines = [f"## {self.name}", "", f"`{self.script}.py {options}`", ""]
        lines += ["| counted | number |", "|---|---:|"]
        lines += [f"| {what} | {number:,} |" for what, number in counts.items()]
        lines += [f"| **differences between isx and the independent answers** | **{len(self.differences)}** |", ""]
        lines += [summary, ""]
        text = json.dumps(self.document, separators=(",", ":"))
        (self.folder / f"{self.name}.json").write_text(text + "\n")
        (self.folder / f"{self.name}.md").write_text("\n".join(lines))
        print("\n".join(lines))
        return 1 if self.differences else 0
