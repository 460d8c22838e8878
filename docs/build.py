"""Pages and tables of the documentation that are made from the code: a hook of mkdocs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
MARK = re.compile(r"<!-- table: (?P<name>[a-z ]+) -->")
KINDS = {
    "MK0": "Reading files", "MK1": "Syntax that is not supported",
    "MK2": "Names, types and annotations", "MK3": "Calls of functions", "MK4": "Differentiation",
    "MK5": "Output files", "MK6": "Functions over arrays of CuPy",
}  # fmt: skip

HEAD = """# Errors

Each error has a code; `mooncake-transpile explain CODE` says the same as this page. Where there are
two blocks of code, the first is refused with that code and the second is a way out. Codes are never
given another meaning.
"""


def errors() -> str:
    """All codes of diagnostics, by kind, with a list of them in front."""
    from mooncake_transpiler.diagnostic.codes import CODES

    parts = [HEAD]
    for prefix, title in KINDS.items():
        codes = [code for number, code in CODES.items() if number.startswith(prefix)]
        parts.append(f"## {title}\n")
        parts += [f"- [{c.number}](#{c.number.lower()}) {c.title}" for c in codes]
        parts.append("")
        for code in codes:
            anchor = f"{{ #{code.number.lower()} }}"
            parts.append(f"### {code.number} {code.title} {anchor}\n\n{code.explanation}\n")
    return "\n".join(parts)


def functions() -> str:
    """The table of functions with derivatives."""
    return (
        (ROOT / "rules" / "FUNCTIONS.md")
        .read_text("utf-8")
        .replace(
            "Generated from the rules by `pytest tests/golden --update-goldens`.",
            "What the transpiler knows how to differentiate, from its own tables.",
        )
    )


def limitations() -> str:
    """The known limitations; each code leads to its entry in the index of errors."""
    text = (ROOT / "KNOWN_LIMITATIONS.md").read_text("utf-8")
    text = re.sub(r"\bMK\d{3}\b", lambda m: f"[{m[0]}](errors.md#{m[0].lower()})", text)
    text = re.sub(r"\[([^\]]+)\]\((tests/[\w/.]+)\)", r"\1: `\2`", text)
    text = text.replace("[rules/FUNCTIONS.md](rules/FUNCTIONS.md)", "[the functions](functions.md)")
    return text.replace("](docs/", "](")


def contributing() -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    return re.sub(r"\[([^\]]+)\]\((?!docs/)[\w/.]+\)", r"`\1`", text).replace("](docs/", "](")


def changelog() -> str:
    return (ROOT / "CHANGELOG.md").read_text("utf-8")


def annotations() -> str:
    """The scalar types: what each may be written as."""
    from mooncake_transpiler.frontend.name.typenames import JAXTYPING, SCALARS

    rows: dict[str, list[str]] = {}
    for name, dtype in SCALARS.items():
        short = name.removeprefix("builtins.").replace("numpy.", "np.")
        rows.setdefault(dtype.value, []).append(f"`{short}`")
    for name, dtype in JAXTYPING.items():
        rows[dtype.value].append(f"`{name}[np.ndarray, ...]`")
    lines = [f"| {dtype} | {', '.join(names)} |" for dtype, names in rows.items()]
    return "\n".join(["| number | written as |", "|---|---|", *lines])


def built_in() -> str:
    """The functions of Python and its modules that are known, by module."""
    from mooncake_transpiler.frontend.lower.builtin import (
        allocate,
        builtin,
        complexes,
        copying,
        detaching,
        functional,
        operators,
        reflection,
        sequences,
    )
    from mooncake_transpiler.frontend.lower.object.containers import METHODS

    parts = (allocate, builtin, complexes, copying, detaching, functional, operators, reflection)
    names = {name for part in (*parts, sequences) for name in part.HANDLERS} | {"typing.cast"}
    groups: dict[str, list[str]] = {}
    for name in sorted(names):
        module, _, function = name.rpartition(".")
        if not module.startswith("numpy"):  # these are among the functions with derivatives
            groups.setdefault(module, []).append(function)
    for owner, methods in METHODS.items():
        groups.setdefault(f"methods of {owner}", []).extend(sorted(methods))
    return "\n".join(["| from | functions |", "|---|---|", *_rows(groups)])


def refused_syntax() -> str:
    """The syntax that is refused wherever it stands in a function."""
    from mooncake_transpiler.frontend.declaration.fence import refused

    rows = (f"| {what} | [{code}](errors.md#{code.lower()}) |" for code, what in refused())
    return "\n".join(["| message | code |", "|---|---|", *dict.fromkeys(rows)])


def _rows(groups: Mapping[str, Iterable[str]]) -> list[str]:
    listed = {home: ", ".join(f"`{name}`" for name in names) for home, names in groups.items()}
    return [f"| `{home}` | {names} |" for home, names in listed.items()]


PAGES: Mapping[str, Callable[[], str]] = {
    "errors.md": errors,
    "functions.md": functions,
    "limitations.md": limitations,
    "contributing.md": contributing,
    "changelog.md": changelog,
}
TABLES: Mapping[str, Callable[[], str]] = {
    "annotations": annotations,
    "built in": built_in,
    "refused syntax": refused_syntax,
}


def with_tables(text: str) -> str:
    """``text`` with a table in the place of each mark."""
    return MARK.sub(lambda mark: TABLES[mark["name"]](), text)


def on_files(files: Any, config: Any) -> Any:
    """Called by mkdocs: adds the pages that are no files."""
    from mkdocs.structure.files import File

    for name, make in PAGES.items():
        files.append(File.generated(config, name, content=make()))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Called by mkdocs for each page."""
    return with_tables(markdown)
