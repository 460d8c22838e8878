"""The catalogue of functions with derivatives, ``rules/FUNCTIONS.md``, written from the tables."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from mooncake_rules.expr import UNKNOWN, Apply, Arg, Term
from mooncake_rules.library import ALL
from mooncake_rules.op import Prec, ScalarOp
from mooncake_rules.op_names import Home, bare, home
from mooncake_rules.scalar import OPS, SCIPY

ARGUMENTS = "xyzw"
_MODULES = {"np": "numpy", "sp": "scipy.special"}
_KERNELS = {op: name for name, op in reversed(list(SCIPY.items())) if home(op) is Home.RUNTIME}

HEAD = """# Functions with derivatives

Generated from the rules by `pytest tests/golden --update-goldens`.

## Elementwise functions

Of numbers, and of arrays element by element. `x`, `y` … are the arguments, `f` is the result, `rt`
has functions that NumPy lacks. A derivative of 0 is one by declaration: the function is piecewise
constant there. Those marked with a dot are also computed, with their derivatives, by kernels over
CuPy's arrays (`cupy.sin`, `cupyx.scipy.special.erf`).

| function | CuPy | derivative with respect to each argument |
|---|---|---|
"""

LIBRARY = """
## Functions of arrays

Their derivatives follow from what they compute, or from a rule in matrix form. Those marked with °
are for NumPy's arrays alone: CuPy has not got them, or its kernels not.

"""


def markdown(in_kernels: Container[str], on_host: Container[str]) -> str:
    """The catalogue as Markdown; kernels compute the ops ``in_kernels``.

    Functions of arrays that are ``on_host`` are not for those of CuPy.
    """
    rows = []
    for op in _named(OPS.values()):
        mark = "•" if all(name in in_kernels for name in _needed(op)) else ""
        rows.append(f"| `{_spelling(op)}` | {mark} | {_derivatives(op)} |")
    groups: dict[str, list[str]] = {}
    for name in sorted(name for function in ALL for name in function.names):
        owner, _, last = name.rpartition(".")
        title = "methods of arrays" if owner == "ndarray" else f"`{owner}`"
        groups.setdefault(title, []).append(f"`{last}`{'°' if name in on_host else ''}")
    lists = [f"**{title}**: {', '.join(names)}.\n" for title, names in groups.items()]
    return HEAD + "\n".join(rows) + "\n" + LIBRARY + "\n".join(lists)


def _needed(op: ScalarOp) -> Iterator[str]:
    """The ops of the value and of the derivatives."""
    yield op.name
    waiting: list[Term | None] = list(op.partials or ())
    while waiting:
        term = waiting.pop()
        if isinstance(term, Apply):
            yield term.op
            waiting += term.args


def names() -> frozenset[str]:
    """The functions of the catalogue, fully qualified; methods of arrays as ``ndarray.sum``."""
    listed = {name for function in ALL for name in function.names}
    return frozenset(listed | {_spelling(op).partition("(")[0] for op in _named(OPS.values())})


def _named(ops: Iterable[ScalarOp]) -> Iterator[ScalarOp]:
    """The ops that users call by name."""
    for op in ops:
        if op.name in _KERNELS or home(op.name) not in (Home.PYTHON, Home.RUNTIME):
            yield op


def _spelling(op: ScalarOp) -> str:
    library = home(op.name).value
    spelling = _KERNELS.get(op.name, f"{_MODULES.get(library, library)}.{bare(op.name)}")
    return f"{spelling}({', '.join(ARGUMENTS[: op.arity])})"


def _derivatives(op: ScalarOp) -> str:
    texts = partials(op)
    if not texts:
        return "0"
    return ", ".join("0" if text is None else f"`{text}`" for text in texts)


def partials(op: ScalarOp) -> tuple[str | None, ...]:
    """The partials of ``op`` as Python text over `ARGUMENTS` and the result ``f``."""
    return tuple(None if term is None else _text(term)[0] for term in op.partials or ())


def _text(term: Term) -> tuple[str, int]:
    """A term as Python text, and its precedence level."""
    if term == UNKNOWN:
        return "not known", Prec.CALL
    match term:
        case Arg(index=index):
            return ("f" if index < 0 else ARGUMENTS[index]), Prec.CALL
        case Apply(op=name, args=args):
            op = OPS[name]
            level = op.precedence
            parts = []
            for k, arg in enumerate(args):
                text, own = _text(arg)
                weak = own < level or (own == level and k > 0)
                parts.append(f"({text})" if weak and level < Prec.CALL else text)
            return op.template.format(*parts), level
        case int() | float():
            return repr(term), Prec.CALL if term >= 0 else Prec.UNARY
        case _:
            return str(term), Prec.CALL
