"""The array library of each function: NumPy or CuPy.

That is a fact of the text: of the names in a function, and in what these names lead to within the
program. One function has one library. Numbers and dtypes of NumPy (``np.pi``, ``np.float32``) are
those of CuPy, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import libcst as cst

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Start
from mooncake_transpiler.frontend.annotation.annotation_parts import quoted_type
from mooncake_transpiler.frontend.entities import External, Module
from mooncake_transpiler.frontend.library.hand_over import RESULT, hand_over, returned_calls
from mooncake_transpiler.frontend.library.module_tests import module_tests
from mooncake_transpiler.frontend.library.plain_numbers import plain_numbers, with_axes
from mooncake_transpiler.frontend.name import typenames
from mooncake_transpiler.frontend.name.bindings import ClassBinding, FunctionBinding, ValueBinding
from mooncake_transpiler.frontend.name.resolve import BoundName, Found, Resolver
from mooncake_transpiler.frontend.text.source import place
from mooncake_transpiler.frontend.text.trees import bindings, children, dotted, target_names, walk
from mooncake_transpiler.reaching import closure
from mooncake_transpiler.types import ArrayLibrary

# What both libraries share: no arrays.
_SHARED = typenames.SCALARS.keys() | {
    f"numpy.{name}"
    for name in ("pi", "e", "inf", "nan", "euler_gamma", "newaxis", "dtype", "finfo", "iinfo")
}

# They return the module that a function works with, whichever that is.
_MODULE_GETTERS = frozenset({"numpy.get_array_module", "scipy.get_array_module"})

# Functions of NumPy and SciPy that CuPy 14 lacks.
_RANDOM = "numpy.random."
_LACKING = frozenset(
    {
        f"numpy.{name}"
        for name in (
            "block", "einsum_path", "frompyfunc", "geomspace", "histogram_bin_edges", "insert",
            "isnat", "matvec", "nanpercentile", "nanquantile", "polyder", "polyint", "spacing",
            "unstack", "vecdot", "vecmat", "linalg.diagonal", "linalg.matrix_norm",
            "linalg.multi_dot", "linalg.outer", "linalg.svdvals", "linalg.tensordot",
            "linalg.trace", "linalg.vecdot", "linalg.vector_norm",
        )
    }
    | {"scipy.special.jv", "scipy.special.kv", "scipy.special.hyp2f1"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Use:
    """A name of a library, where it stands."""

    library: ArrayLibrary
    found: External
    module: Module
    node: cst.CSTNode

    @property
    def shown(self) -> str:
        at = place(self.module, self.node)
        text = ".".join(dotted(self.node) or ())
        return f"{text} ({at.path}:{at.line})"


@dataclass(frozen=True, slots=True)
class Libraries:
    """The library of a function, and what is wrong with how it is used.

    ``handed``: the parameters that are NumPy's arrays in a function over CuPy's, and "return" if
    its result is. ``shared``: the places where what is changed may have another name.
    """

    library: ArrayLibrary | None
    problems: Sequence[Diagnostic] = ()
    handed: frozenset[str] = frozenset()
    shared: frozenset[Start] = frozenset()


def library_of(resolver: Resolver, module: Module, node: cst.FunctionDef) -> Libraries:
    """The library of the function ``node``."""
    if not resolver.has_cupy:
        return Libraries(None)
    inner, handed = hand_over(
        resolver, module.name, node, partial(_libraries, resolver, module.name)
    )
    found = _library_of(resolver, module, inner)
    is_mixed = any(problem.code == "MK600" for problem in found.problems)
    if is_mixed or found.library is not ArrayLibrary.CUPY:
        return _library_of(resolver, module, node)
    ends = returned_calls(node) if RESULT in handed else frozenset()
    for use in _LibrarySearch(resolver).uses(module.name, inner):
        if use.found.qualname == "numpy.asnumpy" and use.node not in ends:
            at = place(use.module, use.node)
            message = "cp.asnumpy is for what is returned, as an array of NumPy"
            return replace(found, problems=[*found.problems, Diagnostic("MK610", message, at)])
    return replace(found, handed=handed)


def _libraries(resolver: Resolver, module: str, node: cst.CSTNode) -> frozenset[ArrayLibrary]:
    return frozenset(use.library for use in _LibrarySearch(resolver).uses(module, node))


def _library_of(resolver: Resolver, module: Module, node: cst.FunctionDef) -> Libraries:
    uses = list(_LibrarySearch(resolver).uses(module.name, node))
    first = {use.library: use for use in reversed(uses)}
    if ArrayLibrary.CUPY not in first:
        return Libraries(ArrayLibrary.NUMPY if first else None)
    at = place(module, node.name)
    if ArrayLibrary.NUMPY in first:
        both = f"{first[ArrayLibrary.CUPY].shown} and {first[ArrayLibrary.NUMPY].shown}"
        message = f"{node.name.value} mixes arrays of CuPy and of NumPy: {both}"
        help_ = "use one of them only, or hand over what is passed: cp.asarray(x)"
        return Libraries(ArrayLibrary.CUPY, [Diagnostic("MK600", message, at, help_)])
    drawn = next((use for use in uses if use.found.qualname.startswith(_RANDOM)), None)
    if drawn is not None:
        message = f"CuPy draws other random numbers than NumPy: {drawn.shown}"
        help_ = "draw them before the call, and pass them as an argument"
        return Libraries(ArrayLibrary.CUPY, [Diagnostic("MK194", message, at, help_)])
    lacking = next((use for use in uses if use.found.qualname in _LACKING), None)
    if lacking is not None:
        message = f"CuPy has no such function: {lacking.shown}"
        return Libraries(ArrayLibrary.CUPY, [Diagnostic("MK601", message, at)])
    return Libraries(ArrayLibrary.CUPY, shared=frozenset(_shared(resolver, module, node)))


@dataclass(slots=True)
class _LibrarySearch:
    """Follows names within the program, each once."""

    resolver: Resolver
    seen: set[tuple[str, str]] = field(default_factory=set)
    waiting: list[tuple[str, cst.CSTNode]] = field(default_factory=list)

    def uses(self, module: str, node: cst.CSTNode) -> Iterator[_Use]:
        """The names of libraries in ``node``, and in what it refers to."""
        self.waiting = [(module, node)]
        if isinstance(node, cst.FunctionDef):  # as it is given
            self.seen.add((module, node.name.value))
        while self.waiting:
            home, part = self.waiting.pop()
            own = {p.name.value for p in walk(part) if isinstance(p, cst.Param)}
            decided = set(self._decided(home, part))
            for name in _names(part):
                path = dotted(name)
                if path is not None and path[0] not in own and name not in decided:
                    yield from self._found(self.resolver.lookup(home, name), home, name)

    def _decided(self, home: str, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The names behind tests such as ``xp is np`` that do not tell the library.

        In what runs for NumPy's arrays only, those that lead to NumPy alone.
        """
        for test in module_tests(self.resolver, home, node):
            yield test.named
            for library, branch in test.branches:
                for name in _names(branch):
                    if _libraries(self.resolver, home, name) == {library}:
                        yield name

    def _found(self, found: Found | None, module: str, name: cst.CSTNode) -> Iterator[_Use]:
        match found:
            case External(library=ArrayLibrary() as library, qualname=qualname):
                if qualname not in _SHARED | _MODULE_GETTERS:
                    yield _Use(library, found, self.resolver.modules[module], name)
            case BoundName(module=home, name=bound) if (home, bound) not in self.seen:
                self.seen.add((home, bound))
                match found.binding:
                    case FunctionBinding(node=inner) | ClassBinding(node=inner):
                        self.waiting.append((home, inner))
                    case ValueBinding(expr=expr):
                        self.waiting.append((home, expr))
                    case _:
                        pass
            case _:
                # a name of something outside, or an attribute of an object of the program
                if isinstance(name, cst.Attribute):
                    yield from self._found(
                        self.resolver.lookup(module, name.value), module, name.value
                    )


