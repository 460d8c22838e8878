"""The verdicts that `verify --output-format json` prints, as a line for each function."""

from __future__ import annotations

import json
from pathlib import Path

from mooncake_transpiler.config import ConfigError

_ADVICE = "it should be what `verify --output-format json` prints"


def read_certificates(file: Path | None) -> dict[str, str]:
    """The verdicts in ``file`` in words, by function."""
    if file is None:
        return {}
    try:
        rows = json.loads(file.read_text("utf-8"))
        return {str(row["function"]): _words(row) for row in rows}
    except (ValueError, TypeError, KeyError) as error:
        raise ConfigError(f"{file} holds no verdicts: {_ADVICE}") from error


def _words(row: dict[str, object]) -> str:
    verdict, worst = str(row["verdict"]), row["worst"]
    points = f"{verdict} at {row['points']} point{'' if row['points'] == 1 else 's'}"
    if not isinstance(worst, dict) or worst["error"] is None:
        return points
    return f"{points}: at most {worst['error']:.1e} (limit {worst['limit']:.0e}), {worst['check']}"
