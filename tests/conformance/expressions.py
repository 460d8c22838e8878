"""The expressions that people write with NumPy and Python, as templates.

Templates of a kind are separated by two spaces; the first one ends the recursion. Vectors have 5
items.
V: a vector's name; E: an expression for a vector; S: one of single precision;
K: a mask; I: an index array of 5 items; J: of any length. M: the name of a 4 by 3 matrix, Q: an
expression for one; G: the name of a 5 by 3 one. F: a float, A: a leaf, B: one of bounded size,
T: a float that can be assigned to; N: an int; C: a condition; H: a function of a float;
X: a small constant, D: 0, 1 or 2; R: a number made of a vector; L: a part of a vector's length.
"""

from __future__ import annotations

import re


def table(text: str) -> tuple[str, ...]:
    return tuple(re.split(r"\s{2,}|\n", text.strip()))


EXPRESSIONS = {
    "K": table("""
({V} > {X})  ({E} > {X})  ({V} <= {E})  ~{K}  ({K} & {K})  ({K} | ~{K})  ({K} ^ {K})
np.logical_not({K})  np.logical_and({K}, {V} < {X})  ({K} == {K})  (np.abs({V}) < 0.6)
{K}[::-1]  ({I} % 2 == 0)  ({I} > {D})  np.isfinite({V})  ({K} + {K})  ({K} * {K})
np.maximum({K}, {K})  np.invert({K})  ({K} != {C})  np.array([v_ > {X} for v_ in {V}])
np.array([True, False, True, True, False])  ({V} == np.max({V}))  (np.sign({V}) > 0)
np.zeros({V}.shape, dtype=bool)  np.where({K}, {K}, {V} > {X})  ~np.isnan({V})
({X} < {V}) & ({V} < 0.8)  (np.arange(5) < {N})  np.concatenate(({K}[1:], {K}[:1]))
({V} > {V}.mean())
"""),
    "I": table("""
np.arange(5)  np.argsort({V}, kind='stable')  np.argsort(-{E}, kind='stable')[::-1]
np.array([3, 1, 0, 2, 2])
(np.arange(5) * {N}) % 5  np.arange(4, -1, -1)  np.where({K}, 1, -1)  {I}[{I}]  {I} // 2
-{I} % 5  (5 - {I}) % 5  np.cumsum({K}) - 1  {K}.astype(int)  np.minimum({I}, 3)
np.abs({I} - 2)  np.zeros(5, dtype=int)  np.searchsorted(np.sort({V}), {V}) % 5
np.clip({I}, 1, 3)  ({I} + {I}) % 5
"""),
    "J": table("""
[0, 2]  np.flatnonzero({K})  {I}[:{D}]  np.nonzero({K})[0]  {I}[{K}]  [-1, 1]
np.array([1, 1, 4])  np.argsort({V}, kind='stable')[-2:]  np.arange(1, 4)  np.where({V} > {X})[0]
"""),
    "L": table("""
::-1  :  ...  [4, 3, 2, 1, 0]  {I}
"""),
    "E": table("""
{V}  {V} * {V}  np.sin({E})  {V}[{I}]  {E} * {A}  -{V}  {E} + {K}  {K} * {E}
np.where({K}, {E}, {V})  np.where({K}, {V}, {X})  {E} / (1.5 + {V} ** 2)  np.maximum({E}, {X})
np.minimum({V}, {E})  np.clip({E}, -0.5, 0.5)  np.clip({V}, {V}.min() * 0.5, {A})
np.cumsum({V}) * 0.3  np.sort({V})  np.abs({V}) ** 1.5  {V}[::-1]  {V} - {V}.mean()
{V} / (1.0 + np.sum({V} ** 2))  np.exp(-{V} ** 2)  np.tanh({E}) + {A}  np.diff({V}, prepend={A})
{G}[:, {D}]  {G}.sum(axis=1)  np.mean({G}, axis=-1)  {G} @ {M}[{D}]  np.roll({V}, {D})
np.concatenate(({V}[:2], {E}[2:]))  np.linspace({A}, {A}, 5)  {I} * {V}  {V} * {N}
np.take({V}, {I})  {G}[np.arange(5), {I} % 3]  {V} ** {D}
np.array([{A}, {X}, {V}[1], {B}, 0.3])  np.full(5, {A})  np.sqrt(1 + {V} ** 2)
{V}.clip({X}, None)  np.convolve({V}, [0.3, 0.5, 0.2], mode='same')  abs({V})
np.einsum('ij,ij->i', {G}, {G}) * 0.3  np.outer({V}, {V})[{D}]  np.sign({V}) * {E}
np.max({G}, axis=1)  np.where({V} > 0, {V}, 0.1 * {E})  np.cumprod(np.cos({V}))  {V}.copy()
np.zeros_like({V})  np.array([v_ * {A} for v_ in {V}])  {S} * {V}
np.stack(({V}, {E})).sum(axis=0)  np.stack(({V}, {V}), axis=1)[:, 0]  np.repeat({V}[:1], 5)
np.flip({E})  np.nan_to_num({V})  np.ones(5) * {F}
np.interp({V}, [-1.0, 0.0, 1.0], [{A}, {X}, 0.7])  {V} % 0.7  np.hypot({V}, {A})
np.append({V}[1:], {A})  np.square({E}) - 2 * {V} + 1  {E} @ np.eye(5)  np.pad({V}[1:-1], 1)
np.split({V}, [5])[0]  np.tile({A}, 5) * {V}
"""),
    "S": table("""
{V}.astype(np.float32)  np.float32(0.5) * {S}  {S} + {S}  np.abs({S})
"""),
    "Q": table("""
{M}  {M} * {F}  {M} + {M}[{D}]  {M} - {M}.mean(axis=0)  np.exp(-{M} ** 2)
{M} / (1.5 + np.abs({M}).sum(axis=1, keepdims=True))  np.where({M} > {X}, {M}, {A})
{M} - np.max({M}, axis=1, keepdims=True)  np.outer({V}[:4], {M}[0])  {M}[::-1]
{M}[[0, 1, 3, 2]]  {M} * ({M} > {X})  np.maximum({M}, 0)  {G}[1:]  {G}[:4] * {Q}  {M}[:, ::-1]
{M} @ np.linalg.inv(2 * np.eye(3) + {G}.T @ {G})  {M} + {V}[:4, None]
np.cumsum({M}, axis=0) * 0.3  np.sort({M}, axis=1)  np.vstack(({M}[:2], {G}[3:]))
np.reshape({M}.T, (4, 3))  np.tanh({Q})  {M} % 0.6  np.clip({Q}, {X}, 0.9)
"""),
    "R": table("""
np.sum({V})  np.sum({E})  {V}.sum()  np.mean({E})  np.max({V})  {V}.min()  np.sum({V}[{K}])
np.sum({V}[~{K}])  np.sum({K} * {E})  np.sum(({K} + {K}) * {V})  np.dot({V}, {E})  {V} @ {V}
np.sum({V}[{J}])  np.prod(np.cos({V}[{J}]))  np.sum({V}, where={K})  np.linalg.norm({V} + 2)
np.std({V})  np.var({E})  np.median({V})  np.sum({Q})  np.sum({M}, axis=0)[{D}]
{M}.sum(axis=1)[{D}]  np.max({M}, axis=0)[{D}]  np.trace({G}.T @ {G})  np.sum({M}[{M} > {X}])
{V}[np.argmax({V})]  {V}[np.argmin({E})]  {M}[{D}, np.argmax({M}[{D}])]
np.sum({M}[:, {M}[0] > {X}])  np.sum({M}[np.ix_([0, 2], [1, 2])])  np.ptp({V})
np.sum({M}[~({M} > {X})])  {V}[{K}].sum()  np.sum(np.diff({V}) ** 2)  sum({V})
np.sum({V}[1:] * {V}[:-1])  np.sum({M} * {M}, axis=(0, 1))  np.sum({V} > {X}) * {A}
np.count_nonzero({K}) * {A}  np.logaddexp.reduce({V})  np.sum({G}[{K}])
np.log(np.sum(np.exp({V} - np.max({V})))) + np.max({V})  np.average({V}, weights={I})
np.einsum('i,ij->', {V}, {G})  np.trapezoid({V}, dx=0.3)  float(np.sum({S}))  np.sum({S} * {S})
np.sum({I} * {V})  np.sum(np.triu({G}.T @ {G}))  sum(v_ for v_ in {V} if v_ > {X})
sum([a_ * b_ for a_, b_ in zip({V}, {V})])  max({V})  min({V}[1], {A})
sum(v_ > {X} for v_ in {V}) * {A}  np.sum({V}[5:])  np.sum({V}[None, :] * {V}[:, None])
np.cumsum({V})[{D}]  np.percentile({V}, 30)  np.sum(np.unique({I}) * 0.1) * {A}
np.sum({V}[{I}][{K}])  np.sum({V}[{K}][:1])  np.sum({M}[{I}[:4] % 4, {I}[1:] % 3])
np.sum({V}[{L}][1:3])  np.max({E}, initial=-9)
"""),
    "F": table("""
{A}  {A} * {A}  {R}  ({R}) * 0.3  math.sin({R})  ({C}) * {A}  -{A} if {C} else {A}  {A} ** 2
abs({A}) ** 0.5  {A} % 0.7  {A} // 0.3 * {A}  round({A}, 2) * {A}  max({A}, {X})
min({A}, {A}, {R})  ({A} > {X}) * {A}  {A} * (({A} > 0) + ({A} > {X}))  {A} * {N}
{A} * 2 ** -{D}  {A} / ({N} ** 2 + 1)  {A} * (~{N})  {A} * ({N} % 3 - 1)  {A} * (-{N} // 2)
{A} * ({N} & 1)  {A} * int({A} * 3)  {A} * ({N} or 2)  {A} * len({V}[{K}])  {A} * len({V}) ** -1
{A} * (1.5 ** -{N})  math.floor({A} * 2) * {A}  {A} * ({V}[0] > 0) + {A} * ({V}[1] > {X})
{A} * (({V}[0] > 0) + ({V}[1] > 0))  {A} * (not {C})  {A} * bool({N})  {V}[{N} % 5 - 5]
{V}[{I}[{D}]]  {V}[-{D}]  {A} * divmod({N}, 3)[1]  float({N}) * {A}  {A} * -{K}.sum()
math.hypot({A}, {A})  {A} * {K}.any() + {A} * {K}.all()  (lambda u_: u_ * {A})({A})
np.clip({A}, {X}, 0.9)  {A} * {0: 0.5, 1: {A}, 2: -0.3}[{D}]  [{A}, {A}, {X}][{D}]
({A}, {A})[{N} % 2]  {A} * (1 << {D})  {A} * ({N} ^ 3)  {A} * abs({N} - 2)
np.where({C}, {A}, {A})  {A} * {I}[{D}]  {A} * ({I}[{D}] > 1)  {A} * np.argmax({V})
math.copysign({A}, {A})
"""),
    "N": table("""
k  {N} + 1  {N} % 3  -{N}  {N} // 2  len({V})  {I}[{D}]  int({C})  np.sum({K})  np.argmax({V})
{K}.sum()  ({N} * 2 + 1) % 5  min({N}, 3)  ({C}) + {D}  {V}.size  {M}.shape[{D} % 2]
np.count_nonzero({K})  int({A} * 3)  {N} ^ 1
"""),
    "C": table("""
{A} > {X}  {A} <= {A}  {X} < {A} <= 0.8  {K}[{D}]  not {K}[{D}]  {N} > {D}  np.any({K})
{K}.all()  {A} > 0 and {K}[{D}]  {A} > {X} or {N} == {D}  {N}  np.all({V} < 0.9)
len({V}[{K}]) > {D}  {N} in (0, 2)  {N} % 2 == 0  {R} > {X}  any(v_ > 0.5 for v_ in {V})
all(v_ > {X} for v_ in {V})  {V}[0] < {V}[1] < {V}[2]  not {A} > {X}  {K}[0] & ~{K}[1]
{K}[0] == {K}[{D}]  ({A} > 0) != ({A} > {X})  bool({N})  {V}.max() > {A}  isinstance({A}, float)
"""),
    "H": table("""
math.sin  math.tanh  _poly  (lambda u_: u_ * {A})  abs
"""),
}
