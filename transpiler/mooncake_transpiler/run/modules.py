"""A gradient module put together: its functions, its classes, and what it imports."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from mooncake_transpiler import ir
from mooncake_transpiler.ad.subject import Derived
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place, Refused
from mooncake_transpiler.emit.entries import EmittedFunc
from mooncake_transpiler.emit.imports import Import
from mooncake_transpiler.emit.module import (
    EmitModule,
    ModuleText,
    defaults,
    emit_traced,
    globals_of,
)
from mooncake_transpiler.failures import place_of
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.naming import (
    class_names,
    classes,
    free,
    params,
    private_names,
    renamed,
    with_names,
)
from mooncake_transpiler.run.reading import CompilationUnit
from mooncake_transpiler.types import ArrayLibrary, Tuple

NO_IMPORT = "MK006"


def module_text(unit: CompilationUnit, derived: Sequence[Derived]) -> ModuleText:
    """The gradient module of ``unit`` as text, without its header."""
    return emit_traced(to_emit(unit, derived))


def to_emit(unit: CompilationUnit, derived: Sequence[Derived]) -> list[EmitModule]:
    """The contents of the gradient module of ``unit``, for each library of arrays."""
    _check_classes(unit, {str(struct.cls) for one in derived for struct in one.structs})
    _check_twice(derived)
    host = [one for one in derived if one.library is ArrayLibrary.NUMPY]
    device = [one for one in derived if one.library is ArrayLibrary.CUPY]
    parts = [_of_library(unit, host, ArrayLibrary.NUMPY)] if host or not device else []
    if device:
        known = {str(struct.cls) for one in host for struct in one.structs}
        parts.append(_of_library(unit, device, ArrayLibrary.CUPY, known))
    return parts


def _of_library(
    unit: CompilationUnit,
    derived: Sequence[Derived],
    library: ArrayLibrary,
    known: Set[str] = frozenset(),
) -> EmitModule:
    """The functions of ``derived``, all of which are over the arrays of ``library``.

    Classes of gradients called like ``known`` ones get names of their own: numbers are arrays in
    them.
    """
    public = [func for one in derived for func in one.funcs]
    inner = {func.name: func for one in derived for func in one.inner}
    structs = {str(struct.cls): struct for one in derived for struct in one.structs}
    used = set(classes(public)) - structs.keys()
    named = {module for module, _ in globals_of([*public, *inner.values()])}
    _check_imports(unit, {*named, *_homes(unit, used)})
    every = [*public, *inner.values()]
    taken = {*params(every), *(short(func.name) for func in public)}
    shown = class_names(every, taken)
    shown |= {name: free(f"Device{name}", taken) for name in sorted(known & structs.keys())}
    other = {own: name for own, name in shown.items() if name != own}
    names = private_names(list(inner), taken)
    funcs = [EmittedFunc(renamed(f, other), names[name], "inner") for name, f in inner.items()]
    funcs += (_public(func, one, other) for one in derived for func in one.funcs)
    return EmitModule(
        name=unit.module,
        funcs=tuple(funcs),
        named_tuples=tuple(_shown(struct, shown) for struct in structs.values()),
        imports=(*_class_imports(unit, used, shown), *_default_imports(unit, public)),
        sources=unit.neighbours,
        runtime=unit.runtime,
        doc=f"Derivatives of the functions in `{unit.full_path}`.",
        library=library,
    )


def _public(func: ir.Func, one: Derived, names: Mapping[str, str]) -> EmittedFunc:
    """``func`` of ``one``, with its classes called as ``names`` says."""
    name = short(func.name)
    told = {} if one.stretched is None else one.stretched.keywords(name)
    return EmittedFunc(renamed(func, names), name, on_host=one.numbers, told=told)


def check_compiles(text: str, unit: CompilationUnit) -> None:
    """An error if Python can't compile the gradient module ``text``."""
    try:
        compile(text, unit.path, "exec", dont_inherit=True)
    except SyntaxError as error:
        if not error.msg.startswith("too many"):
            raise
        # The one thing that is the source's fault: Python limits how deeply code may be nested.
        raise RecursionError(error.msg) from error


def _check_classes(unit: CompilationUnit, own: Set[str]) -> None:
    """The class of a gradient must not be called like one that a signature mentions."""
    for target in unit.targets:
        for cls in classes([target.func]):
            if cls in own:
                message = f"{cls} would be generated as the class of a gradient"
                raise Refused(Diagnostic("MK240", message, place_of(target.func), f"rename {cls}"))


def _check_twice(derived: Sequence[Derived]) -> None:
    """No two functions, nor two classes of gradients, may have one name."""
    makers: dict[str, object] = {}
    for one in derived:
        for struct in one.structs:
            _check_new(str(struct.cls), struct, makers, one)
        for func in one.funcs:
            _check_new(short(func.name), func, makers, one)


def _check_new(name: str, maker: object, makers: dict[str, object], of: Derived) -> None:
    if makers.setdefault(name, maker) == maker:
        return
    message = f"{name} would be generated twice, for different functions"
    raise Refused(Diagnostic("MK240", message, place_of(of.funcs[0]), "rename one of them"))


def _check_imports(unit: CompilationUnit, modules: set[str]) -> None:
    for module in sorted(modules - unit.neighbours.keys()):
        message = f"no import statement can name the module {module}, which is needed here"
        place = Place(unit.path, 1, 1, 1)
        raise Refused(Diagnostic(NO_IMPORT, message, place, "rename its file or folder"))


def _homes(unit: CompilationUnit, classes: Iterable[str]) -> Iterator[str]:
    yield from (unit.classes[cls][0] for cls in classes)


def _shown(struct: Tuple, names: Mapping[str, str]) -> Tuple:
    """``struct`` with its classes called as ``names`` says."""
    made = with_names(struct, names)
    assert isinstance(made, Tuple)
    return made


def _default_imports(unit: CompilationUnit, funcs: Iterable[ir.Func]) -> Iterator[Import]:
    """The functions whose defaults are objects."""
    for one in defaults(funcs):
        yield Import(unit.neighbours[one.module], one.function, one.function)


def _class_imports(
    unit: CompilationUnit, used: set[str], names: Mapping[str, str]
) -> Iterator[Import]:
    for cls in sorted(used):
        module, name = unit.classes[cls]
        yield Import(unit.neighbours[module], name, names[cls])
