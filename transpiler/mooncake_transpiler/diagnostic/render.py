"""Diagnostics as text: for people, for editors, for programs and for GitHub's annotations."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.diagnostic.sarif import sarif

_BOLD, _RED, _BLUE, _PLAIN = "\x1b[1m", "\x1b[1;31m", "\x1b[1;34m", "\x1b[0m"


def render(
    diagnostics: Sequence[Diagnostic], src: Path, output_format: str, colour: bool = False
) -> str:
    """All of ``diagnostics`` in one of the formats; places are relative to ``src``.

    ``colour`` is for the full format on a terminal.
    """
    if output_format in WHOLE:
        return WHOLE[output_format]([_located(diagnostic, src) for diagnostic in diagnostics])
    show = FORMATS[output_format]
    shown = [show(_located(diagnostic, src)) for diagnostic in diagnostics]
    text = "".join(f"{one}\n" for one in shown)
    return text if colour else _without_colour(text)


def _located(diagnostic: Diagnostic, src: Path) -> Diagnostic:
    """With a path that can be opened from here, where there is such a file."""
    place = diagnostic.place
    root = src.parent if src.is_file() else src
    file = root / place.path
    if not file.is_file():
        return diagnostic
    return replace(diagnostic, place=replace(place, path=file.as_posix()))


def _concise(d: Diagnostic) -> str:
    return f"{d.place.path}:{d.place.line}:{d.place.col}: {d.code} {d.message}"


def _full(d: Diagnostic) -> str:
    place = d.place
    lines = [
        f"{_RED}{d.code}{_PLAIN}{_BOLD}: {d.message}{_PLAIN}",
        f"{_BLUE}  -->{_PLAIN} {place.path}:{place.line}:{place.col}",
    ]
    source = _line(place.path, place.line)
    if source.strip():
        number = str(place.line)
        margin = " " * len(number)
        caret, width = _caret(source, place.col, place.end_col)
        lines += [
            f"{_BLUE}{margin} |{_PLAIN}",
            f"{_BLUE}{number} |{_PLAIN} {source.expandtabs(4)}",
            f"{_BLUE}{margin} |{_PLAIN} {' ' * caret}{_RED}{'^' * width}{_PLAIN}",
        ]
    if d.help:
        lines.append(f"  {_BOLD}help:{_PLAIN} {d.help}")
    return "\n".join(lines) + "\n"


def _caret(source: str, col: int, end_col: int) -> tuple[int, int]:
    """The start and the length of the underline, once tabs are widened."""
    start = len(source[: col - 1].expandtabs(4))
    end = len(source[: end_col - 1].expandtabs(4))
    return start, max(1, end - start)


def _github(d: Diagnostic) -> str:
    place = d.place
    message = d.message if d.help is None else f"{d.message}\nhelp: {d.help}"
    where = f"file={_property(place.path)},line={place.line},col={place.col}"
    return f"::error {where},endColumn={place.end_col},title={d.code}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _json(diagnostics: Sequence[Diagnostic]) -> str:
    rows = [
        {
            "code": d.code,
            "message": d.message,
            "help": d.help,
            "path": d.place.path,
            "line": d.place.line,
            "column": d.place.col,
            "end_column": d.place.end_col,
        }
        for d in diagnostics
    ]
    return json.dumps(rows, indent=2) + "\n"


WHOLE: Mapping[str, Callable[[Sequence[Diagnostic]], str]] = {"json": _json, "sarif": sarif}
FORMATS: Mapping[str, Callable[[Diagnostic], str]] = {
    "full": _full,
    "concise": _concise,
    "github": _github,
}


def _without_colour(text: str) -> str:
    for code in (_BOLD, _RED, _BLUE, _PLAIN):
        text = text.replace(code, "")
    return text


def _line(path: str, number: int) -> str:
    lines = _lines(path)
    return lines[number - 1].rstrip() if 0 < number <= len(lines) else ""


@lru_cache(maxsize=1)
def _lines(path: str) -> tuple[str, ...]:
    try:
        text = Path(path).read_text("utf-8", errors="replace")
    except OSError:
        return ()
    return tuple(text.removeprefix("\ufeff").split("\n"))
