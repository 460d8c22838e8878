"""Scalar kernels as CUDA C++ in double precision, made of their Python text.

``mooncake_runtime.scalar_kernels`` says what they compute, so both back ends do the same. The
subset is what these are written in: numbers, pairs of them, arrays of constants and short ones that
start as zeros, branches, loops.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mooncake_runtime.kernel_texts import C_TYPES, ScalarKernel, kernel, kernels

COMMON = """struct Pair { double first, second; };
template <typename T> __device__ T lesser(T a, T b) { return b < a ? b : a; }
template <typename T> __device__ T larger(T a, T b) { return b > a ? b : a; }"""
C_FUNCTIONS = {
    "abs": "fabs", "gamma": "tgamma", "minimum": "fmin", "maximum": "fmax", "min": "lesser",
    "max": "larger", "fabs": "fabs",
}  # fmt: skip
MOST = 64  # elements of an array that a kernel makes: one for each derivative, and few more
C_OPERATORS: Mapping[type, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Lt: "<", ast.LtE: "<=",
    ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.And: "&&", ast.Or: "||",
    ast.Not: "!", ast.USub: "-", ast.Mod: "%", ast.FloorDiv: "/",
}  # fmt: skip


def translated(name: str) -> tuple[list[str], list[str]]:
    """The functions that the kernel ``name`` is, its callees first, and their parameters."""
    texts: dict[str, str] = {}
    _add(kernel(name), texts)
    return list(texts.values()), list(kernel(name).parameters)


def _add(one: ScalarKernel, texts: dict[str, str]) -> None:
    if one.name not in texts:
        translation = _Translation(one)
        body = translation.body()
        for callee in translation.callees:
            _add(callee, texts)
        texts[one.name] = f"{one.head} {{\n{body}}}"


@dataclass(slots=True)
class _Translation:
    """One kernel on its way: the types of its variables, and what it calls."""

    kernel: ScalarKernel
    types: dict[str, str] = field(default_factory=dict)
    callees: list[ScalarKernel] = field(default_factory=list)
    arrays: dict[str, str] = field(default_factory=dict)  # of constants
    count: int = 0  # of temporaries

    def body(self) -> str:
        params = self.kernel.parameters
        self.types.update(params)
        before: dict[str, str] = {}
        while before != self.types:  # a variable is a float if it is one somewhere
            before = dict(self.types)
            for node in ast.walk(self.kernel.node):
                self.typed(node)
        lines = list(self.block(self.kernel.node.body))
        own = (_declared(name, t) for name, t in self.types.items() if name not in params)
        return "".join(map("  {}\n".format, (*self.arrays.values(), *own, *lines)))

    # ---- types -----------------------------------------------------------------------------------

    def typed(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self.bound(target, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.bound(target, value)
            case ast.AugAssign(target=target, value=value, op=op):
                is_divided = isinstance(op, ast.Div)
                self.meets(target, "float" if is_divided else self.type(value))
            case ast.For(target=target, iter=ast.Call()):
                self.meets(target, "int")
            case ast.For(target=target):
                self.meets(target, "float")
            case _:
                pass

    def bound(self, target: ast.expr, value: ast.expr) -> None:
        match target, value:
            case ast.Tuple(elts=targets), ast.Tuple(elts=values):
                for one, other in zip(targets, values, strict=True):
                    self.bound(one, other)
            case ast.Tuple(elts=targets), _:
                for one in targets:
                    self.meets(one, "float")
            case _:
                self.meets(target, self.type(value))

    def meets(self, target: ast.expr, type_: str) -> None:
        if isinstance(target, ast.Subscript):  # an element, which is a float
            return
        if not isinstance(target, ast.Name):
            raise NotImplementedError(ast.dump(target))
        self.types[target.id] = _joined(self.types.get(target.id, type_), type_)

    def type(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=value):
                return type(value).__name__
            case ast.Name(id=name):
                return self.types.get(name) or type(self.constant(node)).__name__
            case ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return "bool"
            case ast.UnaryOp(operand=inner):
                return self.type(inner)
            case ast.BinOp(left=left, right=right, op=op):
                is_float = isinstance(op, ast.Div | ast.Pow)
                return "float" if is_float else _joined(self.type(left), self.type(right))
            case ast.IfExp(body=first, orelse=second):
                return _joined(self.type(first), self.type(second))
            case ast.Call(func=ast.Name(id="int" | "len")):
                return "int"
            case ast.Call(func=ast.Attribute(attr="zeros")):
                return "zeros"
            case ast.Call(func=ast.Name(id="abs" | "min" | "max"), args=args):
                return _joined(*map(self.type, args))
            case ast.Call(func=ast.Name(id=name)) if (callee := self.callee(name)) is not None:
                return callee.result
            case _:
                return "float"

    # ---- statements ------------------------------------------------------------------------------

    def block(self, stmts: list[ast.stmt]) -> Iterator[str]:
        for stmt in stmts:
            yield from self.statement(stmt)

    def statement(self, stmt: ast.stmt) -> Iterator[str]:
        match stmt:
            case ast.Expr(value=ast.Constant()):
                pass
            case ast.Return(value=ast.Tuple(elts=[first, second])):
                yield f"return Pair{{{self.text(first)}, {self.text(second)}}};"
            case ast.Return(value=value) if value is not None:
                yield f"return {self.text(value)};"
            case ast.Assign(value=value) if self.type(value) == "zeros":
                pass  # as it is from the start
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                yield from self.several([self.text(target) for target in targets], value)
            case ast.Assign(targets=targets, value=value):
                yield f"{' = '.join(map(self.text, targets))} = {self.text(value)};"
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield f"{self.text(target)} = {self.text(value)};"
            case ast.AugAssign(target=target, op=op, value=value):
                yield f"{self.text(target)} {C_OPERATORS[type(op)]}= {self.text(value)};"
            case ast.If(test=test, body=body, orelse=orelse):
                yield f"if ({self.text(test)}) {{"
                yield from self.block(body)
                yield "} else {"
                yield from self.block(orelse)
                yield "}"
            case ast.While(test=test, body=body):
                yield f"while ({self.text(test)}) {{"
                yield from self.block(body)
                yield "}"
            case ast.For(target=target, iter=over, body=body):
                yield self.loop(self.text(target), over)
                yield from self.block(body)
                yield "}"
            case ast.Break():
                yield "break;"
            case _:
                raise NotImplementedError(ast.dump(stmt))

    def several(self, targets: list[str], value: ast.expr) -> Iterator[str]:
        """Assignments at once."""
        self.count += 1
        if isinstance(value, ast.Tuple):
            names = [f"t{self.count}_{k}" for k in range(len(targets))]
            yield from (
                f"const auto {name} = {self.text(one)};"
                for name, one in zip(names, value.elts, strict=True)
            )
        else:
            yield f"const Pair t{self.count} = {self.text(value)};"
            names = [f"t{self.count}.{part}" for part in ("first", "second")]
        yield from (f"{to} = {name};" for to, name in zip(targets, names, strict=True))

    def loop(self, target: str, over: ast.expr) -> str:
        match over:
            case ast.Call(func=ast.Name(id="range"), args=args):
                start, stop, step = {
                    1: lambda: ("0", *map(self.text, args), "1"),
                    2: lambda: (*map(self.text, args), "1"),
                    3: lambda: tuple(map(self.text, args)),
                }[len(args)]()  # fmt: skip
                sign = ">" if step.startswith("(-") else "<"
                # as in Python, the last value of the variable is that of the last iteration
                k = f"k{self.advanced()}"
                head = f"long long {k} = {start}; {k} {sign} {stop}; {k} += {step}"
                return f"for ({head}) {{ {target} = {k};"
            case ast.Name():
                k = f"k{self.advanced()}"
                return f"for (double {k} : {self.array(over)}) {{ {target} = {k};"
            case _:
                raise NotImplementedError(ast.dump(over))

    def advanced(self) -> int:
        self.count += 1
        return self.count

    # ---- expressions -----------------------------------------------------------------------------

    def text(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool(value)):
                return "true" if value else "false"
            case ast.Constant(value=value):
                return repr(value)
            case ast.Name(id=name) if name in self.types:
                return name
            case ast.Name() | ast.Attribute():
                return _number(self.constant(node))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return f"pow((double){self.text(left)}, (double){self.text(right)})"
            case ast.BinOp(left=left, op=op, right=right):
                first = f"(double){self.text(left)}" if isinstance(op, ast.Div) else self.text(left)
                return f"({first} {C_OPERATORS[type(op)]} {self.text(right)})"
            case ast.UnaryOp(op=op, operand=inner):
                return f"({C_OPERATORS[type(op)]}{self.text(inner)})"
            case ast.BoolOp(op=op, values=values):
                return f"({f' {C_OPERATORS[type(op)]} '.join(map(self.text, values))})"
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [left, *others]
                pairs = (
                    f"{self.text(a)} {C_OPERATORS[type(op)]} {self.text(b)}"
                    for a, op, b in zip(sides, ops, others, strict=False)
                )
                return f"({' && '.join(pairs)})"
            case ast.IfExp(test=test, body=first, orelse=second):
                cast = f"({C_TYPES[self.type(node)]})"
                return f"({self.text(test)} ? {cast}{self.text(first)} : {cast}{self.text(second)})"
            case ast.Subscript(value=ast.Name(id=name), slice=index) if name in self.types:
                return f"{name}[{self.text(index)}]"
            case ast.Subscript(value=array, slice=index):
                return f"{self.array(array)}[{self.text(index)}]"
            case ast.Call(func=func, args=args):
                return self.call(func, args)
            case _:
                raise NotImplementedError(ast.dump(node))

    def array(self, node: ast.expr) -> str:
        """The name of an array of constants."""
        values = self.constant(node)
        if not (isinstance(node, ast.Name) and isinstance(values, np.ndarray)):
            raise NotImplementedError(ast.dump(node))
        listed = ", ".join(map(repr, values.tolist()))
        self.arrays[node.id] = f"const double {node.id}[] = {{{listed}}};"
        return node.id

    def call(self, func: ast.expr, args: list[ast.expr]) -> str:
        match func:
            case ast.Name(id="polynomial"):
                return self.polynomial(*args)
            case ast.Name(id="len"):
                values = self.constant(args[0])
                return str(len(values)) if isinstance(values, np.ndarray) else "?"
            case ast.Name(id="int"):
                return f"(long long)({self.text(args[0])})"
            case ast.Name(id="float") | ast.Attribute(attr="float64"):
                return f"(double)({self.text(args[0])})"
            case ast.Name(id=name) if (callee := self.callee(name)) is not None:
                if callee not in self.callees:
                    self.callees.append(callee)
                return f"{callee.name}({', '.join(map(self.text, args))})"
            case ast.Name(id="min" | "max" as name):
                cast = f"({C_TYPES[_joined(*map(self.type, args))]})"
                given = ", ".join(f"{cast}{self.text(arg)}" for arg in args)
                return f"{C_FUNCTIONS[name]}({given})"
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="math" | "np"), attr=name):
                given = ", ".join(f"(double){self.text(arg)}" for arg in args)
                return f"{C_FUNCTIONS.get(name, name)}({given})"
            case _:
                raise NotImplementedError(ast.dump(func))

    def polynomial(self, at: ast.expr, coefficients: ast.expr) -> str:
        """Horner's scheme; ``at`` is evaluated once."""
        values = self.constant(coefficients)
        if not isinstance(values, np.ndarray):
            raise NotImplementedError(ast.dump(coefficients))
        text = "0.0"
        for c in values.tolist():
            text = f"({text} * x + {c!r})"
        return f"[](double x) {{ return {text}; }}({self.text(at)})"

    def callee(self, name: str) -> ScalarKernel | None:
        """The kernel that ``name`` is in this module."""
        value: Any = vars(self.kernel.module).get(name)
        function = getattr(value, "py_func", value)
        if not callable(function) or name == "polynomial":
            return None
        return kernels().get((str(function.__module__), function.__name__))

    def constant(self, node: ast.expr) -> object:
        """A number or an array that is known."""
        match node:
            case ast.Name(id=name):
                return vars(self.kernel.module).get(name)
            case ast.Attribute(value=ast.Name(id="math" | "np"), attr=name):
                return getattr(np, name)
            case ast.Subscript(value=inner, slice=ast.Slice(lower=None, upper=None)):
                values = self.constant(inner)
                return values[::-1] if isinstance(values, np.ndarray) else None
            case _:
                return None


def _declared(name: str, type_: str) -> str:
    return f"double {name}[{MOST}] = {{}};" if type_ == "zeros" else f"{C_TYPES[type_]} {name};"


def _joined(*types: str) -> str:
    return next((t for t in ("zeros", "pair", "float", "int") if t in types), "bool")


def _number(value: object) -> str:
    match value:
        case float() if value != value:
            return "(0.0 / 0.0)"
        case float() if abs(value) == np.inf:
            return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
        case int() | float():
            return repr(value)
        case _:
            raise NotImplementedError(repr(value))
