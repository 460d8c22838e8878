"""Arrays of complex numbers: their parts, conjugates and angles."""

from __future__ import annotations

from mooncake_rules.arrays import Arr, Stage, Table, elementwise
from mooncake_rules.library.support import is_complex

TABLE = Table()


@TABLE.add(
    "ndarray.real",
    "z.real", "z[1:].real * z.T[:, 1:].real.T", "(z * z).real", "x.real * x", "np.real(z)",
    "np.real(x * z)", "np.real(x)", "z.T[::-1].real", "z.real + z.imag", "np.sum(z.real * x)",
    "np.abs(z)", "np.abs(z * z)", "np.angle(z)", "abs(z) * x",
    "np.square(z)", "np.exp(z)", "z ** 2 / (z + 5.0)", "np.sqrt(z) * 1j", "np.absolute(z) ** 2",
)  # fmt: skip
def real(s: Stage, a: Arr) -> Arr:
    """``numpy.real``; of complex numbers in memory it is a view, as in NumPy."""
    if not is_complex(a.dtype):
        return a
    return s.part(a, "real") if a.memory is not None else _each(s, "np.real", a)


@TABLE.add(
    "ndarray.imag",
    "z.imag", "(z * z).imag", "np.imag(z) * x", "np.imag(x * z)", "x.imag + x", "np.imag(x) * y",
    "z[0].imag", "z.reshape(-1).imag",
)  # fmt: skip
def imag(s: Stage, a: Arr) -> Arr:
    if not is_complex(a.dtype):
        return a.lazy(a.shape, lambda *_: s.cast(0, a.dtype))
    return s.part(a, "imag") if a.memory is not None else _each(s, "np.imag", a)


@TABLE.add(
    "ndarray.conj ndarray.conjugate",
    "z.conj()", "z.conjugate() * z", "(z * 2.0).conj().T", "x.conj()", "np.conj(z)",
    "np.conjugate(z.T)", "np.conj(x)", "x * np.conj(z)", "(z * z.conj()).real",
)  # fmt: skip
def conj(s: Stage, a: Arr) -> Arr:
    """``numpy.conj``: for real numbers the array itself."""
    return _each(s, "np.conj", a) if is_complex(a.dtype) else a


def _each(s: Stage, op: str, a: Arr) -> Arr:
    found = elementwise(s, op, a)
    assert isinstance(found, Arr)
    return found
