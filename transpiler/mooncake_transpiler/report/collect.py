"""The facts of a report, collected from the program and from what becomes of it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from mooncake_transpiler.compilation import Crash
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.emit.function import Emitted
from mooncake_transpiler.emit.module import ModuleText
from mooncake_transpiler.emit.traced_lines import statements
from mooncake_transpiler.frontend.entities import FunctionDecl
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.report.byte_formulas import ByteFormulas
from mooncake_transpiler.report.fates import fates
from mooncake_transpiler.report.findings import (
    FunctionFacts,
    ModuleFacts,
    RuleBehind,
    Spot,
    WrittenLine,
)
from mooncake_transpiler.report.listing import Listing, sections
from mooncake_transpiler.report.rules_behind import rules_of
from mooncake_transpiler.report.tape_ledger import ledger
from mooncake_transpiler.run.pipeline import generate, gradient_module
from mooncake_transpiler.run.reading import CompilationUnit, Reading, Target, read_program
from mooncake_transpiler.run.reasons import verdict
from mooncake_transpiler.types import Array

Certificates = Mapping[str, str]  # what `verify` has found, by function


@dataclass(slots=True)
class Collected:
    """The modules of a report, and what is wrong with the program."""

    modules: list[ModuleFacts] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    crashes: list[Crash] = field(default_factory=list)


def collect(inputs: Inputs, certificates: Certificates) -> Collected:
    """The facts about the selected functions."""
    reading = read_program(inputs, generate)
    crashes = [crash for _, crash in reading.crashes]
    found = Collected(diagnostics=list(reading.diagnostics), crashes=crashes)
    files = inputs.sources.files
    parsed = [file for name, file in files.items() if name in reading.source.modules]
    listings = {file.path: Listing(file.path, file.content.decode()) for file in parsed}
    for name in sorted(filter(inputs.selection.has_module, files)):
        decls = [d for d in reading.source.functions() if d.module == name]
        if not decls:
            continue
        unit = None if reading.has_errors(name) else reading.unit(name)
        made = {} if unit is None else _made(unit, found)
        module = _Module(reading, listings, certificates, made)
        facts = tuple(module.facts(decl) for decl in decls if module.is_selected(decl))
        found.modules.append(ModuleFacts(name, files[name].path, facts))
    return found


Made = Mapping[str, tuple[Target, ModuleText]]  # by the name of the function


def _made(unit: CompilationUnit, found: Collected) -> Made:
    """The gradient module, function by function where something in it is refused."""
    whole = gradient_module(unit)
    if isinstance(whole, ModuleText):
        return {target.func.name: (target, whole) for target in unit.targets}
    made: dict[str, tuple[Target, ModuleText]] = {}
    for target in unit.targets:
        alone = gradient_module(unit.alone((target,)))
        if isinstance(alone, ModuleText):
            made[target.func.name] = target, alone
        else:
            found.crashes += alone.crashes
            found.diagnostics += alone.diagnostics
    return made


@dataclass(frozen=True, slots=True)
class _Module:
    reading: Reading
    listings: Mapping[str, Listing]
    certificates: Certificates
    made: Made

    def is_selected(self, decl: FunctionDecl) -> bool:
        return self.reading.inputs.selection.has_function(decl.module, decl.name)

    def facts(self, decl: FunctionDecl) -> FunctionFacts:
        state, why = verdict(decl, self.reading)
        path = self.reading.inputs.sources.file(decl.module).path
        line = next((f.lineno for f in self.listings[path].functions() if f.name == decl.name), 1)
        bare = FunctionFacts(decl.name, line, state, why)
        found = self.made.get(decl.qualname)
        if state != "emitted":
            return bare
        if found is None:
            return replace(bare, state="error", why="it is refused, as reported")
        certificate = self.certificates.get(decl.qualname, "")
        return replace(self._emitted(bare, (path, line), *found), certificate=certificate)

    def _emitted(
        self, bare: FunctionFacts, own: Spot, target: Target, text: ModuleText
    ) -> FunctionFacts:
        forward = _compiled(f"{bare.name}_fwd", text) or _compiled(f"{bare.name}_jvp", text)
        pullback = _compiled(f"{bare.name}_pullback", text)
        sweep = _compiled(f"{bare.name}_vjp", text)
        shown = [self._written(one) for one in (forward, pullback, sweep)]
        fate = fates(forward, pullback, sweep, target, self._spot)
        spots = {spot for lines in shown for line in lines for spot in line.spots}
        found = sections(own, spots, self.listings, fate.tags)
        kernels = tuple(
            WrittenLine(row)
            for name in (f"{bare.name}_fwd", f"{bare.name}_pullback")
            for kernel in text.kernels.get(name, ())
            for row in [*kernel.splitlines(), "", ""]
        )
        made = replace(
            bare,
            sections=tuple(section for _, _, section in found),
            forward=(*kernels, *shown[0]),
            pullback=shown[1],
            sweep=shown[2],
            remarks=fate.remarks,
            rules=_once(rule for listing, func, _ in found for rule in self._rules(listing, func)),
        )
        if forward is None or pullback is None:
            return made
        sizes = ByteFormulas(forward.func, _dims(target))
        entries = tuple(
            replace(item, spot=item.spot and self._spot(item.spot))
            for item in ledger(forward, pullback, sizes)
        )
        return replace(made, ledger=entries, symbols=tuple(sizes.symbols.values()))

    def _written(self, emitted: Emitted | None) -> tuple[WrittenLine, ...]:
        if emitted is None:
            return ()
        rows = []
        for line in emitted.lines:
            origins = (stmt.origin for stmt in statements(line))
            spots = {self._spot((o.path, o.line)) for o in origins if o is not None}
            rows.append(WrittenLine(str(line), tuple(sorted(spots))))
        return tuple(rows)

    def _spot(self, spot: Spot) -> Spot:
        """``spot`` at the line where its statement begins."""
        path, line = spot
        listing = self.listings.get(path)
        return path, listing.starts.get(line, line) if listing else line

    def _rules(self, listing: Listing, func: ast.FunctionDef) -> Iterator[RuleBehind]:
        files = self.reading.inputs.sources.files
        source = self.reading.source
        name = next(name for name, file in files.items() if file.path == listing.path)
        return rules_of(func, source.modules[name], source)


def _once(rules: Iterable[RuleBehind]) -> tuple[RuleBehind, ...]:
    """``rules``, each call where it stands first."""
    found: dict[tuple[str, str], RuleBehind] = {}
    for rule in rules:
        found.setdefault((rule.call, rule.home), rule)
    return tuple(found.values())


def _compiled(name: str, text: ModuleText) -> Emitted | None:
    """The function ``name``; where a plain Python one stands in front, the one behind it."""
    for known in (name, f"_{name}"):
        found = text.funcs.get(known)
        if found is not None and any(True for _ in statements(*found.lines)):
            return found
    return text.funcs.get(name)


def _dims(target: Target) -> dict[tuple[str, int], int | str]:
    """The sizes that annotations name, by parameter and axis."""
    found: dict[tuple[str, int], int | str] = {}
    for param in target.func.params:
        arrays = [leaf for leaf in param.leaves if isinstance(leaf.type, Array)]
        for leaf, dims in zip(arrays, param.dims, strict=False):
            name = param.name if len(param.leaves) == 1 else leaf.hint
            sizes = enumerate(dims or ())
            found |= {(name, axis): size for axis, size in sizes if size is not None}
    return found
