"""Tangents of each type of value, what is shared, what is refused; the table in the README."""

from __future__ import annotations

import doctest
from collections import namedtuple
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from mooncake_runtime import tangents
from mooncake_runtime.tangents import (
    Tree,
    add_to_primal,
    difference,
    dot,
    fdata,
    increment,
    join,
    randn_tangent,
    rdata,
    scale,
    zero_tangent,
)

from tests.runtime.tangent_values import Colour, Frozen, Node, Pair

README = Path(__file__).parents[2] / "runtime" / "README.md"
RNG = np.random.default_rng(0)


@dataclass
class Layer:
    w: np.ndarray
    b: float
    name: str = "layer"


@dataclass
class Wide(Layer):
    """Fields are inherited; what ``__init__`` derives is not derived again."""

    total: float = field(init=False)

    def __post_init__(self) -> None:
        self.total = float(self.w.sum())

    @cached_property
    def doubled(self) -> float:
        return 2.0 * self.b


LayerBar = namedtuple("LayerBar", "w b name")  # as generated modules return it


def layer() -> Layer:
    return Layer(np.array([1.0, 2.0]), 0.5)


def test_readme() -> None:
    failed, attempted = doctest.testfile(str(README), module_relative=False)
    assert attempted >= 10
    assert failed == 0


# ---- one tangent type per type ------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", [1.5, np.float32(1.5), np.float64(1.5), 1.5j, np.complex64(1.5j), np.float16(1.5)]
)
def test_scalars_keep_their_precision(value: Tree) -> None:
    results = [
        zero_tangent(value), randn_tangent(value, RNG), scale(np.float64(0.5), value),
        increment(value, type(value)(1)), add_to_primal(value, 0.5), difference(value, value),
    ]  # fmt: skip
    assert [type(result) for result in results] == [type(value)] * len(results)
    assert (fdata(value), rdata(value)) == (None, value)


@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("shape", [(), (0, 2), (2, 3)])
def test_arrays_keep_dtype_and_shape(dtype: str, shape: tuple[int, ...]) -> None:
    x = np.ones(shape, dtype)
    t = randn_tangent(x, RNG)
    for result in (t, zero_tangent(x), scale(2.0, t), add_to_primal(x, t), difference(x, t)):
        assert isinstance(result, np.ndarray)
        assert (result.dtype, result.shape) == (x.dtype, shape)
        assert not np.shares_memory(result, x)
    assert fdata(t) is t
    assert rdata(t) is None
    assert increment(t, x.astype("c16" if dtype[0] == "c" else "f8")) is t
    assert t.dtype == x.dtype


@pytest.mark.parametrize(
    "value",
    [
        None, True, 3, "text", b"bytes", Colour.RED, range(3), slice(1, 2), ..., np.int8(3),
        np.bool_(True), np.arange(3), np.array([True]), np.array(["a"]), np.sin, len, layer, float,
        "x".upper,
    ],
)  # fmt: skip
def test_no_tangent(value: Tree) -> None:
    assert zero_tangent(value) is None
    assert randn_tangent(value, RNG) is None
    assert scale(2.0, value) is None
    assert difference(value, value) is None
    assert rdata(value) is None
    assert dot(value, None) == dot(None, value) == 0.0
    assert np.all(add_to_primal(value, None) == value)


@pytest.mark.parametrize(
    "value", [object(), {1.0, 2.0}, iter([1.0]), SimpleNamespace(x=1.0), np.array([None]),
              [1.0, np.zeros(2, [("x", "f8")])]],
)  # fmt: skip
def test_unknown_types_are_refused(value: Tree) -> None:
    with pytest.raises(TypeError, match="no tangent type"):
        zero_tangent(value)
    with pytest.raises(TypeError, match="no tangent type"):
        dot(value, value)


class Body:
    __slots__ = ("__mass", "at")

    def __init__(self, at: np.ndarray, mass: float) -> None:
        self.at, self.__mass = at, mass

    @property
    def mass(self) -> float:
        return self.__mass

    def __call__(self) -> float:
        """A function has no tangent; an instance that can be called is no function."""
        return self.mass


class Named(Body):
    def __init__(self, at: np.ndarray, mass: float, name: str) -> None:
        super().__init__(at, mass)
        self.name, self.twin = name, self


def test_instances_of_plain_classes() -> None:
    """Their attributes, in slots or not, private or not; they have an address, as dataclasses."""
    x = Named(np.ones(2), 3.0, "a")
    t = zero_tangent(x)
    assert type(t) is Named
    assert t.name is None
    assert t.twin is t
    assert t.mass == 0.0
    assert t.at is not x.at
    assert np.all(t.at == 0.0)
    assert dot(x, x) == 11.0
    moved = add_to_primal(x, scale(2.0, x))
    assert (moved.mass, moved.name, moved.twin) == (9.0, "a", moved)


