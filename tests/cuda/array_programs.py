"""Programs that call CuPy: products, factors, gathers, orders, shapes. As in `programs.py`."""

from __future__ import annotations

from tests.cuda.drawing import (
    Drawn,
    arrays,
    definite,
    floats_and,
    numbers_behind,
    two_indices,
    with_numbers,
)

SOURCE = """
def mlp(
    w1: Float64[xp.ndarray, "a b"], b1: Float64[xp.ndarray, "b"], w2: Float64[xp.ndarray, "b c"],
    b2: Float64[xp.ndarray, "c"], w3: Float64[xp.ndarray, "c d"], b3: Float64[xp.ndarray, "d"],
    x: Float64[xp.ndarray, "n a"], y: Float64[xp.ndarray, "n d"],
) -> Number:
    h = xp.tanh(x @ w1 + b1)
    h = xp.tanh(h @ w2 + b2)
    p = h @ w3 + b3
    return xp.mean((p - y) ** 2)

def matvec(a: Float64[xp.ndarray, "n m"], x: Float64[xp.ndarray, "m"]) -> Float64[xp.ndarray, "n"]:
    return a @ x

def inner(a: Float64[xp.ndarray, "n"], b: Float64[xp.ndarray, "n"]) -> Number:
    return xp.dot(a, b) * xp.vdot(a, a)

def batched(
    a: Float64[xp.ndarray, "k n m"], b: Float64[xp.ndarray, "k m p"]
) -> Float64[xp.ndarray, "k n p"]:
    return a @ b

def contracted(
    a: Float64[xp.ndarray, "k n m"], b: Float64[xp.ndarray, "k m p"]
) -> Float64[xp.ndarray, "n p"]:
    return xp.einsum("knm,kmp->np", a, b)

def solved(a: Float64[xp.ndarray, "n n"], b: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.linalg.solve(a, b) ** 2)

def gaussian_process(
    x: Float64[xp.ndarray, "n d"], y: Float64[xp.ndarray, "n"], length: float, noise: float
) -> Number:
    d = x[:, None, :] - x[None, :, :]
    k = xp.exp(-0.5 * xp.sum(d * d, axis=2) / length**2) + noise * xp.eye(x.shape[0])
    root = xp.linalg.cholesky(k)
    a = sla.solve_triangular(root, y, lower=True)
    return 0.5 * xp.sum(a * a) + xp.sum(xp.log(xp.diag(root)))

def joined(
    x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "m"]
) -> Float64[xp.ndarray, "k"]:
    return xp.concatenate((x, xp.sin(y)))

def padded(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.sum(xp.pad(x, 1) ** 2 + 1)

def labelled(x: Float64[xp.ndarray, "n m"], y: Int64[xp.ndarray, "n"]) -> Number:
    z = x - xp.max(x, axis=1, keepdims=True)
    lse = xp.log(xp.sum(xp.exp(z), axis=1))
    return xp.mean(lse - z[xp.arange(x.shape[0]), y])

def log_sum(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.sum(special.logsumexp(x, axis=1) ** 2)

def bounded(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.clip(x, -0.5, 0.5) ** 2)

def gamma_like(x: Float64[xp.ndarray, "n"]) -> Number:
    t = x * x + 0.1
    return xp.sum(special.gammaln(t) + special.digamma(t) * x)

def entropies(x: Float64[xp.ndarray, "n"]) -> Number:
    p = special.expit(x)
    return xp.sum(special.xlogy(p, p) + special.entr(p) * x + special.rel_entr(p, 0.5) * p)

def errors(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(special.erf(x) * special.ndtr(x) + special.log_expit(x) + xp.sinc(x))

def losses(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(special.huber(0.5, x) + special.pseudo_huber(1.0, x) + xp.logaddexp(x, 0.5)
                  + xp.logaddexp2(x, x * x))

def polygammas(x: Float64[xp.ndarray, "n"]) -> Float64[xp.ndarray, "n"]:
    return special.polygamma(1, x * x + 0.5)

def quantiles(x: Float64[xp.ndarray, "n"]) -> Number:
    p = special.expit(x)
    y = special.erfinv(2 * p - 1) * special.ndtri(p) + special.erfcinv(p)
    return xp.sum(y + special.kl_div(p, 0.3))

def percentiles(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.sum(xp.percentile(x, 30.0, axis=0) ** 2)

def mirrored(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.pad(x, (1, 2), mode="reflect") ** 3)

def bordered(x: Float64[xp.ndarray, "n m"]) -> Number:
    a = xp.pad(x, 1, mode="edge")
    b = xp.pad(x, ((1, 2), (0, 1)), mode="reflect")
    return xp.sum(a**2) + xp.sum(b**3)

def tails(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(special.erfcx(x) + special.log_ndtr(4 * x) * x)

def waves(x: Float64[xp.ndarray, "n"]) -> Number:
    t = x * x + 0.5
    y = special.j0(x) * special.j1(3 * x) + special.jn(3, x) + special.y0(t) + special.y1(t)
    return xp.sum(y + special.yn(2, t) + special.i0(x) + special.i1(9 * x) + special.iv(2, x))

def modified_waves(x: Float64[xp.ndarray, "n"]) -> Number:
    t = x * x + 0.1
    y = special.k0(t) * special.k1(5 * t) + special.i0e(9 * x) * special.i1e(x)
    y = y + special.k0e(t) + special.k1e(9 * t) + special.kn(3, t) * t
    return xp.sum(y + special.ive(3, 20 * x) + special.ive(40, 300 * x))

def inverse(a: Float64[xp.ndarray, "n n"]) -> Number:
    return xp.sum(xp.sin(xp.linalg.inv(a)))

def factor(a: Float64[xp.ndarray, "n n"]) -> Float64[xp.ndarray, "n n"]:
    return xp.linalg.cholesky(a @ a.T + xp.eye(a.shape[0]))

def log_determinant(a: Float64[xp.ndarray, "n n"]) -> Number:
    return xp.linalg.slogdet(a)[1]

def triangular(a: Float64[xp.ndarray, "n n"], b: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(sla.solve_triangular(a, b, lower=True) ** 2)

def strong_zeros(x: Float64[xp.ndarray, "n"], a: float) -> Number:
    y = xp.sqrt(x * 0.0) * x + xp.where(x > 0, xp.log(xp.abs(x)), xp.sqrt(x * x * a))
    return xp.sum(y + xp.arccos(x * 0.0 + 1.0) * a + x / (x * 0.0 + 1e-300) * 0.0)

def traced(a: Float64[xp.ndarray, "n n"]) -> Number:
    return xp.trace(a @ a)

def gathered(x: Float64[xp.ndarray, "n"], i: Int64[xp.ndarray, "k"]) -> Number:
    return xp.sum(xp.sin(x[i]) * x[i])

def rows_taken(
    x: Float64[xp.ndarray, "n m"], i: Int64[xp.ndarray, "k"]
) -> Float64[xp.ndarray, "k m"]:
    return xp.take(x, i, axis=0)

def scattered(x: Float64[xp.ndarray, "k"], i: Int64[xp.ndarray, "k"]) -> Number:
    out = xp.zeros(5)
    xp.add.at(out, i, x)
    return xp.sum(out * out)

def scatter_added(x: Float64[xp.ndarray, "k"], i: Int64[xp.ndarray, "k"]) -> Number:
    out = xp.ones(5)
    scatter_add(out, i, xp.sin(x))
    return xp.sum(out * out)

def in_order(x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(xp.sort(x) * w)

def stacked(
    x: Float64[xp.ndarray, "n"], y: Float64[xp.ndarray, "n"]
) -> Float64[xp.ndarray, "2 n"]:
    return xp.stack((x, xp.sin(y)))

def flattened(x: Float64[xp.ndarray, "n m"]) -> Float64[xp.ndarray, "k"]:
    return xp.sin(x.reshape(-1))

def flipped(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.sum(x[::-1] * x * x)

def with_axes(x: Float64[xp.ndarray, "n m"]) -> Float64[xp.ndarray, "m n"]:
    return xp.transpose(x) * 2

def outer_product(
    a: Float64[xp.ndarray, "n"], b: Float64[xp.ndarray, "m"]
) -> Float64[xp.ndarray, "n m"]:
    return xp.outer(a, b) + xp.outer(a, b)

def norm(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.linalg.norm(x)

def spread(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.sum(xp.std(x, axis=0)) + xp.var(x)

def masked(x: Float64[xp.ndarray, "n"]) -> Number:
    y = x * x
    y[x < 0] = 0.0
    return xp.sum(y)

def selected(x: Float64[xp.ndarray, "n"], w: Float64[xp.ndarray, "n"]) -> Number:
    y = x * w
    z = y[w > 0.3]
    return xp.sum(xp.sin(z) * z)

def selected_of_all(x: Float64[xp.ndarray, "n m"], mask: Bool[xp.ndarray, "n m"]) -> Number:
    return xp.sum(xp.sin(x[x > 0]) ** 2) + xp.sum(x[mask])

def mask_assigned(
    x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "n m"], w: Float64[xp.ndarray, "n"]
) -> Number:
    z = x * 2
    z[y > 0] = y[y > 0]
    z[w > 0] += x[w > 0] * 3
    return xp.sum(z**2)

def masked_mean(x: Float64[xp.ndarray, "n"]) -> Number:
    m = x > 0
    return xp.sum(x * m) / (xp.sum(m) + 1)

def rows_selected(x: Float64[xp.ndarray, "n m"], w: Float64[xp.ndarray, "n"]) -> Number:
    (places,) = xp.nonzero(w)
    return xp.sum(xp.exp(x[places])) + xp.sum(xp.cos(x[w > 0.0]))

def mask_changed(x: Float64[xp.ndarray, "n"], a: float) -> Number:
    y = x * x
    y[x > 0] += a
    y[y < 0.5] *= xp.sum(x) / 300
    y[x < -1] -= 3
    return xp.sum(xp.sin(y))

def one_of(x: Float64[xp.ndarray, "n"]) -> Number:
    return x[0] * xp.sum(x) + x[-1]

def bodies(p: Float64[xp.ndarray, "n 3"], m: Float64[xp.ndarray, "n"]) -> Number:
    d = p[:, None, :] - p[None, :, :]
    r2 = xp.sum(d * d, axis=2) + 1e-1
    return -0.5 * xp.sum(m[:, None] * m[None, :] / xp.sqrt(r2))

def cross_entropy(x: Float64[xp.ndarray, "n m"], y: Float64[xp.ndarray, "n m"]) -> Number:
    z = x - xp.max(x, axis=1, keepdims=True)
    lse = xp.log(xp.sum(xp.exp(z), axis=1, keepdims=True))
    return -xp.sum(y * (z - lse)) / x.shape[0]

def density(x: Float64[xp.ndarray, "n"], mu: Number, sd: Number) -> Number:
    z = (x - mu) / sd
    return xp.sum(-0.5 * z**2 - xp.log(sd) - 0.5 * xp.log(2 * xp.pi))

def row_products(x: Float64[xp.ndarray, "n m"]) -> Float64[xp.ndarray, "n"]:
    return xp.prod(x, axis=1)

def heads(x: Float64[xp.ndarray, "t d"], count: int) -> Number:
    t, d = x.shape
    q = x.reshape(t, count, d // count).transpose(1, 0, 2)
    return xp.sum((q @ q.transpose(0, 2, 1)) ** 2)

def projected(x: Float64[xp.ndarray, "b t d"], w: Float64[xp.ndarray, "d d"], k: int) -> Number:
    b, t, d = x.shape
    q = (x @ w).reshape(b, t, k, d // k).transpose(0, 2, 1, 3)
    return xp.sum(q**3)

def largest(x: Float64[xp.ndarray, "n"]) -> Number:
    return xp.max(xp.abs(x)) * xp.sum(xp.exp(x - xp.max(x)))

def smallest(x: Float64[xp.ndarray, "n m"]) -> Number:
    return xp.min(x) ** 2 + xp.sum(x)

def pairs_taken(
    x: Float64[xp.ndarray, "n m"], i: Int64[xp.ndarray, "k"], j: Int64[xp.ndarray, "k"]
) -> Number:
    return xp.sum(x[i, j] * x[i, j] + x[0, 0])

def columns_taken(
    x: Float64[xp.ndarray, "n m"], i: Int64[xp.ndarray, "k"]
) -> Float64[xp.ndarray, "n k"]:
    return xp.sin(x[:, i]) * x[:, i]

def spectrum(a: Float64[xp.ndarray, "n n"]) -> Number:
    return xp.sum(xp.sin(xp.linalg.eigvalsh(a @ a.T)))
"""

