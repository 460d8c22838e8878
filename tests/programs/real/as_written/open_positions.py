from dataclasses import dataclass, field


@dataclass
class Position:
    quantity: float
    avg_entry_price: float
    current_price: float

    @property
    def unrealized_pnl(self) -> float:
        return (self.current_price - self.avg_entry_price) * self.quantity


@dataclass
class Portfolio:
    equity: float
    cash: float
    buying_power: float
    positions: list[Position] = field(default_factory=list)

    @property
    def total_pnl(self) -> float:
        return sum(p.unrealized_pnl for p in self.positions)

    @property
    def position_count(self) -> int:
        return len(self.positions)

    def to_dict(self) -> dict[str, float]:
        return {
            "equity": self.equity,
            "cash": self.cash,
            "total_pnl": self.total_pnl,
            "position_count": self.position_count,
        }


def relative_gain(portfolio: Portfolio) -> float:
    summary = portfolio.to_dict()
    return summary["total_pnl"] / summary["equity"] + 0.01 * summary["position_count"]
