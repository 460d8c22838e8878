"""Programs that are wrong, or too much: each is refused with the code that stands beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

HEAD = "def f(x: float) -> float:\n"
ARRAYS = """\
import numpy as np
from numpy.typing import NDArray
from typing import Annotated, NamedTuple

Vec = Annotated[NDArray[np.float64], "n"]


"""


GRADIENT = "def f(x: FGrad, y: float) -> float:\n    return x.a * y\n"


def body(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines)


def arrays(*lines: str) -> str:
    text = "".join(f"    {line}\n" for line in lines)
    return f"{ARRAYS}def f(x: Vec, n: int) -> float:\n{text}"


def nested(opener: str, depth: int) -> str:
    """Statements inside each other; ``opener`` may number them."""
    lines = [f"{' ' * (k + 4)}{opener.format(k=k)}\n" for k in range(depth)]
    return HEAD + "".join(lines) + " " * (depth + 4) + "x = x * 0.5\n    return x\n"


def elifs(count: int) -> str:
    arms = "".join(f"    elif x > -{k}.0:\n        x = {k}.0\n" for k in range(count))
    return f"{HEAD}    if x > 0.0:\n        x = x * x\n{arms}    return x\n"


SYNTAX: Mapping[str, tuple[str, str]] = {
    "unclosed": (body("return (x"), "MK003"),
    "operand missing": (body("return x +"), "MK003"),
    "mixed tabs": (HEAD + "\tif x > 0.0:\n            return x\n\treturn x\n", "MK003"),
    "null byte": (body("return x\0"), "MK003"),
    "parameter twice": ("def f(x: float, x: float) -> float:\n    return x\n", "MK003"),
    "break outside": (body("break", "return x"), "MK003"),
    "huge literal": (body(f"return x * {'9' * 5000}"), "MK003"),
    "not UTF-8": (body("return x  # \udcff"), "MK002"),
    "unmatched annotation": (f"def f(x: '{'(' * 1000}') -> float:\n    return x\n", "MK201"),
}

NAMES: Mapping[str, tuple[str, str]] = {
    "unknown function": (body("return unknown(x)"), "MK210"),
    "unknown name": (body("return z"), "MK210"),
    "no rule": ("import scipy.special\n" + body("return scipy.special.zetac(x)"), "MK301"),
    "possibly undefined": (
        "class S:\n    y: float\n\n\n"
        + body("s = S()", "if x > 0.0:", "    s.y = lambda: x", "return s.y()"),
        "MK211",
    ),
    "no annotation": ("def f(x, y: float) -> float:\n    return x\n", "MK220"),
    "generated name": (
        body("return x") + "\n\ndef f_value_and(x: float) -> float:\n    return x\n",
        "MK240",
    ),
    "generated class": (
        f"{ARRAYS}class FGrad(NamedTuple):\n    a: float\n\n\n{GRADIENT}",
        "MK240",
    ),
    "equal for Python": (
        "def \u017f(x: float) -> float:\n    return x\n\n\ndef s(x: float) -> float:\n    ...\n",
        "MK221",
    ),
    "aliases in a circle": (
        "A = tuple['A', float]\ndef f(x: A) -> float:\n    return x\n",
        "MK204",
    ),
    "constants in a circle": ("N = M\nM = N\n" + body("return x * N"), "MK217"),
    "another encoding": (
        "# -*- coding: latin-1 -*-\nN = len('\u00e9')\n" + body("return x * N"),
        "MK002",
    ),
    "unknown encoding": ("# -*- coding: no-such -*-\n" + body("return x"), "MK003"),
    "endless constant": ("N = 10 ** 10 ** 7\n" + body("return x * N"), "MK217"),
}

TYPES: Mapping[str, tuple[str, str]] = {
    "rank": (arrays("return x[0, 1]"), "MK214"),
    "array for float": (arrays("return x"), "MK213"),
    "text for float": (arrays("x[0] = 'a'", "return x[0]"), "MK213"),
    "text plus float": (body("return 'a' + x"), "MK213"),
    "no single type": (body("y = x", "for i in range(3):", "    y = 'a'", "return y"), "MK212"),
    "nothing returned": (body("pass"), "MK215"),
    "integer too large": (body(f"return x * {2**64}"), "MK213"),
    "subscripts of a float": (arrays("return x" + "[0]" * 100), "MK214"),
    "helper that never ends": (body("return g(x)") + "def g(x):\n    return g(x)\n", "MK304"),
    "lambda in a circle": (body("g = lambda y: g(y)", "return g(x)"), "MK304"),
}

DEPTH: Mapping[str, tuple[str, str]] = {
    "parentheses": (body(f"return {'(' * 300}x{')' * 300}"), "MK004"),
    "sum of 2000 terms": (body("return " + " + ".join(["x"] * 2000)), "MK004"),
    "attributes": ("import a\n" + body("return a" + ".b" * 300), "MK004"),
    "200 ifs": (nested("if x > {k}.0:", 200), "MK004"),
    "60 loops": (nested("for i{k} in range(2):", 60), "MK004"),
    "chain of elif": (elifs(1000), "MK004"),
    "more levels than Python allows": (elifs(110), "MK190"),
}

REFUSED = {**SYNTAX, **NAMES, **TYPES, **DEPTH}


def _long() -> Iterator[str]:
    for k in range(100):
        yield f"y{k} = x * {k}.5 + x"
        yield f"x = y{k} / 3.0"
    yield "return x"


ACCEPTED: Mapping[str, str] = {
    "empty": "",
    "blank": "  \n\n",
    "byte order mark": "\ufeff" + body("return x * x"),
    "an encoding that does not matter": "# -*- coding: latin-1 -*-\n" + body("return x * x"),
    "UTF-8 said aloud": "# -*- coding: utf-8 -*-\nN = len('\u00e9')\n" + body("return x * N"),
    "CR LF": body("y = x * x", "return y").replace("\n", "\r\n"),
    "CR": body("y = x * x", "return y").replace("\n", "\r"),
    "tabs": HEAD + "\ty = x\n\treturn y * x\n",
    "form feed": HEAD + "\x0c\n    return x\n",
    "no newline at the end": body("return x").rstrip(),
    "one line": "def f(x: float) -> float: y = x; return y * y\n",
    "tuple of 300": body(f"t = ({', '.join(f'x * {k}.0' for k in range(300))})", "return t[299]"),
    "300 parameters": f"def f({', '.join(f'x{k}: float' for k in range(300))}) -> float:\n"
    "    return x0 * x299\n",
    "sum of 200 terms": body("return " + " + ".join(["x"] * 200)),
    "200 lines": body(*_long()),
    "50 ifs": nested("if x > {k}.0:", 50),
    "alphabets": "def f(\u210c: float, \ufb01: float, \u53d8: float) -> float:\n"
    "    return H * fi * \u53d8\n",
    "combining": "def f(e\u0301: float) -> float:\n    return \u00e9\n",
    "names of ours": "def f(x: float, y_bar: float, residuals: float, np: float) -> float:\n"
    "    return x * y_bar * residuals * np\n",
    "underscores": "def f(_: float, __: float, __1: float) -> float:\n    return _ * __ * __1\n",
    "built-in names": "def f(len: float, int: float) -> float:\n    return len * int\n",
    "classes alike": "def f1_2(a: float, b: float) -> float:\n    return a * b\n\n\n"
    "def f12(c: float, d: float) -> float:\n    return c * d\n",
    "endless loop": body("while True:", "    x = x * 0.5"),
    "mutual recursion": body("return g(x)")
    + "\n\ndef g(x: float) -> float:\n    return f(x) if x > 0.0 else x\n",
    "2000 constants": "N0 = 1.0\n"
    + "".join(f"N{k} = N{k - 1} * 1.5\n" for k in range(1, 2000))
    + body("return x * N9"),
    "odd texts": body("'''\\ud800 \\\\ \"'''", "assert x > 0.0, '\\ud800'", "return x"),
}
