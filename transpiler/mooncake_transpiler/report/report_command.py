"""The command ``report``, without its options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from mooncake_transpiler.config import ConfigError
from mooncake_transpiler.diagnostic.suggestions import did_you_mean
from mooncake_transpiler.output.inputs import Inputs, find_inputs
from mooncake_transpiler.report.certificate import read_certificates
from mooncake_transpiler.report.collect import Collected, collect
from mooncake_transpiler.report.listing import Listing


def facts(src: Path, only: tuple[str, ...], verified: Path | None, named: str = "") -> Collected:
    """The facts about the functions of ``src``; with ``named`` about those of that name alone."""
    inputs = find_inputs(src, only, keep_going=True)
    if named:
        inputs = find_inputs(src, tuple(_called(named, inputs)), keep_going=True)
    return collect(inputs, read_certificates(verified))


def _called(named: str, inputs: Inputs) -> Iterator[str]:
    """The functions that are called ``named``, as ``--only`` has them."""
    module, _, name = named.rpartition(":")
    known: set[str] = set()
    found = []
    for own, file in inputs.sources.files.items():
        names = _functions(file.content)
        known |= names
        if name in names and inputs.selection.has_function(own, name) and module in ("", own):
            found.append(f"{own}:{name}")
    if not found:
        raise ConfigError(f"there is no function {named!r} here{did_you_mean(name, sorted(known))}")
    yield from found


def _functions(content: bytes) -> set[str]:
    try:
        return {func.name for func in Listing("", content.decode()).functions()}
    except (SyntaxError, ValueError):
        return set()
