import math


def sigmoid(x: float) -> float:
    if x >= 0:
        return 1.0 / (1.0 + math.exp(-x))
    z = math.exp(x)
    return z / (1.0 + z)


def cell(
    x: list[float],
    h_prev: list[float],
    c_prev: list[float],
    W_f: list[list[float]],
    b_f: list[float],
    W_i: list[list[float]],
    b_i: list[float],
    W_c: list[list[float]],
    b_c: list[float],
) -> tuple[list[float], list[float]]:
    inp = x + h_prev

    def affine(W, b):
        return [sum(inp[j] * W[j][k] for j in range(len(inp))) + b[k] for k in range(len(b))]

    f = [sigmoid(v) for v in affine(W_f, b_f)]
    i = [sigmoid(v) for v in affine(W_i, b_i)]
    g = [math.tanh(v) for v in affine(W_c, b_c)]
    c = [fj * cj + ij * gj for fj, cj, ij, gj in zip(f, c_prev, i, g)]
    h = [ij * math.tanh(cj) for ij, cj in zip(i, c)]
    return h, c
