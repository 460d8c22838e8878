"""A gradient module put together: its functions, its classes, and what it imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from mooncake_transpiler import ir
from mooncake_transpiler.ad.derive import Derived
from mooncake_transpiler.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.emit.entries import EmittedFunc
from mooncake_transpiler.emit.imports import Import
from mooncake_transpiler.emit.module import EmitModule, defaults, emit_module
from mooncake_transpiler.reading import Unit
from mooncake_transpiler.subject import start
from mooncake_transpiler.types import FROM_SOURCE, Selector, Tuple, Type, parts

NO_IMPORT = "MK006"


def module_text(unit: Unit, derived: Sequence[Derived]) -> str:
    """The text of the gradient module of ``unit``, without its header."""
    public = [func for one in derived for func in one.funcs]
    inner = {func.name: func for one in derived for func in one.inner}
    structs = {struct.cls: struct for one in derived for struct in one.structs}
    own = set(structs)
    _check_classes(unit, own)
    used = set(_classes(public)) - own
    _check_imports(unit, {*_global_modules([*public, *inner.values()]), *_homes(unit, used)})
    names = _private_names(list(inner), {_short(func.name) for func in public})
    funcs = [EmittedFunc(func, names[name], "inner") for name, func in inner.items()]
    funcs += [EmittedFunc(func, _short(func.name)) for func in public]
    return emit_module(
        EmitModule(
            name=unit.module,
            source_path=unit.path,
            funcs=tuple(funcs),
            named_tuples=tuple(structs.values()),
            imports=(*_class_imports(unit, used), *_default_imports(unit, public)),
            sources=unit.neighbours,
            runtime=unit.runtime,
            doc=f"Derivatives of the functions in `{unit.path}`.",
        )
    )


def compiled(text: str, unit: Unit) -> str:
    """``text``, after a look whether Python can compile it."""
    try:
        compile(text, unit.path, "exec", dont_inherit=True)
    except SyntaxError as error:
        if not error.msg.startswith("too many"):
            raise
        # The one thing that is the source's fault: Python limits how deeply code may be nested.
        raise RecursionError(error.msg) from error
    return text


def _check_classes(unit: Unit, own: set[str | None]) -> None:
    """The class of a gradient must not be called like one that a signature mentions."""
    for target in unit.targets:
        for cls in _classes([target.func]):
            if cls in own:
                message = f"{cls} would be generated as the class of a gradient"
                raise Refused(Diagnostic("MK240", message, start(target.func), f"rename {cls}"))


def _check_imports(unit: Unit, modules: set[str]) -> None:
    for module in sorted(modules - unit.neighbours.keys()):
        message = f"no import statement can name the module {module}, which is needed here"
        place = Place(unit.path, 1, 1, 1)
        raise Refused(Diagnostic(NO_IMPORT, message, place, "rename its file or folder"))


def _global_modules(funcs: Iterable[ir.Func]) -> Iterator[str]:
    """The modules whose arrays are read, or whose exceptions are raised."""
    for stmt in (stmt for func in funcs for stmt in ir.walk(func.body)):
        match stmt:
            case ir.Global(module=module):
                yield module
            case ir.Raise(exc=exc) if ":" in exc:
                yield exc.partition(":")[0]
            case _:
                pass


def _homes(unit: Unit, classes: Iterable[str]) -> Iterator[str]:
    yield from (unit.classes[cls][0] for cls in classes)


def _short(name: str) -> str:
    return name.partition(":")[2]


def _private_names(names: Sequence[str], taken: set[str]) -> dict[str, str]:
    """Python names for functions that are only called; with their module where two are alike."""
    found: dict[str, str] = {}
    for name in names:
        private = f"_{_short(name).lstrip('_').replace('.', '_')}"
        if private in taken:
            private = f"_{name.replace('.', '_').replace(':', '_')}"
        taken.add(private)
        found[name] = private
    return found


def _classes(funcs: Iterable[ir.Func]) -> Iterator[str]:
    """The NamedTuple classes that signatures mention."""
    for func in funcs:
        for type_ in (func.result, *(param.type for param in func.params)):
            yield from _classes_in(type_)


def _classes_in(type_: Type) -> Iterator[str]:
    for part in parts(type_):
        if isinstance(part, Tuple | Selector) and part.cls is not None:
            yield part.cls


def _default_imports(unit: Unit, funcs: Iterable[ir.Func]) -> Iterator[Import]:
    """The functions whose defaults are objects."""
    for text in defaults(funcs):
        module, function, _ = text.removeprefix(FROM_SOURCE).split(":")
        yield Import(unit.neighbours[module], function, function)


def _class_imports(unit: Unit, classes: set[str]) -> Iterator[Import]:
    for cls in sorted(classes):
        module, name = unit.classes[cls]
        yield Import(unit.neighbours[module], name, cls)
