"""From the user's modules to the text of gradient modules, stage by stage."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from mooncake_transpiler import ir
from mooncake_transpiler.ad.compose.words import derivatives
from mooncake_transpiler.ad.services import Static
from mooncake_transpiler.ad.subject import Derived, Stretched, Subject
from mooncake_transpiler.analysis.elements import check_elements
from mooncake_transpiler.collector import collect_rarely
from mooncake_transpiler.compilation import CompiledModule, Crash, Notify
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.emit.cuda.loop.whereabouts import python_numbers
from mooncake_transpiler.emit.module import ModuleText
from mooncake_transpiler.failures import Failures
from mooncake_transpiler.frontend.lower.primitive.pullbacks import RuledPrimitives
from mooncake_transpiler.frontend.lower.primitive.pushforwards import pushforward
from mooncake_transpiler.frontend.text.source import deep_recursion
from mooncake_transpiler.ir.function_names import short
from mooncake_transpiler.ir.printer import format_func
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.passes.handed_on import handed_on
from mooncake_transpiler.passes.inline import inline, inline_short
from mooncake_transpiler.passes.order import (
    BOUNDS,
    FINISHING,
    PASSES,
    Pass,
    Passes,
    applied,
    finish,
    of_kernels,
    passes_of,
)
from mooncake_transpiler.passes.simplify import simplify
from mooncake_transpiler.run.modules import check_compiles, module_text
from mooncake_transpiler.run.reading import CompilationUnit, Target, read_program
from mooncake_transpiler.run.reasons import why_nothing
from mooncake_transpiler.types import ArrayLibrary, Type
from mooncake_transpiler.versions import called_by

Inlining = Callable[[CompilationUnit], ir.Program]
T = TypeVar("T")


WORTH_PROCESSES = 4  # modules: for fewer of them starting processes takes longer
STAGES = ("lower", "inline", *(name for name, _ in (*PASSES, BOUNDS, *FINISHING)))


def compile_modules(
    names: list[str], inputs: Inputs, jobs: int, notify: Notify
) -> tuple[dict[str, CompiledModule], list[Diagnostic]]:
    """The compiled modules ``names``, and what is wrong with the program as a whole.

    ``jobs`` processes are used; 0 stands for as many as there are cores.
    """
    reading = read_program(inputs, generate)
    results: dict[str, CompiledModule] = {}
    units: list[CompilationUnit] = []
    for name in names:
        if reading.has_errors(name):
            results[name] = CompiledModule(has_errors=True)
        elif name in reading.made and not inputs.selection.functions(name):
            results[name] = reading.made[name]
        elif unit := reading.unit(name):
            units.append(unit)
        else:
            results[name] = CompiledModule(
                has_errors=reading.is_partial(name), why_nothing=why_nothing(name, reading)
            )
    failed = {name: made for name, made in reading.made.items() if made.has_errors}
    results = failed | results
    waiting = [unit.module for unit in units]
    notify(0, len(units), next(iter(waiting), ""))
    for done, result in enumerate(_of_each(generate, units, jobs)):
        module = units[done].module
        lacks = result.is_partial or reading.is_partial(module)
        results[module] = replace(result, is_partial=lacks)
        notify(done + 1, len(units), waiting[min(done + 1, len(units) - 1)])
    for module, crash in reading.crashes:
        result = results.get(module, CompiledModule(has_errors=True))
        results[module] = replace(result, crashes=(*result.crashes, crash))
    return results, list(reading.diagnostics)


def cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def refusals(units: list[CompilationUnit]) -> dict[str, tuple[Diagnostic, ...]]:
    """The functions of ``units`` without derivatives, and what is wrong with these."""
    return {name: why for found in _of_each(_refused, units, 0) for name, why in found.items()}


def _of_each(
    work: Callable[[CompilationUnit], T], units: list[CompilationUnit], jobs: int
) -> Iterator[T]:
    """The results of ``work`` for all units, in so many processes."""
    workers = min(jobs or cores(), len(units)) if jobs or len(units) >= WORTH_PROCESSES else 1
    if workers <= 1:
        yield from map(work, units)
        return
    with ProcessPoolExecutor(workers, initializer=_start_worker) as pool:
        try:
            yield from pool.map(work, units)
        except BaseException:  # an interrupt: nobody waits for what the others are doing
            for worker in multiprocessing.active_children():
                worker.terminate()
            raise


def _start_worker() -> None:
    """An interrupt of the run is for the process that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    collect_rarely()


