"""``heapq``, written out: lists whose first item is the smallest.

An item moves as in Python's own module: from the root down to a leaf, the smaller child first, and
up again from there; so lists are in the same order, whoever looks at them.
"""

from typing import Any


def _risen(heap: Any, item: Any, k: int, top: int) -> None:
    """Put ``item`` at ``k``, or above: where what is above it is not larger; ``top`` is the end."""
    while k > top:
        above = (k - 1) // 2
        if not item < heap[above]:
            break
        heap[k] = heap[above]
        k = above
    heap[k] = item


def _sunk(heap: Any, item: Any, top: int) -> None:
    """Put ``item`` into the heap below ``top``, whose own item is taken."""
    size, k = len(heap), top
    while 2 * k + 1 < size:
        child = 2 * k + 1
        if child + 1 < size and not heap[child] < heap[child + 1]:
            child += 1
        heap[k] = heap[child]
        k = child
    _risen(heap, item, k, top)


def heapq_heappush(heap: Any, item: Any, /) -> None:
    heap.append(item)
    _risen(heap, item, len(heap) - 1, 0)


def heapq_heappop(heap: Any, /) -> Any:
    if len(heap) == 0:
        raise IndexError("index out of range")
    last = heap.pop()
    if len(heap) == 0:
        return last
    first = heap[0]
    _sunk(heap, last, 0)
    return first


def heapq_heapify(heap: Any, /) -> None:
    for k in range(len(heap) // 2 - 1, -1, -1):
        _sunk(heap, heap[k], k)


def heapq_heapreplace(heap: Any, item: Any, /) -> Any:
    if len(heap) == 0:
        raise IndexError("index out of range")
    first = heap[0]
    _sunk(heap, item, 0)
    return first


def heapq_heappushpop(heap: Any, item: Any, /) -> Any:
    if len(heap) == 0 or not heap[0] < item:
        return item
    first = heap[0]
    _sunk(heap, item, 0)
    return first


def heapq_nlargest(n: int, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def heapq_nsmallest(n: int, iterable: Any, key: Any = None) -> Any:
    return sorted(iterable, key=key)[: max(n, 0)]
