sec_2_yr = 3.154e7
heat_capacity = 286471954.64


def absorbed(alpha, S=340):
    return (1 - alpha) * S


def emitted(T, tau, sigma=5.67e-8):
    return tau * sigma * T**4


def step_forward(T, alpha, tau, dt):
    T_new = T + dt / heat_capacity * (absorbed(alpha) - emitted(T, tau))
    return T_new, absorbed(alpha) - emitted(T, tau)


def final(alpha: float, tau: float) -> float:
    numtsteps = 40
    dt = sec_2_yr
    T_series = [288]
    t_series = [0]
    for n in range(numtsteps):
        t_series.append((n + 1) * dt / sec_2_yr)
        T_new, Ftoa = step_forward(T_series[n], alpha=alpha, tau=tau, dt=dt)
        T_series.append(T_new)
    print(Ftoa)
    return T_series[-1]
