import math
from math import log

states = {"rainy": 0, "sunny": 1}
observables = {"walk": 0, "shop": 1, "clean": 2}


def log_matrix(observations, init_probs, trans_probs, emit_probs):
    w = [[0.0 for x in range(len(observations))] for y in range(len(states))]
    for state in states.keys():
        index = states.get(state)
        w[index][0] = log(init_probs[index]) + log(emit_probs[index][observables[observations[0]]])
    for column in range(1, len(observations)):
        observation = observations[column]
        observed = observables[observation]
        for current in states.keys():
            current_index = states.get(current)
            max_prob = -math.inf
            for last in states.keys():
                last_index = states.get(last)
                probability = (
                    w[last_index][column - 1]
                    + log(trans_probs[last_index][current_index])
                    + log(emit_probs[current_index][observed])
                )
                max_prob = max(max_prob, probability)
            w[current_index][column] = max_prob
    return w


def likelihood(
    init_probs: list[float], trans_probs: list[list[float]], emit_probs: list[list[float]]
) -> float:
    w = log_matrix(["walk", "shop", "clean", "walk"], init_probs, trans_probs, emit_probs)
    return max(row[-1] for row in w)
