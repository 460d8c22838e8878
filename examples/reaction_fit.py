"""Find the rates of a reaction from one picture of its pattern: a gradient through time steps.

Gray and Scott's two substances react and diffuse; observed is how much there is of the second one
after some steps. L-BFGS changes the two rates until the simulation shows the same. With CuPy and a
GPU all of it runs there, from the same text (`cuda/reaction.py`). Run it with the name of a picture
file (default: reaction_fit.png).
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pictures import save
from scipy.optimize import minimize

Floats = NDArray[np.float64]

TRUE, START = (0.037, 0.06), (0.034, 0.058)
SIZE, STEPS = 48, 300
UNIT = 0.001  # of the rates, for the optimiser


def library() -> tuple[Any, Any]:
    """CuPy where it has a GPU, else NumPy; and the gradient module over its arrays."""
    here = Path(__file__).parent
    try:
        import cupy

        found = cupy.is_available()
    except ImportError:
        found = False
    sys.path.insert(0, str(here / ("cuda" if found else "programs")))
    import reaction_grad

    return (cupy if found else np), reaction_grad


@dataclass(frozen=True, slots=True)
class Fit:
    observed: Floats
    start: Floats
    rates: tuple[float, float]
    misfits: tuple[float, float]  # before and after
    found: Any  # the picture with the rates that were found, where it was computed


def begin() -> tuple[Floats, Floats]:
    """Much of the first substance, and a little of the second one in the middle."""
    u, v = np.ones((SIZE, SIZE)), np.zeros((SIZE, SIZE))
    middle = slice(SIZE // 2 - 4, SIZE // 2 + 4)
    u[middle, middle], v[middle, middle] = 0.5, 0.25
    return u, v + 0.02 * np.random.default_rng(3).random((SIZE, SIZE))


def fit(steps: int = STEPS) -> Fit:
    xp, made = library()
    import reaction

    u, v = map(xp.asarray, begin())
    observed = reaction.pattern(u, v, *TRUE, steps)

    def objective(rates: Floats) -> tuple[float, Floats]:
        feed, kill = map(float, UNIT * rates)
        value, grad = made.misfit_value_and_grad(u, v, feed, kill, steps, observed)
        return 1e3 * float(value), UNIT * 1e3 * np.array([float(grad.feed), float(grad.kill)])

    start = np.array(START) / UNIT
    found = minimize(objective, start, jac=True, method="L-BFGS-B", bounds=[(20.0, 80.0)] * 2)
    rates = (UNIT * float(found.x[0]), UNIT * float(found.x[1]))
    pictures = [observed, reaction.pattern(u, v, *START, steps)]
    shown = [np.asarray(p.get() if hasattr(p, "get") else p) for p in pictures]
    again = reaction.pattern(u, v, *rates, steps)
    return Fit(shown[0], shown[1], rates, (objective(start)[0], float(found.fun)), again)


def draw(result: Fit, figure: Any) -> None:
    places = figure.subplots(1, 2)
    for place, picture, title in zip(
        places, (result.observed, result.start), ("observed, and found", "start"), strict=True
    ):
        place.imshow(picture, cmap="magma")
        place.set(title=title, xticks=[], yticks=[])


def handed_over(array: Any) -> dict[str, Any]:
    """``array`` for the other libraries that are installed, by DLPack: the same memory, no copy.

    So arrays and gradients on a GPU are tensors of PyTorch or arrays of JAX there.
    """
    found: dict[str, Any] = {}
    for name in ("torch", "jax.numpy", "numpy"):
        try:
            found[name] = import_module(name).from_dlpack(array)
        except (ImportError, BufferError, RuntimeError, TypeError):  # NumPy can't see a GPU
            continue
    return found


if __name__ == "__main__":
    result = fit()
    print(f"misfit {result.misfits[0]:.2e} at the start, {result.misfits[1]:.1e} after the fit")
    print(f"feed {result.rates[0]:.5f} (truth {TRUE[0]}), kill {result.rates[1]:.5f} ({TRUE[1]})")
    print("the picture is handed over to:", ", ".join(handed_over(result.found)))
    save(lambda figure: draw(result, figure), "reaction_fit.png")
