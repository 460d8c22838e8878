"""The settings in ``[tool.mooncake-transpile]`` of the nearest ``pyproject.toml``.

    [tool.mooncake-transpile]
    modes = ["reverse"]                 # for every function that has no settings of its own
    exclude = ["legacy.py", "tests/*"]  # paths under SRC that are left out
    context = "minimal"                 # leave out the derivative rules that are there for speed
    vendor = true                       # copy the runtime into OUT
    check-bounds = true                 # test indices at run time
    debug-checks = true                 # compare shadows with their primals at run time
    keep-going = true                   # emit what can be, in modules with errors too

    [tool.mooncake-transpile.functions."pkg.model:loss"]
    wrt = ["weights"]
    modes = ["reverse", "hvp"]

A directive above a function wins over what stands here.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.modes import is_mode, unknown_mode

TABLE = "mooncake-transpile"
KEYS = (
    "check-bounds",
    "context",
    "debug-checks",
    "exclude",
    "functions",
    "keep-going",
    "modes",
    "vendor",
)
CONTEXTS = ("default", "minimal")
FUNCTION_KEYS = ("modes", "wrt")


class ConfigError(Exception):
    """The configuration can't be used; the message names file and key."""


@dataclass(frozen=True, slots=True)
class FunctionConfig:
    """The settings of a function: parameters and modes; ``None`` where none are given."""

    wrt: tuple[str, ...] | None = None
    modes: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Config:
    modes: tuple[str, ...] | None = None
    exclude: tuple[str, ...] = ()
    context: str = "default"  # "minimal": without the rules that are there for speed
    vendor: bool = False  # the output brings its own copy of the runtime
    check_bounds: bool = False  # indices are tested as functions run
    debug_checks: bool = False  # derivatives compare shadows with their primals as they run
    keep_going: bool = False  # an error in one function of a module stops no other
    functions: Mapping[str, FunctionConfig] = field(default_factory=dict)  # by "module:function"

    def function(self, qualname: str) -> FunctionConfig:
        """The settings of one function, defaults filled in."""
        own = self.functions.get(qualname, FunctionConfig())
        return own if own.modes is not None else FunctionConfig(own.wrt, self.modes)

    def own_modes(self, qualname: str) -> tuple[str, ...] | None:
        """The modes that are set for this function alone."""
        return self.functions.get(qualname, FunctionConfig()).modes

    def excludes(self, path: str) -> bool:
        """True if ``path`` (relative to SRC, with forward slashes) is left out."""
        return any(fnmatchcase(path, pattern) for pattern in self.exclude)


def load_config(start: Path) -> Config:
    """The configuration that is in force for the file or folder ``start``."""
    for folder in (start.resolve(), *start.resolve().parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            return _read(file)
    return Config()


def _read(file: Path) -> Config:
    try:
        table = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise ConfigError(f"{file}: {error}") from error
    except RecursionError:
        raise ConfigError(f"{file} is nested too deeply") from None
    tool = table.get("tool", {})
    own = tool.get(TABLE, {}) if isinstance(tool, dict) else None
    where = f"{file}: [tool.{TABLE}]"
    if not isinstance(own, dict):
        raise ConfigError(f"{where} must be a table")
    _known(own, KEYS, where)
    functions = own.get("functions", {})
    if not isinstance(functions, dict):
        raise ConfigError(f"{where}: functions must be a table, one entry per function")
    return Config(
        modes=_modes(own, where),
        exclude=_strings(own, "exclude", where) or (),
        context=_context(own, where),
        vendor=_flag(own, "vendor", where),
        check_bounds=_flag(own, "check-bounds", where),
        debug_checks=_flag(own, "debug-checks", where),
        keep_going=_flag(own, "keep-going", where),
        functions={name: _function(name, value, where) for name, value in functions.items()},
    )


def _context(table: Mapping[str, object], where: str) -> str:
    context = table.get("context", CONTEXTS[0])
    if not isinstance(context, str) or context not in CONTEXTS:
        raise ConfigError(f"{where}: context must be one of {', '.join(CONTEXTS)}")
    return context


def _flag(table: Mapping[str, object], key: str, where: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise ConfigError(f"{where}: {key} must be true or false")
    return value


def _function(name: str, value: object, where: str) -> FunctionConfig:
    where = f'{where}: functions."{name}"'
    if ":" not in name:
        raise ConfigError(f'{where}: a function is named "package.module:function"')
    if not isinstance(value, dict):
        raise ConfigError(f"{where} must be a table with wrt and modes")
    _known(value, FUNCTION_KEYS, where)
    return FunctionConfig(_strings(value, "wrt", where), _modes(value, where))


def _known(table: Mapping[str, object], keys: tuple[str, ...], where: str) -> None:
    unknown = sorted(set(table) - set(keys))
    if unknown:
        hint = did_you_mean(unknown[0], keys) or f"; known: {', '.join(keys)}"
        raise ConfigError(f"{where}: unknown key {unknown[0]!r}{hint}")


def _strings(table: Mapping[str, object], key: str, where: str) -> tuple[str, ...] | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{where}: {key} must be a list of strings")
    return tuple(value)


def _modes(table: Mapping[str, object], where: str) -> tuple[str, ...] | None:
    modes = _strings(table, "modes", where)
    unknown = [mode for mode in modes or () if not is_mode(mode)]
    if unknown:
        raise ConfigError(f"{where}: {unknown_mode(unknown[0])}")
    return modes
