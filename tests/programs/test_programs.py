"""Every program of the catalogue: its derivatives against differences of the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs

JITTED = (  # one or two for each theme: a compilation takes seconds
    "anew.recurrent", "arrays.work_array", "border.gives_same_state", "border.swaps_buffers",
    "branches.match_guard", "callables.chosen_in_each_iteration", "callbacks.double_buffer",
    "calls.gives_nested", "calls.recursive_halves", "classes.property_setter",
    "closures.shared_state", "complex_arrays.burgers", "complex_arrays.parts_over_time",
    "complex_arrays.products", "complex_numbers.mixed", "complex_numbers.recursive_power",
    "complex_numbers.while_over_array", "comprehensions.extremes", "comprehensions.tuples",
    "dicts.nested", "exceptions.nested", "given_lists.of_two_shapes", "given_lists.ragged",
    "growing.adaptive", "growing.of_structs", "growing.rows", "implicit.jitter",
    "leaving.returns_through_finally", "lists.of_structs", "lists.run_time_array",
    "loops.return_from_nested", "mutation.grows_argument", "nothing.largest", "nothing.of_array",
    "optional.number_or_array", "optional.union_with_none", "protocols.grid", "raising.methods",
    "stencils.leapfrog", "structs.gives_struct", "structs.stepping", "traps.generated_names",
    "views.row_views", "whiles.newton", "whole_arrays.gathered_mixed", "whole_arrays.masked_rows",
    "whole_arrays.writes_transposed",
)  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    with open_catalogue() as made:
        yield made


@for_each(programs())
def test_plain(name: str, catalogue: Catalogue) -> None:
    catalogue.check(name)


@for_each(JITTED)
def test_jitted(name: str, catalogue: Catalogue) -> None:
    catalogue.check(name, jit=True)


def test_catalogue_is_large() -> None:
    assert len(programs()) >= 120
