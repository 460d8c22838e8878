"""Find the soap film in a bent frame by Newton's method, whose steps need second derivatives.

The Hessian of the area is never formed: scipy's Newton-CG asks for its products with directions,
which the generated `area_hvp` gives. Without it, scipy takes differences of gradients. Run it with
the name of a picture file (default: soap_film.png).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import save
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from surface_grad import area_hvp, area_value_and_grad

Floats = NDArray[np.float64]

SIZE = 60  # points along each side of the frame
REACH = 1.4  # Scherk's surface goes to infinity at pi / 2


@dataclass(frozen=True, slots=True)
class Film:
    inner: Floats
    area: float
    norm: float  # of the gradient
    evaluations: int  # of gradients, and of products


def scherk(size: int = SIZE) -> Floats:
    """Scherk's minimal surface over the unit square, known in closed form."""
    along = np.linspace(-REACH, REACH, size)
    surface: Floats = np.log(np.cos(along)[None, :] / np.cos(along)[:, None])
    return surface / (2.0 * REACH)


def frame(size: int = SIZE) -> Floats:
    """The border of Scherk's surface, flat inside."""
    bent = scherk(size)
    bent[1:-1, 1:-1] = 0.0
    return bent


def film(border: Floats, *, products: bool = True) -> Film:
    """The surface of least area, by Newton-CG with or without Hessian-vector products."""
    count = 0

    def gradient(inner: Floats, border: Floats) -> tuple[float, Floats]:
        nonlocal count
        count += 1
        return area_value_and_grad(inner, border)

    def product(inner: Floats, direction: Floats, border: Floats) -> Floats:
        nonlocal count
        count += 1
        return area_hvp(inner, border, direction)[1]

    start = np.zeros((border.shape[0] - 2) * (border.shape[1] - 2))
    found = minimize(
        gradient, start, args=(border,), jac=True, method="Newton-CG",
        hessp=product if products else None, options={"xtol": 1e-6},
    )  # fmt: skip
    value, slope = area_value_and_grad(found.x, border)
    return Film(found.x, value, float(np.linalg.norm(slope)), count)


def draw(found: Film, figure: Any) -> None:
    heights = frame()
    heights[1:-1, 1:-1] = found.inner.reshape(SIZE - 2, SIZE - 2)
    axes = figure.add_subplot(1, 2, 1, projection="3d")
    side = np.linspace(0.0, 1.0, SIZE)
    axes.plot_surface(*np.meshgrid(side, side, indexing="ij"), heights, cmap="viridis")
    axes.set(title="the film", xticks=[], yticks=[], zticks=[])
    error = figure.add_subplot(1, 2, 2)
    shown = error.imshow(np.abs(heights - scherk()), cmap="magma")
    figure.colorbar(shown, ax=error, label="distance from Scherk's surface")
    error.set(xticks=[], yticks=[])


if __name__ == "__main__":
    exact, differences = film(frame()), film(frame(), products=False)
    for name, one in (("products", exact), ("differences", differences)):
        print(
            f"with {name}: area {one.area:.9f}, gradient {one.norm:.1e} after "
            f"{one.evaluations} evaluations"
        )
    away = np.max(np.abs(exact.inner - scherk()[1:-1, 1:-1].ravel()))
    print(f"at most {away:.1e} away from Scherk's surface")
    save(lambda figure: draw(exact, figure), "soap_film.png")
