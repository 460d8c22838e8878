"""``python -m bench --cuda``: gradients on a GPU, against the bandwidth and others.

The others are kernels written by hand, JAX and torch.

For each row the bytes that must move (arguments read, gradients written) give a bound: what
copying as many bytes takes. ``host`` is the time in which Python has launched it all. JAX and torch
are left out where they are not installed; what fails is said in its place. It takes CuPy and a GPU.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bench.cuda_by_hand import gradients

PROGRAMS = Path(__file__).parent / "cuda_programs"


@dataclass(frozen=True, slots=True)
class Row:
    """One function at one size; ``jax`` and ``torch`` write the same loss with their ``xp``."""

    function: str
    label: str
    shapes: tuple[tuple[int, ...], ...]
    loss: Callable[..., Any]
    numbers: tuple[Any, ...] = ()


def _sum_sin(xp: Any, x: Any, y: Any) -> Any:
    return xp.sum(xp.exp(xp.sin(x) * y))


def _broadcast(xp: Any, x: Any, b: Any) -> Any:
    return xp.sum(xp.exp(xp.sin(x) * b) / (1 + x * x))


def _mlp(xp: Any, w1: Any, w2: Any, w3: Any, x: Any, y: Any) -> Any:
    h = xp.tanh(xp.tanh(x @ w1) @ w2) @ w3
    return xp.mean((h - y) ** 2)


def _cross_entropy(xp: Any, x: Any, y: Any) -> Any:
    e = xp.exp(x)
    return -xp.sum(y * (x - xp.log(xp.sum(e, 1))[:, None])) / x.shape[0]


def _gaussian_process(xp: Any, x: Any, y: Any, noise: float) -> Any:
    d = x[:, None, :] - x[None, :, :]
    k = xp.exp(-0.5 * xp.sum(d * d, 2)) + noise * xp.diag(xp.ones_like(y))
    return 0.5 * (y @ xp.linalg.solve(k, y)) + 0.5 * xp.linalg.slogdet(k)[1]


def _heat(xp: Any, u: Any, k: Any, steps: int) -> Any:
    for _ in range(steps):
        u = u + 0.1 * k * (xp.roll(u, 1) - 2 * u + xp.roll(u, -1))
    return xp.sum(u * u)


def _bodies(xp: Any, p: Any, m: Any) -> Any:
    d = p[:, None, :] - p[None, :, :]
    r2 = xp.sum(d * d, 2) + 1e-3
    return -0.5 * xp.sum(m[:, None] * m[None, :] / xp.sqrt(r2))


def rows() -> list[Row]:
    sizes = [10**k for k in range(4, 9)]
    return [
        *(Row("sum_sin", f"sum_sin {n:.0e}", ((n,), (n,)), _sum_sin) for n in sizes),
        *(Row("broadcast", f"rows {n:.0e}", ((n // 100, 100), (100,)), _broadcast) for n in sizes),
        Row("mlp", "MLP", ((256, 512), (512, 512), (512, 10), (4096, 256), (4096, 10)), _mlp),
        Row("cross_entropy", "cross entropy", ((8192, 1000), (8192, 1000)), _cross_entropy),
        Row("gaussian_process", "GP", ((2000, 8), (2000,)), _gaussian_process, (0.1,)),
        Row("heat", "heat, 100 steps", ((10**6,), (10**6,)), _heat, (100,)),
        Row("bodies", "n-body", ((2048, 3), (2048,)), _bodies),
    ]


@dataclass(frozen=True, slots=True)
class Time:
    """Median seconds of one call: on the GPU, and of the host until all is launched."""

    device: float
    host: float

    def __str__(self) -> str:
        return f"{1e3 * self.device:9.3f} ms (host {1e3 * self.host:.3f})"


def _time(call: Callable[[], Any]) -> Time:
    found = import_module("cupyx.profiler").benchmark(call, n_repeat=20, n_warmup=3)
    return Time(float(np.median(found.gpu_times)), float(np.median(found.cpu_times)))


def _time_or_reason(call: Callable[[], Any]) -> str:
    """The time, or why there is none: others need compilers of their own, or more memory."""
    try:
        return str(_time(call))
    except Exception as error:
        return f"failed ({type(error).__name__})"


def _bandwidth(cp: Any) -> float:
    """Bytes that a copy moves per second: each is read and written."""
    source = cp.ones(2**27)
    target = cp.empty_like(source)
    return 2.0 * float(source.nbytes) / _time(lambda: cp.copyto(target, source)).device


def _others(row: Row, args: Sequence[Any]) -> dict[str, Callable[[], Any]]:
    """The same gradient by hand, and by JAX and torch as far as they are installed."""
    by_hand = partial(gradients()[row.function], *args, *row.numbers)
    found: dict[str, Callable[[], Any]] = {"by hand": by_hand}
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # memory is for the others, too
    try:
        jax = import_module("jax")
    except ImportError:
        pass
    else:
        jax.config.update("jax_enable_x64", True)
        given = [jax.dlpack.from_dlpack(a) for a in args]
        places = tuple(range(len(given)))
        graded = jax.jit(
            jax.value_and_grad(lambda *a: row.loss(jax.numpy, *a, *row.numbers), places)
        )
        found["jax"] = lambda: jax.block_until_ready(graded(*given))
    try:
        torch = import_module("torch")
    except ImportError:
        return found
    leaves = [torch.from_dlpack(a).requires_grad_() for a in args]
    plain = partial(row.loss, torch, *leaves, *row.numbers)
    compiled = torch.compile(plain)
    found["torch"] = lambda: torch.autograd.grad(plain(), leaves)
    found["torch.compile"] = lambda: torch.autograd.grad(compiled(), leaves)
    return found


def run(only: set[str]) -> None:
    """Print a line for each row: milliseconds, and the share of the bandwidth that ours reaches."""
    try:
        cp = import_module("cupy")
    except ImportError:
        sys.exit("python -m bench --cuda takes CuPy: pip install mooncake-transpile[cuda13]")
    if not cp.is_available():
        sys.exit("python -m bench --cuda takes a GPU")
    sys.path.insert(0, str(PROGRAMS))
    ours = import_module("kernels_grad")
    speed = _bandwidth(cp)
    print(f"bandwidth of a copy: {speed / 1e9:.0f} GB/s")
    for row in rows():
        if only and row.function not in only:
            continue
        args = [cp.random.standard_normal(shape) for shape in row.shapes]
        graded = getattr(ours, f"{row.function}_value_and_grad")
        ours_takes = _time(partial(graded, *args, *row.numbers))
        bound = 2 * sum(a.nbytes for a in args) / speed
        text = f"{row.label:16} {ours_takes} {100 * bound / ours_takes.device:6.0f} %"
        for name, call in _others(row, args).items():
            text += f"   {name} {_time_or_reason(call)}"
        print(text, flush=True)
        cp.get_default_memory_pool().free_all_blocks()
