"""``python -m bench --cuda`` runs to its end, and measures the losses that it says."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bench import cuda as bench
from tests.cuda import compiler, standin
from tests.cuda.comparing import on_device, on_host

LEAST = 6  # elements along an axis


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """The stand-in with what else the script asks CuPy for; no JAX and no torch beside it."""
    if compiler.GXX is None:
        pytest.skip("g++, which runs the kernels, is not installed")

    def benchmark(call: Callable[[], Any], n_repeat: int, n_warmup: int) -> SimpleNamespace:
        call()
        return SimpleNamespace(gpu_times=np.full((1, n_repeat), 1e-3))

    small = list(map(_small, bench.rows()))
    monkeypatch.setattr(bench, "rows", lambda: small)
    monkeypatch.delitem(sys.modules, "kernels_grad", raising=False)
    profiler = ModuleType("cupyx.profiler")
    monkeypatch.setattr(profiler, "benchmark", benchmark, raising=False)
    draw = np.random.default_rng(1).normal
    with standin.installed():
        made = sys.modules["cupy"]
        made.__dict__.update(
            is_available=lambda: True, copyto=lambda to, of: None,
            random=SimpleNamespace(standard_normal=lambda shape: on_device(draw(size=shape))),
            ones=lambda size: on_device(np.ones(min(size, LEAST))),
            empty_like=lambda array: standin.empty(array.shape, array.dtype),
        )  # fmt: skip
        for name, module in (("cupyx.profiler", profiler), ("jax", None), ("torch", None)):
            monkeypatch.setitem(sys.modules, name, module)  # type: ignore[arg-type]
        monkeypatch.setattr(sys, "path", [*sys.path, str(bench.PROGRAMS)])
        yield made
    sys.modules.pop("kernels_grad", None)


def _small(row: bench.Row) -> bench.Row:
    return replace(row, shapes=tuple(tuple(min(n, LEAST) for n in s) for s in row.shapes))


def test_all_rows(cupy: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    bench.run(set())
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("bandwidth of a copy")
    assert [line[:16].strip() for line in lines] == [row.label for row in bench.rows()]


def test_losses_are_what_is_measured(cupy: ModuleType) -> None:
    """The loss that JAX and torch are given has the value of ours."""
    kernels = __import__("kernels_grad")
    draw = np.random.default_rng(2)
    for row in {row.function: row for row in bench.rows()}.values():
        args = [draw.normal(size=shape) for shape in row.shapes]
        value, _ = getattr(kernels, f"{row.function}_value_and_grad")(
            *map(on_device, args), *row.numbers
        )
        np.testing.assert_allclose(on_host(value), row.loss(np, *args, *row.numbers), rtol=1e-9)
