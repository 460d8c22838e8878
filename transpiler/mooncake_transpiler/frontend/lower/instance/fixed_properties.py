"""Cached properties that may be worked out anew wherever they are asked for.

    @cached_property                  nothing but __init__ assigns ``rate``, and it does so once:
    def v(self):                      the property is the same whenever it is asked for
        return 1 / (1 + self.rate)

Where it is asked for first need not be known then, so it may be asked for in loops and branches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from mooncake_transpiler.frontend.entities import ClassDecl, FunctionDecl, Source
from mooncake_transpiler.frontend.text.trees import bindings, children, positional, statements, walk
from mooncake_transpiler.reaching import closure

_MAKING = ("__init__", "__post_init__")


@lru_cache(maxsize=1024)
def read_by(source: Source, cls: ClassDecl, method: FunctionDecl) -> frozenset[str] | None:
    """The attributes that a property reads, if none of them changes once the instance is made."""
    if any("*" in writes.bound for writes in source.attribute_writes.values()):
        return None
    names = closure([method.own_name], lambda one: _mentioned(cls, one))
    changed = _changed(source)
    if "" in names or "" in changed or not changed.isdisjoint(names):
        return None
    made = Counter(one for of in (cls, *cls.line) for one in _made(of.node))
    is_anew = "" in made or any(made[one] > 1 for one in names)
    return None if is_anew else frozenset(names)


def _mentioned(cls: ClassDecl, name: str) -> Iterator[str]:
    """The attributes in the text of the method ``name``; ``""`` if it hands its instance on."""
    method = cls.methods.get(name)
    if method is None:
        return
    owner = next((p.name.value for p in positional(method.function.node.params)), "")
    whole = list(walk(method.function.node.body))
    bases = {one.value for one in whole if isinstance(one, cst.Attribute)}
    for one in whole:
        if isinstance(one, cst.Attribute):
            yield one.attr.value
        elif isinstance(one, cst.Name) and one.value == owner and one not in bases:
            yield ""


@lru_cache(maxsize=4)
def _changed(source: Source) -> frozenset[str]:
    """The attributes that the program assigns, but for those that __init__ does of its instance."""
    return frozenset(
        name for module in source.modules.values() for name in _assigned(module.tree, None)
    )


def _made(cls: cst.ClassDef) -> Iterator[str]:
    """The attributes that __init__ assigns, each time that it does so."""
    for stmt in statements(cls.body):
        if isinstance(stmt, cst.FunctionDef) and stmt.name.value in _MAKING:
            owner = next((p.name.value for p in positional(stmt.params)), None)
            for node in walk(stmt.body):
                yield from (n for base, n in _targets(node) if base == owner)


def _assigned(node: cst.CSTNode, owner: str | None) -> Iterator[str]:
    """The attributes that ``node`` assigns, of others than ``owner``."""
    if isinstance(node, cst.FunctionDef):
        first = next((p.name.value for p in positional(node.params)), None)
        owner = first if node.name.value in _MAKING else None
    yield from (name for base, name in _targets(node) if base is None or base != owner)
    for child in children(node):
        yield from _assigned(child, owner)


def _targets(node: cst.CSTNode) -> Iterator[tuple[str | None, str]]:
    """The attributes that ``node`` binds or deletes (``""``: any), and the names these are of."""
    match node:
        case cst.Call(func=cst.Name("setattr" | "delattr") | cst.Attribute(
            attr=cst.Name("__setattr__" | "__delattr__")
        ), args=[cst.Arg(value=of), cst.Arg(value=name), *_]):  # fmt: skip
            base = of.value if isinstance(of, cst.Name) else None
            yield base, str(name.evaluated_value) if isinstance(name, cst.SimpleString) else ""
        case _:
            pass
    targets = [binding.target for binding in bindings([node])]
    if isinstance(node, cst.Del):
        targets.append(node.target)
    for target in targets:
        for one in walk(target):
            if isinstance(one, cst.Attribute):
                base = one.value.value if isinstance(one.value, cst.Name) else None
                yield base, one.attr.value
