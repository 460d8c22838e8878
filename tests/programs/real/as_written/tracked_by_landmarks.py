import numpy as np
from numpy.typing import NDArray


def drawn_again(weights, u):
    N = len(weights)
    marks = (u + np.arange(N)) / N
    chosen = np.zeros(N, "i")
    running = np.cumsum(weights)
    i, j = 0, 0
    while i < N:
        if marks[i] < running[j]:
            chosen[i] = j
            i += 1
        else:
            j += 1
    return chosen


def effective(weights):
    return 1.0 / np.sum(np.square(weights))


def tracked(
    z: NDArray[np.float64],
    particles: NDArray[np.float64],
    noise: NDArray[np.float64],
    R: float,
    u: float,
    landmarks: NDArray[np.float64],
) -> float:
    N = len(particles)
    weights = np.ones(N) / N
    estimate = []
    for t, zt in enumerate(z):
        particles = particles + np.array([0.1, 0.2]) + noise[t]
        for i, landmark in enumerate(landmarks):
            distance = np.linalg.norm(particles[:, 0:2] - landmark, axis=1)
            weights *= np.exp(-0.5 * ((distance - zt[i]) / R) ** 2) / (R * np.sqrt(2 * np.pi))
        weights += 1.0e-300
        weights /= sum(weights)
        if effective(weights) < N / 2:
            idx = drawn_again(weights, u)
            particles[:] = particles[idx]
            weights.resize(len(particles))
            weights.fill(1.0 / len(weights))
        mean = np.average(particles, weights=weights, axis=0)
        var = np.average((particles - mean) ** 2, weights=weights, axis=0)
        estimate.append(mean + 0 * var)
    xs = np.array(estimate)
    return float(np.mean(xs[:, 0] ** 2 + xs[:, 1]))
