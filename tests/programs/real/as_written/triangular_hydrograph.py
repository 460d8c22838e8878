def ordinates(area, tc, factor=484.0, dt=0.25):
    tp = 0.6 * tc + dt / 2.0
    tb = 2.67 * tp
    qp = factor * area / tp
    found, t = [], 0.0
    while t <= tb:
        found.append(max(qp * t / tp if t <= tp else qp * (tb - t) / (tb - tp), 0.0))
        t += dt
    return found


def peak(
    runoff: list[float], area: float, tc: float, factor: float = 484.0, dt: float = 0.25
) -> float:
    uh = ordinates(area, tc, factor, dt)
    h = [0.0] * (len(runoff) + len(uh))
    for i, r in enumerate(runoff):
        if r <= 0:
            continue
        for j, u in enumerate(uh):
            h[i + j] += r * u
    return max(h)
