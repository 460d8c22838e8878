"""A whole gradient module as text: marker, imports, NamedTuples, functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.entries import EmittedFunc, compilable, reaching_recursion
from mooncake_transpiler.emit.function import Emitted, docstring, emit_function
from mooncake_transpiler.emit.imports import HELPERS, RUNTIME, Import, render_imports
from mooncake_transpiler.emit.layout import layout
from mooncake_transpiler.emit.scope import KERNELS, RAISED, Callee, Scope
from mooncake_transpiler.emit.signature import annotation, default_name
from mooncake_transpiler.emit.wrappers import emit_wrapper
from mooncake_transpiler.types import FROM_SOURCE, Tuple, Type


@dataclass(frozen=True, slots=True)
class EmitModule:
    """What a gradient module holds.

    ``external`` are functions of other generated modules that are called, by ``Func.name``, with
    the modules to import them from. ``sources`` says how to import the modules that constant
    arrays come from (``.m`` in a package; the dotted name itself by default), ``runtime`` the same
    for the runtime, and ``imports`` what else is needed, such as the classes of NamedTuples.
    """

    name: str
    source_path: str
    funcs: tuple[EmittedFunc, ...]
    named_tuples: tuple[Tuple, ...] = ()
    header: tuple[str, ...] = ()
    imports: tuple[Import, ...] = ()
    external: Mapping[str, tuple[str, Callee]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    runtime: str = RUNTIME
    doc: str = ""


def emit_module(module: EmitModule) -> str:
    """The text of ``module``; equal input gives equal text."""
    module = replace(module, funcs=tuple(compilable(module.funcs)))
    arrays, array_imports = _arrays(module)
    compiled = [item for item in module.funcs if item.compiled is None]
    callees = {f.func.name: Callee(f.func, f.python_name) for f in compiled}
    callees |= {name: callee for name, (_, callee) in module.external.items()}
    structs = frozenset(t.cls for t in module.named_tuples if t.cls is not None)
    imported = frozenset(entry.bound for entry in module.imports)
    aliases = _aliases(module.funcs)
    classes = structs | imported | aliases.keys()
    helpers = {n: _free(n, _names(module, {*arrays.values(), *classes})) for n in HELPERS}
    kernels = _kernels(module, {*arrays.values(), *classes})
    scope = Scope(callees, arrays, classes, kernels, helpers[RAISED])
    needs: set[str] = set()
    pieces = [_named_tuple(struct, needs) for struct in module.named_tuples]
    constants = _defaults(module.funcs, needs, helpers)
    if constants:
        pieces.append("\n".join(constants))
    if aliases:
        pieces.append("\n".join(_alias(name, t, needs) for name, t in aliases.items()))
    recursive = reaching_recursion([item.func for item in module.funcs])
    for item in module.funcs:
        cached = item.func.name not in recursive
        emitted = _emitted(item, scope, cached, helpers)
        needs |= emitted.needs
        pieces.append(emitted.text)
    called = _external_calls(module)
    head = [*module.header, *docstring(module.doc, 0)]
    others = (*module.imports, *array_imports, *called)
    lines = render_imports(needs, others, {KERNELS: scope.kernels, **helpers}, module.runtime)
    separator = "\n\n" if module.doc else "\n"
    top = separator.join(filter(None, ("\n".join(head), "\n".join(lines))))
    if aliases and not module.named_tuples:  # no blank line more than import sorters want
        top = "\n\n".join(filter(None, (top, pieces.pop(0))))
    return "\n\n\n".join(part.rstrip("\n") for part in (top, *pieces) if part) + "\n"


def _defaults(
    funcs: Iterable[EmittedFunc], needs: set[str], helpers: Mapping[str, str]
) -> list[str]:
    """Objects that are defaults, taken from the functions of the source."""
    lines = []
    for text in defaults(item.func for item in funcs):
        needs.add("default_of")
        _, function, param = text.split(":")
        call = f'{helpers["default_of"]}({function}, "{param}")'
        lines.append(f"{default_name(text)} = {call}")
    return lines


def defaults(funcs: Iterable[ir.Func]) -> list[str]:
    """The defaults that are to be taken from the source: where they are."""
    found = (param.default for func in funcs for param in func.params)
    return list(dict.fromkeys(d for d in found if d and d.startswith(FROM_SOURCE)))


def _emitted(item: EmittedFunc, scope: Scope, cached: bool, helpers: Mapping[str, str]) -> Emitted:
    if item.compiled is not None:
        return emit_wrapper(item.func, item.python_name, item.compiled, scope.names(), helpers)
    return emit_function(
        item.func, scope, item.python_name, item.jit, cached=cached, labels=item.labels
    )


def _kernels(module: EmitModule, taken: set[str]) -> str:
    """A name for the module of the primitives that nothing hides."""
    return _free(KERNELS, _names(module, taken))


def _names(module: EmitModule, taken: set[str]) -> set[str]:
    """The names of parameters and of what the module defines."""
    names = {param.name for item in module.funcs for param in item.func.params}
    return names | {item.python_name for item in module.funcs} | taken


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name


def _named_tuple(struct: Tuple, needs: set[str]) -> str:
    needs.add("NamedTuple")
    lines = [f"class {struct.cls}(NamedTuple):"]
    for name, item in zip(struct.names or (), struct.items, strict=True):
        lines += layout(f"{name}: ", annotation(item, needs), "", 1)
    return "\n".join(lines)


def _aliases(funcs: Iterable[EmittedFunc]) -> dict[str, Tuple]:
    """The tuple types that signatures call by a name of ours."""
    found: dict[str, Tuple] = {}
    for item in funcs:
        waiting: list[Type] = [item.func.result, *(param.type for param in item.func.params)]
        for type_ in waiting:
            if isinstance(type_, Tuple):
                waiting += type_.items
                if type_.alias is not None and type_.names is None:
                    found[type_.alias] = type_
    return found


def _alias(name: str, type_: Tuple, needs: set[str]) -> str:
    spelled = annotation(replace(type_, alias=None), needs)
    return "\n".join(layout(f"{name} = ", spelled, "", 0))


def _arrays(module: EmitModule) -> tuple[dict[tuple[str, str], str], list[Import]]:
    """The names that constant arrays get in this module, and their imports."""
    taken = {f.python_name for f in module.funcs} | {entry.bound for entry in module.imports}
    names: dict[tuple[str, str], str] = {}
    imports = []
    for source, name in sorted(_globals(f.func for f in module.funcs)):
        bound = name if name not in taken else f"{source.replace('.', '_')}_{name}"
        taken.add(bound)
        names[source, name] = bound
        imports.append(Import(module.sources.get(source, source), name, bound))
    return names, imports


def _globals(funcs: Iterable[ir.Func]) -> set[tuple[str, str]]:
    """The constant arrays and the exceptions of the program, by module and name."""
    found: set[tuple[str, str]] = set()
    for stmt in (stmt for func in funcs for stmt in ir.walk(func.body)):
        match stmt:
            case ir.Global(module=module, name=name):
                found.add((module, name))
            case ir.Raise(exc=exc) if ":" in exc:
                module, _, name = exc.partition(":")
                found.add((module, name))
            case _:
                pass
    return found


def _external_calls(module: EmitModule) -> list[Import]:
    """Imports of the functions of other generated modules that are called."""
    called = {
        stmt.func
        for item in module.funcs
        for stmt in ir.walk(item.func.body)
        if isinstance(stmt, ir.Call)
    }
    found = (module.external[name] for name in sorted(called & module.external.keys()))
    return [Import(source, callee.python_name, callee.python_name) for source, callee in found]
