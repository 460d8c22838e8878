"""Reading the program: what there is to differentiate in each module."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from traceback import walk_tb

from mooncake_transpiler import ir
from mooncake_transpiler.ad.compose.existence import obstacle
from mooncake_transpiler.analysis.stretching import stretches, tests_sizes
from mooncake_transpiler.compilation import CompiledModule, Crash, Crashed, crash_from
from mooncake_transpiler.config import Config, ConfigError
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, merge
from mooncake_transpiler.frontend.entities import FunctionDecl, Module, Source
from mooncake_transpiler.frontend.lower import lower
from mooncake_transpiler.frontend.lower.lowered_programs import lower_stretching
from mooncake_transpiler.frontend.program import load
from mooncake_transpiler.frontend.text.source import deep_recursion
from mooncake_transpiler.interface.last_values import user_result
from mooncake_transpiler.modes import DEFAULT_MODES
from mooncake_transpiler.output.generated_sources import circles, in_order
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.output.neighbours import import_names
from mooncake_transpiler.output.selection import FunctionSelection
from mooncake_transpiler.output.sources import SourceFile, Sources
from mooncake_transpiler.output.vendoring import runtime_name
from mooncake_transpiler.passes.inline import inline
from mooncake_transpiler.run.classnames import class_names, renamed
from mooncake_transpiler.types import ArrayLibrary, is_differentiable
from mooncake_transpiler.versions import called_by, numbered


@dataclass(frozen=True, slots=True)
class Target:
    """A function that gets derivatives of these modes with respect to the parameters ``wrt``."""

    func: ir.Func
    wrt: tuple[str, ...]
    modes: tuple[str, ...]
    library: ArrayLibrary = ArrayLibrary.NUMPY
    stretches: tuple[str, ...] = ()  # axes that may turn out to be 1 (`analysis/stretching.py`)


@dataclass(frozen=True, slots=True)
class CompilationUnit:
    """The input of one gradient module.

    ``program`` holds all that is called. ``neighbours`` and ``runtime`` say how to import the
    modules of the program and the runtime, and ``classes`` in which of them, under which name, a
    class is defined. With ``debug_checks`` derivatives compare shadows with their primals,
    with ``check_bounds`` they test indices.
    """

    module: str
    path: str
    full_path: str  # however SRC is given
    targets: tuple[Target, ...]
    program: ir.Program
    neighbours: Mapping[str, str]
    runtime: str
    classes: Mapping[str, tuple[str, str]]
    debug_checks: bool
    check_bounds: bool
    keep_going: bool

    def alone(self, targets: tuple[Target, ...]) -> CompilationUnit:
        """The same unit with these targets only, and the functions that they call."""
        program = called_by([target.func.name for target in targets], self.program)
        return replace(self, targets=targets, program=program)

    @property
    def libraries(self) -> list[ArrayLibrary]:
        """Whose arrays the targets work with."""
        return list(dict.fromkeys(target.library for target in self.targets))

    def over(self, library: ArrayLibrary) -> CompilationUnit:
        """The same unit with the functions over the arrays of ``library`` only."""
        own = tuple(target for target in self.targets if target.library is library)
        return self if own == self.targets else self.alone(own)


@dataclass(frozen=True, slots=True)
class Reading:
    """The whole program, and what is wrong with it.

    ``made`` are the gradient modules that belong to it, by the modules that they are made from.
    Those in ``broken`` are out of reach, as one of these is that they import.
    """

    inputs: Inputs
    source: Source
    program: ir.Program
    diagnostics: tuple[Diagnostic, ...]
    made: Mapping[str, CompiledModule] = field(default_factory=dict)
    broken: frozenset[str] = frozenset()
    crashes: tuple[tuple[str, Crash], ...] = ()  # by module, where the run keeps going

    def has_errors(self, module: str) -> bool:
        """True if ``module`` gets no gradient module because of errors in it.

        Where the run keeps going, one function that is right is enough.
        """
        path = self.inputs.sources.file(module).path
        if module in self.broken:
            return True
        if f"{path.removesuffix('.py')}_grad.py" in self.inputs.sources.paths and (
            self.public(module)  # a source stands where the derivatives would
        ):
            return True
        fine = any(decl.qualname in self.program.funcs for decl in self.public(module))
        return self.is_partial(module) and not (fine and self.inputs.config.keep_going)

    def is_partial(self, module: str) -> bool:
        """True if there is an error in ``module``, or in what a function of it calls."""
        path = self.inputs.sources.file(module).path
        if any(diagnostic.place.path == path for diagnostic in self.diagnostics):
            return True
        return any(decl.qualname not in self.program.funcs for decl in self.public(module))

    def public(self, module: str) -> list[FunctionDecl]:
        """The public functions of ``module``, in their order."""
        return [d for d in self.source.functions() if d.module == module and d.is_public]

    def unit(self, module: str) -> CompilationUnit | None:
        """The input of the gradient module of ``module``; None if there will be none."""
        targets = tuple(self._targets(module))
        if not targets:
            return None
        sources = self.inputs.sources
        with deep_recursion():
            program = numbered(called_by([target.func.name for target in targets], self.program))
        names = class_names(module, self.source, program.funcs.values())
        program = ir.Program({n: renamed(func, names) for n, func in program.funcs.items()})
        return CompilationUnit(
            module=module,
            path=sources.file(module).path,
            full_path=sources.full_path(sources.file(module)),
            targets=tuple(replace(t, func=program.funcs[t.func.name]) for t in targets),
            program=program,
            neighbours=import_names(module, sources),
            runtime=runtime_name(module, sources, self.inputs.config.vendor),
            classes={name: key for key, name in names.items()},
            debug_checks=self.inputs.config.debug_checks,
            check_bounds=self.inputs.config.check_bounds,
            keep_going=self.inputs.config.keep_going,
        )

    def _targets(self, module: str) -> Iterator[Target]:
        for decl in self.public(module):
            func = self.program.funcs.get(decl.qualname)
            if func is not None and self.inputs.selection.has_function(module, decl.name):
                wrt = differentiated(func, decl, self.inputs.config)
                if wrt and is_differentiable(user_result(func)):
                    modes = tuple(self._asked(decl, func, wrt))
                    library = decl.library or ArrayLibrary.NUMPY
                    yield Target(func, wrt, modes, library, self._stretches(decl, library))

    def _stretches(self, decl: FunctionDecl, library: ArrayLibrary) -> tuple[str, ...]:
        """The axes of parameters that may turn out to be 1, for ``entry``."""
        name = decl.qualname
        if library is not ArrayLibrary.NUMPY or not tests_sizes(called_by([name], self.program)):
            return ()
        program = lower_stretching(self.source, decl)
        if program is None or name not in program.funcs:
            return ()
        with deep_recursion():
            return tuple(map(str, stretches(inline(program), name)))

    def _asked(self, decl: FunctionDecl, func: ir.Func, wrt: tuple[str, ...]) -> Iterator[str]:
        """Modes for this function; of those for all functions, those that it can have."""
        config = self.inputs.config
        own = decl.directive.modes or config.own_modes(decl.qualname)
        for mode in _modes(decl, config):
            if own or obstacle(mode, func, wrt) is None:
                yield mode


Generate = Callable[[CompilationUnit], CompiledModule]


def read_program(inputs: Inputs, generate: Generate) -> Reading:
    """Read and lower all modules; ``generate`` makes the gradient modules that they import."""
    sources = inputs.sources
    if not sources.generated:
        return _read(inputs, sources.paths, sources.files.keys() - inputs.done, {})
    apart = circles(sources)
    texts: dict[str, str] = {}  # by path
    made: dict[str, CompiledModule] = {}
    failed: set[str] = set()
    for file in in_order(sources):
        result = (
            None
            if _reached(file.name, sources, failed, apart)
            else _made(file, inputs, texts, generate)
        )
        if result is None or result.has_errors:
            failed.add(file.name)
        elif result.body is not None:
            texts[file.path] = result.body
        if result is not None:
            made[file.origin] = result
    broken = {name for name in sources.known if _reached(name, sources, failed, apart)}
    paths = sources.paths - {sources.file(name).path for name in broken}
    targets = (sources.files.keys() | sources.targets) - broken - inputs.done
    reading = _read(inputs, paths, targets, texts)
    return replace(reading, made=made, broken=frozenset(broken))


def _reached(name: str, sources: Sources, failed: Set[str], apart: Set[tuple[str, str]]) -> bool:
    """True if the module ``name`` imports one of ``failed``, directly or not."""
    below = {file.name for file in sources.closure(name)} & failed
    return any(other != name and (name, other) not in apart for other in below)


def _made(
    file: SourceFile, inputs: Inputs, texts: Mapping[str, str], generate: Generate
) -> CompiledModule:
    """The gradient module ``file``, with all functions that it can have."""
    whole = replace(inputs, selection=FunctionSelection(), done=frozenset())
    below = {other.path for other in inputs.sources.closure(file.name)}
    known = {path: text for path, text in texts.items() if path in below}
    reading = _read(whole, below & inputs.sources.paths, {file.origin}, known)
    if reading.has_errors(file.origin):
        return CompiledModule(has_errors=True)  # they are found again
    unit = reading.unit(file.origin)
    return CompiledModule() if unit is None else generate(unit)


def _read(inputs: Inputs, paths: Set[str], targets: Set[str], texts: Mapping[str, str]) -> Reading:
    """Read the modules at ``paths`` and the generated ``texts``; lower what ``targets`` need."""
    try:
        apart = circles(inputs.sources)
        source, unreadable = load(inputs.src, paths.__contains__, texts, apart, inputs.done)
        _check_config(inputs.config, source)
        minimal = inputs.config.context == "minimal"
        failures: list[tuple[FunctionDecl, Exception]] = []
        kept = failures if inputs.config.keep_going else None
        program, refused = lower(
            source, minimal, inputs.config.check_bounds, targets.__contains__, kept
        )
    except ConfigError:
        raise
    except Exception as error:
        raise Crashed(crash_from(error, _worked_on(error) or str(inputs.src))) from error
    crashes = tuple((decl.module, crash_from(error, decl.qualname)) for decl, error in failures)
    found = tuple(merge(unreadable, refused))
    return Reading(inputs, source, program, found, crashes=crashes)


def _worked_on(error: Exception) -> str | None:
    """The innermost function or module of the user's that the failed calls were about."""
    found = None
    for frame, _ in walk_tb(error.__traceback__):
        for value in frame.f_locals.values():
            if isinstance(value, FunctionDecl):
                found = value.qualname
            elif isinstance(value, Module) and found is None:
                found = value.path
    return found


