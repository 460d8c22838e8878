"""The functions that are differentiated first of all."""


# mooncake: wrt=z
def product(x: float, y: float, z: float) -> float:
    return x * y * z
