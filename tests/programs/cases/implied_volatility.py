"""The shape of a library for implied volatilities: long helpers, called from many places.

Rational functions by Horner's scheme in branches, helpers of helpers, a first guess in regions and
a few steps of a method of the third order. The coefficients are made up: what is tested is that
each helper is differentiated once, and rightly.
"""

import math

ROOT_TWO_PI = 2.506628274631000502
TINY = 1e-12


def bell(x: float) -> float:
    """The density of the standard normal distribution."""
    return math.exp(-0.5 * x * x) / ROOT_TWO_PI


def scaled_tail(z: float) -> float:
    """About exp(z**2) times the complementary error function of z."""
    a = abs(z)
    if a <= 0.46875:
        q = a * a
        top = 3.209 + q * (0.3774 + q * (0.1138 + q * (0.0031 + q * 0.00018)))
        low = 2.844 + q * (1.2826 + q * (0.2440 + q * (0.0236 + q)))
        return math.exp(q) * (1.0 - z * top / low)
    if a <= 4.0:
        top = 1.23 + a * (2.05 + a * (1.71 + a * (0.88 + a * (0.29 + a * (0.066 + a * 0.0089)))))
        low = 1.23 + a * (3.43 + a * (4.36 + a * (3.29 + a * (1.62 + a * (0.53 + a * 0.117)))))
        value = top / low
    else:
        r = 1.0 / (a * a)
        top = 0.00065 + r * (0.0160 + r * (0.1257 + r * (0.3603 + r * (0.3053 + r * 0.0163))))
        low = 0.00233 + r * (0.0605 + r * (0.5279 + r * (1.8729 + r * (2.5685 + r))))
        value = (0.5641895835477563 - r * top / low) / a
    if z < 0.0:
        return 2.0 * math.exp(z * z) - value
    return value


def cumulative(x: float) -> float:
    """The standard normal distribution."""
    if x <= -8.0:
        r = 1.0 / (x * x)
        series = 1.0 - r * (1.0 - r * (3.0 - r * (15.0 - r * (105.0 - r * 945.0))))
        return -bell(x) * series / x
    if x < 0.0:
        return 0.5 * math.exp(-0.5 * x * x) * scaled_tail(-x * 0.7071067811865476)
    return 1.0 - 0.5 * math.exp(-0.5 * x * x) * scaled_tail(x * 0.7071067811865476)


def quantile(p: float) -> float:
    """About the inverse of ``cumulative``."""
    q = p - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        top = 3.387 + r * (133.1 + r * (1971.5 + r * (13731.7 + r * (45921.9 + r * 67265.7))))
        low = 1.0 + r * (42.3 + r * (687.2 + r * (5394.2 + r * (21213.8 + r * 39307.9))))
        return q * top / low
    r = p if q < 0.0 else 1.0 - p
    r = math.sqrt(-math.log(max(r, 1e-300)))
    if r <= 5.0:
        r = r - 1.6
        top = 1.4234 + r * (4.6303 + r * (5.7695 + r * (3.6478 + r * (1.2705 + r * 0.2418))))
        low = 1.0 + r * (2.0532 + r * (1.6764 + r * (0.6898 + r * (0.1481 + r * 0.0152))))
    else:
        r = r - 5.0
        top = 6.6579 + r * (5.4638 + r * (1.7848 + r * (0.2966 + r * (0.0265 + r * 0.00124))))
        low = 1.0 + r * (0.5998 + r * (0.1369 + r * (0.0149 + r * (0.00079 + r * 0.0000184))))
    value = top / low
    return -value if q < 0.0 else value


