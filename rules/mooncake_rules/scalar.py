"""The table of scalar ops, and the Python names that stand for them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from mooncake_rules.bessel import BESSEL_FUNCTIONS
from mooncake_rules.boxcox import BOX_COX
from mooncake_rules.elementary import ELEMENTARY
from mooncake_rules.gamma import GAMMA_AND_BETA
from mooncake_rules.hypergeometric import HYPERGEOMETRIC
from mooncake_rules.integrals import INTEGRALS
from mooncake_rules.op import Interval, Partials, Prec, Result, ScalarOp, Special
from mooncake_rules.operators import OPERATORS
from mooncake_rules.parts import PARTS
from mooncake_rules.piecewise import PIECEWISE
from mooncake_rules.special import SPECIAL
from mooncake_rules.units import UNITS_AND_CONSTANTS

__all__ = [
    "CONSTANTS", "GROUPS", "OPS", "SCIPY", "Interval", "Partials", "Prec", "Result", "ScalarOp",
    "Special", "resolve", "table",
]  # fmt: skip


def table(groups: Iterable[Iterable[ScalarOp]]) -> dict[str, ScalarOp]:
    """All ops by name; two rules for one op are an error."""
    table: dict[str, ScalarOp] = {}
    for op in (op for group in groups for op in group):
        if op.name in table:
            raise ValueError(f"two rules for the scalar op {op.name!r}")
        table[op.name] = op
    return table


# The ops by the module of this package that states them.
GROUPS: Mapping[str, tuple[ScalarOp, ...]] = {
    "operators": tuple(OPERATORS), "elementary": tuple(ELEMENTARY), "parts": tuple(PARTS),
    "piecewise": tuple(PIECEWISE), "special": tuple(SPECIAL), "gamma": tuple(GAMMA_AND_BETA),
    "bessel": tuple(BESSEL_FUNCTIONS), "boxcox": tuple(BOX_COX), "integrals": tuple(INTEGRALS),
    "hypergeometric": tuple(HYPERGEOMETRIC),
}  # fmt: skip

OPS: Mapping[str, ScalarOp] = table(GROUPS.values())

# Functions of scipy.special that are a kernel of the same name, or NumPy's function.
_KERNELS = (
    "digamma polygamma rgamma gammasgn loggamma multigammaln beta betaln gammainc gammaincc betainc"
    " betaincc erfcx erfinv erfcinv ndtr ndtri log_ndtr expit logit log_expit softplus exprel exp10"
    " xlogy xlog1py entr rel_entr kl_div huber pseudo_huber spence j0 j1 jn y0 y1 yn"
    " i0 i1 iv i0e i1e ive k0 k1 kn k0e k1e kve boxcox boxcox1p inv_boxcox inv_boxcox1p"
    " dawsn exp1 expi expn"
    " ellipk ellipkm1 ellipe"
    " hyp0f1 hyp1f1 hyp2f1"
    " owens_t"
    " poch"
    " voigt_profile"
)
_OF_NUMPY = "cbrt exp2 expm1 log1p sinc"

SCIPY: Mapping[str, str] = {
    **{f"scipy.special.{name}": f"rt.{name}" for name in _KERNELS.split()},
    **{f"scipy.special.{name}": f"np.{name}" for name in _OF_NUMPY.split()},
    "scipy.special.psi": "rt.digamma", "scipy.special.zeta": "rt.hurwitz",
    "scipy.special.jv": "rt.jn", "scipy.special.yv": "rt.yn", "scipy.special.kv": "rt.kn",
    "scipy.special.round": "np.rint",
}  # fmt: skip

# Names that are operators in disguise, or second names of a function.
_SYNONYMS: Mapping[str, str] = {
    "builtins.abs": "abs", "builtins.pow": "pow", "builtins.round": "round",
    "numpy.add": "add", "numpy.subtract": "sub", "numpy.multiply": "mul",
    "numpy.divide": "div", "numpy.true_divide": "div", "numpy.floor_divide": "floordiv",
    "numpy.negative": "neg", "numpy.positive": "pos",
    "numpy.mod": "mod", "numpy.remainder": "mod",
    "numpy.equal": "eq", "numpy.not_equal": "ne", "numpy.less": "lt", "numpy.less_equal": "le",
    "numpy.greater": "gt", "numpy.greater_equal": "ge",
    "numpy.bitwise_and": "bitand", "numpy.bitwise_or": "bitor", "numpy.bitwise_xor": "bitxor",
    "numpy.invert": "invert", "numpy.bitwise_not": "invert", "numpy.bitwise_invert": "invert",
    "numpy.left_shift": "lshift", "numpy.bitwise_left_shift": "lshift",
    "numpy.right_shift": "rshift", "numpy.bitwise_right_shift": "rshift",
    "numpy.where": "where",
    "numpy.absolute": "np.abs", "numpy.degrees": "np.rad2deg", "numpy.radians": "np.deg2rad",
    "numpy.fix": "np.trunc", "numpy.around": "np.round",
    "numpy.asin": "np.arcsin", "numpy.acos": "np.arccos", "numpy.atan": "np.arctan",
    "numpy.asinh": "np.arcsinh", "numpy.acosh": "np.arccosh", "numpy.atanh": "np.arctanh",
    "numpy.atan2": "np.arctan2", "numpy.pow": "np.power", "numpy.conjugate": "np.conj",
    "numpy.i0": "rt.i0",
}  # fmt: skip

_PREFIXES: Mapping[str, str] = {
    "numpy.": "np.", "math.": "math.", "scipy.special.": "sp.",
}  # fmt: skip

# Functions of the runtime that ops are printed as, in generated modules.
_PRINTED: Mapping[str, str] = {
    f"mooncake_runtime.scalar_kernels.{op.template[3:].partition('(')[0]}": op.name
    for op in OPS.values()
    if op.template.startswith("rt.")
}

CONSTANTS: Mapping[str, float] = {
    f"{module}.{name}": value
    for name, value in (
        ("pi", math.pi), ("e", math.e), ("inf", math.inf), ("nan", math.nan),
    )
    for module in ("math", "numpy", "cmath")
} | {
    "math.tau": math.tau, "cmath.tau": math.tau, "numpy.euler_gamma": 0.5772156649015329,
    **{f"scipy.constants.{name}": value for name, value in UNITS_AND_CONSTANTS.items()},
}  # fmt: skip


# Functions whose second argument may be left out are two ops.
_OVERLOADS: Mapping[tuple[str, int], str] = {
    ("math.log", 2): "math.log_base",
    ("math.hypot", 1): "math.fabs",
    ("math.hypot", 3): "math.hypot3",
    ("builtins.round", 2): "round_to",
    ("numpy.round", 2): "np.round_to",
    ("numpy.around", 2): "np.round_to",
}


def resolve(qualname: str, nargs: int | None = None) -> str | None:
    """The op that a fully qualified Python name stands for when it is called with ``nargs``."""
    if nargs is not None and (qualname, nargs) in _OVERLOADS:
        return _OVERLOADS[qualname, nargs]
    synonym = _SYNONYMS.get(qualname) or SCIPY.get(qualname) or _PRINTED.get(qualname)
    if synonym is not None:
        return synonym
    for long, short in _PREFIXES.items():
        if qualname.startswith(long):
            name = short + qualname.removeprefix(long)
            return name if name in OPS else None
    return None
