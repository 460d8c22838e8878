"""Loops fused or run again: each refusal has a program in which doing it would be wrong."""

from __future__ import annotations

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.ad.fact.accumulators import accumulators
from mooncake_transpiler.ad.fact.facts import Facts
from mooncake_transpiler.ad.fact.legality import Later, fusable, last_writes, rerunnable
from mooncake_transpiler.ad.fact.privatisation import is_private

from tests.ad.deriving import facts, loops, named


def _loop(known: Facts) -> ir.For | ir.While:
    """The first loop."""
    return loops(known.func)[0]


def _in_loop(body: str, result: str = "s") -> Facts:
    """``body`` in a loop over ``i``, with floats ``s``, ``t`` and a work array ``w`` around it."""
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    return facts(
        "def f(x: Vec, m: Mat, p: Ints) -> float:\n"
        "    n = len(x)\n    k = m.shape[1]\n    w = np.zeros(k)\n    y = x.copy()\n"
        "    s = 0.0\n    t = 1.0\n"
        f"    for i in range(n):\n{lines}\n    return {result}\n"
    )


# ---- accumulators -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("s += x[i]", {"s"}),
        ("s = x[i] + s", {"s"}),
        ("s = s - x[i]", {"s"}),
        ("if x[i] > 0.5:\n    s += x[i]", {"s"}),
        ("if x[i] > 0.5:\n    s += x[i]\nelse:\n    s -= x[i]", {"s"}),
        ("for j in range(k):\n    s += m[i, j]", {"s"}),
        ("s += x[i]\nt += s", {"t"}),
        ("s = x[i] - s", set()),  # the sign of the cotangent alternates
        ("s = s + s + x[i]", set()),  # it doubles
        ("s = x[i]", set()),  # only the last iteration has one
        ("if x[i] > 0.5:\n    s = x[i]\nelse:\n    s += x[i]", set()),
        ("if x[i] > 0.5:\n    s += x[i]\nelse:\n    s = x[i]", set()),
        ("s, t = t, s + x[i]", set()),
        ("s += s * x[i]", set()),
        ("for j in range(k):\n    s += s * m[i, j]", set()),
        ("s += x[i]\nw[0] = s", set()),
    ],
)
def test_accumulators(body: str, expected: set[str]) -> None:
    known = _in_loop(body, "s + t + w[0]")
    loop = _loop(known)
    through = accumulators(loop, known.activity, known.linear)
    assert {loop.params[k].hint for k in through} == expected


# ---- fusing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "s += math.sin(x[i])",
        "y[i] = math.sin(y[i])\ns += y[i]",
        "for j in range(k):\n    w[j] = m[i, j] * x[i]\nfor j in range(k):\n    s += w[j] * w[j]",
        "z = np.zeros(3)\nz[0] = x[i]\nz[1] = z[0] * x[i]\ns += z[1]",
        "y[i] += x[i] * x[i]",
    ],
)
def test_iterations_that_do_not_meet_are_fused(body: str) -> None:
    known = _in_loop(body, "s + y[0]" if body.startswith("y") else "s")
    assert fusable(_loop(known), known)


@pytest.mark.parametrize(
    "body",
    [
        "s = math.sin(s) + x[i]",  # the cotangent of s changes in each iteration
        "y[i] = y[i - 1] * x[i]\ns += y[i]",  # the next iteration adds to this one's cotangent
        "y[p[i]] = x[i]\ns += y[0]",  # two iterations may store to one element
        "w[0] = w[0] * x[i]\ns += w[0]",
        "for j in range(1, k):\n    w[j] = x[i]\ns += w[0] * w[1]\nw[0] = x[i]",
        "y[n - 1 - i] = y[i] * x[i]\ns += y[i]",
    ],
)
def test_iterations_that_meet_are_not_fused(body: str) -> None:
    known = _in_loop(body)
    assert not fusable(_loop(known), known)


def test_a_work_array_that_outlives_the_loop_is_not_fused() -> None:
    body = "for j in range(k):\n    w[j] = m[i, j] * x[i]\nfor j in range(k):\n    s += w[j] * w[j]"
    known = _in_loop(body, "s + w[1]")
    assert not fusable(_loop(known), known)


# ---- private work arrays ------------------------------------------------------------------------

FILL = "for j in range(k):\n    w[j] = x[i] * x[j]\n"
READ = "for j in range(k):\n    s += w[j]"


@pytest.mark.parametrize(
    "body",
    [
        FILL + "for j in range(k):\n    s += w[j] * w[j]",
        FILL + "for j in range(1, k):\n    s += w[j]",
        FILL + "for j in range(k - 1, -1, -1):\n    s += w[j]",
        FILL + "s += w[p[i]] + w[-1]",  # all of w is written: any element may be read
        "for j in range(k - 1, -1, -1):\n    w[j] = x[i]\n" + READ,
        "for j in range(2):\n    w[j] = x[i]\nfor j in range(1):\n    s += w[j]",
        "w[0] = x[i]\ns += w[0] * w[0]",
        FILL + "for j in range(k):\n    w[j] += x[i]\n" + READ,
        "if x[i] > 0.5:\n    w[0] = x[i]\nelse:\n    w[0] = 1.0\ns += w[0] * x[i]",
        "for j in range(i):\n    w[j] = x[i]\nfor j in range(i):\n    s += w[j]",
    ],
)
def test_private(body: str) -> None:
    known = _in_loop(body)
    memory = known.memories.of(named(known.func, "w"))
    assert is_private(_loop(known).body, memory, known.memories, known.defs)


