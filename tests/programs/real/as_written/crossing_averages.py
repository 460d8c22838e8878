from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import List, Optional

import numpy as np


class Side(Enum):
    LONG = 1
    SHORT = -1
    FLAT = 0


@dataclass
class Trade:
    entry: float
    side: Side
    size: float
    exit: Optional[float] = None

    @property
    def pnl(self) -> float:
        if self.exit is None:
            return 0.0
        return self.side.value * self.size * (self.exit - self.entry)


@dataclass
class Account:
    cash: float
    fee: float
    trades: List[Trade] = field(default_factory=list)

    def open(self, price: float, side: Side, fraction: float) -> None:
        size = fraction * self.cash / price
        self.cash -= self.fee * size * price
        self.trades.append(Trade(price, side, size))

    def close(self, price: float) -> None:
        trade = self.trades[-1]
        trade.exit = price
        self.cash += trade.pnl - self.fee * trade.size * price


def ema(prices, span):
    alpha = 2 / (span + 1)
    out = [prices[0]]
    for p in prices[1:]:
        out.append(alpha * p + (1 - alpha) * out[-1])
    return out


def backtest(
    prices: list[float], cash: float, fee: float, fraction: float, fast: int = 2, slow: int = 4
) -> float:
    account = Account(cash, fee)
    position = Side.FLAT
    for price, f, s in zip(prices, ema(prices, fast), ema(prices, slow)):
        wanted = Side.LONG if f > s else Side.SHORT
        if wanted is not position:
            if position is not Side.FLAT:
                account.close(price)
            account.open(price, wanted, fraction)
            position = wanted
    if position != Side.FLAT:
        account.close(prices[-1])
    wins = [t.pnl for t in account.trades if t.pnl > 0]
    return account.cash + (sum(wins) / len(wins) if wins else 0.0)
