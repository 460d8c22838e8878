"""Functions that yield, and statements in them that have no place in a loop over the items."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from mooncake_transpiler.frontend.text.trees import own_nodes, statements, walk


@lru_cache(maxsize=4096)
def is_generator(node: cst.CSTNode) -> bool:
    """True for a function that yields."""
    return isinstance(node, cst.FunctionDef) and any(_yields(node))


def _yields(node: cst.FunctionDef | cst.Lambda) -> Iterator[cst.Yield]:
    return (one for one in own_nodes(node.body)[0] if isinstance(one, cst.Yield))


def misplaced(node: cst.FunctionDef | cst.Lambda) -> Iterator[tuple[cst.CSTNode, str, str]]:
    """The nodes that can't be lowered in a function that yields, why, and a way out."""
    if not any(_yields(node)):
        return
    plain = set(_plain(node.body)) if isinstance(node, cst.FunctionDef) else set()
    for one in own_nodes(node.body)[0]:
        match one:
            case cst.Yield() if one not in plain:
                why = "`yield` here is not supported: as an expression, in `try` or in `with`"
                yield one, why, "let it be a statement of its own"
            case (
                cst.Raise(exc=cst.Name(value="StopIteration"))
                | cst.Raise(exc=cst.Call(func=cst.Name(value="StopIteration")))
            ):
                yield one, "StopIteration is another exception outside of a generator", "return"
            case cst.Call(func=cst.Name(value="next"), args=[_]):
                why = "`next` that may raise StopIteration is not supported in a generator"
                yield one, why, "give it a default, or write a loop"
            case _:
                pass


def _plain(body: cst.BaseSuite) -> Iterator[cst.Yield]:
    """The ``yield`` that are statements of their own, outside of ``try`` and ``with``."""
    for stmt in statements(body):
        match stmt:
            case cst.Expr(value=cst.Yield() as found):
                if not any(isinstance(one, cst.Yield) for one in walk(found) if one is not found):
                    yield found
            case cst.If(body=inner, orelse=orelse) | cst.For(body=inner, orelse=orelse):
                yield from _plain(inner)
                yield from _of_else(orelse)
            case cst.While(body=inner, orelse=orelse):
                yield from _plain(inner)
                yield from _of_else(orelse)
            case cst.Match(cases=cases):
                for one in cases:
                    yield from _plain(one.body)
            case _:
                pass


def _of_else(orelse: cst.If | cst.Else | None) -> Iterator[cst.Yield]:
    match orelse:
        case cst.Else(body=body):
            yield from _plain(body)
        case cst.If(body=body, orelse=after):
            yield from _plain(body)
            yield from _of_else(after)
        case None:
            return
