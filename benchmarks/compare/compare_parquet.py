"""The chunks of a sweep, read by pyarrow, polars and DuckDB: rows, columns, types and sums must agree.

    python compare_parquet.py --out DIR [--sets 400]

Needs a build of isx with the feature `full`, and pyarrow, polars and duckdb. Every column is summed: numbers as they are,
truth values and nulls counted, texts hashed in order.
"""

import hashlib
from decimal import Decimal

import duckdb
import polars
import pyarrow
import pyarrow.parquet
from harness import Report, arguments, run_isx, scratch

SPEC = """schema: isx.sweep/1
seed: 28
sets_per_point: {sets}
grid: {{utilization: 0.8..1.4/0.2, tasks: [4, 8], deadlines: [implicit, "constrained:0.80..1.00"]}}
paired: {{scheduler: [edf, dm], switch: [0, 500]}}
recipe: {{choices: 3, periods: [10ms, 20ms, 40ms]}}
measure: [min_area, least_utilization, breakdown, points]
budgets: [0, 2500.5]
"""


def kind(name):
    """The type of a column in words that all three share."""
    name = str(name).lower()
    words = {
        "integer": ("int64", "bigint"),
        "truth value": ("bool",),
        "text": ("string", "varchar", "large_string"),
        "decimal": ("decimal",),
        "double": ("double", "float64"),
    }
    return next((word for word, starts in words.items() if name.startswith(starts)), name)


def summed(values):
    """The figures of a column: how many nulls, and a sum or a hash of the rest."""
    there = [value for value in values if value is not None]
    if all(isinstance(value, (bool, int, Decimal)) for value in there):
        return len(values) - len(there), str(sum(there))
    if all(isinstance(value, float) for value in there):
        return len(values) - len(there), f"{sum(there):.9f}"
    return len(values) - len(there), hashlib.sha256("\n".join(map(str, there)).encode()).hexdigest()


def by_pyarrow(files):
    table = pyarrow.concat_tables([pyarrow.parquet.read_table(file) for file in files])
    return [(field.name, kind(field.type), *summed(table[field.name].to_pylist())) for field in table.schema]


def by_polars(files):
    frame = polars.read_parquet(files)
    return [(name, kind(dtype), *summed(frame[name].to_list())) for name, dtype in frame.schema.items()]


def by_duckdb(files):
    found = duckdb.read_parquet([str(file) for file in files])
    columns = list(zip(*found.fetchall(), strict=True))
    return [(name, kind(dtype), *summed(values)) for name, dtype, values in zip(found.columns, found.types, columns)]


def main():
    options = arguments(__doc__.split("\n")[0], sets=400)
    report = Report(options, "compare_parquet")
    folder = scratch()
    (folder / "sweep.yaml").write_text(SPEC.format(sets=options.sets))
    run_isx("sweep", "run", "sweep.yaml", "--out", "sweep")
    files = sorted((folder / "sweep").iterdir())
    one, *others = by_pyarrow(files), by_polars(files), by_duckdb(files)
    for reader, other in zip(("polars", "DuckDB"), others):
        report.same_list(f"columns by {reader}", other, one)
    metadata = [pyarrow.parquet.read_metadata(file) for file in files]
    counts = {"rows": sum(own.num_rows for own in metadata), "columns": len(one), "chunks": len(files)}
    rows = [f"| `{column}` | {what} | {nulls} | `{total[:24]}` |" for column, what, nulls, total in one]
    for own in metadata:
        report.same("each has the specification", b"seed: 28" in (own.metadata or {}).get(b"isx.sweep", b""), True)
    report.same("rows", counts["rows"], options.sets * 16 * 4)
    summary = "\n".join(["| column | type | nulls | sum or SHA-256 |", "|---|---|---:|---|", *rows])
    return report.write(counts, summary)


if __name__ == "__main__":
    raise SystemExit(main())
