"""Arguments for each public function of the programs of the held-out sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tests.programs.real.drawing import Arguments, definite, numbers, rows

# A function, so that each test has arrays of its own.
POINTS: Mapping[str, Callable[[], dict[str, Arguments]]] = {
    "tilted_quadrotor": lambda: {"advanced": (numbers(12), numbers(4), 0.03)},
    "views_without_omega": lambda: {
        "implied_returns": (definite(3), numbers(3), 2.0),
        "posterior": (definite(3), numbers(3), numbers(2, 3), numbers(2), None, 0.05),
        "absolute_views": (numbers(3), 1.3),
    },
    "triangular_hydrograph": lambda: {"peak": ([0.1, 0.05, 0.4, 0.2], 1.3, 0.7, 484.0, 0.25)},
    "farthest_on_sphere": lambda: {"height": (0.1, 0.05, 3.0, 1.2)},
    "spectral_embedding": lambda: {"qr_iteration": (definite(4),)},
    "stochastic_step": lambda: {"count_after": (2.0, 0.3, 4)},
    "smallest_impurity": lambda: {"best_split": (numbers(5, 2), numbers(5, low=0.1, high=0.9))},
    "spectral_reaction": lambda: {"solved": (0.04, 0.1, 0.02, 8, -1.0, 1.0)},
    "bounded_vertex": lambda: {"kept_inside": ((0.3, 4.8), (5.0, 5.0), 0.4)},
    "cost_of_rollout": lambda: {
        "cost": (numbers(2, 1), 3, 0.1, numbers(1, 3), numbers(1, 3, seed=2), numbers(1, 1))
    },
    "tide_at_station": lambda: {"level": (numbers(4, high=9.0), numbers(3), numbers(3, high=90.0))},
    "visual_inertial": lambda: {
        "track": (np.array([0.0, 0.1, 0.25, 0.3]), numbers(4, 3), numbers(4, 3, seed=2), numbers(6))
    },
    "loadings_of_curve": lambda: {
        "shortfall": (numbers(9, low=-1.0), 0.8),
        "yields": (numbers(4), 0.04, -0.02, 0.03, 0.5),
    },
    "soft_warping": lambda: {"distance": (numbers(3), numbers(4, seed=2), 0.5)},
    "viterbi_in_logs": lambda: {
        "likelihood": ([0.6, 0.4], [[0.7, 0.3], [0.4, 0.6]], [[0.1, 0.4, 0.5], [0.6, 0.3, 0.1]])
    },
    "radial_spreads": lambda: {"spread": (numbers(6, 2), 2)},
    "segmented_column": lambda: {"stiffnesses": (2.0, 1.3, 0.7, 3)},
    "frontier_by_solver": lambda: {"volatilities": (numbers(3), definite(3), 3)},
    "acceptance": lambda: {"criterion": (numbers(5, low=-1.0), 0.7)},
    "phases_by_odeint": lambda: {"phases": (numbers(3), numbers(3, seed=3), 0.8, 3)},
    "surface_rates": lambda: {
        "coverages": (
            0.0,
            np.array([0.2, 0.3, 0.1]),
            {
                "PCO": 0.6,
                "PO2": 0.3,
                "PCO2": 0.1,
                "A": 2.0,
                "T": 500.0,
                "E1f": 0.02,
                "E1r": 0.05,
                "E2f": 0.03,
                "E2r": 0.06,
                "E3f": 0.04,
                "E4f": 0.03,
            },
        )
    },
    "windowed_taps": lambda: {"lowpass": (0.9, 3.7, 10.0)},
    "point_of_spline": lambda: {
        "point": (numbers(5, 2), np.array([0.0, 0.0, 0.0, 0.3, 0.7, 1.0, 1.0, 1.0]), 2, 0.45)
    },
    "universal_lambert": lambda: {
        "velocities": (
            np.array([1.0, 0.1, 0.0]),
            np.array([-0.3, 1.1, 0.2]),
            1.9,
            1.0,
            1,
            0.0,
            39.0,
            -12.0,
            100,
            1e-2,
        )
    },
    "gains_compared": lambda: {"smallest_error": (numbers(3), numbers(3, seed=2), 0.9)},
    "ranks_by_name": lambda: {"rank_of_home": (0.8, 3)},
    "wet_canopy": lambda: {"interception": (0.1, 2.0, 3.0, 0.2, 0.6, 0.1, 0.05, 290.0)},
    "waiting_customers": lambda: {"total_length": (0.7, 4.0, 4)},
    "forward_slopes": lambda: {
        "slopes": (np.array([0.99, 0.97, 0.94, 0.9]),),
        "forwards": (np.array([0.99, 0.97, 0.94, 0.9]),),
        "bond_price": (0.5, 1.5, 0.03, 0.98, 0.95, 0.02, 0.1),
    },
    "smoothed_both_ways": lambda: {"recombined": (numbers(5), 3.0, 0.3)},
    "nearest_centers": lambda: {"kmeans": (2, numbers(5, 2))},
    "gates_of_lists": lambda: {
        "cell": (
            [0.3, 0.7],
            [0.2],
            [0.5],
            [[0.1], [0.4], [0.3]],
            [0.1],
            [[0.3], [0.2], [0.6]],
            [0.2],
            [[0.5], [0.1], [0.2]],
            [0.3],
        )
    },
    "moments_in_lists": lambda: {
        "fitted": (numbers(2, 3), numbers(1, 2), numbers(2), numbers(1), numbers(3), 3)
    },
    "gradient_noise": lambda: {
        "noise": (numbers(2, 3, high=3.0), numbers(2, 3, high=3.0, seed=2), 0)
    },
    "swinging_pair": lambda: {"separation": (numbers(4), 1.0, 0.8, 0.1)},
    "soil_by_euler": lambda: {
        f: (1.1, numbers(4), numbers(4, seed=2), numbers(4, seed=3), 1.0, 0.3, 0.5)
        for f in ("simulated", "simulated_rk4")
    },
    "routed_flow": lambda: {
        "muskingum": (numbers(5), 1.3, 0.2, 1.0),
        "efficiency": (numbers(5), numbers(5, seed=2)),
    },
    "lens_matrix": lambda: {"transfer": (0.7, 0.4, None)},
    "prey_by_closure": lambda: {"rates": (numbers(2, 3), 0.5, 0.3, 0.4, 0.2)},
    "margins_of_lists": lambda: {
        "loss": ([[1.0, 0.4], [0.3, -0.6], [-0.8, 0.2]], [1.0, 1.0, -1.0], 0.1, 3)
    },
    "distribution_after": lambda: {"distribution": (rows(3, 3), 1, 4)},
    "constant_mean": lambda: {
        "fit_and_predict": (numbers(3, 2), numbers(3), numbers(2, 2, seed=4), 0.4, 0.8, 0.1)
    },
    "partial_likelihood": lambda: {
        "likelihood": (
            numbers(2),
            numbers(5, 2),
            np.array([3.0, 1.0, 4.0, 2.5, 0.7]),
            np.array([1, 0, 1, 1, 0]),
        )
    },
    "tire_forces": lambda: {
        "fiala": (0.05, 30.0, 0.8, 4.0),
        "magic": (1.3, 1.7, 20.0, 0.3, 0.06, 4.0),
    },
    "diode_balance": lambda: {"balance": (0.3, 0.5, 1e-6, 0.4, 0.2, 90.0, 1.4, 300.0, 1)},
    "characteristic_of_heston": lambda: {
        "characteristic": (0.7, 1.0, 1.5, 0.06, 0.4, -0.6, 0.05, 0.03, 0.01, 1.2)
    },
    "mel_energies": lambda: {"energies": (numbers(2, 14), 6, 3, 2)},
    "disc_polynomials": lambda: {"zernike": (4, -2, numbers(4), numbers(4, seed=2), True)},
    "factored_ratings": lambda: {"error": (numbers(3, 3, high=5.0), 2, 0.05, 0.02, 2)},
    "rating_margin": lambda: {
        "win_probability": (1500.0, 1620.0),
        "taker_fee": (12.0, 0.4),
        "max_drawdown": ([1.0, 1.3, 0.9, 1.4, 1.1],),
        "estimate": (12.0, 7.0, 5.0),
    },
}
