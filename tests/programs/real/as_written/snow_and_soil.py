from typing import NamedTuple

import numpy as np


class SnowParams(NamedTuple):
    melt_temp: float = 0.0
    melt_rate: float = 1.0
    refreeze: float = 0.05


class SoilParams(NamedTuple):
    field_capacity: float
    percolation: float = 0.1
    beta: float = 2.0


class State(NamedTuple):
    snow: float
    liquid: float
    soil: float
    ground: float


class Fluxes(NamedTuple):
    melt: float
    runoff: float
    base: float


def snow_step(state: State, p: float, t: float, params: SnowParams) -> tuple[State, float, float]:
    snowfall = np.where(t < params.melt_temp, p, 0.0)
    rain = p - snowfall
    melt = np.clip(params.melt_rate * (t - params.melt_temp), 0.0, state.snow)
    refrozen = min(state.liquid, params.refreeze * params.melt_rate * max(params.melt_temp - t, 0))
    snow = state.snow + snowfall - melt + refrozen
    liquid = state.liquid + melt + rain - refrozen
    hold = 0.1 * snow
    out = max(liquid - hold, 0)
    return state._replace(snow=snow, liquid=liquid - out), melt, out


def hydrologic_model(
    precip: list[float],
    temp: list[float],
    params: tuple[SnowParams, SoilParams],
    state: State = State(0.0, 0.0, 0.5, 1.0),
) -> list[float]:
    snow_params, soil_params = params
    out: list[Fluxes] = []
    for p, t in zip(precip, temp):
        state, melt, inflow = snow_step(state, p, t, snow_params)
        ratio = (state.soil / soil_params.field_capacity) ** soil_params.beta
        recharge = inflow * ratio
        soil = state.soil + inflow - recharge
        excess = max(soil - soil_params.field_capacity, 0)
        ground = state.ground + soil_params.percolation * (soil - excess)
        base = 0.05 * ground
        state = state._replace(
            soil=(soil - excess) * (1 - soil_params.percolation), ground=ground - base
        )
        out.append(Fluxes(melt=melt, runoff=recharge + excess, base=base))
    return [f.runoff + f.base for f in out]
