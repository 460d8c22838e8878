"""Every operator and every index: some of the tables, all of them with ``--whole-grid``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from tests.conformance.rows import Row, Subject, Theme
from tests.conformance.tables import refused, sample

TESTS = 8
PLAIN, COMPILED = 24, 400  # one theme in so many
ALONE = 4  # and of its rows that are refused, or have no number somewhere


@pytest.mark.parametrize("at", range(TESTS))
def test_plain(at: int, request: pytest.FixtureRequest) -> None:
    whole = request.config.getoption("--whole-grid")
    themes = sample(1 if whole else PLAIN)
    examine(themes[at::TESTS], 1 if whole else ALONE, jit=False)


@pytest.mark.parametrize("at", range(TESTS))
def test_compiled(at: int, request: pytest.FixtureRequest) -> None:
    whole = request.config.getoption("--whole-grid")
    themes = sample(PLAIN if whole else COMPILED)
    examine(themes[at::TESTS], ALONE, jit=True)


def examine(themes: Sequence[Theme], part: int, *, jit: bool) -> None:
    """Fail where rows are wrong, or refused though ``refused.txt`` does not say so."""
    failures: list[str] = []
    codes: Counter[str] = Counter()
    for theme in themes:
        expected = refused().get(theme.name, {})
        found = theme.outcomes(expected, part=part, jit=jit)
        codes.update(outcome.code for outcome in found.values() if outcome.code)
        failures += [
            f"{theme.name}: {key}: {outcome.kind}: {outcome.message}"
            for key, outcome in found.items()
            if outcome.is_wrong or (refused() and outcome.code not in ("", expected.get(key)))
        ]
    print("refused:", dict(codes))
    assert not failures, "\n".join(failures)


def test_a_refused_row_leaves_its_table() -> None:
    """The others stay together; a row that has no number somewhere is judged alone, too."""
    rows = (
        Row("first", "{t} * 2.0", ("{t} = a + 1.0",)),
        Row("refused", "{t}", ("{t} = a", "{t} = nothing * {t}", "{t} = {t} + 1.0")),
        Row("wild", "1.0 / a"),
        Row("error", "a + 'text'"),
        Row("last", "a * a"),
    )
    subject = Subject({"a": "float"}, ({"a": 2.0}, {"a": 3.0}, {"a": 0.0}))
    table = subject.table(rows)
    lines = table.source.split("\n")
    for at, text in ((0, "a + 1.0"), (1, "nothing"), (1, "t1 + 1.0"), (4, "a * a")):
        (line,) = (n for n, code in enumerate(lines, 1) if text in code)
        assert subject.row_at(table, rows, line) == at
    kinds = {key: outcome.kind for key, outcome in Theme("", subject, rows).outcomes().items()}
    expected = {"first": "fine", "last": "fine", "wild": "fine", "refused": "refused MK210"}
    assert {key: kinds[key] for key in expected} == expected
