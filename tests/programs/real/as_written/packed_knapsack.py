def knapsack(C: int, wt: list[int], val: list[float], n: int) -> float:
    if not n or not C:
        return 0
    if wt[n - 1] > C:
        return knapsack(C, wt, val, n - 1)
    else:
        return max(
            val[n - 1] + knapsack(C - wt[n - 1], wt, val, n - 1),
            knapsack(C, wt, val, n - 1),
        )
