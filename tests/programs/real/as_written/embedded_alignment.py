from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


def cosine(a: Vec, b: Vec) -> float:
    return np.dot(a, b) / (np.linalg.norm(a) * np.linalg.norm(b))


def aligned(first, second, scoring, gap=-10.0):
    n = first.shape[0]
    m = second.shape[0]
    dp = np.zeros((n + 1, m + 1), dtype=np.float64)
    dp[:, 0] = np.arange(n + 1) * gap
    dp[0, :] = np.arange(m + 1) * gap
    trace = np.zeros((n + 1, m + 1), dtype=int)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            match = dp[i - 1, j - 1] + scoring(first[i - 1], second[j - 1])
            delete = dp[i - 1, j] + gap
            insert = dp[i, j - 1] + gap
            dp[i, j] = max(match, delete, insert)
            trace[i, j] = np.argmax([match, delete, insert])
    i, j = n, m
    indices = []
    while i > 0 or j > 0:
        if trace[i, j] == 0:
            indices.append((i - 1, j - 1))
            i -= 1
            j -= 1
        elif trace[i, j] == 1:
            indices.append((i - 1, None))
            i -= 1
        else:
            indices.append((None, j - 1))
            j -= 1
    indices.reverse()
    return dp[n, m], indices


def score(first: Mat, second: Mat, gap: float) -> float:
    best, indices = aligned(first, second, cosine, gap)
    matched = sum(1 for a, b in indices if a is not None and b is not None)
    return best / matched
