"""Every program of the catalogue: its derivatives against differences of the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.catalogue import Catalogue, cases, for_each, open_catalogue, programs

JITTED = (  # of themes that are not compiled elsewhere: a compilation takes seconds
    "anew.recurrent", "border.gives_same_state", "branches.part_beside_its_array",
    "callbacks.double_buffer", "calls.recursive_halves", "classes.class_list_by_index",
    "complex_numbers.mixed", "dialect.signature_of_objects", "dialect.generalized_ufuncs",
    "dict_results.of_anything", "dict_results.other_order",
    "drawn.integers_of_all_kinds",
    "drawn.called_with_seed", "ducks.class_of_number", "comprehensions.extremes",
    "eithers.and_back", "eithers.broadcast", "eithers.optimised",
    "exceptions.nested", "growing.none_one_or_two", "known.dict_content", "kernels.diffused",
    "leaving.returns_through_finally", "lists.run_time_array", "conventions.with_reduceat",
    "iterators.with_combinations_n", "iterators.with_zip_longest", "loops.return_from_nested",
    "nothing.largest", "numerals.numpys_bools", "objects_in_lists.book",
    "objects_with_arrays.kicked_in_place", "optional.number_or_array",
    "recursive_arrays.merge_sort",
    "placed.counted_and_removed", "protocols.grid",
    "rebound.projected_fields", "searched.counted", "sets.set_of_numbers",
    "shaped.column_of_object", "states.positions", "structs.gives_struct", "uneven.moved",
    "unset.rows", "vague.vague_helpers", "whiles.newton",
)  # fmt: skip


@pytest.fixture(scope="module")
def catalogue() -> Iterator[Catalogue]:
    with open_catalogue() as made:
        yield made


@for_each(programs())
def test_plain(name: str, catalogue: Catalogue) -> None:
    catalogue.check(name)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """All programs are compiled with ``--whole-grid``."""
    if "compiled" in metafunc.fixturenames:
        whole = metafunc.config.getoption("--whole-grid")
        metafunc.parametrize("compiled", cases(programs() if whole else JITTED))


def test_jitted(compiled: str, catalogue: Catalogue) -> None:
    catalogue.check(compiled, jit=True)


def test_catalogue_is_large() -> None:
    assert len(programs()) >= 120
