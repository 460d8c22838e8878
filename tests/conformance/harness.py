"""Programs judged: the value is Python's, the derivatives are the program's, or a code refuses it.

``judged`` takes one program, ``outcomes`` many; ``tally`` counts what became of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.tangents import Tree
from mooncake_transpiler.compilation import CompiledModule, Crashed
from mooncake_transpiler.verify.deadline import deadline

from tests.conformance.inputs import HEADER, Arguments, arguments
from tests.helpers.transpile import Refusal, compiled, gradient_body, module
from tests.property.check import compared
from tests.property.primal import ROUNDING, Discarded, Primal
from tests.property.reference import reference

SEEDS = (0, 1, 2, 5)
SINGLE = 1e-5  # of programs that have numbers of single precision
PATIENCE = 30.0  # seconds for a program to be transpiled
SECOND = "# mooncake: modes=reverse,forward,hvp\n"


@dataclass(frozen=True, slots=True)
class Program:
    """The text of a module, its function ``name``, and where: at seeds, or at given arguments."""

    source: str
    points: tuple[int | Arguments, ...] = SEEDS
    name: str = "f"


@dataclass(frozen=True, slots=True)
class Outcome:
    """``kind``: "fine"; "discarded" where nothing can be said; "refused MK…"; or what is wrong."""

    kind: str
    message: str = ""

    @property
    def is_wrong(self) -> bool:
        return self.kind not in ("fine", "discarded") and not self.is_refusal

    @property
    def is_refusal(self) -> bool:
        return self.kind.startswith("refused MK")

    @property
    def code(self) -> str:
        return self.kind.removeprefix("refused ") if self.is_refusal else ""

    @property
    def line(self) -> int:
        """The line at which a program is refused."""
        return int(self.message.split(":")[0].split(" ")[1])


def judged(
    source: str,
    *points: int | Arguments,
    name: str = "f",
    jit: bool = False,
    second: bool = False,
) -> Outcome:
    """The outcome for the function ``name`` of a module; ``second``: of second derivatives, too."""
    if second:
        source = re.sub(rf"^def {name}\(", rf"{SECOND}\g<0>", source, count=1, flags=re.MULTILINE)
    return next(outcomes([Program(source, points or SEEDS, name)], jit=jit))


def outcomes(programs: Sequence[Program], *, jit: bool = False) -> Iterator[Outcome]:
    """The outcomes of programs; they are transpiled together, compared one by one."""
    for program, made in zip(programs, transpiled(programs), strict=True):
        yield made if isinstance(made, Outcome) else _compared(program, made, jit)


def tally(found: Iterable[Outcome]) -> str:
    """The numbers of outcomes of each kind, refusals by their codes."""
    kinds = Counter(outcome.kind for outcome in found)
    counts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    return f"{kinds.total()} programs: {counts}"


# ---- transpiling --------------------------------------------------------------------------------


def transpiled(programs: Sequence[Program]) -> list[str | Outcome]:
    """The gradient module of each program, or why there is none.

    A crash while reading ends a run: then each program has one of its own.
    """
    names = [f"program{k}" for k in range(len(programs))]
    sources = {f"{name}.py": p.source for name, p in zip(names, programs, strict=True)}
    try:
        with deadline(PATIENCE * len(programs)):
            results = compiled(sources)
    except Exception as error:
        if len(programs) > 1:
            return [made for program in programs for made in transpiled([program])]
        return [_crash(error)]
    return [_text(results[name]) for name in names]


def _text(result: CompiledModule) -> str | Outcome:
    try:
        return gradient_body(result)
    except Refusal as refusal:
        return Outcome(f"refused {refusal.diagnostics[0].code}", str(refusal))
    except Crashed as crashed:
        return _crash(crashed)
    except AssertionError as nothing:
        return Outcome("nothing", repr(nothing))


def _crash(error: Exception) -> Outcome:
    if isinstance(error, Crashed):
        return Outcome(f"crash {error.crash.error[:60]}", error.crash.traceback)
    return Outcome(f"crash {type(error).__name__}", repr(error))


# ---- comparing ----------------------------------------------------------------------------------


def _compared(program: Program, text: str, jit: bool) -> Outcome:
    """The first failure at any of the points; "fine" if derivatives agree at one."""
    try:
        made = reference(program.source)
        generated = module(text, "program_grad", jit=jit)
    except Exception as error:
        return Outcome(f"import {type(error).__name__}", repr(error))
    kind = "discarded"
    for point in program.points:
        try:
            outcome = _at(program, made, generated, point)
        except Discarded as discarded:
            outcome = Outcome("discarded", str(discarded))
        if outcome.is_wrong:
            return outcome
        kind = outcome.kind if kind == "discarded" else kind
    return Outcome(kind)


def _at(
    program: Program, made: ModuleType, generated: ModuleType, point: int | Arguments
) -> Outcome:
    f: Callable[..., Tree] = getattr(made, program.name)
    args = arguments(f, point) if isinstance(point, int) else point
    smooth, precision = None, ROUNDING
    if "32" in program.source.removeprefix(HEADER):
        precision = SINGLE
        single = any(_is_single(leaf) for _, leaf in tangents.leaves(args))
        center = tangents.map_leaves(_double, args) if single else args  # they may overlap
        smooth = _in_double(program), center
    primal = Primal(f, args, raises=Exception, smooth=smooth, precision=precision)
    if primal.raised and _is_free(primal.raised):
        raise Discarded(repr(primal.raised))
    if isinstance(primal.value, complex) and f.__annotations__["return"] is float:
        raise Discarded("a root of a negative number: nan, as NumPy has it")
    if failure := compared(primal, lambda: generated):
        return Outcome(failure.kind, f"at {args}: {failure.message}")
    return Outcome("fine")


def _in_double(program: Program) -> Callable[..., Tree]:
    """The function in double precision, whose differences say something."""
    made = reference(program.source.replace("np.float32", "np.float64"))
    found: Callable[..., Tree] = getattr(made, program.name)
    return found


def _is_single(leaf: Tree) -> bool:
    return getattr(leaf, "dtype", None) == np.float32


def _double(leaf: Tree) -> Tree:
    return np.float64(leaf) if _is_single(leaf) else leaf


def _is_free(raised: Exception) -> bool:
    """True if KNOWN_LIMITATIONS.md says that derivatives don't raise this exception."""
    match raised:
        case IndexError():
            return True
        case ZeroDivisionError():
            return not str(raised).startswith("integer")
        case ValueError():
            return str(raised) == "math domain error"
        case OverflowError():
            return "math range" in str(raised) or "out of range" in str(raised)
        case _:
            return False
