"""Programs with a curved number as their result for each example of a library function.

y = <expression>; return the sum of y^3 / 3 + y
"""

from __future__ import annotations

import numpy as np
from mooncake_rules.arrays import Function

from tests.rules.library_programs import HEADER, Inputs, Program, annotation, evaluate, programs


def second_programs(
    function: Function, given: Inputs, at_most: int | None = None
) -> tuple[str, list[Program]]:
    """A module of them, and the functions in it."""
    parts = [HEADER]
    _, found = programs(function, given, at_most)
    for program in found:
        params = ", ".join(f"{name}: {annotation(given[name])}" for name in program.args)
        value = evaluate(program.expression, given)
        body = "\n    ".join(_body(program.expression, value))
        parts.append(f"def {program.name}({params}) -> float:\n    {body}\n")
    return "\n\n".join(parts), found


def _body(expression: str, value: object) -> list[str]:
    if not isinstance(value, tuple | list):
        return [f"y = {expression}", f"return {_total('y', value)}"]
    names = [f"y{k}" for k in range(len(value))]
    pairs = zip(names, value, strict=True)
    terms = [_total(name, item) for name, item in pairs if annotation(item)]
    return [f"{', '.join(names)}, = {expression}", f"return {' + '.join(terms)}"]


def _total(name: str, value: object) -> str:
    parts = [name]
    if np.iscomplexobj(value):
        parts = [f"np.real({name})", f"np.imag({name})"]
    curved = " + ".join(f"{part} ** 3 / 3.0 + {part}" for part in parts)
    return f"float(np.sum({curved}))" if np.ndim(value) else f"float({curved})"
