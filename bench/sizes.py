"""``python -m bench.sizes``: what a gradient module of many long helpers costs before it runs.

Lines for each line of the source, the time to transpile it, and the time that numba takes for a
gradient relative to that for the function. With ``--in-line`` no helper is a function of its own,
with ``--private`` helpers have private names, and so no derivatives for others to call.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections.abc import Callable
from time import process_time
from types import ModuleType

from bench.primal import ROOT

SOURCE = ROOT / "tests" / "programs" / "cases" / "implied_volatility.py"
FUNCTION, ARGUMENTS = "implied_volatility", (0.25, 1.05, 0.98, 1.5)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.sizes", description=__doc__)
    parser.add_argument("--in-line", action="store_true", help="copy helpers into their callers")
    parser.add_argument("--private", action="store_true", help="give helpers private names")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder
        source = SOURCE.read_text()
        source = with_private_helpers(source) if args.private else source
        start = process_time()
        made = transpiled(source, in_line=args.in_line)
        seconds = process_time() - start
        lines, written = len(made.splitlines()), len(source.splitlines())
        print(f"{written} lines, {lines} generated: {lines / written:.1f} for one")
        print(f"transpiled in {seconds:.1f} s")
        primal = compiled("primal", with_njit(source), FUNCTION)
        gradient = compiled("primal_grad", made, f"{FUNCTION}_value_and_grad")
        print(
            f"compiled: {primal:.1f} s, gradient {gradient:.1f} s ({gradient / primal:.1f} times)"
        )


def transpiled(source: str, *, in_line: bool) -> str:
    """The gradient module of ``source``."""
    from mooncake_transpiler.passes import shared_helpers

    from tests.helpers.transpile import gradient_text

    if in_line:
        never = shared_helpers.Limits(sys.maxsize, sys.maxsize)
        shared_helpers.OF_NUMBERS = shared_helpers.OTHERS = never
    return gradient_text(source)


def with_private_helpers(source: str) -> str:
    """``source`` where ``_`` is the first letter of all functions but the last two."""
    helpers = "|".join(re.findall(r"^def (\w+)", source, flags=re.MULTILINE)[:-2])
    return re.sub(rf"\b({helpers})\b", r"_\1", source)


def with_njit(source: str) -> str:
    """``source`` with each function compiled by numba."""
    decorated = re.sub(r"^def ", '@njit(error_model="numpy")\ndef ', source, flags=re.MULTILINE)
    return re.sub(r"^import math$", "import math\nfrom numba import njit", decorated, flags=re.M)


def compiled(name: str, text: str, function: str) -> float:
    """The processor time of the first call of ``function``."""
    module = sys.modules[name] = ModuleType(name)
    exec(compile(text, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    call: Callable[..., object] = getattr(module, function)
    start = process_time()
    call(*ARGUMENTS)
    return process_time() - start


if __name__ == "__main__":
    main()
