"""Error functions and Bessel functions of whole order for kernels, as CUDA C++.

As in ``device_special``: by name what else a function needs, its parameters, and its body.
"""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_runtime.scalar_kernels import errors

SQRT_2, SQRT_PI = f"T({errors.SQRT_2!r})", f"T({errors.SQRT_PI!r})"


def polynomial(variable: str, coefficients: list[float]) -> str:
    """The polynomial, its leading coefficient first, as nested products."""
    text = f"T({coefficients[0]!r})"
    for c in coefficients[1:]:
        text = f"({text} * {variable} + T({c!r}))"
    return text


def _quotient(variable: str, above: str, below: str) -> str:
    first, second = (getattr(errors, name).tolist() for name in (above, below))
    return f"{polynomial(variable, first)}\n    / {polynomial(variable, second)}"


ERRORS: Mapping[str, tuple[tuple[str, ...], str, str]] = {
    "exp_square": ((), "x factor", """
  if (fabs(x) > T(40)) return exp(factor * x * x);
  const T coarse = rint(T(32) * x) / T(32);
  return exp(factor * coarse * coarse) * exp(factor * (x - coarse) * (x + coarse));"""),
    "erfcx": (("exp_square",), "x", f"""
  if (x < T(0)) return exp_square(x, T(1)) * erfc(x);
  if (x > T(1e8)) return T(1) / ({SQRT_PI} * x);
  const T t = (x - T(3.75)) / (x + T(3.75));
  return {polynomial("t", errors.ERFCX.tolist())} / (T(1) + T(2) * x);"""),
    "erfcx_integral": (("erfcx",), "x", f"""
  if (x < T(0)) return T(1) / {SQRT_PI} - x * erfcx(x);
  if (x > T(1e8)) return T(0.5) / {SQRT_PI} / x / x;
  const T t = (x - T(3.75)) / (x + T(3.75)), below = T(1) + T(2) * x;
  return {polynomial("t", errors.IERFCX.tolist())} / below / below;"""),
    "normal_tail": ((), "log_p", f"""
  const T r = sqrt(-log_p);
  if (r > T(27.3)) return T(1) / T(0);
  const T near = r - T(1.6), far = r - T(5);
  if (r <= T(5)) return {_quotient("near", "NEAR", "NEAR_BELOW")};
  return {_quotient("far", "FAR", "FAR_BELOW")};"""),
    "normal_centre": ((), "q", f"""
  const T r = T(0.180625) - q * q;
  return q * {_quotient("r", "CENTRE", "CENTRE_BELOW")};"""),
    "ndtri": (("normal_tail", "normal_centre"), "p", """
  if (fabs(p - T(0.5)) <= T(0.425)) return normal_centre(p - T(0.5));
  if (!(p >= T(0) && p <= T(1))) return T(0) / T(0);
  return p < T(0.5) ? -normal_tail(log(p)) : normal_tail(log1p(-p));"""),
    "erfinv": (("normal_tail", "normal_centre"), "x", f"""
  if (fabs(x) <= T(0.85)) return normal_centre(T(0.5) * x) / {SQRT_2};
  if (!(fabs(x) <= T(1))) return T(0) / T(0);
  return copysign(normal_tail(log(T(0.5) * (T(1) - fabs(x)))) / {SQRT_2}, x);"""),
    "erfcinv": (("normal_tail", "normal_centre"), "y", f"""
  if (fabs(T(1) - y) <= T(0.85)) return normal_centre(T(0.5) * (T(1) - y)) / {SQRT_2};
  if (!(y >= T(0) && y <= T(2))) return T(0) / T(0);
  if (y < T(1)) return normal_tail(log(y) - T({errors.LOG_2!r})) / {SQRT_2};
  return -normal_tail(log(T(0.5) * (T(2) - y))) / {SQRT_2};"""),
    "log_ndtr": (("erfcx",), "x", f"""
  if (x > T(-1)) return log1p(-T(0.5) * erfc(x / {SQRT_2}));
  return -T(0.5) * x * x + log(T(0.5) * erfcx(-x / {SQRT_2}));"""),
    "inverse_mills": (("erfcx",), "x", f"""
  if (x <= T(0)) return T(0.7978845608028654) / erfcx(-x / {SQRT_2});
  return exp_square(x, T(-0.5)) / ({SQRT_2} * {SQRT_PI} * T(0.5) * erfc(-x / {SQRT_2}));"""),
    "shifted_mills": (("erfcx_integral", "inverse_mills"), "x", f"""
  if (x > T(0)) return x + inverse_mills(x);
  const T z = -x / {SQRT_2};
  return {SQRT_2} * erfcx_integral(z) / erfcx(z);"""),
}  # fmt: skip

# The order comes as a T. CUDA's jn and yn take no negative ones; all terms of iv have one sign.
BESSEL: Mapping[str, tuple[tuple[str, ...], str, str]] = {
    "jn": ((), "order x", """
  const int n = (int)order;
  return n < 0 && n % 2 != 0 ? -::jn(-n, x) : ::jn(n < 0 ? -n : n, x);"""),
    "yn": ((), "order x", """
  const int n = (int)order;
  if (x == T(0)) return T(-1) / T(0);
  return n < 0 && n % 2 != 0 ? -::yn(-n, x) : ::yn(n < 0 ? -n : n, x);"""),
    "iv": ((), "order x", """
  const int n = (int)fabs(order);
  const T square = T(0.25) * x * x;
  T term = 1;
  for (int k = 1; k <= n; ++k) term *= T(0.5) * x / T(k);
  if (isinf(x)) return n == 0 ? fabs(x) : term;
  T total = term;
  for (int k = 1; fabs(term) > T(1e-18) * fabs(total); ++k) {
    term *= square / (T(k) * T(k + n));
    total += term;
  }
  return total;"""),
    "j0": (("jn",), "x", "\n  return jn(T(0), x);"),
    "j1": (("jn",), "x", "\n  return jn(T(1), x);"),
    "y0": (("yn",), "x", "\n  return yn(T(0), x);"),
    "y1": (("yn",), "x", "\n  return yn(T(1), x);"),
    "i0": (("iv",), "x", "\n  return fabs(iv(T(0), x));"),
    "i1": (("iv",), "x", "\n  return iv(T(1), x);"),
}  # fmt: skip
