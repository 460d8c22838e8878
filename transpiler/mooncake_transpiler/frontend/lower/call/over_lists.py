"""Recursive functions that take or give lists of numbers: as arrays, from one level to the next.

    def sort(xs):                               def _sort(xs):
        if len(xs) < 2:                             xs = xs.tolist()
            return xs                               if len(xs) < 2:
        half = len(xs) // 2              ->             return array(xs)
        a = sort(xs[:half])                         half = len(xs) // 2
        ...                                         a = _sort(array(xs[:half])).tolist()

Each level has lists of its own then. That makes a difference where a list is changed that another
level sees, too: such functions are left as they are (``list_uses.py``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.frontend.entities import Directive, External, FunctionDecl, ParamDecl
from mooncake_transpiler.frontend.lower.call import lifted, list_uses, recursion
from mooncake_transpiler.frontend.lower.state.context import Context
from mooncake_transpiler.frontend.lower.state.known import Lifted
from mooncake_transpiler.frontend.text.trees import is_name, walk
from mooncake_transpiler.types import Array, DType, List, ListKind, Scalar, Type, parts


def found(ctx: Context, decl: FunctionDecl) -> FunctionDecl | None:
    """A function for the callers of ``decl`` that hands arrays to one which calls itself.

    None if ``decl`` takes and gives no lists, or is not recursive, or must be left as it is.
    """
    known, key = ctx.functions.lifted, (decl.node, "over lists")
    if key not in known:
        made = _made(ctx, decl) if _is_possible(ctx, decl) else None
        known[key] = None if made is None else Lifted(made, ())
    to = known[key]
    return None if to is None else to.decl


def check(ctx: Context, node: cst.Call, decl: FunctionDecl) -> None:
    """Refuse to call ``decl`` if it may return an argument, which somebody may change."""
    around = ctx.frame.decl
    if not list_uses.gives_back(decl, _arrays(decl)) or around is decl:
        return
    called = [] if around is None else recursion.mentioned(ctx.source, around)
    names = [one.name for one in called if found(ctx, one) is not None]
    is_plain = around is not None and not ctx.inlining and is_name(node.func, decl.name)
    if around is None or not is_plain or not list_uses.calls_are_read(around, names):
        message = f"{decl.name}, which is recursive, may return a list that it is given"
        raise ctx.refuse(node, "MK304", message, "return a copy there: return xs[:]")


def as_array(type_: Type | None) -> Array | None:
    """The array for a list of numbers; None for anything else."""
    match type_:
        case List(item=Scalar(dtype=dtype, is_text=False), kind=ListKind.LIST):
            return Array(dtype, 1)
        case _:
            return None


def _arrays(decl: FunctionDecl) -> dict[str, Array]:
    """The parameters of ``decl`` that are lists, with arrays for them."""
    notes = {p.name: p.annotation.type for p in decl.params if p.annotation is not None}
    made = {name: as_array(type_) for name, type_ in notes.items()}
    return {name: array for name, array in made.items() if array is not None}


def _is_possible(ctx: Context, decl: FunctionDecl) -> bool:
    node, of = decl.node, _arrays(decl)
    if not lifted.are_named(node.params) or node.decorators or "." in decl.name:
        return False
    types = [note and note.type for note in (decl.result, *(p.annotation for p in decl.params))]
    if None in types or not list_uses.READING.isdisjoint(ctx.source.modules[decl.module].scope):
        return False
    lists = [type_ for type_ in types if type_ and any(isinstance(p, List) for p in parts(type_))]
    if not lists or any(as_array(type_) is None for type_ in lists):
        return False
    if not recursion.is_recursive(ctx.source, decl) or recursion.leads_back(ctx.source, decl):
        return False
    return list_uses.only_reads(decl, of)


def _given(decl: FunctionDecl) -> Array | None:
    return None if decl.result is None else as_array(decl.result.type)


def _made(ctx: Context, decl: FunctionDecl) -> FunctionDecl:
    """The function that hands on arrays, after making the one that takes them."""
    module, arrays, gives = ctx.source.modules[decl.module], _arrays(decl), _given(decl)
    inside = {one.value for one in walk(decl.node) if isinstance(one, cst.Name)}
    other = lifted.unused(f"_{decl.name}", {*inside, *module.scope})
    make = lifted.unused("_array", inside)
    module.scope[make] = External("numpy.array")
    dtypes = {array.dtype for array in (*arrays.values(), gives) if array is not None}
    names = {dtype: lifted.unused(f"_{dtype.value}", inside) for dtype in dtypes}
    module.scope.update({name: External(f"numpy.{of.value}") for of, name in names.items()})
    moving = _AsArrays(module.positions, decl, other, make, names)
    body = moving.body_of(decl.node)
    fronts = [
        _line(cst.Assign([cst.AssignTarget(cst.Name(n))], _listed(cst.Name(n)))) for n in arrays
    ]
    node = decl.node.with_changes(
        name=cst.Name(other), body=cst.IndentedBlock([*fronts, *lifted.statements(body)])
    )
    params = tuple(
        replace(
            p,
            annotation=replace(
                p.annotation, type=arrays[p.name], dims=(None,) * arrays[p.name].ndim
            ),
        )
        if p.name in arrays and p.annotation is not None
        else p
        for p in decl.params
    )
    result = (
        decl.result if gives is None or decl.result is None else replace(decl.result, type=gives)
    )
    lifted.entered(ctx, module, decl.node, node, params, result, moving)
    return _handing_on(ctx, decl, moving)


def _handing_on(ctx: Context, decl: FunctionDecl, moving: _AsArrays) -> FunctionDecl:
    """``def sort(xs): return _sort(array(xs)).tolist()``."""
    own = [*decl.node.params.params, *decl.node.params.kwonly_params]
    args = [cst.Arg(p.name, keyword=p.name) for p in own]
    call = moving.over(cst.Call(cst.Name(decl.name), args))
    plain = [p.with_changes(annotation=None) for p in own]
    node = cst.FunctionDef(
        decl.node.name, cst.Parameters(plain), cst.IndentedBlock([_line(cst.Return(call))])
    )
    params = tuple(ParamDecl(p.name, None, p.default, False, p.node) for p in decl.params)
    return FunctionDecl(decl.module, decl.name, node, params, None, Directive(), is_lifted=True)


def _line(stmt: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([stmt])


def _listed(array: cst.BaseExpression) -> cst.List:
    """``[*array.tolist()]``, a list that may grow."""
    items = cst.Call(cst.Attribute(array, cst.Name("tolist")))
    return cst.List([cst.StarredElement(items)])


class _AsArrays(lifted.Moving):
    """Lets calls hand on arrays, and ``return`` give one."""

    def __init__(
        self, positions: lifted.Positions, decl: FunctionDecl, other: str, make: str,
        dtypes: Mapping[DType, str],
    ) -> None:  # fmt: skip
        super().__init__(positions)
        self._decl, self._other, self._make, self._dtypes = decl, other, make, dtypes
        self._arrays, self._gives = _arrays(decl), _given(decl)

    def moved(self, node: cst.CSTNode) -> cst.CSTNode:
        match node:
            case cst.Call(func=func) if is_name(func, self._decl.name):
                return self.over(node)
            case cst.Return(value=value) if value is not None and self._gives is not None:
                return node.with_changes(value=self._array(value, self._gives))
            case _:
                return node

    def over(self, call: cst.Call) -> cst.BaseExpression:
        """``call`` of the function with lists as one of that with arrays."""
        args = [self._arg(k, arg) for k, arg in enumerate(call.args)]
        made = call.with_changes(func=cst.Name(self._other), args=args)
        return made if self._gives is None else _listed(made)

    def _arg(self, k: int, arg: cst.Arg) -> cst.Arg:
        name = self._decl.params[k].name if arg.keyword is None else arg.keyword.value
        of = self._arrays.get(name)
        return arg if of is None else arg.with_changes(value=self._array(arg.value, of))

    def _array(self, value: cst.BaseExpression, of: Array) -> cst.Call:
        dtype = cst.Arg(cst.Name(self._dtypes[of.dtype]), keyword=cst.Name("dtype"))
        return cst.Call(cst.Name(self._make), [cst.Arg(value), dtype])
