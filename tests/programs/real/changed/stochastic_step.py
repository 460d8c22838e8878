import numpy as np


def transcription(prod_rate, deg_rate, count):
    return [prod_rate, deg_rate * count]


def stepped(rates, r, t, x):
    tau = -(1 / np.sum(rates)) * np.log(0.4)
    t = t + tau
    reaction = np.sum(np.cumsum(rates / np.sum(rates)) < 0.6)
    x = x + r[reaction]
    return t, x


def count_after(prod_rate: float, deg_rate: float, steps: int) -> float:
    r = np.array([1.0, -1.0])
    t, x = 0.0, 0.0
    for i in range(steps):
        rates = transcription(prod_rate, deg_rate, x)
        t, x = stepped(rates, r, t, x)
    return x + t
