"""The inputs of a run: sources, settings and selection."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from mooncake_transpiler.config import CONTEXTS, Config, load_config
from mooncake_transpiler.output.digests import digest
from mooncake_transpiler.output.generated_sources import with_generated
from mooncake_transpiler.output.neighbours import import_name
from mooncake_transpiler.output.selection import FunctionSelection, parse_selection
from mooncake_transpiler.output.sources import Sources, find_sources


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a run; derivatives of the modules ``done`` are up to date, without errors."""

    src: Path
    sources: Sources
    config: Config
    selection: FunctionSelection
    done: frozenset[str] = frozenset()

    def options_digest(self, module: str) -> str:
        """The hash of all settings that bear on ``module``."""
        functions = self._of_functions(module)
        options: list[object] = [self.config.modes, functions, self.selection.functions(module)]
        origins = [f.origin for f in self.sources.closure(module) if f.origin and f.name != module]
        if origins:
            options.append([self._of_functions(origin) for origin in origins])
        if self.config.context != CONTEXTS[0]:
            options.append(self.config.context)
        if self.config.vendor:
            options.append("vendor")
        if self.config.check_bounds:
            options.append("check-bounds")
        if self.config.debug_checks:
            options.append("debug-checks")
        own = import_name(module, module, self.sources)
        if own.startswith("."):  # in a package
            options.append(own)
        return digest([json.dumps(options, sort_keys=True).encode()])

    def _of_functions(self, module: str) -> dict[str, object]:
        settings = self.config.functions.items()
        full = self.sources.full_name(module)
        return {
            f"{full}:{name.partition(':')[2]}": [own.wrt, own.modes]
            for name, own in settings
            if name.partition(":")[0] == module
        }


def find_inputs(
    src: Path,
    only: tuple[str, ...] = (),
    leave_out: Path | None = None,
    context: str | None = None,
    vendor: bool = False,
    debug_checks: bool = False,
    check_bounds: bool = False,
    keep_going: bool = False,
) -> Inputs:
    """Look for the modules under ``src`` and for the configuration that is in force there."""
    config = load_config(src)
    if context is not None:
        config = replace(config, context=context)
    if vendor:
        config = replace(config, vendor=True)
    if debug_checks:
        config = replace(config, debug_checks=True)
    if check_bounds:
        config = replace(config, check_bounds=True)
    if keep_going:
        config = replace(config, keep_going=True)
    asked = [item.partition(":")[0] for item in only]
    sources = with_generated(find_sources(src, config, leave_out), asked)
    functions = {_inner(name, sources): own for name, own in config.functions.items()}
    config = replace(config, functions=functions)
    return Inputs(src, sources, config, parse_selection(only, sources))


def _inner(name: str, sources: Sources) -> str:
    """``model:loss`` for ``pkg.model:loss``, where SRC is the package ``pkg``."""
    module, _, function = name.partition(":")
    found = sorted(sources.inside(module) & sources.known.keys())
    return f"{found[0]}:{function}" if found else name
