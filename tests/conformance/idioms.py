"""The statements that people write with NumPy and Python, as templates.

The letters are those of ``expressions.py``.
"""

from __future__ import annotations

from tests.conformance.grammar import lines, paragraphs

MASKS = lines("""
{+K} = {K}  {+K} = {K}  {V}[{K}] = {B}  {V}[{K}] *= {A}  {V1}[{K1}] = {V}[{K1}]
{V1}[{K1}] += {E}[{K1}]  {V}[{K}] = 0  {V1}[{V1} > {X}] = {X}  {V1}[{V1} < 0] *= -1
{V}[{K}] -= 0.5 * {A}  {T} += 0.3 * math.tanh({R})  {+V} = np.where({K}, {E}, {E})
{M1}[{M1} > {X}] = {A}  {M1}[~({M1} > {X})] *= 0.5  {G}[{K}] += {M}[{D}]  {G}[{K}, {D}] = {A}
{M}[:, {M}[{D}] > {X}] -= 0.3  {G}[~{K}] = 0.0  np.copyto({V}, {E}, where={K})
np.putmask({V}, {K}, {E})  {T} = math.sin(sum(v_ for v_, k_ in zip({V}, {K}) if not k_))
{T} *= np.all({K}) or 0.5  {+V} = {V}[{K}].sum() * {V}
""") + paragraphs("""
{+K1} = {K}
{V}[~{K1}] = {B}

{+K1} = {K}
{K1} &= {K}

{+K1} = {K}
{K1}[{D}] = {C}

{+K1} = {K}
{K1}[::2] = False

{+K1} = {K}
{K1} |= {K}
{K1} ^= {K}

{+K1} = ~{K}
if {K1}.any():
    {T} = np.mean({V}[{K1}])

for v_, k_ in zip({V}, {K}):
    if k_:
        {T} += 0.1 * v_

for i_ in range(5):
    if not {K}[i_]:
        continue
    {T} += 0.2 * {V}[i_]

{+N} = {K}.sum()
if {R} > 0:
    {T} += 0.1

{+V1} = {V}.copy()
{V1}[{K}] = {A}
""")

GATHERS = lines("""
{+I} = {I}  {+I} = {I}  {+V} = {V}[{I}]  {V}[{I}] = {E}  {V}[{I}] += {A}  {V}[{J}] *= {A}
{V1}[{J1}] = {V}[{J1}]  np.add.at({V}, {I}, {E})  np.add.at({V}, {J}, {A})  {V}[{J}] = {X}
{M}[[0, 2], [1, 1]] += {A}  {M}[np.ix_([0, 3], [0, 2])] = {B}  {+V} = np.take({V}, {I})
{M}[np.arange(4), {I}[:4] % 3] -= 1.0  {G}[{I}] = {G}.copy()  {+M} = {G}[{I}[:4]]
{T} += 0.2 * {V}[{N} % 5]  {V}[{N} % 5] = {B}  {V}[::-1][{J}] = {X}
{V1}[{D}], {V1}[-1] = {V1}[-1], {V1}[{D}]  {V1}[{L}] = {V1} * {X}  {T} = {V}[{J}][0]
{V}[...] = {E}  {V}[{D}:] += {A}  {V1}[1:] -= 0.5 * {V1}[:-1]
""") + paragraphs("""
{+I1} = {I}
{I1} += 1
{I1} %= 5

{+I1} = {I}
{I1}[{K}] = {D}

{+I1} = {I}
{I1} //= 2

for i_ in {I}:
    {V}[i_] = 0.5 * {V}[i_] + {X}

{+I1} = np.empty(5, dtype=int)
{I1}[:] = {I}

{+V1} = np.zeros(5)
np.add.at({V1}, {I}, {E})

{+I1} = np.argsort({V1}, kind='stable')
{V1}[:] = {V1}[{I1}]

{+V1} = {V}[::-1]
{V1} *= {A}

{+V1} = {G}[:, {D}]
{V1} += {E}
""")

