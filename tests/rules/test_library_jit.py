"""A sample of library functions, compiled: value and gradient are those of plain Python.

Half of it; all with ``--whole-grid``.
"""

from __future__ import annotations

import ast

import numpy as np
import pytest

from tests.helpers.transpile import transpiled
from tests.rules.library_programs import HEADER, annotation, inputs

SAMPLE = (
    "np.sum(x, axis=0)", "np.var(x, axis=1, ddof=1)", "np.max(x, axis=0)", "np.cumsum(v)",
    "np.median(x, axis=1)", "np.sort(x, axis=0)", "x[idx]", "x[mask]", "np.concatenate((x, y), 1)",
    "np.pad(v, 2, mode='reflect')", "np.roll(x, 1, axis=0)", "np.einsum('bij,kj->bki', t, x)",
    "np.kron(x, m)", "np.linalg.solve(m, x)", "np.linalg.cholesky(p)", "np.linalg.inv(m)",
    "np.linalg.eigh(p)[0]", "np.linalg.qr(x.T)[1]", "scipy.linalg.expm(m)", "np.linalg.det(m)",
    "np.abs(np.fft.fft(v))", "scipy.special.logsumexp(x, axis=1)", "np.interp(v, np.sort(u), u)",
    "np.matvec(t, v)", "np.polyval(v, x)", "np.polymul(v, w)", "scipy.linalg.sqrtm(p)",
    "scipy.linalg.lu(x, permute_l=True)[1]", "scipy.linalg.solve_sylvester(m, p, m)",
    "scipy.linalg.toeplitz(v, w)", "np.kaiser(4, v[0])", "np.isin(x, y[0]) * x",
    "np.linalg.cond(m, 1)",
    "np.apply_along_axis(lambda r: r / np.sum(r), 0, pos)", "np.polyfit(v, u, 2)",
    "np.outer(v, w).reshape(-1)", "x.T @ y", "np.where(x > 0, np.exp(x), 1.0 / pos)",
    "np.linalg.solve(np.stack((m, p)), t)", "np.linalg.eigvalsh(np.stack((p, m)), 'U')",
    "np.abs(np.linalg.solve(m + 1j * p, z))", "np.abs(np.linalg.cholesky(z @ z.conj().T + p))",
    "np.abs(np.linalg.det(np.stack((m, 1j * p))))", "np.abs(np.linalg.qr(z)[1])",
    "np.linalg.norm(t, 2, axis=(1, 2))", "np.abs(np.linalg.eigh(m + 1j * p)[1] + 1j)",
    "np.interp(x, pos[0], v, period=1.7)", "np.pad(x, 2, 'linear_ramp', end_values=a)",
    "scipy.linalg.solve(p, x, True, assume_a='pos')", "scipy.special.factorial(pos)",
    "np.linalg.svd(z, compute_uv=False)", "np.abs(scipy.linalg.expm(0.3 * m + 1j * p))",
)  # fmt: skip


@pytest.mark.parametrize("half", [0, 1])
def test_compiled(half: int, request: pytest.FixtureRequest) -> None:
    given = inputs()
    parts, found = [HEADER], []
    step = 2 if request.config.getoption("--whole-grid") else 4
    for k, expression in enumerate(SAMPLE[half::step]):
        names = [n for n in given if n in expression_names(expression)]
        params = ", ".join(f"{n}: {annotation(given[n])}" for n in names)
        body = f"np.sum(np.sin({expression}))"
        parts.append(f"def f{k}({params}) -> float:\n    return {body}\n")
        found.append((f"f{k}_value_and_grad", expression, [given[n] for n in names]))
    source = "\n\n".join(parts)
    _, compiled = transpiled(source, jit=True)
    _, plain = transpiled(source)
    for name, expression, args in found:
        value, gradient = getattr(compiled, name)(*args)
        expected, expected_gradient = getattr(plain, name)(*args)
        np.testing.assert_allclose(value, expected, rtol=1e-12, err_msg=expression)
        ours, theirs = (g if isinstance(g, tuple) else (g,) for g in (gradient, expected_gradient))
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-11, err_msg=expression)


def expression_names(expression: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(expression)) if isinstance(node, ast.Name)}