def generate(unit: CompilationUnit) -> CompiledModule:
    """The gradient module of one module; all of its functions that fail are reported.

    Where the run keeps going, it has the functions that each alone do not.
    """
    result = _generate(unit)
    if not result.has_errors or not unit.keep_going:
        return result
    alone = _each_alone(unit)
    fine = tuple(target for target, made in alone.items() if not made.has_errors)
    rest = _generate(unit.alone(fine)) if fine else CompiledModule(has_errors=True)
    failed = [rest, *(made for made in alone.values() if made.has_errors)]
    return CompiledModule(
        rest.body,
        tuple(dict.fromkeys(d for made in failed for d in made.diagnostics)),
        tuple(dict.fromkeys(c for made in failed for c in made.crashes)),
        has_errors=rest.has_errors,
        is_partial=True,
    )


def _each_alone(unit: CompilationUnit) -> dict[Target, CompiledModule]:
    return {target: _generate(unit.alone((target,))) for target in unit.targets}


def _refused(unit: CompilationUnit) -> dict[str, tuple[Diagnostic, ...]]:
    """The functions of ``unit`` that have no derivatives, and what is wrong."""
    alone = _each_alone(unit) if _generate(unit).has_errors else {}
    return {t.func.name: made.diagnostics for t, made in alone.items() if made.has_errors}


def _generate(unit: CompilationUnit) -> CompiledModule:
    made = gradient_module(unit)
    return CompiledModule(made.text) if isinstance(made, ModuleText) else made


def gradient_module(unit: CompilationUnit) -> ModuleText | CompiledModule:
    """The gradient module with what its lines come from, or what is wrong with it.

    Helpers are in line where something is refused otherwise.
    """
    made = _gradient_module(unit, inlined)
    refused = isinstance(made, CompiledModule) and made.diagnostics
    return _gradient_module(unit, all_inlined) if refused else made


def _gradient_module(unit: CompilationUnit, calls: Inlining) -> ModuleText | CompiledModule:
    failures = Failures(unit.module, unit.path)
    with deep_recursion(), failures.watch():
        derived = derived_functions(unit, failures, calls)
        if not failures.has_failed():
            made = module_text(unit, derived)
            check_compiles(made.text, unit)
            return made
    return failures.failure()


def stretched(target: Target) -> Stretched | None:
    """The axes of a function that may be stretched, for the decorators of its derivatives."""
    if not target.stretches:
        return None
    wrt = tuple(param.name for param in target.func.params if param.name in target.wrt)
    return Stretched(short(target.func.name), wrt, target.stretches)


def derived_functions(unit: CompilationUnit, failures: Failures, calls: Inlining) -> list[Derived]:
    """The derivatives of the targets of ``unit``; what goes wrong is among ``failures``."""
    derived: list[Derived] = []
    programs = {one: _prepared(unit.over(one), failures, calls) for one in unit.libraries}
    for target in () if failures.has_failed() else unit.targets:
        func = (program := programs[target.library]).funcs[target.func.name]
        numbers = frozenset(name for p in func.params for name in python_numbers(p))
        with failures.watch(func):
            services = PipelineServices()
            if target.library is ArrayLibrary.CUPY:
                last = partial(finish, passes=of_kernels(FINISHING))
                services = PipelineServices(last, on_device=True, own=of_kernels)
            subject = Subject(func, target.wrt, program, services)
            about = partial(
                replace, numbers=numbers, stretched=stretched(target), library=target.library
            )
            derived += map(about, derivatives(subject, target.modes, checks=unit.debug_checks))
    return derived


