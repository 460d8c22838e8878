"""Programs of the catalogue with one float as their result: ``f_hvp``, ``f_jacobian`` and so on."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

import pytest
from mooncake_runtime.testing import check_gradients
from mooncake_transpiler.products import Product

from tests.helpers.transpile import compiled, gradient_body, importable, module
from tests.programs.inputs import arguments
from tests.programs.test_programs import CASES, programs

CONFIG = '[tool.mooncake-transpile]\nmodes = ["reverse", "hvp", "hessian", "jacobian"]\n'
THEMES = ("aliasing", "structs", "whiles")  # a sample: each has its own difficulties
JITTED = ("aliasing", "whiles")
PROGRAMS = [name for name in programs() if name.partition(".")[0] in THEMES]


@pytest.fixture(scope="module")
def products() -> Iterator[dict[str, Product]]:
    """What becomes of the modules; they can be imported."""
    files = {f"{name}.py": (CASES / f"{name}.py").read_text() for name in ("kinds", *THEMES)}
    with importable(CASES):
        yield compiled({"pyproject.toml": CONFIG, **files})


@pytest.mark.parametrize("name", PROGRAMS)
def test_plain(name: str, products: dict[str, Product]) -> None:
    check(name, products, jit=False)


def check(name: str, products: dict[str, Product], jit: bool) -> None:
    theme, _, function = name.partition(".")
    primal = getattr(import_module(theme), function)
    generated = module(gradient_body(products[theme]), f"{theme}_grad", jit=jit)
    check_gradients(primal, generated, arguments(primal, theme))


def test_jitted(products: dict[str, Product]) -> None:
    for theme in JITTED:
        check(next(name for name in PROGRAMS if name.startswith(theme)), products, jit=True)


def test_most_have_second_derivatives(products: dict[str, Product]) -> None:
    texts = [gradient_body(products[theme]) for theme in THEMES]
    assert sum(text.count("_hvp(") for text in texts) > len(PROGRAMS) / 2
