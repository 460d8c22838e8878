"""Modules of the catalogue transpiled in a process with other addresses and hashes.

python -m tests.helpers.scrambled SEED THEME_OR_FILE ...

Classes of ours that are hashed by address, and nodes of syntax, get hashes that depend on the seed,
too, so sets of them have another order; so have sets of texts, by PYTHONHASHSEED. The themes are
read in another order. A line per theme: its name and the hash of its gradient module.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import libcst as cst

from tests.helpers.transpile import compiled
from tests.programs.catalogue import CASES

OURS = ("mooncake_transpiler", "mooncake_rules")
MODES = ("reverse", "forward", "hvp")
COMPOSED = ("reverse-over-forward", "forward-over-reverse", "reverse-over-reverse")
CONFIG = f"[tool.mooncake-transpile]\nkeep-going = true\nmodes = {list(MODES + COMPOSED)}\n"


def scramble(seed: int) -> int:
    """Hash by address and ``seed`` what is hashed by address; the number of such classes."""
    factor = random.Random(seed).getrandbits(60) | 1
    modules = [m for name, m in list(sys.modules.items()) if name.startswith(OURS)]
    classes = {
        value: None
        for module in modules
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__.startswith(OURS)
    }
    found = [cls for cls in classes if cls.__hash__ is object.__hash__]
    found.append(cst.CSTNode)  # which says itself that its hash is its address
    for cls in found:
        cls.__hash__ = lambda self: ((id(self) >> 4) * factor >> 7) & (1 << 44) - 1  # type: ignore[method-assign]
    return len(found)


def digests(themes: list[str]) -> Iterator[tuple[str, str]]:
    """Each theme, or other file, and the hash of its gradient module."""
    used = [*(CASES / "package").rglob("*.py")]
    used += [CASES / f"{name}.py" for name in ("helpers", "kinds", "places")]
    files = {file.relative_to(CASES).as_posix(): file.read_text() for file in used}
    files["pyproject.toml"] = CONFIG
    for theme in themes:
        file = Path(theme) if theme.endswith(".py") else CASES / f"{theme}.py"
        body = compiled({**files, file.name: file.read_text()})[file.stem].body
        assert body is not None
        yield theme, sha256(str(body).encode()).hexdigest()


if __name__ == "__main__":
    seed, themes = int(sys.argv[1]), sys.argv[2:]
    assert scramble(seed) > 100
    random.Random(seed).shuffle(themes)
    for theme, digest in digests(themes):
        print(theme, digest, flush=True)
