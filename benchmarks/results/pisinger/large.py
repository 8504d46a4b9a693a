# Pisinger's hard classes with many items: processor time (user and system) of whole commands, every answer summed again.
# python large.py ISX OUT SECONDS ITEMS RANGES [OTHER_ISX], with items and ranges separated by commas
import json, os, resource, subprocess, sys, tempfile

isx, out, limit = sys.argv[1], sys.argv[2], int(sys.argv[3])
numbers_of = [[int(number) for number in sys.argv[at].split(",")] for at in (4, 5)]
other = sys.argv[6] if len(sys.argv) > 6 else None
LOADS = ["0.15", "0.35", "0.5", "0.65", "0.85"]
KINDS = ["spanner-uncorrelated", "spanner-weak", "spanner-strong", "multiple-strong", "profit-ceiling", "circle"]

def run(exe, path):
    """Profit, weight, chosen items, ms of solving, ms of the processor for the command."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    child = subprocess.Popen([exe, "solve", "knapsack", path, "--json", "--engine", "core", "--threads", "1"],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limits)
    text = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    spent = (used.ru_utime + used.ru_stime) * 1e3
    if status:
        return None, None, None, None, spent
    found = json.loads(text)
    return int(found["value"]), int(found["weight"]), found["picks"], found["timings"]["solve"] * 1e3, spent

def check(path, profit, weight, picks):
    """Whether the chosen items fit, and have that profit and weight."""
    with open(path) as file:
        numbers = [line.split("#")[0].split() for line in file]
    numbers = [line for line in numbers if line]
    capacity, items = int(numbers[0][1]), numbers[1:]
    chosen = [items[at] for at in picks]
    assert len(set(picks)) == len(picks) and weight <= capacity
    assert (sum(int(item[0]) for item in chosen), sum(int(item[1]) for item in chosen)) == (profit, weight)

with open(out, "w") as file, tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "problem.txt")
    for items in numbers_of[0]:
        for most in numbers_of[1]:
            for kind in KINDS:
                for seed in range(1, 6):
                    subprocess.run([isx, "generate", "knapsack", "--kind", kind, "--items", str(items), "--range", str(most),
                                    "--seed", str(seed), "--load", LOADS[seed - 1], "-o", path, "-q"], check=True, stderr=subprocess.DEVNULL)
                    profit, weight, picks, solve, spent = run(isx, path)
                    if profit is not None:
                        check(path, profit, weight, picks)
                    line = [kind, items, most, seed, profit, solve and round(solve, 2), round(spent, 1)]
                    if other:
                        before = run(other, path)
                        assert None in (profit, before[0]) or (profit, weight) == before[:2], line
                        line += [before[0], before[3] and round(before[3], 2), round(before[4], 1)]
                    print(*line, file=file, flush=True)
                    os.remove(path)
