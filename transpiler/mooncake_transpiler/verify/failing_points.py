"""Points at which a function raises: there its derivatives raise, too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import ModuleType

import numpy as np
from mooncake_runtime import tangents
from mooncake_runtime.compiling import jit_enabled
from mooncake_runtime.tangents import Tree

from mooncake_transpiler.verify.rounding import rounding_raises
from mooncake_transpiler.verify.subjects import Loaded

# Where Python's floats raise, compiled code computes as NumPy does (KNOWN_LIMITATIONS).
OF_FLOATS = re.compile(
    r"(float |complex )?(floor )?division by zero|float modulo|math (domain|range) error"
    r"|0\.0 cannot be raised to .*|.*Numerical result out of range.*"
)
OF_ARGUMENTS = (TypeError, AttributeError, NameError)  # that are not of their types
WITHOUT_COTANGENT = ("value_and_grad", "fwd")


def computed_instead(made: Loaded, args: tuple[Tree, ...], error: Exception) -> list[str]:
    """Messages about derivatives that give finite numbers where the function raises ``error``.

    Compiled functions are not called where an index may be out of bounds: where plain ones raise
    something else.
    """
    if isinstance(error, OF_ARGUMENTS) or rounding_raises(made.primal, args, error):
        return []
    plain = list(_results(made, made.plain, args))
    found = [_message(error, f"{name} without numba", value) for name, value in plain]
    is_safe = all(type(value) is type(error) for _, value in plain)
    if jit_enabled() and is_safe and not _is_computed(error):
        results = _results(made, made.generated, args)
        found += [_message(error, name, value) for name, value in results]
    return [message for message in found if message is not None]


def _is_computed(error: Exception) -> bool:
    """True where compiled code computes on, or would read other memory."""
    return isinstance(error, IndexError) or OF_FLOATS.fullmatch(str(error)) is not None


def _message(error: Exception, name: str, value: Tree) -> str | None:
    if isinstance(value, Exception) or not np.all(np.isfinite(tangents.flat(value))):
        return None
    return f"the function raises {error!r}, {name} gives {value!r}"


def _results(
    made: Loaded, module: ModuleType, args: tuple[Tree, ...]
) -> Iterator[tuple[str, Tree]]:
    """The names of generated functions, and the values that they give or the errors they raise."""
    for kind in WITHOUT_COTANGENT:
        name = f"{made.primal.__name__}_{kind}"
        if function := getattr(module, name, None):
            try:
                value = function(*tangents.copy(args))[0]
            except Exception as error:
                value = error
            yield name, value
