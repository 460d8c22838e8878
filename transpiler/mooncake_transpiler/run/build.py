"""One run of the command: find out what is to be done, have it compiled, write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from mooncake_transpiler.compilation import CompiledModule, Crash, Notify
from mooncake_transpiler.config import ConfigError
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.output import changes, header
from mooncake_transpiler.output.changes import Change, Group
from mooncake_transpiler.output.inputs import Inputs, find_inputs
from mooncake_transpiler.output.manifest import Manifest, read_manifest
from mooncake_transpiler.output.outline import METHODS_ONLY
from mooncake_transpiler.output.plans import ModulePlan, make_plans
from mooncake_transpiler.output.sources import Sources
from mooncake_transpiler.output.states import FileState, Layout, find_orphans
from mooncake_transpiler.output.vendoring import vendored
from mooncake_transpiler.output.writing import alone_in, remove_leftovers

Compile = Callable[
    [list[str], Inputs, int, Notify], tuple[dict[str, CompiledModule], list[Diagnostic]]
]


@dataclass(frozen=True, slots=True)
class Request:
    src: Path
    out: Path
    check: bool = False
    diff: bool = False
    force: bool = False
    only: tuple[str, ...] = ()
    jobs: int = 0  # as many as there are cores
    context: str | None = None  # that of the configuration
    vendor: bool = False  # or as the configuration says
    debug_checks: bool = False  # likewise
    check_bounds: bool = False  # likewise
    keep_going: bool = False  # likewise

    def inputs(self) -> Inputs:
        """The inputs of the run; an OUT inside SRC is left out."""
        leave_out = None if self.layout.in_place else self.layout.out
        return find_inputs(
            self.src, self.only, leave_out, self.context, self.vendor, self.debug_checks,
            self.check_bounds, self.keep_going,
        )  # fmt: skip

    @property
    def layout(self) -> Layout:
        root = self.src.parent if self.src.is_file() else self.src
        in_place = self.out.resolve() in (self.src.resolve(), root.resolve())
        return Layout(root if in_place else self.out, in_place)


@dataclass(slots=True)
class Report:
    """The findings and changes of a run."""

    errors: list[Diagnostic] = field(default_factory=list)
    outdated: list[Diagnostic] = field(default_factory=list)
    crashes: list[Crash] = field(default_factory=list)
    diffs: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)  # made, or to be made
    unchanged: list[str] = field(default_factory=list)  # paths of modules
    nothing: dict[str, tuple[str, ...]] = field(
        default_factory=dict
    )  # no derivatives: why, by path
    written: bool = False  # the changes have been made


def build(request: Request, notify: Notify) -> Report:
    """Bring OUT up to date, or find out what that would change."""
    layout, report = request.layout, Report()
    inputs = request.inputs()
    _check_apart(inputs.sources, layout)
    plans = list(make_plans(inputs, layout))
    pending = [plan.file.name for plan in plans if plan.is_pending(request.force)]
    inputs = replace(inputs, done=_done(plans) - frozenset(pending))
    results = _compile(pending, inputs, request.jobs, notify, report)
    report.nothing = dict(_nothing(plans, results))
    groups = {
        plan.file.path: _group(plan, results.get(plan.file.name), request.check)
        for plan in plans
        if not _failed(results.get(plan.file.name))
    }
    groups = _vendored(plans, results, inputs, request) | groups
    if not request.only:
        groups |= _orphans(inputs.sources, layout)
    if request.check or request.diff:
        _compare(groups, request, report)
    else:
        _write(groups, plans, request, report)
    return report


def _compile(
    names: list[str], inputs: Inputs, jobs: int, notify: Notify, report: Report
) -> Mapping[str, CompiledModule]:
    """The compiled modules ``names``."""
    if not names:
        return {}
    results, diagnostics = compiler()(names, inputs, jobs, notify)
    report.errors += diagnostics
    for result in results.values():
        report.errors += result.diagnostics
        report.crashes += result.crashes
    return results


def compiler() -> Compile:
    """The compiler, which is loaded only where there is something to compile."""
    from mooncake_transpiler.run.pipeline import compile_modules

    return compile_modules


def _done(plans: list[ModulePlan]) -> frozenset[str]:
    """The modules whose gradient modules are up to date."""
    return frozenset(p.file.name for p in plans if p.gradient_state is FileState.FRESH)


def _failed(result: CompiledModule | None) -> bool:
    return result is not None and result.has_errors


def _nothing(
    plans: list[ModulePlan], results: Mapping[str, CompiledModule]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The modules with public functions of which none gets derivatives, and why."""
    for plan in plans:
        result = results.get(plan.file.name)
        if result is not None and result.body is None and not result.has_errors:
            why = result.why_nothing
        elif result is None and not plan.file.outline.may_differentiate:
            why = plan.file.outline.left_alone
        else:
            continue
        if why and (why != (METHODS_ONLY,) or len(plans) == 1):  # others may call them
            yield plan.file.path, why


