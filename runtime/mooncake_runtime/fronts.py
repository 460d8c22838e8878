"""Python functions in front of compiled ones, with the same parameters, for calls from Python.

numba itself names no function where arguments are missing or too many, and takes the memory of any
subclass of ``np.ndarray`` for a plain array. A function of Python in front of it costs less than
0.1 microseconds. Compiled callers do not come here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from mooncake_runtime.spec import PLAIN, ArraySpec, Spec, TupleSpec
from mooncake_runtime.stretched_axes import Stretching
from mooncake_runtime.taken import Taken

DIFFER = "the sizes of an axis differ"  # the end of messages about sizes that must agree
_USUAL = frozenset({*PLAIN, bool, int, float, complex, type(None), np.float64, np.int64})


def put_in_front(
    dispatcher: Any, taken: Taken, stretching: Stretching | None = None
) -> Callable[..., object]:
    """Let calls of ``dispatcher`` be calls of a front, which is returned."""
    base = type(dispatcher)
    call = base.__call__.__get__(dispatcher)  # which Python calls faster than a partial
    front = _front(taken, call, stretching)
    members = {
        "__call__": staticmethod(front),
        "_reduce_class": lambda _: base,  # to pickle it
    }
    dispatcher.__class__ = type(base.__name__, (base,), members)
    return front


def _front(
    taken: Taken, call: Callable[..., object], stretching: Stretching | None
) -> Callable[..., object]:
    """The function in Python that checks arrays, and then does ``call``."""
    name, specs, code = taken.name, taken.specs, taken.function.__code__
    params = code.co_varnames[: code.co_argcount]
    prefix = "_" * (1 + max(map(len, params), default=0))  # what no parameter begins with
    scope: dict[str, Any] = {f"{prefix}call": call, f"{prefix}type": type}
    scope |= {f"{prefix}array": np.ndarray, f"{prefix}strange": _is_strange}
    lines = [f"def {name}({', '.join(params)}):"]
    for k, (param, (label, spec)) in enumerate(zip(params, specs.items(), strict=True)):
        test = _test(prefix, param, spec)
        if test:
            scope[f"{prefix}{k}"] = partial(taken.one, label)
            lines.append(f"    if {test}: {param} = {prefix}{k}({param})")
    scope[f"{prefix}stretched"] = partial(stretched, specs, stretching, call)
    given = ", ".join(params)
    every = f"({given}{',' if params else ''})"
    lines += [
        "    try:",
        f"        return {prefix}call({given})",
        f"    except ValueError as {prefix}error:",
        f"        {prefix}found = {prefix}stretched({prefix}error, {every})",
        f"        if {prefix}found is None: raise",
        f"        return {prefix}found[0]",
    ]
    exec("\n".join(lines), scope)
    made: Callable[..., object] = scope[name]
    made.__defaults__ = taken.function.__defaults__
    return made


def stretched(
    labels: Iterable[str],
    stretching: Stretching | None,
    call: Callable[..., object],
    error: ValueError,
    args: Sequence[object],
) -> tuple[object] | None:
    """The result of ``call`` for ``args`` stretched, if it raised ``error`` as their sizes differ.

    It is alone in a tuple. If that does not help either ``error`` is raised with the shapes, which
    compiled code can't tell. None if the error is about something else.
    """
    if not str(error).endswith(DIFFER):
        return None
    if stretching is not None:
        try:
            if (found := stretching.call(call, args)) is not None:
                return found
        except ValueError as other:
            if not str(other).endswith(DIFFER):
                raise
    given = zip(labels, args, strict=True)
    shapes = [(label, arg.shape) for label, arg in given if isinstance(arg, np.ndarray)]
    if not shapes:
        return None
    (first, shape), *others = shapes
    told = ", ".join([f"{first} has shape {shape}", *(f"{name} {shape}" for name, shape in others)])
    hint = "; an axis of size 1 is stretched where its annotation has a 1"
    ones = any(1 in shape for _, shape in shapes)
    raise ValueError(f"{error}: {told}{hint if ones else ''}") from None


def _test(prefix: str, param: str, spec: Spec) -> str:
    """The test in Python for what must be looked at; empty if there is none."""
    if isinstance(spec, ArraySpec):
        return f"{prefix}type({param}) is not {prefix}array"
    return f"{prefix}strange({param})" if _has_arrays(spec) else ""


def _has_arrays(spec: Spec) -> bool:
    match spec:
        case ArraySpec():
            return True
        case TupleSpec(items=items):
            return any(map(_has_arrays, items))
        case _:
            return False


def _is_strange(value: object) -> bool:
    """True if ``value``, or an item of it, is an array of a class other than those in ``PLAIN``."""
    if isinstance(value, tuple):
        return not _USUAL.issuperset(map(type, value)) and any(map(_is_strange, value))
    return isinstance(value, np.ndarray) and type(value) not in PLAIN
