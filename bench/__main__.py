"""``python -m bench``: the cost of derivatives relative to the primal, as a table."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

QUIET = {
    # One thread everywhere.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    "JAX_PLATFORMS": "cpu",
    "JAX_ENABLE_X64": "1",
    # glibc's thresholds adapt to what ran before, and with them the cost of an allocation.
    "MALLOC_MMAP_THRESHOLD_": "268435456",
    "MALLOC_TRIM_THRESHOLD_": "268435456",
}

HVP_LIMIT = 4.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("only", nargs="*", help="functions to measure (default: all)")
    parser.add_argument("--rounds", type=int, default=25, help="samples of each contender")
    parser.add_argument(
        "--mode", choices=("reverse", "forward", "hvp"), default="reverse",
        help="value and gradient; value and tangent; gradient and Hessian times a direction "
        "(of the last two, ours alone)",
    )  # fmt: skip
    parser.add_argument("--no-compare", action="store_true", help="leave out jax and autograd")
    parser.add_argument("--cuda", action="store_true", help="measure kernels of CuPy on a GPU")
    arguments = parser.parse_args()
    if arguments.cuda:
        from bench.cuda import run as run_cuda

        run_cuda(set(arguments.only))
        return
    if any(os.environ.get(key) != value for key, value in QUIET.items()):
        # What the settings are for reads them when it is loaded: start again with them.
        os.execve(
            sys.executable, [sys.executable, "-m", "bench", *sys.argv[1:]], os.environ | QUIET
        )
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:  # an empty one, so that compile times are real
        os.environ["NUMBA_CACHE_DIR"] = folder
        compare = not arguments.no_compare and arguments.mode == "reverse"
        run(set(arguments.only), arguments.rounds, compare, arguments.mode, Path(folder))


def run(only: set[str], rounds: int, compare: bool, mode: str, folder: Path) -> None:
    from bench.dense import show_dense
    from bench.measure import measure, memory
    from bench.objects import show_objects
    from bench.primal import EXAMPLES, PROGRAMS
    from bench.report import show, show_memory
    from bench.rows import ROWS
    from bench.transpile import transpile_seconds, with_hvp

    rows = [row for row in ROWS if not only or row.function in only]
    if mode == "forward":
        rows = [replace(row, limit=row.forward) for row in rows]
    elif mode == "hvp":
        rows = [replace(row, limit=HVP_LIMIT, short=False) for row in with_hvp(rows, folder)]
    show([(row, measure(row, rounds, compare, mode)) for row in rows], compare)
    if not only:
        show_objects(rounds)
        show_dense(rounds)
    show_memory([(row, memory(row, mode)) for row in rows])  # last: from here on it is traced
    for folder in (EXAMPLES, PROGRAMS):
        print(transpile_seconds(folder))


if __name__ == "__main__":
    main()
