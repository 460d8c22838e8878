"""Recursive functions with a cache, written out: each value is worked out once.

``step(key, ask)`` is the body of the function, in which ``ask(other)`` is a call of itself. It is
begun for the first key, given up where it asks for a value that is missing, and begun again when
that is there. All of this is detached: it only tells the order in which the values are ready.
In that order they are worked out, from those before them, and so differentiated.
"""

from typing import Any

from mooncake_runtime import stop_gradient


def mooncake_transpiler_memoised(step: Any, first: Any) -> Any:
    todo: list[Any] = [first]
    order: list[Any] = []
    values: list[Any] = []
    found: list[Any] = []

    def place(key: Any) -> int:
        for k in range(len(order) - 1, -1, -1):
            if order[k] == key:
                return k
        return -1

    def ask(key: Any) -> Any:
        k = place(key)
        if k < 0:
            todo.append(key)
            raise StopAsyncIteration
        return values[k]

    while todo:
        if len(todo) > 1000:
            raise RecursionError("maximum recursion depth exceeded")
        try:
            value = step(todo[-1], ask)
            order.append(todo.pop())
            values.append(stop_gradient(value))
        except StopAsyncIteration:
            pass
    for key in order:
        found.append(step(key, lambda other: found[place(other)]))
    return found[-1]
