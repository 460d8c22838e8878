import numpy as np


class Consumer:
    def __init__(self):
        pass

    def demand(self, price):
        d = 10 - 0.8 * price
        return np.maximum(0, d)


class Firm:
    def __init__(
        self, name: str, a: float, capital: int, wages: int, rent: int, pick_capital, should_exit
    ):
        self.name = name
        self.a = a
        self.capital = capital
        self.wages = wages
        self.rent = rent
        self.pick_capital_strategy = pick_capital
        self.should_exit_strategy = should_exit

    def pick_capital(self, market):
        self.capital = self.pick_capital_strategy(self, market)

    def should_exit(self, market):
        return self.should_exit_strategy(self, market)

    def supply(self, price):
        ppw = price * self.a / self.wages
        ppwc = ppw ** (self.a / (1 - self.a))
        q = self.capital * ppwc
        avc = self.average_variable_cost(q)
        return np.where(price >= avc, q, 0)

    def average_variable_cost(self, quantity):
        return self.wages * self.__labor_required(quantity) / quantity

    def __labor_required(self, quantity):
        return (quantity / self.capital ** (1 - self.a)) ** (1 / self.a)


def intersection_index(arr1, arr2):
    distances = np.abs(arr1 - arr2)
    indx = np.argmin(distances)
    return indx


def grow(firm, price):
    return firm.capital * (1 + 0.1 * np.tanh(price - firm.rent))


def never(firm, price):
    return False


def equilibrium(a: float, wages: float, rent: float, capital: float) -> float:
    consumer = Consumer()
    firms = [
        Firm("first", a, capital, wages, rent, grow, never),
        Firm("second", a * 0.9, capital, wages, rent, grow, never),
    ]
    prices = np.linspace(0.1, 12, 60)
    for _ in range(2):
        demand = consumer.demand(prices)
        supply = sum(firm.supply(prices) for firm in firms)
        i = intersection_index(demand, supply)
        for firm in firms:
            firm.pick_capital(prices[i])
        firms = [firm for firm in firms if not firm.should_exit(prices[i])]
    return supply[i] * prices[i]
