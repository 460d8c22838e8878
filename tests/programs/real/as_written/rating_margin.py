import math


def win_probability(rating_a: float, rating_b: float) -> float:
    return 1 / (1 + 10 ** ((rating_b - rating_a) / 400))


def taker_fee(shares: float, price: float) -> float:
    return shares * 0.03 * price * (1 - price)


def max_drawdown(values: list[float]) -> float:
    peak, result = values[0], 0.0
    for value in values:
        peak = max(peak, value)
        result = max(result, (peak - value) / peak)
    return result


def estimate(wins: float, losses: float, draws: float) -> tuple[float, float]:
    games = wins + losses + draws
    if games == 0:
        return 0.0, 0.0
    score = (wins + 0.5 * draws) / games
    if score <= 0.0:
        return -800.0, 0.0
    if score >= 1.0:
        return 800.0, 0.0
    elo = -400.0 * math.log10(1.0 / score - 1.0)
    variance = (
        wins * (1.0 - score) ** 2 + draws * (0.5 - score) ** 2 + losses * (0.0 - score) ** 2
    ) / games
    error = math.sqrt(variance / games)
    upper = min(score + 1.96 * error, 0.999)
    margin = -400.0 * math.log10(1.0 / upper - 1.0) - elo
    return elo, margin
