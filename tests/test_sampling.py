"""The sample that CI runs: which tests are in it."""

from __future__ import annotations

from tests.helpers.sampling import PARTS, is_sampled

PROGRAMS = "tests/programs/test_programs.py::test_plain"


def test_a_third_of_the_cases_is_taken() -> None:
    cases = [f"tests/rules/test_library.py::test_rule[numpy.f{k}]" for k in range(3000)]
    taken = sum(map(is_sampled, cases))
    assert abs(taken - 3000 / PARTS) < 100


def test_what_is_no_case_is_taken() -> None:
    assert all(is_sampled(f"tests/rules/test_library.py::test_{k}") for k in range(50))
    assert all(is_sampled(f"tests/cli/test_usage.py::test_option[{k}]") for k in range(50))


def test_themes_are_taken_whole() -> None:
    taken = [{is_sampled(f"{PROGRAMS}[{t}.f{k}]") for k in range(20)} for t in "abcdefghij"]
    assert all(len(found) == 1 for found in taken)
    assert {True, False} == set().union(*taken)
