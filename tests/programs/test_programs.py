"""Every program of the catalogue: its derivatives against differences of the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.catalogue import Catalogue, cases, for_each, open_catalogue, programs

JITTED = (  # of themes that are not compiled elsewhere: a compilation takes seconds
    "anew.recurrent", "arrays.work_array", "border.gives_same_state", "branches.match_guard",
    "branches.part_beside_its_array",
    "callables.chosen_in_each_iteration", "callbacks.double_buffer", "calls.mutual_recursion",
    "calls.recursive_halves",
    "classes.property_setter", "classes.class_list_by_index", "closures.shared_state",
    "complex_numbers.mixed", "convolution.correlated",
    "dialect.signature_of_objects", "dialect.ufuncs",
    "dialect.generalized_ufuncs",
    "drawn.numbers_of_a_helper", "drawn.integers_of_all_kinds",
    "ducks.as_arrays", "ducks.class_of_number", "frozen_with_arrays.portfolio",
    "comprehensions.extremes", "dicts.nested", "exceptions.nested",
    "given_lists.of_two_shapes",
    "growing.none_one_or_two",
    "known.columns_in_structs", "known.dict_content", "known.stored",
    "kernels.diffused", "kernels.two",
    "leaving.returns_through_finally", "lists.of_structs", "lists.run_time_array",
    "conventions.with_where_ufunc", "conventions.with_reduceat", "conventions.with_trim_zeros",
    "iterators.with_combinations_n", "iterators.with_sort_key", "iterators.with_zip_longest",
    "iterators.with_count",
    "loops.return_from_nested", "mutation.grows_argument", "nothing.largest",
    "numerals.pythons_bools", "numerals.numpys_bools", "numerals.products_of_counts",
    "objects_in_lists.book", "objects_in_lists.doubly_linked",
    "objects_with_arrays.kicked_in_place",
    "ode_solvers.spring",
    "optional.number_or_array", "optional.union_with_none", "protocols.grid", "raising.methods",
    "rebound.projected_fields",
    "rank_zero.stored",
    "searched.counted", "searched.with_default",
    "shaped.column_of_object", "states.machine", "states.positions",
    "sparse.sparse_normal_equations",
    "structs.gives_struct", "traps.generated_names",
    "uneven.moved",
    "unrun.field", "unset.rows",
    "vague.by_calls", "vague.vague_helpers",
    "views.row_views", "whiles.newton", "whole_arrays.gathered_mixed",
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
