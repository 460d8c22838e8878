"""A report as one HTML file that carries all it needs; a script in it draws the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import reduce
from importlib.resources import files

from mooncake_transpiler.report.byte_formulas import Size, plus, text
from mooncake_transpiler.report.findings import FunctionFacts, ModuleFacts, Saved, Spot, WrittenLine


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
    return asdict(one) | {
        "forward": _lines(one.forward),
        "pullback": _lines(one.pullback),
        "sweep": _lines(one.sweep),
        "ledger": [_saved(item) for item in one.ledger],
        "total": text(total(one.ledger)),
    }


def _lines(lines: Sequence[WrittenLine]) -> list[dict[str, object]]:
    return [{"text": line.text, "spots": list(map(_spot, line.spots))} for line in lines]


def _saved(item: Saved) -> dict[str, object]:
    return asdict(item) | {"formula": text(item.bytes), "spot": item.spot and _spot(item.spot)}


def _spot(spot: Spot) -> str:
    return f"{spot[0]}:{spot[1]}"
