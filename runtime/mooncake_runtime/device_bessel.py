"""Modified Bessel functions for kernels: those that vanish at infinity, and scaled ones.

As in ``mooncake_runtime.scalar_kernels.modified``, by the same polynomials.
"""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_runtime.device_errors import polynomial
from mooncake_runtime.scalar_kernels import modified


def _of(variable: str, table: str) -> str:
    return polynomial(variable, getattr(modified, table).tolist())


def _decaying(order: int, near: str) -> str:
    """The body of ``exp(x)`` times the function of this order, by ``near`` up to 2."""
    return f"""
  if (x > T(2)) {{
    const T t = T(4) / x - T(1);
    return {_of("t", f"K{order}E")} / sqrt(x);
  }}
  if (!(x > T(0))) return x == T(0) ? T(1) / T(0) : T(0) / T(0);
  const T z = T(0.25) * x * x, logarithm = log(T(0.5) * x) + T({modified.EULER!r});
  return exp(x) * ({near});"""


def _scaled(order: int) -> str:
    """The body of ``exp(-abs(x))`` times the function of this order."""
    sign = "x < T(0) ? -value : value" if order == 1 else "value"
    return f"""
  const T a = fabs(x), t = T(16) / a - T(1);
  const T value = a <= T(8) ? exp(-a) * iv(T({order}), a)
    : {_of("t", f"I{order}E")} / sqrt(a);
  return {sign};"""


# The order comes as a T.
MODIFIED: Mapping[str, tuple[tuple[str, ...], str, str]] = {
    "i0e": (("iv",), "x", _scaled(0)),
    "i1e": (("iv",), "x", _scaled(1)),
    "ive": (("iv", "i0e", "i1e"), "order x", """
  const int n = (int)fabs(order);
  const T a = fabs(x), sign = x < T(0) && n % 2 == 1 ? T(-1) : T(1);
  if (n == 0) return i0e(a);
  if (n == 1) return sign * i1e(a);
  if (isinf(a) || isnan(a)) return isinf(a) ? T(0) : x;
  if (a <= T(20)) return sign * exp(-a) * iv(T(n), a);
  if (a > T(n) * T(n)) {
    T before = i0e(a), value = i1e(a);
    for (int k = 1; k < n; ++k) {
      const T next = before - T(2 * k) / a * value;
      before = value;
      value = next;
    }
    return sign * value;
  }
  T after = 0, value = T(1e-30), found = 0;
  for (int k = n + (int)sqrt(T(80) * fmax(a, T(n))) + 20; k > 0; --k) {
    if (k == n) found = value;
    const T next = T(2 * k) / a * value + after;
    after = value;
    value = next;
    if (value > T(1e20)) { after *= T(1e-20); value *= T(1e-20); found *= T(1e-20); }
  }
  return sign * i0e(a) * (found / value);"""),
    "k0e": (("iv",), "x", _decaying(0, f"{_of('z', 'K0')} - logarithm * iv(T(0), x)")),
    "k1e": (("iv",), "x", _decaying(
        1, f"T(1) / x + logarithm * iv(T(1), x) - T(0.25) * x * {_of('z', 'K1')}"
    )),
    "k0": (("k0e",), "x", "\n  return exp(-x) * k0e(x);"),
    "k1": (("k1e",), "x", "\n  return exp(-x) * k1e(x);"),
    "kve": (("k0e", "k1e"), "order x", """
  const int n = (int)fabs(order);
  if (n == 0) return k0e(x);
  T before = k0e(x), value = k1e(x);
  for (int k = 1; k < n; ++k) {
    const T next = before + T(2 * k) / x * value;
    before = value;
    value = next;
  }
  return value;"""),
    "kn": (("kve",), "order x", "\n  return exp(-x) * kve(order, x);"),
}  # fmt: skip
