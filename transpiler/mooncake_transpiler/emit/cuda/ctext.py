"""Scalar ops as CUDA C++: one template for each, with every operand cast to a stated dtype.

C++ promotes otherwise than NumPy does, and a literal without a suffix is a double, so nothing is
left to it: arithmetic is in the dtype of its result, a comparison in that of both operands.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from mooncake_rules.op import Prec
from mooncake_rules.op_names import bare

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda import complex_text
from mooncake_transpiler.emit.cuda.complex_text import is_over_complex
from mooncake_transpiler.emit.literals import Text
from mooncake_transpiler.types import Array, DType, Scalar, result_dtype

TYPES: Mapping[DType, str] = {
    DType.BOOL: "bool", DType.INT8: "signed char", DType.INT16: "short", DType.INT32: "int",
    DType.INT64: "long long", DType.UINT8: "unsigned char", DType.UINT16: "unsigned short",
    DType.UINT32: "unsigned int", DType.UINT64: "unsigned long long", DType.FLOAT32: "float",
    DType.FLOAT64: "double", DType.COMPLEX64: "complex<float>",
    DType.COMPLEX128: "complex<double>",
}  # fmt: skip

_ARITHMETIC = {
    "add": ("+", Prec.ADD), "radd": ("+", Prec.ADD), "sub": ("-", Prec.ADD),
    "mul": ("*", Prec.MUL), "strong": ("*", Prec.MUL),
}  # fmt: skip
_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_LOGIC = {
    "and": ("&&", Prec.AND), "or": ("||", Prec.OR),
    "np.logical_xor": ("!=", Prec.COMPARE),
    "np.logical_and": ("&&", Prec.AND), "np.logical_or": ("||", Prec.OR),
}  # fmt: skip

# Functions of floats, which C++ overloads for float and double.
_CALLS = {
    **{f"{library}.{name}": name for library in ("math", "np") for name in (
        "sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "exp2", "expm1", "log", "log2",
        "log10", "log1p", "sqrt", "cbrt", "hypot", "fabs", "copysign", "fmod",
    )},
    **{f"math.{name}": name for name in (
        "asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh", "erf", "erfc", "lgamma",
    )},
    "np.arcsin": "asin", "np.arccos": "acos", "np.arctan": "atan", "np.arctan2": "atan2",
    "np.arcsinh": "asinh", "np.arccosh": "acosh", "np.arctanh": "atanh", "sp.erf": "erf",
    "sp.erfc": "erfc", "sp.gammaln": "lgamma", "rt.loggamma": "lgamma", "math.gamma": "tgamma",
    "sp.gamma": "tgamma",
    "np.floor": "floor", "np.ceil": "ceil", "np.trunc": "trunc", "np.rint": "rint",
    "np.round": "rint", "math.pow": "pow", "np.float_power": "pow", "math.remainder": "remainder",
    "math.nextafter": "nextafter", "np.nextafter": "nextafter",
    "np.fmax": "fmax", "np.fmin": "fmin", "abs": "fabs", "np.abs": "fabs",
}  # fmt: skip

# The names that text of ours calls.
FUNCTIONS = frozenset((*_CALLS.values(), *complex_text.CALLS.values())) | {
    "abs", "arg", "pow", "isnan", "isinf", "isfinite", "signbit",
}  # fmt: skip

# Tests of floats, which give bools.
_TESTS = {f"{library}.{name}": name for library in ("math", "np") for name in (
    "isnan", "isinf", "isfinite", "signbit",
)}  # fmt: skip

# What C++ has no function for. Arguments are names or literals of the dtype of the result.
_COMPOSED = {
    "np.square": ("{0} * {0}", Prec.MUL),
    "np.reciprocal": ("1 / {0}", Prec.MUL),
    "np.maximum": ("{0} > {1} || isnan({0}) ? {0} : {1}", Prec.SELECT),
    "np.minimum": ("{0} < {1} || isnan({0}) ? {0} : {1}", Prec.SELECT),
    "np.sign": ("isnan({0}) ? {0} : ({0} > 0) - ({0} < 0)", Prec.SELECT),
    **dict.fromkeys(("math.degrees", "np.rad2deg"), ("{0} * ({dtype})57.29577951308232", Prec.MUL)),
    **dict.fromkeys(
        ("math.radians", "np.deg2rad"), ("{0} * ({dtype})0.017453292519943295", Prec.MUL)
    ),
    "rt.sech2": ("1 / (cosh({0}) * cosh({0}))", Prec.MUL),
    "rt.softplus": ("fmax({0}, ({dtype})0) + log1p(exp(-fabs({0})))", Prec.ADD),
    "rt.expit": ("{0} < 0 ? exp({0}) / (1 + exp({0})) : 1 / (1 + exp(-{0}))", Prec.SELECT),
}

SAME = ("detach", "pos", "ruled", "stop_gradient")  # the argument itself
CHOICES = ("select", "where")
WHOLE = ("math.floor", "math.ceil", "math.trunc")  # floats to integers

# Functions of the runtime, by ``special`` (`mooncake_runtime.device_special`).
SPECIAL = {
    **{f"rt.{name}": name for name in (
        "clip", "heaviside", "dsinc", "logit", "log_expit", "ndtr", "xlogy", "xlog1py", "entr",
        "log_ratio", "rel_entr", "huber", "pseudo_huber", "digamma", "trigamma", "hurwitz",
        "multigammaln", "multigamma_sum",
        "polygamma", "erfcx", "erfcx_integral", "ndtri", "erfinv", "erfcinv", "log_ndtr",
        "inverse_mills", "shifted_mills", "jn", "yn", "iv", "j0", "j1", "y0", "y1", "i0", "i1",
        "kl_div", "i0e", "i1e", "ive", "k0", "k1", "kn", "k0e", "k1e", "kve",
        # in double precision, as CuPy's own
        "beta", "beta_density", "betainc", "betaincc", "betaln", "boxcox", "boxcox1p",
        "cosh_integral", "cosine_integral", "dawsn", "dawsn_derivative", "digamma_increment",
        "ellipe", "ellipk", "ellipkm1", "exp1", "exp10", "exp_integral", "expi", "expn", "exprel",
        "exprel_derivative",
        "first_elliptic", "gamma_density", "gammainc", "gammainc_slope", "gammaincc", "gammasgn",
        "inv_boxcox", "inv_boxcox1p", "log_quotient", "poch", "poch_mixed", "poch_slope",
        "power_mean", "rgamma", "rgamma_curvature", "rgamma_slope",
        "second_elliptic", "sine_integral", "sine_quotient", "sinh_integral", "sinh_quotient",
        "spence",
    )},
    "np.clip": "clip", "np.heaviside": "heaviside", "np.sinc": "sinc",
    "np.logaddexp": "logaddexp", "np.logaddexp2": "logaddexp2",
    "mod": "floor_remainder", "np.mod": "floor_remainder",
    "floordiv": "floor_quotient", "np.floor_divide": "floor_quotient",
}  # fmt: skip

# The same for integers, rounded as Python rounds.
_OF_INTEGERS = {
    "np.maximum": ("{0} > {1} ? {0} : {1}", Prec.SELECT),
    "np.minimum": ("{0} < {1} ? {0} : {1}", Prec.SELECT),
    "abs": ("{0} < 0 ? -{0} : {0}", Prec.SELECT),
    "np.abs": ("{0} < 0 ? -{0} : {0}", Prec.SELECT),
    "np.sign": ("({0} > 0) - ({0} < 0)", Prec.ADD),
    "np.square": ("{0} * {0}", Prec.MUL),
    "mod": ("({0} % {1} + {1}) % {1}", Prec.MUL),
    "np.mod": ("({0} % {1} + {1}) % {1}", Prec.MUL),
    "floordiv": ("{0} / {1} - ({0} % {1} != 0 && ({0} < 0) != ({1} < 0))", Prec.ADD),
    "np.floor_divide": ("{0} / {1} - ({0} % {1} != 0 && ({0} < 0) != ({1} < 0))", Prec.ADD),
}

_POWERS = ("pow", "np.power")
_BITWISE = {"bitand": "&", "bitor": "|", "bitxor": "^"}  # of bools and integers
_SMALL = (DType.INT8, DType.INT16, DType.UINT8, DType.UINT16)

_ROUND = "np.round_to"  # so many digits that the text knows them

OPERATIONS = frozenset(
    (*SPECIAL, *_OF_INTEGERS, *_ARITHMETIC, *_COMPARISONS, *_LOGIC, *_CALLS, *_TESTS, *_COMPOSED,
     *SAME, *CHOICES, *WHOLE, *complex_text.NAMES, *_POWERS, "div", "neg", "not", "np.logical_not",
     "cast", "invert", _ROUND, *_BITWISE)
)  # fmt: skip


def is_supported(stmt: ir.Compute) -> bool:
    """True if kernels can compute ``stmt``."""
    dtypes = complex_text.dtypes(stmt)
    if is_over_complex(stmt):
        return complex_text.is_supported(stmt)
    if stmt.op not in OPERATIONS or not all(dtype in TYPES for dtype in dtypes):
        return False
    out = dtypes[-1]
    if stmt.op == _ROUND:
        return out.is_float and isinstance(stmt.args[1], ir.Const)
    if out.is_int and stmt.op in (*_OF_INTEGERS, *_POWERS):
        return True
    if stmt.op in _CALLS or stmt.op in _COMPOSED or stmt.op in SPECIAL or stmt.op in _POWERS:
        return out.is_float
    if stmt.op in (*_ARITHMETIC, "neg"):
        return out is not DType.BOOL
    if stmt.op in (*_BITWISE, "invert"):
        return not out.is_float
    return True


def is_named(stmt: ir.Compute) -> bool:
    """True if the text of ``stmt`` has arguments more than once: they are names there."""
    if is_over_complex(stmt) and complex_text.is_named(stmt):
        return True
    return stmt.op in _COMPOSED or stmt.op in _OF_INTEGERS or _is_square(stmt)


def special(stmt: ir.Stmt) -> str | None:
    """The function of the runtime that the text of ``stmt`` calls."""
    if not isinstance(stmt, ir.Compute):
        return None
    if is_over_complex(stmt):
        return complex_text.function(stmt)
    if stmt.op in _POWERS and operand_dtype(stmt).is_int and not _is_square(stmt):
        return "integer_power"
    is_own = stmt.op in _OF_INTEGERS and operand_dtype(stmt).is_int
    return None if is_own else SPECIAL.get(stmt.op)


def _is_square(stmt: ir.Compute) -> bool:
    match stmt:
        case ir.Compute(op="pow" | "np.power", args=(_, ir.Const(value=value))):
            return value == 2
        case _:
            return False


def literal(const: ir.Const, dtype: DType) -> Text:
    """``const`` as a literal of ``dtype``."""
    value = const.value
    if dtype.is_complex:
        whole = complex(value)
        parts = (ir.Const(part, Scalar(dtype.real)) for part in (whole.real, whole.imag))
        return Text(f"{TYPES[dtype]}({', '.join(literal(p, dtype.real).text for p in parts)})")
    assert not isinstance(value, complex)
    if dtype is DType.BOOL:
        return Text("true" if value else "false")
    if not dtype.is_float:
        text = str(int(value)) + ("LL" if abs(int(value)) >= 2**31 else "")
        return Text(text, Prec.UNARY if value < 0 else Prec.CALL)
    if not math.isfinite(value):
        top = "0.0" if math.isnan(value) else "-1.0" if value < 0 else "1.0"
        return Text(f"({TYPES[dtype]})({top} / 0.0)", Prec.UNARY)
    text = repr(float(value)) + ("f" if dtype is DType.FLOAT32 else "")
    return Text(text, Prec.UNARY if text.startswith("-") else Prec.CALL)


def cast(text: Text, dtype: DType) -> Text:
    """``text``, which is no complex number or becomes one, converted to ``dtype``."""
    return Text(f"({TYPES[dtype]}){text.at(Prec.UNARY)}", Prec.UNARY)


def operand_dtype(stmt: ir.Compute) -> DType:
    """The dtype that the operands of ``stmt`` are converted to."""
    dtypes = [a.type.dtype for a in stmt.args if isinstance(a.type, Scalar | Array)]
    assert isinstance(stmt.out.type, Scalar)
    if is_over_complex(stmt) and stmt.op in complex_text.NAMES:
        return complex_text.operand_dtype(stmt)
    if stmt.op in _COMPARISONS:
        return result_dtype(dtypes[0], dtypes[1])
    if stmt.op in _LOGIC or stmt.op in ("not", "np.logical_not"):
        return DType.BOOL
    if stmt.op in _TESTS or stmt.op in WHOLE:
        return dtypes[0] if dtypes[0].is_float else DType.FLOAT64
    return stmt.out.type.dtype


def spelled(stmt: ir.Compute, args: list[Text]) -> Text:
    """The text of ``stmt`` for operands of the right dtypes.

    C++ computes with small integers as with int, so what comes out is converted back.
    """
    text = _spelled(stmt, args)
    small = stmt.op in (*_ARITHMETIC, *_OF_INTEGERS, *_BITWISE, *_POWERS, "neg", "invert")
    dtype = operand_dtype(stmt)
    return cast(text, dtype) if small and dtype in _SMALL else text


_UNARY = frozenset({"invert", "not", "np.logical_not", "neg"})


def _unary(stmt: ir.Compute, arg: Text) -> Text:
    match stmt.op:
        case "neg":
            inner = arg.at(Prec.UNARY)
            return Text(f"-({inner})" if inner.startswith("-") else f"-{inner}", Prec.UNARY)
        case "invert" if operand_dtype(stmt) is not DType.BOOL:
            return Text(f"~{arg.at(Prec.CALL)}", Prec.UNARY)
        case "invert":
            return Text(f"!{arg.at(Prec.CALL)}", Prec.UNARY)
        case _:
            return Text(f"!{arg.at(Prec.UNARY)}", Prec.UNARY)


def _spelled(stmt: ir.Compute, args: list[Text]) -> Text:
    op = stmt.op
    if op in complex_text.NAMES and is_over_complex(stmt):
        return complex_text.spelled(stmt, args, TYPES[operand_dtype(stmt)])
    if op in complex_text.OF_REALS:
        return complex_text.composed(complex_text.OF_REALS[op], args, TYPES[operand_dtype(stmt)])
    if op in _ARITHMETIC:
        return _binary(*_ARITHMETIC[op], args)
    if op == "div":
        return _binary("/", Prec.MUL, args)
    if op in _BITWISE:  # in parentheses: C++ has other precedences
        return Text(f"({args[0].at(Prec.CALL)} {_BITWISE[op]} {args[1].at(Prec.CALL)})")
    if op in _COMPARISONS:
        return Text(f"{args[0].at(Prec.BITOR)} {_COMPARISONS[op]} {args[1].at(Prec.BITOR)}",
                    Prec.COMPARE)  # fmt: skip
    if op in _LOGIC:
        return _binary(*_LOGIC[op], args)
    if op in _UNARY:
        return _unary(stmt, args[0])
    if _is_square(stmt):
        return _binary("*", Prec.MUL, [args[0], args[0]])
    if op == _ROUND:
        return _rounded(stmt, args[0])
    if op in _POWERS:
        name = "special::integer_power" if operand_dtype(stmt).is_int else "pow"
        return Text(f"{name}({args[0].text}, {args[1].text})")
    of_integers = op in _OF_INTEGERS and operand_dtype(stmt).is_int
    if op in _COMPOSED or of_integers:
        template, level = (_OF_INTEGERS if of_integers else _COMPOSED)[op]
        dtype = TYPES[operand_dtype(stmt)]
        return Text(template.format(*(arg.at(Prec.CALL) for arg in args), dtype=dtype), level)
    if op in WHOLE:
        name = bare(op)
        return Text(f"(long long){name}({args[0].text})", Prec.UNARY)
    name = f"special::{SPECIAL[op]}" if op in SPECIAL else _CALLS.get(op) or _TESTS[op]
    return Text(f"{name}({', '.join(arg.text for arg in args)})")


def _rounded(stmt: ir.Compute, arg: Text) -> Text:
    """As NumPy rounds: a power of ten larger or smaller, to the next integer, and back."""
    digits = stmt.args[1]
    assert isinstance(digits, ir.Const)
    count = int(digits.value.real)
    scale = cast(Text(f"1e{abs(count)}"), operand_dtype(stmt)).at(Prec.UNARY)
    there, back = "*/" if count >= 0 else "/*"
    return Text(f"rint({arg.at(Prec.MUL)} {there} {scale}) {back} {scale}", Prec.MUL)


def _binary(sign: str, level: int, args: list[Text]) -> Text:
    return Text(f"{args[0].at(level)} {sign} {args[1].at(level + 1)}", level)
