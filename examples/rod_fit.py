"""Fit the conductivity of a rod in each of its cells: with differences, and with the gradient.

scipy's L-BFGS-B minimises the misfit of ``programs/rod.py`` twice: as it is when it is given no
gradient (differences, one more evaluation for each parameter), and with the generated one. Both
call compiled code; compiling is not counted. The figures are drawn to the SVG that is named on the
command line, without any library for that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from rod import rod_misfit
from rod_grad import rod_misfit_value_and_grad

SIZES = (8, 16, 32, 64, 128)  # cells, each with a conductivity to be found
EVERY, TIMES = 20, 20  # steps between temperatures that are seen, and how many of these
RUNS = 5  # the fastest counts, in seconds of the processor: others may use it, too
VALUE: Any = njit(rod_misfit)
COLOURS = ("#d9822b", "#4c6ef5")
STYLE = """text { font: 13px sans-serif; fill: #222 } .head { font-weight: bold }
.axis { stroke: #999; fill: none } .grid { stroke: #9994 } svg { background: #fff }
@media (prefers-color-scheme: dark) { text { fill: #ddd } svg { background: #1e1e24 } }"""


@dataclass(frozen=True)
class Fit:
    seconds: float
    evaluations: int
    misfit: float


def problem(cells: int) -> tuple[NDArray[np.float64], ...]:
    """The first guess, the temperatures at the start, and those that are seen later."""
    where = (np.arange(cells) + 0.5) / cells
    true = 0.2 + 0.1 * np.sin(5.0 * where)
    start = np.sin(40.0 * where) + where
    seen = np.empty((TIMES, cells))
    u = start.copy()
    for t in range(TIMES):
        for _ in range(EVERY):
            flow = 0.5 * (true[:-1] + true[1:]) * (u[:-1] - u[1:])
            u[1:] += flow
            u[:-1] -= flow
        seen[t] = u
    return np.full(cells, 0.2), start, seen


def fit(cells: int, with_gradient: bool) -> Fit:
    """The fastest of some runs of the same fit."""
    guess, start, seen = problem(cells)
    function = rod_misfit_value_and_grad if with_gradient else VALUE
    function(guess, start, seen, EVERY)  # compiles
    found = []
    for _ in range(RUNS):
        begin = process_time()
        best = minimize(
            function, guess, (start, seen, EVERY), "L-BFGS-B", jac=with_gradient,
            bounds=[(0.01, 0.45)] * cells, options={"maxfun": 10**6, "maxiter": 100},
        )  # fmt: skip
        found.append(Fit(process_time() - begin, best.nfev, best.fun))
    return min(found, key=lambda one: one.seconds)


def panel(left: int, title: str, rows: Sequence[Sequence[float]], unit: str) -> str:
    """A chart with logarithmic axes: one line for each of ``rows``, a point for each size."""
    low = np.floor(np.log10(min(min(row) for row in rows)))
    high = np.ceil(np.log10(max(max(row) for row in rows)))
    xs = np.linspace(left + 64, left + 340, len(SIZES))

    def y(value: float) -> float:
        return float(230 - 170 * (np.log10(value) - low) / (high - low))

    parts = [f'<text class="head" x="{left + 64}" y="30">{title}</text>']
    for power in np.arange(low, high + 1):
        at = y(10.0**power)
        parts.append(f'<path class="grid" d="M{left + 64} {at:.1f}h292"/>')
        parts.append(f'<text x="{left + 58}" y="{at + 4:.1f}" text-anchor="end">'
                     f"{10.0**power:,g}{unit}</text>")  # fmt: skip
    for x, size in zip(xs, SIZES, strict=True):
        parts.append(f'<text x="{x:.1f}" y="250" text-anchor="middle">{size}</text>')
    parts.append(f'<path class="axis" d="M{left + 64} 50v180h292"/>')
    for row, colour in zip(rows, COLOURS, strict=True):
        points = " ".join(f"{x:.1f},{y(v):.1f}" for x, v in zip(xs, row, strict=True))
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        last = f"{row[-1]:,.0f}" if unit == "" else f"{row[-1]:.2g}{unit}"
        parts.append(f'<text x="{xs[-1]:.1f}" y="{y(row[-1]) - 8:.1f}" text-anchor="middle" '
                     f'style="fill:{colour}">{last}</text>')  # fmt: skip
    return "\n".join(parts)


def picture(without: Sequence[Fit], with_: Sequence[Fit]) -> str:
    both = (without, with_)
    seconds = panel(0, "seconds for one fit", [[f.seconds for f in row] for row in both], " s")
    counts = panel(380, "evaluations", [[f.evaluations for f in row] for row in both], "")
    legend = (
        f'<text x="64" y="284" style="fill:{COLOURS[0]}">finite differences (no jac)</text>'
        f'<text x="330" y="284" style="fill:{COLOURS[1]}">generated gradient (jac=True)</text>'
        '<text x="752" y="284" text-anchor="end">parameters &#8594;</text>'
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 296" role="img">\n'
        f"<style>{STYLE}</style>\n{seconds}\n{counts}\n{legend}\n</svg>\n"
    )


def main() -> None:
    without, with_ = [], []
    print("parameters  differences: seconds, evaluations, misfit   gradient: the same")
    for cells in SIZES:
        without.append(fit(cells, with_gradient=False))
        with_.append(fit(cells, with_gradient=True))
        columns = (
            f"{f.seconds:9.4f} {f.evaluations:7d} {f.misfit:.1e}" for f in (without[-1], with_[-1])
        )
        print(f"{cells:10d}  {'   '.join(columns)}", flush=True)
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "rod_fit.svg")
    path.write_text(picture(without, with_))
    print(f"drawn: {path}; {os.cpu_count()} cores, NumPy {np.__version__}")


if __name__ == "__main__":
    main()
