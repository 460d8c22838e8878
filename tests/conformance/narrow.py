"""Integers of other types than int64, by which NumPy computes beside Python's: uint8 wraps at 256.

Operators between every two kinds of them, and what programs do with numbers that come from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from tests.conformance.operators import ARITHMETIC, COMPARISONS
from tests.conformance.rows import Row, Subject, Theme

PARAMETERS = {
    "u": 'Annotated[NDArray[np.uint8], "n"]', "v": 'Annotated[NDArray[np.uint8], "n"]',
    "h": 'Annotated[NDArray[np.int16], "n"]', "q": 'Annotated[NDArray[np.uint64], "n"]',
    "i": "Ints", "m": "Bools", "w": "Vec", "k": "int", "b": "float",
}  # fmt: skip


def _point(u: tuple, h: tuple, k: int, i: tuple) -> dict:
    return {
        "u": np.array(u, np.uint8), "v": np.array(u[::-1], np.uint8), "h": np.array(h, np.int16),
        "q": np.array(u, np.uint64), "i": np.array(i), "m": np.array(u) > 100,
        "w": np.array((0.7, -1.3, 0.4, 1.9)), "k": k, "b": 1.7,
    }  # fmt: skip


SUBJECT = Subject(
    PARAMETERS,
    (
        _point((250, 130, 3, 7), (30000, -200, 5, 9), 100, (2, 200, 3, 1)),
        _point((1, 255, 128, 90), (-32768, 32767, 5, 2), 7, (2, 1, 3, 1)),
    ),
)

LEFT = ("u", "u[1]", "h", "h[1]", "q[1]")
RIGHT = ("u", "v[1]", "h[1]", "q[1]", "i", "i[1]", "m[1]", "k", "len(w)", "2", "200", "True")
ASSIGNED = ("u", "h")
MIXED = ("<<", ">>", "&", "|", "^", "**")  # of uint64 and signed ones: none, or a float


def _number(text: str) -> str:
    return f"np.sum(w * np.fmod(1.0 * ({text}), 9973.0))"  # of larger numbers the last digits count


def operators(left: str, right: str) -> Iterator[Row]:
    """All operators between two operands, on either side, and assignments with them."""
    for operator in ARITHMETIC:
        if operator == "@" or ("q[1]" in (left, right) and operator in MIXED):
            continue
        yield Row(operator, _number(f"{left} {operator} {right}"))
        yield Row(f"{operator}, turned", _number(f"{right} {operator} {left}"))
        if left in ASSIGNED:
            lines = (f"{{t}} = {left}.copy()", f"{{t}} {operator}= {right}")
            yield Row(f"{operator}=", _number("{t}"), lines)
            lines = (f"{{t}} = {left}.copy()", f"{{t}}[1] {operator}= {right}")
            if right in ("k", "2", "v[1]", "len(w)"):
                yield Row(f"[] {operator}=", _number("{t}"), lines)
    for operator in COMPARISONS:
        yield Row(operator, _number(f"{left} {operator} {right}"))
    for function in ("np.maximum", "np.minimum", "np.add", "np.where(m, {}, {})"):
        call = function if "{" in function else f"{function}({{}}, {{}})"
        yield Row(function, _number(f"({call.format(left, right)}) + 100"))


def _whole(text: str) -> str:
    return f"b * np.sum(np.fmod(1.0 * ({text}), 9973.0))"


# Numbers that are of these types on some path, or made of such: what is computed with them.
MADE = {
    "carried": ("{t} = 0", "for p_ in u:", "    {t} += p_"),
    "largest": ("{t} = 0", "for p_ in u:", "    if p_ > {t}:", "        {t} = p_"),
    "largest, a float at first": ("{t} = 0.0", "for p_ in u:", "    {t} = max({t}, p_)"),
    "chosen": ("{t} = u[0] if b > 0.0 else k",),
    "chosen, a literal": ("{t} = u[0] if b > 0.0 else 0",),
    "of either type": ("{t} = u[0] if b > 0.0 else i[1]",),
    "max": ("{t} = max(u[1], 0)",),
    "int": ("{t} = int(u[1]) - int(u[0])",),
    "sum": ("{t} = sum(u)",),
    "np.sum": ("{t} = np.sum(u)",),
    "difference of sums": ("{t} = (np.sum(u) - np.sum(v) * 2) % 1000",),
    "item": ("{t} = u[1].item()",),
    "in a list": ("{t} = [u[1], 5][0]",),
    "of a range": ("{t} = 0", "for {t} in range(u[2]):", "    pass"),
    "stored": ("{t}_ = np.zeros(3, dtype=np.uint8)", "{t}_[1] = k", "{t} = {t}_[1]"),
    "converted": ("{t} = np.uint8(k)",),
    "filled": ("{t} = np.full(2, k, dtype=np.uint8)[1]",),
    "of a dot product": ("{t} = u @ v",),
}  # fmt: skip
USES = ("{} * b", "{} + 200", "{} - 250", "{} * k", "{} + u[1]", "{} // 3", "-{}", "{} % 100",
        "{} + i[1]", "{} + 0.5", "{} / 3", "int({}) + 200", "w[{} % 4]")  # fmt: skip

# What is computed of whole arrays, and in which type.
WHOLE = (
    "np.trapezoid(u)", "np.trapezoid(u, dx=2)", "np.trapezoid(w, u)", "np.trapezoid(h, w)",
    "np.trapezoid(h, u)", "np.trapezoid(h, i)", "np.polyval(h, 2)", "np.polyval([1, 2, 3], h)",
    "np.polyval([1, 2, 3], u)", "np.polyval(u, u)", "np.polyval(u, u[0])", "np.polyval(w, u % 4)",
    "np.polyval(u, w)", "np.polyval([2, 1], q)", "h ** 3", "2 ** (h % 4)", "h ** (u % 4)",
    "h ** (k * k)", "h ** (i * i)", "h ** 0.5 * 0", "h ** 2.0", "q ** 3", "q ** (q % 5)", "q ** i",
    "q[1] ** 3", "h[1] ** 3", "h[1] ** u[1]", "np.power(h, 2)", "np.square(h)", "np.square(q)",
    "np.cumsum(u)", "np.cumprod(h)", "np.diff(u)", "np.prod(h)", "np.outer(u, v)",
    "np.sum(u, initial=7)", "u.mean()", "u.var()",
    "np.arange(300).astype(np.uint8)", "(np.arange(5) * 100).astype(np.int8)",
    "(np.cumsum(m) * 100).astype(np.uint8)", "(2 ** np.abs(i % 9) << 7).astype(np.int8)",
    "np.uint8(np.argmax(w) * 100)", "np.int16(i[1] * 40000)", "(-u).astype(np.int16)",
)  # fmt: skip

# An int that does not fit is an OverflowError; one of NumPy's in unsigned arrays is not.
STORED = (
    "u_[0] = {}", "u_[:] = {}", "u_.fill({})", "h_[0] = {}", "h_[:] = {}", "h_.fill({})",
    "h_[i > 1] = {}", "h_[[0, 1]] = {}", "u_[0] += {}", "h_[0] += {}", "h_[0], h_[1] = {}, 1",
    "h_[0] -= {}", "u_[0] *= {}", "h_[1:] = {}",
)  # fmt: skip
NUMBERS = ("k", "k * 1000", "len(w)", "i[1]", "i[1] * 40000", "np.sum(i) * 1000", "u[1]",
           "q[0]", "m[0]", "b", "w[0] * 1e5", "300", "-1")  # fmt: skip


def stored(number: str) -> Iterator[Row]:
    """Assignments of a number to elements and parts of arrays."""
    for assignment in STORED:
        lines = ("u_, h_ = u.copy(), h.copy()", assignment.format(number))
        yield Row(assignment, _number("u_ + h_"), lines)


def themes() -> Iterator[Theme]:
    """The rows, those about the same operands together."""
    for left, right in product(LEFT, RIGHT):
        yield Theme(f"{left}, {right}", SUBJECT, tuple(operators(left, right)))
    yield Theme("whole arrays", SUBJECT, tuple(Row(text, _whole(text)) for text in WHOLE))
    for number in NUMBERS:
        yield Theme(f"stored: {number}", SUBJECT, tuple(stored(number)))
    for made, lines in MADE.items():
        rows = tuple(Row(use, _number(use.format("{t}")), lines) for use in USES)
        yield Theme(f"made: {made}", SUBJECT, rows)
