"""Declarations of functions that get derivatives: all types of their signatures must be known.

Where others call one and annotations leave ranks open, it is a helper; what it may be besides is
its ``proposal``, which is tried when all others are lowered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import libcst as cst

from mooncake_transpiler.border.border_types import is_mixed
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place
from mooncake_transpiler.frontend.annotation.unresolved import AnyKeys, Carries
from mooncake_transpiler.frontend.declaration.declared_slots import DeclaredSlot
from mooncake_transpiler.frontend.declaration.outputs import returns_dicts
from mooncake_transpiler.frontend.entities import Annotation, FunctionDecl, Module, ParamDecl
from mooncake_transpiler.frontend.name.mentions import is_called
from mooncake_transpiler.frontend.name.resolve import Resolver
from mooncake_transpiler.frontend.rank.field_ranks import inferred_fields
from mooncake_transpiler.frontend.text.source import place
from mooncake_transpiler.types import ArrayLibrary, Opaque, Type, without_none

SKIP_HELP = "or leave the function out: # mooncake: skip"


def with_derivatives(
    resolver: Resolver,
    module: Module,
    decl: FunctionDecl,
    slots: Sequence[DeclaredSlot],
    result: DeclaredSlot,
    mixed: Sequence[Diagnostic],
    is_compiled: bool,
) -> tuple[FunctionDecl, list[Diagnostic]]:
    """The declaration of a function that gets derivatives, and what is wrong with its types.

    ``is_compiled``: numba has its types. The result need not be annotated then, nor where no other
    function calls this one.
    """
    may_miss = result.is_missing and (not is_called(resolver, decl) or is_compiled)
    gives_dict = isinstance(result.open, AnyKeys) or (may_miss and returns_dicts(decl.node))
    is_open = result.lacks_rank or gives_dict or may_miss
    if is_open and decl.library is not ArrayLibrary.CUPY:
        decl = replace(decl, infers_result=True, gives_dict=gives_dict)
    if not is_called(resolver, decl):
        decl, slots = _guessed(module, decl, slots)
    slots = list(map(passed, slots))
    said = slots if decl.infers_result else [*slots, result]
    decl = replace(decl, params=annotated(resolver, decl.params, slots))
    problems = [*_problems(module, decl.node, said), *mixed]
    if problems and is_called(resolver, decl):
        proposal = None if mixed else _proposal(resolver, module, decl, slots, result)
        return replace(decl, infers_result=False, proposal=proposal), []
    if result.annotation is not None and _lacks_floats(resolver, decl, result.annotation.type):
        problems.append(_of_several_types(decl, place(module, result.node)))
        decl = replace(decl, result=None)
    return replace(decl, is_refused=bool(problems)), problems


def _guessed(
    module: Module, decl: FunctionDecl, slots: Sequence[DeclaredSlot]
) -> tuple[FunctionDecl, list[DeclaredSlot]]:
    """``decl`` with what is unsure of its parameters, and ``slots`` with vectors for these."""
    unsure = _problems(module, decl.node, [slot for slot in slots if slot.alternatives])
    return replace(decl, ambiguous=tuple(unsure)), [slot.guessed() for slot in slots]


def _proposal(
    resolver: Resolver,
    module: Module,
    decl: FunctionDecl,
    slots: Sequence[DeclaredSlot],
    result: DeclaredSlot,
) -> FunctionDecl | None:
    """``decl``, which others call, with ranks that may fit; None if more than ranks is open."""
    is_open = result.annotation is None and not decl.infers_result
    if is_open or decl.library is ArrayLibrary.CUPY:
        return None
    decl, slots = _guessed(module, decl, slots)
    if any(_problems(module, decl.node, slots)):
        return None
    if result.annotation is not None and is_mixed(result.annotation.type):
        return None
    return replace(decl, params=annotated(resolver, decl.params, slots))


def annotated(
    resolver: Resolver, params: Iterable[ParamDecl], slots: Iterable[DeclaredSlot]
) -> tuple[ParamDecl, ...]:
    """``params`` with the annotations of ``slots``."""
    pairs = zip(params, slots, strict=True)
    return tuple(
        replace(
            param,
            annotation=slot.annotation,
            is_inferred=slot.is_inferred,
            is_guessed=slot.is_guessed,
            leads=slot.leads,
            fewest=slot.fewest,
            alternatives=slot.alternatives,
            inferred_fields=tuple(
                inferred_fields(resolver, param.name, slot.annotation.type)
                if slot.annotation is not None and resolver.field_ranks
                else ()
            ),
        )
        for param, slot in pairs
    )


def _of_several_types(decl: FunctionDecl, where: Place) -> Diagnostic:
    message = f"the result of {decl.name} is of one of several types"
    return Diagnostic("MK365", message, where, f"make a function for each; {SKIP_HELP}")


def passed(slot: DeclaredSlot) -> DeclaredSlot:
    """A parameter that holds no floats may be of any type; functions only pass it on."""
    if slot.problem is None or slot.problem.carries is not Carries.NOTHING:
        return slot
    if slot.problem.code != "MK204" or not isinstance(slot.node, cst.BaseExpression):
        return slot
    annotation = Annotation(Opaque(cst.Module([]).code_for_node(slot.node)))
    return replace(slot, annotation=annotation, problem=None)


def _lacks_floats(resolver: Resolver, decl: FunctionDecl, type_: Type) -> bool:
    """True if results are of several types; without callers it is an error where one is None."""
    if not is_called(resolver, decl):
        type_ = without_none(type_)
    return is_mixed(type_)


def _problems(
    module: Module, node: cst.FunctionDef, slots: Iterable[DeclaredSlot]
) -> Iterator[Diagnostic]:
    name = node.name.value
    for slot in slots:
        if slot.problem is None and slot.is_missing:
            message = f"{slot.what} of {name} has no annotation"
            help_ = f"annotate all of its signature or nothing; {SKIP_HELP}"
            yield Diagnostic("MK220", message, place(module, slot.node), help_)
        elif slot.problem is not None:
            problem = slot.problem
            where = problem.node if problem.node in module.positions else slot.node
            message = f"{slot.what} of {name}: {problem.message}"
            help_ = f"{problem.help}; {SKIP_HELP}" if problem.help else SKIP_HELP[3:]
            yield Diagnostic(problem.code, message, place(module, where), help_)
