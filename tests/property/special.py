"""Programs at special points: zeros, overflow, infinities that the result does not depend on.

    r = np.exp(x)
    return r[0] if x[0] < 100.0 else x[1]

Where the value is finite, the derivative with respect to a number that the result does not depend
on is exactly 0, in both modes; and one mode does not give a number where the other gives nan.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from tests.helpers.transpile import Refusal, gradient_text, module
from tests.property.check import Failure, Mismatch
from tests.property.primal import Discarded, discarding

Vector = NDArray[np.float64]

HEADER = """
import numpy as np
from typing import Annotated
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "n"]


# mooncake: modes=reverse,forward,hvp
def f(x: Vec) -> float:
"""
POINTS = (0.0, 0.0, -0.0, 1.0, -1.0, 2.5, 1e-300, 1e-300, 1e40, 800.0, -800.0)
SIZE = 3
UNRELATED = (np.nan, 1e301, -1e301, 0.7, -0.7)
SIZES = (1.0, 1e-150, 1e-300)  # of tangents and cotangents: products with larger ones overflow
HUGE = 1e250
STEPS = (1e-3, -1e-3, 1e-7, -1e-7)

_UNARY = (
    "np.exp({})", "np.log({})", "np.sqrt({})", "np.abs({})", "np.tanh({})", "np.arctan({})",
    "1.0 / {}", "{} ** 2", "{} ** 3", "np.cosh({})", "np.expm1({})", "np.log1p({})", "-{}",
    "1.0 / (1.0 + {} * {})", "np.exp(-{})", "np.sin({})", "np.exp(-1.0 / {})", "{} ** -2",
)  # fmt: skip
_BINARY = (
    "{} + {}", "{} - {}", "{} * {}", "{} * {}", "{} / {}", "np.hypot({}, {})", "np.arctan2({}, {})",
    "np.maximum({}, {})", "np.minimum({}, {})", "np.logaddexp({}, {})",
)  # fmt: skip
_TESTS = ("{} < 100.0", "{} > 0.0", "{} != 0.0", "{} <= 1.0", "np.isfinite({})")
_ENDS = ("{}", "np.tanh({})", "1.0 / {}", "np.arctan({})", "np.exp(-np.abs({}))", "{} * 2.0")


class _Writer:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.scalars = [f"x[{k}]" for k in range(SIZE)]
        self.arrays = ["x"]
        self.lines: list[str] = []
        self.count = 0

    def name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.count}"

    def number(self) -> str:
        recent = self.rng.random() < 0.5
        return self.scalars[-1] if recent else self.rng.choice(self.scalars)

    def array(self) -> str:
        return self.rng.choice(self.arrays[-2:])

    def of(self, operand: Callable[[], str]) -> str:
        if self.rng.random() < 0.6:
            text = self.rng.choice(_UNARY)
            return text.format(*[operand()] * text.count("{}"))
        return self.rng.choice(_BINARY).format(operand(), operand())

    def test(self, operand: Callable[[], str]) -> str:
        return self.rng.choice(_TESTS).format(operand())

    # ---- statements -----------------------------------------------------------------------------

    def scalar(self) -> None:
        text, name = self.of(self.number), self.name("s")
        self.lines.append(f"{name} = {text}")
        self.scalars.append(name)

    def whole(self) -> None:
        text, name = self.of(self.array), self.name("r")
        if self.rng.random() < 0.3:
            text = f"np.where({self.test(self.array)}, {text}, {self.array()})"
        self.lines.append(f"{name} = {text}")
        self.made(name)

    def made(self, name: str) -> None:
        self.arrays.append(name)
        self.scalars.append(f"{name}[{self.rng.randrange(SIZE)}]")

    def stored(self) -> None:
        name, of = self.name("b"), self.array()
        self.lines += [f"{name} = np.zeros({SIZE})", f"for i in range({SIZE}):"]
        self.lines.append(f"    {name}[i] = {self.of(lambda: self.rng.choice((of, 'x')) + '[i]')}")
        if self.rng.random() < 0.4:
            self.lines.append(f"{name}[1] = {self.number()}")
        self.made(name)

    def summed(self) -> None:
        name, of = self.name("t"), self.array()
        value = self.of(lambda: f"{of}[i]")
        test = self.rng.choice(["i != 1", self.test(lambda: f"{of}[i]"), self.test(self.number)])
        self.lines += [f"{name} = 0.0", f"for i in range({SIZE}):", f"    e{name} = {value}"]
        self.lines += [f"    if {test}:", f"        {name} += e{name}"]
        self.scalars.append(name)

    def reduced(self) -> None:
        name, a, b = self.name("q"), self.array(), self.array()
        kinds = (f"np.sum({a})", f"np.dot({a}, {b})", f"np.linalg.norm({a})", f"np.max({a})",
                 f"(np.outer({a}, {b}) @ {a})[1]", f"np.prod({a})", f"np.mean({a})",
                 f"np.sum({a}[:2])", f"np.cumsum({a})[1]")  # fmt: skip
        self.lines.append(f"{name} = {self.rng.choice(kinds)}")
        self.scalars.append(name)

    def branch(self) -> None:
        name = self.name("v")
        self.lines += [f"if {self.test(self.number)}:", f"    {name} = {self.of(self.number)}"]
        self.lines += ["else:", f"    {name} = {self.of(self.number)}"]
        self.scalars.append(name)

    def end(self) -> None:
        a, b, test = self.number(), self.number(), self.test(self.number)
        chosen = self.rng.choice((a, f"({a} if {test} else {b})", f"np.where({test}, {a}, {b})"))
        if self.rng.random() < 0.2:
            self.lines += [f"if {test}:", f"    return {b}"]
        self.lines.append(f"return {self.rng.choice(_ENDS).format(chosen)}")


def program(seed: int) -> str:
    """A function of three numbers."""
    writer = _Writer(seed)
    kinds = (writer.scalar, writer.whole, writer.stored, writer.summed, writer.reduced,
             writer.branch)  # fmt: skip
    for _ in range(writer.rng.randint(2, 4)):
        writer.rng.choice(kinds)()
    writer.end()
    return HEADER + "".join(f"    {line}\n" for line in writer.lines)


def check(source: str, seed: int, jit: bool = False) -> Failure | None:
    """Errors of the derivatives of ``f`` at special points of ``seed``."""
    with np.errstate(all="ignore"):
        with discarding():
            primal = module(source, "program").f
            points = [point for point in _points(seed) if np.isfinite(_value(primal, point))]
        if not points:
            raise Discarded("no value is finite")
        try:
            text = gradient_text(source)
        except Refusal as refusal:
            return Failure(f"refused {refusal.diagnostics[0].code}", str(refusal))
        except AssertionError as nothing:  # to differentiate
            raise Discarded(repr(nothing)) from nothing
        generated = module(text, "program_grad", jit=jit)
        try:
            for point in points:
                _compare(primal, generated, point)
        except Mismatch as wrong:
            return Failure(*wrong.args)
        except Exception as error:
            return Failure(f"error {type(error).__name__}", f"{error!r}")
    return None


def _points(seed: int) -> Iterator[Vector]:
    rng = random.Random(seed)
    for _ in range(12):
        yield np.array(rng.choices(POINTS, k=SIZE))


def _value(primal: Callable[[Vector], float], x: Vector) -> float:
    try:
        return float(primal(x.copy()))
    except (ArithmeticError, ValueError):
        return np.nan


def _compare(primal: Callable[[Vector], float], generated: ModuleType, x: Vector) -> None:
    expected = _value(primal, x)
    value, gradient = generated.f_value_and_grad(x)
    split = [generated.f_vjp(x, size)[1] / size for size in SIZES]
    _, none = generated.f_vjp(x, 0.0)
    at = f"at {x.tolist()}"
    _expect(bool(np.isclose(value, expected, rtol=1e-12)), "value", f"{value}, not {expected}", at)
    _expect(not none.any(), "zero", f"a cotangent of 0 gives {none}", at)
    for k, direction in enumerate(np.eye(SIZE)):
        tangents = [generated.f_jvp(x, size * direction)[1] / size for size in SIZES]
        first, second = generated.f_hvp(x, direction)
        reverse = [cotangents[k] for cotangents in split]
        tries = ((gradient[k], *reverse), reverse, tangents, (first[k], *reverse))
        found = tuple(map(_settled, tries))
        said = f"d/dx[{k}] in reverse, split, forward, hvp: {[float(v) for v in found]}"
        _expect(_agree(found), "one mode", said, at)
        if _is_flat(primal, x, k):
            _expect(bool(np.isfinite(found).all()), "flat", said, at)
        if _is_free(primal, x, k):
            _expect(not np.any(found), "free", said, at)
            holds = not second.any() or not _is_free_nearby(primal, x, k)
            _expect(holds, "second", f"Hessian row {k}: {second}", at)


def _settled(tries: Sequence[float]) -> float:
    """The first number, if there is one."""
    return next((found for found in tries if np.isfinite(found)), tries[0])


def _agree(found: Sequence[float]) -> bool:
    """True for numbers that are the same, infinite or huge ones too, and where none is one."""
    if not np.isfinite(found).any():
        return True
    found = np.clip(found, -HUGE, HUGE)
    return np.allclose(found, found[0], rtol=1e-9, atol=1e-15)


def _is_flat(primal: Callable[[Vector], float], x: Vector, k: int) -> bool:
    """True if the value stays when ``x[k]`` moves a little."""
    moved = [x.copy() for _ in STEPS]
    for y, step in zip(moved, STEPS, strict=True):
        y[k] += step * max(1.0, abs(x[k])) if np.isfinite(x[k]) else 0.0
    value = _value(primal, x)
    return all(_value(primal, y) == value for y in moved)


def _is_free(primal: Callable[[Vector], float], x: Vector, k: int) -> bool:
    """True if the value is the same whatever ``x[k]`` is, no number too: it is not used."""
    others = [x.copy() for _ in UNRELATED]
    for other, number in zip(others, UNRELATED, strict=True):
        other[k] = number
    values = [_value(primal, other) for other in (x, *others)]
    return _is_flat(primal, x, k) and len(set(values)) == 1


def _is_free_nearby(primal: Callable[[Vector], float], x: Vector, k: int) -> bool:
    """True if ``x[k]`` is not used at points beside ``x`` either."""
    moves = [1e-3 * way * np.eye(SIZE)[i] for i in range(SIZE) if i != k for way in (1, -1)]
    return all(_is_free(primal, x + move, k) for move in moves)


def _expect(holds: bool, kind: str, said: str, at: str) -> None:
    if not holds:
        raise Mismatch(kind, f"{said} {at}")