def _group(plan: ModulePlan, result: CompiledModule | None, check: bool) -> Group:
    """The changes for one module."""
    if result is None:
        return plan.copying()
    if result.body is None:
        return plan.copying() + plan.removing()
    return plan.copying() + plan.writing(result.body, check, result.is_partial)


def _vendored(
    plans: list[ModulePlan], results: Mapping[str, CompiledModule], inputs: Inputs, request: Request
) -> dict[str, Group]:
    """The changes to copies of the runtime, by folder."""
    bodies: dict[str, list[str]] = {}
    for plan in plans if inputs.config.vendor else ():
        result = results.get(plan.file.name)
        old = header.read(plan.gradient)
        is_edited = plan.gradient_state is FileState.EDITED and not request.force
        stays = result is None or result.has_errors or is_edited
        found = [result.body] if result and result.body else []
        bodies[plan.file.name] = [*found, *([old.body] if old and stays else [])]
    prune = not (request.only or inputs.sources.is_single)
    return vendored(bodies, inputs.sources, request.layout, prune)


def _check_apart(sources: Sources, layout: Layout) -> None:
    """Refuse to copy modules into SRC, where they would be taken for sources."""
    root, out = sources.root.resolve(), layout.out.resolve()
    if layout.in_place or not root.is_relative_to(out):
        return
    inside = f"{root.relative_to(out).as_posix()}/"
    for path in sorted(sources.paths):
        if path.startswith(inside):
            raise ConfigError(f"the copy of {path} would stand in SRC: choose another OUT")


def _orphans(sources: Sources, layout: Layout) -> dict[str, Group]:
    found: dict[str, Group] = {}
    for orphan in find_orphans(sources, layout):
        state = FileState.ORPHANED if orphan.is_intact else FileState.EDITED
        found[orphan.path] = (Change(orphan.file, None, state, orphan.path),)
    return found


def _compare(groups: Mapping[str, Group], request: Request, report: Report) -> None:
    """Say what would change."""
    for path, group in groups.items():
        report.changes += group
        if not group:
            report.unchanged.append(path)
        if request.check:
            report.outdated += changes.out_of_date(group)
        if request.diff:
            report.diffs += [changes.diff(change) for change in group]


def _write(
    groups: Mapping[str, Group], plans: list[ModulePlan], request: Request, report: Report
) -> None:
    """Make the changes that may be made, module by module."""
    layout = request.layout
    allowed: dict[str, Group] = {}
    for path, group in groups.items():
        refused = changes.refusals(group, layout, force=request.force)
        report.errors += refused
        if not refused:
            allowed[path] = group
    report.written = True
    folders = {layout.out, *(plan.gradient.parent for plan in plans)}
    folders |= {change.file.parent for group in allowed.values() for change in group}
    copies = {plan.file.path: plan.file.content for plan in plans if plan.copy}
    with alone_in(layout.out):
        remove_leftovers(folders)
        _apply(allowed, copies, layout, report)


def _apply(
    groups: Mapping[str, Group], copies: Mapping[str, bytes], layout: Layout, report: Report
) -> None:
    """Change the files of ``groups``; ``copies`` has the contents of copied modules by path.

    The record of copies is written before them, too, so that a run may be killed at any moment.
    """
    old = Manifest() if layout.in_place else read_manifest(layout.out)
    coming = {path: content for path, content in copies.items() if path in groups}
    ahead = old.with_copies(coming, before=True)
    failed = changes.record(layout, old, ahead)
    if failed:
        report.errors.append(failed)
        return
    done = set()
    for path, group in groups.items():
        if failed := changes.apply(group):
            report.errors.append(failed)
            continue
        done.add(path)
        report.changes += group
        if not group:
            report.unchanged.append(path)
    copied = {path: content for path, content in coming.items() if path in done}
    gone = {path for path in ahead.copies if not (layout.out / path).exists()}
    failed = changes.record(layout, ahead, ahead.with_copies(copied).without(gone))
    report.errors += [failed] if failed else []
