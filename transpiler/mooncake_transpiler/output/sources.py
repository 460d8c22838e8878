"""The modules under SRC, and what can be said about them before they are read in earnest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from mooncake_transpiler.config import Config
from mooncake_transpiler.output.digests import digest, text_digest
from mooncake_transpiler.output.header import is_marked
from mooncake_transpiler.output.outline import Outline, outline


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One module; ``path`` is relative to SRC, with forward slashes."""

    name: str
    path: str
    content: bytes
    outline: Outline
    digest: str  # of the content, however its lines end


@dataclass(frozen=True, slots=True)
class Sources:
    """All modules under ``root``, by dotted name."""

    root: Path
    files: dict[str, SourceFile] = field(default_factory=dict)
    is_single: bool = False  # SRC is a file

    def closure(self, name: str) -> list[SourceFile]:
        """The module ``name`` and all that it imports, directly or not, in order of name."""
        seen = {name}
        pending = [name]
        while pending:
            for other in self._imports(pending.pop()):
                if other not in seen:
                    seen.add(other)
                    pending.append(other)
        return [self.files[module] for module in sorted(seen)]

    def digest(self, name: str, runtime: str) -> str:
        """The hash of all that the derivatives of module ``name`` are made from."""
        files = self.closure(name)
        parts = [runtime, *(f"{file.path} {file.digest}" for file in files)]
        return digest(part.encode() for part in parts)

    def _imports(self, name: str) -> Iterator[str]:
        imports = self.files[name].outline.imports
        if imports is None:
            yield from self.files
            return
        # Where SRC is a package, its modules may also be imported under its name.
        prefix = f"{self.root.resolve().name}."
        for module in imports:
            yield from {module, module.removeprefix(prefix)} & self.files.keys()


def find_sources(src: Path, config: Config, leave_out: Path | None = None) -> Sources:
    """The modules under ``src``, without generated, hidden and excluded ones and ``leave_out``."""
    if src.is_file():
        return Sources(src.parent, _by_name(src.parent, [src]), is_single=True)
    files = (file for file in _python_files(src, leave_out) if not _is_generated(file))
    wanted = [file for file in files if not config.excludes(file.relative_to(src).as_posix())]
    return Sources(src, _by_name(src, wanted))


def module_name(path: str) -> str:
    """The dotted name of the module at ``path``."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__":
        parts = parts[:-1] or parts
    return ".".join(parts)


def _by_name(root: Path, files: list[Path]) -> dict[str, SourceFile]:
    found: dict[str, SourceFile] = {}
    for file in files:
        path = file.relative_to(root).as_posix()
        name = module_name(path)
        content = file.read_bytes()
        package = name if file.name == "__init__.py" else name.rpartition(".")[0]
        seen = outline(content, package)
        found[name] = SourceFile(name, path, content, seen, text_digest(content))
    return found


def _python_files(folder: Path, leave_out: Path | None) -> Iterator[Path]:
    for entry in sorted(folder.iterdir()):
        if entry.name.startswith(".") or entry == leave_out:
            continue
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _python_files(entry, leave_out)
        elif entry.suffix == ".py" and entry.is_file():
            yield entry


def _is_generated(file: Path) -> bool:
    return file.name.endswith("_grad.py") and is_marked(file)
