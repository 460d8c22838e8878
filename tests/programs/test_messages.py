"""Exceptions tell what Python's do: numbers that are known at run time are filled in."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.transpile import Modules, Refusal, gradient_text, transpiled

HEAD = """
import math
from typing import Annotated
import numpy as np
from numpy.typing import NDArray
Vec = Annotated[NDArray[np.float64], "n"]
Mat = Annotated[NDArray[np.float64], "n m"]
LIMIT = 0.25
UNITS = {"m": 1.0, "km": 1e-3}
NAMES = ["a", "it's"]

class Own(ValueError):
    pass

class Coded(Exception):
    def __init__(self, code, text):
        super().__init__(code, text)
        self.code = code

ERRORS = {"many": OverflowError("too many"), "few": ValueError("too few")}

def failed(what, n):
    return ArithmeticError(f"{what} failed at {n}")

def checked(n, m):
    if n != m:
        raise ValueError(f"{n} rows, and {m} columns")
    return n
"""
# What is raised, by name; x, a, n, flag and m are parameters, and `text` is bound before.
RAISED = {
    "formatted": 'ValueError(f"{n} of {x.shape[0]} is {x[0]:.3f}, {a}")',
    "widths": 'ValueError(f"[{n:>5}|{n:<5d}|{n:05}|{a:10.2e}|{a:+g}|{a:%}]")',
    "shown": 'ValueError(f"{a!r} {n=} { a = :.2f} {LIMIT!r} {n!s:>3} {None!r}")',
    "shown_by_percent": 'ValueError("%r of %r" % (a, n) + "{!r}".format(n))',
    "percent": 'KeyError("%d of %5.2f is %s, %-4d| %+.1e 100%%" % (n, a, n, n, x[1]))',
    "one_percent": 'ValueError("%d rows" % n)',
    "by_format": 'ValueError("{} rows, {:.2f} and {{}}".format(n, a))',
    "numbered": 'ValueError("{1} before {0}, {name:.1f}".format(n, a, name=x[2]))',
    "added": 'ValueError("n is " + str(n) + ", a is " + str(a))',
    "shape": 'ValueError(f"{x.shape} and {m.shape}")',
    "size": 'IndexError(f"{len(x)} {m.size} {m.ndim} {abs(a) * 2:.4f} {max(n, 7)}")',
    "reduced": 'ArithmeticError(f"{x.sum():.6f} {np.max(x)} {math.sqrt(a)}")',
    "truth": 'ValueError(f"{flag} and {n > 2}")',
    "complexes": 'ValueError(f"{complex(a, 2.0)}")',
    "constant": 'ValueError(f"{LIMIT} {n} {LIMIT:.1f} {math.pi:.4f}")',
    "braces": 'ValueError(f"{{{n}}} {{}} \\\\{n}\\t|é")',
    "raw": 'ValueError(rf"{n}\\t{{}}")',
    "together": 'ValueError("n" f" is {n} " "{}")',
    "named": "ValueError(text)",
    "several": 'ValueError("n is", n, "at most", 2)',
    "number": "KeyError(n)",
    "own": 'Own(f"{n} is {a:.2f}")',
    "coded": 'Coded(n, "wrong")',
    "linear": 'np.linalg.LinAlgError(f"{n} is singular")',
    "braces_known": 'ValueError("{} {x}")',
    "by_repr": "ValueError('n is ' + repr(n) + ', ' + repr(a))",
    "made_before": "error",
    "made_by_a_function": 'failed("it", n + 1)',
    "chosen": "(ValueError if n < 2 else KeyError)(n)",
    "in_a_dict": "ERRORS['many']",
    "called": "ValueError(checked(n, 2))",
    "keys": "ValueError(f\"{n} is none of {list(UNITS)}, {sorted(UNITS)}: {', '.join(UNITS)}\")",
    "items_known": 'ValueError(f"{NAMES} {tuple(NAMES)} {(1, 2.5, None, n)} {[[n], []]}")',
}
PARAMS = "x: Vec, m: Mat, a: float, n: int, flag: bool"
ARGS = (np.array([0.5, 1 / 3, -2.0]), np.ones((3, 2)), 0.1, 3, True)


def program(name: str, raised: str) -> str:
    return (
        f"def {name}({PARAMS}) -> float:\n"
        f'    text = f"{{n}} is too many: " + str(a)\n'
        f'    error = Own(f"{{n}} is {{a:.2f}}")\n'
        f"    if n > 2:\n        raise {raised}\n    return a * x[0] * n\n\n"
    )


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "jit"])
def modules(request: pytest.FixtureRequest) -> Modules:
    functions = "".join(program(name, raised) for name, raised in RAISED.items())
    return transpiled(HEAD + functions, jit=request.param)


@pytest.mark.parametrize("name", RAISED)
def test_messages(name: str, modules: Modules) -> None:
    primal, generated = modules
    with pytest.raises(Exception) as expected:  # noqa: PT011
        getattr(primal, name)(*ARGS)
    for kind, more in (("value_and_grad", ()), ("fwd", ()), ("vjp", (1.0,))):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            getattr(generated, f"{name}_{kind}")(*ARGS, *more)
        assert type(caught.value) is type(expected.value)
        assert str(caught.value) == str(expected.value)
        assert caught.value.args == expected.value.args


WITH_NUMBERS = """
class NoConvergence(Exception):
    def __init__(self, residual, iterations=0, *, done=False):
        super().__init__(f"{residual:.3f} after {iterations}")
        self.residual, self.iterations, self.done = residual, iterations, done