def asymptotic_price(h: float, t: float) -> float:
    """The price far out of the money, as a series in 1/h."""
    e = (t / h) * (t / h)
    r = (h + t) * (h - t)
    q = (h / r) * (h / r)
    s = 2.0 + q * (
        -6.0
        - 2.0 * e
        + 3.0
        * q
        * (
            10.0
            + e * (20.0 + 2.0 * e)
            + 5.0
            * q
            * (
                -14.0
                + e * (-70.0 + e * (-42.0 - 2.0 * e))
                + 7.0 * q * (18.0 + e * (168.0 + e * (252.0 + e * (72.0 + 2.0 * e))))
            )
        )
    )
    return bell(1.0) * ROOT_TWO_PI * math.exp(-0.5 * (h * h + t * t)) * (t / r) * s


def small_spread_price(h: float, t: float) -> float:
    """The price for a small t, as a series in t."""
    a = 1.0 + h * 0.5 * ROOT_TWO_PI * scaled_tail(-h * 0.7071067811865476)
    w = t * t
    g = h * h
    b2 = (a * (6.0 + g) - 1.0) / 6.0
    b4 = (a * (60.0 + g * (20.0 + g)) - 7.0 - g) / 120.0
    b6 = (a * (840.0 + g * (420.0 + g * (42.0 + g))) - 141.0 - g * (36.0 + g)) / 5040.0
    b8 = (a * (15120.0 + g * (10080.0 + g * (1512.0 + g * (72.0 + g)))) - 3.0 * g) / 362880.0
    return (
        bell(1.0)
        * math.exp(-0.5 * (g + w))
        * 2.0
        * t
        * (a + w * (b2 + w * (b4 + w * (b6 + w * b8))))
    )


def price(x: float, s: float) -> float:
    """The normalised price of an option: log-moneyness x, total volatility s."""
    x = -abs(x)
    if s <= TINY:
        return 0.0
    h = x / s
    t = 0.5 * s
    if x < -s * 10.0 and t < -h - 7.3:
        return asymptotic_price(h, t)
    if t < 0.21:
        return small_spread_price(h, t)
    if t + h > 0.85:
        return math.exp(0.5 * x) * cumulative(h + t) - math.exp(-0.5 * x) * cumulative(h - t)
    return (
        0.5
        * math.exp(-0.5 * (h * h + t * t))
        * (scaled_tail(-0.7071067811865476 * (h + t)) - scaled_tail(-0.7071067811865476 * (h - t)))
    )


def vega(x: float, s: float) -> float:
    """The derivative of ``price`` by s, but for the coefficients."""
    h = x / max(s, TINY)
    t = 0.5 * s
    return math.exp(-0.5 * (h * h + t * t)) / ROOT_TWO_PI


def curve(
    x: float, x0: float, x1: float, y0: float, y1: float, d0: float, d1: float, r: float
) -> float:
    """A rational cubic through two points with two slopes; ``r`` controls its tension."""
    h = x1 - x0
    if abs(h) <= TINY:
        return 0.5 * (y0 + y1)
    t = (x - x0) / h
    u = 1.0 - t
    if r >= 1e8:
        return y1 * t + y0 * u
    top = y1 * t * t * t + (r * y1 - h * d1) * t * t * u + (r * y0 + h * d0) * t * u * u
    return (top + y0 * u * u * u) / (1.0 + (r - 3.0) * t * u)


def tension(x0: float, x1: float, y0: float, y1: float, d0: float, d1: float, c: float) -> float:
    """The tension for a second derivative ``c`` on the left, with a lower bound."""
    h = x1 - x0
    slope = (y1 - y0) / h
    if abs(slope - d0) <= TINY:
        return 2.0
    r = (0.5 * h * c + (d1 - d0)) / (slope - d0)
    least = (d0 + d1) / slope if slope * d0 > 0.0 else -0.9
    return max(r, max(least, -0.9))


def central_spread(x: float) -> float:
    """The spread of the steepest price."""
    return math.sqrt(2.0 * abs(x)) + TINY


