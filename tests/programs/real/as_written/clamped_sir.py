def sir_step(
    S: float, I: float, R: float, beta: float, gamma: float, dt: float = 0.01
) -> tuple[float, float, float]:
    S = max(0.0, S)
    I = max(0.0, I)
    R = max(0.0, R)
    dS = -beta * S * I
    dI = beta * S * I - gamma * I
    dR = gamma * I
    Sn = max(0.0, S + dt * dS)
    In = max(0.0, I + dt * dI)
    Rn = max(0.0, R + dt * dR)
    return Sn, In, Rn


def simulate(beta: float, gamma: float, days: int) -> list[float]:
    state = (0.99, 0.01, 0.0)
    path = []
    for _ in range(days):
        state = sir_step(*state, beta=beta, gamma=gamma, dt=0.5)
        path.append(state[1])
    return path
