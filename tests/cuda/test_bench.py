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
from bench.cuda_by_hand import gradients
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
        times = np.full((1, n_repeat), 1e-3)
        return SimpleNamespace(gpu_times=times, cpu_times=times)

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
            get_default_memory_pool=lambda: SimpleNamespace(free_all_blocks=lambda: None),
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


def test_what_fails_is_said(
    cupy: ModuleType, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(bench, "gradients", lambda: dict.fromkeys(gradients(), failing))
    bench.run({"heat"})
    assert "by hand failed (MemoryError)" in capsys.readouterr().out


def test_losses_are_what_is_measured(cupy: ModuleType) -> None:
    """The loss that JAX and torch are given has the value of ours; so have gradients by hand."""
    kernels = __import__("kernels_grad")
    draw = np.random.default_rng(2)
    for row in {row.function: row for row in bench.rows()}.values():
        args = [draw.normal(size=shape) for shape in row.shapes]
        value, bars = getattr(kernels, f"{row.function}_value_and_grad")(
            *map(on_device, args), *row.numbers
        )
        np.testing.assert_allclose(on_host(value), row.loss(np, *args, *row.numbers), rtol=1e-9)
        by_hand, bars_by_hand = gradients()[row.function](*map(on_device, args), *row.numbers)
        np.testing.assert_allclose(on_host(by_hand), on_host(value), rtol=1e-9)
        for found, wanted in zip(bars_by_hand, bars, strict=False):  # a count has none
            np.testing.assert_allclose(on_host(found), on_host(wanted), rtol=1e-8, atol=1e-11)


def test_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)  # type: ignore[arg-type]
    with pytest.raises(SystemExit, match="takes CuPy: pip install"):
        bench.run(set())
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(is_available=lambda: False))  # type: ignore[arg-type]
    with pytest.raises(SystemExit, match="takes a GPU"):
        bench.run(set())
