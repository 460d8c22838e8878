"""Ranks that arguments of library functions have."""

from __future__ import annotations

_LINALG = ("cholesky", "det", "eigh", "eigvalsh", "inv", "lstsq", "pinv", "qr", "solve", "svd")

# The first argument is a matrix, or several.
MATRICES = frozenset(
    {f"{module}.linalg.{name}" for module in ("numpy", "scipy") for name in _LINALG}
    | {"numpy.linalg.slogdet", "numpy.linalg.matrix_power", "numpy.trace", "scipy.linalg.expm",
       "scipy.linalg.solve_triangular", "scipy.linalg.cho_solve", "scipy.linalg.lu_factor"}
)  # fmt: skip

# Arguments, by position and name, that have so many axes at least.
NAMED = {
    f"scipy.stats.multivariate_normal.{name}": ((1, "mean", 1), (2, "cov", 2))
    for name in ("pdf", "logpdf")
} | {
    "scipy.linalg.solve_sylvester": ((0, "a", 2), (1, "b", 2), (2, "q", 2)),
    "scipy.linalg.solve_lyapunov": ((0, "a", 2), (1, "q", 2)),
    "scipy.linalg.solve_continuous_lyapunov": ((0, "a", 2), (1, "q", 2)),
    "scipy.linalg.solve_discrete_lyapunov": ((0, "a", 2), (1, "q", 2)),
    "scipy.signal.lfilter": ((0, "b", 1), (1, "a", 1), (2, "x", 1)),
}

# Arguments, by position, that have an axis at least.
VECTORS = {
    "numpy.interp": (1, 2), "numpy.convolve": (0, 1), "numpy.diff": (0,), "numpy.polyval": (0,),
    "numpy.trapezoid": (0,), "numpy.trapz": (0,), "numpy.gradient": (0,),
    "numpy.cross": (0, 1), "numpy.searchsorted": (0,), "numpy.correlate": (0, 1),
}  # fmt: skip

# What joins arrays that have an axis at least.
JOINING = frozenset({"numpy.concatenate"})

# Built-in functions that run over their argument.
BUILTIN_READERS = frozenset(
    f"builtins.{name}" for name in ("len", "sum", "max", "min", "sorted", "list", "tuple", "any")
)

# Functions and methods with an axis behind the array.
REDUCING = frozenset({
    "sum", "mean", "max", "min", "prod", "std", "var", "amax", "amin", "cumsum", "cumprod",
    "argmax", "argmin", "median", "any", "all", "ptp", "sort", "argsort", "average",
})  # fmt: skip

# Functions with an ``axis`` that is none of the array that they are given first.
NEW_AXIS = frozenset({"numpy.expand_dims", "numpy.stack"})

# What gives an array of the rank of its first argument.
LIKE = frozenset({
    "numpy.asarray", "numpy.array", "numpy.ascontiguousarray", "numpy.copy", "numpy.zeros_like",
    "numpy.empty_like", "numpy.ones_like",
})  # fmt: skip

# What gives an array of the rank of its first argument, of others than its items.
ELEMENTWISE = frozenset(
    f"numpy.{name}"
    for name in (
        "abs", "absolute", "arctan", "clip", "cos", "cosh", "exp", "expm1", "fabs",
        "fmax", "fmin", "log", "log10", "log1p", "log2", "maximum", "minimum", "nan_to_num",
        "negative", "power", "sign", "sin", "sinh", "sqrt", "square", "tan", "tanh",
    )
)  # fmt: skip

# Arguments, by position, that are whole numbers.
INTEGRAL = {
    "builtins.range": (0, 1, 2), "numba.prange": (0, 1, 2), "numpy.bincount": (0,),
    "numpy.take_along_axis": (1,), "numpy.take": (1,),
}  # fmt: skip
