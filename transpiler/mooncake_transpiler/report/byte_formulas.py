"""Sizes of saved values in bytes, as formulas in the sizes of arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.access import definitions_of, view_axes
from mooncake_transpiler.analysis.shapes import Shapes
from mooncake_transpiler.types import Array

# A number, a symbol, or an operation on two of these.
Size = int | str | tuple[str, "Size", "Size"]
_OPERATIONS = {"add": "+", "sub": "-", "mul": "*", "floordiv": "//", "mod": "%"}
_EXTREMA = {"max": "max", "min": "min", "np.maximum": "max", "np.minimum": "min"}
_STRENGTH = {"+": 1, "-": 1, "*": 2, "//": 2, "%": 2}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol of formulas: the size of ``axis`` of a parameter, or the integer parameter itself.

    One of neither is known when the function runs only: the items of what is saved.
    """

    name: str
    meaning: str
    param: str = ""
    axis: int | None = None


def times(a: Size, b: Size) -> Size:
    """The product, with the number in front."""
    (m, x), (n, y) = _factored(a), _factored(b)
    rest = y if x == 1 else x if y == 1 else ("*", x, y)
    if rest == 1 or m * n == 0:
        return m * n
    return rest if m * n == 1 else ("*", m * n, rest)


def plus(a: Size, b: Size) -> Size:
    """The sum; numbers are added up, and products of the same by different numbers."""
    terms: dict[Size, int] = {}
    for term in (*_terms(a), *_terms(b)):
        factor, rest = _factored(term)
        terms[rest] = terms.get(rest, 0) + factor
    number = terms.pop(1, 0)
    found: Size = 0
    for rest, factor in terms.items():
        found = times(factor, rest) if found == 0 else ("+", found, times(factor, rest))
    return found if number == 0 else number if found == 0 else ("+", found, number)


def _terms(size: Size) -> Iterator[Size]:
    match size:
        case ("+", a, b):
            yield from _terms(a)
            yield from _terms(b)
        case _:
            yield size


def _factored(term: Size) -> tuple[int, Size]:
    match term:
        case int():
            return term, 1
        case ("*", int() as factor, rest):
            return factor, rest
        case _:
            return 1, term


def value(size: Size, known: Mapping[str, int]) -> int:
    """``size`` where symbols stand for the numbers ``known``."""
    match size:
        case int():
            return size
        case str():
            return known[size]
        case (op, a, b):
            x, y = value(a, known), value(b, known)
            match op:
                case "+":
                    return x + y
                case "-":
                    return x - y
                case "*":
                    return x * y
                case "//":
                    return x // y if y else 0
                case "%":
                    return x % y if y else 0
                case "max":
                    return max(x, y)
                case _:
                    return min(x, y)


def text(size: Size, strength: int = 0) -> str:
    """``size`` as people write it."""
    match size:
        case int() | str():
            return str(size)
        case ("max" | "min" as op, a, b):
            return f"{op}({text(a)}, {text(b)})"
        case (op, a, b):
            own = _STRENGTH[op]
            is_product = op == "*" and isinstance(b, tuple) and b[0] == "*"
            inner = f"{text(a, own)} {op} {text(b, own if is_product else own + 1)}"
            return f"({inner})" if own < strength else inner


def symbols_in(size: Size) -> set[str]:
    """The symbols of ``size``."""
    match size:
        case int():
            return set()
        case str():
            return {size}
        case (_, a, b):
            return symbols_in(a) | symbols_in(b)


@dataclass(slots=True)
class ByteFormulas:
    """The sizes of the values of ``func``, whose parameters name ``dims`` of their axes."""

    func: ir.Func
    dims: Mapping[tuple[str, int], int | str]
    symbols: dict[str, Symbol] = field(default_factory=dict)
    made: Mapping[ir.Atom, ir.Stmt] = field(init=False)
    shapes: Shapes = field(init=False)

    def __post_init__(self) -> None:
        self.made = definitions_of(self.func).stmt
        self.shapes = Shapes(self.made)

    def bytes(self, atom: ir.Atom, name: str) -> Size:
        """The bytes of what ``atom`` holds, which people know as ``name``."""
        match atom.type:
            case Array(dtype=dtype, ndim=ndim):
                found: Size = item_bytes(dtype.value)
                for axis in range(ndim):
                    found = times(found, self.extent(atom, axis, name))
                return found
            case scalar:
                return item_bytes(str(scalar))

    def extent(self, array: ir.Atom, axis: int, name: str) -> Size:
        """The size of ``axis`` of ``array``, which people know as ``name``."""
        if (found := self._extent(array, axis)) is not None:
            return found
        label = f"{name}.shape[{axis}]"
        self.symbols.setdefault(label, Symbol(label, "known when the function has run"))
        return label

    def _extent(self, array: ir.Atom, axis: int) -> Size | None:
        """The size of ``axis`` of ``array`` in sizes of arguments; None if it is not."""
        origin = self.shapes.origin(array, axis)
        if origin.axis is None:
            return self._number(origin.atom)
        if label := self._label(origin.atom):
            return self._of_param(label, origin.axis)
        made = self.made.get(origin.atom) if isinstance(origin.atom, ir.Value) else None
        return self._part(made, origin.axis) if isinstance(made, ir.View) else None

    def _part(self, view: ir.View, axis: int) -> Size | None:
        """The size of ``axis`` of ``view``, which shows a slice of its base."""
        shown = view_axes(view)[axis]
        whole = None if shown is None else self._extent(view.base, shown[0])
        match shown:
            case (_, ir.Slice(lo=None | ir.Const() as lo, hi=None | ir.Const() as hi, step=None)):
                first = 0 if lo is None else int(lo.value.real)
                last = 0 if hi is None else int(hi.value.real)
                if whole is None or first < 0 or last > 0 or (hi is not None and last == 0):
                    return None
                return ("max", ("-", whole, first - last), 0)
            case _:
                return None

    def _number(self, atom: ir.Atom) -> Size | None:
        """The integer ``atom`` in sizes of arguments; None if it is not."""
        if isinstance(atom, ir.Const):
            return int(atom.value.real)
        made = self.made.get(atom)
        match made:
            case ir.Dim(array=array, axis=axis):
                return self._extent(array, axis)
            case ir.Compute(op="cast", args=(inner,)):
                return self._number(inner)
            case ir.Compute(op=op, args=(a, b)) if found := (_OPERATIONS | _EXTREMA).get(op):
                x, y = self._number(a), self._number(b)
                if x is None or y is None:
                    return None
                return times(x, y) if found == "*" else (found, x, y)
            case None if label := self._label(atom):
                self.symbols[label] = Symbol(label, f"the argument {label}", label)
                return label
            case _:
                return None

    def _of_param(self, label: str, axis: int) -> Size:
        dim = self.dims.get((label, axis))
        if isinstance(dim, int):
            return dim
        known = dim if dim is not None and dim.isidentifier() else f"{label}.shape[{axis}]"
        self.symbols.setdefault(known, Symbol(known, f"axis {axis} of {label}", label, axis))
        return known

    def _label(self, atom: ir.Atom) -> str:
        """The parameter that ``atom`` is, or a part of; nothing if it is none."""
        for param in self.func.params:
            for k, leaf in enumerate(param.leaves):
                if leaf is atom:
                    return (
                        param.name if len(param.leaves) == 1 else leaf.hint or f"{param.name}.{k}"
                    )
        return ""


def item_bytes(dtype: str) -> int:
    """The bytes of an item of the dtype that is named."""
    return int(np.dtype(dtype).itemsize)
