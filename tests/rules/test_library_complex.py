"""Library functions of arrays of complex numbers, alone and mixed with real ones."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from mooncake_rules.arrays import Function
from mooncake_runtime.testing import check_gradients

from tests.helpers.transpile import transpiled
from tests.rules.library_programs import inputs, programs

EXPRESSIONS = {
    "reductions": (
        "np.sum(z)", "np.sum(z, axis=0, keepdims=True) * z", "np.mean(z, axis=1)", "z.mean()",
        "np.sum(z, where=mask)", "np.prod(z, axis=0)", "np.std(z)",
        "np.nansum(z)", "np.average(z, weights=x, axis=0)", "np.count_nonzero(z) * z",
        "np.linalg.norm(z)", "np.linalg.norm(z, axis=1)", "np.linalg.norm(z, ord='fro')",
        "np.trapezoid(z, axis=1)", "np.cumsum(z)", "np.cumprod(z, axis=1)", "np.diff(z, axis=0)",
    ),
    "moved": (
        "z.T", "z[::-1, 1:]", "z.reshape(2, -1)", "z.ravel()", "np.roll(z, 1, axis=1)",
        "np.flip(z)", "np.swapaxes(z, 0, 1) * x.T", "z[:, None] + x[None]",
        "np.broadcast_to(z[0], (5, 4))", "np.moveaxis(t * z, 0, 2)", "np.tile(z, (2, 1))",
        "np.repeat(z, 2, axis=0)", "np.pad(z, 1)", "np.diagonal(z)", "np.diag(z[0])", "np.triu(z)",
    ),
    "joined": (
        "np.concatenate((z, x))", "np.stack((z, x * 2.0), axis=1)", "np.vstack((x, z))",
        "np.hstack((z, x))", "np.append(z, x)", "np.array([z[0, 0], 2.0, x[1, 1]])",
        "np.array([x[0], z[1]])", "np.array([[a, 1j * b], [2.0, z[0, 0]]])", "np.block([z, x])",
        "tuple(np.split(z, 2, axis=1))", "np.full((2, 2), z[0, 1])", "np.zeros_like(z) + x",
        "np.asarray(z) * np.ones(4)", "z.astype(np.complex128)", "x.astype(np.complex128) * 1j",
        "np.linspace(z[0, 0], a, 5)", "np.where(mask, z, x)", "np.where(z == 0.0, 1.0, z)",
    ),
    "picked": (
        "z[idx]", "z[mask]", "z[idx, 1] * 2.0", "z[np.abs(z) > 1.0]", "np.take(z, idx, axis=0)",
        "z[idx % 2][:, None] * x[0]", "np.compress(mask[0], z, axis=1)", "z[1, 2]", "z[-1]",
    ),
    "arithmetic": (
        "z * x + v", "x / z", "z - x[:, :1]", "z ** 2", "z ** 3", "z / 2", "2j * x", "-z",
        "z * a + b * 1j", "z @ np.conj(z).T", "1.0 / (1.0 + z * z)", "z * mask", "idx * 1j * a",
        "np.exp(1j * x)", "np.exp(z) * np.sin(z)", "np.log(z)", "np.sqrt(z)", "np.abs(z) ** 2",
        "np.power(z, 2)", "np.reciprocal(z)", "np.square(z).real", "np.angle(z * z)", "abs(z)",
        "np.sum(np.abs(z))", "np.tanh(z) * np.cosh(z)", "np.real(z) + 1j * np.imag(z)",
        "np.conj(z) * z", "(z.conj() * z).real", "np.add(z, x)", "np.multiply(x, z)",
    ),
    "products": (
        "np.dot(z[0], v)", "np.dot(x, z.T)", "np.vdot(z[1], v)", "z[0] @ z[1]", "m @ z",
        "np.tensordot(z, t, axes=([0, 1], [1, 2]))", "np.inner(z, x)", "np.outer(z[0], w)",
        "np.einsum('ij,kij->k', z, t)", "np.trace(z @ z.T)", "np.cross(z[:, :3], x[:, :3])",
        "np.convolve(z[0], v)", "np.interp(a, np.array([0.0, 1.0]), z[0, :2])",
    ),
}  # fmt: skip


def table(expressions: Sequence[str]) -> Function:
    return Function(("complex",), lambda: None, tuple(expressions))


@pytest.mark.parametrize("topic", EXPRESSIONS)
def test_expressions(topic: str) -> None:
    given = inputs()
    source, found = programs(table(EXPRESSIONS[topic]), given)
    assert len(found) == len(EXPRESSIONS[topic])
    module, generated = transpiled(source)
    for program in found:
        args = [given[name] for name in program.args]
        try:
            check_gradients(getattr(module, program.name), generated, args, layouts=True)
        except AssertionError as error:
            raise AssertionError(f"{program.expression}: {error}") from error
