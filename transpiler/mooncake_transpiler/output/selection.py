"""The selection by ``--only``: modules, or single functions of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mooncake_transpiler.config import ConfigError
from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.output.sources import SourceFile, Sources


@dataclass(frozen=True, slots=True)
class FunctionSelection:
    """The selected functions by module; an empty set stands for all, no mapping for everything."""

    modules: Mapping[str, frozenset[str]] | None = None

    def has_module(self, module: str) -> bool:
        return self.modules is None or module in self.modules

    def has_function(self, module: str, function: str) -> bool:
        if self.modules is None:
            return True
        names = self.modules.get(module)
        return names is not None and (not names or function in names)

    def functions(self, module: str) -> list[str]:
        """The functions named in ``module``, sorted; empty for all of them."""
        return sorted((self.modules or {}).get(module, ()))


def parse_selection(only: tuple[str, ...], sources: Sources) -> FunctionSelection:
    """Read ``pkg.mod`` and ``pkg.mod:f``; what is not in ``sources`` is an error."""
    if not only:
        return FunctionSelection()
    modules: dict[str, frozenset[str]] = {}
    for item in only:
        module, colon, function = item.partition(":")
        file = sources.known.get(module)
        if file is None:
            hint = did_you_mean(module, sources.known)
            message = f"--only {item}: there is no module {module!r} in {sources.root}{hint}"
            raise ConfigError(message)
        names = _names(file, function, item) if colon else frozenset[str]()
        known = modules.get(module, names)
        modules[module] = known | names if known and names else frozenset()
    return FunctionSelection(modules)


def _names(file: SourceFile, function: str, item: str) -> frozenset[str]:
    defined = file.outline.functions
    if defined is not None and function not in defined:
        hint = did_you_mean(function, defined)
        raise ConfigError(f"--only {item}: there is no function {function!r} in {file.path}{hint}")
    return frozenset({function})