def first_guess(beta: float, x: float) -> float:
    """The spread for a price ``beta``, to a few percent."""
    most = math.exp(0.5 * x)
    sc = central_spread(x)
    bc = price(x, sc)
    vc = vega(x, sc)
    if beta < bc:
        sl = sc - bc / vc
        bl = price(x, max(sl, 0.3))
        if beta < bl:
            f = bl * cumulative(-0.5773502691896258 * abs(x) / max(sl, 0.3))
            r = tension(0.0, bl, 0.0, f, 1.0, vega(x, max(sl, 0.3)), 0.1)
            y = curve(beta, 0.0, bl, 0.0, f, 1.0, vega(x, max(sl, 0.3)), r)
            return abs(x) * 0.5773502691896258 / abs(quantile(y / (bl + f) + 0.01)) + 0.2
        r = tension(bl, bc, sl, sc, 1.0 / vega(x, max(sl, 0.3)), 1.0 / vc, 0.0)
        return curve(beta, bl, bc, sl, sc, 1.0 / vega(x, max(sl, 0.3)), 1.0 / vc, r)
    su = sc + (most - bc) / vc
    bu = price(x, su)
    if beta <= bu:
        r = tension(bc, bu, sc, su, 1.0 / vc, 1.0 / vega(x, su), 0.0)
        return curve(beta, bc, bu, sc, su, 1.0 / vc, 1.0 / vega(x, su), r)
    f = cumulative(-0.5 * su)
    r = tension(bu, most, f, 0.0, -0.5, -0.5, 0.2)
    y = curve(beta, bu, most, f, 0.0, -0.5, -0.5, r)
    return -2.0 * quantile(min(max(y, 1e-6), 0.4999))


def step(newton: float, halley: float, third: float) -> float:
    """A step of Householder's method of the third order."""
    low = 1.0 + newton * (halley + third * newton / 6.0)
    return newton * (1.0 + 0.5 * halley * newton) / low


def improved(beta: float, x: float, s: float) -> float:
    """A better spread than ``s``, by the objective that fits the region of the price."""
    b = price(x, s)
    v = vega(x, s)
    h = x / s
    bend = h * h / s - 0.25 * s
    twist = bend * bend - 3.0 * (h / s) * (h / s) - 0.25
    most = math.exp(0.5 * x)
    if beta < 0.1 * most:
        lb = math.log(b + TINY)
        bpob = v / (b + TINY)
        newton = (math.log(beta + TINY) - lb) * lb / math.log(beta + TINY) / bpob
        halley = bend - bpob * (1.0 + 2.0 / lb)
        third = twist + 2.0 * bpob * bpob * (1.0 + 3.0 / lb * (1.0 + 1.0 / lb)) - 3.0 * bend * bpob
        return s + step(newton, halley, third)
    if beta > 0.9 * most:
        g = math.log((most - beta + TINY) / (most - b + TINY))
        gp = v / (most - b + TINY)
        return s + step(-g / gp, bend + gp, twist + gp * (2.0 * gp + 3.0 * bend))
    return s + step((beta - b) / v, bend, twist)


def normalised_spread(beta: float, x: float) -> float:
    """The spread whose price is ``beta``."""
    s = first_guess(beta, x)
    for _ in range(2):
        s = improved(beta, x, s)
    return s


def implied_volatility(value: float, forward: float, strike: float, maturity: float) -> float:
    """Black's volatility for the value of a call."""
    x = math.log(forward / strike)
    inner = max(forward - strike, 0.0)
    beta = (value - inner) / math.sqrt(forward * strike)
    return normalised_spread(beta, -abs(x)) / math.sqrt(maturity)


def smile_misfit(level: float, slope: float, bend: float) -> float:
    """The squared distance of a smile from volatilities that three prices imply."""
    total = 0.0
    for k in range(3):
        strike = 0.9 + 0.1 * k
        y = math.log(strike)
        quoted = implied_volatility(0.25 - 0.02 * k, 1.05, strike, 1.5)
        modelled = price(y, abs(level + slope * y + bend * y * y) + 0.1)
        total += (modelled - quoted) ** 2 * cumulative(y)
    return total