class Broken(ValueError):
    pass


@pytest.mark.parametrize("value", [Broken("a"), Random(3), np.random.default_rng(3)])
def test_what_is_more_than_its_attributes_is_refused(value: Tree) -> None:
    with pytest.raises(TypeError, match="no tangent type"):
        zero_tangent(value)


def test_tuples_and_namedtuples() -> None:
    x = Pair((1.0, 2), 3, np.ones(2))
    t = zero_tangent(x)
    assert type(t) is Pair
    assert t.first == (0.0, None)
    assert t.n is None
    assert fdata(t) == Pair((None, None), None, t.second)
    assert rdata(t) == Pair((0.0, None), None, None)
    assert fdata(t).second is t.second
    assert join(fdata(t), rdata(t)) == t
    moved = add_to_primal(x, Pair((0.5, None), None, None))
    assert moved.first == (1.5, 2)
    assert moved.n == 3


def test_frozen_dataclass() -> None:
    x = Frozen(1.0, "name", [np.ones(2), 2.0])
    t = zero_tangent(x)
    assert (t.value, t.label, t.other[1]) == (0.0, None, 0.0)
    assert fdata(t).other is t.other
    assert (fdata(t).value, rdata(t).other) == (None, None)
    assert rdata(t).value == 0.0
    result = increment(t, Frozen(2.0, "g", [np.ones(2), 3.0]))
    assert result is not t
    assert (t.value, result.value) == (0.0, 2.0)  # by value
    assert result.other is t.other  # in place
    assert t.other[1] == 3.0


def test_mutable_dataclass() -> None:
    x = Wide(np.array([1.0, 2.0]), 0.5)
    assert x.doubled == 1.0
    t = zero_tangent(x)
    assert type(t) is Wide
    assert (t.w.tolist(), t.b, t.name, t.total) == ([0.0, 0.0], 0.0, None, 0.0)
    assert fdata(t) is t
    assert rdata(t) is None
    assert increment(t, Wide(np.ones(2), 1.0)) is t
    assert (t.w.tolist(), t.b, t.total) == ([1.0, 1.0], 1.0, 2.0)
    moved = add_to_primal(x, t)
    assert (moved.name, moved.total) == ("layer", 5.0)
    assert moved.doubled == 3.0  # what is no field is not taken along


def test_unset_fields() -> None:
    x = Node(1.0)
    del x.late
    t = zero_tangent(x)
    assert not hasattr(t, "late")
    assert not hasattr(add_to_primal(x, t), "late")
    increment(t, Node(1.0))  # late is None there
    assert t.x == 1.0
    with pytest.raises(ValueError, match=r"\.late is set in one Node only"):
        increment(t, Node(1.0, late=2.0))
    with pytest.raises(TypeError, match="Node has no field 'late'"):
        increment(Node(1.0, late=2.0), t)


def test_lists_and_dicts() -> None:
    x = {"a": [1.0, 2, np.ones(2)], "b": 3.0}
    t = zero_tangent(x)
    assert list(t) == ["a", "b"]
    assert fdata(t) is t
    inner = t["a"]
    assert increment(t, {"b": 1.0, "a": [2.0, None, np.ones(2)]}) is t
    assert t["a"] is inner
    assert (t["b"], inner[0], inner[1], inner[2].tolist()) == (1.0, 2.0, None, [1.0, 1.0])
    assert zero_tangent([]) == []
    assert zero_tangent({}) == {}


# ---- what stands for a struct -------------------------------------------------------------------


@pytest.mark.parametrize(
    "bar",
    [
        LayerBar(np.array([3.0, 4.0]), 2.0, None), SimpleNamespace(w=np.array([3.0, 4.0]), b=2.0,
        name=None), Layer(np.array([3.0, 4.0]), 2.0), (np.array([3.0, 4.0]), 2.0, None),
    ],
    ids=lambda bar: type(bar).__name__,
)  # fmt: skip
def test_any_object_with_the_fields(bar: Tree) -> None:
    x = layer()
    t = increment(zero_tangent(x), bar)
    assert (t.w.tolist(), t.b) == ([3.0, 4.0], 2.0)
    moved = add_to_primal(x, bar)
    assert (moved.w.tolist(), moved.b, moved.name) == ([4.0, 6.0], 2.5, "layer")
    assert dot(t, bar) == 29.0
    assert difference(moved, x).b == 2.0


