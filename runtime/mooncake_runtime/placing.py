"""Arrays that overlap, by the addresses that they occupy, and one memory for all of these."""

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def placed(low: Integers, high: Integers) -> tuple[int, Integers]:
    """The bytes that all arrays take that overlap another, and where each begins in them (else -1).

    They occupy the addresses from ``low`` up to ``high``, none where both are 0. Arrays that are
    connected by overlapping stay at their distance.
    """
    offsets = np.full(low.size, -1)
    used = 0
    for i in range(low.size):
        if offsets[i] >= 0:
            continue
        begin, end = low[i], high[i]
        members = 1
        grown = True
        while grown:  # an array that joins may bring the next into reach
            before = members
            members = 0
            for j in range(low.size):
                if low[j] < end and high[j] > begin:
                    begin, end = min(begin, low[j]), max(end, high[j])
                    members += 1
            grown = members != before
        if members < 2:
            continue
        for j in range(low.size):
            if low[j] < end and high[j] > begin:
                offsets[j] = used + low[j] - begin
        used += int(end - begin + 63) // 64 * 64  # the next group is aligned, too
    return used, offsets
