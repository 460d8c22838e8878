"""Arguments for the programs of the catalogue: by annotation, and by name where that won't do."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import (
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import numpy as np
from numpy.typing import NDArray

Argument = object
FLOATS = (0.71, 0.37, 1.23, -0.58, 0.94, 0.28, 1.41, 0.66)


def arguments(function: Callable[..., object], theme: str) -> tuple[Argument, ...]:
    """Fresh arguments for a program of ``theme``."""
    given = SPECIAL.get(f"{theme}.{function.__name__}", {})
    every = inspect.signature(function).parameters.values()
    parameters = [p for p in every if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    hints = get_type_hints(function, include_extras=True)
    made = {
        p.name: drawn(hints[p.name], k) if p.default is p.empty else p.default
        for k, p in enumerate(parameters)
        if p.name not in given
    }
    return tuple({**given, **made}[p.name] for p in parameters)


def drawn(annotation: object, position: int) -> Argument:
    """An argument of the kind that ``annotation`` names, another one at each position."""
    if get_origin(annotation) is NotRequired:
        return drawn(get_args(annotation)[0], position)
    if annotation is float:
        return FLOATS[position]
    if annotation is complex:
        return complex(FLOATS[position], FLOATS[position + 1])
    if annotation is int:
        return 3
    if annotation is bool:
        return True
    if annotation is str:
        return "text"
    if annotation in (Any, dict, list) or get_origin(annotation) is Callable:
        return None  # nobody looks at it
    if get_origin(annotation) in (Union, UnionType):
        return drawn(get_args(annotation)[0], position)
    if isinstance(annotation, type) and issubclass(annotation, Enum | NoneType):
        return next(iter(annotation)) if issubclass(annotation, Enum) else None
    if isinstance(annotation, type) and annotation.__module__ != "numpy":
        return struct(annotation, position)
    if get_origin(annotation) is dict:
        keys, values = get_args(annotation)
        named = keys is str or get_origin(keys) is Literal
        names = ("one", "two", "three") if named else (1, 2, 3)
        names = names if named or keys is int else ((1, 0), (2, 1), (3, 2))
        made = (drawn(values, (position + k) % 4) for k in range(3))
        return dict(zip(names, made, strict=True))
    if get_origin(annotation) in (tuple, list, Sequence):
        parts = get_args(annotation)
        if str in parts and ... not in parts and get_origin(annotation) is not tuple:
            return ["one", "two", "one"]
        if get_origin(annotation) is not tuple or ... in parts:
            several = [drawn(parts[0], (position + k) % 4) for k in range(3)]
            several[1] = with_gaps(several[1], parts[0])
            return several if ... not in parts else tuple(several)
        return tuple(drawn(part, (position + k) % 4) for k, part in enumerate(parts))
    if get_origin(annotation) is Literal:
        return get_args(annotation)[0]
    rng = np.random.default_rng(position + 11)
    if not hasattr(annotation, "__metadata__"):  # no rank is said: a vector
        return rng.uniform(0.2, 1.1, 5)
    (axes,) = annotation.__metadata__  # type: ignore[attr-defined]
    if axes == "k":
        return np.array((0, 2, 1, 2))
    shape = [SIZES[axis] for axis in axes.split()]
    (scalars,) = annotation.__origin__.__args__[1].__args__  # type: ignore[attr-defined]
    real = np.asarray(rng.uniform(0.2, 1.1, shape) * rng.choice((1.0, 1.0, -1.0), shape))
    return real + 1j * rng.uniform(-0.9, 0.9, shape) if scalars is np.complex128 else real


def struct(cls: type, position: int) -> Argument:
    """An instance of a NamedTuple, dataclass, TypedDict or plain class: other values everywhere."""
    hints = get_type_hints(cls, include_extras=True)
    if is_typeddict(cls):
        return {name: drawn(hints[name], (position + k) % 4) for k, name in enumerate(hints)}
    names = list(getattr(cls, "_fields", ()))
    if is_dataclass(cls):
        names = [f.name for f in fields(cls) if f.init]
    elif not names:
        hints = get_type_hints(cls.__init__, include_extras=True)
        names = [name for name in hints if name != "return"]
    links = [name for name in names if cls in get_args(hints[name])]
    plain = [name for name in names if name not in links]
    made = {name: drawn(hints[name], (position + k) % 4) for k, name in enumerate(plain)}
    for k, name in enumerate(links, position + 1):
        if get_origin(hints[name]) is list:
            made[name] = [struct(cls, one) for one in (k, k + 1) if one < LINKED]
        else:
            made[name] = struct(cls, k) if k < LINKED else None
    return cls(**made)


GAPS = (float, int, str, NoneType)


def is_enum(annotation: object) -> bool:
    return isinstance(annotation, type) and issubclass(annotation, Enum)


def may_be_gap(annotation: object) -> bool:
    """True for a number, text, member of an enum or array that may be None."""
    if get_origin(annotation) not in (Union, UnionType):
        return False
    return all(
        one in GAPS or is_enum(one) or hasattr(one, "__metadata__") for one in get_args(annotation)
    )


def with_gaps(value: Argument, annotation: object) -> Argument:
    """``value`` with None for the numbers and texts in it that may be None."""
    if may_be_gap(annotation):
        return None
    if get_origin(annotation) is tuple and isinstance(value, tuple):
        return tuple(map(with_gaps, value, get_args(annotation)))
    if not (is_dataclass(annotation) or hasattr(annotation, "_fields")):
        return value
    gaps = {n: None for n, t in get_type_hints(annotation).items() if may_be_gap(t)}
    if not gaps:
        return value
    if not is_dataclass(value):
        return value._replace(**gaps)  # type: ignore[attr-defined]
    return replace(value, **gaps)  # type: ignore[type-var]


LINKED = 4  # objects that refer to others of their class, in a row
DECAY: Mapping[str, Argument] = {"k1": 0.7, "k2": 1.9}

SIZES: Mapping[str, int] = {
    "n": 5, "l": 7, "r": 4, "c": 3, "d": 4, "p": 2, "q": 3, "s": 4, "1": 1, "2": 2, "3": 3,
}  # fmt: skip


class Field(NamedTuple):
    amplitude: complex
    width: float


def vector(*values: float) -> NDArray[np.float64]:
    return np.array(values, dtype=np.float64)


LAYERS: Mapping[str, Argument] = {
    "ws": [np.cos(np.arange(float(m * n)) + m).reshape(m, n) for m, n in ((3, 4), (4, 2), (2, 5))],
    "bs": [vector(0.4, 0.2, -0.3, 0.9), vector(0.6, -0.4), vector(0.2, 0.5, 0.7, -0.8, 0.1)],
    "x": np.sin(np.arange(18.0) + 1).reshape(6, 3),
    "v": vector(0.9, -0.7, 0.2, 0.8),
}


# What is not drawn: for coverage of all branches, or since the program asks for it.
SALES = [
    {"price": 2.0, "quantity": 3.0, "fee": 1.0},
    {"quantity": 1.5, "price": 4.0},
    {"price": 1.0, "quantity": 2.5},
]
SPECIAL: Mapping[str, Mapping[str, Argument]] = {
    "equal_to_none.in_displays": {"xs": [1, None, 3, 2, 5, None]},
    "equal_to_none.in_lists": {"xs": [7, None, 2], "ys": [2, 3]},
    "equal_to_none.keys_or_none": {"names": ["one", None, "two", "other"]},
    "equal_to_none.counted": {"xs": [7, None, 2, None]},
    "made_texts.of_the_caller": {"names": ["node1", "node0", "other"]},
    "made_texts.looked_up": {"params": {"k0": 0.7, "k1": 1.3, "k2": -0.4, "k3": 2.0}},
    "dicts_in_lists.bumped": {"row": {"a": 0.7, "b": 0.2}},
    "dicts_in_lists.area": {"row": {"a": 0.7, "b": 0.2}},
    "dicts_in_lists.summary": {"log": [{"x": 0.7, "v": 0.2}, {"x": 1.3, "v": -0.4}]},
    **{
        f"made_texts.{name}": {"params": {"k0": 0.7, "k1": 1.3, "m0": -0.4, "m1": 2.0, "k2": 0.2}}
        | ({"names": ["k", "m"]} if name == "behind_a_name" else {})
        for name in ("behind_a_name", "by_layer")
    },
    "tagged_lists.beside_texts_of_the_caller": {"names": ["a", "b", "a"]},
    "gaps_in_lists.emptied": {"limit": 0.5},
    "gaps_in_lists.names": {"words": ["square", None, "other"]},
    "gaps_in_lists.looked_up": {"name": "two"},
    "gaps_in_lists.filled_in": {"found": {2: 0.7, 3: None, 5: -0.4}},
    "gaps_in_lists.any_length": {"xs": (0.7, None, 1.3)},
    "nested_containers.written_out": {
        "params": {"one": {"two": 0.7}, "three": {"one": 1.3, "b": 0.2}}
    },
    **{
        f"nested_containers.{name}": {"rows": SALES}
        for name in ("turnover", "looked_through", "column_of")
    },
    "dialect.text_signature": {"x": np.linspace(0.3, 1.2, 5), "k": 3},
    "dialect.signature_of_objects": {"a": np.linspace(-0.9, 1.1, 12).reshape(3, 4), "y": 0.7},
    "dialect.signature_with_layout": {"a": np.linspace(-0.9, 1.1, 12).reshape(3, 4), "y": 0.7},
    "dialect.parameters_only": {"x": np.linspace(0.3, 1.2, 5), "k": 3},
    "kernels.two": {
        "x": np.linspace(0.3, 1.2, 5),
        "out_first": np.ones(5),
        "out_second": np.full(5, 0.7),
    },
    "vague.bare": {"k": 2},
    "vague.area_of_polygon": {"vertices": np.array([[0.1, 0.2], [1.0, 0.3], [0.7, 1.2]])},
    "vague.dot_of_rows": {"w": np.eye(3) + 0.2, "c": np.eye(3) - 0.3, "i": 1},
    "vague.inverse_of_a_sum": {"r": np.eye(2) + 0.1, "b": np.array([[0.3, 0.2], [0.5, 0.1]])},
    "vague.columns_that_add_up": {"links": np.array([[0.3, 0.2], [0.5, 0.1]])},
    "vague.rates_of_object": {"table": np.array([[0.3, 0.2], [0.5, 0.1]])},
    "vague.means_of_object": {"x": np.array([[0.3, 0.2], [0.5, 0.1]]), "y": np.eye(2) + 0.2},
    "text_order.edges": {"graph": {("b", "c"): 0.5, ("a", "z"): 1.5, ("b", "a"): 0.7}},
    "given_dicts.ranks_by_rounds": {"links": {0: [1, 2], 1: [2], 2: [0]}},
    "vague.quadratic_form": {"cov": np.linspace(-0.9, 1.1, 25).reshape(5, 5)},
    "vague.design_matrix": {"X": np.linspace(-0.9, 1.1, 10).reshape(5, 2)},
    "vague.with_intercept": {"X": np.linspace(-0.9, 1.1, 10).reshape(5, 2)},
    "vague.moved_rows": {"x": np.array([[0.3, 0.2], [0.5, 0.1]])},
    **{
        f"records.{name}": {"params": DECAY}
        for name in (
            "decayed",
            "by_helper",
            "in_function",
            "left_out",
            "asked_for",
            "tried",
            "by_branch",
            "renamed",
            "in_steps",
            "in_method",
            "beside",
        )
    },
    "records.of_arrays": {"weights": {"w": vector(0.4, 1.2, -0.3), "v": vector(0.9, 0.1, 0.5)}},
    "records.partial_some": {"options": {"gain": 0.8}},
    "records.nested_some": {"setup": {"rates": {"k1": 0.4, "k2": 1.1}, "x": 0.3}},
    "lookups.dispatched": {"name": "sin"},
    "lookups.named_twice": {"kind": "low", "name": "b"},
    "lookups.of_objects": {"name": "argon"},
    "lookups.of_class": {"name": "minus"},
    "lookups.by_helper": {"kind": "first"},
    **{f"lookups.{name}": {"kind": "square"} for name in ("by_method", "by_method_in_arms")},
    **{f"lookups.{name}": {"name": "c"} for name in ("priced", "priced_or", "is_priced")},
    **{
        f"searched.{name}": {"where": np.array([3, 1, 3, 7, 1])}
        for name in (
            "counted",
            "with_default",
            "default_by_function",
            "first_places",
            "products",
            "by_helper",
            "in_object",
            "best_and_sorted",
            "changed_while_looped",
        )
    },
    "lookups.by_numbers_of_array": {"where": np.array([1, 3, 7, 1, 3])},
    **{
        f"vague.{name}": {"a": np.linspace(-0.9, 1.1, 25).reshape(5, 5)}
        for name in (
            "unpacked_shape",
            "rows",
            "along_an_axis",
            "part_of_part",
            "by_calls",
        )
    },
    "optional.integer_or_number": {"n": 1.7},
    "absent.nobody": {"clock": None},
    "absent.two": {"other": None},
    "absent.nobody_around": {"state": None},
    "branches.boolean_value": {"x": 0.5, "k": 3},
    "branches.match_guard": {"k": 2},
    "branches.chained": {"x": 0.4, "a": 0.6},
    "branches.long_or": {"i": 2, "j": 3},
    "branches.raising": {"k": 2},
    "texts_by_number.speed": {"text": "-km / min"},
    "texts_by_number.after_others": {"after": {"one": ["two", "three"], "three": []}},
    "texts_by_number.by_sector": {"sectors": {"one": "oil", "two": "tech"}},
    "texts_by_number.turned": {"unit": "c.m."},
    "texts_by_number.words": {"text": " one,  two 37, three"},
    "loops.step_from_argument": {"k": 2},
    "whiles.for_in_while": {"k": 2},
    "carried.fibonacci": {"k": 1},
    "whiles.newton": {"a": 2.3},
    "whiles.while_break": {"x": 0.3, "a": 0.9},
    "carried.bisection": {"a": 0.4, "lo": 0.1, "hi": 1.3},
    "complex_numbers.takes_tuple": {"field": Field(0.7 - 0.3j, 1.3)},
    "complex_numbers.while_over_array": {"bound": 30.0},
    "complex_numbers.mandelbrot": {"c": 0.31 - 0.42j},
    "complex_numbers.schroedinger": {"dt": 0.2},
    "complex_numbers.masked": {"z": 0.5 - 0.2j},
    **{
        f"given_lists.{name}": {
            "t": [[0.3, 0.8, -0.4], [1.2, 0.5], [0.1, 0.9, 0.7, -0.2]],
            "near": [[1, 2], [0], [0, 1, 2]],
        }
        for name in ("table", "rows_as_arrays", "rows_apart", "one_table", "three_rows")
    },
    "given_lists.ragged": {"xs": [vector(0.3, -0.7), vector(), vector(0.2, 0.9, 1.1)]},
    "given_lists.ragged_loops": {"xs": [vector(0.3, -0.7), vector(0.5), vector(0.2, 0.9, 1.1)]},
    "given_lists.matrices": {"ms": [0.3 + np.eye(2, 3), 0.1 - np.eye(4, 2)]},
    "given_lists.arrays_as_given": {"xs": [vector(0.3, -0.7), vector(0.5)]},
    "implied_volatility.implied_volatility": {
        "value": 0.25,
        "forward": 1.05,
        "strike": 0.98,
        "maturity": 1.5,
    },
    **{
        f"uneven.{name}": LAYERS
        for name in (
            "stages",
            "gradients",
            "trained",
            "momentum",
            "as_a_stack",
            "halves",
            "in_tuples",
            "by_condition",
            "others_later",
            "out_of_front",
            "moved",
            "changed_copies",
            "joined",
            "rows_of_all",
            "tails",
        )
    },
    "calls.takes_tuple": {"p": (0.7, 1.3), "q": (0.4, (2, 1.1))},
}
