"""Diagnostics as SARIF 2.1.0, which code scanning services and editors read."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mooncake_transpiler.diagnostic.diagnostics import Diagnostic
from mooncake_transpiler.version import VERSION


def sarif(diagnostics: Sequence[Diagnostic]) -> str:
    """One run of the tool, with a rule for each code that is among ``diagnostics``."""
    codes = sorted({d.code for d in diagnostics})
    driver = {
        "name": "mooncake-transpile",
        "semanticVersion": VERSION,
        "rules": [_rule(code) for code in codes],
    }
    run = {"tool": {"driver": driver}, "results": [_result(d, codes) for d in diagnostics]}
    return json.dumps({"version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, object]:
    # A text that other formats need not read.
    from mooncake_transpiler.diagnostic.codes import CODES

    rule: dict[str, object] = {"id": code}
    if code in CODES:
        rule["shortDescription"] = {"text": CODES[code].title}
        rule["help"] = {"text": CODES[code].explanation, "markdown": CODES[code].explanation}
    return rule


def _result(d: Diagnostic, codes: Sequence[str]) -> dict[str, object]:
    place = d.place
    region = {"startLine": place.line, "startColumn": place.col, "endColumn": place.end_col}
    location = {"artifactLocation": {"uri": place.path}, "region": region}
    message = d.message if d.help is None else f"{d.message}\nhelp: {d.help}"
    return {
        "ruleId": d.code,
        "ruleIndex": codes.index(d.code),
        "level": "error",
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }
