"""A report as one HTML file that carries all it needs; a script in it draws the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import reduce
from importlib.resources import files

from mooncake_transpiler.report.byte_formulas import Size, plus, text
from mooncake_transpiler.report.findings import (
    FunctionFacts,
    ModuleFacts,
    Saved,
    Section,
    Spot,
    WrittenLine,
)


def page(modules: Sequence[ModuleFacts]) -> str:
    """The HTML file; equal facts give equal text."""
    facts = json.dumps({"modules": [_module(one) for one in modules]}, separators=(",", ":"))
    # No text of the user's may end the element that it stands in.
    safe = facts.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    made = _part("page.html").replace("@STYLE@", _part("page.css").strip())
    before, after = made.split("@FACTS@")
    return before + safe + after.replace("@SCRIPT@", _part("page.js").strip())


def _part(name: str) -> str:
    return files("mooncake_transpiler.report").joinpath(name).read_text("utf-8")


def total(ledger: Sequence[Saved]) -> Size:
    """The bytes of all that is saved."""
    zero: Size = 0
    return reduce(plus, (item.bytes for item in ledger), zero)


def _module(module: ModuleFacts) -> dict[str, object]:
    functions = [_function(one) for one in module.functions]
    return {"name": module.name, "path": module.path, "functions": functions}


def _function(one: FunctionFacts) -> dict[str, object]:
    return {
        "name": one.name,
        "line": one.line,
        "state": one.state,
        "why": one.why,
        "sections": [_section(section) for section in one.sections],
        "forward": _lines(one.forward),
        "pullback": _lines(one.pullback),
        "sweep": _lines(one.sweep),
        "ledger": [_saved(item) for item in one.ledger],
        "total": text(total(one.ledger)),
        "symbols": [{"name": s.name, "meaning": s.meaning} for s in one.symbols],
        "remarks": one.remarks,
        "rules": [
            {"call": r.call, "line": r.line, "formula": r.formula, "home": r.home}
            for r in one.rules
        ],
        "certificate": one.certificate,
    }


def _section(section: Section) -> dict[str, object]:
    lines = [
        {"number": line.number, "start": line.start, "text": line.text, "tags": line.tags}
        for line in section.lines
    ]
    return {"path": section.path, "name": section.name, "lines": lines}


def _lines(lines: Sequence[WrittenLine]) -> list[dict[str, object]]:
    return [{"text": line.text, "spots": list(map(_spot, line.spots))} for line in lines]


def _saved(item: Saved) -> dict[str, object]:
    return {
        "name": item.name,
        "type": item.type,
        "bytes": item.bytes,
        "formula": text(item.bytes),
        "held": item.held,
        "spot": item.spot and _spot(item.spot),
        "reason": item.reason,
        "readers": item.readers,
    }


def _spot(spot: Spot) -> str:
    return f"{spot[0]}:{spot[1]}"
