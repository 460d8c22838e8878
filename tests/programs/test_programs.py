"""Every program of the catalogue: its derivatives against differences of the program itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.programs.catalogue import Catalogue, cases, for_each, open_catalogue, programs

JITTED = (  # of themes that are not compiled elsewhere: a compilation takes seconds
    "absent_lists.longest",
    "anew.recurrent", "branches.part_beside_its_array", "calls.recursive_halves",
    "complex_numbers.mixed", "dialect.signature_of_objects", "dialect.generalized_ufuncs",
    "dict_results.of_anything", "drawn.integers_of_all_kinds", "ducks.class_of_number",
    "comprehensions.extremes", "eithers.broadcast", "eithers.optimised",
    "growing.none_one_or_two", "kernels.diffused", "leaving.returns_through_finally",
    "linked.merged",
    "numba_stencils.around_crosses",
    "lists.run_time_array", "lists_in_place.decayed",
    "objects_in_place.given", "conventions.with_reduceat", "iterators.with_combinations_n",
    "loops.return_from_nested", "made_in_recursions.chained_without_annotations",
    "memoised.kept_by_a_name",
    "nothing.largest", "numerals.numpys_bools",
    "numerals.constants_wrap_around",
    "objects_in_lists.book", "objects_with_arrays.kicked_in_place", "optional.number_or_array",
    "recursive_arrays.merge_sort",
    "recursive_methods.kept_in_a_field", "recursive_objects.changed_on_the_way",
    "rebound.projected_fields", "searched.counted",
    "several_classes.changed_in_place",
    "sets.set_of_numbers", "shaped.column_of_object", "shorthands.power_at_run_time",
    "states.positions", "structs.gives_struct",
    "uneven.moved", "vague.vague_helpers", "whiles.newton",
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
