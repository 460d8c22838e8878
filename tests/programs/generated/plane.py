"""Functions of two numbers."""


# mooncake: wrt=y
def plus(x: float, y: float) -> float:
    return x + y


def times(x: float, y: float) -> float:
    return x * x * y * y