def root(a: float, n: int) -> float:
    x = 1.0
    for i in range(n):
        x = 0.5 * (x + a / x)
        if abs(x * x - a) < 1e-12:
            return x
    raise NoConvergence(abs(x * x - a), n)


def by_name(a: float, n: int) -> float:
    if a > 1.0:
        raise NoConvergence(iterations=n, residual=a * n)
    return a * a


def several(a: float, n: int) -> float:
    if a > 1.0:
        raise ValueError("out of range", a, n, a > 2.0)
    return a * a


def alone(a: float, n: int) -> float:
    if a > 1.0:
        raise ArithmeticError(a)
    return a * a
"""


@pytest.mark.parametrize("jit", [False, True])
def test_numbers_as_arguments(jit: bool) -> None:
    primal, generated = transpiled(WITH_NUMBERS, jit=jit)
    for name in ("root", "by_name", "several", "alone"):
        with pytest.raises(Exception) as expected:  # noqa: PT011
            getattr(primal, name)(7.0, 2)
        with pytest.raises(Exception) as caught:  # noqa: PT011
            getattr(generated, f"{name}_value_and_grad")(7.0, 2)
        assert caught.value.args == expected.value.args
        assert vars(caught.value) == vars(expected.value)
        assert not jit or str(caught.value) == str(expected.value)


AS_WRITTEN = {
    "arrays": 'ValueError(f"x is {x}")',
    "names": 'ValueError(f"{type(x).__name__} {n}")',
    "ascii": 'ValueError(f"{a!a} {n}")',
    "of_an_array": 'ValueError(f"{x[0]!r} {n}")',
    "single": 'ValueError(f"{np.float32(a)} {n}")',
    "lists": 'ValueError(f"{[a, a]} {n}")',
    "widths_known_later": 'ValueError(f"{a:.{n}f}")',
}


TEXTS = """
from dataclasses import dataclass

@dataclass
class Option:
    kind: str
    strike: float

def alone(x: float, mode: str) -> float:
    if mode == "fast":
        return x * x
    if mode == "slow":
        raise KeyError(mode)
    raise KeyError(mode)

def with_numbers(x: float, mode: str) -> float:
    if mode not in ("fast", "slow"):
        raise ValueError(f"{{no}} mode {mode}: {x:.2f}")
    return x

def quoted(x: float, mode: str) -> float:
    if mode not in ("fast", "slow"):
        raise ValueError(f"no mode {mode!r} {mode=}: {x!r}" + " %r" % mode)
    return x

def items_quoted(x: float, names: list[str]) -> float:
    for name in names:
        if name not in ("call", "it's"):
            raise KeyError(f"{name!r} or {names[0]!r} {'fast'!r}")
    return x * x

def added(x: float, mode: str) -> float:
    text = "unknown mode: " + mode
    if mode != "fast":
        raise ValueError(text)
    return x

def in_a_helper(x: float, what: str) -> float:
    return with_numbers(x, what) * added(x, what)

def of_a_field(x: float, option: Option) -> float:
    if option.kind == "call":
        return x - option.strike
    raise NotImplementedError(f"{option.kind} at {option.strike}")

def field_alone(x: float, option: Option) -> float:
    if option.kind == "call":
        return x - option.strike
    raise KeyError(option.kind)

def item_alone(x: float, names: list[str]) -> float:
    for k in range(len(names)):
        if names[k] != "call":
            raise KeyError(names[k])
    return x * x

def looked_up(rates: dict[str, float], name: str) -> float:
    return rates[name] ** 2

def tested_before(rates: dict[str, float], name: str) -> float:
    if name not in rates:
        raise ValueError(f"none of {len(rates)} is {name}")
    return rates[name] ** 2

def found(options: list[Option], kind: str) -> float:
    for option in options:
        if option.kind == kind:
            return option.strike ** 2
    raise LookupError(f"no {kind}")

SCALES = {"m": 1.0, "km": 1e3}

class UnitError(Exception):
    def __init__(self, unit):
        super().__init__(f"unknown unit {unit!r}")

def of_known(x: float, unit: str) -> float:
    return x * SCALES[unit]

def own_error_of_known(x: float, unit: str) -> float:
    try:
        return x * SCALES[unit]
    except KeyError as e:
        raise UnitError(e.args[0]) from e

def caught_of_known(x: float, unit: str) -> float:
    try:
        return x * SCALES[unit]
    except KeyError as e:
        raise ValueError(f"{e} of {x}") from None

def caught_number(x: float, n: int) -> float:
    try:
        return x * {1: 2.0, 3: 4.0}[n]
    except KeyError as e:
        raise ValueError(f"{e} is none: " + str(e)) from None

