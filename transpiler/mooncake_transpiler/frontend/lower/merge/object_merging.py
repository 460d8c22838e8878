"""Objects that may be one of two after a branch, or others in each iteration of a loop.

Such an object becomes one whose fields are chosen between, or carried. That is right as long as
nothing else holds one of the two; if something does, none of them may be changed any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field

from mooncake_transpiler.frontend.lower.object import containers, objects
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.identities import Ref
from mooncake_transpiler.frontend.lower.state.operands import Operand, State
from mooncake_transpiler.frontend.lower.state.tabled import KeysNeeded
from mooncake_transpiler.reaching import closure


@dataclass(slots=True)
class Joined:
    """The objects that pairs of objects become, each pair once."""

    ctx: Context
    why: str
    pairs: dict[tuple[str, str], Ref] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)  # of which pairs an object is part

    def join(self, a: Ref, b: Ref, hint: str, *, are_numbers: bool) -> tuple[Ref, bool]:
        """The object that stands for ``a`` or ``b``, and True if it is new.

        ``are_numbers``: both are lists in pools, which are told apart by their numbers.
        """
        key = (a.key, b.key)
        if key in self.pairs:
            return self.pairs[key], False
        made = self.pairs[key] = objects.new(self.ctx, a.cls, hint or a.hint)
        if are_numbers:
            return made, True
        self.ctx.heap.parts[made.key] = frozenset(key)
        for part in dict.fromkeys(key):
            self.names.setdefault(part, []).append(made.key)
        return made, True

    def check(self, values: Iterable[tuple[str, Operand]]) -> None:
        """Objects that are held elsewhere, or are part of several pairs, may not be changed.

        Nor what may be one of those that must not be.
        """
        held = objects.holders(self.ctx, values)
        ambiguous = self.ctx.heap.ambiguous
        for part, made in self.names.items():
            if part in held or len(made) > 1 or part in ambiguous:
                why = ambiguous.get(part, self.why)
                for key in (part, *made):
                    ambiguous.setdefault(key, why)


def reached(ctx: Context, keys: Set[str], stop: Set[str], *, swapped: bool) -> frozenset[str]:
    """The keys of what the objects of ``keys`` may be, themselves too; not beyond ``stop``.

    ``swapped``: also those that loops only swap with each other, so that all stay different.
    """

    def parts(key: str) -> Iterable[str]:
        goes_on = key not in stop and (swapped or key not in ctx.heap.permuted)
        return ctx.heap.parts.get(key, frozenset()) if goes_on else ()

    return frozenset(closure(keys, parts))


def check_searched(ctx: Context, a: Ref, first: State, b: Ref, second: State) -> None:
    """Let a dict whose keys are known be searched for its keys where the other one is."""
    if not containers.is_dict(a) or ctx.unrollable:
        return
    sides = ((a, first), (b, second))
    known = [ref for ref, state in sides if not _is_searched(ref, state)]
    made_at = ctx.heap.made_at.get(known[0].key) if len(known) == 1 else None
    if made_at is not None and made_at not in ctx.heap.plan.searched:
        message = "the keys of this dict are known on one path, and not on another"
        same = "give all paths the same keys, with np.zeros(0) or 0.0 for what is not there"
        help_ = f"raise an exception where there is no result, or {same}"
        raise KeysNeeded(made_at, ctx.refuse(made_at, "MK330", message, help_))


def _is_searched(ref: Ref, state: State) -> bool:
    return containers.is_of_pairs(state.values.get(containers.variable(ref)))


def common_fields(
    values_a: Iterable[str], a: Ref, values_b: Iterable[str], b: Ref
) -> Iterator[str]:
    """The fields that both objects may have, then those of one of them."""
    yield from dict.fromkeys((*objects.fields_in(values_a, a), *objects.fields_in(values_b, b)))