def _names(node: cst.CSTNode) -> Iterator[cst.Name | cst.Attribute]:
    """The longest dotted names in ``node``, those in quoted annotations too."""
    match node:
        case cst.Attribute() if dotted(node) is not None:
            yield node
        case cst.Name():
            yield node
        case cst.Attribute(value=value):
            yield from _names(value)
        case cst.Arg(value=value):
            yield from _names(value)
        case cst.Annotation(annotation=cst.SimpleString(evaluated_value=str(text))):
            if (inner := quoted_type(text)) is not None:
                yield from _names(inner)
        case _:
            for child in children(node):
                yield from _names(child)


def _shared(resolver: Resolver, module: Module, node: cst.FunctionDef) -> Iterator[Start]:
    """Places where a name is changed in place whose value has another one.

    CuPy's numbers are arrays: behind ``t = s``, ``s += 1`` changes ``t``. NumPy's are not.
    """
    for function in _functions(resolver, module, node):
        called = _Calls(resolver, function)
        arrays = _arrays(called)
        ends = _returns(function.node)
        stores = {part for part in walk(function.node) if _stores(part, arrays)}
        passed = {inner for part in (*ends, *stores) for inner in _choices(part)}
        named = {
            name.value: name
            for part in walk(function.node)
            if part not in ends | stores | passed
            for name in _given_another_name(called, part)
        }
        params = {p.name.value for p in walk(function.node) if isinstance(p, cst.Param)}
        apart = plain_numbers(resolver, function.module, function.node) | with_axes(function.node)
        home = resolver.modules[function.module]
        for part in walk(function.node):
            if not isinstance(part, cst.AugAssign):
                continue
            for target in target_names(part.target):
                if target.value in (named.keys() | params) - apart:
                    yield place(home, part).start


