"""Programs of the shapes of real ones, and how many of them are accepted (see README.md)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints
from unittest.mock import patch

import pytest
from mooncake_runtime.testing import check_gradients
from numba.core import config
from scipy.integrate import odeint

from tests.helpers.transpile import compiled, gradient_body, module
from tests.programs.real import held_out, held_out_again, held_out_third
from tests.programs.real.drawing import Arguments
from tests.programs.real.points import POINTS

HERE = Path(__file__).parent
README = (HERE / "README.md").read_text()
JITTED = (
    "battery_cell", "benchmark_class", "exponential_garch", "pairwise_gravity", "ray_of_vectors",
)  # fmt: skip


class Row(NamedTuple):
    """A row of the README: a program and its outcome."""

    name: str
    told: str

    @property
    def lines(self) -> int | None:
        """The number of lines that had to change; None if three are not enough."""
        if self.told == "accepted":
            return 0
        found = re.fullmatch(r"(\d) lines?: `MK\d+`.*", self.told)
        return int(found[1]) if found else None

    @property
    def codes(self) -> set[str]:
        """The codes that refuse the program as it stands."""
        return set(re.findall(r"`(MK\d+)`", self.told))


def _pairs(text: str) -> list[tuple[Row, Row]]:
    """The outcomes for the programs of a held-out sample at first, and today."""
    found = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+?) \| ([^|]+?) \|$", text, re.M)
    return [(Row(name, first), Row(name, now)) for name, first, now in found]


ROWS = [Row(*found) for found in re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]+?) \|$", README, re.M)]
SAMPLES = {text: _pairs(text) for text in README.split("\n## Held out")[1:]}
LATER = [now for pairs in SAMPLES.values() for _, now in pairs]
NAMES = sorted(row.name for row in [*ROWS, *LATER])
GIVEN = {**POINTS, **held_out.POINTS, **held_out_again.POINTS, **held_out_third.POINTS}
SLOW = ("phases_by_odeint", "swinging_pair")  # seconds each; others integrate, too


def source(name: str, *, changed: bool = False) -> str:
    return (HERE / ("changed" if changed else "as_written") / f"{name}.py").read_text()


@pytest.fixture(autouse=True)
def _accurate_odeint(monkeypatch: pytest.MonkeyPatch) -> None:
    """SciPy's solutions have errors of the size of its tolerance, and so do differences of them."""
    monkeypatch.setattr("scipy.integrate.odeint", partial(odeint, rtol=1e-13, atol=1e-13))


def check(name: str, text: str, *, jit: bool = False) -> None:
    """All derivatives of a program against differences of the program itself."""
    body = gradient_body(compiled({f"{name}.py": text})[name])
    with patch.object(config, "DISABLE_JIT", True):
        primal = module(text, name)
    generated = module(body, f"{name}_grad", jit=jit)
    for function, given in GIVEN[name]().items():
        called = getattr(primal, function)
        check_gradients(called, generated, structs(called, given))


def structs(function: Callable[..., object], given: Arguments) -> Arguments:
    """The arguments, tuples as the NamedTuples or dataclasses that the annotations ask for."""
    hints = [h for name, h in get_type_hints(function).items() if name != "return"]
    return tuple(map(_struct, given, hints[: len(given)]))


def _struct(value: object, hint: Any) -> object:
    if isinstance(value, tuple) and (hasattr(hint, "_fields") or is_dataclass(hint)):
        return hint(*map(_struct, value, get_type_hints(hint).values()))
    if isinstance(value, tuple) and get_origin(hint) is tuple:
        return tuple(map(_struct, value, get_args(hint)))
    if isinstance(value, list) and get_origin(hint) is list:
        return [_struct(item, get_args(hint)[0]) for item in value]
    return value


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Cases, of which the slow ones are tested with ``--whole-grid`` only."""
    if "stands" in metafunc.fixturenames:
        rows = [*ROWS, *LATER]
        if not metafunc.config.getoption("--whole-grid"):
            rows = [row for row in rows if row.name not in SLOW]
        metafunc.parametrize("stands", rows, ids=lambda row: row.name)


def test_as_it_stands(stands: Row) -> None:
    """Accepted and right, or refused with the code that the README tells; one when it runs."""
    row = stands
    if row.lines == 0:
        check(row.name, source(row.name))
        return
    result = compiled({f"{row.name}.py": source(row.name)})[row.name]
    assert not result.crash
    assert {d.code for d in result.diagnostics} == row.codes


@pytest.mark.parametrize("row", [r for r in [*ROWS, *LATER] if r.lines], ids=lambda row: row.name)
def test_after_changed_lines(row: Row) -> None:
    """Right after as many changed lines as the README tells."""
    before, after = (source(row.name, changed=c).splitlines() for c in (False, True))
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    count = sum(max(b - a, d - c) for kind, a, b, c, d in changes if kind != "equal")
    assert count == row.lines <= 3
    check(row.name, source(row.name, changed=True))


@pytest.mark.parametrize("name", JITTED)
def test_compiled(name: str) -> None:
    check(name, source(name), jit=True)


def test_each_program_has_a_row() -> None:
    assert sorted(file.stem for file in (HERE / "as_written").glob("*.py")) == NAMES
    assert {r.name for r in [*ROWS, *LATER] if r.lines} == {
        f.stem for f in (HERE / "changed").glob("*.py")
    }
    assert sorted(GIVEN) == NAMES


def test_counts() -> None:
    """The totals in the README are those of its rows."""
    found = _totals(ROWS)
    assert all(row.codes for row in ROWS if row.lines != 0)
    assert _said(
        r"(\d+) programs: (\d+) accepted as they stand \((\d+) %\), (\d+) after up to "
        r"three changed lines \((\d+) %\)"
    ) == (len(ROWS), *found)


@pytest.mark.parametrize("text", SAMPLES)
def test_counts_of_those_held_out(text: str) -> None:
    pairs = SAMPLES[text]
    assert (len(pairs), *_totals([first for first, _ in pairs])[:2]) == _said(
        r"(\d+) more programs, drawn on [^:]+: (\d+) were accepted as they stand \((\d+) %\)", text
    )
    assert _totals([now for _, now in pairs]) == _said(
        r"Today (\d+) are accepted as they stand \((\d+) %\), (\d+) after up to three changed "
        r"lines \((\d+) %\)",
        text,
    )


def _totals(rows: Sequence[Row]) -> tuple[int, ...]:
    """The numbers accepted as they stand and after changed lines, with percentages."""
    accepted = sum(row.lines == 0 for row in rows)
    after = sum(row.lines is not None for row in rows)
    return accepted, round(100 * accepted / len(rows)), after, round(100 * after / len(rows))


def _said(pattern: str, text: str = README) -> tuple[int, ...]:
    said = re.search(pattern, " ".join(text.split()))
    assert said
    return tuple(map(int, said.groups()))
