"""Decorators: those that leave a function as it is, and those that are functions of the program.

A decorator of the program is a function like any other: where the decorated function is used, it is
called with the function as it is written. What a decorator from elsewhere makes can't be told.
"""

from __future__ import annotations

import libcst as cst

from mooncake_transpiler.frontend.entities import External, FunctionDecl, Module, Source
from mooncake_transpiler.frontend.name.scopes import resolve
from mooncake_transpiler.frontend.text.trees import dotted, is_name, maker, parameters, walk

# Decorators that leave the mathematics of a function alone.
NEUTRAL = frozenset(
    {"numba.njit", "numba.jit", "numba.vectorize", "numba.guvectorize", "numpy.vectorize",
     "numba.extending.register_jitable", "jaxtyping.jaxtyped", "beartype.beartype",
     "typing.final", "typing.no_type_check", "typing.override", "typing.overload",
     "typeguard.typechecked", "functools.wraps", "abc.abstractmethod",
     "mooncake_runtime.rule_for", "mooncake_runtime.overlay", "mooncake_runtime.nondiff",
     "mooncake_runtime.entry", "mooncake_runtime.inner", "mooncake_runtime.uncached",
     "mooncake_runtime.instances.border"}
)  # fmt: skip
# What they keep is looked at where such functions are called.
CACHES = frozenset({"functools.cache", "functools.lru_cache"})
# Those of methods, which say what kind of method it is.
OF_METHODS = frozenset({
    "builtins.property", "builtins.classmethod", "builtins.staticmethod",
    "functools.cached_property",
})  # fmt: skip
# Those of libraries that make another function, which is understood.
MAKERS = frozenset({"numba.stencil"})
UNDERSTOOD = NEUTRAL | MAKERS
_TELLING = frozenset({"debug", "error", "exception", "info", "warn", "warning"})
WHY_NO_CACHE = "with a cache, what a call gives depends on earlier calls"


def _has_any(source: Source, decl: FunctionDecl, *names: str) -> bool:
    """True if one of the decorators of ``decl`` has one of these full names."""
    module = source.modules[decl.module]
    found = [resolve(source, module, maker(d)) for d in decl.node.decorators]
    return any(External(name) in found for name in names)


def is_abstract(source: Source, decl: FunctionDecl) -> bool:
    return _has_any(source, decl, "abc.abstractmethod")


def applied(source: Source, decl: FunctionDecl) -> list[cst.Decorator]:
    """The decorators of ``decl`` that make another function of it, or may."""
    module = source.modules[decl.module]
    is_method = bool(decl.owner)
    found = []
    for decorator in decl.node.decorators:
        if is_method and (dotted(decorator.decorator) or ("",))[-1] in ("setter", "getter"):
            continue
        if decorator in source.registering:
            continue
        entity = resolve(source, module, maker(decorator))
        known = NEUTRAL | CACHES | (OF_METHODS if is_method else frozenset())
        if not (isinstance(entity, External) and entity.qualname in known):
            found.append(decorator)
    return found


def is_elementwise(source: Source, decl: FunctionDecl) -> bool:
    """True if ``decl`` is applied to each element of arrays."""
    return _has_any(source, decl, "numba.vectorize", "numpy.vectorize")


def layout_of(source: Source, decl: FunctionDecl) -> str | None:
    """``"(n),()->(n)"`` of ``@guvectorize(signatures, "(n),()->(n)")``."""
    module = source.modules[decl.module]
    for decorator in decl.node.decorators:
        made = decorator.decorator
        if not isinstance(made, cst.Call):
            continue
        if resolve(source, module, made.func) == External("numba.guvectorize"):
            for arg in made.args:
                text = arg.value.evaluated_value if isinstance(arg.value, cst.SimpleString) else ""
                if isinstance(text, str) and "->" in text:
                    return text
    return None


def is_cache(source: Source, module: Module, decorator: cst.Decorator) -> bool:
    """True if what the function below ``decorator`` returns is kept for later calls."""
    found = resolve(source, module, maker(decorator))
    return isinstance(found, External) and found.qualname in CACHES


def may_have_cache(function: cst.FunctionDef) -> bool:
    """True if ``function`` takes and gives numbers and texts, as far as it says, and tells nothing.

    What it gives is the same then, whether it was kept or not.
    """
    notes = [p.annotation for p in parameters(function.params)] + [function.returns]
    told = [note.annotation for note in notes if note is not None]
    tells = any(
        is_name(one, "print") or (isinstance(one, cst.Attribute) and one.attr.value in _TELLING)
        for one in walk(function.body)
    )
    return not tells and all(map(_stays, told))


def _stays(note: cst.BaseExpression) -> bool:
    """True for the types of numbers, of texts, and of tuples of these."""
    match note:
        case cst.Subscript(value=cst.Name(value="tuple"), slice=parts):
            items = [one.slice.value for one in parts if isinstance(one.slice, cst.Index)]
            return all(isinstance(one, cst.Ellipsis) or _stays(one) for one in items)
        case _:
            return is_name(note, "float", "int", "bool", "str")


def is_cached(source: Source, decl: FunctionDecl) -> bool:
    """True if ``decl`` is a property that is computed once for each instance."""
    return _has_any(source, decl, "functools.cached_property")
