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
    "lambert_near": ((), "z sign", """
  const T p = sign * sqrt(T(2) * (T(2.718281828459045) * z + T(1)));
  return T(-1) + p * (T(1) + p * (T(-1.0 / 3.0) + p * T(11.0 / 72.0)));"""),
    "lambert_refined": ((), "given z", """
  T w = given;
  for (int k = 0; k < 60; ++k) {
    T rest = w, slope = w + T(1);
    if (w.real() >= 0) {
      rest = w - z * exp(-w);
    } else {
      const T e = exp(w);
      rest = w * e - z;
      slope = e * slope;
    }
    const T step = rest / (slope - (w + T(2)) * rest / (T(2) * w + T(2)));
    w = w - step;
    if (!(abs(step) > 1e-9 * abs(w))) break;
  }
  return w;"""),
    "lambertw": (("lambert_near", "lambert_refined"), "z", """
  const double size = abs(z);
  if (!(size > 0) || isinf(size)) return z;
  if (abs(z + T(0.36787944117144233)) < 0.3) {
    const T w = lambert_near(z, T(1));
    return abs(w + T(1)) > 1e-7 ? lambert_refined(w, z) : w;
  }
  const double aside = fabs(z.imag());
  if (size < 1.5 && z.real() > -0.2 - 2.5 * aside && aside < 1) {
    const T below = T(1) + z * (T(7.0 / 3.0) + z * T(5.0 / 6.0));
    return lambert_refined(z * (T(1) + z * T(4.0 / 3.0)) / below, z);
  }
  const T w = log(z);
  return lambert_refined(size > 5 ? w - log(w) : w, z);"""),
    "lambertw_below": (("lambert_near", "lambert_refined"), "z", """
  const double size = abs(z);
  if (size == 0) return T(-1.0 / size, 0);
  if (!(size > 0) || isinf(size)) return T(z.real(), z.imag() - 6.283185307179586);
  if (abs(z + T(0.36787944117144233)) < 0.3 && z.real() < 0 && z.imag() >= 0) {
    const T w = lambert_near(z, T(-1));
    return abs(w + T(1)) > 1e-7 ? lambert_refined(w, z) : w;
  }
  if (z.real() < 0 && z.imag() == 0 && size < 0.36787944117144233) {
    const double at = log(size);
    return lambert_refined(T(at - log(-at), 0), z);
  }
  const T w = log(z) - T(0, 6.283185307179586);
  return lambert_refined(w - log(w), z);"""),
}  # fmt: skip
