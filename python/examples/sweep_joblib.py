"""A sweep on the processes of one machine, by joblib: python sweep_joblib.py SPEC.yaml DIR

If a process is killed, the run ends with an error; the same command goes on.
Afterwards: python sweep_curves.py DIR
"""

import sys

import isx.sweep
import joblib


def compute(spec: str, out: str, chunk: int) -> None:
    isx.sweep.run_chunk(spec, chunk, out=out)


def main(spec: str, out: str) -> None:
    joblib.Parallel(n_jobs=-1)(joblib.delayed(compute)(spec, out, k) for k in isx.sweep.chunks(spec, out=out))


if __name__ == "__main__":
    main(*sys.argv[1:])
