"""The subjects of ``verify``: each public function of SRC, with its derivatives in OUT."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from types import ModuleType
from typing import Annotated, get_args, get_origin, get_type_hints

from mooncake_runtime.case import by_position
from mooncake_runtime.tangents import Tree
from mooncake_runtime.testing import returning

from mooncake_transpiler.config import Config
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.frontend.entities import (
    Annotation,
    Bounds,
    FunctionDecl,
    FunctionRole,
    ParamDecl,
    Source,
)
from mooncake_transpiler.frontend.lower.fitting_ranks import MAX_RANK
from mooncake_transpiler.frontend.program import load
from mooncake_transpiler.output import changes, header
from mooncake_transpiler.output.changes import Change
from mooncake_transpiler.output.generated_sources import circles
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.output.plans import ModulePlan, make_plans
from mooncake_transpiler.output.states import FileState, Layout
from mooncake_transpiler.types import Array, Scalar, Type, is_differentiable, leaves, parts
from mooncake_transpiler.verify.hints import hints_of
from mooncake_transpiler.verify.sides import Side

MAIN = ("fwd", "jvp", "hvp", "hessian", "jacobian")  # one of these there is of each function


@dataclass(frozen=True, slots=True)
class Parameter:
    name: str
    annotation: Annotation
    bounds: Bounds | None
    alternatives: tuple[Annotation, ...] = ()  # of which its derivatives take one


@dataclass(frozen=True, slots=True)
class VerifiedFunction:
    """A function whose derivatives are verified; ``wrt``: the parameters with derivatives."""

    module: str
    name: str
    params: tuple[Parameter, ...]
    wrt: tuple[str, ...]
    is_real: bool  # the result, as it is annotated
    constant: frozenset[tuple[str, str]]  # functions, by module and name, that are @nondiff
    is_generated: bool  # by us: the function is what its module holds, not a source
    written: tuple[
        str, ...
    ] = ()  # parameters that hold the result, of a function that returns None

    @property
    def qualname(self) -> str:
        return f"{self.module}:{self.name}"

    @property
    def gradient_module(self) -> str:
        """The module of its derivatives."""
        return f"{self.module}_grad"


def find_subjects(
    inputs: Inputs, layout: Layout
) -> tuple[list[VerifiedFunction], list[Diagnostic]]:
    """The functions of the selected modules, and the diagnostics of SRC."""
    sources = inputs.sources
    source, diagnostics = _loaded(inputs, layout)
    wanted = sources.files.keys() | sources.targets
    constant = frozenset(
        (decl.module, decl.name)
        for decl in source.functions()
        if decl.mark is not None and decl.mark.role is FunctionRole.NONDIFF
    )
    found = [
        _subject(decl, inputs.config, constant)
        for decl in _functions(source, layout)
        if decl.module in wanted
        and decl.is_public
        and inputs.selection.has_function(decl.module, decl.name)
    ]
    return found, diagnostics


def function_names(inputs: Inputs, layout: Layout) -> dict[str, bool]:
    """The names of all functions of SRC, ``module:name``, and if they have derivatives."""
    source, _ = _loaded(inputs, layout)
    return {decl.qualname: decl.is_public for decl in _functions(source, layout)}


def _functions(source: Source, layout: Layout) -> Iterator[FunctionDecl]:
    """All functions; helpers whose ranks were told as what they are taken for in OUT."""
    emitted: dict[str, str] = {}  # by module
    for decl in source.functions():
        if decl.proposal is not None and decl.module not in emitted:
            path = source.modules[decl.module].path
            emitted[decl.module] = _body(layout, f"{path.removesuffix('.py')}_grad.py")
        heads = (f"\ndef {decl.name}_{kind}(" for kind in MAIN)
        is_made = decl.proposal is not None and any(h in emitted[decl.module] for h in heads)
        yield decl.proposal if decl.proposal is not None and is_made else decl


def _loaded(inputs: Inputs, layout: Layout) -> tuple[Source, list[Diagnostic]]:
    sources = inputs.sources
    texts = {file.path: _body(layout, file.path) for file in sources.generated.values()}
    return load(inputs.src, sources.paths.__contains__, texts, circles(sources))


def _body(layout: Layout, path: str) -> str:
    found = header.read(layout.out / path)
    return "" if found is None else found.body


def _subject(
    decl: FunctionDecl, config: Config, constant: frozenset[tuple[str, str]]
) -> VerifiedFunction:
    chosen = decl.directive.wrt or config.function(decl.qualname).wrt
    bounds = dict(decl.directive.domain)
    notes = [(p, p.annotation) for p in decl.params]
    params = tuple(
        Parameter(p.name, note, bounds.get(p.name), p.alternatives or _of_any_rank(p))
        for p, note in notes
        if note is not None
    )
    wrt = tuple(
        p.name for p in params
        if is_differentiable(p.annotation.type) and (chosen is None or p.name in chosen)
    )  # fmt: skip
    results = [p.annotation for p in decl.params if p.name in decl.written] or [decl.result]
    is_real = all(map(_is_real, results))
    return VerifiedFunction(decl.module, decl.name, params, wrt, is_real, constant,
                   decl.is_generated, decl.written)  # fmt: skip


def _of_any_rank(param: ParamDecl) -> tuple[Annotation, ...]:
    """The types of an array whose rank is inferred."""
    type_ = param.annotation.type if param.annotation is not None else None
    if not (param.is_inferred and isinstance(type_, Array)):
        return ()
    return tuple(Annotation(replace(type_, ndim=rank), (None,)) for rank in range(MAX_RANK + 1))


def _is_real(result: Annotation | None) -> bool:
    if result is None:
        return False
    kinds = (leaf.dtype for leaf in leaves(result.type) if isinstance(leaf, Scalar | Array))
    return not any(dtype.is_complex for dtype in kinds)


# ---- files --------------------------------------------------------------------------------------


def plans_of(
    inputs: Inputs, layout: Layout, subjects: Sequence[VerifiedFunction]
) -> list[ModulePlan]:
    """The plans of the modules that ``subjects`` are in."""
    needed = {subject.module for subject in subjects}
    return [plan for plan in make_plans(inputs, layout) if plan.file.name in needed]


def out_of_date(plans: Sequence[ModulePlan]) -> list[Diagnostic]:
    """The diagnostics for files in OUT that are missing, or not made from SRC as it is.

    A module made by another version of the transpiler, or under other settings, serves.
    """
    found: list[Diagnostic] = []
    for plan in plans:
        group = plan.copying()
        if not _serves(plan):
            group = (*group, Change(plan.gradient, None, plan.gradient_state, plan.file.path))
        found += changes.out_of_date(group)
    return found


def unserved(plans: Sequence[ModulePlan]) -> set[str]:
    """The modules whose gradient modules are missing, or made from another text."""
    states = (FileState.MISSING, FileState.STALE)
    return {plan.file.name for plan in plans if plan.gradient_state in states and not _serves(plan)}


def _serves(plan: ModulePlan) -> bool:
    if plan.gradient_state is not FileState.STALE:
        return plan.gradient_state is FileState.FRESH
    old = header.read(plan.gradient)
    new = plan.expected
    return old is not None and (old.header.module, old.header.source) == (new.module, new.source)


# ---- functions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Loaded:
    """A function, and the modules of its derivatives: as they are, and without numba."""

    primal: Callable[..., Tree]
    generated: ModuleType
    plain: ModuleType
    hints: Mapping[str, object]
    defaults: Mapping[str, Tree]  # of parameters, but for floats
    texts: Sequence[str]  # that the function compares with, and another one
    neighbours: frozenset[str]  # names of its module, which may end like those of derivatives


def loaded(subject: VerifiedFunction, src: Side, out: Side, plain: Side) -> Loaded:
    """Import the function of ``subject`` and its gradient modules."""
    generated = out.load(subject.gradient_module)  # first: with it the runtime gets compiled
    home = plain if subject.is_generated else src
    module = home.load(subject.module)
    function = getattr(module, subject.name)
    function = getattr(function, "py_func", function)  # as plain Python, if numba compiles it
    primal = _of_side(function, subject.name, home)
    return Loaded(
        primal=returning(primal, *subject.written) if subject.written else primal,
        generated=generated,
        plain=plain.load(subject.gradient_module),
        hints=hints_of(function),
        defaults=_defaults(function),
        texts=[*_texts(function), "text"],
        neighbours=frozenset() if subject.is_generated else frozenset(vars(module)),
    )


def with_emitted_ranks(subject: VerifiedFunction, generated: ModuleType) -> VerifiedFunction:
    """``subject`` with the ranks that its derivatives take, where annotations leave them open."""
    made = [getattr(generated, f"{subject.name}_{kind}", None) for kind in MAIN]
    function = next(filter(callable, made), None)
    if function is None or not any(len(p.alternatives) > 1 for p in subject.params):
        return subject
    hints = get_type_hints(inspect.unwrap(function), include_extras=True)
    return replace(subject, params=tuple(_of_hint(p, hints[p.name]) for p in subject.params))


def _of_hint(param: Parameter, hint: object) -> Parameter:
    ranks = list(_ranks_of_hint(hint))
    fitting = (one for one in param.alternatives if list(_ranks(one.type)) == ranks)
    return replace(param, annotation=next(fitting, param.annotation))


def _ranks(type_: Type) -> Iterator[int]:
    return (part.ndim for part in parts(type_) if isinstance(part, Array))


def _ranks_of_hint(hint: object) -> Iterator[int]:
    """The ranks of the arrays in an annotation of an emitted function."""
    args = get_args(hint)
    if get_origin(hint) is Annotated and isinstance(args[1], str):
        yield len(args[1].split())
    else:
        for inner in args:
            yield from _ranks_of_hint(inner)


def _defaults(function: Callable[..., Tree]) -> Mapping[str, Tree]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def _texts(function: Callable[..., Tree]) -> Iterator[str]:
    """The texts that ``function`` mentions, then words in the rest of its module."""
    own = inspect.unwrap(function)
    yield from _mentioned(own)
    around: list[object] = [*getattr(own, "__globals__", {}).values()]
    around += [part for one in around if isinstance(one, type) for part in vars(one).values()]
    for other in around:
        if getattr(other, "__module__", None) == own.__module__:
            yield from (text for text in _mentioned(other) if text.isidentifier())


def _mentioned(function: object) -> Iterator[str]:
    code = getattr(inspect.unwrap(function) if callable(function) else None, "__code__", None)
    found: list[object] = []
    for constant in () if code is None else code.co_consts[1:]:  # the first one is the docstring
        found += constant if isinstance(constant, tuple | frozenset) else [constant]
    yield from (text for text in found if isinstance(text, str))


def _of_side(function: Callable[..., Tree], name: str, side: Side) -> Callable[..., Tree]:
    """``function`` called by position, in the context of its side."""
    signature = inspect.signature(function)
    positional = by_position(function, tuple(signature.parameters))

    @wraps(function)
    def call(*args: Tree) -> Tree:
        with side.shown():
            return positional(*args)

    call.__name__ = name
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call
