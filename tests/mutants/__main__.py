"""A longer search: ``python -m tests.mutants --programs 5000 --seed 0``.

Prints the mutants at which the transpiler fails, and counts what the others are refused with.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.mutants.search import examine


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--programs", type=int, default=500, help="how many (default 500)")
    parser.add_argument("--seed", type=int, default=0, help="of the first one (default 0)")
    options = parser.parse_args()
    counted: Counter[str] = Counter()
    failures = 0
    for seed in range(options.seed, options.seed + options.programs):
        kind, failure = examine(seed)
        counted[kind] += 1
        if failure is not None:
            failures += 1
            print(failure, flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counted.most_common()))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
