"""The modules of the runtime, as ``--vendor`` copies them: their imports, and the text of copies.

They are read, not imported: a run that finds everything up to date is to be over at once.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from mooncake_transpiler.output.sources import VENDORED

RUNTIME = "mooncake_runtime"
_IMPORT = re.compile(rf"^( *from ){RUNTIME}(?:\.|(?= ))", re.MULTILINE)

# A copy is not written in the style of the project that it goes to. (pyright can't be told to leave
# a file out; what it takes elements of arrays for, and modules that are not needed, is not so.)
_UNTRUE = ("ArgumentType", "AssignmentType", "AttributeAccessIssue", "MissingImports", "ReturnType")
_PYRIGHT = ", ".join(["basic", *(f"report{rule}=false" for rule in _UNTRUE)])
_PRAGMAS = f"# ruff: noqa\n# fmt: off\n# mypy: ignore-errors\n# pyright: {_PYRIGHT}\n"


@dataclass(frozen=True, slots=True)
class Runtime:
    """The modules of the runtime by name, which is dotted and relative to the package."""

    folder: Path
    trees: dict[str, ast.Module] = field(default_factory=dict)  # of those that were looked at

    def needed(self, body: str) -> Iterator[str]:
        """The modules that a gradient module with this ``body`` imports."""
        with suppress(SyntaxError):  # somebody has edited it
            yield from self._imported(ast.parse(body), VENDORED)

    def closure(self, names: Iterable[str]) -> list[str]:
        """``names``, what they import and the packages that they stand in, sorted."""
        pending, seen = ["", *names], set[str]()
        while pending:
            name = pending.pop()
            if name not in seen:
                seen.add(name)
                pending += [name.rpartition(".")[0], *self._imported(self._tree(name), RUNTIME)]
        return sorted(seen)

    def path(self, name: str) -> str:
        """The path of a module, relative to the package."""
        stem = name.replace(".", "/")
        if (self.folder / stem).is_dir():
            return f"{stem}/__init__.py".lstrip("/")
        return f"{stem}.py"

    def has(self, name: str) -> bool:
        return (self.folder / self.path(name)).is_file()

    def copy(self, name: str) -> str:
        """The text of a copy: as it stands here, but for imports, which become relative."""
        dots = "." * (self.path(name).count("/") + 1)
        text = _IMPORT.sub(rf"\g<1>{dots}", self._text(name))
        return _PRAGMAS + (self._licence() if not name else "") + text

    def _licence(self) -> str:
        lines = (self.folder / "LICENSE").read_text("utf-8").splitlines()
        return "".join(f"# {line}".rstrip() + "\n" for line in lines)

    def _text(self, name: str) -> str:
        return (self.folder / self.path(name)).read_text("utf-8")

    def _tree(self, name: str) -> ast.Module:
        if name not in self.trees:
            self.trees[name] = ast.parse(self._text(name))
        return self.trees[name]

    def _imported(self, tree: ast.Module, package: str) -> Iterator[str]:
        """The modules of the runtime, there called ``package``, that ``tree`` imports."""
        for node in _run(tree):
            if not isinstance(node, ast.ImportFrom):
                continue
            home, found, below = f"{node.module}.".partition(f"{package}.")
            if home or not found:
                continue
            below = below.rstrip(".")
            yield below
            for alias in node.names:
                name = f"{below}.{alias.name}".lstrip(".")
                if self.has(name):
                    yield name
                    yield from self._asked_for(name, tree, alias.asname or alias.name)

    def _asked_for(self, package: str, tree: ast.Module, bound: str) -> Iterator[str]:
        """The modules of ``package`` that define what ``tree`` asks for as ``bound.name``.

        A package of kernels imports them only then.
        """
        asked = {
            node.attr
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == bound
        }
        for file in sorted((self.folder / package.replace(".", "/")).glob("*.py")):
            name = f"{package}.{file.stem}"
            if file.stem != "__init__" and asked & set(_defined(self._tree(name))):
                yield name


def find_runtime() -> Runtime:
    """The runtime that is installed beside the transpiler."""
    spec = find_spec(RUNTIME)
    assert spec is not None
    assert spec.origin is not None
    return Runtime(Path(spec.origin).parent)


def _run(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of ``tree``, but those under ``if TYPE_CHECKING``."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=orelse):
                for other in orelse:
                    yield from _run(other)
            case _:
                yield node
                yield from _run(node)


def _defined(tree: ast.Module) -> Iterator[str]:
    """The functions and variables at the top level of a module."""
    for stmt in tree.body:
        match stmt:
            case ast.FunctionDef(name=name):
                yield name
            case ast.Assign(targets=targets):
                yield from (target.id for target in targets if isinstance(target, ast.Name))
            case _:
                pass
