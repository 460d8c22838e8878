"""Functions of complex numbers for kernels, as ``device_special`` has those of real ones."""

from __future__ import annotations

from collections.abc import Mapping

# By name: what else a function needs, its parameters, and its body.
OF_COMPLEX: Mapping[str, tuple[tuple[str, ...], str, str]] = {
    "complex_sech2": ((), "z", """
  const T e = exp(T(z.real() >= 0 ? -2 : 2) * z);
  const T d = T(1) + e;
  return T(4) * e / (d * d);"""),
    "complex_sec2": (("complex_sech2",), "z", """
  return complex_sech2(T(-z.imag(), z.real()));"""),
    "complex_power": ((), "z exponent", """
  if (exponent == T(0)) return T(1);
  return z == T(0) && exponent.real() > 0 ? T(0) : pow(z, exponent);"""),
    "whole_power": (("complex_power",), "z exponent", """
  const long long n = (long long)exponent.real();
  if (n <= -100 || n >= 100) return complex_power(z, exponent);
  T result = T(1), factor = z;
  for (long long left = n < 0 ? -n : n; left > 0; left /= 2) {
    if (left % 2 == 1) result = result * factor;
    factor = factor * factor;
  }
  return n < 0 ? T(1) / result : result;"""),
}  # fmt: skip
