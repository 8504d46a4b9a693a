"""The curves of a sweep, by SQL over its chunks: python sweep_curves.py DIR.. [--csv FILE] [--pictures DIR]

DIR holds the chunks that `isx sweep run` or `isx.sweep.run_chunk` wrote; of several folders the chunks are taken together.
Needs DuckDB, and for pictures Matplotlib.

A row of the table is a point of the grid under one combination of paired values. A set that was not decided counts as
rejected for the lower end of an interval, and as accepted for the upper one; intervals are Wilson's at 95 % (Journal of the
American Statistical Association 22, 1927). Means of breakdown utilizations and quantiles of least areas have the two ends
that the undecided sets leave. `weighted` is the sum of the utilizations of the accepted sets divided by that of all, over
all utilizations of the grid (Bastoni, Brandenburg and Anderson, OSPERT 2010); `compared` is McNemar's exact test of paired
values.
"""

import argparse
import csv
import itertools
import math
import sys
from fractions import Fraction
from pathlib import Path

import duckdb

# Numbers may have hundreds of digits: 18 of them are more than a double holds.
MACROS = """
create macro lead(digits) as cast(left(digits, 18) as double);
create macro fraction(num, den) as lead(num) / lead(den) * pow(10, greatest(length(num), 18) - greatest(length(den), 18));
create macro number(text) as fraction(split_part(text, '/', 1), coalesce(nullif(split_part(text, '/', 2), ''), '1'));
create macro z() as 1.959963984540054::double;
create macro wilson(accepted, sets, sign) as
    case when accepted = sets * (sign + 1) / 2 then (sign + 1) / 2 else (accepted / sets + z() * z() / 2 / sets
        + sign * z() * sqrt(accepted / sets * (1 - accepted / sets) / sets + z() * z() / 4 / sets / sets))
    / (1 + z() * z() / sets) end;
create macro ranked(areas, percent) as nullif(list_sort(areas)[greatest(ceil(len(areas) * percent / 100), 1)::bigint], 'inf');
"""
QUANTILES = (10, 50, 90)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Sweep:
    """The records of all chunks, as the view `records`; `u` is the utilization in software."""

    def __init__(self, *folders):
        files = [str(file) for folder in folders for file in sorted(Path(folder).glob("*.parquet"))]
        if not files:
            raise SystemExit(f"error: no chunks are in {', '.join(map(str, folders))}: `isx sweep run` writes them")
        self.sql = duckdb.connect()
        self.sql.execute(MACROS)
        texts = {bytes(text).decode() for (text,) in self.sql.execute(
            "select distinct value from parquet_kv_metadata(?) where key = 'isx.sweep'::blob", [files]).fetchall()}
        if len(texts) != 1:
            raise SystemExit(f"error: these are the chunks of {len(texts)} sweeps: name the folders of one")
        (self.specification,) = texts
        listed = ", ".join("'" + file.replace("'", "''") + "'" for file in files)
        # A chunk that stands in two folders counts once.
        self.sql.execute(f"""create view records as
            select distinct *, fraction(utilization_num, utilization_den) as u from read_parquet([{listed}])""")
        names = [row[0] for row in self.sql.execute("describe records").fetchall()]
        keys = self.keys()
        self.grid, self.paired = ([name for name in names if name in keys[part]] for part in ("grid", "paired"))
        self.axes = self.grid + self.paired or ["point"]
        budgets = [name for name in names if name.startswith("accepted_") and name != "accepted_any"]
        self.tests = {name: f"area {name.removeprefix('accepted_')}" for name in budgets}
        self.has_area, self.has_breakdown = "min_area" in names, "breakdown" in names
        if self.has_area:
            self.tests["accepted_any"] = "any area"

    def keys(self):
        """The keys of `grid` and `paired` in the specification."""
        found, part = {"grid": [], "paired": []}, None
        for line in self.specification.splitlines():
            if not line.startswith(" "):
                part = line.partition(":")[0]
            elif part in found:
                found[part].append(line.partition(":")[0].strip())
        return found

    def rows(self, query, *values):
        self.sql.execute(query, list(values))
        names = [column[0] for column in self.sql.description]
        return [dict(zip(names, row, strict=True)) for row in self.sql.fetchall()]

    def curves(self):
        """A row per point and combination of paired values."""
        figures = ["count(*) as sets", "avg(u) as mean_utilization"]
        for column, test in self.tests.items():
            name, accepted = test.replace(" ", "_"), f"count(*) filter ({quoted(column)})"
            unknown = f"count(*) filter ({quoted(column)} is null)"
            figures += [f"{accepted} as {quoted('accepted_' + name)}", f"{unknown} as {quoted('unknown_' + name)}",
                        f"{accepted} / count(*) as {quoted('ratio_' + name)}",
                        f"wilson({accepted}, count(*), -1) as {quoted('low_' + name)}",
                        f"wilson({accepted} + {unknown}, count(*), 1) as {quoted('high_' + name)}"]
        if self.has_breakdown:
            figures += [f"avg(number(breakdown_{end})) as mean_breakdown_{end}" for end in ("low", "high")]
            figures.append("count(*) filter (breakdown is null) as unknown_breakdown")
        if self.has_area:
            least = "case when accepted_any is false then 'inf' else coalesce(min_area_low::double, 0) end"
            most = "coalesce(min_area_high::double, 'inf')"
            figures += [f"ranked(list({area}), {percent}) as min_area_{percent}_{end}"
                        for percent in QUANTILES for end, area in (("low", least), ("high", most))]
            figures.append("count(*) filter (unknown and min_area is null and accepted_any is not false) as unknown_min_area")
        axes = ", ".join(map(quoted, self.axes))
        return self.rows(f"select {axes}, {', '.join(figures)} from records group by {axes} order by min(point), {axes}")

    def weighted(self):
        """Weighted schedulability, a row per combination of all values but the utilization."""
        if "utilization" not in self.grid or not self.tests:
            return []
        axes = [quoted(axis) for axis in self.axes if axis != "utilization"]
        figures = [f"coalesce(sum(u) filter ({condition}), 0) / sum(u) as {quoted(end + '_' + test.replace(' ', '_'))}"
                   for column, test in self.tests.items()
                   for end, condition in (("low", quoted(column)), ("high", f"coalesce({quoted(column)}, true)"))]
        order = f"group by {', '.join(axes)} order by {', '.join(axes)}" if axes else ""
        return self.rows(f"select {', '.join([*axes, *figures])} from records {order}")

    def compared(self):
        """Two combinations of paired values on the same sets: how many only one of them accepts."""
        chosen = [dict(row) for row in self.rows(f"select distinct {', '.join(map(quoted, self.paired))} from records order by all")] \
            if self.paired else []
        found = []
        for column, test in self.tests.items():
            for first, second in itertools.combinations(chosen, 2):
                where = " and ".join(f"{side}.{quoted(key)} = ?" for side in "ab" for key in self.paired)
                a, b = f"a.{quoted(column)}", f"b.{quoted(column)}"
                (counts,) = self.rows(f"""select count(*) filter ({a} and not {b}) as only_first,
                    count(*) filter ({b} and not {a}) as only_second, count(*) filter ({a} is null or {b} is null) as unknown
                    from records a join records b using (point, index) where {where}""",
                    *(row[key] for row in (first, second) for key in self.paired))
                found.append({"test": test, "first": named(first), "second": named(second), **counts,
                              "p": mcnemar(counts["only_first"], counts["only_second"])})
        return found

    def pictures(self, folder):
        """A picture per figure against the utilization, or the first axis of several numbers."""
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
        rows = self.curves()
        several = [axis for axis in self.axes if len({row[axis] for row in rows}) > 1]
        numeric = [axis for axis in several if not isinstance(rows[0][axis], str)]
        if not numeric:
            raise SystemExit("error: no axis has several numbers to draw the curves against")
        x = "utilization" if "utilization" in numeric else numeric[0]
        lines = {}
        for row in rows:
            lines.setdefault(named({axis: row[axis] for axis in several if axis != x}) or "all sets", []).append(row)
        figures = [(f"Acceptance ratio, {test}", *(f"{end}_{test.replace(' ', '_')}" for end in ("ratio", "low", "high")))
                   for test in self.tests.values()]
        if self.has_area:
            figures.append(("Least area, median; band: 10 to 90 % of the sets", "min_area_50_high", "min_area_10_low", "min_area_90_high"))
        if self.has_breakdown:
            figures.append(("Mean breakdown utilization", "mean_breakdown_low", "mean_breakdown_low", "mean_breakdown_high"))
        Path(folder).mkdir(parents=True, exist_ok=True)
        # Color, marker and dashes together tell more curves apart than there are colors.
        styles = list(itertools.product(("-", "--", ":"), "osD^vP"))
        for title, middle, low, high in figures:
            figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
            for number, (name, own) in enumerate(lines.items()):
                dashes, marker = styles[number % len(styles)]
                style = {"color": f"C{number % 10}", "linestyle": dashes, "marker": marker, "label": name}
                own = [row for row in own if row[middle] is not None]
                at = [float(row[x]) for row in own]
                axes.plot(at, [row[middle] for row in own], markersize=4, **style)
                ends = [(row[low], row[high]) for row in own]
                if ends and all(end is not None for pair in ends for end in pair):
                    axes.fill_between(at, *zip(*ends, strict=True), color=style["color"], alpha=0.15, linewidth=0)
            axes.set(title=title, xlabel=x)
            axes.grid(alpha=0.3)
            axes.legend(loc="center left", bbox_to_anchor=(1, 0.5), fontsize="small")
            name = "".join(letter if letter.isalnum() else "-" for letter in title.partition(";")[0].lower())
            figure.savefig(Path(folder) / f"{name}.svg")
            plt.close(figure)
        return len(figures)