def caught_looked_up(rates: dict[str, float], name: str) -> float:
    try:
        return rates[name] ** 2
    except KeyError as e:
        raise ValueError(f"no {e}") from None
"""


@pytest.mark.parametrize("jit", [True, False])
def test_texts_of_the_caller(jit: bool) -> None:
    primal, generated = transpiled(TEXTS, jit=jit)
    option = primal.Option("call", 1.0)
    rates = {"a": 2.0, "b": 3.0}
    for name, args in {
        "alone": (3.0, "{x}"),
        "with_numbers": (3.0, "other"),
        "added": (3.0, "slow"),
        "quoted": (3.0, "it's"),
        "items_quoted": (3.0, ["it's", 'a "name"']),
        "in_a_helper": (3.0, "slow"),
        "of_a_field": (3.0, primal.Option("put", 2.5)),
        "field_alone": (3.0, primal.Option("put", 2.5)),
        "item_alone": (3.0, ["call", "put"]),
        "looked_up": (rates, "c"),
        "tested_before": (rates, "{}"),
        "found": ([option], "put"),
        "of_known": (3.0, "it's"),
        "own_error_of_known": (3.0, "in"),
        "caught_of_known": (3.0, "it's"),
        "caught_number": (3.0, 2),
        "caught_looked_up": (rates, "c"),
    }.items():
        with pytest.raises(Exception) as expected:  # noqa: PT011
            getattr(primal, name)(*args)
        with pytest.raises(expected.type) as caught:
            getattr(generated, f"{name}_grad")(*args)
        assert caught.value.args == expected.value.args, name


IN_DICTS = """
from dataclasses import dataclass
from typing import TypedDict

@dataclass
class State:
    t: float

class Bond(TypedDict):
    kind: str
    state: State
    k: float

def of_the_caller(bond: Bond, x: float) -> float:
    if x > 1.0:
        raise ValueError(f"{x} is too far for {bond['kind']}")
    return bond["k"] * x

def after_a_step(bond: Bond, x: float) -> float:
    bond["state"].t = 3.0 * x
    if x > 1.0:
        raise ValueError("too far")
    return bond["state"].t * bond["k"]

def kind_alone(bond: Bond, x: float) -> float:
    if bond["kind"] != "bar":
        raise ValueError(bond["kind"])
    return bond["k"] * x
"""


@pytest.mark.parametrize("jit", [True, False])
@pytest.mark.parametrize("name", ["of_the_caller", "after_a_step", "kind_alone"])
def test_what_exceptions_say_of_a_dict(name: str, jit: bool) -> None:
    primal, generated = transpiled(IN_DICTS, jit=jit)
    expected = {"kind": "angle", "state": primal.State(0.0), "k": 2.0}
    found = {"kind": "angle", "state": primal.State(0.0), "k": 2.0}
    with pytest.raises(ValueError, match=r"too far|^angle$") as told:
        getattr(primal, name)(expected, 3.0)
    with pytest.raises(ValueError, match=r"too far|^angle$") as caught:
        getattr(generated, f"{name}_grad")(found, 3.0)
    assert caught.value.args == told.value.args
    assert found == expected


def test_joined_texts_stay_as_they_are_written() -> None:
    source = """
def f(xs: list[float]) -> float:
    low = []
    for k, x in enumerate(xs):
        if x < 0.0:
            low.append(f"x{k} is {x}")
    if low:
        raise ValueError("bad: " + ", ".join(low) + " in " + ", ".join(("f", "g")))
    return xs[0] ** 2
"""
    _, generated = transpiled(source)
    assert generated.f_grad([3.0]) == [6.0]
    with pytest.raises(ValueError, match="bad") as caught:
        generated.f_grad([3.0, -1.0])
    assert caught.value.args == ('bad: {", ".join(low)} in f, g',)


@pytest.mark.parametrize("name", AS_WRITTEN)
def test_what_stays_as_it_is_written(name: str) -> None:
    _, generated = transpiled(HEAD + program(name, AS_WRITTEN[name]))
    with pytest.raises(ValueError, match=r"[{]"):
        getattr(generated, f"{name}_value_and_grad")(*ARGS)


def test_where_it_passes_a_finally_it_stays_as_it_is_written() -> None:
    source = (
        "def f(x: float, n: int) -> float:\n    try:\n        if n > 2:\n"
        '            raise ValueError(f"{n} is too many")\n        x = x * n\n'
        "    finally:\n        x = x + 1\n    return x\n"
    )
    _, generated = transpiled(source)
    with pytest.raises(ValueError, match=r"\{n\} is too many"):
        generated.f_grad(1.0, 3)


def test_such_text_has_no_length() -> None:
    source = 'def f(x: float, n: int) -> float:\n    text = f"{n}"\n    return x * len(text)\n'
    with pytest.raises(Refusal, match=r"MK347.*Python is asked for length of a text"):
        gradient_text(source)


def test_it_reads_as_it_is_written() -> None:
    text = gradient_text(HEAD + program("formatted", RAISED["formatted"]))
    assert 'raise Formatted(ValueError, "{} of {} is {:.3f}, {}", n, n_2, x[0], a)' in text