@pytest.mark.parametrize(
    "body",
    [
        "for j in range(1, k):\n    w[j] = x[i]\n" + READ,  # w[0]
        "for j in range(k - 1):\n    w[j] = x[i]\n" + READ,  # w[k - 1]
        "for j in range(0, k, 2):\n    w[j] = x[i]\n" + READ,  # w[1]
        "for j in range(i):\n    w[j] = x[i]\nfor j in range(i + 1):\n    s += w[j]",  # w[i]
        "for j in range(2):\n    w[j] = x[i]\nfor j in range(2):\n    s += w[j - 1]",  # w[-1]
        "for j in range(k):\n    if x[j] > 0.5:\n        w[j] = x[i]\n" + READ,
        "for j in range(k):\n    w[j] = x[i]\n    if s > 1:\n        break\n" + READ,
        "if x[i] > 0.5:\n    w[0] = x[i]\ns += w[0]",
        "s += w[0]\nw[0] = x[i]",  # read first
        "w[0] += x[i]\ns += w[0]",
        "for j in range(k):\n    s += w[j]\n    w[j] = x[i]",
        "w[p[i]] = x[i]\ns += w[0]",
        "w[0] = x[i]\ns += w[p[i]]",
        "j = 0\nwhile j < p[i]:\n    w[j] = x[i]\n    j += 1\ns += w[0]",
    ],
)
def test_not_private(body: str) -> None:
    known = _in_loop(body)
    memory = known.memories.of(named(known.func, "w"))
    assert not is_private(_loop(known).body, memory, known.memories, known.defs)


def test_two_arrays_of_one_memory_are_not_private() -> None:
    """The array that is filled is not always the one that is read."""
    body = "v = w if x[i] > 0.5 else y\nfor j in range(k):\n    v[j] = x[i]\ns += w[0]"
    known = _in_loop(body)
    memory = known.memories.of(named(known.func, "w"))
    assert not is_private(_loop(known).body, memory, known.memories, known.defs)


# ---- running again ------------------------------------------------------------------------------


def _rerunnable(known: Facts) -> bool:
    """The answer for the loop that stands in the body of the function."""
    block, loop = known.func.body, _loop(known)
    return rerunnable(loop, Later(last_writes(block, known), block.stmts.index(loop)), known)


def _again(body: str, result: str = "s") -> bool:
    return _rerunnable(_in_loop(body, result))


def test_a_loop_with_a_private_work_array_is_run_again() -> None:
    assert _again(FILL + "for j in range(k):\n    s += math.sin(w[j] * s)")


@pytest.mark.parametrize(
    ("body", "result"),
    [
        (FILL + "s += w[0] * s\nx[0] = s", "s"),  # what the work array is made of has changed
        (FILL + "s += w[0] * y[0]\ny[0] = s", "s"),
        (FILL + "s += w[0] * s", "s + w[1]"),  # its content is needed after the loop
        ("for j in range(1, k):\n    w[j] = x[i]\ns += w[0] * s\nw[0] = s", "s"),
        ("s = math.sin(s) * x[i]", "s"),  # possible, but it saves nothing
    ],
)
def test_not_run_again(body: str, result: str) -> None:
    assert not _again(body, result)


def test_not_run_again_if_what_it_reads_is_written_after_it() -> None:
    source = """
def f(x: Vec) -> float:
    n = len(x)
    y = x.copy()
    w = np.zeros(n)
    s = 0.0
    for i in range(n):
        for j in range(n):
            w[j] = math.sin(y[j] * s)
        for j in range(n):
            s += w[j] * w[j]
    y[0] = s
    return s * y[0]
"""
    known = facts(source)
    assert not _rerunnable(known)


# ---- stores that write each element once --------------------------------------------------------


def _once(body: str) -> bool:
    known = facts(
        "def f(x: Vec, m: Mat, p: Ints, q: int) -> float:\n    n = len(x)\n    y = np.zeros(n)\n"
        "    a = np.zeros((n, n))\n"
        + "".join(f"    {line}\n" for line in body.splitlines())
        + "    return y[0] * y[1] + a[0, 1] * a[1, 0]\n"
    )
    return bool(known.once)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(n):\n    y[i] = x[i] * x[i]",
        "for i in range(n - 1, -1, -1):\n    y[i] = x[i] * x[i]",
        "for i in range(0, n, 2):\n    if x[i] > 0.5:\n        y[i] = x[i] * x[i]",
        "for i in range(n):\n    for j in range(i):\n        a[j, i] = x[i] * x[j]",
        "y[0] = x[0]",
    ],
)
def test_written_once(body: str) -> None:
    assert _once(body)


@pytest.mark.parametrize(
    "body",
    [
        "for i in range(-2, n):\n    y[i] = x[i] * x[i]",  # y[-2] is y[n - 2]
        "for i in range(-2, n, 1 + q * q):\n    y[i] = x[i] * x[i]",
        "for i in range(n - 1, -3, -1):\n    y[i] = x[i] * x[i]",
        "for i in range(n):\n    y[p[i]] = x[i]",
        "for i in range(n):\n    y[i // 2] = x[i]",
        "for t in range(2):\n    for i in range(n):\n        y[i] = x[i] * t",
        "for i in range(n):\n    y[i] = x[i]\ny[0] = x[1]",
        "for i in range(n):\n    for j in range(n):\n        a[i, 0] = x[j]",
        "t = 0\nwhile t < q:\n    y[0] = x[t]\n    t += 1",
    ],
)
def test_not_written_once(body: str) -> None:
    assert not _once(body)
