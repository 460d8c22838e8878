"""Inlining: the body of the callee in place of the call.

    before                                 after
    func m:f(x: float64) -> float64        func m:f(x: float64) -> float64
      y: float64 = call m:g(x)               t1: float64 = mul x, x
      return y                               return t1

Callees come first, so what is inlined is complete already. Functions that are recursive, also
through others, stay calls (but see ``_grounded``), and so does what would make the caller too long,
and helpers that are not to be copied (`passes/shared_helpers.py`). So do functions that have a
pullback: differentiation must not look into them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Set
from dataclasses import replace

from mooncake_transpiler import ir
from mooncake_transpiler.analysis.refusal import refused
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.passes.rewrite import Rewriter
from mooncake_transpiler.passes.shared_helpers import Helpers, set_apart

BUDGET = 20_000  # statements of a function after inlining


def inline_short(program: ir.Program, public: Collection[str]) -> ir.Program:
    """``inline``, where helpers stay functions that would stand in many places.

    The functions ``public`` have derivatives of their own.
    """
    helpers = Helpers(program, public)
    program = inline(program, stays=helpers.stays)
    return set_apart(program, helpers.names, public) if helpers.names else program


def inline(
    program: ir.Program,
    budget: int = BUDGET,
    stays: Callable[[ir.Func, int], bool] = lambda func, size: False,
) -> ir.Program:
    """``program`` with calls of non-recursive functions replaced by their bodies.

    ``stays`` tells of one, with its size, if it is called all the same.
    """
    for names in components(program):
        program = _grounded(program, names)
    done: dict[str, ir.Func] = {}
    sizes: dict[str, int] = {}
    for names in components(program):
        for name in names:
            caller = _Inline(done, sizes, program.funcs[name], budget)
            inlined = caller.run(program.funcs[name])
            sizes[name] = caller.size
            recursive = names != (name,) or name in _callees(inlined.body)
            ruled = inlined.pullback is not None
            if not (recursive or ruled or stays(inlined, caller.size)):
                done[name] = inlined
            program = ir.Program(program.funcs | {name: inlined})
    return program


def _grounded(program: ir.Program, names: tuple[str, ...]) -> ir.Program:
    """``program`` where each of ``names``, which call one another, may return without such a call.

    numba takes the type of what a recursive function returns from there. A function that can't is
    put into those that call it.
    """
    around = {name: _callees(program.funcs[name].body).keys() & set(names) for name in names}
    cycle = {name for name in names if around[name]}
    while cycle and (open_ := [n for n in names if n in cycle and not _ends(program, n, cycle)]):
        name = next((n for n in open_ if n not in _callees(program.funcs[n].body)), None)
        if name is None or len(cycle) == 1:
            func = program.funcs[open_[0]]
            message = f"{short(func.name)} always calls itself before it returns"
            raise refused("MK368", message, func.origin, "return a value before the recursive call")
        cycle.remove(name)
        done = {name: program.funcs[name]}
        size = {name: sum(1 for _ in ir.walk(done[name].body))}
        changed = {
            n: _Inline(done, size, program.funcs[n], BUDGET).run(program.funcs[n]) for n in cycle
        }
        program = ir.Program(program.funcs | changed)
    return program


def _ends(program: ir.Program, name: str, cycle: Set[str]) -> bool:
    return program.funcs[name].pullback is not None or _passes(program.funcs[name].body, cycle)


def _passes(block: ir.Block, cycle: Set[str]) -> bool:
    """True if some path through ``block`` calls none of ``cycle``, and does not raise."""
    for stmt in block.stmts:
        match stmt:
            case ir.Call(func=func) if func in cycle:
                return False
            case ir.Raise():
                return False
            case ir.If(then=then, orelse=orelse):
                if not (_passes(then, cycle) or _passes(orelse, cycle)):
                    return False
            case ir.While(cond=cond):
                if not _passes(cond, cycle):
                    return False
            case ir.For():  # its body may not run
                pass
            case _:
                ir.without_blocks(stmt)
    return True


class _Inline(Rewriter):
    """Inlines the functions in ``done`` into one caller."""

    def __init__(
        self, done: Mapping[str, ir.Func], sizes: Mapping[str, int], caller: ir.Func, budget: int
    ) -> None:
        super().__init__()
        self.done = done
        self.sizes = sizes
        self.budget = budget
        stmts = list(ir.walk(caller.body))
        self.size = len(stmts)
        self.next_index = 1 + max((s.origin.index for s in stmts if s.origin), default=-1)

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = self.resolved(stmt)
        callee = self.done.get(stmt.func) if isinstance(stmt, ir.Call) else None
        if not isinstance(stmt, ir.Call) or callee is None:
            self.emit(self.inside(stmt))
            return
        if self.size + self.sizes[stmt.func] > self.budget:
            self.emit(stmt)
            return
        self.size += self.sizes[stmt.func]
        copy = _CalleeBody(stmt.origin, self.next_index)
        copy.env.update(zip(callee.inputs, stmt.args, strict=True))
        body = copy.block(callee.body)
        self.next_index = copy.next_index
        self.stmts += body.stmts
        self.env.update(zip(stmt.outs, body.yields, strict=True))


class _CalleeBody(Rewriter):
    """A callee's body with values and origins of its own, so that no two call sites share one."""

    def __init__(self, call: ir.Origin | None, next_index: int) -> None:
        super().__init__()
        self.call = call
        self.next_index = next_index
        self.origins: dict[ir.Origin, ir.Origin] = {}

    def statement(self, stmt: ir.Stmt) -> None:
        stmt = replace(stmt, origin=self.origin(stmt.origin))
        self.emit(self.inside(ir.with_results(self.resolved(stmt), self.bind)))

    def bind(self, value: ir.Value) -> ir.Value:
        twin = self.env[value] = ir.fresh(value)
        return twin

    def origin(self, origin: ir.Origin | None) -> ir.Origin | None:
        if origin is None:
            return self.call
        if origin not in self.origins:
            self.origins[origin] = replace(origin, index=self.next_index)
            self.next_index += 1
        return self.origins[origin]


# ---- the call graph -----------------------------------------------------------------------------


def components(program: ir.Program) -> list[tuple[str, ...]]:
    """The strongly connected components of the call graph, callees first (Tarjan 1972)."""
    graph = {name: _callees(func.body) for name, func in program.funcs.items()}
    number: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[tuple[str, ...]] = []

    def visit(name: str) -> None:
        number[name] = low[name] = len(number)
        stack.append(name)
        for callee in graph[name]:
            if callee in graph and callee not in number:
                visit(callee)
                low[name] = min(low[name], low[callee])
            elif callee in stack:
                low[name] = min(low[name], number[callee])
        if low[name] == number[name]:
            at = stack.index(name)
            found.append(tuple(stack[at:]))
            del stack[at:]

    for name in graph:
        if name not in number:
            visit(name)
    return found


def _callees(block: ir.Block) -> dict[str, None]:
    """The functions that ``block`` calls, in order."""
    return {stmt.func: None for stmt in ir.walk(block) if isinstance(stmt, ir.Call)}
