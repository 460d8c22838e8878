"""Arguments for each public function of the programs of the second held-out sample."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from tests.programs.real.drawing import Arguments, numbers, rows

ENDING = rows(6, 3)[:, ::-1].reshape(3, 2, 3)  # its likeliest steps come to the last state

POINTS: Mapping[str, Callable[[], dict[str, Arguments]]] = {
    "electrode_currents": lambda: {"net_current": (0.03, -0.02, 0.4)},
    "uptake_rates": lambda: {
        "michaelis_menten": (0.4, 1.3, 0.7),
        "total_uptake": ([0.4, 0.1, 0.9], 1.3, 0.7),
    },
    "pursuit_steering": lambda: {
        "effort": ((0.1, 0.2, 0.3, 2.0), [(4.0, 1.9), (2.0, 4.0), (-3.0, 0.4)])
    },
    "embedded_alignment": lambda: {"score": (numbers(3, 4), numbers(4, 4, seed=3), -0.4)},
    "simplex_search": lambda: {"reach": ([0.4, 0.7],), "lowest": ([0.2, 0.5],)},
    "ellipsoid_distance": lambda: {"vincenty_distance": (42.35, -71.06, 40.77, -73.96)},
    "reverberation": lambda: {"normalization": (52.0,), "above_reference": (numbers(5), 0.4)},
    "darkened_limb": lambda: {"brightness": ("quadratic", 0.4, 0.3, numbers(5))},
    "luminous_distances": lambda: {
        "luminosity_distance": (numbers(4), 69.0),
        "distance_modulus": (numbers(4), 69.0),
    },
    "supplying_firms": lambda: {"equilibrium": (0.4, 3.1, 2.2, 1.7)},
    "pole_on_cart": lambda: {"cost": (numbers(4), 0.6, numbers(3))},
    "chosen_frequencies": lambda: {"strongest": (numbers(8), 32.0)},
    "linear_prediction": lambda: {"levinson_durbin": (np.array([2.0, 0.9, 0.5, 0.2, 0.1]), 3)},
    "traced_sphere": lambda: {"depth": (0.1, 0.05, 1.4)},
    "furnished_room": lambda: {"spread": ([0.7, 1.1, 0.5, 0.9], 4.0, 3.0)},
    "callable_polynomial": lambda: {"slope_and_value": ([0.4, 1.2, -0.3, 0.8], 0.7)},
    "dilated_mask": lambda: {"brightness": (numbers(6, 7), 0.8, 1)},
    "two_compartments": lambda: {
        "residuals": (np.array([0.5, 0.3, 1.3, 2.1]), np.array([0.5, 1.0, 2.5, 3.5]), numbers(4))
    },
    "strategy_shares": lambda: {"replicator": (numbers(3, 3), None, 0.05, 6)},
    "sampled_pixels": lambda: {
        "bilinear_interpolate": (numbers(6, 7, 3), np.array([[1.3, 2.6, 3.2], [0.4, 1.7, 4.1]]))
    },
    "added_matrices": lambda: {"total": ([[0.4, 1.2], [0.3, 0.7]], [[0.1, 0.2], [0.6, 0.9]])},
    "open_positions": lambda: {
        "relative_gain": ((100.0, 40.0, 60.0, [(2.0, 3.0, 3.5), (1.0, 4.0, 3.7)]),)
    },
    "resampled_curves": lambda: {
        "bootstrap_curves": (
            numbers(6),
            {"entropy": numbers(6, seed=2), "margin": numbers(6, seed=5)},
            np.array([2, 4]),
            3,
            11,
        )
    },
    "option_by_lattice": lambda: {"call": (5, 0.02, 0.4, 1.0, 0.83, 1.0)},
    "unequal_values": lambda: {"gini_coefficient": (numbers(6),)},
    "annealed_route": lambda: {"simulated_annealing": (numbers(5, 2), 10.0, 0.1, 0.9)},
    "packed_knapsack": lambda: {"knapsack": (50, [10, 20, 30], [6.0, 10.5, 12.3], 3)},
    "hacked_computers": lambda: {
        "dijkstra": (1, 4, [[], [(2, 0.7), (3, 1.9)], [(3, 0.6)], [], [(1, 0.2)]])
    },
    "fitted_line": lambda: {"training_error": (numbers(6, 2), numbers(6, seed=3))},
    "gaussian_classes": lambda: {
        "best_score": (numbers(6, 2), np.array([0, 1, 0, 1, 1, 0]), numbers(2, 2, seed=3))
    },
    "grown_tree": lambda: {"margin": (numbers(6, 2), np.array([0, 1, 0, 1, 1, 2]), numbers(2))},
    "learned_actions": lambda: {"q_learning": (3, 2, ENDING, numbers(3, 2), [2], 0.3, 0.9, 0.2, 4)},
    "spiking_neuron": lambda: {
        "izhikevich_neuron": (0.02, 0.2, -65.0, 8.0, 10.0, -70.0, -14.0, 60, 0.5)
    },
    "recorded_values": lambda: {"slope": (2.0, 0.3, -0.3, 1.0, 0.68)},
    "local_alignment": lambda: {"smith_waterman_score": ("GATTA", "GCAT", 2.1, -0.9, -1.3)},
    "repaid_loan": lambda: {"schedule": (1000.0, 0.05, 0.55, 12)},
    "order_book": lambda: {"spread": ([4.0, 3.5, 5.0], [2.0, 1.0, 3.0])},
    "drained_tank": lambda: {"level_after": (300.0, 60.0, 900.0)},
    "felt_temperature": lambda: {"heat_index": (31.0, 62.0)},
    "sun_in_sky": lambda: {"solar_position": (124, 10.3, 48.0, 15.0, 11.5)},
}
