import numpy as np


def retained_mean(dice: np.ndarray, score: np.ndarray, retained_counts: np.ndarray) -> np.ndarray:
    order = np.argsort(score, kind="stable")
    sorted_dice = dice[order]
    cumulative = np.cumsum(sorted_dice)
    return cumulative[retained_counts - 1] / retained_counts


def bootstrap_curves(
    subject_mean_dice: np.ndarray,
    scores: dict[str, np.ndarray],
    retained_counts: np.ndarray,
    replicates: int,
    seed: int,
) -> np.ndarray:
    rng = np.random.default_rng(seed)
    score_names = list(scores)
    result = np.empty((replicates, len(score_names), len(retained_counts)), dtype=float)
    subjects = len(subject_mean_dice)
    for replicate in range(replicates):
        indices = rng.integers(0, subjects, size=subjects)
        sampled_dice = subject_mean_dice[indices]
        for score_index, score_name in enumerate(score_names):
            sampled_score = scores[score_name][indices]
            result[replicate, score_index] = retained_mean(
                sampled_dice, sampled_score, retained_counts
            )
    return result
