"""Products of matrices, vectors and tensors: contractions of two arrays over some of their axes.

What is a matrix product after transposing and reshaping is one, by BLAS; a product with batch axes
is a loop nest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_lowercase, ascii_uppercase

from mooncake_rules.arrays import (
    Arr,
    Num,
    Stage,
    Table,
    Value,
    combine,
    common_size,
    elementwise,
    expand,
    fix_axis,
    product,
)
from mooncake_rules.arrays.elementwise import broadcast_shape
from mooncake_rules.library.support import addition, as_array, astype, is_complex, is_float
from mooncake_rules.library.views import shown

TABLE = Table()

PRODUCTS = (
    "x @ x.T", "x @ v", "w @ x", "v @ u", "x.T @ x", "m @ m", "t @ x.T", "t @ v", "w @ t",
    "t @ np.swapaxes(t, 1, 2)", "np.matmul(x, v)",
    "z @ z.T", "z.conj().T @ x", "w @ z", "z[0] @ (v * 1j)", "t @ z.T", "(x + z) @ (v - 1j * u)",
)  # fmt: skip


@TABLE.add("numpy.matmul numpy.linalg.matmul", *PRODUCTS)
def matmul(s: Stage, a: object, b: object) -> Value:
    """``a @ b``: matrix products, of stacks of matrices too."""
    x, y = as_array(s, a), as_array(s, b)
    if x.ndim == 0 or y.ndim == 0:
        raise s.refuse("a matrix product needs arrays", "multiply by a number with *", "MK213")
    dtype = s.promote(x, y)
    x, y = astype(s, x, dtype), astype(s, y, dtype)
    common_size(s, x.shape[-1], y.shape[0 if y.ndim == 1 else -2], "matmul")
    if y.ndim <= 2 and x.ndim > 2:
        rows = s.reshape(x, (product(s, x.shape[:-1]), x.shape[-1]))
        found = matmul(s, rows, y)
        assert isinstance(found, Arr)
        return s.reshape(found, (*x.shape[:-1], *y.shape[1:]))
    if y.ndim > 2:
        return _stacked(s, x, y, dtype)
    if x.ndim == y.ndim == 1:
        return dot_of_vectors(s, x, y, dtype)
    if s.minimal or not is_float(dtype):
        return _by_loops(s, x, y, dtype)
    (out,) = s.rule("matmul", matmul_rule, x, y)
    assert isinstance(out, Arr)
    return s.in_order(s.shaped(out, (*x.shape[:-1], *y.shape[1:])))


def dot_of_vectors(s: Stage, x: Arr, y: Arr, dtype: str) -> Num | complex:
    """The sum of products of two vectors."""
    size = common_size(s, x.shape[0], y.shape[0], "dot")
    start = s.cast(0, dtype)

    def step(accs: Sequence[Num | complex], i: Num | int) -> tuple[Num | complex]:
        return (s.op(addition(dtype), accs[0], s.op("mul", x.at(i), y.at(i))),)

    return s.fold((size,), (start,), step)[0]


def matmul_rule(
    s: Stage, a: Arr, b: Arr, primitive: str = "matmul"
) -> tuple[tuple[Num | Arr, ...], Callable[..., tuple[()]]]:
    """The rule of ``a @ b``: ``c_bar b^H`` and ``a^H c_bar``; vectors are rows or columns."""
    results = s.primitive(primitive, (a, b), ((a.dtype, a.ndim + b.ndim - 2),))

    def pullback(c_bar: Arr, a_bar: Arr, b_bar: Arr) -> tuple[()]:
        left, right = adjoint(s, a), adjoint(s, b)
        if a.ndim == 1:
            s.primitive("matmul_add", (conj(s, b), c_bar, a_bar), ())
        else:
            s.primitive("matmul_add", (c_bar, right, a_bar), ())
        s.primitive("matmul_add", (left, c_bar, b_bar), ())
        return ()

    return results, pullback


def conj(s: Stage, a: Arr) -> Arr:
    if not is_complex(a.dtype):
        return a
    return a.lazy(a.shape, lambda *index: s.op("np.conj", a.at(*index)))


def adjoint(s: Stage, a: Arr) -> Arr:
    """The conjugate transpose; a vector stays one."""
    return conj(s, s.view(a, (), tuple(range(a.ndim))[::-1]))


def _by_loops(s: Stage, x: Arr, y: Arr, dtype: str) -> Arr:
    rows, columns = x.shape[:-1], y.shape[1:]
    out = s.new((*rows, *columns), dtype, 0)

    def one(*index: Num | int) -> None:
        at, k, to = index[: len(rows)], index[len(rows)], index[len(rows) + 1 :]
        s.add(out, (*at, *to), s.op("mul", x.at(*at, k), y.at(k, *to)))

    s.nest((*rows, x.shape[-1], *columns), one)
    return s.in_order(out)


def _stacked(s: Stage, x: Arr, y: Arr, dtype: str) -> Value:
    """Products of stacks of matrices, whose leading axes are broadcast."""
    batch = broadcast_shape(s, (x.shape[:-2], y.shape[:-2]), "matmul")
    left = () if x.ndim == 1 else (x.shape[-2],)
    shape = (*batch, *left, y.shape[-1])
    wide_x = expand(x, (*batch, *x.shape[-2:])) if x.ndim > 2 else x.at
    wide_y = expand(y, (*batch, *y.shape[-2:]))
    out = s.new(shape, dtype, 0)
    n = len(batch)

    def one(*index: Num | int) -> None:
        at, rows, (k, j) = index[:n], index[n:-2], index[-2:]
        a = wide_x(*at, *rows, k) if x.ndim > 2 else x.at(*rows, k)
        s.add(out, (*at, *rows, j), s.op("mul", a, wide_y(*at, k, j)))

    s.nest((*batch, *left, x.shape[-1], y.shape[-1]), one)
    return out


@TABLE.add("numpy.tensordot numpy.linalg.tensordot", "np.tensordot(t, x, axes={axes})",
           "np.tensordot(x, y, 2)",
           "np.tensordot(v, w, 0)", "np.tensordot(t, t, axes=([0, 2], [0, 2]))",
           axes=(([1, 2], [0, 1]), ([2], [1]), ((-1,), (-1,)), (2, 1), ([1], [0])))  # fmt: skip
def tensordot(s: Stage, a: object, b: object, axes: object = 2) -> Value:
    x, y = as_array(s, a), as_array(s, b)
    if isinstance(axes, tuple | list) and len(axes) == 2:
        ours, theirs = (_listed(s, side, of.ndim) for side, of in zip(axes, (x, y), strict=True))
    elif isinstance(axes, int) and not isinstance(axes, bool) and 0 <= axes <= min(x.ndim, y.ndim):
        ours, theirs = list(range(x.ndim - axes, x.ndim)), list(range(axes))
    else:
        raise s.refuse("the axes of tensordot must be a constant", None, "MK310")
    if len(ours) != len(theirs):
        raise s.refuse("tensordot: as many axes of the one as of the other", None, "MK216")
    names = [chr(ord("a") + k) for k in range(x.ndim + y.ndim)]
    first = names[: x.ndim]
    second = [first[ours[theirs.index(k)]] if k in theirs else names[x.ndim + k]
              for k in range(y.ndim)]  # fmt: skip
    out = [n for k, n in enumerate(first) if k not in ours]
    out += [n for k, n in enumerate(second) if k not in theirs]
    return contract(s, x, first, y, second, out)


def _listed(s: Stage, axes: object, ndim: int) -> list[int]:
    given = axes if isinstance(axes, tuple | list) else (axes,)
    return [fix_axis(s, axis, ndim) for axis in given]


@TABLE.add(
    "numpy.dot ndarray.dot", "np.dot(v, u)", "np.dot(x, v)", "np.dot(m, x)", "np.dot(t, v)",
    "np.dot(a, x)", "x.dot(v)", "np.dot(t, x.T)",
)  # fmt: skip
def dot(s: Stage, a: object, b: object) -> Value:
    x, y = as_array(s, a), as_array(s, b)
    if x.ndim == 0 or y.ndim == 0:
        return elementwise(s, "mul", x, y)
    if y.ndim <= 2 and x.ndim <= 2:
        return matmul(s, x, y)
    return tensordot(s, x, y, ((x.ndim - 1,), (max(y.ndim - 2, 0),)))


@TABLE.add("numpy.inner", "np.inner(v, u)", "np.inner(x, y)", "np.inner(t, v)", "np.inner(t, z)")
def inner(s: Stage, a: object, b: object) -> Value:
    x, y = as_array(s, a), as_array(s, b)
    if x.ndim == 0 or y.ndim == 0:
        return dot(s, x, y)
    return tensordot(s, x, y, ((x.ndim - 1,), (y.ndim - 1,)))


@TABLE.add("numpy.outer", "np.outer(v, w)", "np.outer(x, v)", "np.outer(a, v)", "np.outer(z[0], v)")
def outer(s: Stage, a: object, b: object) -> Arr:
    x, y = (_flat(s, as_array(s, one)) for one in (a, b))
    return combine(
        s, s.promote(x, y), True, lambda p, q: s.op("mul", p, q),
        x.lazy((*x.shape, 1), lambda i, _: x.at(i)), y,
    )  # fmt: skip


def _flat(s: Stage, array: Arr) -> Arr:
    return s.keep(array) if array.ndim == 1 else s.reshape(array, (product(s, array.shape),))


@TABLE.add("numpy.vdot", "np.vdot(v, u)", "np.vdot(z, x)", "np.vdot(x, 1j * z)")
def vdot(s: Stage, a: object, b: object) -> Num | complex:
    x, y = (_flat(s, as_array(s, one)) for one in (a, b))
    return dot_of_vectors(s, conj(s, x), y, s.promote(x, y))


@TABLE.add("numpy.trace ndarray.trace", "np.trace(m)", "np.trace(x, offset={k})", "x.trace()",
           "np.trace(t, axis1={one}, axis2=2)", "np.trace(t)",
           k=(1, -1, 2), one=(0, 1))  # fmt: skip
def trace(s: Stage, a: object, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Value:
    diagonal = s.call("numpy.diagonal", a, offset, axis1, axis2)
    found = s.call("numpy.sum", diagonal, axis=-1)
    assert isinstance(found, Arr | Num | int | float | complex)
    return found


@TABLE.add(
    "numpy.linalg.multi_dot", "np.linalg.multi_dot([w, x, v])", "np.linalg.multi_dot((m, x))"
)
def multi_dot(s: Stage, arrays: Sequence[object]) -> Value:
    """The product of several matrices, from left to right."""
    found: Value = as_array(s, arrays[0])
    for array in arrays[1:]:
        found = matmul(s, found, array)
    return found


# ---- subscripts ---------------------------------------------------------------------------------


@TABLE.add(
    "numpy.einsum", "np.einsum({one}, x)", "np.einsum({two}, x, y)", "np.einsum({three}, t, x)",
    "np.einsum('ij,jk,kl->il', m, x, x.T)", "np.einsum('i,j', v, w)", "np.einsum('ii', m)",
    "np.einsum('ii->i', m)", "np.einsum('i,i,i', v, u, v)", "np.einsum('...j,j->...', t, v)",
    "np.einsum('ki,kj->ij', x, y)", "np.einsum(',ij->ji', a, x)",
    "np.einsum(x, [0, 1], y, [2, 1], [0, 2])", "np.einsum(x, [1, 0])", "np.einsum(x, [0, 1], [])",
    "np.einsum({two}, z, y)", "np.einsum('ij,ij->', z, z.conj())", "np.einsum('ij,j,kj', z, v, z)",
    one=("ij->ji", "ij->i", "ij->", "ij", "ji", "ij->ij"),
    two=("ij,ij->", "ij,ij->ij", "ij,kj->ik", "ij,ij->i", "ij,kl->ijkl", "ij,kl->ik", "ij,ik->ijk"),
    three=("bij,ij->b", "bij,ij->bj", "bij,kj->bik", "bij,kj->kbi", "bij,ki->bkj"),
)  # fmt: skip
def einsum(s: Stage, subscripts: object, *operands: object, optimize: object = False) -> Value:
    """A sum of products; several operands are contracted from left to right."""
    if isinstance(subscripts, Arr):
        subscripts, operands = _as_text(s, (subscripts, *operands))
    if not isinstance(subscripts, str):
        raise s.refuse("the subscripts of einsum must be a constant text", None, "MK310")
    arrays = [as_array(s, operand) for operand in operands]
    names, out = _parsed(s, subscripts.replace(" ", ""), arrays)
    terms = [_without_repeats(s, array, of) for array, of in zip(arrays, names, strict=True)]
    while len(terms) > 1:
        (x, xs), (y, ys), *rest = terms
        needed = {*out, *(n for _, of in rest for n in of)}
        x, xs = _summed(s, x, xs, {*needed, *ys})
        y, ys = _summed(s, y, ys, {*needed, *xs})
        kept = list(out) if not rest else [n for n in dict.fromkeys([*xs, *ys]) if n in needed]
        found = contract(s, x, xs, y, ys, kept)
        terms = [(as_array(s, found), kept), *rest]
    x, xs = _summed(s, *terms[0], set(out))
    result = s.view(x, (), [xs.index(n) for n in out]) if xs != list(out) else x
    return result if result.ndim else result.at()


def _as_text(s: Stage, given: Sequence[object]) -> tuple[str, tuple[object, ...]]:
    """``einsum(x, [0, 1], y, [1, 2], [0, 2])``: the subscripts as text, and the operands."""
    lists = given[1::2] if len(given) % 2 == 0 else (*given[1::2], given[-1])
    operands = given[::2] if len(given) % 2 == 0 else given[:-1:2]
    letters = ascii_uppercase + ascii_lowercase  # in the order of the numbers
    texts = []
    for one in lists:
        if not isinstance(one, list | tuple) or not all(_is_subscript(k) for k in one):
            raise s.refuse("the subscripts of einsum must be lists of constants", None, "MK310")
        texts.append("".join(letters[k] for k in one))
    ins = ",".join(texts[: len(operands)])
    return (f"{ins}->{texts[-1]}" if len(texts) > len(operands) else ins), tuple(operands)


def _is_subscript(k: object) -> bool:
    return isinstance(k, int) and not isinstance(k, bool) and 0 <= k < 52


def _parsed(s: Stage, text: str, arrays: Sequence[Arr]) -> tuple[list[list[str]], list[str]]:
    """The names of the axes of each operand, and of the result."""
    left, arrow, right = text.partition("->")
    parts = left.split(",")
    if len(parts) != len(arrays):
        raise s.refuse(f"einsum: {len(parts)} subscripts for {len(arrays)} operands", None, "MK216")
    dots = max((a.ndim - len(p) + 3 for a, p in zip(arrays, parts, strict=True) if "..." in p),
               default=0)  # fmt: skip
    names = []
    for array, part in zip(arrays, parts, strict=True):
        own = array.ndim - len(part) + 3 if "..." in part else 0
        head, _, tail = part.partition("...")
        names.append([*head, *(f".{k}" for k in range(dots - own, dots)), *tail])
        if len(names[-1]) != array.ndim:
            raise s.refuse(f"einsum: {part!r} for an array of rank {array.ndim}", None, "MK216")
    spread = [f".{k}" for k in range(dots)]
    if arrow:
        head, ellipsis, tail = right.partition("...")
        return names, [*head, *(spread if ellipsis else []), *tail]
    every = [n for of in names for n in of if not n.startswith(".")]
    return names, [*spread, *sorted(n for n in set(every) if every.count(n) == 1)]


def _without_repeats(s: Stage, array: Arr, names: list[str]) -> tuple[Arr, list[str]]:
    """``array`` along the diagonal of axes of the same name."""
    distinct = list(dict.fromkeys(names))
    if len(distinct) == len(names):
        return array, names
    sizes: dict[str, Num | int] = {}
    for name, size in zip(names, array.shape, strict=True):
        sizes[name] = common_size(s, sizes[name], size, "einsum") if name in sizes else size

    def at(*index: Num | int) -> Num | complex:
        return array.at(*(index[distinct.index(n)] for n in names))

    return shown(array.lazy(tuple(sizes[n] for n in distinct), at), array), distinct


def _summed(s: Stage, array: Arr, names: list[str], needed: set[str]) -> tuple[Arr, list[str]]:
    """``array`` summed over the axes that nothing needs."""
    axes = tuple(k for k, n in enumerate(names) if n not in needed)
    if not axes:
        return array, names
    found = s.call("numpy.sum", array, axis=axes, dtype=array.dtype)
    return as_array(s, found), [n for n in names if n in needed]


def contract(
    s: Stage, x: Arr, xs: Sequence[str], y: Arr, ys: Sequence[str], out: Sequence[str]
) -> Value:
    """The sum of products over the named axes of ``x`` and ``y`` that are not in ``out``.

    Every axis is in both arrays or in the result.
    """
    dtype = s.promote(x, y)
    x, y = astype(s, x, dtype), astype(s, y, dtype)
    for size, name in zip(x.shape, xs, strict=True):
        if name in ys:
            common_size(s, size, y.shape[ys.index(name)], "contraction")
    summed = [n for n in xs if n in ys and n not in out]
    batch = [n for n in xs if n in ys and n in out]
    left, right = [n for n in xs if n not in ys], [n for n in ys if n not in xs]
    if summed and not batch:
        return _by_matmul(s, x, xs, y, ys, (left, summed, right), out)
    sizes = dict(zip([*ys, *xs], [*y.shape, *x.shape], strict=True))

    def term(at: dict[str, Num | int]) -> Num | complex:
        return s.op("mul", x.at(*(at[n] for n in xs)), y.at(*(at[n] for n in ys)))

    if not summed:
        shape = tuple(sizes[n] for n in out)
        x, y = s.keep(x), s.keep(y)
        lazy = x.lazy(shape, lambda *i: term(dict(zip(out, i, strict=True))), dtype)
        return lazy if out else lazy.at()
    order = [*batch, *left, *summed, *right]
    result = s.new([sizes[n] for n in out], dtype, 0)

    def one(*index: Num | int) -> None:
        at = dict(zip(order, index, strict=True))
        s.add(result, [at[n] for n in out], term(at))

    s.nest([sizes[n] for n in order], one)
    return result


def _by_matmul(
    s: Stage,
    x: Arr,
    xs: Sequence[str],
    y: Arr,
    ys: Sequence[str],
    groups: tuple[list[str], list[str], list[str]],
    out: Sequence[str],
) -> Value:
    left, summed, right = groups
    sizes = dict(zip([*ys, *xs], [*y.shape, *x.shape], strict=True))
    rows = _grouped(s, x, xs, (left, summed))
    columns = _grouped(s, y, ys, (summed, right))
    found = matmul(s, rows, columns)
    if not isinstance(found, Arr):
        return found
    names = [*left, *right]
    wide = s.reshape(found, [sizes[n] for n in names]) if found.ndim != len(names) else found
    axes = [names.index(n) for n in out]
    return s.view(wide, (), axes)


def _grouped(s: Stage, array: Arr, names: Sequence[str], groups: Sequence[list[str]]) -> Arr:
    """``array`` with one axis per group of names that is not empty."""
    turned = s.view(array, (), [names.index(n) for group in groups for n in group])
    present = [group for group in groups if group]
    if all(len(group) == 1 for group in present):
        return turned
    sizes = dict(zip(names, array.shape, strict=True))
    return s.reshape(turned, [product(s, [sizes[n] for n in group]) for group in present])
