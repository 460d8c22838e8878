"""A whole gradient module as text: marker, imports, NamedTuples, functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mooncake_transpiler import ir
from mooncake_transpiler.emit.cuda.device_functions import DeviceFunc, device_funcs, on_device
from mooncake_transpiler.emit.cuda.device_functions import callees as launches
from mooncake_transpiler.emit.cuda.host_functions import called
from mooncake_transpiler.emit.cuda.kernel import kernel_text
from mooncake_transpiler.emit.entries import EmittedFunc, compilable
from mooncake_transpiler.emit.function import Emitted, docstring, emit_function
from mooncake_transpiler.emit.given.given_objects import Use
from mooncake_transpiler.emit.imports import (
    RUNTIME,
    Import,
    LibraryImports,
    elsewhere,
    render_imports,
)
from mooncake_transpiler.emit.layout import Group, layout, quoted
from mooncake_transpiler.emit.module_scope import Callee, EmittedCallee, ModuleScope
from mooncake_transpiler.emit.recursion_depth import reaching_recursion, with_depth
from mooncake_transpiler.emit.residuals import records
from mooncake_transpiler.emit.signature import annotation, array_alias, array_name, default_name
from mooncake_transpiler.emit.uses import Uses, renamed
from mooncake_transpiler.emit.wrappers import emit_wrapper
from mooncake_transpiler.interface.saved_names import residuals_name
from mooncake_transpiler.naming import free, params
from mooncake_transpiler.types import Array, ArrayLibrary, List, Tuple, Type, parts


@dataclass(frozen=True, slots=True)
class EmitModule:
    """The contents of a gradient module.

    ``external`` are functions of other generated modules that are called, by ``Func.name``, with
    the modules to import them from. ``sources`` says how to import the modules that constant
    arrays come from (``.m`` in a package; the dotted name itself by default), ``runtime`` the same
    for the runtime, and ``imports`` what else is needed, such as the classes of NamedTuples.
    """

    name: str
    funcs: tuple[EmittedFunc, ...]
    named_tuples: tuple[Tuple, ...] = ()
    header: tuple[str, ...] = ()
    imports: tuple[Import, ...] = ()
    external: Mapping[str, tuple[str, EmittedCallee]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    runtime: str = RUNTIME
    doc: str = ""
    library: ArrayLibrary = ArrayLibrary.NUMPY


@dataclass(frozen=True, slots=True)
class ModuleText:
    """A module as text, and its functions by the names that they have in it.

    ``kernels``: for functions that launch kernels of a GPU, the text of these.
    """

    text: str
    funcs: Mapping[str, Emitted]
    kernels: Mapping[str, tuple[str, ...]]


def emit_module(module: EmitModule) -> str:
    """The text of ``module``; equal input gives equal text."""
    return emit_traced([module]).text


def emit_traced(modules: Sequence[EmitModule]) -> ModuleText:
    """``modules``, one for each library of arrays, as the text of one, with its functions."""
    parts: list[_Part] = []
    for module in modules:
        parts.append(_part(module, parts))
    first = modules[0]
    head = [*first.header, *docstring(first.doc, 0)]
    lines = render_imports([part.needs for part in parts], first.runtime)
    separator = "\n\n" if first.doc else "\n"
    top = separator.join(filter(None, ("\n".join(head), "\n".join(lines))))
    shapes = [line for part in parts for line in part.shapes]
    pieces = [piece for part in parts for piece in part.pieces]
    funcs = {name: emitted for part in parts for name, emitted in part.funcs.items()}
    kernels = {name: texts for part in parts for name, texts in part.kernels.items()}
    return ModuleText(_joined(top, shapes, pieces), funcs, kernels)


@dataclass(frozen=True, slots=True)
class _Part:
    """The functions over the arrays of one library, as text; ``names`` are those it binds."""

    needs: LibraryImports
    shapes: tuple[str, ...]
    pieces: tuple[str, ...]
    funcs: Mapping[str, Emitted]
    kernels: Mapping[str, tuple[str, ...]]
    names: frozenset[str]


def _part(module: EmitModule, before: Sequence[_Part]) -> _Part:
    """The text of ``module`` behind the parts ``before`` it."""
    module = replace(module, funcs=tuple(compilable(_deepening(module.funcs))))
    taken = {*params(f.func for f in module.funcs), *(f.python_name for f in module.funcs)}
    taken |= {*_classes(module), *(name for part in before for name in part.names)}
    arrays, array_imports = _arrays(module, taken)
    launching: list[DeviceFunc] = []
    if module.library is ArrayLibrary.CUPY:
        launching = device_funcs(module.funcs)
        structs = tuple(map(_on_device, module.named_tuples))
        items = tuple(one.item for one in launching)
        module = replace(module, funcs=items, named_tuples=structs)
    other = {name for part in before for name in elsewhere(module.library, part.needs.needs)}
    scope, reached = _scope(module, arrays, taken, launching, other)
    uses = Uses(scope.imported)
    pieces = list(_before_functions(module, scope, uses.use))
    compiled = [item.func for item in module.funcs] if not launching else []
    recursive = reaching_recursion(compiled)
    device_kernels = {one.item.python_name: one.kernels for one in launching}
    kernels: dict[str, tuple[str, ...]] = {}
    funcs: dict[str, Emitted] = {}
    for item in module.funcs:
        name = item.python_name
        own = device_kernels.get(name, ())
        kernels[name] = tuple(kernel_text(kernel, uses.use("np"), uses.use) for kernel in own)
        funcs[name] = emitted = _emitted(item, scope, item.func.name not in recursive)
        uses.needs |= emitted.needs
        for callee in called(item.func):
            uses.use(callee)
        pieces += (*kernels[name], emitted.text)
        if name in reached:
            pieces.append(f"{reached[name]} = {name}")
    shapes = [array_alias(t, uses.use) for n, t in array_types(module).items() if n in uses.needs]
    others = (*module.imports, *array_imports, *_external_calls(module))
    needs = LibraryImports(uses.needs, others, scope.imported, module.library)
    return _Part(needs, tuple(shapes), tuple(pieces), funcs, kernels, scope.names)


def _before_functions(module: EmitModule, scope: ModuleScope, use: Use) -> Iterator[str]:
    """The text of tuples with names and constants."""
    yield from (_named_tuple(struct, use) for struct in module.named_tuples)
    if constants := _defaults(module.funcs, use):
        yield "\n".join(constants)
    if texts := _texts_in_order([item.func for item in module.funcs]):
        call = Group(f"{use('note_texts')}(", tuple(texts), ")", compact=True)
        yield "\n".join(layout("", call, "", 0))
    for name, type_ in _aliases(module.funcs).items():
        yield _alias(name, type_, scope.records.get(name, ()), use)


def _joined(top: str, shapes: Sequence[str], pieces: Sequence[str]) -> str:
    """The parts of a module with empty lines between them, as formatters want it."""
    if shapes:
        top = "\n\n".join((top, "\n".join(shapes)))
    elif pieces and not pieces[0].startswith(("class ", "def ", "@")):
        first, *pieces = pieces
        top = "\n\n".join(filter(None, (top, first)))  # as import sorters want it
    return "\n\n\n".join(part.rstrip("\n") for part in (top, *pieces) if part) + "\n"


def _deepening(items: Sequence[EmittedFunc]) -> list[EmittedFunc]:
    """``items`` where recursive functions count how deep they are."""
    funcs = with_depth([item.func for item in items])
    return [replace(item, func=func) for item, func in zip(items, funcs, strict=True)]


def _on_device(struct: Tuple) -> Tuple:
    found = on_device(struct)
    assert isinstance(found, Tuple)
    return found


def _scope(
    module: EmitModule,
    arrays: Mapping[tuple[str, str], str],
    taken: set[str],
    launching: Sequence[DeviceFunc],
    other: Collection[str],
) -> tuple[ModuleScope, dict[str, str]]:
    """The scope of the functions of ``module``: the names at module level that they use.

    Also names by which they reach functions that are called like parameters. Imports called like
    ``other`` ones of the module get names that say whose they are.
    """
    taken = taken | set(arrays.values())
    imported = _imported(module, taken, other)
    compiled = [item for item in module.funcs if item.compiled is None]
    shown = set(params(item.func for item in module.funcs))
    hidden = [item.python_name for item in compiled if item.python_name in shown]
    reached = {name: free(f"_{name}", taken) for name in hidden}
    callees: dict[str, Callee] = {
        item.func.name: EmittedCallee(item.func, reached.get(item.python_name, item.python_name))
        for item in compiled
    }
    callees |= {name: callee for name, (_, callee) in module.external.items()}
    if module.library is ArrayLibrary.CUPY:
        callees |= launches(launching, imported)
    names = frozenset(_classes(module))
    return ModuleScope(
        callees, arrays, names, imported, records([item.func for item in module.funcs])
    ), reached


def _imported(module: EmitModule, taken: set[str], other: Collection[str]) -> dict[str, str]:
    """The names of what is imported, and of constants, none of them ``taken``: they are then."""
    fields = {name for struct in module.named_tuples for name in struct.names or ()}
    imported = renamed(taken | fields)
    taken |= set(imported.values())
    if module.library is ArrayLibrary.CUPY:
        imported["np"] = free("cp", taken)
        imported["numpy"] = free("np", {*taken, imported["np"]})
    found = defaults(item.func for item in module.funcs)
    imported |= {str(one): free(default_name(one), taken) for one in found}
    imported |= {name: free(_of_device(name), taken) for name in sorted(other) if name != "np"}
    imported |= {
        name: free(_of_device(name) if name in taken else name, taken)
        for name in array_types(module)
    }
    return imported


def _of_device(name: str) -> str:
    """``device_entry``, ``DeviceVector``: beside what is called ``name`` for NumPy's arrays."""
    return f"Device{name}" if name[0].isupper() else f"device_{name}"


