"""Exceptions and context managers that are refused: a handler is never skipped in silence."""

from __future__ import annotations

from textwrap import indent

import pytest
from mooncake_transpiler import ir

from tests.frontend.lowering import read

HEAD = """
import contextlib
import functools
import json
import math
import numpy as np
from jaxtyping import Float64, Int64
from mooncake_runtime import rule_for

Vector = Float64[np.ndarray, "n"]
Square = Float64[np.ndarray, "n n"]
Indices = Int64[np.ndarray, "m"]

def _endless(x: float, n: int) -> float:
    if n == 0:
        raise ValueError("end")
    return x * _endless(x, n - 1)

def _g(x: float) -> float:
    return x * x

def _deep(x: float, k: int) -> float:
    return x if k <= 0 else _deep(x, k - 1)

def _around(x: float, k: int) -> float:
    return _deep(x, k)

@rule_for(_g)
def _rule(x: float):
    if x < 0.0:
        raise ValueError("negative")
    def pullback(y_bar: float):
        return 2.0 * x * y_bar
    return x * x, pullback

class Guard:
    def __init__(self, kind: int) -> None:
        self.kind = kind
    def __enter__(self) -> None:
        pass
    def __exit__(self, kind, value, trace) -> bool:
        return self.kind > 0

class OwnInit(Exception):
    def __init__(self, size: float) -> None:
        self.size = size
"""

PROGRAMS = """
# MK351 recursion
try:
    return _endless(x, k)
except ValueError:
    return x
# MK351 depth of a recursion
try:
    return _deep(x, k)
except RecursionError:
    return x
# MK351 depth of a recursion, through another
try:
    return _around(x, k)
except RuntimeError:
    return x
# MK351 rule
try:
    return _g(x)
except ValueError:
    return x
# MK351 svd
try:
    return np.linalg.svd(a)[1][0]
except np.linalg.LinAlgError:
    return x
# MK351 scipy
try:
    return np.linalg.eigvalsh(a)[0]
except ValueError:
    return x
# MK351 gathering
try:
    return np.sum(v[ks])
except IndexError:
    return x
# MK351 take
try:
    return np.sum(v.take(ks))
except LookupError:
    return x
# MK351 put
try:
    v[ks] = x
except IndexError:
    pass
return v[0]
# MK351 logarithm to a base
try:
    return math.log(x, x)
except ValueError:
    return x
# MK351 strict zip
t = 0.0
try:
    for p, q in zip(v, v[1:], strict=True):
        t += p * q
except ValueError:
    pass
return t
# MK351 raises in a fold
try:
    return functools.reduce(lambda p, q: p + math.sqrt(q), v)
except ValueError:
    return x
# MK352 array as message
if x < 0.0:
    raise ValueError(v)
return x
# MK352 text that tells a number beside another argument
if x < 0.0:
    raise ValueError(f'{x} is', x)
return x
# MK352 own __init__
if x < 0.0:
    raise OwnInit([x])
return x
# MK350 not known
try:
    x = x * x
except json.JSONDecodeError:
    x = 0.0
return x
# MK350 no exception
raise math.sin
return x
# MK350 alone
if x < 0.0:
    raise
return x
# MK353 return in finally
try:
    x = x * x
finally:
    return x
# MK353 break in finally
for i in range(k):
    try:
        x = x * x
    finally:
        if x > 3.0:
            break
return x
# MK353 raises in finally
try:
    try:
        x = x * x
    finally:
        if x > 3.0:
            raise ValueError('x')
except ValueError:
    pass
return x
# MK354 maybe swallows
with Guard(k):
    x = x * x
return x
# MK106 file
with open('log') as log:
    x = x * x
return x
# MK106 errors that raise
with np.errstate(divide='raise'):
    x = 1.0 / x
return x
# MK106 not a manager
with v:
    x = 1.0 / x
return x
# MK212 words of Python's
try:
    return math.sqrt(x)
except ValueError as e:
    return e.args[0]
"""

# By name: the code, and the body of the function.
CASES = {
    first[6:]: (first[:5], body)
    for first, _, body in (part.partition("\n") for part in PROGRAMS.split("# ")[1:])
}


@pytest.mark.parametrize("name", CASES)
def test_refused(name: str) -> None:
    code, body = CASES[name]
    head = "def f(x: float, v: Vector, a: Square, ks: Indices, k: int) -> float:"
    _, diagnostics = read(f"{HEAD}\n{head}\n{indent(body, '    ')}\n", "")
    assert [d.code for d in diagnostics] == [code], diagnostics


def test_messages_that_are_filled_in() -> None:
    text = """
def f(x: float, n: int) -> float:
    if n > 4:
        raise ValueError("%d of %s" % (n, x))
    if n > 3:
        raise ValueError("at {} {name}".format(n, name=x))
    if n > 2:
        raise ValueError("%d of %s" % (3, "five"))
    assert x > 0.0, "bad %r" % x
    return x * n
"""
    program, diagnostics = read(text)
    assert diagnostics == []
    raised = [s for s in ir.walk(program.funcs["m:f"].body) if isinstance(s, ir.Raise)]
    messages = [(stmt.message, len(stmt.numbers)) for stmt in raised]
    assert messages == [("{:d} of {}", 2), ("at {} {}", 2), ("3 of five", 0), ("bad {}", 1)]
