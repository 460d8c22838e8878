"""Random programs, in plain Python for breadth and compiled for a sample."""

from __future__ import annotations

from collections import Counter
from functools import partial

import pytest

from tests.property import borders, objects_in_lists, rebinding, recursive, resizing, sharing
from tests.property.generator import program
from tests.property.log import summary
from tests.property.search import Finding, Kind, search

PROGRAMS, CHUNKS, SEED = 150, 5, 20_000  # and 260 of other kinds below
JITTED = (3, 14, 15)
ONE_STATEMENT = Kind(partial(program, size=1))  # in a block


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_plain(chunk: int) -> None:
    size = PROGRAMS // CHUNKS
    start = SEED + chunk * size
    found, kinds = search(range(start, start + size), ONE_STATEMENT)
    assert not found, report(found)
    assert kinds["fine"] >= 0.8 * size, f"too few programs say something: {summary(kinds)}"


@pytest.mark.parametrize("seed", JITTED)
def test_jitted(seed: int) -> None:
    found, _ = search([seed], ONE_STATEMENT, jit=True)
    assert not found, report(found)


@pytest.mark.parametrize("start", [50])
def test_rebinding(start: int) -> None:
    found, kinds = search(range(start, start + 50), Kind(rebinding.program))
    assert not found, report(found)
    assert kinds["fine"] >= 35, f"too few programs say something: {summary(kinds)}"


def test_sharing() -> None:
    found, kinds = search(range(60), Kind(sharing.program, accepts=is_choice))
    assert not found, report(found)
    assert kinds["fine"] >= 55, f"too few programs say something: {summary(kinds)}"


def test_resizing() -> None:
    found, kinds = search(range(50), Kind(resizing.program))
    assert not found, report(found)
    assert kinds["fine"] >= 15, f"too few programs say something: {summary(kinds)}"


def test_objects_in_lists() -> None:
    found, kinds = search(range(40), Kind(objects_in_lists.program, accepts=is_choice))
    assert not found, report(found)
    assert kinds["fine"] >= 33, f"too few programs say something: {summary(kinds)}"


def test_recursive() -> None:
    found, kinds = search(range(60), Kind(recursive.program))
    assert not found, report(found)
    assert kinds["fine"] >= 50, f"too few programs say something: {summary(kinds)}"


def test_borders() -> None:
    found, kinds = search(range(40), Kind(borders.program, borders.check))
    assert not found, report(found)
    assert kinds["fine"] >= 35, f"too few programs say something: {summary(kinds)}"


def is_choice(kind: str) -> bool:
    """True for lists that are bound anew in a branch or loop, and for writes into such."""
    return kind in ("refused MK330", "refused MK320")


def report(found: list[Finding]) -> str:
    kinds = Counter(finding.failure.kind for finding in found)
    return "\n\n".join([str(dict(kinds)), *(finding.reduced().text() for finding in found[:3])])
