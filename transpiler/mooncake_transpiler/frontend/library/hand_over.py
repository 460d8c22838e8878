"""NumPy's arrays that a function over CuPy's takes and gives, handed over where they are named.

    def f(x: Float64[np.ndarray, "n"]) -> Float64[np.ndarray, "n"]:
        x = cp.asarray(x)
        return cp.asnumpy(cp.sin(x))

Such a parameter is used for that only, and such a result is nothing else. So all in between is
CuPy's, and the border of the function is where arrays change hands, those of derivatives, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import libcst as cst

from mooncake_transpiler.frontend.entities import External
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.trees import is_name, walk
from mooncake_transpiler.types import ArrayLibrary

RESULT = "return"  # stands for the result among the names of parameters
Libraries = Callable[[cst.CSTNode], frozenset[ArrayLibrary]]  # what a node refers to


def hand_over(
    resolver: Resolver, module: str, node: cst.FunctionDef, libraries: Libraries
) -> tuple[cst.FunctionDef, frozenset[str]]:
    """``node`` without annotations of what it hands over; the names of that."""
    if not isinstance(node.body, cst.IndentedBlock):
        return node, frozenset()
    body = node.body.body
    handed: set[str] = set()

    def without(param: cst.Param) -> cst.Param:
        name = param.name.value
        note = param.annotation
        if note is None or libraries(note) != {ArrayLibrary.NUMPY}:
            return param
        if not _is_handed(resolver, module, name, body):
            return param
        handed.add(name)
        return param.with_changes(annotation=None)

    groups = ("posonly_params", "params", "kwonly_params")
    params = {group: tuple(map(without, getattr(node.params, group))) for group in groups}
    inner = node.with_changes(params=node.params.with_changes(**params))
    if node.returns is not None and libraries(node.returns) == {ArrayLibrary.NUMPY}:
        results = [part.value for part in _once(node.body) if isinstance(part, cst.Return)]
        if results and all(_calls(resolver, module, value, "asnumpy") for value in results):
            handed.add(RESULT)
            inner = inner.with_changes(returns=None)
    return inner, frozenset(handed)


def returned_calls(node: cst.FunctionDef) -> frozenset[cst.CSTNode]:
    """The callees of the calls that ``node`` returns."""
    results = (part.value for part in _once(node.body) if isinstance(part, cst.Return))
    return frozenset(value.func for value in results if isinstance(value, cst.Call))


def _is_handed(
    resolver: Resolver, module: str, name: str, body: Sequence[cst.BaseStatement]
) -> bool:
    """True if ``name`` is handed over once, and only what that gives is used.

    The copy that this is can't be told from the array itself then.
    """
    found = False
    for stmt in body:
        named = sum(is_name(part, name) for part in walk(stmt))
        if not named:
            continue
        is_simple = isinstance(stmt, cst.SimpleStatementLine)
        calls = [p for p in _once(stmt) if _calls(resolver, module, p, "asarray", name)]
        if found or not is_simple or len(calls) != 1:
            return False
        match stmt:
            case cst.SimpleStatementLine(
                body=[cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))])]
            ) if own == name:  # all that follows is about the copy
                return named == 2
            case _ if named > 1:
                return False
            case _:
                found = True
    return found


def _calls(
    resolver: Resolver, module: str, node: cst.CSTNode | None, name: str, arg: str = ""
) -> bool:
    """True if ``node`` is a call of CuPy's function ``name`` with one argument, named ``arg``."""
    match node:
        case cst.Call(func=func, args=[cst.Arg(value=value, keyword=None, star="")]):
            found = resolver.lookup(module, func)
            is_such = not arg or is_name(value, arg)
            return is_such and found == External(f"numpy.{name}", ArrayLibrary.CUPY)
        case _:
            return False


def _once(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The nodes in ``node`` but for those that run later, or again and again."""
    if isinstance(node, cst.FunctionDef | cst.Lambda | cst.BaseComp):
        return
    yield node
    for child in node.children:
        yield from _once(child)
