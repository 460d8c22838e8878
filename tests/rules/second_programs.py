"""Programs with a curved number as their result for each example of a library function.

y = <expression>; return the sum of y^3 / 3 + y^2 / 2 + y
"""

from __future__ import annotations

import os
import sys

import numpy as np
from mooncake_rules.arrays import Function
from mooncake_rules.library import ALL
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import compiled, gradient_body, module
from tests.rules.library_programs import HEADER, Inputs, Program, annotation, evaluate, inputs
from tests.rules.library_programs import programs as first_programs

CONFIG = '[tool.mooncake-transpile]\nmodes = ["reverse", "forward", "hvp"]\n'
WITH_EXAMPLES = [function for function in ALL if function.examples]


def check(function: Function, at_most: int | None = None) -> None:
    """Check ``f_hvp`` and the first derivatives; ``at_most``: so many examples."""
    given = inputs()
    source, found = second_programs(function, given, at_most)
    if not found:
        return
    product = compiled({"pyproject.toml": CONFIG, "program.py": source})["program"]
    primal = module(source, "program")
    generated = module(gradient_body(product), "program_grad")
    for program in found:
        assert hasattr(generated, f"{program.name}_hvp"), program.expression
        args = [given[name] for name in program.args]
        try:
            with np.errstate(all="ignore"):
                check_gradients(getattr(primal, program.name), generated, args, coordinates=0)
        except AssertionError as error:
            raise AssertionError(f"{program.expression}: {error}") from error


def second_programs(
    function: Function, given: Inputs, at_most: int | None = None
) -> tuple[str, list[Program]]:
    """A module of them, and the functions in it."""
    parts = [HEADER]
    _, found = first_programs(function, given, at_most)
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
    curved = " + ".join(f"{part} ** 3 / 3.0 + {part} ** 2 / 2.0 + {part}" for part in parts)
    return f"float(np.sum({curved}))" if np.ndim(value) else f"float({curved})"


def main() -> None:
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    names = sys.argv[1:]
    failed = 0
    for function in WITH_EXAMPLES:
        if names and not set(names) & set(function.names):
            continue
        try:
            check(function)
            print("right", function.names[0], flush=True)
        except AssertionError as error:
            failed += 1
            print("WRONG", function.names[0], error, flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
