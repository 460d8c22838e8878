"""Comments that say what to differentiate.

    # mooncake: wrt=x,y modes=reverse,forward
    def f(x: float, y: float, n: int) -> float: ...

    # mooncake: skip
    def g(x: float) -> float: ...

    # mooncake: domain=x:(0.1,2),y:(-1,1)
    def h(x: float, y: float) -> float: ...

They stand above a function, above its decorators too.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Refused
from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.frontend.entities import Bounds, Directive, Module, ParamDecl
from mooncake_transpiler.frontend.text.source import place
from mooncake_transpiler.modes import is_mode, unknown_mode
from mooncake_transpiler.types import Array, Scalar, Type, is_differentiable, leaves

_COMMENT = re.compile(
    r"#\s*mooncake(?P<colon>\s*:|\s+(?=(?:skip\b|(?:wrt|modes|domain)=)))(?P<words>.*)", re.I
)
_DOMAIN = re.compile(r"(?P<name>\w+):\((?P<low>[^(),:]*),(?P<high>[^(),:]*)\)")
DIRECTIVES = ("domain", "modes", "skip", "wrt")
_USAGE = "write `# mooncake: wrt=x,y modes=reverse,forward` or `# mooncake: skip`"


def comments_above(module: Module, node: cst.FunctionDef) -> list[cst.Comment]:
    """The directives that belong to ``node``, in order."""
    lines = [*node.leading_lines, *node.lines_after_decorators]
    for decorator in node.decorators:
        lines += decorator.leading_lines
    if module.tree.body and module.tree.body[0] is node:
        lines += module.tree.header
    comments = [line.comment for line in lines if line.comment is not None]
    return [comment for comment in comments if _COMMENT.match(comment.value)]


def read_directive(module: Module, node: cst.FunctionDef) -> Directive:
    """The settings in the comments above ``node``; ``Refused`` where they make no sense."""
    options: dict[str, tuple[str, ...]] = {}
    domain: dict[str, Bounds] = {}
    skip = False
    for comment in comments_above(module, node):
        for word in _words(module, comment):
            if word == "skip":
                skip = True
                continue
            if word.startswith("domain="):
                _add_domains(module, comment, word, domain)
                continue
            name, values = _option(module, comment, word)
            if name in options:
                raise _refused(module, comment, f"{name} is given twice")
            options[name] = values
    return Directive(options.get("wrt"), options.get("modes"), skip, tuple(domain.items()))


def check_names(
    module: Module, node: cst.FunctionDef, directive: Directive, params: Mapping[str, ParamDecl]
) -> Iterator[Diagnostic]:
    """``wrt`` must name parameters that carry floats, ``domain`` those that carry numbers."""
    above = comments_above(module, node)
    wrt = [(n, "MK232", is_differentiable, "floats", r"\b%s\b") for n in directive.wrt or ()]
    domain = [(n, "MK510", _carries_numbers, "numbers", r"%s:\(") for n, _ in directive.domain]
    for name, code, carries, what, spelled in (*wrt, *domain):
        param = params.get(name)
        if param is None:
            problem = f"{node.name.value} has no parameter {name!r}{did_you_mean(name, params)}"
        elif param.annotation is None or carries(param.annotation.type):
            continue
        else:
            problem = f"{name} is of type {param.annotation.type}, which carries no {what}"
        where = next((c for c in above if re.search(spelled % re.escape(name), c.value)), above[0])
        yield Diagnostic(code, problem, place(module, where))


def _carries_numbers(type_: Type) -> bool:
    kinds = (leaf.dtype for leaf in leaves(type_) if isinstance(leaf, Scalar | Array))
    return any(dtype.is_differentiable or dtype.is_int for dtype in kinds)


def stray_directives(module: Module, functions: Iterable[cst.FunctionDef]) -> Iterator[Diagnostic]:
    """Directives that stand above none of ``functions``, the module's own."""
    if "mooncake" not in module.text.lower():
        return
    used = {comment for node in functions for comment in comments_above(module, node)}
    for node in module.positions:
        if isinstance(node, cst.Comment) and node not in used and _COMMENT.match(node.value):
            message = "this directive does not stand above a module-level function"
            yield Diagnostic("MK231", message, place(module, node))


def _words(module: Module, comment: cst.Comment) -> list[str]:
    found = _COMMENT.match(comment.value)
    if found and ":" not in found["colon"]:
        raise _refused(module, comment, "a colon is missing behind `mooncake`")
    return found["words"].split() if found else []


def _option(module: Module, comment: cst.Comment, word: str) -> tuple[str, tuple[str, ...]]:
    name, _, text = word.partition("=")
    values = tuple(text.split(","))
    if name not in ("wrt", "modes"):
        hint = did_you_mean(name, DIRECTIVES)
        raise _refused(module, comment, f"unknown directive {word!r}{hint}")
    if not all(value.replace("-", "_").isidentifier() for value in values):
        raise _refused(module, comment, f"{name} takes names, separated by commas without spaces")
    unknown = [value for value in values if name == "modes" and not is_mode(value)]
    if unknown:
        raise _refused(module, comment, unknown_mode(unknown[0]))
    return name, values


def _add_domains(module: Module, comment: cst.Comment, word: str, known: dict[str, Bounds]) -> None:
    """Enter the parameters and bounds in ``domain=x:(0.1,2),y:(-1,1)``."""
    text = word.removeprefix("domain=")
    found = list(_DOMAIN.finditer(text))
    if not found or ",".join(match.group() for match in found) != text:
        raise _wrong_domain(module, comment, f"{word!r} is no list of domains")
    for match in found:
        name, low, high = match["name"], _number(match["low"]), _number(match["high"])
        if name in known:
            raise _wrong_domain(module, comment, f"{name} has two domains")
        if low is None or high is None:
            raise _wrong_domain(module, comment, f"{match.group()!r}: the bounds are two numbers")
        if low >= high:
            message = f"{match.group()!r}: the first bound must be less than the second"
            raise _wrong_domain(module, comment, message)
        known[name] = (low, high)


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _wrong_domain(module: Module, comment: cst.Comment, message: str) -> Refused:
    help_ = "write `# mooncake: domain=x:(0.1,2),y:(-1,1)`, without spaces"
    return Refused(Diagnostic("MK510", message, place(module, comment), help_))


def _refused(module: Module, comment: cst.Comment, message: str) -> Refused:
    return Refused(Diagnostic("MK230", message, place(module, comment), _USAGE))