def test_gradients_are_tangents() -> None:
    bar = LayerBar(np.array([3.0, 4.0]), 2.0, None)
    assert dot(bar, layer()) == 12.0
    assert type(scale(2.0, bar)) is LayerBar
    total = increment(bar, layer())
    assert total.w is bar.w
    assert total.b == 2.5
    assert fdata(bar).w is bar.w
    assert join(fdata(bar), rdata(bar)) == bar
    assert dot(None, bar) == dot(LayerBar(None, 1.0, None), LayerBar(bar.w, None, None)) == 0.0


# ---- aliasing -----------------------------------------------------------------------------------


def test_what_is_shared_has_one_tangent() -> None:
    a, p = np.ones(3), layer()
    t = zero_tangent([a, (a, p), {"p": p, "w": p.w}])
    assert t[0] is t[1][0]
    assert t[1][1] is t[2]["p"]
    assert t[2]["w"] is t[1][1].w
    increment(t, t)
    increment(t, [np.ones(3), None, None])
    assert t[1][0].tolist() == [1.0, 1.0, 1.0]


def test_shared_memory_gets_the_sum_of_separate_tangents() -> None:
    """Tied weights: the gradients of two parameters that are one array."""
    a = np.ones(2)
    x, separate = (a, a), (np.array([1.0, 2.0]), np.array([10.0, 20.0]))
    t = increment(zero_tangent(x), separate)
    assert t[0].tolist() == t[1].tolist() == [11.0, 22.0]
    assert add_to_primal(x, separate)[0].tolist() == [12.0, 23.0]
    assert dot(t, separate) == dot(t[0], t[0]) == dot(t, t)


def test_views_that_overlap() -> None:
    m = np.arange(6.0)
    x = (m[:4], m[2:], m[::-1])
    t = zero_tangent(x)
    t[2][...] = 1.0
    assert t[0].tolist() == [1.0] * 4
    assert increment(t, t)[1].tolist() == [2.0] * 4
    assert dot(t, t) == 24.0
    moved = add_to_primal(x, t)
    assert moved[2].tolist() == [7.0, 6.0, 5.0, 4.0, 3.0, 2.0]
    moved[0][3] = 0.0
    assert moved[1][1] == 0.0
    increment(t, (np.ones(4), np.ones(4), np.ones(6)))
    assert t[2].tolist() == [4.0, 4.0, 5.0, 5.0, 4.0, 4.0]
    with pytest.raises(ValueError, match="overlap in one of the two values only at "):
        difference(x, (np.zeros(4), np.ones(4), np.ones(6)))


def test_parts_of_complex_arrays() -> None:
    z = np.array([1.0 + 2.0j, 3.0 - 1.0j])
    x = (z, z.real, z.imag[1:])
    t = zero_tangent(x)
    t[2][0] = 2.0
    assert t[0].tolist() == [0.0, 2.0j]
    assert dot(t, t) == 4.0
    assert increment(t, t)[0].tolist() == [0.0, 4.0j]
    assert add_to_primal(x, t)[2].tolist() == [3.0]


def test_addends_are_read_before_anything_is_changed() -> None:
    a, b = np.ones(2), np.full(2, 10.0)
    increment([a, b], [b, a])
    assert a.tolist() == b.tolist() == [11.0, 11.0]


def test_the_result_is_new_memory() -> None:
    x = [np.ones(2), layer()]
    for result in (zero_tangent(x), scale(1.0, x), add_to_primal(x, None), difference(x, x)):
        assert result is not x
        assert not np.shares_memory(result[0], x[0])
        assert not np.shares_memory(result[1].w, x[1].w)
    frozen = np.ones(3)
    frozen.flags.writeable = False
    assert zero_tangent(frozen).flags.writeable
    assert add_to_primal(frozen, frozen).tolist() == [2.0] * 3


# ---- graphs -------------------------------------------------------------------------------------


def ring(n: int) -> Node:
    nodes = [Node(float(i)) for i in range(n)]
    for i, made in enumerate(nodes):
        made.left, made.right = nodes[i - 1], nodes[(i + 1) % n]
    return nodes[0]


def test_cycles() -> None:
    x = ring(4)
    t = randn_tangent(x, RNG)
    assert t.right.right.right.right is t
    assert t.left.left is t.right.right
    assert dot(t, t) == pytest.approx(sum(v * v for v in tangents.flat(t)))
    back = difference(add_to_primal(x, t), x)
    assert back.left.right is back
    assert tangents.flat(back) == pytest.approx(tangents.flat(t))
    loop: list[Tree] = [1.0]
    loop.append((loop, loop))
    t = increment(zero_tangent(loop), scale(3.0, loop))
    assert t[0] == 3.0
    assert t[1][0] is t[1][1] is t


