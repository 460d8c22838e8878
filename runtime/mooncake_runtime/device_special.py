"""Special functions for kernels, as CUDA C++ that works in the precision of its arguments.

Each is what ``mooncake_runtime.scalar_kernels`` has under that name. Those that are made of the
text of these work in double precision, as CuPy's own do.
"""

from __future__ import annotations

from collections.abc import Mapping

from mooncake_runtime.device_bessel import MODIFIED
from mooncake_runtime.device_complex import OF_COMPLEX
from mooncake_runtime.device_errors import BESSEL, ERRORS, polynomial
from mooncake_runtime.device_translated import COMMON, translated
from mooncake_runtime.kernel_texts import kernel
from mooncake_runtime.scalar_kernels.gamma import BERNOULLI, DIGAMMA, ROOT, ROOT_LOW, TAIL

PI = "T(3.141592653589793)"

# By name: what else a function needs, its parameters, and its body.
OF_INTEGERS: Mapping[str, tuple[tuple[str, ...], str, str]] = {
    "integer_power": ((), "x n", """
  T result = 1, factor = x;
  for (T left = n; left > 0; left /= 2) {
    if (left % 2 == 1) result *= factor;
    factor *= factor;
  }
  return result;"""),
}  # fmt: skip
_FUNCTIONS: Mapping[str, tuple[tuple[str, ...], str, str]] = {
    **ERRORS,
    **BESSEL,
    **MODIFIED,
    **OF_COMPLEX,
    **OF_INTEGERS,
    "kl_div": (("rel_entr",), "x y", """
  if (x > T(0) && y > T(0)) return rel_entr(x, y) - x + y;
  return x == T(0) && y >= T(0) ? y : rel_entr(x, y);"""),
    "clip": ((), "x low high", """
  const T raised = x > low || isnan(x) ? x : low;
  return raised < high || isnan(raised) ? raised : high;"""),
    "floor_remainder": ((), "x y", """
  const T rest = fmod(x, y);
  if (rest == T(0)) return copysign(T(0), y);
  return (y < T(0)) != (rest < T(0)) ? rest + y : rest;"""),
    "floor_quotient": (("floor_remainder",), "x y", """
  if (y == T(0)) return x / y;
  const T quotient = (x - floor_remainder(x, y)) / y;
  if (quotient == T(0)) return copysign(T(0), x / y);
  const T whole = floor(quotient);
  return quotient - whole > T(0.5) ? whole + T(1) : whole;"""),
    "heaviside": ((), "x at_zero", """
  return x == T(0) ? at_zero : isnan(x) ? x : T(x > T(0));"""),
    "sinc": ((), "x", f"""
  return x == T(0) ? T(1) : sin({PI} * x) / ({PI} * x);"""),
    "dsinc": ((), "x", f"""
  const T t = {PI} * x;
  if (fabs(t) > T(1)) return (cos(t) - sin(t) / t) / x;
  T term = -t * {PI}, total = 0;
  for (int k = 1; k < 12; ++k) {{
    term /= T(2 * k * (2 * k + 1));
    total += T(2 * k) * term;
    term *= -t * t;
  }}
  return total;"""),
    "logaddexp": ((), "x y", """
  if (x == y) return x + T(0.6931471805599453);
  return fmax(x, y) + log1p(exp(-fabs(x - y)));"""),
    "logaddexp2": ((), "x y", """
  if (x == y) return x + T(1);
  return fmax(x, y) + log2(T(1) + exp2(-fabs(x - y)));"""),
    "logit": ((), "p", """
  if (p > T(0.25) && p < T(0.75)) return T(2) * atanh(T(2) * p - T(1));
  return log(p) - log1p(-p);"""),
    "log_expit": ((), "x", """
  return isnan(x) ? x : fmin(x, T(0)) - log1p(exp(-fabs(x)));"""),
    "ndtr": ((), "x", """
  return T(0.5) * erfc(-x / T(1.4142135623730951));"""),
    "xlogy": ((), "x y", """
  return x == T(0) && !isnan(y) ? T(0) : x * log(y);"""),
    "xlog1py": ((), "x y", """
  return x == T(0) && !isnan(y) ? T(0) : x * log1p(y);"""),
    "entr": ((), "x", """
  return x == T(0) ? T(0) : x < T(0) ? -T(1) / T(0) : -x * log(x);"""),
    "log_ratio": ((), "x y", """
  const T ratio = x / y;
  if (ratio > T(0.5) && ratio < T(2)) return log1p((x - y) / y);
  return ratio > T(1e-30) && ratio < T(1e30) ? log(ratio) : log(x) - log(y);"""),
    "rel_entr": (("log_ratio",), "x y", """
  if (x > T(0) && y > T(0)) return x * log_ratio(x, y);
  if (isnan(x) || isnan(y)) return x + y;
  return x == T(0) && y >= T(0) ? T(0) : T(1) / T(0);"""),
    "huber": ((), "delta r", """
  if (delta < T(0)) return T(1) / T(0);
  return fabs(r) <= delta ? T(0.5) * r * r : delta * (fabs(r) - T(0.5) * delta);"""),
    "pseudo_huber": ((), "delta r", """
  if (delta < T(0)) return T(1) / T(0);
  if (delta == T(0) || isinf(r)) return fabs(delta * r);
  return fabs(r) * (fabs(r) / (T(1) + hypot(T(1), r / delta)));"""),
    "digamma": ((), "given", f"""
  T x = given, total = 0;
  if (x == T(0)) return -copysign(T(1) / T(0), x);
  if (x < T(0)) {{
    if (x == floor(x)) return T(0) / T(0);
    total = -{PI} / tan({PI} * (x - rint(x)));
    x = T(1) - x;
  }}
  if (x < T(1)) {{ total -= T(1) / x; x += T(1); }}
  if (x <= T(2)) {{
    const T t = T(2) * x - T(3);
    return total + ((x - T({ROOT!r})) - T({ROOT_LOW!r}))
      * {polynomial("t", DIGAMMA.tolist())};
  }}
  for (; x < T(10); x += T(1)) total -= T(1) / x;
  if (isinf(x)) return x;
  const T z = T(1) / (x * x);
  return total + log(x) - T(0.5) / x - {polynomial("z", TAIL[::-1].tolist())} * z;"""),
    "multigamma_sum": (("polygamma",), "order x count", """
  T total = 0;
  for (T k = 0; k < count; k += T(1)) {
    const T at = x - T(0.5) * k;
    total += order < T(0) ? lgamma(at) : polygamma(order, at);
  }
  return total;"""),
    "multigammaln": (("multigamma_sum",), "x count", """
  if (!(T(2) * x > count - T(1))) return T(0) / T(0);
  const T pairs = T(0.25) * count * (count - T(1));
  return multigamma_sum(T(-1), x, count) + pairs * T(1.1447298858494002);"""),
    "hurwitz": ((), "s given", """
  T q = given, total = 0;
  if (!(s > T(1)) || isnan(q)) return s == T(1) ? T(1) / T(0) : T(0) / T(0);
  if (q <= T(0)) {
    if (q == floor(q)) return T(1) / T(0);
    if (s != floor(s)) return T(0) / T(0);
  }
  for (; q < T(12) + T(1.5) * s; q += T(1)) {
    const T term = pow(q, -s);
    total += term;
    if (q > T(1) && term * q < T(1e-18) * total) return total;
  }
  if (isinf(q)) return T(0);
  const T z = T(1) / (q * q);
  const T bernoulli[] = {"""
        + ", ".join(f"T({b!r})" for b in BERNOULLI.tolist())
        + """};
  T rising = s / q, tail = q / (s - T(1)) + T(0.5);
  for (int j = 0; j < 7; ++j) {
    tail += bernoulli[j] * rising;
    rising *= (s + T(2 * j + 1)) * (s + T(2 * j + 2)) * z;
  }
  return total + tail * pow(q, -s);"""),
    "trigamma": (("hurwitz",), "x", f"""
  if (x > T(0)) return hurwitz(T(2), x);
  if (x == floor(x)) return T(1) / T(0);
  const T s = {PI} / sin({PI} * (x - rint(x)));
  return s * s - hurwitz(T(2), T(1) - x);"""),
    "polygamma": (("digamma", "hurwitz"), "order x", f"""
  const int n = (int)order;
  if (n == 0) return digamma(x);
  const T sign = n % 2 == 1 ? T(1) : T(-1);
  const T scale = tgamma(order + T(1));
  if (x > T(0)) return sign * scale * hurwitz(order + T(1), x);
  if (x == floor(x)) return sign * (T(1) / T(0));
  const T cot = T(1) / tan({PI} * (x - rint(x)));
  T c[34] = {{T(0), T(1)}};  // of derivatives of the cotangent: a polynomial of it
  if (n > 30) return T(0) / T(0);
  for (int m = 0; m < n; ++m) {{
    for (int k = 0; k <= n; ++k) c[k] = -T(k + 1) * c[k + 1];
    c[n + 1] = T(0);
    for (int k = n + 1; k > 1; --k) c[k] += c[k - 2];
  }}
  T total = 0;
  for (int k = n + 1; k >= 0; --k) total = total * cot + c[k];
  return -total * pow({PI}, order + T(1)) - scale * hurwitz(order + T(1), T(1) - x);"""),
}  # fmt: skip

