"""A statement that no pass and no analysis knows by name: it is right, or refused, all the same."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

import pytest
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler import ir

from tests.helpers.transpile import compiled, importable, module
from tests.ir.twins import twin_of
from tests.programs.catalogue import CASES, programs, showing, sources
from tests.programs.inputs import arguments

# Numbers, calls, branches and loops have no twins: too much is known of them by name.
TWINS: dict[type[ir.Stmt], str] = {
    **dict.fromkeys(
        (ir.Accum, ir.AddTo, ir.Alloc, ir.Assign, ir.Copy, ir.Dim, ir.Grow, ir.Load, ir.Raise,
         ir.Shadows, ir.Store, ir.View),
        "mutation",
    ),
    **dict.fromkeys((ir.Reshape, ir.Sum), "views"),
}  # fmt: skip
KEEP_GOING = "[tool.mooncake-transpile]\nkeep-going = true\n"


@pytest.fixture
def cases() -> Iterator[None]:
    with importable(CASES):
        yield


def derivatives(theme: str) -> ModuleType:
    """The derivatives of those programs that are not refused."""
    made = compiled(sources(theme, KEEP_GOING))[theme]
    assert not made.crashes
    assert made.body is not None
    return module(made.body, f"{theme}_grad")


@pytest.mark.parametrize("cls", TWINS, ids=lambda cls: cls.__name__)
@pytest.mark.usefixtures("cases")
def test_derivatives(cls: type[ir.Stmt], monkeypatch: pytest.MonkeyPatch) -> None:
    twin, wanted = twin_of(cls, monkeypatch), TWINS[cls]
    found = derivatives(wanted)
    assert twin.count >= 3, "not there in these programs"
    checked = 0
    for name in programs():
        theme, _, function = name.partition(".")
        if theme == wanted and hasattr(found, f"{function}_pullback"):
            primal = showing(getattr(import_module(theme), function))
            check_gradients(primal, found, arguments(primal, theme))
            checked += 1
    assert checked >= 10
