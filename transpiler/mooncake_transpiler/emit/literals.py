"""Constants as Python expressions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mooncake_rules.op import Prec

from mooncake_transpiler import ir
from mooncake_transpiler.emit.uses import Uses
from mooncake_transpiler.types import Array, DType, Scalar, Type

BUILTIN = {
    DType.BOOL: "bool",
    DType.INT64: "int",
    DType.FLOAT64: "float",
    DType.COMPLEX128: "complex",
}


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    level: int = Prec.CALL

    def at(self, level: int) -> str:
        return f"({self.text})" if self.level < level else self.text


class Constants(Uses):
    """Prints constants."""

    def const(self, const: ir.Const) -> Text:
        value, dtype = const.value, const.type.dtype
        if isinstance(value, complex):
            text = self.complex_number(value)
        elif dtype.is_float:
            text = self.real(float(value))
        else:
            text = self.real(value)
        if dtype in BUILTIN:
            return text
        return Text(f"{self.numpy(dtype.value)}({text.text})")

    def complex_number(self, value: complex) -> Text:
        has_literal = repr(value.real) == "0.0" and math.isfinite(value.imag)
        if has_literal and math.copysign(1, value.imag) > 0:
            return Text(f"{value.imag!r}j".replace(".0j", "j"))
        re, im = self.real(value.real).text, self.real(value.imag).text
        parts = re if im == "0.0" else f"{re}, {im}"
        return Text(f"{self.use('complex')}({parts})")

    def real(self, value: bool | int | float) -> Text:
        if isinstance(value, float) and not math.isfinite(value):
            name = self.numpy("nan" if math.isnan(value) else "inf")
            return Text(f"-{name}", Prec.UNARY) if value < 0 else Text(name)
        text = repr(value)
        return Text(text, Prec.UNARY if text.startswith("-") else Prec.CALL)

    def zero(self, type_: Type) -> Text:
        """A value that is never looked at, of the right type."""
        match type_:
            case Scalar():
                return self.const(ir.zero(type_))
            case Array(dtype=dtype, ndim=ndim):
                shape = "0" if ndim == 1 else f"({', '.join('0' * ndim)})"
                return Text(f"{self.numpy('empty')}({shape}{self.dtype_argument(dtype)})")
            case _:
                return Text("None")

    def numpy(self, name: str) -> str:
        return f"{self.use('np')}.{'bool_' if name == 'bool' else name}"

    def dtype_argument(self, dtype: DType) -> str:
        return "" if dtype is DType.FLOAT64 else f", dtype={self.numpy(dtype.value)}"
