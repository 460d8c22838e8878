"""Outlines of modules, imports and definitions: enough to tell if a module must be read at all."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

PLAIN = frozenset({"int", "bool", "str", "bytes", "None"})  # annotations that carry no floats
# Methods of arrays (and lists) that change them.
MUTATING = frozenset(
    {"append", "clear", "extend", "fill", "insert", "itemset", "partition", "pop", "popitem", "put",
     "remove", "resize", "reverse", "setdefault", "setfield", "sort", "update"}
)  # fmt: skip
RULES = frozenset({"rule_for", "overlay"})  # decorators of ``mooncake_runtime``

Function = ast.FunctionDef | ast.AsyncFunctionDef


LAMBDA = "a lambda has no annotations; write it with def"
METHODS_ONLY = "it has methods only; write a function that calls them"


@dataclass(frozen=True, slots=True)
class ModuleOutline:
    """Imports and definitions of a module; ``None`` where this Python can't parse it."""

    imports: frozenset[str] | None  # dotted names that may be modules of the program
    functions: frozenset[str] | None
    may_differentiate: bool  # some function may get derivatives
    changes: frozenset[str] = frozenset()  # dotted names: modules here, or in one, may be changed
    gives_rules: bool = False  # for functions of any module
    left_alone: tuple[str, ...] = ()  # public functions that get no derivatives, and why


def outline(content: bytes, package: str) -> ModuleOutline:
    """The outline of a module in ``package`` (empty at the top level)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ModuleOutline(None, None, True)
    functions = [stmt for stmt in tree.body if isinstance(stmt, Function)]
    return ModuleOutline(
        imports=frozenset(_imports(tree, package)),
        functions=frozenset(function.name for function in functions),
        may_differentiate=any(map(_may_differentiate, functions)),
        changes=frozenset(_changes(tree, package)),
        gives_rules=any(map(_names_rules, ast.walk(tree))),
        left_alone=tuple(_left_alone(tree.body, functions)),
    )


def _imports(tree: ast.Module, package: str) -> Iterator[str]:
    return (dotted for _, dotted in _bound(tree, package))


def _bound(tree: ast.Module, package: str) -> Iterator[tuple[str, str]]:
    """Each name that an import binds, and the dotted names of what may be, or hold, its value."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    yield from ((bound, dotted) for dotted in _prefixes(alias.name))
            case ast.ImportFrom(module=module, names=names, level=level):
                base = _absolute(module or "", level, package)
                holders = [*_prefixes(base)] if base else ["__init__"]
                for alias in names:
                    bound = alias.asname or alias.name
                    dotted = f"{base}.{alias.name}".strip(".")
                    yield from ((bound, name) for name in (*holders, dotted))
            case _:
                pass


def _changes(tree: ast.Module, package: str) -> Iterator[str]:
    """The dotted names of imported modules of which code here may change something.

    ``a.scale = 2.0``, ``TABLE[0] = 1.0``, ``TABLE.sort()`` and ``np.exp(x, out=TABLE)``, where
    these names come from an import; ``import *`` may bring any name.
    """
    origins: dict[str, set[str]] = {}
    for bound, dotted in _bound(tree, package):
        origins.setdefault(bound, set()).add(dotted)
    written = {root for node in ast.walk(tree) for root in map(_root, _written(node))}
    for bound in written & origins.keys():
        yield from origins[bound]
    if written - origins.keys():
        yield from origins.get("*", ())


def _written(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Attribute(ctx=ctx) | ast.Subscript(ctx=ctx) if not isinstance(ctx, ast.Load):
            yield node
        case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in MUTATING:
            yield value
        case ast.Call(keywords=keywords):
            yield from (keyword.value for keyword in keywords if keyword.arg == "out")
        case _:
            pass


def _root(node: ast.expr) -> str:
    """``a`` of ``a.b[0].c``; empty where that is no name."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _names_rules(node: ast.AST) -> bool:
    match node:
        case ast.ImportFrom(module="mooncake_runtime", names=names):
            return any(alias.name in (*RULES, "*") for alias in names)
        case ast.Attribute(attr=attr):
            return attr in RULES
        case _:
            return False


def _absolute(module: str, level: int, package: str) -> str:
    """The absolute name of what ``level`` dots and ``module`` stand for in ``package``."""
    if level == 0:
        return module
    parts = package.split(".") if package else []
    kept = parts[: len(parts) - (level - 1)]
    return ".".join([*kept, *filter(None, [module])])


def _prefixes(name: str) -> Iterator[str]:
    """``a``, ``a.b`` and ``a.b.c`` for ``a.b.c``: importing a module runs its packages, too."""
    parts = name.split(".")
    yield from (".".join(parts[: n + 1]) for n in range(len(parts)) if parts[0])


def _left_alone(body: list[ast.stmt], functions: list[Function]) -> Iterator[str]:
    classes = (stmt for stmt in body if isinstance(stmt, ast.ClassDef))
    methods = (s for cls in classes for s in cls.body if isinstance(s, Function))
    if not functions and any(m.returns and _may_differentiate(m) for m in methods):
        yield METHODS_ONLY
    yield from (f"{name}: {LAMBDA}" for name in _lambdas(body) if not functions)
    for function in functions:
        if not function.name.startswith("_") and not _may_differentiate(function):
            notes = [note for note in (function.returns, *_notes(function)) if note]
            why = "no parameter carries floats" if notes else "no annotations"
            stars = [*_stars(function)]
            if notes and stars and not _notes(function):
                why = f"name the parameters one by one, not {' and '.join(stars)}"
            yield f"{function.name}: {why}"


def _stars(function: Function) -> Iterator[str]:
    for mark, one in (("*", function.args.vararg), ("**", function.args.kwarg)):
        if one is not None:
            yield f"{mark}{one.arg}"


def _lambdas(body: list[ast.stmt]) -> Iterator[str]:
    for stmt in body:
        match stmt:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda()):
                yield name
            case _:
                pass


def _notes(function: Function) -> list[ast.expr | None]:
    arguments = function.args
    params = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [param.annotation for param in params]


def _may_differentiate(function: Function) -> bool:
    """True if ``function`` is public and annotated (or half so), and may take floats.

    A decorator with arguments, such as ``@njit("float64(float64)")``, may tell types, too.
    """
    notes = _notes(function)
    if function.name.startswith("_"):
        return False
    if any(isinstance(maker, ast.Call) and maker.args for maker in function.decorator_list):
        return True
    if not any([function.returns, *notes]):
        return False
    return any(note is None or ast.unparse(note) not in PLAIN for note in notes)
