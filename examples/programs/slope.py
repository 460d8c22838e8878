"""The slope of the network."""

from network import Theta
from network_grad import network_grad


# mooncake: wrt=t
def slope(t: float, theta: Theta) -> float:
    return network_grad(t, theta)
