from __future__ import annotations

from dataclasses import dataclass


def _clamp(value: float, lo: float, hi: float) -> float:
    return lo if value < lo else (hi if value > hi else value)


@dataclass
class Tank:
    name: str
    capacity_gal: float = 1000.0
    level_gal: float = 500.0
    suction_loss_gal: float = 5.0

    overflowed: bool = False
    ran_dry: bool = False

    def step(self, dt: float, inflow_gpm: float, outflow_gpm: float) -> float:
        available = max(0.0, self.level_gal - self.suction_loss_gal)
        deliverable = min(outflow_gpm, available / max(dt, 1e-6) * 60.0)
        deliverable = max(0.0, deliverable)
        self.level_gal += (inflow_gpm - deliverable) * dt / 60.0
        self.ran_dry = self.level_gal <= self.suction_loss_gal
        self.overflowed = self.level_gal >= self.capacity_gal
        self.level_gal = _clamp(self.level_gal, 0.0, self.capacity_gal)
        return deliverable

    @property
    def percent(self) -> float:
        return 100.0 * self.level_gal / self.capacity_gal if self.capacity_gal else 0.0


@dataclass
class ControlValve:
    name: str
    stroke_time_s: float = 4.0
    position: float = 0.0
    seat_pct: float = 0.5

    def step(self, dt: float, demand_pct: float) -> float:
        demand = _clamp(float(demand_pct), 0.0, 100.0)
        step = 100.0 * dt / max(self.stroke_time_s, 1e-6)
        delta = demand - self.position
        if abs(delta) <= step:
            self.position = demand
        else:
            self.position += step if delta > 0 else -step
        return self.position

    @property
    def fraction(self) -> float:
        return 0.0 if self.position < self.seat_pct else self.position / 100.0


def level_after(inflow: float, demand: float, gain: float) -> float:
    tank = Tank("buffer")
    valve = ControlValve("outlet")
    for _ in range(6):
        valve.step(1.0, demand)
        tank.step(1.0, inflow, gain * valve.fraction)
        if tank.overflowed or tank.ran_dry:
            break
    return tank.percent