def test_cycles_through_frozen_structs() -> None:
    inner: list[Tree] = [2.0]
    x = Frozen(1.0, "f", inner)
    inner.append(x)
    t = zero_tangent(x)
    assert t.other[1].other is t.other
    assert increment(t, t).other is t.other


def test_long_lists_of_nodes() -> None:
    """No recursion, whatever the depth."""
    x: Tree = None
    frozen: Tree = None
    pairs: Tree = None
    for i in range(5000):
        x, frozen, pairs = Node(1.0, x), Frozen(float(i), "f", frozen), (1.0, pairs)
    for deep in (x, frozen, pairs):
        t = zero_tangent(deep)
        assert dot(increment(t, scale(2.0, deep)), t) >= 0.0
        assert tangents.flat(difference(add_to_primal(deep, t), deep)).size >= 5000
        join(fdata(t), rdata(t))


def test_equal_constants_are_different_values() -> None:
    """Tuples and floats are by value, even where the interpreter keeps one object for both."""
    pair = (1.0, 2.0)
    t = randn_tangent((pair, pair), RNG)
    assert t[0] != t[1]
    assert tangents.unit((pair, pair), 0) == ((1.0, 0.0), (0.0, 0.0))


# ---- what does not fit --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (1.0, 1, "float and int do not fit at "),
        (1, 1.0, "int and float do not fit"),
        (None, 1.0, "None and float do not fit"),
        ([1.0, {"k": 2.0}], [1.0, {"k": "x"}], r"float and str do not fit at .*\[1\]\['k'\]"),
        (np.ones(2), np.ones(3), r"shapes \(2,\) and \(3,\) do not fit"),
        (layer(), LayerBar(1.0, 1.0, None), r"shapes \(2,\) and \(\) do not fit at .*\.w"),
        (layer(), SimpleNamespace(b=1.0), "SimpleNamespace has no field 'w' at "),
        (layer(), LayerBar(None, None, 1.0), r"str and float do not fit at .*\.name"),
        ([1.0], [1.0, 2.0], "list of length 1 and list of length 2 do not fit"),
        ({"a": 1.0}, {"b": 1.0}, "do not fit"),
        ((1.0,), 1.0, "do not fit"),
        (1.0, (1.0,), "do not fit"),
        (Pair(1.0, 2, 3.0), (1.0, 2), "do not fit"),
        (np.ones(2), np.ones(2, int), "do not fit"),
    ],
)
def test_what_does_not_fit(a: Tree, b: Tree, message: str) -> None:
    t = [1.0, tangents.copy(a)]
    with pytest.raises((TypeError, ValueError), match=message):
        increment(t, [1.0, b])
    assert t[0] == 1.0  # nothing is changed
    with pytest.raises((TypeError, ValueError), match=message):
        add_to_primal(a, b)
    with pytest.raises((TypeError, ValueError)):
        difference(a, b)


def test_dot_of_what_does_not_fit() -> None:
    for a, b in [(1.0, 1), (1, 1.0), (np.ones(2), np.ones(3)), ([1.0], [1.0, 2.0])]:
        with pytest.raises((TypeError, ValueError), match="do not fit"):
            dot(a, b)


def test_complex_and_real() -> None:
    assert dot(1.0 + 2.0j, 3.0 + 4.0j) == 11.0
    assert dot(2.0, 3.0 + 4.0j) == dot(3.0 + 4.0j, 2.0) == 6.0
    assert dot(np.array([1.0 + 2.0j]), np.array([3.0])) == 3.0
    assert increment(1.0j, 2.0) == 2.0 + 1.0j
    for real in (1.0, np.ones(1)):
        with pytest.raises(TypeError, match="do not fit"):
            increment(real, real * 1j)
        with pytest.raises(TypeError, match="do not fit"):
            difference(real, real * 1j)


@pytest.mark.parametrize("factor", [1j, True, "2", np.ones(2), None])
def test_factors_are_real_numbers(factor: Tree) -> None:
    with pytest.raises(TypeError, match="the factor must be a real number"):
        scale(factor, 1.0)


def test_joining_twice_the_same() -> None:
    with pytest.raises(ValueError, match=r"both parts have a value at \[1\]"):
        join((None, 1.0), (1.0, 1.0))


def test_single_precision_is_summed_in_double() -> None:
    x = np.full(100_000, 0.1, np.float32)
    assert dot(x, x) == pytest.approx(1e5 * float(np.float32(0.1)) ** 2, rel=1e-13)
