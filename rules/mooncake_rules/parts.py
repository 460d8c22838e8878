"""Complex numbers and their parts."""

from __future__ import annotations

from mooncake_rules.expr import SEED, Arg, I, conj, from_parts, imag, real
from mooncake_rules.op import Prec, Result, ScalarOp
from mooncake_rules.over_complex import OverComplex, real_valued

X = Arg(0)
POINT = (-2.0, 2.0)

# What is read from a part goes into that part.
PARTS = (
    ScalarOp("complex", 2, Result.COMPLEX, "complex({0}, {1})", Prec.CALL,
             complex=OverComplex((SEED, from_parts(0, SEED)), (real(SEED), imag(SEED)))),
    ScalarOp("np.real", 1, Result.REAL, "{0}.real", Prec.ATTRIBUTE, (1,), domain=(POINT,),
             complex=OverComplex((real(SEED),), (SEED,))),
    ScalarOp("np.imag", 1, Result.REAL, "{0}.imag", Prec.ATTRIBUTE,
             complex=OverComplex((imag(SEED),), (from_parts(0, SEED),))),
    ScalarOp("np.conj", 1, Result.SAME, "np.conj({0})", Prec.CALL, (1,), domain=(POINT,),
             complex=OverComplex((conj(SEED),), (conj(SEED),))),
    ScalarOp("np.angle", 1, Result.REAL, "np.angle({0})", Prec.CALL, expensive=True,
             complex=real_valued(I / conj(X))),
)  # fmt: skip
