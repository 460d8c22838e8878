import math
from collections.abc import Callable


def nelder_mead(
    func: Callable[[list[float]], float], x0: list[float], step=5.0, max_iter=200, tol=1e-5
):
    n = len(x0)
    sim = [list(x0)]
    for i in range(n):
        y = list(x0)
        y[i] += step
        sim.append(y)
    f_sim = [func(x) for x in sim]
    for _ in range(max_iter):
        order = sorted(range(n + 1), key=lambda idx: f_sim[idx])
        sim = [sim[i] for i in order]
        f_sim = [f_sim[i] for i in order]
        if f_sim[-1] - f_sim[0] < tol:
            break
        x_bar = [sum(sim[i][j] for i in range(n)) / n for j in range(n)]
        xr = [2 * x_bar[j] - sim[-1][j] for j in range(n)]
        fxr = func(xr)
        if f_sim[0] <= fxr < f_sim[-2]:
            sim[-1] = xr
            f_sim[-1] = fxr
        elif fxr < f_sim[0]:
            xe = [x_bar[j] + 2 * (xr[j] - x_bar[j]) for j in range(n)]
            fxe = func(xe)
            if fxe < fxr:
                sim[-1] = xe
                f_sim[-1] = fxe
            else:
                sim[-1] = xr
                f_sim[-1] = fxr
        else:
            xc = [x_bar[j] + 0.5 * (sim[-1][j] - x_bar[j]) for j in range(n)]
            fxc = func(xc)
            if fxc < f_sim[-1]:
                sim[-1] = xc
                f_sim[-1] = fxc
            else:
                for i in range(1, n + 1):
                    sim[i] = [0.5 * (sim[i][j] + sim[0][j]) for j in range(n)]
                    f_sim[i] = func(sim[i])
    return sim[0], f_sim[0]


def reach(x: list[float]) -> float:
    along = math.cos(x[0]) + math.cos(x[0] + x[1])
    up = math.sin(x[0]) + math.sin(x[0] + x[1])
    penalty = max(0, along - 1.9) * 2.0
    return math.hypot(along - 1.2, up - 0.8) + penalty


def lowest(start: list[float]) -> float:
    found, loss = nelder_mead(reach, start, step=0.3, max_iter=6)
    return loss + 0.1 * found[0]
