"""A sweep on Dask: python sweep_dask.py SPEC.yaml DIR [SCHEDULER]

Dask starts workers that die again, and gives their chunks to others. SCHEDULER is the address of a cluster, such as
tcp://10.0.0.1:8786, whose machines share both files and see them under the same paths; without it Dask starts on this
machine. Afterwards: python sweep_curves.py DIR
"""

import sys
from pathlib import Path

import dask
import isx.sweep
from dask.distributed import Client


def compute(spec: str, out: str, chunk: int) -> None:
    isx.sweep.run_chunk(spec, chunk, out=out)


def main(spec: str, out: str, scheduler: str | None = None) -> None:
    spec, out = str(Path(spec).resolve()), str(Path(out).resolve())
    # A chunk that was under way each time that a worker died is not given up.
    dask.config.set({"distributed.scheduler.allowed-failures": 10})
    # One thread for each process: a chunk keeps a core busy.
    with Client(scheduler) if scheduler else Client(threads_per_worker=1, dashboard_address=None) as client:
        client.gather([client.submit(compute, spec, out, k) for k in isx.sweep.chunks(spec, out=out)])


if __name__ == "__main__":
    main(*sys.argv[1:])
