"""Figures to files, where matplotlib is installed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def save(draw: Callable[[Any], None], default: str) -> None:
    """Draw on a figure and save it: under the name given on the command line, or ``default``."""
    path = Path(sys.argv[1] if len(sys.argv) > 1 else default)
    try:
        from matplotlib.figure import Figure
    except ImportError:
        print(f"{path} is not drawn: that takes matplotlib (pip install matplotlib)")
        return
    figure = Figure(figsize=(8.0, 3.2), layout="constrained")
    draw(figure)
    figure.savefig(path, dpi=80)
    print(f"drawn: {path}")