WHOLES = lines("""
{+V} = {E}  {+V} = {E}  {+V} = {E}  {+M} = {Q}  {V} += {E}  {V} *= {X}  {V} -= {V}.mean()
{M} -= {M}.mean(axis=0)  {M1} /= 1.5 + np.abs({M1}).max(axis=1, keepdims=True)  {M} *= {X}
{T} = math.tanh({R})  {T} += 0.3 * math.sin({R})  {T} = {F}  {+F} = {F}  {+F} = {R}
{M}[{D}] = {Q}[{D}]  {M}[:, {D}] = {V}[:4]
{V}[:] = np.sort({V})  {V} **= 2  {V} %= 0.8  {+V} = sum([{V}, {E}, {V}])
{+V} = np.array([np.sum({G}[i_]) for i_ in range(5)])  {V} //= 0.3  {V}.fill({A})  {V}.sort()
{G}[3:] = {G}[:2]  {V1}[1:] = {V1}[:-1]
""") + paragraphs("""
{+M1} = np.exp({Q})
{M1} /= {M1}.sum(axis=1, keepdims=True)

{+V1} = {M}.ravel()[:5]
{V1} += {A}

{+V1} = {G}.T[{D}]
{V1} *= {A}

{+V1} = {V}.reshape(5, 1)[:, 0]
{V1} -= {A}

{+V1} = {+V2} = {E}
{V1} += {A}

{+V1} = {V}
{+V} = {V1} * 2
{V1} += {A}

for r_ in {M}:
    r_ *= {X}

for r_ in {M}:
    {T} += 0.1 * r_[{D}]

for i_, r_ in enumerate({G}):
    r_ -= {V}[i_]

{+V1}, {+V2} = {E}, {E}
{V1} += {V2}

{+V1} = np.empty(5)
for i_ in range(5):
    {V1}[i_] = {V}[i_] * {A}

{+F1} = 0.0
for v_ in {V}:
    {F1} += v_ * {A}
""")

PLAIN = lines("""
{+N} = {N}  {T} = {F}  {T} += {F}  {T} *= {X}  {+F} = {F}  {+F} = {F}
{T} -= {A} if {C} else {X}  {T} = 0.5 * (u_ := {F}) + u_ * u_
{T} += 0.1 * {'a': {A}}.get('b', {X})  {+H} = lambda u_: u_ * {A} + {X}  {T} += 0.3 * {H}({A})
{T} = math.tanh({H}({A}) + {H}({X}))  {T} += 0.1 * sorted([{A}, {A}, {X}])[{D}]
{T} += 0.1 * max([abs({A}), {A}, {X}])
{T} += 0.1 * (Color.RED.value if {C} else Color.BLUE.value) * {A}
{T} += 0.1 * sum(a_ * i_ for i_, a_ in enumerate({V}))  {T} += 0.1 * (5 // (1 + {D})) * {A}
""") + paragraphs("""
if (u_ := {R}) > {X}:
    {T} += 0.1 * u_

{+F1} = {+F2} = {F}
{F1} += 1

d_ = {'a': {A}, 'b': {A}}
d_['a'] *= 2
{T} += 0.2 * sum(d_.values())

d_ = {'x': {V}, 'y': {V}}
d_['x'] += {A}
{T} += 0.1 * np.sum(d_['y'])

d_ = {0: {A}, 1: {A}}
for q_, v_ in d_.items():
    {T} += 0.1 * q_ * v_

d_ = {i_: {V}[i_] for i_ in range(3)}
d_[{D}] = {A}
{T} += 0.1 * sum(d_.values()) * len(d_)

def {+H}(u_, c_={A}):
    return math.sin(u_ * c_)

def {+H}(u_):
    if u_ > {X}:
        return u_ * u_
    return {A}

if {C}:
    return {A} * {X}

if {C}:
    {T} = {F}
elif {C}:
    {T} += {A}
else:
    {T} *= {X}

l_ = [{A}, {A}, {X}]
l_[{D}] += {A}
{T} += 0.1 * sum(l_)

l_ = [v_ * v_ for v_ in {V} if v_ > {X}]
{T} += 0.1 * sum(l_)

first_, *rest_ = ({A}, {A}, {X})
{T} += 0.1 * first_ * sum(rest_)

{T}, u_ = {A}, {F}
s += 0.1 * u_

for i_ in range({N} % 4):
    {T} += 0.1 * i_ * {A}

for i_ in reversed(range(3)):
    {T1} = 0.5 * {T1} + {V}[i_]

while {T1} > 0.5:
    {T1} *= 0.6

q_ = {N}
while q_ > 0:
    q_ //= 2
    {T} += 0.1 * {A}

try:
    {T} = math.sqrt({A})
except ValueError:
    {T} = {X}

match {N} % 3:
    case 0:
        {T} += {A}
    case 1 | 2:
        {T} -= {A}

for a_, b_ in zip({V}, {V}[1:]):
    {T} += 0.1 * a_ * b_

c_ = Color.BLUE if {C} else Color.RED
if c_ is Color.RED:
    {T} += 0.1 * {A}

{+F1}: float = {F}
{F1} /= 2

p_ = Pair({A}, {V})
{T} += 0.1 * p_.first * p_.second[{D}]

n_ = 0
for v_ in {V}:
    n_ += v_ > {X}
{T} += 0.1 * n_ * {A}

found_ = False
for v_ in {V}:
    if v_ > {X}:
        found_ = True
        break
{T} += 0.1 if found_ else {A}

best_ = {V1}[0]
for v_ in {V1}[1:]:
    if v_ > best_:
        best_ = v_
{T} += 0.1 * best_

for v_ in {V}:
    if v_ > 0.9:
        {T} += 0.1
        break
else:
    {T} += {A}

assert len({V}) == 5
{T} += 0.1
""")
