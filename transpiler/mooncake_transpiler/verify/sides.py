"""Modules of the same names side by side: those of SRC, of OUT, and of OUT without numba."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from mooncake_runtime.plain import not_compiling

from mooncake_transpiler.output.sources import VENDORED
from mooncake_transpiler.packages import package_name


@dataclass(slots=True)
class Side:
    """Modules that were imported from one place, out of sight of the others of their names.

    ``names`` are those of modules and packages at the top level that belong to it.
    """

    root: Path  # of the modules: SRC or OUT
    names: frozenset[str]
    more: tuple[Path, ...] = ()  # where else to look for what is imported
    plain: bool = False
    modules: dict[str, ModuleType] = field(default_factory=dict)

    @contextmanager
    def active(self) -> Iterator[None]:
        """A context in which imported modules are those of this side."""
        own = [name for name in sys.modules if name.partition(".")[0] in self.names]
        hidden = {name: sys.modules.pop(name) for name in own}
        known = set(sys.modules)
        importlib.invalidate_caches()
        try:
            with self.shown():
                yield
                found = {n: m for n, m in sys.modules.items() if n not in known and self._has(n)}
                self.modules.update(found)
        finally:
            for name in set(sys.modules) - known:
                if self._has(name):
                    del sys.modules[name]
            sys.modules.update(hidden)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """A context in which calls find the modules of this side; their prints are no output."""
        before = {name: sys.modules.get(name) for name in self.modules}
        path = list(sys.path)
        sys.modules.update(self.modules)
        sys.path[:0] = [str(top(self.root)), *(str(top(root)) for root in self.more)]
        try:
            with redirect_stdout(io.StringIO()):
                yield
        finally:
            sys.path[:] = path
            for name, module in before.items():
                if module is None:
                    sys.modules.pop(name, None)
                else:
                    sys.modules[name] = module

    def _has(self, name: str) -> bool:
        """True if a module that was imported just now is of this side."""
        file = getattr(sys.modules[name], "__file__", None)
        if name.partition(".")[0] in self.names or file is None:
            return name.partition(".")[0] in self.names
        roots = [top(root) for root in (self.root, *self.more)]
        is_installed = "site-packages" in Path(file).parts
        return not is_installed and any(Path(file).is_relative_to(root) for root in roots)

    def load(self, name: str) -> ModuleType:
        """The module ``name`` of the program; whatever goes wrong is the program's error."""
        with self.active(), not_compiling() if self.plain else nullcontext():
            return importlib.import_module(import_name(self.root, name))


def top(root: Path) -> Path:
    """The folder from which the modules under ``root`` are imported."""
    depth = package_name(root).count(".") + 1 if package_name(root) else 0
    return [root.resolve(), *root.resolve().parents][depth]


def import_name(root: Path, module: str) -> str:
    """The name by which ``module`` of the folder ``root`` is imported."""
    inner = "" if module == "__init__" else module
    return ".".join(filter(None, [package_name(root), inner]))


def make_side(
    root: Path, modules: Iterable[str], more: tuple[Path, ...] = (), plain: bool = False
) -> Side:
    """A side with nothing imported yet; ``modules`` are those of the program."""
    tops = {import_name(root, name).partition(".")[0] for name in modules}
    return Side(root.resolve(), frozenset(tops | {VENDORED}), more, plain)
