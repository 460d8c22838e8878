"""Effects of statements, as the roles of their fields state them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from mooncake_transpiler import ir
from mooncake_transpiler.ir.fields import FIELDS
from mooncake_transpiler.types import FLOAT, INT, Array, DType

SOURCES = Path(ir.__file__).parents[1]
VECTOR = Array(DType.FLOAT64, 1)
x, y, z = (ir.Value(name, VECTOR) for name in "xyz")
v = ir.Value("v", FLOAT)
i = ir.Value("i", INT)
NOTHING: dict[str, tuple[ir.Value, ...]] = {
    "read": (), "copied": (), "added": (), "written": (), "grown": (), "made": (), "outside": (),
}  # fmt: skip
SINGLE = [
    (ir.Compute(v, "add", (v, v)), {}),
    (ir.Alloc(x, (i,)), {"made": (x,)}),
    (ir.Reserve(x, i), {"grown": (x,)}),
    (ir.Dim(i, x, 0), {}),
    (ir.Global(x, "m", "X"), {"outside": (x,)}),
    (ir.View(y, x, (ir.Slice(),)), {}),
    (ir.Reshape(y, x, (i,)), {"copied": (x,)}),
    (ir.Grow(y, x, i), {"copied": (x,)}),
    (ir.Load(v, x, (i,)), {"read": (x,)}),
    (ir.Store(x, (i,), v), {"written": (x,)}),
    (ir.Accum(x, (i,), v), {"written": (x,), "added": (x,)}),
    (ir.Copy(y, x), {"read": (x,), "made": (y,)}),
    (ir.Copy(y, x, None, ir.Sharing.UNKNOWN), {"read": (x,)}),
    (ir.Assign(x, v), {"written": (x,)}),
    (ir.Assign(x, y), {"written": (x,), "read": (y,)}),
    (ir.AddTo(x, y), {"written": (x,), "added": (x,), "read": (y,)}),
    (ir.Sum(v, x), {"read": (x,)}),
    (ir.Shadows((y,), (x,)), {"made": (y,)}),
    (ir.Print(("x", x, v)), {"read": (x,)}),
    (ir.Raise("ValueError", None), {}),
    (ir.Call((z,), "rt:matmul", (x, y)), {"read": (x, y), "made": (z,)}),
    (ir.Call((), "rt:matmul_add", (x, y, z)), {"read": (x, y, z), "written": (z,)}),
    (ir.Call((z, v), "m:f", (x, v)), {"read": (x,), "written": (x,), "outside": (z,)}),
]


@pytest.mark.parametrize(("stmt", "expected"), SINGLE, ids=lambda a: type(a).__name__)
def test_memory(stmt: ir.Stmt, expected: dict[str, tuple[ir.Value, ...]]) -> None:
    found = {name: getattr(ir, name)(stmt) for name in NOTHING}
    assert found == NOTHING | expected


def test_effects_beyond_memory() -> None:
    acting = {type(stmt) for stmt, _ in SINGLE if ir.acts(stmt)}
    assert acting == {ir.Raise, ir.Print, ir.Call}
    assert not ir.acts(ir.Call((z,), "rt:matmul", (x, y)))


def test_names_of_one_memory() -> None:
    for stmt in (ir.View(y, x, ()), ir.Reshape(y, x, (i,)), ir.Grow(y, x, i)):
        assert (ir.shown(stmt), list(ir.aliases(stmt))) == (x, [(x, y)])
    asked = ir.Copy(y, x, None, ir.Sharing.ANY)
    assert (ir.shown(asked), ir.shown(ir.Copy(y, x))) == (x, None)


def test_names_behind_branches_and_loops() -> None:
    branch = ir.If((z, v), v, ir.Block((), (x, v)), ir.Block((), (y, v)))
    assert list(ir.aliases(branch)) == [(x, z), (y, z)]
    assert list(ir.chosen(branch)) == [(x, z), (v, v), (y, z), (v, v)]
    out, param, k = ir.Value("out", VECTOR), ir.Value("p", VECTOR), ir.Value("k", INT)
    loop = ir.For((out,), k, i, i, i, (param,), (x,), ir.Block((), (y,)))
    assert set(ir.aliases(loop)) == {(x, param), (y, param), (x, out), (y, out)}


def test_what_a_callee_writes_may_be_known() -> None:
    call = ir.Call((), "m:f", (x, y, v))
    assert ir.written(call, lambda called: called.args[1:]) == (y,)
    assert list(ir.touched(call, lambda called: (y,))) == [(x, ir.Touch.READ), (y, ir.Touch.ADD)]


def test_every_statement_rebuilds_from_its_fields() -> None:
    for stmt, _ in SINGLE:
        renamed = {a: ir.fresh(a) for a in (*ir.operands(stmt),) if isinstance(a, ir.Value)}

        def use(atom: ir.Atom, names: dict[ir.Value, ir.Value] = renamed) -> ir.Atom:
            return names[atom] if isinstance(atom, ir.Value) else atom

        again = ir.with_results(ir.with_operands(stmt, use), ir.fresh)
        assert ir.operands(again) == tuple(map(use, ir.operands(stmt)))
        assert set(ir.outs(stmt)).isdisjoint(ir.outs(again))
        assert [v.type for v in ir.outs(again)] == [v.type for v in ir.outs(stmt)]


# ---- adding a statement -------------------------------------------------------------------------


def matches() -> Iterator[tuple[str, ast.Match, set[str]]]:
    """Each ``match`` over statements, its file, and the classes of these that it names."""
    for file in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Match) and "ir." in ast.unparse(node):
                patterns = [p for case in node.cases for p in ast.walk(case.pattern)]
                yield (
                    str(file.relative_to(SOURCES)),
                    node,
                    {
                        p.cls.attr
                        for p in patterns
                        if isinstance(p, ast.MatchClass) and isinstance(p.cls, ast.Attribute)
                    },
                )


def exhaustive() -> Iterator[str]:
    """The files with a ``match`` that knows all statements, and has no answer for others.

    Those with blocks are often told apart before.
    """
    classes = {cls.__name__ for cls in get_args(ir.Simple)}
    for file, node, named in matches():
        if named >= classes and not _is_wildcard(node.cases[-1].pattern):
            yield file


def _is_wildcard(pattern: ast.pattern) -> bool:
    return isinstance(pattern, ast.MatchAs) and pattern.pattern is None


def test_a_statement_touches_few_files() -> None:
    readme = (SOURCES / "ir" / "README.md").read_text().partition("## Adding a statement")[2]
    listed = re.findall(r"^\* `([\w/.]+)`", readme, flags=re.MULTILINE)
    assert len(listed) <= 8
    assert {*exhaustive(), "ir/nodes.py", "ir/__init__.py"} == set(listed)


def test_no_blocks_are_passed_over() -> None:
    """A match that looks into branches and loops says of the rest that it has no blocks."""
    silent = [
        f"{file}:{node.lineno}"
        for file, node, named in matches()
        if named >= {"If", "For", "While"}
        and _is_wildcard(node.cases[-1].pattern)
        and isinstance(node.cases[-1].body[0], ast.Pass)
    ]
    assert silent == []


def test_roles_cover_all_statements() -> None:
    assert set(FIELDS) == set(get_args(ir.Stmt))
