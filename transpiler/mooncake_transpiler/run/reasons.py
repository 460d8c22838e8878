"""The state of each function (emitted, skipped, …), and why a module yields nothing."""

from __future__ import annotations

from collections.abc import Sequence

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.interface.last_values import user_result
from mooncake_transpiler.run.reading import Reading, differentiated
from mooncake_transpiler.types import NONE, ArrayLibrary, Type, is_differentiable


def verdict(
    decl: FunctionDecl, reading: Reading, refused: Sequence[Diagnostic] = ()
) -> tuple[str, str]:
    """The state of the function, and the reason; ``refused``: by what makes its derivatives."""
    if decl.directive.skip:
        return "skipped", "`# mooncake: skip`"
    if decl.name.startswith("_"):
        return "helper", "its name is private"
    missing = [p.name for p in decl.params if p.annotation is None and p.node.annotation is None]
    if missing:
        signature = _errors(decl, reading) if decl.is_refused else ""
        unnamed = f"no annotation: {', '.join(missing)}"
        return ("error", signature) if signature else ("helper", unnamed)
    vague = [p.name for p in decl.params if p.annotation is None]
    unsuited = decl.no_derivatives
    if unsuited and (vague or decl.result is None or decl.node.asynchronous):
        return "helper", unsuited
    if decl.is_refused:
        return "error", _errors(decl, reading) or "its signature is wrong, as reported below"
    if vague:
        return "helper", f"others call it, and annotations don't tell types: {', '.join(vague)}"
    if decl.result is None and not decl.infers_result:
        what = "has no annotation" if decl.node.returns is None else "is of no type that is known"
        return "helper", f"its result {what}"
    if decl.result is not None and not decl.written and not is_differentiable(decl.result.type):
        return "skipped", _without_floats(decl, decl.result.type)
    if not decl.is_public:
        return "skipped", unsuited or "no parameter carries floats"
    own = _errors(decl, reading)
    if own:
        return "error", own
    func = reading.program.funcs.get(decl.qualname)
    if func is None:
        return "error", "it calls what is wrong, as reported below"
    if not is_differentiable(user_result(func)):
        return "skipped", _without_floats(decl, user_result(func))
    if refused:
        return "error", _told(refused)
    wrt = differentiated(func, decl, reading.inputs.config)
    return "emitted", f"with respect to {', '.join(wrt)}"


def _without_floats(decl: FunctionDecl, result: Type) -> str:
    if decl.unshown:
        return decl.unshown
    if result == NONE and decl.library is ArrayLibrary.CUPY:
        return "it returns None: with arrays of CuPy, return what it writes"
    if result == NONE:
        return "it returns None, and is not seen to change arrays, lists or objects of its caller"
    return f"its result, {result}, carries no floats"


def _errors(decl: FunctionDecl, reading: Reading) -> str:
    """The errors between the first and the last line of the function: codes, and the first one."""
    module = reading.source.modules[decl.module]
    span = module.positions[decl.node]
    found = [
        diagnostic
        for diagnostic in reading.diagnostics
        if diagnostic.place.path == module.path
        and span.start.line <= diagnostic.place.line <= span.end.line
    ]
    if not found:
        return ""
    return _told(found)


def _told(found: Sequence[Diagnostic]) -> str:
    first, *others = found
    more = ", ".join(dict.fromkeys(diagnostic.code for diagnostic in others))
    text = f"{first.code}: {first.message} (line {first.place.line})"
    return f"{text}; {more}" if more else text


def why_nothing(module: str, reading: Reading) -> tuple[str, ...]:
    """Why no function of ``module`` gets derivatives, but for private and skipped ones."""
    functions = [d for d in reading.source.functions() if d.module == module]
    open_ones = [d for d in functions if not d.name.startswith("_") and not d.directive.skip]
    return tuple(f"{d.name}: {verdict(d, reading)[1]}" for d in open_ones)
