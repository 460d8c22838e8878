from typing import List


def solve(a: List[float], b: List[float], c: List[float], d: List[float]) -> List[float]:
    n = len(d)
    if n == 0:
        return []
    cp = c.copy()
    dp = d.copy()
    bp = b.copy()
    for i in range(1, n):
        w = a[i] / bp[i - 1]
        bp[i] -= w * cp[i - 1]
        dp[i] -= w * dp[i - 1]
    x = [0.0] * n
    x[-1] = dp[-1] / bp[-1]
    for i in range(n - 2, -1, -1):
        x[i] = (dp[i] - cp[i] * x[i + 1]) / bp[i]
    return x
