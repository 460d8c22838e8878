"""Subjects of differentiation, which each mode takes, and what modes make of them.

A mode makes functions in normal form. They are finished and emitted, or one of them, made ready by
the passes that users' functions go through, is the subject of the next mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.ad.call.callees import Callees
from mooncake_transpiler.ad.services import Services
from mooncake_transpiler.ad.tape.plain import plain
from mooncake_transpiler.interface.last_values import without_last_values
from mooncake_transpiler.reaching import closure
from mooncake_transpiler.types import ArrayLibrary, Tuple


@dataclass(frozen=True, slots=True)
class Stretched:
    """The axes of parameters of the function ``name`` that may turn out to be 1 and be stretched.

    ``wrt`` are its parameters that have cotangents and tangents, in their order.
    """

    name: str
    wrt: tuple[str, ...]
    axes: tuple[str, ...]

    def keywords(self, derivative: str) -> dict[str, tuple[str, ...]]:
        """The keywords of ``entry`` for a derivative of the function; none for most of them."""
        role = _ROLES.get(derivative.removeprefix(self.name))
        return {"stretch": self.axes, role: self.wrt} if role else {}


_ROLES = {"_vjp": "grad", "_value_and_grad": "grad", "_grad": "grad", "_jvp": "along"}


@dataclass(frozen=True, slots=True)
class Derived:
    """The functions emitted for one function, in this order, and the NamedTuples that they need.

    ``inner`` are the functions that are called rather than inlined, and their derivatives; several
    functions of a module may have them in common.
    """

    inner: tuple[ir.Func, ...]
    funcs: tuple[ir.Func, ...]
    structs: tuple[Tuple, ...]
    numbers: frozenset[str] = frozenset()  # parameters of the function that are Python's numbers
    stretched: Stretched | None = None
    library: ArrayLibrary = ArrayLibrary.NUMPY


@dataclass(frozen=True, slots=True)
class Subject:
    """A function of ``program``, the parameters that it is differentiated with respect to.

    ``order``: how many modes have made it what it is. ``structs`` are the NamedTuples of its
    signature that no user has defined.
    """

    func: ir.Func
    wrt: tuple[str, ...]
    program: ir.Program
    services: Services
    order: int = 0
    structs: tuple[Tuple, ...] = ()

    @property
    def active(self) -> list[ir.Value]:
        """The leaves of the parameters that it is differentiated with respect to."""
        return [leaf for p in self.func.params if p.name in self.wrt for leaf in p.leaves]

    def alone(self) -> Subject:
        """The same function with the user's results alone, without last values of fields."""
        return replace(self, func=self.services.pruned(without_last_values(self.func)))

    def callees(self) -> Callees:
        """The functions that it calls, as one mode differentiates them."""
        return Callees.of(self.func, self.program, self.services.pruned)

    def derived(
        self, public: Sequence[ir.Func], inner: Iterable[ir.Func], callees: Callees,
        structs: tuple[Tuple, ...] = (),
    ) -> Derived:  # fmt: skip
        """The functions ``public``, which a mode has made, finished, with those that they call."""

        def finish(made: ir.Func) -> ir.Func:
            return self.services.finished(plain(made, callees.library))

        funcs = tuple(map(finish, public))
        called = reached(funcs, [finish(made) for made in inner])
        return Derived(tuple(called), funcs, (*self.structs, *structs))

    def next(
        self, made: ir.Func, inner: Iterable[ir.Func], callees: Callees, wrt: tuple[str, ...],
        structs: tuple[Tuple, ...],
    ) -> Subject:  # fmt: skip
        """The subject of the next mode: ``made``, which calls ``inner``.

        Calls of functions with a pullback stand in it as they are, so that rules of users and
        ``@nondiff`` hold; but not those that keep floats for their pullback, which has been applied
        by now: what these are the derivative of, only the body tells.
        """
        own = [callees.library.opened(one) for one in (made, *inner)]
        after = replace(self, wrt=wrt, order=self.order + 1, structs=(*self.structs, *structs))
        return after.prepared(own, self.program.funcs)

    def prepared(self, own: Sequence[ir.Func], others: dict[str, ir.Func]) -> Subject:
        """This subject for the functions ``own``, its own first, ready to be differentiated."""
        program = ir.Program({**others, **{func.name: func for func in own}})
        ready = [self.services.prepared(func, program) for func in own]
        known = {**others, **{func.name: func for func in ready}}
        called = reached(ready[:1], list(known.values()))
        program = ir.Program({func.name: func for func in (*called, ready[0])})
        return replace(self, func=ready[0], program=program)


def reached(funcs: Sequence[ir.Func], inner: Sequence[ir.Func]) -> list[ir.Func]:
    """The functions of ``inner`` that ``funcs`` call, directly or not, in their order."""
    by_name = {func.name: func for func in inner}

    def known(func: ir.Func) -> Iterator[str]:
        return (name for name in ir.mentioned(func) if name in by_name)

    seen = closure((n for func in funcs for n in known(func)), lambda name: known(by_name[name]))
    return [func for func in inner if func.name in seen]
