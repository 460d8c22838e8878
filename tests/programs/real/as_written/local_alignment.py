def smith_waterman_score(
    s1: str, s2: str, match: float = 2, mismatch: float = -1, gap: float = -2
) -> float:
    n = len(s1)
    m = len(s2)
    H = [[0] * (m + 1) for _ in range(n + 1)]
    max_score = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if s1[i - 1] == s2[j - 1]:
                diag = H[i - 1][j - 1] + match
            else:
                diag = H[i - 1][j - 1] + mismatch
            delete = H[i - 1][j] + gap
            insert = H[i][j - 1] + gap
            H[i][j] = max(0, diag, delete, insert)
            if H[i][j] > max_score:
                max_score = H[i][j]
    return max_score
