"""Comments that say what to differentiate.

    # mooncake: wrt=x,y modes=reverse,forward
    def f(x: float, y: float, n: int) -> float: ...

    # mooncake: skip
    def g(x: float) -> float: ...

They stand above a function, above its decorators too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

import libcst as cst

from mooncake_transpiler.diagnostics import Diagnostic, Refused
from mooncake_transpiler.frontend.entities import Directive, Module, ParamDecl
from mooncake_transpiler.frontend.source import place
from mooncake_transpiler.modes import MODES, is_mode
from mooncake_transpiler.types import is_differentiable

_COMMENT = re.compile(r"#\s*mooncake\s*:(?P<words>.*)")
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
    """What the comments above ``node`` say; ``Refused`` where that makes no sense."""
    options: dict[str, tuple[str, ...]] = {}
    skip = False
    for comment in comments_above(module, node):
        for word in _words(comment):
            if word == "skip":
                skip = True
                continue
            name, values = _option(module, comment, word)
            if name in options:
                raise _refused(module, comment, f"{name} is given twice")
            options[name] = values
    return Directive(options.get("wrt"), options.get("modes"), skip)


def check_wrt(
    module: Module, node: cst.FunctionDef, directive: Directive, params: Mapping[str, ParamDecl]
) -> Iterator[Diagnostic]:
    """``wrt`` must name parameters that carry floats."""
    above = comments_above(module, node)
    for name in directive.wrt or ():
        param = params.get(name)
        if param is None:
            problem = f"{node.name.value} has no parameter {name!r}"
        elif param.annotation is None or is_differentiable(param.annotation.type):
            continue
        else:
            problem = f"{name} is of type {param.annotation.type}, which carries no floats"
        where = next((c for c in above if name in re.split(r"\W+", c.value)), above[0])
        yield Diagnostic("MK232", problem, place(module, where))


def stray_directives(module: Module, functions: Iterable[cst.FunctionDef]) -> Iterator[Diagnostic]:
    """Directives that stand above none of ``functions``, the module's own."""
    if "mooncake" not in module.text:
        return
    used = {comment for node in functions for comment in comments_above(module, node)}
    for node in module.positions:
        if isinstance(node, cst.Comment) and node not in used and _COMMENT.match(node.value):
            message = "this directive does not stand above a module-level function"
            yield Diagnostic("MK231", message, place(module, node))


def _words(comment: cst.Comment) -> list[str]:
    found = _COMMENT.match(comment.value)
    return found["words"].split() if found else []


def _option(module: Module, comment: cst.Comment, word: str) -> tuple[str, tuple[str, ...]]:
    name, _, text = word.partition("=")
    values = tuple(text.split(","))
    if name not in ("wrt", "modes"):
        raise _refused(module, comment, f"unknown directive {word!r}")
    if not all(value.replace("-", "_").isidentifier() for value in values):
        raise _refused(module, comment, f"{name} takes names, separated by commas without spaces")
    unknown = [value for value in values if name == "modes" and not is_mode(value)]
    if unknown:
        raise _refused(module, comment, f"unknown mode {unknown[0]!r}; known: {', '.join(MODES)}")
    return name, values


def _refused(module: Module, comment: cst.Comment, message: str) -> Refused:
    return Refused(Diagnostic("MK230", message, place(module, comment), _USAGE))
