class Polynomial:
    def __init__(self, coefficients):
        self.coeff = coefficients

    def __call__(self, x):
        return sum((x**exp) * a_i for exp, a_i in enumerate(self.coeff))

    def differentiate(self):
        self.coeff = [coef * deriv for deriv, coef in enumerate(self.coeff)]
        del self.coeff[0]
        return self.coeff


def slope_and_value(coefficients: list[float], x: float) -> float:
    p = Polynomial(coefficients)
    value = p(x)
    slopes = p.differentiate()
    return value + p(x) * slopes[0]
