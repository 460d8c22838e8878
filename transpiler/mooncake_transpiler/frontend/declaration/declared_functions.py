"""Declarations of module-level functions, and what is wrong with their signatures.

A function with floats coming in and going out gets derivatives: all of its signature must be
understood. Any other one is a helper at most, and may be annotated in any way or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

import libcst as cst

from mooncake_transpiler.border.homes import at_home
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Refused
from mooncake_transpiler.frontend.annotation.annotations import Reader
from mooncake_transpiler.frontend.annotation.unresolved import Carries
from mooncake_transpiler.frontend.declaration.declared_slots import (
    DeclaredSlot,
    ParameterUses,
    read_parameter,
    read_slot,
    returned,
)
from mooncake_transpiler.frontend.declaration.differentiated_functions import (
    annotated,
    passed,
    with_derivatives,
)
from mooncake_transpiler.frontend.declaration.marks import read_mark
from mooncake_transpiler.frontend.declaration.outputs import returns_nothing, written_parameters
from mooncake_transpiler.frontend.declaration.parameter_views import is_writable
from mooncake_transpiler.frontend.declaration.signatures import (
    CompiledTypes,
    is_stencil,
    signature_of,
)
from mooncake_transpiler.frontend.entities import (
    Annotation,
    Directive,
    FunctionDecl,
    Module,
    ParamDecl,
)
from mooncake_transpiler.frontend.library.hand_over import RESULT
from mooncake_transpiler.frontend.library.libraries import Libraries, library_of
from mooncake_transpiler.frontend.name.mentions import is_called
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.text.directives import check_names, comments_above, read_directive
from mooncake_transpiler.frontend.text.generator_functions import is_generator
from mooncake_transpiler.frontend.text.source import place
from mooncake_transpiler.frontend.text.trees import parameters
from mooncake_transpiler.types import (
    NONE,
    Array,
    ArrayLibrary,
    NoneType,
    OneOf,
    Scalar,
    Tuple,
    Type,
    is_differentiable,
    leaves,
    parts,
)


def _slots(
    resolver: Resolver,
    module: Module,
    node: cst.FunctionDef,
    nodes: Sequence[cst.Param],
    compiled: CompiledTypes | None,
) -> tuple[list[DeclaredSlot], DeclaredSlot]:
    """The types of the parameters ``nodes``, and of the result.

    ``compiled``: the signature that a decorator of numba has.
    """
    reader = Reader(resolver, module.name, _type_variables(node))
    linking = replace(reader, linking=True)
    tells = ParameterUses(resolver, module.name, node, linking)
    slots = [tells.closed(p.name.value, read_parameter(linking, p)) for p in nodes]
    result = returned(read_slot(reader, "the result", node.name, node.returns))
    if compiled is not None:
        slots = [_filled(s, n) for s, n in zip_longest(slots, compiled.params[: len(slots)])]
        nothing = Annotation(NONE) if returns_nothing(node) else None
        result = _filled(result, compiled.result or nothing)
    return slots, result


def _directive(module: Module, node: cst.FunctionDef) -> tuple[Directive, list[Diagnostic]]:
    """The comment above ``node``, and what is wrong with it."""
    try:
        return read_directive(module, node), []
    except Refused as refused:
        return Directive(), [refused.diagnostic]


def declare(
    resolver: Resolver, module: Module, node: cst.FunctionDef
) -> tuple[FunctionDecl, list[Diagnostic]]:
    """The declaration of ``node``, and what is wrong with its signature and its directive."""
    directive, diagnostics = _directive(module, node)
    nodes = parameters(node.params)
    compiled = signature_of(resolver, module.name, node)
    libraries = library_of(resolver, module, node)
    slots, result = _slots_of(libraries, *_slots(resolver, module, node, nodes, compiled), nodes)
    is_kernel = is_stencil(resolver, module.name, node)
    if result.is_missing and returns_nothing(node) and any(slot.annotation for slot in slots):
        result = replace(result, annotation=Annotation(NONE))
    if is_kernel:
        slots, result = [_unsaid(slot) for slot in slots], _unsaid(result)
    params = tuple(
        ParamDecl(p.name.value, slot.annotation, p.default, p in node.params.kwonly_params, p)
        for p, slot in zip(nodes, slots, strict=True)
    )
    decl = FunctionDecl(module.name, node.name.value, node, params, result.annotation, directive,
                        read_mark(resolver, module.name, node), library=libraries.library,
                        shared=libraries.shared)  # fmt: skip
    diagnostics += check_names(module, node, directive, {p.name: p for p in params})
    shown = _showing(resolver, decl, slots, result)
    unshown = _unshown(resolver, shown)
    if shown.written and not unshown:
        return shown, diagnostics
    reason = "it is the kernel of a stencil" if is_kernel else _reason(decl, slots, result)
    decl = replace(decl, unshown=unshown, no_derivatives=reason)
    if not decl.no_derivatives:
        is_compiled = compiled is not None
        mixed = libraries.problems
        decl, problems = with_derivatives(resolver, module, decl, slots, result, mixed, is_compiled)
        return decl, [*diagnostics, *problems]
    if directive.wrt or directive.modes or directive.domain:
        message = f"{decl.name} gets no derivatives: {decl.no_derivatives}"
        where = place(module, comments_above(module, node)[0])
        diagnostics.append(Diagnostic("MK233", message, where))
    return decl, diagnostics


def _slots_of(
    libraries: Libraries,
    slots: list[DeclaredSlot],
    result: DeclaredSlot,
    nodes: Sequence[cst.Param],
) -> tuple[list[DeclaredSlot], DeclaredSlot]:
    """The ``slots`` of parameters, and the ``result``, by the library that their arrays are of."""
    if handed := libraries.handed:
        slots = [
            _handed(slot, p.name.value in handed) for p, slot in zip(nodes, slots, strict=True)
        ]
        result = _handed(result, RESULT in handed)
    return slots, _number(result) if libraries.library is ArrayLibrary.CUPY else result


def _unsaid(slot: DeclaredSlot) -> DeclaredSlot:
    """``slot`` without its annotation: that of a kernel is no signature of what is called."""
    return DeclaredSlot(slot.what, slot.node, None, None)


def _showing(
    resolver: Resolver, decl: FunctionDecl, params: list[DeclaredSlot], result: DeclaredSlot
) -> FunctionDecl:
    """``decl`` with the parameters that it writes to, if it returns no floats beside."""
    params = list(map(passed, params))
    if not is_called(resolver, decl):
        params = [slot.guessed() for slot in params]
    own = result.annotation
    if own is None and result.is_missing and returns_nothing(decl.node):
        own = Annotation(NONE)
    if own is None or not _is_of_integers(own.type):
        return decl
    if any(slot.annotation is None for slot in params) or decl.library is ArrayLibrary.CUPY:
        return decl
    types = {
        p.name: slot.annotation.type
        for p, slot in zip(decl.params, params, strict=True)
        if slot.annotation is not None
        and is_writable(slot.annotation.type)
        and is_differentiable(slot.annotation.type)
    }
    written = written_parameters(resolver, decl.module, decl.node, types)
    if not written or _helper_by_name(decl):
        return decl
    named = annotated(resolver, decl.params, params)
    return replace(decl, params=named, result=own, written=written)


def _is_of_integers(type_: Type) -> bool:
    """True for None, integers, bools, and tuples of these."""
    known = (
        isinstance(one, NoneType | Tuple) or (isinstance(one, Scalar) and not one.is_text)
        for one in parts(type_)
    )
    return not is_differentiable(type_) and all(known)


def _unshown(resolver: Resolver, decl: FunctionDecl) -> str:
    """Why what a function has ``written`` is not shown as its result; empty if it is."""
    directive, types = decl.directive, {p.name: p.annotation for p in decl.params}
    if decl.written and not (directive.wrt or directive.modes) and is_called(resolver, decl):
        asked = "`# mooncake: modes=reverse` above it asks for derivatives"
        return f"it returns no floats, and others call it: {asked}"
    for name in decl.written:
        note = types[name]
        if note is not None and any(isinstance(part, OneOf) for part in parts(note.type)):
            return f"it returns no floats, and changes {name}, which is of one of several types"
    return ""


def _handed(slot: DeclaredSlot, of_numpy: bool) -> DeclaredSlot:
    """Numbers of Python's, and arrays if they are ``of_numpy``: they stay so in derivatives."""
    note = slot.annotation
    if note is None or not (of_numpy or isinstance(note.type, Scalar)):
        return slot
    marked = replace(note, type=at_home(note.type, ArrayLibrary.NUMPY))
    return replace(slot, annotation=marked)


