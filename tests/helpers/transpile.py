"""Source text to gradient modules, without the command and without files that stay."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from mooncake_transpiler.diagnostics import Diagnostic
from mooncake_transpiler.output.inputs import find_inputs
from mooncake_transpiler.pipeline import compile_modules
from mooncake_transpiler.products import Crash


class Refusal(Exception):
    """The source has errors."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("; ".join(f"{d.code} {d.place.line}: {d.message}" for d in diagnostics))
        self.diagnostics = diagnostics


class Crashed(Exception):
    """The transpiler has failed."""

    def __init__(self, crash: Crash) -> None:
        super().__init__(f"{crash.error}\n{crash.traceback}")
        self.crash = crash


def gradient_texts(sources: Mapping[str, str]) -> dict[str, str]:
    """The texts of the gradient modules of modules, given by path (``pkg/m.py``)."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in sources.items():
            file = Path(folder, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        inputs = find_inputs(Path(folder))
        products, diagnostics = compile_modules(
            list(inputs.sources.files), inputs, 1, lambda done, total: None
        )
    for product in products.values():
        diagnostics += product.diagnostics
        if product.crash:
            raise Crashed(product.crash)
    if diagnostics:
        raise Refusal(diagnostics)
    return {name: p.body for name, p in products.items() if p.body is not None}


def write_gradients(src: Path, out: Path) -> None:
    """Copies of the modules in ``src`` and their gradient modules."""
    sources = {f.relative_to(src).as_posix(): f.read_text() for f in sorted(src.rglob("*.py"))}
    texts = gradient_texts(sources)
    for path, text in sources.items():
        file = out / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        name = path.removesuffix("/__init__.py").removesuffix(".py").replace("/", ".")
        if name in texts:
            file.with_name(f"{file.stem}_grad.py").write_text(texts[name])


def gradient_text(source: str) -> str:
    """The text of the gradient module of a module."""
    return gradient_texts({"program.py": source})["program"]


def module(text: str, name: str, *, jit: bool = False) -> ModuleType:
    """A module with the given text, in plain Python unless ``jit``."""
    made = ModuleType(name)
    with switched(jit):
        exec(compile(text, f"<{name}>", "exec", dont_inherit=True), made.__dict__)
    return made


def transpiled(source: str, *, jit: bool = False) -> tuple[ModuleType, ModuleType]:
    """A module as plain Python, and its gradient module."""
    return module(source, "program"), module(gradient_text(source), "program_grad", jit=jit)


@contextmanager
def switched(jit: bool) -> Iterator[None]:
    """Compile what is decorated here, or leave it plain."""
    before = os.environ.get("NUMBA_DISABLE_JIT")
    os.environ["NUMBA_DISABLE_JIT"] = "0" if jit else "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["NUMBA_DISABLE_JIT"]
        else:
            os.environ["NUMBA_DISABLE_JIT"] = before


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Let modules in ``folder`` be imported; they are forgotten afterwards."""
    known = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None)
            if file and Path(file).is_relative_to(folder):
                del sys.modules[name]