@dataclass(frozen=True, slots=True)
class _Function:
    module: str
    node: cst.FunctionDef


def _functions(resolver: Resolver, module: Module, node: cst.FunctionDef) -> Iterable[_Function]:
    """The function and those of the program that it may call, or those may, and so on."""

    def named(function: _Function) -> Iterator[_Function]:
        for name in _names(function.node):
            match resolver.lookup(function.module, name):
                case BoundName(module=home, binding=FunctionBinding(node=inner)):
                    yield _Function(home, inner)
                case _:
                    pass

    return closure([_Function(module.name, node)], named)


class _Calls:
    """Tells the calls of a function that leave the program, those of ``xp.exp`` too.

    ``xp`` is what ``get_array_module`` has returned, wherever it is bound.
    """

    def __init__(self, resolver: Resolver, function: _Function) -> None:
        self.node = function.node
        self._resolver, self._module = resolver, function.module
        bound = list(bindings(walk(function.node)))
        others = {name for one in bound if not self._gets_module(one.node) for name in one.names}
        self._modules = {name for one in bound for name in one.names} - others

    def leave(self, func: cst.CSTNode) -> bool:
        path = dotted(func)
        through_local = path is not None and len(path) > 1 and path[0] in self._modules
        return through_local or isinstance(self._found(func), External)

    def _gets_module(self, node: cst.CSTNode) -> bool:
        match node:
            case cst.Assign(value=cst.Call(func=func)):
                found = self._found(func)
                return isinstance(found, External) and found.qualname in _MODULE_GETTERS
            case _:
                return False

    def _found(self, func: cst.CSTNode) -> Found | None:
        return self._resolver.lookup(self._module, func)


def _arrays(called: _Calls) -> set[str]:
    """The parameters, and the names of what functions of a library alone have returned."""
    made: set[str] = set()
    others: set[str] = set()
    for one in bindings(walk(called.node)):
        match one.node:
            case cst.Param():
                made.update(one.names)
            case cst.Assign(value=cst.Call(func=func)) if called.leave(func):
                made.update(one.names)
            case cst.AugAssign():
                pass
            case _:
                others.update(one.names)
    return made - others


def _returns(function: cst.FunctionDef) -> set[cst.CSTNode]:
    """The ``return`` statements of ``function`` itself, behind which it changes nothing."""
    found: set[cst.CSTNode] = {p for p in walk(function) if isinstance(p, cst.Return)}
    inner = (f for f in walk(function) if isinstance(f, cst.FunctionDef) and f is not function)
    guarded = (t.finalbody for t in walk(function) if isinstance(t, cst.Try) and t.finalbody)
    late = list(inner) if next(guarded, None) is None else [function]
    return found.difference(part for f in late for part in walk(f))


def _choices(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions of what ``node`` stores or returns that choose one of several values."""
    match node:
        case (
            cst.Assign(value=value)
            | cst.Return(value=cst.IfExp() | cst.BooleanOperation() as value)
        ):
            yield from _choices(value)
        case cst.IfExp(body=left, orelse=right) | cst.BooleanOperation(left=left, right=right):
            yield node
            yield from _choices(left)
            yield from _choices(right)
        case _:
            pass


def _stores(node: cst.CSTNode, arrays: set[str]) -> bool:
    """True if ``node`` puts values into ``arrays`` and nothing else: these are copied."""
    match node:
        case cst.Assign(targets=targets):
            return all(
                isinstance(t.target, cst.Subscript)
                and isinstance(t.target.value, cst.Name)
                and t.target.value.value in arrays
                for t in targets
            )
        case _:
            return False


def _given_another_name(called: _Calls, node: cst.CSTNode) -> Iterator[cst.Name]:
    """The names whose values ``node`` binds to another name, or puts into a container."""
    match node:
        case cst.Assign(value=value) | cst.AnnAssign(value=value) | cst.Element(value=value):
            found = [value]
        case cst.NamedExpr(value=value) | cst.Return(value=value) | cst.DictElement(value=value):
            found = [value]
        case cst.IfExp(body=body, orelse=orelse):
            found = [body, orelse]
        case cst.BooleanOperation(left=left, right=right):
            found = [left, right]
        case cst.Call(func=func, args=args):
            found = [] if called.leave(func) else [arg.value for arg in args]
        case _:
            found = []
    yield from (value for value in found if isinstance(value, cst.Name))
