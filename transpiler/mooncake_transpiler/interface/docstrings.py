"""Docstrings of the derivative functions: what they compute, of which shapes, and what they raise.

A line of the text is a paragraph; emission breaks it. Of the functions of reverse mode one says in
full what it takes and raises (``main``), and the others refer to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_links
from mooncake_transpiler.types import (
    FLOAT,
    FLOAT32,
    Array,
    List,
    ListKind,
    NoneType,
    OneOf,
    Opaque,
    Scalar,
    Selector,
    Stack,
    Tuple,
    Type,
    leaves,
)

OTHER_TYPES = "Raises, from Python, TypeError for other types."


@dataclass(frozen=True, slots=True)
class Docs:
    """The docstrings for the function ``name``; ``written`` are parameters that it mutates."""

    name: str
    params: tuple[ir.Param, ...]
    wrt: tuple[str, ...]
    written: tuple[str, ...]
    result: Type

    @property
    def has_value_and_grad(self) -> bool:
        return self.result in (FLOAT, FLOAT32)

    @property
    def main(self) -> str:
        """The function that the others refer to."""
        return f"`{self.name}_{'value_and_grad' if self.has_value_and_grad else 'vjp'}`"

    def fwd(self) -> str:
        does = f"Writes to {quoted(self.written)}, which `{self.name}_pullback` undoes."
        first = f"Value, and residuals for `{self.name}_pullback`."
        return _text(first, does) if self.written else first

    def pullback(self, y_bar: str) -> str:
        first = f"Cotangents of the parameters of `{self.name}`, given that of its result."
        takes = f"Takes residuals of `{self.name}_fwd` and {self.cotangent(y_bar)}"
        other = [p.name for p in self.params if p.name not in self.wrt]
        takes += f"; returns None for {quoted(other)}." if other else "."
        does = f"Undoes, once, what `{self.name}_fwd` has written to {quoted(self.written)}."
        return _text(first, takes, does if self.written else "")

    def value_and_grad(self, deciding: Sequence[str], *, forward: bool = False) -> str:
        """The docstring; ``forward``: the function is made by forward mode.

        ``deciding``: parameters that have no cotangent although the function asks them.
        """
        first = f"Value of `{self.name}` and its gradient with respect to {quoted(self.wrt)}."
        parts = (self.takes(), self.gradient(), _zero(deciding), _how(forward), self.restores())
        return _text(first, *parts, self.raises())

    def grad(self) -> str:
        return f"The gradient alone; arguments as for {self.main}."

    def unfused_grad(self) -> str:
        """The docstring of ``f_grad`` where there is no other function to refer to."""
        first = f"Gradient of `{self.name}` with respect to {quoted(self.wrt)}."
        return _text(first, self.takes(), self.gradient(), self.restores(), self.raises())

    def vjp(self, y_bar: str, deciding: Sequence[str], *, forward: bool = False) -> str:
        """The docstring; ``forward`` and ``deciding`` as for ``value_and_grad``."""
        if self.has_value_and_grad:
            return f"As {self.main}, for a cotangent `{y_bar}` of the value."
        first = f"Value of `{self.name}`, and its gradient for a cotangent of the result."
        takes = f"{self.takes().removesuffix('.')}; the cotangent is {self.cotangent(y_bar)}."
        parts = (takes, self.gradient(), _zero(deciding), _how(forward), self.restores())
        return _text(first, *parts, self.raises())

    def jvp(self, dots: Sequence[ir.Param], *, refers: bool = False) -> str:
        """The docstring of ``f_jvp``; ``dots``: the parameters for the tangents.

        ``refers``: there are the functions of reverse mode beside it.
        """
        first = f"Value of `{self.name}`, and its tangent for tangents of {quoted(self.wrt)}."
        takes = f"{self.takes().removesuffix('.')}; the tangents are {_listed(_params(dots))}."
        gives = f"Returns the value and its tangent, with {self.same(self.result)} of that."
        does = f"Writes to {quoted(self.written)}"
        both = [p.name for p in self.params if p.name in self.written and p.name in self.wrt]
        if both:
            does += " and, in the same way, to the tangents: these must overlap where the"
            does += " arguments do, and must not overlap the arguments"
        does = f"{does}." if self.written else ""
        if refers:
            return _text(first, f"Tangents have {self.shapes()} of their parameters.", does)
        return _text(first, takes, gives, does, self.raises())

    def hvp(self, dots: Sequence[ir.Param]) -> str:
        """The docstring of ``f_hvp``; ``dots``: the parameters for the direction."""
        first = f"Gradient of `{self.name}`, and its Hessian times a direction."
        takes = f"{self.takes().removesuffix('.')}; the direction is {_listed(_params(dots))}."
        both = f"{self.gradient()} The product is of the same kind."
        return _text(first, takes, both, self.restores(), self.raises())

    def dense(self, suffix: str, is_flat: bool, choice: str = "") -> str:
        """The docstring; ``suffix``: hessian or jacobian; ``choice``: the keyword for the mode.

        ``is_flat``: the inputs share one axis.
        """
        first = f"{suffix.capitalize()} of `{self.name}` with respect to {quoted(self.wrt)}."
        if suffix == "hessian" and is_flat:
            gives = (
                "Returns a symmetric matrix with a row for each of their numbers, in this order."
            )
        elif suffix == "hessian":
            gives = f"Returns a symmetric array with the axes of `{self.wrt[0]}` twice."
        else:
            axes = "one for all of their numbers" if is_flat else f"those of `{self.wrt[0]}`"
            gives = f"Returns an array with the axes of the result, then {axes}"
            gives += "; for a tuple, one for each item." if isinstance(self.result, Tuple) else "."
        how = f"By rows in reverse mode if there are few, else by columns; `{choice}` forces one."
        parts = (gives, how if choice else "", self.restores(), self.raises())
        return _text(first, self.takes(), *parts)

    def reverse(self) -> str:
        return (
            f"Runs `{self.name}` again and reverses it: adds to the shadows of its arrays and "
            "returns the cotangents of its float parameters."
        )

    # ---- parts ----------------------------------------------------------------------------------

    def takes(self) -> str:
        return f"Takes {_listed(_params(self.params))}."

    def cotangent(self, name: str) -> str:
        return f"`{name}: {shape(self.result)}`"

    def gradient(self) -> str:
        if len(self.wrt) == 1:
            return f"The gradient has {self.shapes()} of `{self.wrt[0]}`.{self.of_complex()}"
        fields = f"a field for each parameter, with {self.shapes()} of that"
        return f"The gradient has {fields}.{self.of_complex()}"

    def fields(self) -> str:
        """The docstring of the class of the gradient."""
        chosen = [param for param in self.params if param.name in self.wrt]
        return f"Gradient of `{self.name}`: {_listed(_params(chosen))}."

    def of_complex(self) -> str:
        types = [leaf for param in self.params for leaf in leaves(param.type)]
        if any(isinstance(leaf, Scalar | Array) and leaf.dtype.is_complex for leaf in types):
            return " For complex numbers it is dL/dRe + i dL/dIm of the real result L."
        return ""

    def shapes(self) -> str:
        return self.same(*(param.type for param in self.params if param.name in self.wrt))

    def same(self, *types: Type) -> str:
        """The properties that a derivative shares with values of these types, in words."""
        if any(isinstance(type_, Tuple) or has_links(type_) for type_ in types):
            return "the structure, shapes and dtypes"
        if any(isinstance(type_, Array) for type_ in types):
            return "the shape and dtype"
        return "the dtype"

    def raises(self) -> str:
        if any(isinstance(leaf, Array) for param in self.params for leaf in leaves(param.type)):
            return "Raises ValueError for other shapes and, from Python, TypeError for other types."
        return OTHER_TYPES

    def restores(self) -> str:
        if not self.written:
            return ""
        return f"What it writes to {quoted(self.written)} is undone before it returns."


def pushforward(name: str) -> str:
    """The docstring of the function that moves tangents through ``name``."""
    return f"Value of `{name}`, and the tangent of that."


def helper_partials(name: str) -> str:
    """The docstring of the function that the partials of the helper ``name`` come from."""
    return f"Value of `{name}`, and its partial derivatives."


def helper_fwd(name: str, *, keeps: bool) -> str:
    """The docstring of the forward sweep of the helper ``name``."""
    rest = ", and what its pullback needs of that" if keeps else ""
    return f"Value of `{name}`{rest}."


def helper_pullback(name: str) -> str:
    """The docstring of the reverse sweep of the helper ``name``."""
    return (
        f"Moves cotangents back through `{name}`: adds to the shadows of its arrays and returns "
        "the cotangents of its float parameters."
    )


def columns(lanes: int | None) -> str:
    """The docstring of the function for so many unit vectors, or for all."""
    if lanes is None:
        return "Tangents of the results for all unit vectors."
    return f"Tangents of the results for {lanes} unit vectors, from `start` on."


def _how(forward: bool) -> str:
    how = "The tangents for all parameters move along with it: no iteration is saved."
    return how if forward else ""


def _zero(deciding: Sequence[str]) -> str:
    """The sentence about parameters that branches depend on, and no number of the value."""
    if not deciding:
        return ""
    verb, whose = (
        ("decides", "its derivative is")
        if len(deciding) == 1
        else ("decide", "their derivatives are")
    )
    return f"{quoted(deciding)} {verb} over branches, indices and the like alone: {whose} 0."


def _text(first: str, *paragraphs: str) -> str:
    return "\n".join((first, "", *filter(None, paragraphs)))


def _params(params: Sequence[ir.Param]) -> list[str]:
    return [_param(param) for param in params]


def _param(param: ir.Param) -> str:
    return f"`{param.name}: {shape(param.type, param.dims)}`"


def shape(type_: Type, dims: Sequence[Sequence[int | str | None] | None] = ()) -> str:
    """``float64[n, 3]``: dtype and sizes of an array, as far as the user has named them."""
    match type_:
        case Array(dtype=dtype, ndim=ndim):
            known = dims[0] if dims else None
            sizes = known if known and len(known) == ndim else [None] * ndim
            inner = ", ".join(":" if size is None else str(size) for size in sizes)
            return f"{dtype.value}[{inner}]" if ndim else f"{dtype.value}[()]"
        case Tuple(class_name=cls, names=names, given=given) if names and (cls or given):
            return cls or " | ".join(given)
        case Tuple(items=items, is_record=True):
            return f"dict[str, {' | '.join(dict.fromkeys(map(shape, items)))}]"
        case Tuple(items=items):
            return f"tuple[{', '.join(map(shape, items))}]"
        case List(item=item) if type_.links:
            return f"{shape(item)}{' | None' if type_.may_be_none else ''}"
        case List(item=Tuple(items=items), kind=ListKind.DICT):
            return f"dict[{', '.join(map(shape, items))}]"
        case List(item=item):
            more = ", ..." if type_.kind is ListKind.TUPLE else ""
            return f"{type_.kind.value}[{shape(item)}{more}]"
        case OneOf(options=options):
            texts = any(isinstance(o, Opaque) for o in options)  # any text at all
            shown = [o for o in options if not (texts and isinstance(o, Selector))]
            return " | ".join(map(shape, shown))
        case Scalar(is_text=True):
            return "str"
        case Scalar() | NoneType() | Opaque() | Selector() | Stack():
            return str(type_)


def quoted(names: Sequence[str]) -> str:
    return _listed([f"`{name}`" for name in names])


def _listed(items: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))
