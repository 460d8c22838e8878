"""NumPy's and SciPy's array functions, by the names that users call them by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mooncake_rules.arrays import Function, Table
from mooncake_rules.library import (
    applying,
    basic,
    calculus,
    choosing,
    combinations,
    complexes,
    conditioning,
    contraction,
    counting,
    covariance,
    cumulative,
    decompositions,
    diagonals,
    differences,
    distributions,
    eigenvalues,
    exponential,
    extrema,
    factors,
    flipping,
    fourier,
    frequencies,
    gathering,
    indexing,
    joining,
    kronecker,
    least_squares,
    linalg,
    making,
    matrix_equations,
    membership,
    missing,
    norms,
    orders,
    padding,
    pairs,
    polynomials,
    quantiles,
    real_fourier,
    reductions,
    repeating,
    scipy_factors,
    scipy_systems,
    searching,
    sets,
    shape,
    sorting,
    stable,
    statistics,
    structured,
    tensors,
    triangular_factors,
    trigonometric,
    ufuncs,
    vector_products,
    windows,
)


def merged(tables: Iterable[Table]) -> dict[str, Function]:
    """All functions by name; two of one name are an error."""
    found: dict[str, Function] = {}
    for function in (f for table in tables for f in table.functions):
        for name in function.names:
            if name in found:
                raise ValueError(f"two functions of the name {name!r}")
            found[name] = function
    return found


_ALL = merged(
    (
        applying.TABLE,
        basic.TABLE,
        calculus.TABLE,
        choosing.TABLE,
        combinations.TABLE,
        complexes.TABLE,
        conditioning.TABLE,
        contraction.TABLE,
        counting.TABLE,
        covariance.TABLE,
        cumulative.TABLE,
        decompositions.TABLE,
        diagonals.TABLE,
        differences.TABLE,
        distributions.TABLE,
        eigenvalues.TABLE,
        exponential.TABLE,
        extrema.TABLE,
        factors.TABLE,
        flipping.TABLE,
        fourier.TABLE,
        frequencies.TABLE,
        gathering.TABLE,
        indexing.TABLE,
        joining.TABLE,
        kronecker.TABLE,
        least_squares.TABLE,
        linalg.TABLE,
        making.TABLE,
        matrix_equations.TABLE,
        membership.TABLE,
        missing.TABLE,
        norms.TABLE,
        orders.TABLE,
        padding.TABLE,
        pairs.TABLE,
        polynomials.TABLE,
        quantiles.TABLE,
        real_fourier.TABLE,
        reductions.TABLE,
        repeating.TABLE,
        scipy_factors.TABLE,
        scipy_systems.TABLE,
        searching.TABLE,
        sets.TABLE,
        shape.TABLE,
        sorting.TABLE,
        stable.TABLE,
        statistics.TABLE,
        structured.TABLE,
        tensors.TABLE,
        triangular_factors.TABLE,
        trigonometric.TABLE,
        ufuncs.TABLE,
        vector_products.TABLE,
        windows.TABLE,
    )
)

METHOD = "ndarray."
ALL = tuple(dict.fromkeys(_ALL.values()))
FUNCTIONS: Mapping[str, Function] = {k: v for k, v in _ALL.items() if not k.startswith(METHOD)}
METHODS: Mapping[str, Function] = {
    k.removeprefix(METHOD): v for k, v in _ALL.items() if k.startswith(METHOD)
}
