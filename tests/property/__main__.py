"""``python -m tests.property --programs N --seed S``: a longer search, failures made small."""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from tests.property.search import search

STEP = 50  # programs between two signs of life


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.property", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first one (default 0)")
    parser.add_argument("--size", type=int, default=4, help="statements in a block (default 4)")
    parser.add_argument("--jit", action="store_true", help="compile; a few seconds for each")
    parser.add_argument("--show", type=int, default=3, help="failures of a kind to print")
    options = parser.parse_args()
    shown: Counter[str] = Counter()
    total: Counter[str] = Counter()
    end = options.seed + options.programs
    for start in range(options.seed, end, STEP):
        seeds = range(start, min(start + STEP, end))
        found, kinds = search(seeds, options.size, options.jit)
        total += kinds
        for finding in found:
            shown[finding.failure.kind] += 1
            if shown[finding.failure.kind] <= options.show:
                print(finding.reduced().text(), end="\n\n", flush=True)
        print(f"{seeds.stop - options.seed} programs: {dict(total)}", file=sys.stderr, flush=True)
    return 1 if shown else 0


if __name__ == "__main__":
    sys.exit(main())
