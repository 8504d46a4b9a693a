"""What a certificate costs: its size, the time to write and the time to check it, beside solving with the list engine.

Whole commands, the median of `--repeats`: `isx explore --engine list --json`, the same with `--certificate`, and `isx verify`, each on
one thread (generated sets also by the dense engine), for every task set of the repository and for generated ones with long fronts, with blocks, and with a dense
front. The front of the certificate is compared with that of front.json, point by point.
"""

import json
import statistics
import subprocess
import time
from fractions import Fraction

from harness import ISX, ROOT, Report, arguments, run_isx, scratch

GENERATED = {
    "30 x 10": ["--tasks", 30, "--choices", 10],
    "100 x 5": ["--tasks", 100, "--choices", 5, "--utilization", 2],
    "30 x 30": ["--tasks", 30, "--choices", 30, "--area", "1..30000", "--savings", "correlated:0.0..0.5"],
    "30 x 30, long": ["--tasks", 30, "--choices", 30, "--area", "1..40000", "--savings", "correlated:0.0..0.6"],
    "30 x 30, dense": ["--tasks", 30, "--choices", 30, "--area", "1..3000", "--savings", "correlated:0.0..0.5"],
    "60 x 20, long": ["--tasks", 60, "--choices", 20, "--area", "1..40000", "--savings", "correlated:0.0..0.5"],
    "20 x 8, 8 blocks": ["--tasks", 20, "--choices", 8, "--blocks", 8, "--uses", "1..2"],
    "12 x 5, 10 blocks": ["--tasks", 12, "--choices", 5, "--blocks", 10, "--uses", "1..2"],
}


def timed(*words):
    started = time.perf_counter()
    done = subprocess.run([str(ISX), *map(str, words)], capture_output=True, cwd=scratch(), check=True)
    return time.perf_counter() - started, done.stdout


def median(repeats, *words):
    return statistics.median(timed(*words)[0] for _ in range(repeats))


def measure(report, name, path, repeats):
    certificate = scratch() / "set.cert"
    plain = ["explore", path, "--json", "--quiet", "--engine", "list", "--threads", 1]
    proving = [*plain, "--certificate", certificate]
    front = json.loads(timed(*proving)[1])
    proof = json.loads(timed("verify", path, certificate, "--json")[1])
    fraction = lambda point: Fraction(int(point["utilization"]["num"]), int(point["utilization"]["den"]))
    names = front["objectives"]
    costs = lambda point: [Fraction(point["cost"][name]) for name in names] if "cost" in point else [Fraction(point["area"])]
    points = [(costs(point), fraction(point)) for point in front["points"]]
    shown = [(costs(point), fraction(point)) for point in proof["points"]]
    report.same_list("points", points, shown, set=name)
    report.same("status", front["status"], "proved", set=name)
    solve, prove = median(repeats, *plain), median(repeats, *proving)
    check = median(repeats, "verify", path, certificate, "--quiet")
    by_dense = [word if word != "list" else "dense" for word in plain]
    dense = median(repeats, *by_dense) if " " in name and "blocks" not in name else None
    return {
        "set": name,
        "points": len(points),
        "bytes": certificate.stat().st_size,
        "pairs": proof["pairs"],
        "solve s": round(solve, 4),
        "by dense s": dense and round(dense, 4),
        "solve and prove s": round(prove, 4),
        "check s": round(check, 4),
        "check / solve": round(check / solve, 2),
    }


def main():
    options = arguments(__doc__.split("\n")[0], repeats=5)
    report = Report(options, "measure_certificates")
    sets = {path.stem: path for path in sorted((ROOT / "tasksets").glob("*.yaml"))}
    for name, recipe in GENERATED.items():
        sets[name] = scratch() / f"{name.replace(' ', '-').replace(',', '')}.yaml"
        run_isx("generate", "taskset", *recipe, "--seed", 5, "-o", sets[name])
    rows = [measure(report, name, path, options.repeats) for name, path in sets.items()]
    lines = ["| set | points | bytes | pairs | solve s | by dense s | solve and prove s | check s | check / solve |", "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    lines += ["| " + " | ".join(str(value) for value in row.values()) + " |" for row in rows]
    (options.out / "certificates.md").write_text("\n".join(lines) + "\n")
    summary = "Every certificate proves the points of front.json." if not report.differences else "THERE ARE DIFFERENCES: see the JSON."
    return report.write({"sets": len(rows)}, summary, sets=rows)


if __name__ == "__main__":
    raise SystemExit(main())
