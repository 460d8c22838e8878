"""A longer search: ``python -m tests.property --programs 50000 --jobs 2 --log FILE``.

Failures are made small and printed. With ``--log`` each chunk adds a line to a file, so that the
search can be stopped, and go on with ``--resume``.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.property.generator import program
from tests.property.log import Log, summary
from tests.property.search import Kind, search

CHUNK = 100  # programs between two lines of the log


@dataclass(frozen=True, slots=True)
class Chunk:
    """The outcomes of the programs of ``seeds``."""

    seeds: range
    kinds: Counter[str]
    found: list[str]
    seconds: float  # of one process


def examine(seeds: range, kind: Kind, jit: bool, show: int) -> Chunk:
    """Check the programs of ``seeds``; the first failures of each kind are reduced."""
    start = time.process_time()
    failures, kinds = search(seeds, kind, jit=jit)
    shown: Counter[str] = Counter()
    found: list[str] = []
    for failure in failures:
        shown[failure.failure.kind] += 1
        if shown[failure.failure.kind] <= show:
            found.append(failure.reduced().text())
    return Chunk(seeds, kinds, found, time.process_time() - start)


def main() -> int:
    options = parser("tests.property").parse_args()
    return run(Kind(partial(program, size=options.size)), options)


def run(kind: Kind, options: argparse.Namespace) -> int:
    """Search among programs of a kind; 1 if there are failures."""
    log = Log(options.log, kind.accepts)
    done = log.start(options.size) if options.resume else log.begin(options.size)
    end = options.seed + options.programs
    starts = [s for s in range(options.seed, end, CHUNK) if s not in done]
    chunks = [range(s, min(s + CHUNK, end)) for s in starts]
    total, began = Counter(log.kinds), time.monotonic()
    for chunk in _examined(chunks, kind, options):
        total += chunk.kinds
        log.add(chunk.seeds, chunk.kinds, chunk.seconds, chunk.found)
        print(*chunk.found, sep="\n\n", end="\n\n" if chunk.found else "")
        rate = (total.total() - log.before) / (time.monotonic() - began)
        print(f"{summary(total)}; {rate:.1f} a second", file=sys.stderr, flush=True)
    return 1 if log.failures else 0


def parser(name: str) -> argparse.ArgumentParser:
    """The options of a search."""
    parser = argparse.ArgumentParser(prog=f"python -m {name}", description=__doc__)
    parser.add_argument("--programs", type=int, default=1000, help="how many (default 1000)")
    parser.add_argument("--seed", type=int, default=0, help="of the first one (default 0)")
    parser.add_argument("--size", type=int, default=3, help="statements in a block (default 3)")
    parser.add_argument("--jit", action="store_true", help="compile; a few seconds for each")
    parser.add_argument("--show", type=int, default=2, help="failures of a kind to reduce, a chunk")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--log", type=Path, help="a file to write to")
    parser.add_argument("--resume", action="store_true", help="leave out what the log has")
    return parser


def _examined(chunks: list[range], kind: Kind, options: argparse.Namespace) -> Iterator[Chunk]:
    one = partial(examine, kind=kind, jit=options.jit, show=options.show)
    if options.jobs == 1:
        yield from map(one, chunks)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        for future in as_completed([pool.submit(one, chunk) for chunk in chunks]):
            yield future.result()


if __name__ == "__main__":
    sys.exit(main())
