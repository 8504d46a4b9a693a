"""Shortest tours of random TSPLIB problems, against CP-SAT's circuit constraint, by every engine that this machine has.

Problems of 8 to 14 cities are drawn here and written as TSPLIB files: coordinates (EUC_2D, CEIL_2D, ATT, GEO; whole
numbers and decimals) and matrices of every format, symmetric and not, some with negative distances, many with ties.
Distances are computed here again, by TSPLIB's documentation. For every problem and engine of `isx solve tsp FILE` the
length is CP-SAT's optimum, the tour has every city once and is as long as claimed, and all engines give the same tour.
"""

import json
import math
import random

from exact import cp_sat_solve
from harness import Report, arguments, engines, run_isx, scratch
from ortools.sat.python import cp_model

COORDINATES = ("EUC_2D", "CEIL_2D", "ATT", "GEO")
FORMATS = ("FULL_MATRIX", "UPPER_ROW", "LOWER_ROW", "UPPER_DIAG_ROW", "LOWER_DIAG_ROW", "UPPER_COL", "LOWER_COL")


def radians(angle):
    degrees = int(angle)
    return 3.141592 * (degrees + 5.0 * (angle - degrees) / 3.0) / 180.0


def distance(kind, a, b):
    """The distance of TSPLIB between two points of coordinates as they are written."""
    (xa, ya), (xb, yb) = ([float(text) for text in point] for point in (a, b))
    dx, dy = xa - xb, ya - yb
    if kind == "EUC_2D":
        return int(math.sqrt(dx * dx + dy * dy) + 0.5)
    if kind == "CEIL_2D":
        return math.ceil(math.sqrt(dx * dx + dy * dy))
    if kind == "ATT":
        real = math.sqrt((dx * dx + dy * dy) / 10.0)
        nearest = int(real + 0.5)
        return nearest + 1 if nearest < real else nearest
    (latitude_a, longitude_a), (latitude_b, longitude_b) = ([radians(x) for x in point] for point in ((xa, ya), (xb, yb)))
    q1 = math.cos(longitude_a - longitude_b)
    q2 = math.cos(latitude_a - latitude_b)
    q3 = math.cos(latitude_a + latitude_b)
    return int(6378.388 * math.acos(0.5 * ((1.0 + q1) * q2 - (1.0 - q1) * q3)) + 1.0)


def drawn(seed):
    """`(matrix, lines of the file, what it is)`."""
    rng = random.Random(seed)
    cities = rng.randint(8, 14)
    header = [f"NAME: p{seed}", f"DIMENSION: {cities}"]
    if rng.random() < 0.5:
        kind = rng.choice(COORDINATES)
        scale = rng.choice((3, 20, 1000)) if kind != "GEO" else 60
        places = 2 if kind == "GEO" else rng.choice((0, 0, 2))
        points = [tuple(f"{rng.uniform(-scale, scale):.{places}f}" for _ in range(2)) for _ in range(cities)]
        if kind == "GEO":
            # No two cities in one place, for which arc cosines of rounded numbers need not exist.
            assert len(set(points)) == cities
        matrix = [[distance(kind, a, b) if a is not b else 0 for b in points] for a in points]
        lines = [f"TYPE: {rng.choice(('TSP', 'ATSP'))}", f"EDGE_WEIGHT_TYPE: {kind}", "NODE_COORD_SECTION"]
        lines += [f"{number} {x} {y}" for number, (x, y) in enumerate(points, 1)]
        return matrix, [*header, *lines, "EOF"], kind
    symmetric = rng.random() < 0.5
    low, high = rng.choice(((0, 1), (1, 5), (0, 1000), (-20, 20), (0, 10**9), (-(10**15), 10**15)))
    matrix = [[rng.randint(low, high) if a != b else rng.choice((0, 9999)) for b in range(cities)] for a in range(cities)]
    written = "FULL_MATRIX"
    if symmetric:
        matrix = [[matrix[max(a, b)][min(a, b)] for b in range(cities)] for a in range(cities)]
        written = rng.choice(FORMATS)
    every = range(cities)
    cells = {
        "FULL_MATRIX": [(a, b) for a in every for b in every],
        "UPPER_ROW": [(a, b) for a in every for b in every if a < b],
        "LOWER_ROW": [(a, b) for a in every for b in every if a > b],
        "UPPER_DIAG_ROW": [(a, b) for a in every for b in every if a <= b],
        "LOWER_DIAG_ROW": [(a, b) for a in every for b in every if a >= b],
        "UPPER_COL": [(b, a) for a in every for b in every if b < a],
        "LOWER_COL": [(b, a) for a in every for b in every if b > a],
    }[written]
    numbers = [str(matrix[a][b]) for a, b in cells]
    lines = [f"TYPE: {'TSP' if symmetric else 'ATSP'}", "EDGE_WEIGHT_TYPE: EXPLICIT", f"EDGE_WEIGHT_FORMAT: {written}"]
    lines += ["EDGE_WEIGHT_SECTION"]
    # Line ends do not matter in a matrix.
    while numbers:
        count = rng.randint(1, 12)
        lines.append(" ".join(numbers[:count]))
        numbers = numbers[count:]
    return matrix, [*header, *lines, "EOF"], f"{written}, {'' if symmetric else 'not '}symmetric"


