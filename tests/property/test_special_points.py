"""Random programs at zeros and where something overflows; more by ``search(range(n), KIND)``."""

from __future__ import annotations

import pytest

from tests.property.search import Kind, search
from tests.property.special import check, program

KIND = Kind(program, check, lambda kind: kind.startswith("refused"))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_nothing_depends_on_is_zero() -> None:
    failures, kinds = search(range(60), KIND)
    assert not failures, failures[0].text()
    assert kinds["fine"] > 40, kinds
