"""Axes of indices, terms of sums and whole numbers, as the text of an expression has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

import libcst as cst

from mooncake_transpiler.frontend.rank.rank_tables import CENTRES
from mooncake_transpiler.frontend.text.trees import Binding, is_name, parameters, walk
from mooncake_transpiler.reaching import grouped

# Functions and methods that give indices with one axis; the second ones if a size is given.
_INDICES = frozenset({
    "arange", "argpartition", "argsort", "flatnonzero", "lexsort", "nonzero", "permutation",
})  # fmt: skip
_IN_TUPLES = frozenset({"nonzero", "where"})  # one such array for each axis
_IF_SIZED = frozenset({"choice", "integers", "randint"})


def index_arrays(found: Iterable[Binding]) -> frozenset[str]:
    """The names that are bound to arrays of indices, and to nothing else."""
    makers = grouped(
        (name, isinstance(one.node, cst.Assign) and _makes_indices(value))
        for one in found
        for name, value in _assigned(one)
    )
    return frozenset(name for name, made in makers.items() if all(made))


def _assigned(binding: Binding) -> Iterator[tuple[str, cst.BaseExpression | None]]:
    """The names of a binding, with the items that a tuple gives them one by one."""
    match binding.target, binding.value:
        case cst.Tuple(elements=names), cst.Tuple(elements=values) if len(names) == len(values):
            for one, value in zip(names, values, strict=True):
                if isinstance(one.value, cst.Name):
                    yield one.value.value, value.value
        case _:
            yield from ((name, binding.value) for name in binding.names)


def _makes_indices(value: cst.BaseExpression | None) -> bool:
    match value:
        case cst.List() | cst.ListComp():
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="where")), args=[_]):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name)), args=args):
            sized = any(arg.keyword is not None and arg.keyword.value == "size" for arg in args)
            return name in _INDICES or (name in _IF_SIZED and sized)
        case cst.Subscript(
            value=cst.Call(func=cst.Attribute(attr=cst.Name(value=name)), args=[] | [_])
        ) if name in _IN_TUPLES:
            return True
        case cst.Subscript(slice=slices):  # a column of a table of indices, a part of others
            return any(isinstance(one.slice, cst.Slice) for one in slices)
        case _:
            return False


def axes(node: cst.Subscript, kept: Set[str]) -> tuple[int, int, int]:
    """The numbers of axes that an index fixes, that it slices, and that it adds or may select.

    Names of arrays of indices are ``kept``: such an axis stays.
    """
    fixed = sliced = new = 0
    for element in node.slice:
        match element.slice:
            case cst.Slice():
                sliced += 1
            case cst.Index(value=cst.Name(value="None") | cst.Attribute(attr=cst.Name("newaxis"))):
                new += 1
            case cst.Index(value=cst.Comparison() as test) if not _is_about(test, node.value):
                sliced += 1  # a test of each item of another array
            case cst.Index(value=cst.Comparison() | cst.Ellipsis() | cst.BinaryOperation(
                operator=cst.BitAnd() | cst.BitOr()
            )):  # fmt: skip
                new += 1
            case cst.Index(value=cst.Tuple(elements=elements)):
                fixed += len(elements)
            case cst.Index(value=cst.List()):
                sliced += 1
            case cst.Index(value=cst.Name(value=name)) if name in kept:
                sliced += 1
            case _:
                fixed += 1
    return fixed, sliced, new


def _is_about(test: cst.Comparison, array: cst.BaseExpression) -> bool:
    return bool(names_in(test) & names_in(array))


def names_in(node: cst.CSTNode) -> set[str]:
    return {one.value for one in walk(node) if isinstance(one, cst.Name)}


def terms(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The terms of a sum, as matrices are added."""
    match node:
        case cst.BinaryOperation(operator=cst.Add() | cst.Subtract(), left=left, right=right):
            yield from terms(left)
            yield from terms(right)
        case _:
            yield node


