"""The modules under SRC, found but not yet read."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from mooncake_transpiler.config import Config, ConfigError
from mooncake_transpiler.output.digests import digest, text_digest
from mooncake_transpiler.output.header import is_marked
from mooncake_transpiler.output.manifest import NAME
from mooncake_transpiler.output.outline import ModuleOutline, outline
from mooncake_transpiler.packages import package_name

VENDORED = "_mooncake_runtime"  # what ``--vendor`` calls its copy of the runtime


# Folders of tools, which ruff leaves out, too; those that begin with a dot are left out anyway.
NOT_SOURCES = frozenset({
    "__pycache__", "__pypackages__", "_build", "buck-out", "build", "dist", "node_modules",
    "site-packages", "venv",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One module; ``path`` is relative to SRC, with forward slashes."""

    name: str
    path: str
    content: bytes
    outline: ModuleOutline
    digest: str  # of the content, however its lines end
    origin: str = ""  # of a gradient module: the module that it is made from


@dataclass(frozen=True, slots=True)
class Sources:
    """All modules under ``root``, by dotted name."""

    root: Path
    files: dict[str, SourceFile] = field(default_factory=dict)
    is_single: bool = False  # SRC is a file
    hidden: frozenset[str] = frozenset()  # paths of modules that share their name with another
    package: str = ""  # the dotted name of SRC where that is a package
    makes_package: bool = False  # OUT is one, too
    generated: dict[str, SourceFile] = field(default_factory=dict)  # gradient modules among them
    targets: frozenset[str] = frozenset()  # those of them that get gradient modules

    @property
    def known(self) -> dict[str, SourceFile]:
        """All modules, also those that are only being made."""
        return self.files | self.generated

    def file(self, name: str) -> SourceFile:
        """The module ``name``, which is known."""
        return self.files[name] if name in self.files else self.generated[name]

    @property
    def paths(self) -> frozenset[str]:
        """The paths of all modules, relative to the root."""
        return self.hidden | {file.path for file in self.files.values()}

    def closure(self, name: str) -> list[SourceFile]:
        """The module ``name`` and all that it imports, directly or not, in order of name."""
        seen = {name}
        pending = [name]
        while pending:
            for other in self._imports(pending.pop()):
                if other not in seen:
                    seen.add(other)
                    pending.append(other)
        return [self.file(module) for module in sorted(seen)]

    def digest(self, name: str, runtime: str) -> str:
        """The hash of all sources of the derivatives of module ``name``."""
        files = {file.name: file for file in self.closure(name)}
        for other in self._bearing_on(files.keys()):
            files |= {file.name: file for file in self.closure(other)}
        files = {name: files[name] for name in sorted(files, key=self.full_name)}
        parts = [runtime, *(f"{self.full_path(f)} {f.digest}" for f in files.values())]
        return digest(part.encode() for part in parts)

    def _bearing_on(self, names: Set[str]) -> Iterator[str]:
        """The modules that may give rules, or change something in one of the modules ``names``."""
        for name, file in self.files.items():
            changed = {n for module in file.outline.changes for n in self.inside(module)}
            if file.outline.gives_rules or changed & names:
                yield name

    def _imports(self, name: str) -> Iterator[str]:
        imports = self.file(name).outline.imports
        if imports is None:
            yield from self.files
            return
        for module in imports:
            yield from (n for n in self.inside(module) if n in self.files or n in self.generated)

    def full_name(self, name: str) -> str:
        """The dotted name of the module ``name`` with that of the package: however SRC is given."""
        inner = "" if name == "__init__" and self.package else name
        return ".".join(filter(None, [self.package, inner]))

    def full_path(self, file: SourceFile) -> str:
        """The path of ``file`` with the folders of the package: however SRC is given."""
        return "/".join([*filter(None, self.package.split(".")), file.path])

    def inside(self, module: str) -> set[str]:
        """The names by which ``module`` may be imported: in a package, also without its name."""
        prefix = f"{self.package}."
        return {module, f"{module}.".removeprefix(prefix).removesuffix(".") or "__init__"}


def find_sources(src: Path, config: Config, leave_out: Path | None = None) -> Sources:
    """The modules under ``src``, without generated, hidden and excluded ones.

    What stands in ``leave_out``, which is OUT, is no source, nor what a run has put elsewhere.
    """
    package = package_name(src)
    if src.is_file():
        found = _sources(src.parent, [src], package)
        is_package = ((leave_out or src.parent) / "__init__.py").is_file()
        return replace(found, is_single=True, package=package, makes_package=is_package)
    out = leave_out.resolve() if leave_out else None
    files = (file for file in _python_files(src, out) if not _is_generated(file))
    wanted = [file for file in files if not config.excludes(file.relative_to(src).as_posix())]
    found = _sources(src, wanted, package)
    return replace(found, package=package, makes_package="__init__" in found.files)


def module_name(path: str) -> str:
    """The dotted name of the module at ``path``."""
    parts = path.removesuffix(".py").split("/")
    if parts[-1] == "__init__":
        parts = parts[:-1] or parts
    return ".".join(parts)


def _sources(root: Path, files: list[Path], package: str) -> Sources:
    found: dict[str, SourceFile] = {}
    hidden: set[str] = set()
    for file in files:
        path = file.relative_to(root).as_posix()
        if not path.isprintable():
            raise ConfigError(f"{path!r} is no name for a module; leave it out with `exclude`")
        name = module_name(path)
        if name in found:
            hidden.add(found[name].path)
        content = _content(file)
        seen = outline(content, ".".join(filter(None, [package, _package(name, path)])))
        found[name] = SourceFile(name, path, content, seen, text_digest(content))
    return Sources(root, found, hidden=frozenset(hidden))


def _package(name: str, path: str) -> str:
    """The package that relative imports in the module start from; SRC itself has no name."""
    if path == "__init__.py":
        return ""
    return name if path.endswith("/__init__.py") else name.rpartition(".")[0]


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return UNREADABLE


# What stands for a file that can't be read: no module, so it is read again, and reported.
UNREADABLE = b"\0"


def _python_files(folder: Path, out: Path | None) -> Iterator[Path]:
    """The Python files below a folder, without following links to folders, which may lead back."""
    try:
        entries = sorted(folder.iterdir())
    except OSError as error:
        raise ConfigError(f"{folder} can't be read: {error.strerror}") from error
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir() and entry.name not in NOT_SOURCES and not entry.is_symlink():
            if not _is_output(entry, out) and not (entry / "pyvenv.cfg").exists():
                yield from _python_files(entry, out)
        elif entry.suffix == ".py" and entry.is_file():
            yield entry


def _is_output(folder: Path, out: Path | None) -> bool:
    """True if the contents of ``folder`` were written by this run or another."""
    if folder.name == VENDORED and is_marked(folder / "__init__.py"):
        return True
    return (folder / NAME).is_file() or folder.resolve() == out


def _is_generated(file: Path) -> bool:
    return file.name.endswith("_grad.py") and is_marked(file)
