"""Check many random programs, and make what fails small."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from tests.property.check import Failure, check
from tests.property.primal import Discarded
from tests.property.reduce import reduced

# Refusals that are limits of the language, stated in the diagnostic; any other is a failure.
# MK211: an exception may leave a variable unset; MK320: an object that may be another one is
# changed; MK331: a list of run-time items; MK351 and MK353: exceptions out of helpers that call
# each other, and through ``finally``; MK361: a field of a parameter gets another parameter's
# object; MK371: an item in the midst of a list of run-time length is popped; MK401: an array that a
# loop binds anew.
CODES = ("MK211", "MK320", "MK331", "MK351", "MK353", "MK361", "MK371", "MK401")
LIMITS = tuple(f"refused {code}" for code in CODES)
COLLECT = 100  # programs between two collections of garbage


Check = Callable[[str, int, bool], Failure | None]  # of a program at a seed; compiled?


def is_limit(kind: str) -> bool:
    return kind in LIMITS


@dataclass(frozen=True, slots=True)
class Kind:
    """Programs by their seeds, how they are checked, and the outcomes that are no failures."""

    make: Callable[[int], str]
    check: Check = check
    accepts: Callable[[str], bool] = is_limit


@dataclass(frozen=True, slots=True)
class Finding:
    seed: int
    source: str
    failure: Failure
    jit: bool = False
    check: Check = check

    def reduced(self, attempts: int = 600) -> Finding:
        """The same kind of failure in a smaller program."""
        last = self.failure

        def holds(source: str) -> bool:
            nonlocal last
            try:
                failure = self.check(source, self.seed, self.jit)
            except Discarded:
                return False
            if failure is None or failure.kind != self.failure.kind:
                return False
            last = failure
            return True

        source = reduced(self.source, holds, 20 if self.jit else attempts)
        return replace(self, source=source, failure=last)

    def text(self) -> str:
        message = "\n".join(f"# {line}" for line in self.failure.message.splitlines())
        return f"# seed {self.seed}: {self.failure.kind}\n{self.source}\n{message}"


def search(
    seeds: Iterable[int], kind: Kind, *, jit: bool = False
) -> tuple[list[Finding], Counter[str]]:
    """The failures among the programs of ``seeds``, and how many of each outcome there were."""
    found: list[Finding] = []
    kinds: Counter[str] = Counter()
    with _collecting() as collect:
        for at, seed in enumerate(seeds):
            source = kind.make(seed)
            try:
                failure = kind.check(source, seed, jit)
            except Discarded:
                kinds["discarded"] += 1
                continue
            kinds[failure.kind if failure else "fine"] += 1
            if failure and not kind.accepts(failure.kind):
                found.append(Finding(seed, source, failure, jit, kind.check))
            if at % COLLECT == 0:
                collect()
    return found, kinds


@contextmanager
def _collecting() -> Iterator[Callable[[], int]]:
    """Garbage is collected when asked for: by itself it would take a fifth of the time."""
    gc.freeze()
    gc.disable()
    try:
        yield gc.collect
    finally:
        gc.enable()
        gc.unfreeze()
