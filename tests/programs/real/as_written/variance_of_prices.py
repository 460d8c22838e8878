from math import log, sqrt


def VecSum(x):
    n = len(x)
    Sum = 0.0
    for i in range(0, n):
        Sum += x[i]
    return Sum


def VecVar(x):
    n = len(x)
    mean = VecSum(x) / n
    sumV = 0.0
    for i in range(0, n):
        sumV += (x[i] - mean) ** 2
    return sumV / (n - 1)


def LogLike(B: list[float], r: float, Price: list[float]) -> float:
    N = len(Price)
    ROR = []
    for i in range(0, N - 1):
        ROR.append(log(Price[i] / Price[i + 1]))
    h = [0.0] * (N - 1)
    Z = [0.0] * (N - 1)
    L = [0.0] * (N - 1)
    h[N - 2] = VecVar(ROR)
    Z[N - 2] = (ROR[N - 2] - r - B[3] * h[N - 2]) / sqrt(h[N - 2])
    for i in range(N - 3, -1, -1):
        h[i] = B[0] + B[1] * h[i + 1] + B[2] * pow(Z[i + 1] - B[4] * sqrt(h[i + 1]), 2)
        Z[i] = (ROR[i] - r - B[3] * h[i]) / sqrt(h[i])
        L[i] = -log(h[i]) - (ROR[i] ** 2) / h[i]
    LogL = VecSum(L)
    if B[1] < 0 or B[2] < 0:
        return 1e100
    return -LogL
