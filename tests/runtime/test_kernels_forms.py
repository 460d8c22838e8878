"""Both forms of the kernels can be had in one process."""

from __future__ import annotations

from importlib import import_module

import mooncake_runtime.kernels

from tests.helpers.kernels import NAME, kernels


def test_the_plain_form_does_not_stay() -> None:
    before = mooncake_runtime.kernels
    assert kernels("plain") is not before
    assert mooncake_runtime.kernels is before is import_module(NAME) is kernels("compiled")
