"""The minimum vertex cut against trying all sets of vertices."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st
from mooncake_transpiler.ad.saving.minimum_cut import min_vertex_cut

Edges = list[tuple[int, int]]


def _separates(cut: set[int], edges: Edges, sources: list[int], sinks: list[int]) -> bool:
    seen = {s for s in sources if s not in cut}
    stack = list(seen)
    while stack:
        node = stack.pop()
        for a, b in edges:
            if a == node and b not in cut and b not in seen:
                seen.add(b)
                stack.append(b)
    return not seen & set(sinks)


def _least(capacity: dict[int, int], edges: Edges, sources: list[int], sinks: list[int]) -> int:
    return min(
        sum(capacity[v] for v in cut)
        for size in range(len(capacity) + 1)
        for cut in combinations(capacity, size)
        if _separates(set(cut), edges, sources, sinks)
    )


@st.composite
def graphs(draw: st.DrawFn) -> tuple[dict[int, int], Edges, list[int], list[int]]:
    n = draw(st.integers(1, 7))
    node = st.integers(0, n - 1)
    capacity = {k: draw(st.integers(1, 9)) for k in range(n)}
    edges = [(a, b) for a, b in draw(st.lists(st.tuples(node, node), max_size=14)) if a != b]
    return capacity, edges, draw(st.lists(node, max_size=3)), draw(st.lists(node, max_size=3))


@settings(max_examples=150, deadline=None)
@given(graphs())
def test_cut_is_least(graph: tuple[dict[int, int], Edges, list[int], list[int]]) -> None:
    capacity, edges, sources, sinks = graph
    cut = min_vertex_cut(capacity, edges, sources, sinks)
    assert _separates(cut, edges, sources, sinks)
    assert sum(capacity[v] for v in cut) == _least(capacity, edges, sources, sinks)


def test_nothing_is_cut_without_sources_or_sinks() -> None:
    assert min_vertex_cut({0: 1, 1: 1}, [(0, 1)], [], [1]) == set()
    assert min_vertex_cut({0: 1, 1: 1}, [(0, 1)], [0], []) == set()


def test_a_vertex_that_is_source_and_sink_is_cut() -> None:
    assert min_vertex_cut({0: 5}, [], [0], [0]) == {0}


def test_a_tie_is_cut_near_the_sinks() -> None:
    chain = [(0, 1), (1, 2), (2, 3)]
    assert min_vertex_cut(dict.fromkeys(range(4), 2), chain, [0], [3]) == {3}
    assert min_vertex_cut({0: 2, 1: 2, 2: 3, 3: 3}, chain, [0], [3]) == {1}


def test_one_expensive_vertex_against_many_cheap_ones() -> None:
    fan = [(0, k) for k in (1, 2, 3)]
    assert min_vertex_cut({0: 2, 1: 1, 2: 1, 3: 1}, fan, [0], [1, 2, 3]) == {0}
    assert min_vertex_cut({0: 4, 1: 1, 2: 1, 3: 1}, fan, [0], [1, 2, 3]) == {1, 2, 3}


def test_capacities_beyond_any_tape_do_not_overflow_the_infinite() -> None:
    big = 16**10 * 64
    assert min_vertex_cut({0: big, 1: big + 1}, [(0, 1)], [0], [1]) == {0}


def test_long_chains_need_no_recursion() -> None:
    n = 5000
    chain = [(k, k + 1) for k in range(n - 1)]
    capacity = {k: 2 if k != n // 2 else 1 for k in range(n)}
    assert min_vertex_cut(capacity, chain, [0], [n - 1]) == {n // 2}