def array_types(module: EmitModule) -> dict[str, Array]:
    """The types of arrays in annotations, by what these are called."""
    waiting: list[Type] = [*module.named_tuples]
    for item in module.funcs:
        waiting += (item.func.result, *(param.type for param in item.func.params))
    found = [part for type_ in waiting for part in parts(type_) if isinstance(part, Array)]
    return {array_name(t): t for t in sorted(found, key=lambda t: (t.ndim, t.dtype.value))}


def _classes(module: EmitModule) -> Iterator[str]:
    """The names of classes and types."""
    yield from (name for struct in module.named_tuples if (name := struct.class_name) is not None)
    yield from (entry.bound for entry in module.imports)
    yield from _aliases(module.funcs)


def _defaults(funcs: Iterable[EmittedFunc], use: Use) -> list[str]:
    """Objects that are defaults, taken from the functions of the source."""
    lines = []
    for one in defaults(item.func for item in funcs):
        lines.append(f'{use(str(one))} = {use("default_of")}({one.function}, "{one.param}")')
    return lines


def _texts_in_order(funcs: Sequence[ir.Func]) -> list[str]:
    """The texts that are known ahead of time, if Python is asked about any by compiled code."""
    stmts = (stmt for func in funcs for stmt in ir.walk(func.body))
    if not any(isinstance(stmt, ir.Compute) and _asks(stmt.op) for stmt in stmts):
        return []
    atoms = (atom for func in funcs for atom in ir.used_in(func.body))
    numbers = (atom.value for atom in atoms if isinstance(atom, ir.Const))
    return sorted({quoted(one.text) for one in numbers if isinstance(one, ir.TextNumber)})


