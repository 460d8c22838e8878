import random, sys, io, contextlib
import numpy as np
from interp import Interpreter
from random_func import random_func
from mooncake_transpiler.emit.debug import run, text_of
def attempt(f, *a):
    try:
        return f(*a)
    except (ValueError, ZeroDivisionError, IndexError, OverflowError) as e:
        return type(e).__name__
def same(u, v):
    if isinstance(u, tuple): return all(map(same, u, v))
    if isinstance(u, (str, type(None), bool)): return u == v
    return np.array_equal(u, v, equal_nan=True)
def check(seed, jit=False):
    rng = random.Random(seed)
    g = random_func(rng, "m:g")
    f = random_func(rng, "m:f", g)
    fs = {"m:g": g, "m:f": f}
    text = text_of([g, f])
    try:
        fns = run([g, f], jit=jit)
        for k in range(3):
            x = np.array([0.5, -1.0, 2.0, 0.25]) * (k + 1)
            x1, x2 = x.copy(), x.copy()
            r1 = attempt(Interpreter(fs).run, f, x1, 0.3 * k - 0.1, k)
            r2 = attempt(fns["f"], x2, 0.3 * k - 0.1, k)
            assert same(r1, r2), (r1, r2)
            assert np.array_equal(x1, x2, equal_nan=True), (x1, x2)
    except Exception as e:
        print(text); print("seed", seed, type(e), e); raise
if __name__ == "__main__":
    np.seterr(all="ignore")
    lo, hi = int(sys.argv[1]), int(sys.argv[2])
    for seed in range(lo, hi): check(seed, len(sys.argv) > 3)
    print("fine")