def _number(result: DeclaredSlot) -> DeclaredSlot:
    """Numbers, where arrays without axes are declared: CuPy's numbers are such arrays."""
    note = result.annotation
    if note is None:
        return result
    arrays = (leaf for leaf in leaves(note.type) if isinstance(leaf, Array))
    pairs = zip(arrays, note.dims, strict=False)
    dims = tuple(dim for leaf, dim in pairs if leaf.ndim)
    return replace(result, annotation=Annotation(_with_numbers(note.type), dims))


def _with_numbers(type_: Type) -> Type:
    match type_:
        case Array(dtype=dtype, ndim=0):
            return Scalar(dtype)
        case Tuple(items=items, names=None):
            return replace(type_, items=tuple(map(_with_numbers, items)))
        case _:
            return type_


def declare_called(
    resolver: Resolver, module: Module, node: cst.FunctionDef, name: str
) -> FunctionDecl:
    """The declaration of a method, or of a function that we have generated.

    Annotations that are not understood count as none: calls tell what they leave open.
    """
    reader = Reader(resolver, module.name, _type_variables(node))
    kwonly = node.params.kwonly_params
    nodes = parameters(node.params)
    params = tuple(
        ParamDecl(p.name.value, read_parameter(reader, p).annotation, p.default, p in kwonly, p)
        for p in nodes
    )  # fmt: skip
    result = read_slot(reader, "the result", node.name, node.returns).annotation
    mark = read_mark(resolver, module.name, node)
    return FunctionDecl(module.name, name, node, params, result, Directive(), mark)


