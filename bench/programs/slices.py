"""Simulations on grids and of bodies, many time steps, written with slices and whole arrays."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Grid = Annotated[NDArray[np.float64], "n m"]


def heat(u: Grid, c: float, steps: int) -> float:
    """Heat on a plate whose edges are kept: explicit steps in place.  Sum of squares at the end.

    ``c`` is the diffusivity times the time step over the squared width of a cell.
    """
    for _ in range(steps):
        u[1:-1, 1:-1] += c * (
            u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4.0 * u[1:-1, 1:-1]
        )
    return float(np.sum(u**2))


def jacobi(u0: Grid, source: Grid, width: float, steps: int) -> float:
    """Jacobi sweeps for Poisson's equation between two buffers.  Sum of squares at the end.

    The edges of ``u0`` are the boundary values, ``width`` is that of a cell.
    """
    u = u0.copy()
    w = u0.copy()
    for _ in range(steps):
        w[1:-1, 1:-1] = 0.25 * (
            u[2:, 1:-1]
            + u[:-2, 1:-1]
            + u[1:-1, 2:]
            + u[1:-1, :-2]
            - width * width * source[1:-1, 1:-1]
        )
        u, w = w, u
    return float(np.sum(u**2))


def fdtd(
    ex: Grid, ey: Grid, hz: Grid, pulse: Annotated[NDArray[np.float64], "t"], c: float
) -> float:
    """Maxwell's equations in two dimensions (Yee's scheme), driven by ``pulse`` at one edge.

    The fields are updated in place, one step for each value of ``pulse``; ``c`` is the Courant
    number.  Energy at the end.
    """
    for t in range(pulse.shape[0]):
        ey[0, :] = pulse[t]
        ey[1:, :] -= c * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= c * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= c * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])
    return float(np.sum(ex**2) + np.sum(ey**2) + np.sum(hz**2))


def _divergence(b: Grid, rho: float, dt: float, u: Grid, v: Grid, dx: float, dy: float) -> None:
    """The right-hand side ``b`` of the pressure equation."""
    du_dx = (u[1:-1, 2:] - u[1:-1, :-2]) / (2.0 * dx)
    dv_dy = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2.0 * dy)
    du_dy = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2.0 * dy)
    dv_dx = (v[1:-1, 2:] - v[1:-1, :-2]) / (2.0 * dx)
    b[1:-1, 1:-1] = rho * ((du_dx + dv_dy) / dt - du_dx**2 - 2.0 * du_dy * dv_dx - dv_dy**2)


def _relax_pressure(p: Grid, b: Grid, dx: float, dy: float, sweeps: int) -> None:
    """Jacobi sweeps for the pressure: no flux through three walls, zero at the lid."""
    for _ in range(sweeps):
        pn = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2
            + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
            - b[1:-1, 1:-1] * dx**2 * dy**2
        ) / (2.0 * (dx**2 + dy**2))
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0.0


def cavity(
    u: Grid,
    v: Grid,
    p: Grid,
    rho: float,
    nu: float,
    lid: float,
    dt: float,
    steps: int,
    sweeps: int,
) -> float:
    """Incompressible flow in a square cavity whose lid moves.  Kinetic energy at the end.

    Velocities ``u`` and ``v`` and pressure ``p`` are updated in place; ``rho`` is the density,
    ``nu`` the viscosity.
    """
    dx = 2.0 / (u.shape[1] - 1)
    dy = 2.0 / (u.shape[0] - 1)
    b = np.zeros(u.shape)
    for _ in range(steps):
        un = u.copy()
        vn = v.copy()
        _divergence(b, rho, dt, un, vn, dx, dy)
        _relax_pressure(p, b, dx, dy, sweeps)
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
            - dt / (2.0 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu * dt / dx**2 * (un[1:-1, 2:] - 2.0 * un[1:-1, 1:-1] + un[1:-1, :-2])
            + nu * dt / dy**2 * (un[2:, 1:-1] - 2.0 * un[1:-1, 1:-1] + un[:-2, 1:-1])
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2.0 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu * dt / dx**2 * (vn[1:-1, 2:] - 2.0 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
            + nu * dt / dy**2 * (vn[2:, 1:-1] - 2.0 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])
        )
        u[0, :] = 0.0
        u[:, 0] = 0.0
        u[:, -1] = 0.0
        u[-1, :] = lid
        v[0, :] = 0.0
        v[-1, :] = 0.0
        v[:, 0] = 0.0
        v[:, -1] = 0.0
    return float(0.5 * rho * (np.sum(u**2) + np.sum(v**2)))


Bodies = Annotated[NDArray[np.float64], "n 3"]
Masses = Annotated[NDArray[np.float64], "n 1"]


def _accelerations(pos: Bodies, mass: Masses, softening: float) -> Bodies:
    """Newton's law for all pairs.  Where bodies coincide (as each does with itself): no force."""
    n = pos.shape[0]
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    r2 = (dx**2 + dy**2 + dz**2 + softening**2).ravel()
    inv_r3 = np.zeros(n * n)
    apart = r2 > 0.0
    inv_r3[apart] = r2[apart] ** -1.5
    pull = inv_r3.reshape((n, n))
    return np.hstack(((dx * pull) @ mass, (dy * pull) @ mass, (dz * pull) @ mass))


def nbody(
    pos0: Bodies, vel0: Bodies, mass: Masses, softening: float, dt: float, steps: int
) -> float:
    """Gravitation, integrated by the leapfrog method.  Sum of the squared final positions."""
    pos = pos0.copy()
    vel = vel0 - np.sum(mass * vel0, axis=0) / np.sum(mass)
    acc = _accelerations(pos, mass, softening)
    for _ in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = _accelerations(pos, mass, softening)
        vel += acc * dt / 2.0
    return float(np.sum(pos**2))