def _asks(op: str) -> bool:
    return op.startswith("rt.text_") and not op.startswith("rt.text_with")


def defaults(funcs: Iterable[ir.Func]) -> list[ir.ObjectDefault]:
    """The defaults that are to be taken from the source."""
    found = (param.default for func in funcs for param in func.params)
    return list(dict.fromkeys(d for d in found if isinstance(d, ir.ObjectDefault)))


def _emitted(item: EmittedFunc, scope: ModuleScope, cached: bool) -> Emitted:
    if item.compiled is not None:
        return emit_wrapper(item.func, item.python_name, item.compiled, scope)
    return emit_function(
        item.func,
        scope,
        item.python_name,
        item.jit,
        cached=cached,
        labels=item.labels,
        told=item.told,
    )


def _named_tuple(struct: Tuple, use: Use) -> str:
    lines = [f"class {struct.cls}({use('NamedTuple')}):"]
    if struct.links:  # circles of objects can't be compared by what they hold
        lines = [f"@{use('dataclass')}(eq=False)", f"class {struct.cls}:"]
    if struct.doc:
        lines += [*docstring(struct.doc, 1), ""]
    for name, item in zip(struct.names or (), struct.items, strict=True):
        link = _link(struct, item) if name in struct.links else None
        lines += layout(f"{name}: ", link or annotation(item, use), "", 1)
    pairs = zip(struct.attributes, struct.names or (), strict=False)  # most have no attributes
    renamed = [(attribute, name) for attribute, name in pairs if attribute != name]
    lines += [""] if renamed else []
    for attribute, name in renamed:  # it is read where an instance of the class may be given, too
        lines.append(f"    {attribute} = property(lambda self: self.{name})")
    return "\n".join(lines)


def _link(struct: Tuple, item: Type) -> str:
    """The annotation of what refers to others of a class, whose text is not complete there."""
    return f'"list[{struct.cls}]"' if isinstance(item, List) else f'"{struct.cls} | None"'


def _aliases(funcs: Iterable[EmittedFunc]) -> dict[str, Tuple]:
    """The tuple types that signatures call by a name of ours: those of residuals."""
    found: dict[str, Tuple] = {}
    for item in funcs:
        waiting: list[Type] = [item.func.result, *(param.type for param in item.func.params)]
        for type_ in waiting:
            if isinstance(type_, Tuple):
                waiting += type_.items
                if name := residuals_name(type_):
                    found[name] = type_
    return found


def _alias(name: str, type_: Tuple, fields: Sequence[str], use: Use) -> str:
    if fields:
        return _named_tuple(replace(type_, cls=name, names=tuple(fields)), use)
    return f"{name} = {annotation(replace(type_, alias=None), use)}"


def _arrays(module: EmitModule, taken: set[str]) -> tuple[dict[tuple[str, str], str], list[Import]]:
    """The names that constant arrays get in this module, and their imports."""
    taken = set(taken)
    names: dict[tuple[str, str], str] = {}
    imports = []
    for source, name in sorted(globals_of(f.func for f in module.funcs)):
        own = name if name not in taken else f"{source.replace('.', '_')}_{name}"
        bound = names[source, name] = free(own, taken)
        imports.append(Import(module.sources.get(source, source), name, bound))
    return names, imports


def globals_of(funcs: Iterable[ir.Func]) -> set[tuple[str, str]]:
    """The constant arrays and the exceptions of the program, by module and name."""
    found: set[tuple[str, str]] = set()
    for stmt in (stmt for func in funcs for stmt in ir.walk(func.body)):
        match stmt:
            case ir.Global(module=module, name=name):
                found.add((module, name))
            case ir.Raise(exc=ir.ProgramClass(module=module, name=name)):
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
