"""Parameters that are objects with links to others of their class: taken apart before all else.

def total_value_and_grad(n: Node) -> tuple[float, NodeBar]:
    n_nodes = linked("n", n, Node, "next")
    value, value_bar, next_ = _total_value_and_grad(
        numbers_of("n (object {}).value", [one.value for one in n_nodes], "float64"),
        links_of(n_nodes, "next"),
    )
    return value, root_of(NodeBar, ("next",), value=value_bar.tolist(), next=next_.tolist())
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from mooncake_transpiler import ir
from mooncake_transpiler.border.border_types import has_prepared
from mooncake_transpiler.border.borders import (
    CONTENT,
    Apart,
    Border,
    Check,
    Disjoint,
    Distinct,
    Rebound,
    Unshared,
    flat,
)
from mooncake_transpiler.border.paths import fields
from mooncake_transpiler.emit.given.given_objects import shown
from mooncake_transpiler.emit.given.reach import Reach
from mooncake_transpiler.emit.layout import Group, layout, quoted
from mooncake_transpiler.types import List, ListKind, OneOf, Tuple, Type


@dataclass(slots=True)
class LinkedObjects:
    """The variables for the objects of each parameter, or part of one, that has links."""

    fresh: Callable[[str], str]
    names: dict[str, str]  # by path
    types: dict[str, List]

    @classmethod
    def of(cls, func: ir.Func, fresh: Callable[[str], str]) -> tuple[ir.Func, LinkedObjects]:
        """``func`` with these variables in its types, and in the paths of its border."""
        made = cls(fresh, {}, {})
        if not any(has_prepared(param.type) for param in func.params):
            return func, made
        params = tuple(replace(p, type=made._named(p.type, p.name)) for p in func.params)
        return replace(func, params=params, border=made._renamed(func.border)), made

    def _named(self, type_: Type, path: str) -> Type:
        match type_:
            case List() if type_.is_prepared:
                if path not in self.names:
                    what = "nodes" if type_.links else "items"
                    self.names[path] = self.fresh(f"{flat(path)}_{what}")
                found = self.types[path] = replace(type_, held=self.names[path])
                return found
            case Tuple():
                items = tuple(self._named(item, inner) for inner, item in fields(type_, path))
                return replace(type_, items=items)
            case OneOf(options=options):
                return OneOf(tuple(self._named(option, path) for option in options))
            case _:
                return type_

    def lines(self, reach: Reach) -> Iterator[str]:
        """The statements that find the objects."""
        for path, type_ in self.types.items():
            tests = reach.tests(path)
            value = f"{path} if {' and '.join(tests)} else None" if tests else path
            if type_.kind is ListKind.DICT:
                call = Group(f"{reach.use('items_of')}(", (quoted(path), value), ")", compact=True)
                yield from layout(f"{type_.held} = ", call, "", 1)
                continue
            may_be_none = type_.may_be_none or tests
            classes = [*shown(type_.item, reach.use), *(["None"] if may_be_none else [])]
            wanted = classes[0] if len(classes) == 1 else f"({', '.join(classes)})"
            names = (quoted(path), value, wanted, *map(quoted, type_.links))
            call = Group(f"{reach.use('linked')}(", names, ")", compact=True)
            yield from layout(f"{type_.held} = ", call, "", 1)

    # ---- paths of the border ---------------------------------------------------------------------

    def _renamed(self, border: Border) -> Border:
        links = {path: name for path, name in self.names.items() if self.types[path].links}
        return replace(
            border,
            rebound=tuple(map(self._assigned, border.rebound)),
            tangents=tuple(map(self._assigned, border.tangents)),
            holders=tuple((links.get(path, path), type_) for path, type_ in border.holders),
            apart=tuple(map(self._check, border.apart)),
            alike=tuple(
                (self.names[holder], f"{self.names[root]}{CONTENT}{rest}")
                for holder, path in border.alike
                for root, _, rest in [path.partition(CONTENT)]
            ),
        )

    def _assigned(self, one: Rebound) -> Rebound:
        name = None if one.is_dict else self.names.get(one.holder)
        return one if name is None else replace(one, path=f"{name}{one.place}")

    def _check(self, one: Check) -> Check:
        match one:
            case Distinct():
                return one  # objects that can be reached are told apart anyway
            case Apart(items=items):
                return replace(one, items=self.names.get(items, items))
            case Unshared(items=items, listed=listed):
                lists = tuple((self.names.get(path, path), part, o) for path, part, o in listed)
                return replace(one, items=self.names.get(items, items), listed=lists)
            case Disjoint(path=path, other=other):
                return replace(one, held=(self.names[path], self.names[other]))
