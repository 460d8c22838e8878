"""A longer search: ``python -m tests.mutants --programs 5000 --seed 0 [--log FILE]``.

Prints the mutants at which the transpiler fails or is wrong, and counts what the others are refused
with. A log gets a line for each hundred, and is gone on with.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from tests.mutants.search import FAILURES, Failure, examine
from tests.property.log import Log

CHUNK = 100


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--programs", type=int, default=500, help="how many (default 500)")
    parser.add_argument("--seed", type=int, default=0, help="of the first one (default 0)")
    parser.add_argument("--log", type=Path, help="a file for the results")
    options = parser.parse_args()
    log = Log(options.log, lambda kind: kind not in FAILURES)
    done = log.start(1)
    end = options.seed + options.programs
    for first in range(options.seed, end, CHUNK):
        if first not in done:
            _search(range(first, min(first + CHUNK, end)), log)
    print(", ".join(f"{count} {kind}" for kind, count in log.kinds.most_common()))
    return 1 if log.failures else 0


def _search(seeds: range, log: Log) -> None:
    """Examine the mutants of ``seeds``."""
    start = time.perf_counter()
    found = [examine(seed) for seed in seeds]
    failures = [str(failure) for _, failure in found if isinstance(failure, Failure)]
    for text in failures:
        print(text, flush=True)
    kinds = Counter(kind for kind, _ in found)
    log.kinds.update(kinds)
    log.add(seeds, kinds, time.perf_counter() - start, failures)


if __name__ == "__main__":
    sys.exit(main())