def product(node: cst.CSTNode) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The two factors of ``node``, if it is a product by ``@`` or ``dot``."""
    match node:
        case (
            cst.BinaryOperation(left=left, operator=cst.MatrixMultiply(), right=right)
            | cst.Call(
                func=cst.Attribute(value=left, attr=cst.Name(value="dot")),
                args=[cst.Arg(value=right)],
            )
            | cst.Call(
                func=cst.Attribute(attr=cst.Name(value="dot" | "matmul"))
                | cst.Name(value="dot" | "matmul"),
                args=[cst.Arg(value=left), cst.Arg(value=right)],
            )
        ):
            return left, right
        case _:
            return None


def factors(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The matrices of a product of matrices."""
    pair = product(node)
    if pair is None:
        yield node
    else:
        yield from factors(pair[0])
        yield from factors(pair[1])


def pairs_of_factors(node: cst.CSTNode) -> Iterator[tuple[str, cst.BaseExpression]]:
    """A factor that is a name, and what it is multiplied with by ``@`` or ``dot``."""
    if (pair := product(node)) is not None:
        for one, other in (pair, pair[::-1]):
            if isinstance(one, cst.Name):
                yield one.value, other


def not_transposed(node: cst.BaseExpression) -> cst.BaseExpression:
    match node:
        case cst.Attribute(value=value, attr=cst.Name(value="T")):
            return value
        case _:
            return node


# Functions that give whole numbers for whole numbers only, as they are used in indices.
KEEPING = frozenset({
    "tuple", "list", "abs", "max", "min", "ix_", "array", "asarray", "atleast_1d", "ravel",
    "flatten", "reshape", "concatenate", "minimum", "maximum", "clip", "mod", "roll", "append",
    "stack",
})  # fmt: skip


def whole(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """``node`` and the parts of it that must be whole numbers where it is an index.

    What is compared, asked for its shape or handed to a function may be of any type.
    """
    match node:
        case cst.Comparison() | cst.Attribute():
            return
        case cst.Call(func=func, args=args):
            name = func.attr if isinstance(func, cst.Attribute) else func
            keeps = isinstance(name, cst.Name) and name.value in KEEPING
            inside: Sequence[cst.CSTNode] = args if keeps else ()
        case _:
            yield node
            inside = node.children
    for child in inside:
        yield from whole(child)


def integer(node: cst.BaseExpression) -> int | None:
    match node:
        case cst.Integer():
            return node.evaluated_value
        case cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer() as inner):
            return -inner.evaluated_value
        case _:
            return None


def is_capital(node: cst.BaseExpression) -> bool:
    """True for a name, an attribute or a key that begins with a capital letter, as ``A``."""
    match node:
        case cst.Attribute(value=value, attr=cst.Name(value="T")):
            return is_capital(value)
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            return is_capital(inner)
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name[0].isupper()
        case cst.Subscript(
            slice=[cst.SubscriptElement(slice=cst.Index(value=cst.SimpleString() as key))]
        ):
            return str(key.evaluated_value)[:1].isupper()
        case _:
            return False


def is_centre(name: str) -> bool:
    """True for a name of what is subtracted from each row, as people call it."""
    return not CENTRES.isdisjoint(name.lower().rstrip("0123456789").split("_"))


def numbers(given: cst.Parameters) -> frozenset[str]:
    """The parameters that are numbers, as their annotations or defaults say."""
    return frozenset(
        p.name.value
        for p in parameters(given)
        if (
            isinstance(p.default, cst.Integer | cst.Float)
            if p.annotation is None
            else is_name(p.annotation.annotation, "float", "int")
        )
    )


def names_mask(node: cst.CSTNode) -> bool:
    """True for the name of a mask, as people call it."""
    return isinstance(node, cst.Name) and "mask" in node.value.lower()


def raises(stmt: cst.CSTNode) -> bool:
    return isinstance(stmt, cst.SimpleStatementLine) and isinstance(stmt.body[0], cst.Raise)