def _filled(slot: DeclaredSlot | None, annotation: Annotation | None) -> DeclaredSlot:
    """``slot`` with the type that a signature of numba's says, if it is not annotated."""
    assert slot is not None
    if slot.annotation is None and slot.problem is None and annotation is not None:
        return replace(slot, annotation=annotation)
    return slot


def _reason(decl: FunctionDecl, params: list[DeclaredSlot], result: DeclaredSlot) -> str:
    """Why a function is a helper at most; empty if its signature asks for derivatives."""
    slots = [*params, result]
    if why := _helper_by_name(decl):
        return why
    if all(slot.is_missing for slot in slots):
        return "it is not annotated"
    if any(slot.carries is Carries.ANYTHING for slot in slots):
        return "its signature has type variables"
    if result.carries is Carries.NOTHING:
        strange = _strange([result])
        return f"its result{f', {strange},' if strange else ''} carries no floats"
    given = (("*", decl.node.params.star_arg), ("**", decl.node.params.star_kwarg))
    stars = [f"{mark}{one.name.value}" for mark, one in given if isinstance(one, cst.Param)]
    if not params and stars:
        return f"name the parameters one by one, not {' and '.join(stars)}"
    if all(slot.carries is Carries.NOTHING for slot in params):
        strange = _strange(params)
        arrays = "; write arrays as NumPy's: NDArray[...]" if strange else ""
        return f"no parameter carries floats{f': {strange}' if strange else ''}{arrays}"
    if not any(slot.carries is Carries.FLOATS for slot in slots):
        return "nothing shows that it works with floats"
    return ""


def _strange(slots: list[DeclaredSlot]) -> str:
    """The annotations of ``slots`` that are types of others, such as ``torch.Tensor``."""
    nodes = (slot.node for slot in slots if slot.problem is not None)
    found = (cst.Module([]).code_for_node(n) for n in nodes if isinstance(n, cst.BaseExpression))
    return ", ".join(dict.fromkeys(found))


def _helper_by_name(decl: FunctionDecl) -> str:
    """Why a function is a helper at most, whatever its signature is; empty if it isn't."""
    if decl.directive.skip:
        return "it is to be skipped"
    if decl.name.startswith("_"):
        return "its name is private"
    if decl.node.asynchronous:
        return "it is async"
    if is_generator(decl.node):
        return "it is a generator"
    if decl.mark is not None:
        return f"it is marked as @{decl.mark.role.value}"
    return ""


def _type_variables(node: cst.FunctionDef) -> frozenset[str]:
    if node.type_parameters is None:
        return frozenset()
    return frozenset(param.param.name.value for param in node.type_parameters.params)