MATRICES = arrays((4, 4), (4,))

INPUTS: dict[str, Drawn] = {
    "mlp": arrays((3, 5), (5,), (5, 4), (4,), (4, 2), (2,), (7, 3), (7, 2)),
    "matvec": arrays((40, 7), (7,)), "inner": arrays((300,), (300,)),
    "batched": arrays((3, 4, 5), (3, 5, 2)), "contracted": arrays((3, 4, 5), (3, 5, 2)),
    "solved": definite(MATRICES), "inverse": definite(arrays((4, 4))),
    "factor": arrays((12, 12)), "log_determinant": definite(arrays((5, 5))),
    "triangular": definite(MATRICES), "traced": arrays((5, 5)),
    "gathered": floats_and((2, 0, 0, 3, -1), (5,)),
    "rows_taken": floats_and((2, 0, 0, 3), (5, 3)),
    "scattered": floats_and((2, 0, 0, 3), (4,)),
    "scatter_added": floats_and((2, 0, 0, -1), (4,)), "in_order": arrays((50,), (50,)),
    "stacked": arrays((300,), (300,)), "flattened": arrays((30, 3)), "flipped": arrays((300,)),
    "with_axes": arrays((7, 3)), "outer_product": arrays((7,), (300,)), "norm": arrays((300,)),
    "spread": arrays((30, 3)), "masked": arrays((300,)), "one_of": arrays((300,)),
    "selected_of_all": lambda draw: (draw.normal(size=(6, 5)), draw.random((6, 5)) > 0.5),
    "mask_assigned": arrays((9, 3), (9, 3), (9,)), "masked_mean": arrays((300,)),
    "projected": with_numbers(arrays((2, 3, 4), (4, 4)), 2),
    "selected": arrays((300,), (300,)), "rows_selected": arrays((9, 3), (9,)),
    "mask_changed": with_numbers(arrays((300,)), 0.3),
    "bodies": arrays((6, 3), (6,)), "cross_entropy": arrays((40, 7), (40, 7)),
    "spectrum": arrays((4, 4)), "density": numbers_behind(arrays((300,)), 0.3, 1.7),
    "largest": arrays((300,)), "smallest": arrays((30, 3)),
    "pairs_taken": two_indices((2, 0, 0, 3, 2), (1, 2, 2, 0, -2), (5, 3)),
    "columns_taken": floats_and((2, 0, 0, -3), (5, 3)),
    "row_products": arrays((40, 7)), "heads": with_numbers(arrays((5, 6)), 2),
    "gaussian_process": with_numbers(arrays((7, 2), (7,)), 1.2, 0.3),
    "joined": arrays((300,), (200,)), "padded": arrays((9, 7)),
    "labelled": floats_and((2, 0, 0, 3), (4, 5)), "log_sum": arrays((40, 7)),
    "strong_zeros": with_numbers(arrays((300,)), 0.0), "bounded": arrays((300,)),
    "gamma_like": arrays((300,)), "entropies": arrays((300,)),
    "errors": arrays((300,)), "losses": arrays((300,)), "polygammas": arrays((300,)),
    "quantiles": arrays((300,)), "tails": arrays((300,)), "waves": arrays((300,)),
    "modified_waves": arrays((300,)), "percentiles": arrays((30, 3)),
    "mirrored": arrays((300,)), "bordered": arrays((9, 7)),
}  # fmt: skip

# LU factors of CuPy look at a status; the number of elements that a mask selects is needed.
WAITING = (
    "solved", "log_determinant", "selected", "rows_selected", "selected_of_all", "mask_assigned",
)  # fmt: skip
SHAPED = (
    "gathered", "rows_taken", "scattered", "scatter_added", "bodies", "filtered", "one_of",
    "spectrum", "batched", "contracted", "labelled", "heads", "largest", "smallest",
    "pairs_taken", "columns_taken", "pair_energy", "pair_forces", "picked", "projected",
    "added_at", "wave", "repeated", "gated", "pulled", "memory_cells",
)  # fmt: skip
