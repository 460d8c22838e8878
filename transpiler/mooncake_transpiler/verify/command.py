"""One run of ``verify``: find the functions, see that OUT belongs to SRC, judge one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mooncake_transpiler.compilation import Notify
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.run.build import Request, compiler
from mooncake_transpiler.verify.input_file import read_input_file
from mooncake_transpiler.verify.judging import Outcome
from mooncake_transpiler.verify.sides import make_side
from mooncake_transpiler.verify.subjects import (
    VerifiedFunction,
    find_subjects,
    function_names,
    out_of_date,
    plans_of,
    unserved,
)
from mooncake_transpiler.verify.verdicts import Verdict, Verifier, verdicts

NO_DERIVATIVES = "--inputs has arguments for it, but it has no derivatives"


@dataclass(frozen=True, slots=True)
class Task:
    """The input of ``verify``; ``outdated`` is what OUT lacks.

    ``refused`` is why functions and modules have no derivatives; they are no subjects.
    """

    request: Request
    inputs: Inputs
    subjects: tuple[VerifiedFunction, ...]
    outdated: tuple[Diagnostic, ...]
    refused: tuple[Diagnostic, ...]


def prepare(src: Path, out: Path, only: tuple[str, ...]) -> Task:
    """Find the functions, without running anything."""
    request = Request(src, out, only=only)
    inputs = request.inputs()
    subjects, errors = find_subjects(inputs, request.layout)
    plans = plans_of(inputs, request.layout, subjects)
    refused = dict.fromkeys(errors)
    if lacking := unserved(plans):
        modules, found = _refused(inputs, sorted(lacking))
        refused |= dict.fromkeys(found)
        subjects = [subject for subject in subjects if subject.module not in modules]
        plans = [plan for plan in plans if plan.file.name not in modules]
    outdated = out_of_date(plans)
    return Task(request, inputs, tuple(subjects), tuple(outdated), tuple(refused))


def _refused(inputs: Inputs, names: list[str]) -> tuple[set[str], list[Diagnostic]]:
    """The modules among ``names`` whose derivatives can't be made, and why not."""
    results, found = compiler()(names, inputs, 1, lambda done, of, name: None)
    for result in results.values():
        found = [*found, *result.diagnostics]
    if not found:  # nothing would tell: to be reported as missing
        return set(), []
    failed = {n for n, result in results.items() if result.has_errors and not result.crashes}
    return failed, found


def verify(
    task: Task, given: Path | None, seed: int, wanted: int, notify: Notify
) -> Iterator[Verdict]:
    """Import and run all modules of the task; a verdict for each function."""
    layout, sources = task.request.layout, task.inputs.sources
    modules = [*sources.known, *(f"{name}_grad" for name in sources.known)]
    root = sources.root
    out = make_side(layout.out, modules, (root,))
    src = out if layout.in_place else make_side(root, modules)
    plain = make_side(layout.out, modules, (root,), plain=True)
    names = _all_functions(task) if given else {}
    named = read_input_file(given, src, names)
    verifier = Verifier(src, out, plain, named, seed, wanted)
    yield from verdicts(verifier, task.subjects, notify)
    selection = task.inputs.selection
    fine = [n for n, it_has in names.items() if it_has or not selection.has_function(*n.split(":"))]
    for name in named.beside(fine):
        yield Verdict(name, Outcome.UNFIT, messages=(NO_DERIVATIVES,))


def _all_functions(task: Task) -> dict[str, bool]:
    """The names of all functions of SRC, be they selected or not, and if they have derivatives."""
    request = task.request
    found = function_names(Request(request.src, request.out).inputs(), request.layout)
    return found | {subject.qualname: True for subject in task.subjects}
