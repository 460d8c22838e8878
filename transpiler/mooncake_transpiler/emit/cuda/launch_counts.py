"""Launches of functions over CuPy's arrays, and waits of the host, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.device_functions import DeviceFunc
from mooncake_transpiler.emit.cuda.host import Wait
from mooncake_transpiler.emit.cuda.host_functions import HOST_FUNCTIONS, is_search_of_places
from mooncake_transpiler.emit.cuda.loop.whereabouts import is_of_spans
from mooncake_transpiler.ir.function_names import short

# Calls that CuPy's linear algebra waits in.
WAITING = frozenset({"solve", "inv", "lu", "pivots", "singular"})


@dataclass(slots=True)
class Launches:
    """Launches, by the line of the loop of the host that they are in, 0 for none."""

    launches: Counter[int] = field(default_factory=Counter)
    waits: list[Wait] = field(default_factory=list)

    def text(self) -> str:
        first = self.launches[0]
        parts = [f"{first} launch{'' if first == 1 else 'es'}"]
        parts += (
            f"{count} in each iteration of line {line}"
            for line, count in sorted(self.launches.items())
            if line and count
        )
        return ", ".join(parts)


def described(primal: str, funcs: Sequence[DeviceFunc]) -> list[str]:
    """A line for the derivatives of ``primal`` that launch as much, and one for each wait."""
    start = len(f"{primal}_")
    works: dict[str, Launches] = {}
    for one in funcs:
        work = works[one.item.func.name] = Launches(waits=list(one.waits))
        _count(one.item.func.body, 0, works, work)
    launches: dict[str, list[str]] = {}
    waits: dict[str, list[str]] = {}
    for name, work in works.items():
        launches.setdefault(work.text(), []).append(short(name)[start:])
        for wait in dict.fromkeys(work.waits):
            waits.setdefault(f"line {wait.line}, {wait.why}", []).append(short(name)[start:])
    lines = [f"{', '.join(names)}: {text}" for text, names in launches.items()]
    return [*lines, *(f"{', '.join(n)}: waits for the GPU in {text}" for text, n in waits.items())]


def _count(block: ir.Block, line: int, works: Mapping[str, Launches], work: Launches) -> None:
    for stmt in block.stmts:
        match stmt:
            case ir.Call(func=func) if func in works:
                for inner, count in works[func].launches.items():
                    work.launches[inner or line] += count
                work.waits += works[func].waits
            case ir.Call(func=func):
                known = HOST_FUNCTIONS.get(func)
                work.launches[line] += 1 if known is None else known.launches
                if is_search_of_places(stmt):
                    why = "the number of elements that a mask selects"
                    work.waits.append(Wait(_line(stmt), why))
                if short(func) in WAITING:
                    work.waits.append(Wait(_line(stmt), "LU factors"))
            case ir.Store(base=base) if is_of_spans(base):
                pass
            case ir.Copy() | ir.Assign() | ir.AddTo() | ir.Sum() | ir.Store() | ir.Accum():
                work.launches[line] += 1
            case ir.Alloc(fill=fill):
                work.launches[line] += fill is not None
            case ir.For() | ir.While():
                for inner_block in ir.blocks(stmt):
                    _count(inner_block, _line(stmt) or line, works, work)
            case ir.If(then=then, orelse=orelse):
                arms = Launches(), Launches()
                _count(then, line, works, arms[0])
                _count(orelse, line, works, arms[1])
                work.launches += arms[0].launches | arms[1].launches
                work.waits += (*arms[0].waits, *arms[1].waits)
            case _:  # sizes, views and numbers of the host
                ir.without_blocks(stmt)


def _line(stmt: ir.Stmt) -> int:
    return stmt.origin.line if stmt.origin is not None else 0
