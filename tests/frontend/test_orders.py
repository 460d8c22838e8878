"""In which order library functions lay out what they make, against NumPy's arrays."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from mooncake_transpiler import ir

from tests.frontend.lowering import HEADER, read

SIZES = "B2 = Annotated[NDArray[np.float64], '3 4']\nB3 = Annotated[NDArray[np.float64], '3 4 5']\n"
X = np.random.default_rng(3).uniform(0.5, 1.5, (3, 4))
X3 = np.random.default_rng(4).uniform(0.5, 1.5, (3, 4, 5))

MATRICES = {
    "C": "a = np.zeros((3, 4)); a[...] = x",
    "F": "b = np.zeros((4, 3)); b[...] = x.T; a = b.T",
    "strided F": "b = np.zeros((8, 6)); b[::2, ::2] = x.T; a = b[::2, ::2].T",
    "backwards F": "b = np.zeros((4, 3)); b[...] = x.T; a = b.T[:, ::-1]",
}
CUBES = {
    "102": "b = np.zeros((4, 3, 5)); b[...] = x.transpose(1, 0, 2); a = b.transpose(1, 0, 2)",
    "201": "b = np.zeros((5, 3, 4)); b[...] = x.transpose(2, 0, 1); a = b.transpose(1, 2, 0)",
    "strided 201": (
        "b = np.zeros((5, 6, 4)); b[:, ::2] = x.transpose(2, 0, 1); "
        "a = b[:, ::2].transpose(1, 2, 0)"
    ),
}
# ``a`` is laid out as above, ``c`` the same in C order, ``k`` a matrix that has an inverse.
RESULTS = """
np.concatenate([a, a]); np.concatenate([a, a], axis=1); np.concatenate([a, c]); np.concatenate([a])
np.concatenate((a, c), axis=-1); np.stack([a, a]); np.stack([a, c], axis=1); np.stack([a, a], -1)
np.vstack([a, a]); np.hstack([a, a]); np.dstack([a, a]); np.column_stack([a, a])
np.append(a, a, axis=0); np.block([[a, a], [a, a]]); np.concatenate([a[:1], a[1:]])
np.concatenate([a, a[:, :1]], axis=1); np.concatenate([c[:1], a]); np.stack([a[0], a[1]])
np.where(a > 1, a, c); np.where(a > 1, a, a); np.where(a > 1, a, 0.0); np.where(c > 1, a, 0.0)
np.where(True, a, 0.0); np.where(a[0] > 1, a, 0.0)
np.take(a, [1, 0], axis=0); np.take(a, [1, 0], axis=1); np.take(a, [[1, 0], [0, 2]], axis=0)
a.take([1, 0], 1); np.sort(a); np.sort(a, axis=0); np.argsort(a); np.argsort(a, axis=0)
np.partition(a, 1); np.flip(a); np.flip(a, 0); np.fliplr(a); np.flipud(a); np.rot90(a)
np.cumsum(a, axis=0); np.cumsum(a, axis=1); np.cumprod(a, axis=0); a.cumsum(axis=-1)
np.add.accumulate(a, axis=0); np.multiply.accumulate(a, axis=1); np.nancumsum(a, axis=0)
a @ np.ones((a.shape[-1], 3)); np.matmul(a, a.swapaxes(-1, -2)); np.dot(a, np.ones(a.shape[-1]))
a @ np.ones((3, a.shape[-1])).T; np.dot(a, np.ones((a.shape[-1], 3))); np.outer(a, a)
np.kron(a, a); np.tensordot(a, a, (0, 0)); np.inner(a, a); np.tensordot(a, a, 0)
np.einsum("...ij,...kj->...ik", a, a); np.einsum("...ij,...ij->...ij", a, a)
np.einsum("...ij->...ji", a); np.einsum("...ij,...j->...ji", a, a[..., 0, :])
np.einsum("...ij->...i", a); np.vecdot(a, a)
np.repeat(a, 2, axis=0); np.repeat(a, 2, axis=1); np.tile(a, 1); np.tile(a, 2)
np.tile(a, (1, 2)); np.tile(a, (2, 1)); np.resize(a, (2, 7)); np.pad(a, 1)
np.pad(a, 1, mode="edge"); np.pad(a, 1, mode="reflect"); np.pad(a, 1, mode="wrap")
np.roll(a, 1, axis=0); np.roll(a, 1); np.roll(a, 1, axis=1); np.tril(a); np.triu(a, 1)
np.diff(a, axis=0); np.diff(a, axis=1); np.gradient(a)[0]; np.gradient(a, axis=1); np.ediff1d(a)
np.sum(a, axis=0, keepdims=True); np.sum(a, axis=0); np.sum(a, axis=1); np.sum(a, axis=-1)
np.max(a, axis=0); np.mean(a, axis=1); np.var(a, axis=0); np.std(a, axis=1); np.median(a, axis=0)
np.argmax(a, axis=0); np.any(a > 1, axis=0); np.ptp(a, axis=0); np.prod(a, axis=1)
np.sum(a, axis=1, keepdims=True); np.mean(a, axis=-1, keepdims=True); np.quantile(a, 0.3, axis=0)
np.linalg.norm(a, axis=0); np.average(a, axis=0); np.trapezoid(a, axis=0); np.nansum(a, axis=0)
np.clip(a, 0.6, 1.0); np.clip(a, c, 1.5); np.select([a > 1], [a], 0.0); np.select([a > 1], [a * 1])
np.choose((a > 1).astype(np.int64), [a, c]); np.nan_to_num(a); np.round(a, 1); a.round(1)
np.round(a); np.around(a, 2); np.fix(a); np.trunc(a); np.sign(a); np.rint(a); np.floor(a)
np.real(a); np.imag(a); np.conj(a); np.angle(a); np.real_if_close(a); np.abs(a); np.sinc(a)
np.i0(a); np.heaviside(a, 1.0); np.isclose(a, 1.0); np.isfinite(a); np.square(a); np.logaddexp(a, c)
np.interp(a, [0.0, 1.0, 2.0], [0.0, 1.0, 3.0]); np.cross(a[..., :3], c[..., :3]); np.unwrap(a)
np.polyval([1.0, 2.0, 3.0], a); np.deg2rad(a); np.degrees(a); np.hypot(a, c); np.power(a, 2)
np.linalg.inv(k); np.linalg.solve(k, a[..., :3, :]); np.linalg.cholesky(k @ k.swapaxes(-1, -2))
np.linalg.pinv(a); np.linalg.eigh(k + k.swapaxes(-1, -2))[1]; np.linalg.matrix_power(k, 3)
np.linalg.matrix_power(k, 1); np.linalg.matrix_power(k, 0); np.linalg.matrix_power(k, -1)
np.linalg.svd(a, full_matrices=False)[0]; np.linalg.svd(a, full_matrices=False)[2]
np.linalg.qr(a)[0]; np.linalg.qr(a)[1]; np.linalg.multi_dot([a, a.T, a]); np.cov(a); np.corrcoef(a)
np.linalg.tensorinv(k, 1); np.linalg.outer(a[0], a[0])
np.diag(a[0]); np.vander(a[0]); np.array([a, a]); np.array([a[0], a[1]]); np.array(a); np.copy(a)
np.array([[a[0, 0], 1.0], [2.0, a[0, 1]]]); np.array([[a[0, 0, 0], 1.0], [2.0, a[0, 1, 0]]])
np.array(a, dtype=np.float32); a.copy(); a.astype(np.float32); a.astype(np.float64)
np.array(a, dtype=np.float64, copy=True); np.asarray(a, dtype=np.float32); np.ascontiguousarray(a)
a[[1, 0]]; a[:, [1, 0]]; a[..., [1, 0]]; a[[[1, 0], [0, 2]]]; a[np.ix_([0, 1], [1, 0])]
a[[[0, 1], [1, 0]], [[0, 1], [1, 0]]]; a[1:, [1, 0]]; a[[1, 0], 1:]; a[[1, 0]][:, ::2]
a[np.array([True, False, True])]; a[:, np.array([True, False, True, False])]; a[[2, 0], :]
a[None, [1, 0]]; a[[1, 0], None]; a[[0, 1], [1, 0]]; a[a > 1]; a[..., [1, 0], :]; a[[0, 1], ..., 0]
np.compress([True, False, True], a, axis=0); np.take_along_axis(a, np.argsort(a, axis=0), axis=0)
np.delete(a, 0, axis=0); np.delete(a, 0, axis=1); np.insert(a, 0, 1.0, axis=1)
np.searchsorted([1.0, 2.0], a); np.digitize(a, [1.0, 2.0]); np.apply_along_axis(np.cumsum, 0, a)
np.meshgrid(a[0], a[1])[0]; np.meshgrid(a[0], a[1], indexing="ij")[1]; np.add.outer(a, a[0])
np.subtract.outer(a[0], a[1]); np.linspace(a, a + 1, 4); np.linspace(a, a + 1, 4, axis=-1)
np.eye(3); np.identity(3); np.tri(3); np.eye(3, 4) * a[0, 0]; np.piecewise(a, [a > 1], [1.0, 2.0])
np.zeros_like(a); np.ones_like(a); np.full_like(a, 2.0); np.full((3, 4), 1.0); np.zeros((3, 4))
np.empty_like(a) * 0.0; np.fft.fft(a); np.fft.fft2(a); np.fft.ifft(a, axis=0); np.fft.fftshift(a)
a * 2.0; a + c; c + a; a * a[0]; a[0] * a; a + a[:1]; -a; +a; a > 1; a > c; a ** 2; a // 1.0; a % c
a * a[..., 0:1]; a[:1] + c; ~(a > 1); (a > 1) & (c > 1); a + a.T.T; 1.0 / a; a / c; abs(a)
a.clip(0.6, 1.0); a.conj(); a.flatten(); np.broadcast_to(a[0], a.shape) * 1.0
np.broadcast_to(a[0], a.shape) + a; np.maximum(a, a[0]); np.minimum(c, a); np.fmax(a, 1.0)
np.triu(a) + a; np.vectorize(lambda t: t * 2.0)(a); np.outer(a[0], a[1]) * 1.0
np.array(list(a)); np.array([row * 2.0 for row in a]); np.stack([row for row in a], axis=1)
np.indices((3, 4))[0]; np.tril(np.ones((3, 3)))
np.delete(a, [0], axis=1); np.delete(a, [0, 1], axis=1); np.insert(a, [0, 1], 1.0, axis=0)
np.array([[1.0, 2.0], [3.0, 4.0]]) @ c[:2]; np.concatenate([a, a], axis=None); np.round(a * 1j, 1)
np.tile(a, (1, 1)); np.nancumprod(a, axis=1); np.cumulative_sum(a, axis=0, include_initial=True)
np.stack([a, c, a], axis=0); np.insert(a, 1, a[0, 0], axis=0)
np.nan_to_num(a, nan=1.0); np.hstack([a, c]); np.vstack([c, a]); np.roll(a, (1, 1), axis=(0, 1))
np.moveaxis(a, 0, -1) * 1.0; np.swapaxes(a, 0, 1) + 0.0; np.sort(a[::2])
np.cumsum(a[:, ::2], axis=0); np.stack([a, a], axis=1); np.argwhere(a > 1)
np.linalg.inv(k).T * 1.0; np.diagonal(a) * 1.0; np.atleast_3d(a) * 1.0; np.squeeze(a[:1]) * 1.0
np.lib.stride_tricks.sliding_window_view(a, 2, axis=0) * 1.0
"""  # fmt: skip


OTHERS = {"c": "c = a.copy()", "k": "k = a[..., :3, :3] + 3.0 * np.eye(3)"}


def _uses(text: str, letter: str) -> bool:
    return re.search(rf"\b{letter}\b", text) is not None


def results() -> list[str]:
    texts = (text.strip() for text in RESULTS.replace("\n", ";").split(";"))
    return list(dict.fromkeys(filter(None, texts)))


def _function(name: str, made: str, result: str, rank: int, of: int) -> str:
    """A function that has ``result`` flattened in every order of its axes."""
    lines = [
        *made.split("; "), *(line for letter, line in OTHERS.items() if _uses(result, letter)),
        f"r = {result}",
        *(f"r.transpose({', '.join(map(str, p))}).ravel()" for p in permutations(range(of))),
    ]  # fmt: skip
    body = "".join(f"    {line}\n" for line in lines)
    return f"def {name}(x: B{rank}) -> float:\n{body}    return 0.0\n"


def _answer(sharing: ir.Sharing) -> bool | None:
    return {ir.Sharing.VIEW: True, ir.Sharing.COPY: False}.get(sharing)


def _made(made: str, result: str, x: np.ndarray) -> np.ndarray | None:
    """The matrix or cube that NumPy makes; None if it is neither."""
    others = (line for letter, line in OTHERS.items() if _uses(result, letter))
    space: dict[str, object] = {"np": np, "x": x}
    try:
        exec("\n".join((*made.split("; "), *others)), space)
        found = eval(result, space)
    except (ValueError, IndexError, np.linalg.LinAlgError):  # not for this rank
        return None
    return found if isinstance(found, np.ndarray) and found.ndim in (2, 3) else None


LAYOUTS = [*((2, name) for name in MATRICES), *((3, name) for name in CUBES)]


@pytest.mark.parametrize(("rank", "name"), LAYOUTS)
def test_results_are_laid_out_as_numpy_does(
    rank: int, name: str, pytestconfig: pytest.Config
) -> None:
    """A quarter of the results for each layout; all with --whole-grid."""
    made, x = (MATRICES[name], X) if rank == 2 else (CUBES[name], X3)
    some = results()
    if not pytestconfig.getoption("--whole-grid"):
        some = some[LAYOUTS.index((rank, name)) % 4 :: 4]
    found = [(result, _made(made, result, x)) for result in some]
    arrays = {f"f{k}": (text, one) for k, (text, one) in enumerate(found) if one is not None}
    texts = [_function(f, made, text, rank, one.ndim) for f, (text, one) in arrays.items()]
    program, _ = read("".join(texts), HEADER + SIZES)
    answers: Counter[bool | None] = Counter()
    for f, (text, array) in arrays.items():
        func = program.funcs.get(f"m:{f}")
        if func is None:  # refused
            continue
        orders = list(permutations(range(array.ndim)))
        asked = [s.sharing for s in ir.walk(func.body) if isinstance(s, ir.Reshape)]
        for order, sharing in zip(orders, asked[-len(orders) :], strict=True):
            is_view, answer = array.transpose(order).flags.c_contiguous, _answer(sharing)
            assert answer in (None, is_view), (text, order)
            answers[answer] += 1
    assert answers[True] > 15
    assert answers[None] < sum(answers.values()) / 2
