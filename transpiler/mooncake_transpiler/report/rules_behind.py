"""The rules behind the calls of a function: where they stand, what they say."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from mooncake_rules.arrays.table import Function
from mooncake_rules.catalogue import ARGUMENTS, partials
from mooncake_rules.library import FUNCTIONS, METHODS
from mooncake_rules.op import ScalarOp
from mooncake_rules.scalar import GROUPS, OPS, resolve

from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.report.findings import RuleBehind

_HOMES = {op.name: f"mooncake_rules/{home}.py" for home, ops in GROUPS.items() for op in ops}
_NO_DERIVATIVE = "0: it carries no derivative"
_BUILTINS = frozenset({"abs", "max", "min", "pow", "round", "sum"})


def imported(tree: ast.Module, package: str) -> dict[str, str]:
    """The dotted names behind those that ``tree`` imports, a module in ``package``."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name if alias.asname else alias.name.partition(".")[0]
                found[alias.asname or top] = top
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: -(node.level - 1) or None] if node.level else []
            home = ".".join(filter(None, (*above, node.module or "")))
            for alias in node.names:
                found[alias.asname or alias.name] = f"{home}.{alias.name}"
    return found


def rules_of(
    func: ast.FunctionDef, path: str, names: Mapping[str, str], decls: Mapping[str, FunctionDecl]
) -> Iterator[RuleBehind]:
    """The rules behind the calls in ``func``, in their order, each call once.

    ``names``: what names of the module stand for; ``decls``: the functions of the program, dotted.
    """
    seen: set[str] = set()
    calls = (node for node in ast.walk(func) if isinstance(node, ast.Call))
    for call in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        written = ast.unparse(call.func)
        found = _found(written, len(call.args), names, decls)
        if found is not None and written not in seen:
            seen.add(written)
            yield RuleBehind(written, call.lineno, path, *found)


def _found(
    written: str, nargs: int, names: Mapping[str, str], decls: Mapping[str, FunctionDecl]
) -> tuple[str, str] | None:
    """The formula and the home of the function that is called as ``written``."""
    first, dot, rest = written.partition(".")
    dotted = names.get(first, first) + dot + rest
    if dotted in decls:
        return _own(decls[dotted])
    if first not in names and not dot and first in _BUILTINS:
        dotted = f"builtins.{first}"
    dotted = dotted.replace("cupy.", "numpy.", 1) if dotted.startswith("cupy.") else dotted
    if (op := resolve(dotted, nargs)) is not None:
        return _formula(OPS[op]), _HOMES[op]
    if dotted in FUNCTIONS:
        return _library(FUNCTIONS[dotted])
    method = written.rpartition(".")[2]
    if dot and first not in names and method in METHODS:
        return _library(METHODS[method])
    return None


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
