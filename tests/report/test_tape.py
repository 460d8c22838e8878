"""The ledger states the bytes that are saved at run time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from mooncake_transpiler.report.byte_formulas import plus, symbols_in, text, times, value
from mooncake_transpiler.report.findings import FunctionFacts
from mooncake_transpiler.report.page import total

from tests.helpers.transpile import transpiled
from tests.report.conftest import Report
from tests.report.programs import CASES, NEWTON, Case


def _base(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _bytes(residual: object) -> int:
    match residual:
        case np.ndarray():
            return _base(residual).nbytes
        case bool():
            return 1
        case _:
            return 8


def _known(
    facts: FunctionFacts, arguments: Mapping[str, object], residuals: Mapping[str, object]
) -> dict[str, int]:
    """The numbers that the symbols of ``facts`` stand for in one call."""
    found = {}
    for symbol in facts.symbols:
        given = arguments.get(symbol.param)
        if symbol.axis is not None:
            assert isinstance(given, np.ndarray)
            found[symbol.name] = given.shape[symbol.axis]
        elif symbol.param:
            assert isinstance(given, int)
            found[symbol.name] = given
        else:
            name, _, axis = symbol.name.partition(".shape[")
            residual = residuals[name]
            assert isinstance(residual, np.ndarray)
            found[symbol.name] = residual.shape[int(axis.rstrip("]"))]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_bytes_are_those_saved(case: Case, report: Report) -> None:
    facts = report(case.source, case.name)
    program, gradient = transpiled(case.source)
    names = getattr(program, case.name).__code__.co_varnames
    for size in (3, 4, 7):
        arguments = case.arguments(size)
        outside = {id(_base(a)) for a in arguments if isinstance(a, np.ndarray)}
        _, residuals = getattr(gradient, f"{case.name}_fwd")(*arguments)
        kept = residuals._asdict()
        assert [item.name for item in facts.ledger] == list(kept)
        known = _known(facts, dict(zip(names, arguments, strict=False)), kept)
        seen = set(outside)
        for item in facts.ledger:
            residual = kept[item.name]
            if item.held:
                continue
            assert value(item.bytes, known) == _bytes(residual), item
            assert id(_base(np.asarray(residual))) not in outside
            seen.add(id(_base(residual)) if isinstance(residual, np.ndarray) else id(item))
        for item in facts.ledger:  # what is held belongs to the caller, or to what is counted
            if item.held:
                assert id(_base(kept[item.name])) in seen, item
        assert value(total(facts.ledger), known) == sum(
            value(item.bytes, known) for item in facts.ledger
        )


RECENT = """\
from typing import Annotated

import numpy as np
from numpy.typing import NDArray


def recent(x: Annotated[NDArray[np.float64], "n"], k: int) -> float:
    total, u = 0.0, x.copy()
    for _ in range(k):
        total += 2.0 * (u[0] - u[1]) ** 2 + u[2] ** 3
        for i in range(u.shape[0] - 1):
            u[i + 1] = u[i] * u[i + 1]
    return total
"""


def test_reasons(report: Report) -> None:
    smooth = {item.name: item.reason for item in report(NEWTON, "smooth").ledger}
    assert smooth["x"] == "an argument: it is kept where it is, nothing is copied"
    assert smooth["w"] == "an argument, one number"
    root = {item.name: item.reason for item in report(NEWTON, "root").ledger}
    assert any(reason.startswith("carried from one iteration") for reason in root.values())
    rod = {item.name: item.reason for item in report(RECENT, "recent").ledger}
    assert rod["product_saved"] == "cheaper to keep than u, which line 12 overwrites"
    assert rod["u_saved"] == "read from u, which line 12 overwrites"


def test_readers_read_what_is_saved(report: Report) -> None:
    for case in CASES:
        facts = report(case.source, case.name)
        for item in facts.ledger:
            read = [facts.pullback[line].text for line in item.readers]
            assert read or "shape" in item.reason or "kept anyway" in item.reason, item
            assert not any(text.lstrip().startswith("#") for text in read)


def test_formulas() -> None:
    area = times(times(8, "n"), times("m", ("-", "n", 1)))
    assert text(area) == "8 * n * m * (n - 1)"
    assert text(plus(area, times(2, area))) == "24 * n * m * (n - 1)"
    assert text(plus(plus(3, "n"), 4)) == "n + 7"
    assert text(times("n", ("//", "m", 2))) == "n * (m // 2)"
    assert text(("-", "n", ("+", "m", 1))) == "n - (m + 1)"
    assert text(("max", ("-", "n", 1), 0)) == "max(n - 1, 0)"
    assert times(0, "n") == 0
    assert symbols_in(area) == {"n", "m"}
    assert value(area, {"n": 3, "m": 5}) == 240
    known = {"n": 7, "m": 2}
    for size in (("//", "n", "m"), ("%", "n", "m"), ("max", "n", "m"), ("min", "n", "m")):
        expected = {"//": 3, "%": 1, "max": 7, "min": 2}[size[0]]
        assert value(size, known) == expected
    assert value(("//", "n", 0), known) == 0
