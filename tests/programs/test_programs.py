"""Every program of the catalogue: its derivatives against differences of the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.catalogue import Catalogue, for_each, open_catalogue, programs

JITTED = (
    "callables.chosen_in_each_iteration", "callables.decorated", "callbacks.double_buffer",
    "callbacks.changes_in_while", "classes.property_setter", "closures.shared_state",
    "closures.rebinds_array", "protocols.grid",
    "views.row_views", "arrays.work_array", "branches.match_guard", "calls.recursive_halves",
    "calls.gives_nested", "loops.return_from_nested", "whiles.newton", "loops.break_and_continue",
    "mutation.grows_argument", "stencils.leapfrog", "traps.clipped", "traps.generated_names",
    "complex_arrays.parts_over_time", "complex_arrays.parts_of_rows", "complex_arrays.products",
    "complex_arrays.parts_by_element", "complex_arrays.burgers", "complex_arrays.phase_retrieval",
    "complex_arrays.cosine_filter", "complex_arrays.quantum_state", "complex_arrays.writes_parts",
    "whole_arrays.gathered_mixed", "whole_arrays.masked_rows", "whole_arrays.in_place_functions",
    "whole_arrays.stencil_of_plane", "whole_arrays.writes_transposed", "whole_arrays.periodic_wave",
    "complex_numbers.mixed", "complex_numbers.of_cmath", "complex_numbers.recursive_power",
    "complex_numbers.schroedinger", "complex_numbers.while_over_array",
    "anew.recurrent", "anew.accepted", "structs.stepping", "structs.gives_struct",
    "complex_numbers.roots_together", "complex_numbers.takes_tuple", "complex_numbers.beyond_one",
    "exceptions.nested", "exceptions.carries_values", "leaving.returns_through_finally",
    "leaving.own_manager_and_exception", "implicit.jitter", "implicit.remainders",
    "raising.methods", "lists.run_time_array", "lists.of_structs", "lists.run_time_write",
    "comprehensions.tuples",
    "comprehensions.windows", "comprehensions.extremes", "dicts.nested", "dicts.enum_selects",
    "border.swaps_buffers", "border.replaces_inner", "border.gives_same_state",
    "border.names_of_ours", "optional.of_options", "optional.union_with_none",
    "optional.number_or_array", "optional.optional_is_written",
    "growing.adaptive", "growing.stack_machine", "growing.rows", "growing.of_structs",
    "growing.made_anew", "given_lists.ragged", "given_lists.logs", "given_lists.layers",
    "given_lists.of_two_shapes", "nothing.largest", "nothing.of_struct", "nothing.of_array",
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
