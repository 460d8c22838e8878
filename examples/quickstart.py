"""Minimise the Rosenbrock function with its generated gradient."""

import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent / "programs"))
from rosenbrock_grad import rosenbrock_value_and_grad

found = minimize(rosenbrock_value_and_grad, x0=np.zeros(10), jac=True, method="BFGS")
print(f"minimum {found.fun:.1e} after {found.nit} iterations, at {found.x.round(4)}")