NAMES = frozenset(_FUNCTIONS)


def parameters(name: str) -> list[str]:
    """The parameters of a function."""
    return _FUNCTIONS[name][1].split() if name in _FUNCTIONS else translated(name)[1]


def special(*names: str) -> str:
    """The definitions of functions and of what they need, as the preamble of a kernel."""
    needed: dict[str, None] = {}
    exact: dict[str, None] = {}  # functions of double precision
    for name in names:
        if name in _FUNCTIONS:
            _add(name, needed)
        else:
            needed[name] = None
            exact.update(dict.fromkeys(translated(name)[0]))
    texts = [COMMON, *exact] if exact else []
    for name in needed:
        params = parameters(name)
        typed = ", ".join(f"T {param}" for param in params)
        body = _FUNCTIONS[name][2] if name in _FUNCTIONS else _converted(name, params)
        texts.append(f"template <typename T> __device__ T {name}({typed}) {{{body}\n}}")
    return "namespace special {{\n{}\n}}".format("\n".join(texts))


def _converted(name: str, params: list[str]) -> str:
    return f"\n  return T({kernel(name).name}({', '.join(params)}));"


def _add(name: str, needed: dict[str, None]) -> None:
    for other in _FUNCTIONS[name][0]:
        _add(other, needed)
    needed[name] = None
