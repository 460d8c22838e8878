"""Plans for the modules of a run: their files in OUT, and the need to compile."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mooncake_transpiler.output import header
from mooncake_transpiler.output.changes import Change, Group
from mooncake_transpiler.output.digests import compiler_digest, digest, runtime_digest
from mooncake_transpiler.output.header import Header, expected_header
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.output.manifest import read_manifest
from mooncake_transpiler.output.sources import SourceFile
from mooncake_transpiler.output.states import FileState, Layout, copy_state, gradient_state


@dataclass(frozen=True, slots=True)
class ModulePlan:
    file: SourceFile
    gradient: Path
    gradient_state: FileState
    expected: Header  # the hash of the body is not known yet
    copy: Path | None
    copy_state: FileState

    def is_pending(self, force: bool) -> bool:
        """True if only compiling the module tells its changes."""
        if self.gradient_state is FileState.MISSING:
            return self.file.outline.may_differentiate
        return force or self.gradient_state is not FileState.FRESH

    def copying(self) -> Group:
        """The change that brings the copy of the module up to date."""
        if self.copy is None or self.copy_state is FileState.FRESH:
            return ()
        return (Change(self.copy, self.file.content, self.copy_state, self.file.path),)

    def writing(self, body: str, check: bool, is_partial: bool) -> Group:
        """The change that makes ``body`` the gradient module.

        One that ``is_partial`` never is up to date: what it lacks is reported by each run.
        """
        expected = self.expected
        if is_partial:
            expected = replace(expected, options=digest([b"partial", expected.options.encode()]))
        new = header.with_body(expected, body)
        if self._serves(new, body, check):
            return ()
        text = header.render(new, body).encode()
        state = FileState.STALE if self.gradient_state is FileState.FRESH else self.gradient_state
        return (Change(self.gradient, text, state, self.file.path),)

    def _serves(self, new: Header, body: str, check: bool) -> bool:
        """True if the gradient module may stay as it is."""
        old = header.read(self.gradient)
        if old is None or not old.is_intact or old.body != body:
            return False
        # A transpiler that has changed, but not in what it makes of this module, is no reason to
        # call the module stale.
        return old.header == new or (check and old.header.same_inputs(new))

    def removing(self) -> Group:
        """The change where nothing is left to differentiate in the module."""
        if self.gradient_state in (FileState.MISSING, FileState.FOREIGN):
            return ()
        edited = self.gradient_state is FileState.EDITED
        state = FileState.EDITED if edited else FileState.ORPHANED
        return (Change(self.gradient, None, state, self.file.path),)


def make_plans(inputs: Inputs, layout: Layout) -> Iterator[ModulePlan]:
    """The plans for the selected modules."""
    compiler, runtime = compiler_digest(), runtime_digest()
    manifest = read_manifest(layout.out)
    sources = inputs.sources
    for name in sorted(sources.files.keys() | sources.targets):
        if not inputs.selection.has_module(name):
            continue
        file = sources.file(name)
        source = sources.digest(name, runtime)
        expected = expected_header(
            sources.full_path(file), source, inputs.options_digest(name), compiler
        )
        gradient = layout.gradient(file.path)
        copy = None if file.origin else layout.copy(file.path)
        yield ModulePlan(
            file=file,
            gradient=gradient,
            gradient_state=gradient_state(gradient, expected),
            expected=expected,
            copy=copy,
            copy_state=copy_state(copy, file, manifest) if copy else FileState.FRESH,
        )
