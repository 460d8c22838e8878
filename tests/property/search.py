"""Check many random programs, and make what fails small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from tests.property.check import Discarded, Failure, check
from tests.property.generator import inputs, program
from tests.property.reduce import reduced

# Refusals that are limits of the language, stated in the diagnostic; any other is a failure.
LIMITS = ("refused MK401",)


@dataclass(frozen=True, slots=True)
class Finding:
    seed: int
    source: str
    failure: Failure
    jit: bool = False

    def reduced(self) -> Finding:
        """The same kind of failure in a smaller program."""
        args = inputs(self.seed)
        last = self.failure

        def holds(source: str) -> bool:
            nonlocal last
            try:
                failure = check(source, args, jit=self.jit)
            except Discarded:
                return False
            if failure is None or failure.kind != self.failure.kind:
                return False
            last = failure
            return True

        source = reduced(self.source, holds, 20 if self.jit else 600)
        return Finding(self.seed, source, last, self.jit)

    def text(self) -> str:
        return (
            f"# seed {self.seed}: {self.failure.kind}\n{self.source}\n"
            f"# inputs: {inputs(self.seed)!r}\n# {self.failure.message}"
        )


def search(
    seeds: Iterable[int], size: int = 4, jit: bool = False
) -> tuple[list[Finding], Counter[str]]:
    """The failures among the programs of ``seeds``, and how many of each kind there were."""
    found: list[Finding] = []
    kinds: Counter[str] = Counter()
    for seed in seeds:
        source = program(seed, size)
        try:
            failure = check(source, inputs(seed), jit=jit)
        except Discarded:
            kinds["discarded"] += 1
            continue
        kinds[failure.kind if failure else "fine"] += 1
        if failure and failure.kind not in LIMITS:
            found.append(Finding(seed, source, failure, jit))
    return found, kinds
