"""Arguments for each public function of the programs: there the derivatives are tested."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tests.programs.real.drawing import Arguments, definite, numbers, rows

_STATE = (np.array([0.3, 0.8]), definite(2))
_MODEL = (np.array([[1.0, 0.1], [0.2, 0.9]]), 0.1 * definite(2))
_SEEN = (np.array([[1.0, 0.3]]), np.array([[0.4]]))
_MARKOV = (rows(2, 2), rows(2, 3), np.array([0.4, 0.6]))
_BANDS = (
    numbers(5, seed=1),
    3 + numbers(5, seed=2),
    numbers(5, seed=3),
    numbers(5, seed=4),
)
_CELLS = np.linspace(1.0, 1.6, 9 * 20).reshape(4, 5, 9) + 0.1 * np.sin(np.arange(180.0)).reshape(
    4, 5, 9
)
_WARM = [2.0, 3.0, 6.0, 9.0, 14.0, 17.0, 19.0, 18.0, 15.0, 10.0, 6.0, 3.0]
_DAY = [8.0, 9.5, 11.5, 13.5, 15.2, 16.0, 15.6, 14.2, 12.3, 10.4, 8.6, 7.7]
_LINKS = np.array([[0.3, 0.4, 0.1, 0.0], [0.5, -0.3, 0.2, 0.1], [0.4, 0.7, 0.1, 0.2]])
_GRID = np.array([[4.0, -2.0, -2.0], [-2.0, 5.0, -3.0], [-2.0, -3.0, 5.0]])

# A function, so that each test has arrays of its own.
POINTS: Mapping[str, Callable[[], dict[str, Arguments]]] = {
    "price_gap": lambda: {"price_gap": (0.3,)},
    "call_in_steps": lambda: {
        "call": (0.3, 100.0, 105.0, 0.01, 0.25, 0.2, 0.1),
        "bounds": (0.3, 100.0, 105.0, 0.01, 0.25),
        "implied": (100.0, 105.0, 0.01, 0.25, 4.1),
    },
    "option_by_name": lambda: {
        "option": (50.0, 45.0, 0.02, 1.0, 0.2, 0.01, "Put"),
    },
    "implied_by_newton": lambda: {"implied": (7.5, 50.0, 45.0, 0.02, 1.0, "call")},
    "gamma_volatility": lambda: {"likelihood": (np.array([0.4, 0.6, 1.5]), numbers(6))},
    "leveraged_garch": lambda: {
        "likelihood": (
            np.array([0.1, 0.2, 0.1, 0.05, 0.6]),
            numbers(6, low=-1.0),
            numbers(6),
            None,
        )
    },
    "two_sided_hessian": lambda: {"curvature": (np.array([0.4, 0.3]), numbers(6), 0.5)},
    "squared_parameters": lambda: {"nll": (np.array([0.4, 0.3, 0.7]), numbers(6, low=-1.0))},
    "zipped_variances": lambda: {"filtered": (numbers(6, low=-1.0), 0.8, 0.3)},
    "variance_of_prices": lambda: {
        "LogLike": ([0.05, 0.1, 0.08, 0.3, 0.2], 0.02, [1.2, 1.5, 0.9, 1.1, 1.4, 1.0])
    },
    "bounded_arch": lambda: {
        "recursion_python": (
            np.array([0.2, 0.3, 0.2]),
            numbers(6, low=-1.0),
            np.ones(6),
            2,
            6,
            0.4,
            np.tile([0.1, 0.5], (6, 1)),
        )
    },
    "exponential_garch": lambda: {
        "recursion": (
            np.array([0.1, 0.2, -0.1, 0.7]),
            numbers(6, low=-1.0),
            np.ones(6),
            1,
            1,
            1,
            6,
            0.2,
            np.tile([0.5, 2.0], (6, 1)),
            np.zeros(6),
            np.zeros(6),
            np.zeros(6),
        )
    },
    "fractional_weights": lambda: {"weights": (np.array([0.2, 0.4, 0.3]), 1, 1, 6)},
    "eccentric_anomaly": lambda: {"solve": (0.8, 0.3, 0.1, 100)},
    "fixed_point_anomaly": lambda: {"anomaly": (2.0, 0.3, 1.1, 1.4, 0.3, 5)},
    "near_parabola": lambda: {"mean_anomaly": (0.4, 0.95)},
    "time_since_periapsis": lambda: {"elapsed": (0.7, 1.4, 1.1, 1.2, 1e-2)},
    "kalman_with_lists": lambda: {"tracked": (*_MODEL, _SEEN[0], *_STATE, _SEEN[1], numbers(4, 1))},
    "kalman_class": lambda: {"run": (*_STATE, _SEEN[0], *_MODEL, _SEEN[1], numbers(4, 1))},
    "linear_state_space": lambda: {
        "posterior": (_MODEL[0], _SEEN[0], _MODEL[1], _SEEN[1], *_STATE, numbers(4))
    },
    "extended_kalman": lambda: {
        "estimated": (numbers(4, 1), definite(4), numbers(1, 2), numbers(2, 1))
    },
    "unscented": lambda: {
        "transform": (numbers(5, 2), numbers(5), numbers(5, seed=9), definite(2))
    },
    "resampled_columns": lambda: {"mean_state": (numbers(2, 5), rows(1, 5)[0])},
    "monthly_evaporation": lambda: {"evaporation": (_WARM, _DAY, 2016)},
    "daylight_by_month": lambda: {"mean_hours": (0.8,)},
    "seir_by_odeint": lambda: {"infected": (0.9, 0.3, 0.2, 10.0)},
    "births_and_deaths": lambda: {"recovered": (1.4, 0.15, 0.6, 0.01, 0.02)},
    "clamped_sir": lambda: {
        "sir_step": (0.7, 0.2, 0.1, 0.9, 0.3, 0.1),
        "simulate": (0.9, 0.3, 6),
    },
    "refracted_ray": lambda: {
        "through": (np.array([0.2, 0.1, 1.0]), np.array([0.1, 0.2, -1.0]), 1.0, 1.5)
    },
    "sphere_hit": lambda: {
        "sphere_intersect": (
            0.3 * numbers(4, 3),
            np.tile([0.0, 0.6, 0.8], (4, 1)),
            np.array([0.1, 2.0, 3.0]),
            2.5,
            1,
        )
    },
    "ray_of_vectors": lambda: {"height": (0.3, 0.2, 1.5)},
    "flow_past_cylinder": lambda: {"vorticity": (_CELLS, 0.6, 2)},
    "cylinder_by_loops": lambda: {"momentum": (_CELLS, 0.6)},
    "collision_of_cell": lambda: {"collision": (numbers(9),)},
    "populations": lambda: {"energy": (numbers(9, 3, 4),)},
    "hidden_states_as_lists": lambda: {"probability": ([0, 1, 1, 0], 0.7, 0.8)},
    "scaled_forward": lambda: {"evidence": (*_MARKOV, [0, 2, 1, 1])},
    "looped_forward": lambda: {"smoothed": (*_MARKOV, np.array([0, 2, 1, 1]))},
    "umbrella_world": lambda: {
        "forward_backward": (
            [np.diag([0.9, 0.2]), np.diag([0.1, 0.8]), np.diag([0.9, 0.2])],
            rows(2, 2),
        )
    },
    "soft_means": lambda: {"means": (numbers(6, 1), np.array([[0.4, 0.9]]))},
    "expectation": lambda: {"estep": (numbers(6, 2), (numbers(3, 2), numbers(3), rows(1, 3)[0]))},
    "maximisation": lambda: {"mstep": (numbers(6, 2), rows(6, 3))},
    "pairwise_gravity": lambda: {"acceleration": (numbers(4, 3), numbers(4, 1), 1.1, 0.2)},
    "energies_of_stars": lambda: {
        "energies": (numbers(4, 3), numbers(4, 3, seed=3), numbers(4, 1), 1.1)
    },
    "leapfrog": lambda: {
        "simulate": (numbers(4, 2), numbers(4, 2, seed=3), numbers(4, 1), 0.35, 0.1)
    },
    "system_of_bodies": lambda: {"figure_eight": (0.97, -0.24, 0.47, 0.43)},
    "random_bodies": lambda: {"spread": (numbers(3), numbers(3, seed=3), 0.1)},
    "truncated_pairs": lambda: {"tot_PE": (2 * np.eye(4, 3) + numbers(4, 3),)},
    "forces_on_cluster": lambda: {"force_list": (2 * np.eye(4, 3) + numbers(4, 3), 0.9, 1.0, 2.6)},
    "nearest_image": lambda: {"dist": (np.array([0.2, 0.4, 2.7]), np.array([1.9, 0.3, 0.1]), 3.0)},
    "gates_of_class": lambda: {"voltage": (12.0, 4)},
    "steady_gates": lambda: {"trace": (10 * numbers(5), 0.02)},
    "serial_arm": lambda: {"manipulability": (numbers(3), _LINKS)},
    "links_of_robot": lambda: {"tip": (numbers(3),)},
    "logistic_regression": lambda: {
        "trained": (numbers(6, 2), np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0]), 0.1)
    },
    "layers_of_weights": lambda: {
        "loss": ([numbers(3, 4), numbers(4, 4), numbers(4, 2)], numbers(5, 3), numbers(5, 2))
    },
    "printed_cross_entropy": lambda: {"cross_entropy": (rows(4, 3), np.eye(4, 3), 0.01)},
    "generator_sums": lambda: dict.fromkeys(("ackley", "rosenbrock", "griewank"), (numbers(4),)),
    "converted_arguments": lambda: dict.fromkeys(("rosenbrock", "griewank"), (numbers(4),)),
    "sums_by_python": lambda: dict.fromkeys(("ackley", "griewank"), (numbers(4),)),
    "benchmark_class": lambda: {"value": (numbers(2),)},
    "means_compared": lambda: {"value": (numbers(4),)},
    "sparse_injections": lambda: {"derivatives": (_GRID + 0.5j * _GRID, numbers(3) + 0.1j)},
    "power_jacobian": lambda: {
        "jaco": (
            _GRID,
            2 * _GRID,
            numbers(3),
            numbers(3, seed=2),
            1,
            2,
            numbers(3, seed=3),
            numbers(3, seed=4),
            numbers(3, seed=5),
            np.array([1, 2]),
        )
    },
    "power_mismatch": lambda: {
        "syspower": (
            _GRID,
            2 * _GRID,
            2,
            1,
            numbers(3),
            numbers(3, seed=2),
            numbers(1),
            numbers(1),
            numbers(1, seed=2),
            np.array([1]),
            np.array([2]),
        )
    },
    "admittances": lambda: {
        "build": ([[1.5, 2.5, 0.1, 0.4, 0.05], [2.5, 3.5, 0.2, 0.3], [1.5]], 3)
    },
    "confident_views": lambda: {
        "uncertainty": (np.array([0.4, 0.7]), definite(3), numbers(2), numbers(2, 3), 0.05)
    },
    "portfolio_with_options": lambda: {
        "posterior": (definite(3), numbers(3), numbers(2), numbers(2, 3), 0.05)
    },
    "smoke": lambda: {
        "objective": (numbers(18, low=-0.4, high=0.4), numbers(3, 3), numbers(3, 3, seed=2))
    },
    "spline_curvatures": lambda: {
        "evalSpline": (np.array([1.0, 2.0, 3.0, 4.5, 5.0]), numbers(5), 3.3)
    },
    "periodic_spline": lambda: {"spline": (np.array([0.1, 0.6, 1.3, 1.7]), 0.5, numbers(4))},
    "knot_slopes": lambda: {
        "slopes": (np.array([0.4, 0.9, 1.2, 1.6, 2.2]), np.array([1.57, 0.41, 1.45, 0.92, 0.7]))
    },
    "tridiagonal_lists": lambda: {"solve": tuple(list(map(float, x)) for x in _BANDS)},
    "eliminated_in_place": lambda: {
        "solve": (_BANDS[0][1:], *_BANDS[1:2], _BANDS[2][1:], _BANDS[3])
    },
    "thomas_compiled": lambda: {"thomas": _BANDS},
    "transposed_softmax": lambda: {
        "attention": (numbers(4, 3), numbers(5, 3), numbers(5, 2), numbers(4, 5))
    },
    "stable_attention": lambda: {
        "attention": (numbers(2, 4, 3), numbers(2, 4, 3, seed=2), numbers(2, 4, 2), True)
    },
    "tempered_softmax": lambda: {"attention": (numbers(4, 3), numbers(5, 3), 0.7)},
    "expanded_softmax": lambda: {"attention": (numbers(4, 3), numbers(5, 3), numbers(5, 2))},
    "battery_cell": lambda: {"discharge": (numbers(5), 60.0, 0.07)},
    "open_circuit": lambda: {"voltage": (0.6,), "terminal": (0.7, 0.6, 60.0)},
    "fitted_yields": lambda: {"nelson_siegel": (np.arange(1.0, 5.0), 0.03, -0.02, 0.01, 1.4)},
    "six_parameters": lambda: {"yields": (numbers(4), np.array([1.4, 2.1]), np.arange(1.0, 5.0))},
    "spot_rates": lambda: {
        "bootstrap": (
            np.array([[1.05, 0.0, 0.0], [0.04, 1.04, 0.0], [0.06, 0.06, 1.06]]),
            np.ones(3),
        )
    },
    "icy_albedo": lambda: {
        "absorbed": (np.linspace(-0.9, 0.9, 5), np.array([-9.0, 3.0, 20.0, 4.0, -7.0]), 340.0)
    },
    "warming": lambda: {"final": (0.3, 0.6)},
    "blurred_image": lambda: {"gaussian": (numbers(4, 5),)},
    "padded_convolution": lambda: {"convolution": (numbers(4, 5), 0.8)},
    "kernel_by_lambda": lambda: {"edges": (numbers(4, 5),)},
    "chained_sections": lambda: {"filtered": (numbers(6), numbers(2, 6))},
    "shifted_buffers": lambda: {"filtered": (numbers(6), numbers(3), numbers(3, seed=3))},
    "biquad": lambda: {"last": (numbers(6), [0.2, -0.3, 0.5, 0.4, 0.1])},
}
