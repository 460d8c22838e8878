"""Arguments at which the readings of ``readings.py`` differ."""

import numpy as np


def inputs_masked():
    return (np.array([0.5, -1.5, 2.0, -0.25]),)


def inputs_counted_masks():
    return np.array([0.5, 1.5, -2.0]), np.array([2.5, -0.5, 1.0])


def inputs_summed():
    return (np.full(1_000_000, 0.1, np.float32),)


def inputs_rounded():
    return (2.675,)


def inputs_remainder():
    return 1.5, 0


def inputs_shifted():
    return 1.5, -1


def inputs_whole():
    return 1.5, float("nan")
