from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Mat = Annotated[NDArray[np.float64], "_ _"]


def distance(city1, city2):
    return np.linalg.norm(city1 - city2)


def total_distance(route, cities):
    n = len(route)
    return sum(distance(cities[route[i]], cities[route[i + 1]]) for i in range(n - 1)) + distance(
        cities[route[-1]], cities[route[0]]
    )


def new_state(route):
    i, j = sorted(np.random.choice(len(route), 2, replace=False))
    new_route = route.copy()
    new_route[i : j + 1] = np.flip(route[i : j + 1])
    return new_route


def simulated_annealing(
    cities: Mat, tmax: float = 100, tmin: float = 1e-3, alpha: float = 0.9
) -> float:
    route = np.arange(len(cities))
    np.random.shuffle(route)
    best_route = route.copy()
    best_distance = total_distance(best_route, cities)
    current_route = route.copy()
    current_distance = best_distance
    T = tmax
    distances = []
    for k in range(100):
        if T < tmin:
            break
        new_route = new_state(current_route)
        new_distance = total_distance(new_route, cities)
        delta_E = new_distance - current_distance
        if delta_E < 0 or np.random.rand() < np.exp(-delta_E / T):
            current_route = new_route
            current_distance = new_distance
        if current_distance < best_distance:
            best_route = current_route
            best_distance = current_distance
        distances.append(current_distance)
        T *= alpha
    return best_distance
