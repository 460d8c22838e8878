"""Dicts that are looked up by keys of the run: each key, and those that are not there."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import numpy as np
import pytest
from mooncake_runtime.testing import check_gradients

from tests.programs.catalogue import Catalogue, open_catalogue

KEYS = {
    "dispatched": (("sin",), ("square",), ("shifted",), ("none",)),
    "priced": (("a",), ("c",), ("none",)),
    "priced_or": (("a",), ("c",), ("none",)),
    "is_priced": (("b",), ("none",)),
    "named_twice": (("low", "b"), ("high", "a"), ("high", "none"), ("none", "a")),
    "of_objects": (("helium",), ("argon",), ("none",)),
    "of_class": (("plus",), ("minus",), ("none",)),
    "literal": (("sin",), ("shifted",)),
    "by_helper": (("first",), ("second",), ("none",)),
    "by_method": (("linear",), ("power",), ("none",)),
    "by_method_in_arms": (("linear",), ("square",), ("none",)),
    "caught_text": (("a",), ("none",)),
    "by_number": ((1,), (3,), (7,), (2,), (-1,)),
    "stepped": ((0,), (1,), (3,), (2,)),
    "caught": ((1,), (2,)),
    "by_pair": ((3, 3), (0, 3), (3, 4), (4, 4), (2, 3)),
    "of_arrays": ((0,), (3,), (1,)),
    "mixed_keys": ((3,), (4,), (5,)),
    "by_truth": ((True,), (False,)),
    "changed_by_truth": ((3, True), (1, False), (1, True)),
    "changed_by_state": ((0,), (1,), (4,)),
    "in_loop": ((0,), (5,)),
}
# What a KeyError tells as it is; of others compiled code has no more than a text.
TELLS_NUMBER = ("by_number", "stepped", "of_arrays", "mixed_keys")


def _check(catalogue: Catalogue, name: str, keys: tuple[object, ...], *, jit: bool) -> None:
    primal = getattr(import_module("lookups"), name)
    generated = catalogue.module("lookups", jit=jit)
    missing = _key_error(primal, keys)
    if missing is None:
        check_gradients(primal, generated, (0.7, *keys))
        return
    with pytest.raises(KeyError) as found:
        getattr(generated, f"{name}_value_and_grad")(0.7, *keys)
    if name in TELLS_NUMBER:
        assert found.value.args == missing.args


def _key_error(primal: Callable[..., float], keys: tuple[object, ...]) -> KeyError | None:
    try:
        primal(0.7, *keys)
    except KeyError as error:
        return error
    return None


def _pairs() -> list[tuple[str, tuple[object, ...]]]:
    return [(name, keys) for name, some in KEYS.items() for keys in some]


def test_each_key() -> None:
    with open_catalogue() as catalogue:
        for name, keys in _pairs():
            _check(catalogue, name, keys, jit=False)


def test_each_key_in_compiled_code() -> None:
    with open_catalogue() as catalogue:
        for name in ("dispatched", "priced", "by_number", "by_pair", "caught", "by_truth"):
            for keys in KEYS[name]:
                _check(catalogue, name, keys, jit=True)


def test_states_that_are_no_keys() -> None:
    with open_catalogue() as catalogue:
        generated = catalogue.module("lookups")
        assert generated.by_state_grad(2.0) == 0.5
        with pytest.raises(KeyError, match=r"<Mode\.FLAT: 3>"):
            generated.by_state_grad(-6.0)
        with pytest.raises(KeyError) as found:
            generated.by_numbers_of_array_grad(np.ones(2), np.array([1, 8]))
        assert found.value.args == (8,)