def differentiated(func: ir.Func, decl: FunctionDecl, config: Config) -> tuple[str, ...]:
    """The parameters that ``func`` is differentiated with respect to."""
    chosen = decl.directive.wrt or config.function(decl.qualname).wrt
    floats = [param.name for param in func.params if is_differentiable(param.type)]
    return tuple(name for name in floats if chosen is None or name in chosen)


def _modes(decl: FunctionDecl, config: Config) -> tuple[str, ...]:
    return decl.directive.modes or config.function(decl.qualname).modes or DEFAULT_MODES


def _check_config(config: Config, source: Source) -> None:
    """Settings for functions that do not exist, or parameters that carry no floats, are errors."""
    known = {decl.qualname: decl for decl in source.functions()}
    for qualname, own in config.functions.items():
        if qualname.partition(":")[0] not in source.modules:
            continue  # the settings may be for another SRC
        decl = known.get(qualname)
        if decl is None:
            raise ConfigError(f"pyproject.toml sets options for {qualname}, which does not exist")
        params = {p.name: p.annotation for p in decl.params}
        for name in own.wrt or ():
            annotation = params.get(name)
            if annotation is None or not is_differentiable(annotation.type):
                raise ConfigError(
                    f"pyproject.toml: wrt of {qualname} names {name!r}, "
                    "which is no parameter of it that carries floats"
                )
