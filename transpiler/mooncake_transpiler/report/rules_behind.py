"""The rules behind the calls of a function: where they stand, what they say."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from mooncake_rules.arrays.table import Function
from mooncake_rules.catalogue import ARGUMENTS, partials
from mooncake_rules.library import FUNCTIONS, METHODS
from mooncake_rules.op import ScalarOp
from mooncake_rules.scalar import GROUPS, OPS, resolve

from mooncake_transpiler.frontend.entities import External, FunctionDecl, Module, Source
from mooncake_transpiler.frontend.name.scopes import resolve_name, resolve_path
from mooncake_transpiler.report.findings import RuleBehind

_HOMES = {op.name: f"mooncake_rules/{home}.py" for home, ops in GROUPS.items() for op in ops}
_NO_DERIVATIVE = "0: it carries no derivative"
_BUILTINS = frozenset({"abs", "max", "min", "pow", "round", "sum"})


def rules_of(func: ast.FunctionDef, module: Module, source: Source) -> Iterator[RuleBehind]:
    """The rules behind the calls in ``func``, in their order, each call once."""
    seen: set[str] = set()
    calls = (node for node in ast.walk(func) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        written = ast.unparse(call.func)
        found = _found(written, len(call.args), module, source)
        if found is not None and written not in seen:
            seen.add(written)
            yield RuleBehind(written, call.lineno, module.path, *found)


def _found(written: str, nargs: int, module: Module, source: Source) -> tuple[str, str] | None:
    """The formula and the home of the function that is called as ``written``."""
    first, *attrs = written.split(".")
    if resolve_name(module, first) is None:
        if attrs:
            return _library(METHODS[attrs[-1]]) if attrs[-1] in METHODS else None
        return _outside(f"builtins.{first}", nargs) if first in _BUILTINS else None
    match resolve_path(source, module, [first, *attrs]):
        case FunctionDecl() as decl:
            return _own(decl)
        case External(qualname=qualname):
            return _outside(qualname, nargs)
        case _:
            return None


def _outside(qualname: str, nargs: int) -> tuple[str, str] | None:
    """The formula and the home of a function outside the program."""
    if (op := resolve(qualname, nargs)) is not None:
        return _formula(OPS[op]), _HOMES[op]
    return _library(FUNCTIONS[qualname]) if qualname in FUNCTIONS else None


def _own(decl: FunctionDecl) -> tuple[str, str]:
    home = f"{decl.module}:{decl.name}"
    if decl.mark is not None:
        return f"@{decl.mark.role.value}: stated by hand", home
    return "its body, which is read and differentiated", home


def _formula(op: ScalarOp) -> str:
    """The statements of a pullback, one for each argument with a derivative."""
    texts = partials(op)
    lines = (
        f"{name}_bar += f_bar * ({text})"
        for name, text in zip(ARGUMENTS, texts, strict=False)
        if text is not None
    )
    return "; ".join(lines) or _NO_DERIVATIVE


def _library(function: Function) -> tuple[str, str]:
    doc = (function.impl.__doc__ or "").strip().partition("\n")[0]
    home = function.impl.__module__.replace(".", "/") + ".py"
    return doc or "it is taken apart, and its parts are differentiated", home
