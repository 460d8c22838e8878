"""Dicts of keys that the run gives, made as items of lists and of other dicts."""

from __future__ import annotations

from collections import defaultdict


def scaled_rows(rows: list[dict[str, float]], t: float) -> float:
    """Made anew in a loop, and in a comprehension."""
    out = []
    for r in rows:
        out.append({k: t * r[k] for k in r})
    shares = [{k: v / sum(r.values()) for k, v in r.items()} for r in out]
    total = 0.0
    for r, share in zip(out, shares, strict=True):
        for k in r:
            total += r[k] ** 2 * share.get(k, 1.0)
    return total + out[-1]["one"] * (2.0 if "three" in shares[0] else 1.0)


def filled_when_asked_for(names: list[str], xs: list[float]) -> float:
    """``defaultdict(dict)``, written to and looped over."""
    table = defaultdict(dict)
    for name, x in zip(names, xs, strict=True):
        table[name][name] = x * x
    total = 0.0
    for name in table:
        for key, value in table[name].items():
            total += value**2 * (2.0 if key == "one" else 1.0)
    return total


def sums_in_sums(days: list[int], names: list[str], xs: list[float]) -> float:
    """Both have a default."""
    sums = defaultdict(lambda: defaultdict(float))
    for day, name, x in zip(days, names, xs, strict=True):
        sums[day][name] += x
    return sum(v**2 for row in sums.values() for v in row.values()) + sums[days[0]]["none"]


def put_in_if_missing(names: list[str], others: list[str], xs: list[float]) -> float:
    """As ratings are kept: by user and item."""
    table: dict[str, dict[str, float]] = {}
    for name, other, x in zip(names, others, xs, strict=True):
        if name not in table:
            table[name] = {}
        table[name][other] = x
    dot = 0.0
    for other in table[others[1]]:
        if other in table[names[0]]:
            dot += table[names[0]][other] * table[others[1]][other]
    return dot


def default_that_is_put_in(names: list[str], others: list[str], xs: list[float]) -> float:
    table: dict[str, dict[str, float]] = {}
    for name, other, x in zip(names, others, xs, strict=True):
        table.setdefault(name, {})[other] = x
    return sum(len(row) * x for row in table.values() for x in row.values())


def neighbours(starts: list[int], ends: list[int], lengths: list[float]) -> float:
    """A graph; a node that is in none of its edges has no neighbours."""
    graph = defaultdict(list)
    for a, b, w in zip(starts, ends, lengths, strict=True):
        graph[a].append((b, w))
        graph[b].append((a, 2.0 * w))
    total = 0.0
    for _, w in graph[starts[0]]:
        total += w * w
    for _, w in graph[-1]:
        total += w
    return total


def others_by_default(names: list[str], others: list[str], xs: list[float]) -> float:
    """``get`` with an empty dict, two keys at once, and one of two dicts."""
    table: dict[str, dict[str, float]] = {}
    for name, other, x in zip(names, others, xs, strict=True):
        table.setdefault("all", {})[other] = table.get("all", {}).get(other, 0.0) + x
        row = table.setdefault(name, {})
        row["last"] = x
        row[other] = row.get(other, 1.0) * x
    one = table["all"] if len(names) > 2 else {}
    return sum(x * x for row in table.values() for x in row.values()) + sum(one.values())


def rows_made_of_rows(names: list[str], others: list[str], xs: list[float]) -> float:
    """A dict of dicts made of another one."""
    counts: dict[str, dict[str, float]] = {}
    for name, other, x in zip(names, others, xs, strict=True):
        row = counts.setdefault(name, {})
        row[other] = row.get(other, 0.0) + x * x
    shares = {
        n: {o: v / (1.0 + sum(row.values())) for o, v in row.items()} for n, row in counts.items()
    }
    total = 0.0
    for name in shares:
        for v in shares[name].values():
            total += v * v
    return total


def changed_under_another_name(rows: list[dict[str, float]], t: float) -> float:
    out = []
    for r in rows:
        made = {k: t * r[k] for k in r}
        out.append(made)
        made["one"] = made["one"] * 2.0
        made["new"] = t
    first = out[0]
    first["one"] += t
    return sum(v * v for r in out for v in r.values()) + first["new"]


def given_back(rows: list[dict[str, float]], t: float) -> list[dict[str, float]]:
    out = []
    for r in rows:
        total = sum(r.values())
        out.append({k: t * v / total for k, v in r.items()})
    return out


def table_given_back(
    names: list[str], others: list[str], xs: list[float]
) -> dict[str, dict[str, float]]:
    table = defaultdict(dict)
    for name, other, x in zip(names, others, xs, strict=True):
        table[name][other] = x * x
    return table


def edges_given_back(starts: list[int], ends: list[int], xs: list[float]) -> list[dict[int, float]]:
    edges = [{} for _ in range(4)]
    for a, b, x in zip(starts, ends, xs, strict=True):
        edges[a][b] = edges[a].get(b, 0.0) + x * x
    return edges
