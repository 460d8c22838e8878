"""Hashes of the inputs of generated files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from mooncake_transpiler.version import VERSION

COMPILER = ("mooncake_transpiler", "mooncake_rules")
RUNTIME = ("mooncake_runtime",)


def digest(parts: Iterable[bytes]) -> str:
    """One hash over ``parts``; where one ends and the next begins counts."""
    total = hashlib.sha256()
    for part in parts:
        total.update(hashlib.sha256(part).digest())
    return f"sha256:{total.hexdigest()}"


def text_digest(content: bytes) -> str:
    """The hash of a text, which does not depend on how its lines end."""
    return digest([content.replace(b"\r\n", b"\n")])


def compiler_digest() -> str:
    """The hash of everything that decides what is written for a given source."""
    return _packages_digest(COMPILER)


def runtime_digest() -> str:
    """The hash of what generated code calls: cached machine code has it built in."""
    return _packages_digest(RUNTIME)


def _packages_digest(packages: tuple[str, ...]) -> str:
    parts = [VERSION.encode()]
    for package in packages:
        for folder in _folders(package):
            for file in sorted(folder.rglob("*.py")):
                parts += [file.relative_to(folder).as_posix().encode(), file.read_bytes()]
    return digest(parts)


def _folders(package: str) -> list[Path]:
    spec = find_spec(package)
    locations = spec.submodule_search_locations if spec is not None else None
    return [Path(location) for location in locations or ()]
