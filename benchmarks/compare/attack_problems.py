"""Plain problems for `attack.py`: a handful at a time, by every engine, against all selections one by one."""

import json
import random
from functools import cache

import attack_oracle as oracle
from attack_isx import ask, ask_one, folder, knows, same, wrong
from harness import run_isx


def drawn_problems(rng):
    kind = rng.choice(("mckp", "knapsack"))
    optional, problems = rng.random() < 0.5, []
    for _ in range(12):
        value, weight = rng.choice((2, 4, 12, 1000, 10**9)), rng.choice((1, 3, 5, 12, 1000))
        if kind == "mckp":
            item = lambda: [rng.randint(-value // 4, value), rng.randint(0, weight)]
            least = 0 if rng.random() < 0.1 else 1
            classes = [[item() for _ in range(rng.randint(least, 4))] for _ in range(rng.randint(0, 4))]
            problems.append({"capacities": [rng.randint(0, 3 * weight)], "classes": classes})
        else:
            item = lambda: [rng.randint(-value // 4, value), rng.randint(0, weight)]
            items = [item() for _ in range(rng.randint(0, 9))]
            classes = [[entry] for entry in items + items[: rng.choice((0, 0, 2))]]
            problems.append({"capacities": [rng.randint(0, 3 * weight)], "classes": classes})
    chances = {"every": rng.random() < 0.4, "whole": rng.random() < 0.3, "threads": rng.randint(1, 2)}
    return {"kind": kind, "optional": optional, "problems": problems, "seed": rng.randrange(10**6), **chances}


def tidy_problems(instance):
    for problem in instance["problems"]:
        width = len(problem["capacities"])
        items = [item for items in problem["classes"] for item in items]
        if width != 1 or any(len(item) != 2 for item in items):
            return None
        if min([0, *problem["capacities"], *(weight for item in items for weight in item[1:])]) < 0:
            return None
        if instance["kind"] != "mckp" and any(len(items) != 1 for items in problem["classes"]):
            return None
    return instance if instance["problems"] and instance["threads"] > 0 else None


def problem_text(kind, problem):
    capacities, lines = problem["capacities"], lambda rows: "".join(" ".join(map(str, row)) + "\n" for row in rows)
    if kind == "mckp":
        head = f"{len(problem['classes'])} {capacities[0]}\n"
        return head + "".join(f"{len(items)}\n{lines(items)}" for items in problem["classes"])
    items = [item for (item,) in problem["classes"]]
    return lines([[len(items), *capacities], *items])


def problem_texts(instance):
    return "\n".join(problem_text(instance["kind"], problem) for problem in instance["problems"])


class Solutions:
    """Every selection of a plain problem that fits, and what follows: the front, and which selections may be named: of
    mckp one alone, of a knapsack any of the least weight."""

    def __init__(self, kind, optional, problem):
        if kind == "mckp":
            (capacity,), classes = problem["capacities"], problem["classes"]
            found = [(v, (w,), picks) for v, w, picks in oracle.class_selections(classes, optional) if w <= capacity]
            # From the last class to the first: no item, then the first of the file.
            self.rule = lambda entry: (entry[1], [-1 if pick is None else pick for pick in reversed(entry[2])])
        else:
            items = [(p, w) for ((p, *w),) in problem["classes"]]
            found = [(p, w, list(picks)) for p, w, picks in oracle.selections(items, problem["capacities"])]
            self.rule = None
        self.kind, self.found, self.most = kind, found, max((entry[0] for entry in found), default=None)

    def wrong_selection(self, value, weight, picks):
        """What is wrong with a selection that is worth `value`, as much as can be had with this weight or less."""
        best = [entry for entry in self.found if entry[:2] == (value, (weight,))]
        if not best:
            return f"nothing is worth {value} at weight {weight}"
        if self.rule is not None:
            best = [min(best, key=self.rule)]
        return None if picks in [entry[2] for entry in best] else f"picks {picks}, not {best[0][2]}"

    def front(self):
        front = []
        for value, (weight,), _ in sorted(self.found, key=lambda entry: (entry[1], -entry[0])):
            if not front or value > front[-1][1]:
                front.append((weight, value))
        return front


class Problems:
    """All questions of a handful of plain problems of one kind."""

    def __init__(self, instance, counts):
        self.instance, self.kind, self.counts = instance, instance["kind"], counts
        self.rng = random.Random(instance["seed"])
        self.files = [folder() / f"problem-{at}.txt" for at in range(len(instance["problems"]))]
        for path, problem in zip(self.files, instance["problems"]):
            path.write_text(problem_text(self.kind, problem))
        self.truths = [Solutions(self.kind, instance["optional"], problem) for problem in instance["problems"]]
        self.flags = ["--optional"] * (instance["optional"] and self.kind == "mckp")

    def run(self):
        self.counts[f"problems: {self.kind}"] += len(self.files)
        every = self.instance["every"]
        words = self.flags + ["--no-reduce"] * self.instance["whole"] + ["--all-capacities"] * every
        words += ["--picks", "--threads", self.instance["threads"]]
        for engine in engines_of(self.kind):
            command = ("solve", self.kind, *self.files, "--json", *words, "--engine", engine)
            _, record, message = ask(self.kind, *command)
            same(f"{engine}: answers ({message})", len(record), len(self.files))
            for answer, truth in zip(record, self.truths):
                if "error" in answer:
                    same(f"auto: error {answer['error']}", engine == "auto", False)
                    continue
                self.counts["answers of engines"] += 1
                self.answer(engine, answer, truth, every)
        self.certify()

    def answer(self, engine, answer, truth, every):
        same(f"{engine}: feasible", answer["feasible"], truth.most is not None)
        if truth.most is None:
            return
        same(f"{engine}: value", int(answer["value"]), truth.most)
        least = min(entry[1] for entry in truth.found if entry[0] == truth.most)
        same(f"{engine}: least weight", (answer["weight"],), least)
        same(f"{engine}: selection", truth.wrong_selection(truth.most, answer["weight"], answer["picks"]), None)
        if every:
            front = [(weight, int(value)) for weight, value in answer["front"]]
            same(f"{engine}: front", front, truth.front())
            for (weight, value), picks in zip(front, answer["front_picks"], strict=True):
                same(f"{engine}: selection at {weight}", truth.wrong_selection(value, weight, picks), None)

    def certify(self):
        at = self.rng.randrange(len(self.files))
        path, truth, certificate = self.files[at], self.truths[at], folder() / "problem.cert"
        every = ["--all-capacities"] * (self.instance["every"] and self.kind == "mckp")
        (capacity,) = self.instance["problems"][at]["capacities"]
        certificate.unlink(missing_ok=True)
        proving = (*self.flags, *every, "--certificate", certificate)
        code, _, message = ask_one("certify", "solve", self.kind, path, "--json", *proving)
        same(f"exit code of a proof ({message})", code, 0 if truth.most is not None else 1)
        if code:
            return
        same_words = self.flags if knows("verify", "--optional") else []
        code, record, message = ask_one("verify", "verify", path, certificate, "--json", *same_words)
        same(f"exit code of verify ({message})", code, 0)
        if code:
            return
        points = [record["point"]] if record["claim"] == "best" else record["points"]
        figures = [(int(point["weight"]), int(point.get("value", point.get("profit")))) for point in points]
        least = min(entry[1] for entry in truth.found if entry[0] == truth.most)
        same("verify: points", figures, truth.front() if record["claim"] == "front" else [(*least, truth.most)])
        self.counts["certificates of plain problems"] += 1
        changed = self.changed(self.instance["problems"][at])
        if Solutions(self.kind, self.instance["optional"], changed).found == truth.found:
            return
        other = folder() / "other.txt"
        other.write_text(problem_text(self.kind, changed))
        others = [(other, same_words)]
        if self.flags and knows("verify", "--optional"):
            others.append((path, []))
        if changed["capacities"] != [capacity] and knows("verify", "--capacity"):
            others.append((path, [*same_words, f"--capacity={changed['capacities'][0]}"]))
        for path, words in others:
            code, record, _ = ask_one("verify", "verify", path, certificate, "--json", *words)
            self.counts["certificates put to another question"] += 1
            if code not in (2, 7):
                wrong(f"another question proved: {words} {problem_text(self.kind, changed)!r} {record}")

    def changed(self, problem):
        """The problem with another capacity, or another figure of an item."""
        problem, rng = json.loads(json.dumps(problem)), self.rng
        items = [item for items in problem["classes"] for item in items]
        if not items or rng.random() < 0.4:
            return problem | {"capacities": [rng.randint(0, 2 * problem["capacities"][0] + 1)]}
        item, way = rng.choice(items), rng.randrange(3)
        item[way > 1] = (-item[0], item[0] + 1, item[1] + 1)[way]
        return problem


@cache
def engines_of(kind):
    listed = run_isx("solve", kind, "--help").stdout.split("possible values: ")[1].split("]")[0]
    return [name for name in listed.replace("\n", " ").replace(" ", "").split(",") if not name.startswith("cuda")]
