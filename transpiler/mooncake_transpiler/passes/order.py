"""The order of the passes: before differentiation, and before a derivative is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from mooncake_transpiler import ir
from mooncake_transpiler.passes.bounds import bounds
from mooncake_transpiler.passes.carried_sizes import carried_sizes, carried_sizes_known
from mooncake_transpiler.passes.code_sinking import code_sinking
from mooncake_transpiler.passes.copy_elision import copy_elision, copy_elision_known
from mooncake_transpiler.passes.dead_zeros import dead_zeros
from mooncake_transpiler.passes.detached import detached
from mooncake_transpiler.passes.final_copies import final_copies
from mooncake_transpiler.passes.free_copies import free_copies
from mooncake_transpiler.passes.guards import guards
from mooncake_transpiler.passes.hoist import hoist, hoist_numbers
from mooncake_transpiler.passes.induction import induction
from mooncake_transpiler.passes.invariant_numbers import invariant_numbers
from mooncake_transpiler.passes.load_forwarding import load_forwarding
from mooncake_transpiler.passes.loop_checks import loop_checks
from mooncake_transpiler.passes.loop_fusion import loop_fusion
from mooncake_transpiler.passes.merged_clears import merged_clears
from mooncake_transpiler.passes.nested_choices import nested_choices
from mooncake_transpiler.passes.overlap_copies import overlap_copies
from mooncake_transpiler.passes.product_initialisation import product_initialisation
from mooncake_transpiler.passes.raised_arms import raised_arms
from mooncake_transpiler.passes.reassociate import reassociate
from mooncake_transpiler.passes.scalar_replacement import scalar_replacement
from mooncake_transpiler.passes.sharing import sharing, sharing_known
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.passes.sums_in_place import sums_in_place
from mooncake_transpiler.passes.unread_zeros import unread_zeros
from mooncake_transpiler.passes.while_to_for import while_to_for
from mooncake_transpiler.passes.zero_initialisation import zero_initialisation

Pass = Callable[[ir.Func], ir.Func]
Passes = tuple[tuple[str, Pass], ...]


def passes_of(program: ir.Program, *, check_bounds: bool) -> Passes:
    """``PASSES``, with what is known about functions of ``program`` that have a pullback.

    With ``check_bounds`` indices are tested once nothing moves them any more.
    """
    ruled = {f.name: f for f in program.funcs.values() if f.pullback}
    known: dict[Pass, Pass] = {
        copy_elision: partial(copy_elision_known, ruled), sharing: partial(sharing_known, ruled),
        carried_sizes: partial(carried_sizes_known, ruled),
    }  # fmt: skip
    made = [(name, known.get(pass_, pass_)) for name, pass_ in PASSES]
    if check_bounds:
        made.insert(1 + PASSES.index(("load-forwarding", load_forwarding)), BOUNDS)
    return tuple(made)


# What is done to a function between inlining and differentiation.
PASSES: Passes = (
    ("raised-arms", raised_arms),
    ("sharing", sharing),
    ("detached", detached),
    ("fold", simplify),
    ("guards", guards),
    ("sums-in-place", sums_in_place),
    ("while-to-for", while_to_for),
    ("induction", induction),
    ("overlap-copies", overlap_copies),
    ("free-copies", free_copies),
    ("carried-sizes", carried_sizes),
    ("hoist", hoist),
    ("invariant-numbers", invariant_numbers),
    ("copy-elision", copy_elision),
    ("final-copies", final_copies),
    ("clean-up", simplify),
    ("loop-fusion", loop_fusion),
    ("load-forwarding", load_forwarding),
    ("loop-checks", loop_checks),
    ("simplify", simplify),
    ("nested-choices", nested_choices),
    ("code-sinking", code_sinking),
)
BOUNDS: tuple[str, Pass] = ("bounds", bounds)  # after load forwarding, where that is asked for

# What is done to a derivative function before emission.
FINISHING: Passes = (
    ("derive", simplify),
    ("guards-derived", guards),
    ("overlap-copies-derived", overlap_copies),
    ("free-copies-derived", free_copies),
    ("hoist-derived", hoist),
    ("clean", simplify),
    ("scalar-replacement", scalar_replacement),
    ("merged-clears", merged_clears),
    ("product-initialisation", product_initialisation),
    ("zero-initialisation", zero_initialisation),
    ("dead-zeros", dead_zeros),
    ("unread-zeros", unread_zeros),
    ("loop-fusion-derived", loop_fusion),
    ("load-forwarding-derived", load_forwarding),
    ("final-copies-derived", final_copies),
    ("reassociate", reassociate),
    ("finish", simplify),
)


def finish(func: ir.Func, passes: Passes = FINISHING) -> ir.Func:
    """A derivative function as emission wants it."""
    *_, (_, func) = applied(func, passes)
    return func


# What makes loops faster that run one iteration after the other, and ties these to one another, or
# hides that they push to stacks (`emit/cuda/loop/stack_blocks.py`).
_SEQUENTIAL = (scalar_replacement, reassociate, induction)


def of_kernels(passes: Passes) -> Passes:
    own = ((name, pass_) for name, pass_ in passes if pass_ not in _SEQUENTIAL)
    return tuple((name, hoist_numbers if pass_ is hoist else pass_) for name, pass_ in own)


def applied(func: ir.Func, passes: Passes) -> Iterator[tuple[str, ir.Func]]:
    """The results of ``passes`` on ``func``, one after another, by the name of the pass.

    Passes are idempotent: one whose own result is still unchanged is not run again.
    """
    made: dict[Pass, ir.Func] = {}
    for name, pass_ in passes:
        if made.get(pass_) is not func:
            func = made[pass_] = pass_(func)
        yield name, func
