"""A compiler for tests of what happens to files: it "differentiates" by quoting the module."""

from __future__ import annotations

from mooncake_transpiler.compilation import CompiledModule, Crash, Notify
from mooncake_transpiler.diagnostic.diagnostics import Diagnostic, Place
from mooncake_transpiler.output.inputs import Inputs
from mooncake_transpiler.output.sources import SourceFile


class FakeCompiler:
    """Notes what it is asked to compile. ``# refuse`` and ``# crash`` in a module do that."""

    def __init__(self) -> None:
        self.compiled: list[str] = []

    def __call__(
        self, names: list[str], inputs: Inputs, jobs: int, notify: Notify
    ) -> tuple[dict[str, CompiledModule], list[Diagnostic]]:
        self.compiled += names
        return {name: _product(inputs.sources.files[name]) for name in names}, []


def _product(file: SourceFile) -> CompiledModule:
    text = file.content.decode()
    if "# refuse" in text:
        diagnostic = Diagnostic("MK301", "refused", Place(file.path, 1, 1, 2))
        return CompiledModule(diagnostics=(diagnostic,), has_errors=True)
    if "# crash" in text:
        return CompiledModule(
            crashes=(Crash(f"{file.name}:f ({file.path}:1)", "Oops", ""),), has_errors=True
        )
    return CompiledModule(f"TEXT = {text!r}\n" if "float" in text else None)
