"""A sweep on Ray: python sweep_ray.py SPEC.yaml DIR

Ray computes a chunk again, up to `max_retries` times, if the process or machine that has it dies. RAY_ADDRESS names a
cluster, whose machines share both files and see them under the same paths; without it Ray starts on this machine.
Afterwards: python sweep_curves.py DIR
"""

import sys
from pathlib import Path

import isx.sweep
import ray


@ray.remote(max_retries=10)
def compute(spec: str, out: str, chunk: int) -> None:
    isx.sweep.run_chunk(spec, chunk, out=out)


def main(spec: str, out: str) -> None:
    spec, out = str(Path(spec).resolve()), str(Path(out).resolve())
    ray.init()
    ray.get([compute.remote(spec, out, k) for k in isx.sweep.chunks(spec, out=out)])


if __name__ == "__main__":
    main(*sys.argv[1:])