def named(values):
    return ", ".join(f"{key}={value}" for key, value in values.items())


def mcnemar(one, other):
    """The probability of a difference at least as large, if both were of equal merit."""
    count, most = one + other, max(one, other)
    tail = Fraction(sum(math.comb(count, k) for k in range(most, count + 1)), 2**count)
    return float(min(2 * tail, 1)) if one != other else 1.0


def write(rows, out):
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: f"{value:.9g}" if isinstance(value, float) else value for key, value in row.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", metavar="DIR")
    parser.add_argument("--table", choices=["curves", "weighted", "compared"], default="curves", help="what to write (curves)")
    parser.add_argument("--csv", default="-", metavar="FILE", help="file to write, or - for standard output (-)")
    parser.add_argument("--pictures", metavar="DIR", help="draw the curves into this folder, as SVG")
    options = parser.parse_args()
    sweep = Sweep(*options.folders)
    rows = getattr(sweep, options.table)()
    if rows:
        if options.csv == "-":
            write(rows, sys.stdout)
        else:
            with open(options.csv, "w", encoding="utf-8", newline="") as out:
                write(rows, out)
    if options.pictures:
        print(f"{sweep.pictures(options.pictures)} pictures are in {options.pictures}", file=sys.stderr)


if __name__ == "__main__":
    main()
