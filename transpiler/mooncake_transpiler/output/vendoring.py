"""``--vendor``: the modules of the runtime that the output needs, copied into OUT.

A copy stands in the outermost package of the gradient modules that import it, so that a package
can be installed by itself, or in OUT for modules that are in none. Its files carry the header of
generated files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from mooncake_transpiler.config import ConfigError
from mooncake_transpiler.output import header
from mooncake_transpiler.output.changes import Change, Group
from mooncake_transpiler.output.digests import digest, text_digest
from mooncake_transpiler.output.header import Generated, Header
from mooncake_transpiler.output.manifest import read_manifest
from mooncake_transpiler.output.neighbours import import_name, outermost
from mooncake_transpiler.output.runtime_files import RUNTIME, Runtime, find_runtime
from mooncake_transpiler.output.sources import VENDORED, Sources
from mooncake_transpiler.output.states import FileState, Layout
from mooncake_transpiler.version import VERSION


def runtime_name(module: str, sources: Sources, vendor: bool) -> str:
    """The name by which the gradient module of ``module`` imports the runtime."""
    if not vendor:
        return RUNTIME
    return import_name(module, f"{outermost(module, sources)}.{VENDORED}".lstrip("."), sources)


def vendored(
    bodies: Mapping[str, list[str]], sources: Sources, layout: Layout, prune: bool
) -> dict[str, Group]:
    """The changes to the copies that gradient modules with these bodies need, by path.

    With ``prune`` what nothing needs is removed.
    """
    runtime = find_runtime()
    wanted: dict[str, list[str]] = {}
    for module, texts in bodies.items():
        needed = {name for text in texts for name in runtime.needed(text)}
        needed |= set(_named(sources.file(module).outline.imports or (), runtime))
        if needed:
            wanted.setdefault(outermost(module, sources), []).extend(needed)
    _check_free(wanted, sources)
    groups: dict[str, Group] = {}
    for home in sorted(wanted):
        wanted[home] = runtime.closure(wanted[home])
        changes = _outdated(layout.out / _path(home), wanted[home], runtime)
        groups[_path(home)] = tuple(changes)
    for home in _homes(sources, layout) if prune else ():
        kept = {runtime.path(name) for name in wanted.get(home, ())}
        for change in _unneeded(layout.out / _path(home), kept):
            groups[change.file.relative_to(layout.out).as_posix()] = (change,)
    return groups


def _named(imports: Iterable[str], runtime: Runtime) -> Iterator[str]:
    """The modules that a module of the user's imports from a copy."""
    for path in imports:
        before, found, name = f"{path}.".partition(f"{VENDORED}.")
        if found and (not before or before.endswith(".")):
            name = name.rstrip(".")
            yield name if runtime.has(name) else ""


def _check_free(homes: Iterable[str], sources: Sources) -> None:
    for path in sources.paths:
        for taken in map(_path, homes):
            if path == f"{taken}.py" or path.startswith(f"{taken}/"):
                raise ConfigError(f"{path} of SRC stands where the runtime would be copied to")


def _outdated(folder: Path, names: Iterable[str], runtime: Runtime) -> Iterator[Change]:
    for name in names:
        path, text = runtime.path(name), runtime.copy(name)
        origin = f"{RUNTIME}/{path}"
        source, tool = text_digest(text.encode()), digest([VERSION.encode()])
        head = header.with_body(Header(VERSION, origin, source, digest([]), tool, ""), text)
        state = _state(folder / path, Generated(head, text))
        if state is not FileState.FRESH:
            yield Change(folder / path, header.render(head, text).encode(), state, origin)


def _state(file: Path, expected: Generated) -> FileState:
    if not file.exists():
        return FileState.MISSING
    found = header.read(file)
    if found is None:
        return FileState.FOREIGN
    if not found.is_intact:
        return FileState.EDITED
    return FileState.FRESH if found == expected else FileState.STALE


def _homes(sources: Sources, layout: Layout) -> list[str]:
    """The folders for copies: OUT itself, and folders in it that modules are or were in."""
    paths = [*sources.paths, *read_manifest(layout.out).copies]
    return ["", *sorted({path.partition("/")[0] for path in paths if "/" in path})]


def _unneeded(folder: Path, kept: set[str]) -> Iterator[Change]:
    for file in sorted(folder.rglob("*.py")):
        path = file.relative_to(folder).as_posix()
        found = header.read(file)
        if path not in kept and found and found.header.module == f"{RUNTIME}/{path}":
            state = FileState.ORPHANED if found.is_intact else FileState.EDITED
            yield Change(file, None, state, found.header.module)


def _path(home: str) -> str:
    return f"{home}/{VENDORED}".lstrip("/")
