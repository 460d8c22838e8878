import numpy as np


def binomial_tree(payoff, n, rp, sigma, S, K, T):
    u = np.exp(sigma * np.sqrt(T / n))
    d = 1 / u
    y = x = np.arange(n + 1)
    xx, yy = np.meshgrid(x, y)
    lattice = S * u**xx * d**yy
    payoff_vec = np.vectorize(payoff)
    poff = payoff_vec(lattice, K=K)
    dt = T / n
    p = (np.exp(rp * dt) - d) / (u - d)
    poff_n = np.fliplr(poff).diagonal()

    def backwards(poff_n, p, rp, dt):
        poff_n = list(poff_n)
        v_u = poff_n[0]
        v_d = poff_n[1]
        if len(poff_n) > 2:
            poff_d = []
            while True:
                v_n = np.exp(-rp * dt) * (p * v_u + (1 - p) * v_d)
                poff_d.append(v_n)
                poff_n.pop(0)
                if len(poff_n) > 1:
                    v_u = poff_n[0]
                    v_d = poff_n[1]
                else:
                    break
            return backwards(poff_d, p, rp, dt)
        else:
            return np.exp(-rp * dt) * (p * v_u + (1 - p) * v_d)

    return backwards(poff_n, p, rp, dt)


def payoff(S, K):
    return np.maximum(0, S - K)


def call(n: int, rp: float, sigma: float, S: float, K: float, T: float) -> float:
    return binomial_tree(payoff=payoff, n=n, rp=rp, sigma=sigma, S=S, K=K, T=T)
