"""Functions of Python's ``statistics``, written out: means, medians and variances of samples."""

import math
import statistics
from typing import Any


def statistics_fmean(data: Any) -> float:
    values = list(data)
    _require(len(values) > 0, "fmean requires at least one data point")
    return math.fsum(values) / len(values)


def statistics_mean(data: Any) -> float:
    values = list(data)
    _require(len(values) > 0, "mean requires at least one data point")
    return math.fsum(values) / len(values)


def statistics_median(data: Any) -> Any:
    values = sorted(data)
    count = len(values)
    _require(count > 0, "no median for empty data")
    half = count // 2
    return values[half] if count % 2 == 1 else (values[half - 1] + values[half]) / 2


def statistics_pvariance(data: Any, mu: Any = None) -> float:
    values = list(data)
    _require(len(values) > 0, "pvariance requires at least one data point")
    return _deviation(values, mu) / len(values)


def statistics_variance(data: Any, xbar: Any = None) -> float:
    values = list(data)
    _require(len(values) > 1, "variance requires at least two data points")
    return _deviation(values, xbar) / (len(values) - 1)


def statistics_pstdev(data: Any, mu: Any = None) -> float:
    values = list(data)
    _require(len(values) > 0, "pstdev requires at least one data point")
    return math.sqrt(_deviation(values, mu) / len(values))


def statistics_stdev(data: Any, xbar: Any = None) -> float:
    values = list(data)
    _require(len(values) > 1, "stdev requires at least two data points")
    return math.sqrt(_deviation(values, xbar) / (len(values) - 1))


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise statistics.StatisticsError(message)


def _deviation(values: Any, center: Any) -> float:
    """The sum of squares of the distances from ``center``, or from the mean."""
    around = math.fsum(values) / len(values) if center is None else center
    return math.fsum([(one - around) ** 2 for one in values])