@dataclass(frozen=True, slots=True)
class PipelineServices:
    """The answers of passes and frontend to differentiation; an object for each function."""

    finish: Pass = finish
    on_device: bool = False
    own: Callable[[Passes], Passes] = tuple  # for derivatives that are differentiated again
    ruled: RuledPrimitives = field(default_factory=RuledPrimitives)

    def prepared(self, func: ir.Func, program: ir.Program) -> ir.Func:
        return prepared(func, program, own=self.own)

    def pruned(self, func: ir.Func) -> ir.Func:
        return simplify(func)

    def finished(self, func: ir.Func) -> ir.Func:
        return self.finish(func)

    def pushforward(
        self, name: str, args: tuple[Static, ...], outs: tuple[Type, ...], active: frozenset[int]
    ) -> ir.Func:
        return pushforward(name, args, outs, active)

    def with_pullback(self, name: str, args: tuple[Static, ...]) -> ir.Func | None:
        return self.ruled.function(name, args)

    @property
    def with_pullbacks(self) -> Mapping[str, ir.Func]:
        return self.ruled.funcs


def prepared(
    func: ir.Func,
    program: ir.Program,
    *,
    check_bounds: bool = False,
    own: Callable[[Passes], Passes] = tuple,
) -> ir.Func:
    """``func``, a function of ``program``, ready to be differentiated."""
    *_, (_, func) = applied(func, own(passes_of(program, check_bounds=check_bounds)))
    return func


def _prepared(unit: CompilationUnit, failures: Failures, calls: Inlining) -> ir.Program:
    """The functions of ``unit`` and what they still call, ready to be differentiated."""
    program = called_by([target.func.name for target in unit.targets], calls(unit))
    funcs: dict[str, ir.Func] = {}
    on_device = {t.func.name for t in unit.targets if t.library is ArrayLibrary.CUPY}
    for func in program.funcs.values():
        with failures.watch(func):
            if func.name in on_device:
                check_elements(func)
            ready = prepared(func, program, check_bounds=unit.check_bounds)
            funcs[func.name] = handed_on(ready) if func.name in on_device else ready
    return ir.Program(funcs)


def inlined(unit: CompilationUnit) -> ir.Program:
    """The functions of ``unit`` with those that they call in line, but for long helpers.

    Kernels of a GPU call nothing, and checks of shadows want to see all of them.
    """
    if unit.debug_checks or any(t.library is ArrayLibrary.CUPY for t in unit.targets):
        return all_inlined(unit)
    return inline_short(unit.program, [target.func.name for target in unit.targets])


def all_inlined(unit: CompilationUnit) -> ir.Program:
    return inline(unit.program)


def print_stages(
    inputs: Inputs, stages: frozenset[str]
) -> tuple[list[str], list[Diagnostic], list[Crash]]:
    """The normal form of the selected functions after each of ``stages``."""
    reading = read_program(inputs, generate)
    texts: list[str] = []
    diagnostics = list(reading.diagnostics)
    crashes: list[Crash] = []
    names = inputs.sources.files.keys() | inputs.sources.targets
    for name in sorted(filter(inputs.selection.has_module, names)):
        unit = None if reading.has_errors(name) else reading.unit(name)
        if unit is None:
            continue
        failures = Failures(name, unit.path)
        program = _prepared(unit, failures, inlined)
        ready = None if failures.has_failed() else program
        for target in unit.targets:
            with failures.watch(target.func):
                found = _stages(target, unit, ready)
                texts += [f"# after {s}\n{format_func(f)}" for s, f in found if s in stages]
        diagnostics += dict.fromkeys(failures.diagnostics)  # stages find them again
        crashes += failures.crashes
    return texts, diagnostics, crashes


def _stages(
    target: Target, unit: CompilationUnit, ready: ir.Program | None
) -> Iterator[tuple[str, ir.Func]]:
    """The results of each stage on one function, by the name of the stage.

    ``ready``: what is differentiated; None if some of it is refused.
    """
    yield "lower", target.func
    program = inlined(unit)
    yield "inline", (func := program.funcs[target.func.name])
    yield from applied(func, passes_of(program, check_bounds=unit.check_bounds))
    if ready is None:
        return
    made: dict[tuple[str, str], ir.Func] = {}  # by stage and name; what is made twice, once

    def record(func: ir.Func) -> ir.Func:
        for stage, finished in applied(func, FINISHING):
            made[stage, func.name] = finished
        return finished

    subject = Subject(ready.funcs[func.name], target.wrt, ready, PipelineServices(record))
    for _ in derivatives(subject, target.modes):
        pass
    for stage, _ in FINISHING:
        yield from ((stage, func) for (of, _), func in made.items() if of == stage)