def optimum(matrix):
    """The length of the shortest tour; proved optimal."""
    model = cp_model.CpModel()
    pairs = [(a, b) for a in range(len(matrix)) for b in range(len(matrix)) if a != b]
    arcs = [(a, b, model.new_bool_var("")) for a, b in pairs]
    model.add_circuit(arcs)
    model.minimize(sum(matrix[a][b] * taken for a, b, taken in arcs))
    solver, status = cp_sat_solve(model)
    assert status == cp_model.OPTIMAL, solver.status_name(status)
    return sum(matrix[a][b] for a, b, taken in arcs if solver.value(taken))


def check(report, matrix, answer, shortest, facts):
    report.same("value", int(answer["value"]), shortest, **facts)
    tour = answer["picks"]
    once = sorted(tour) == list(range(len(matrix))) and tour[0] == 0
    report.same("picks are a tour", once, True, **facts)
    report.same("tour in the file's numbers", answer["tour"], [city + 1 for city in tour], **facts)
    if once:
        length = sum(matrix[a][b] for a, b in zip(tour, [*tour[1:], 0]))
        report.same("tour summed again", length, int(answer["value"]), **facts)


def main():
    options = arguments(__doc__.split("\n")[0], instances=200)
    report, names = Report(options, "compare_tsp"), engines("tsp")
    counts = {"problems": options.instances, "not symmetric": 0, "engines": len(names), "answers": 0}
    kinds = {}
    for seed in range(1, options.instances + 1):
        matrix, lines, kind = drawn(seed)
        path = scratch() / "p.tsp"
        path.write_text("\n".join(lines) + "\n")
        shortest = optimum(matrix)
        tours = []
        for engine in names:
            answer = json.loads(run_isx("solve", "tsp", path, "--json", "--engine", engine).stdout)
            facts = {"seed": seed, "kind": kind, "engine": engine}
            check(report, matrix, answer, shortest, facts)
            tours.append(answer["picks"])
            counts["answers"] += 1
        report.same("one tour by every engine", [tour == tours[0] for tour in tours], [True] * len(tours), seed=seed)
        counts["not symmetric"] += "not" in kind
        kinds[kind] = kinds.get(kind, 0) + 1
    summary = (
        "The length of every engine is CP-SAT's for every problem, and the tours are tours of that length."
        if not report.differences
        else "THERE ARE DIFFERENCES: see the JSON."
    )
    return report.write(counts, summary + f" Engines: {', '.join(names)}.", engines=names, kinds=kinds)


if __name__ == "__main__":
    raise SystemExit(main())
