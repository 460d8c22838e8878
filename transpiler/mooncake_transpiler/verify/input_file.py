"""Arguments from the file that ``--inputs`` names.

def inputs_loss():                      # for any function `loss`
    return np.ones(3), 0.5              # one tuple of arguments, or a list of several

inputs_cost = {"x": np.ones(3)}         # or the arguments themselves

INPUTS = {"pkg.model:loss": {"x": np.ones(3)}}   # the same by name; what is left out is drawn
"""

from __future__ import annotations

import runpy
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from mooncake_runtime.tangents import Tree

from mooncake_transpiler.config import ConfigError
from mooncake_transpiler.verify.sides import Side

PREFIX = "inputs_"
TABLE = "INPUTS"
Known = Mapping[str, Tree]  # values of parameters by name


class WrongInputs(Exception):
    """Raised for arguments of one function that are none of its: others can be checked."""


@dataclass(frozen=True, slots=True)
class InputFile:
    """The user's arguments by the name of a function, with its module or without."""

    path: Path | None = None
    entries: Mapping[str, Tree] = field(default_factory=dict)

    def arguments(
        self, module: str, name: str, params: Sequence[str], defaults: Known
    ) -> list[Known] | None:
        """The arguments for each call; None where nothing is said.

        A tuple may leave out parameters at the end that have ``defaults``.
        """
        for key in (f"{module}:{name}", name):
            if key in self.entries:
                found = self.entries[key]
                return self._calls(key, found() if callable(found) else found, params, defaults)
        return None

    def beside(self, functions: Iterable[str]) -> list[str]:
        """The names with arguments that are none of ``functions`` (``module:name``)."""
        known = _names(functions)
        return [name for name in self.entries if name not in known]

    def _calls(self, key: str, found: Tree, params: Sequence[str], defaults: Known) -> list[Known]:
        calls = found if isinstance(found, list) else [found]
        if not calls:
            raise WrongInputs(f"{self.path}: there are no arguments for {key}")
        return [self._call(key, call, params, defaults) for call in calls]

    def _call(self, key: str, call: Tree, params: Sequence[str], defaults: Known) -> Known:
        if isinstance(call, Mapping):
            unknown = [name for name in call if name not in params]
            if unknown:
                raise WrongInputs(f"{self.path}: {key} has no parameter {unknown[0]!r}")
            return call
        needed = sum(name not in defaults for name in params)
        if not isinstance(call, tuple) or not needed <= len(call) <= len(params):
            count = f"{len(params)}" if needed == len(params) else f"{needed} to {len(params)}"
            wanted = f"a tuple of {count} ({', '.join(params)})"
            raise WrongInputs(f"{self.path}: the arguments of {key} must be {wanted}, or a dict")
        return {**defaults, **dict(zip(params, call, strict=False))}


def read_input_file(path: Path | None, side: Side, functions: Iterable[str]) -> InputFile:
    """The arguments for ``functions`` (``module:name``) from the file, which is run for it."""
    if path is None:
        return InputFile()
    try:
        with side.active():
            names = runpy.run_path(str(path))
    except Exception as error:
        raise ConfigError(f"{path} can't be run: {type(error).__name__}: {error}") from error
    made = {n.removeprefix(PREFIX): v for n, v in names.items() if n.startswith(PREFIX)}
    table = names.get(TABLE, {})
    if not isinstance(table, Mapping):
        raise ConfigError(f"{path}: {TABLE} must be a dict")
    known = _names(functions)
    for name in [*made, *table]:
        if name not in known:
            raise ConfigError(f"{path}: there is no function {name!r}")
    made = {name: _run_in(side, v) if callable(v) else v for name, v in made.items()}
    return InputFile(path, {**made, **table})


def _names(functions: Iterable[str]) -> set[str]:
    """The names that ``functions`` have in the file, with their module or without."""
    return {name for qualname in functions for name in (qualname, qualname.partition(":")[2])}


def _run_in(side: Side, function: Callable[[], Tree]) -> Callable[[], Tree]:
    def run() -> Tree:
        with side.shown():
            return function()

    return run
