import math
from dataclasses import dataclass

import numpy as np

MAX_STEER = math.radians(30.0)
WHEELBASE = 2.9
LOOKAHEAD = 4.0


@dataclass
class Pose:
    x: float
    y: float
    yaw: float
    v: float


class Controller:
    def __init__(self):
        self.commands = []

    def normalize_angle(self, angle):
        while angle > np.pi:
            angle -= 2.0 * np.pi
        while angle < -np.pi:
            angle += 2.0 * np.pi
        return angle

    def steer(self, target, pose: Pose):
        alpha = self.normalize_angle(math.atan2(target[1] - pose.y, target[0] - pose.x) - pose.yaw)
        if alpha > np.pi / 2.0:
            delta = MAX_STEER
        elif alpha < -np.pi / 2.0:
            delta = -MAX_STEER
        else:
            delta = self.normalize_angle(math.atan2(2.0 * WHEELBASE * math.sin(alpha), LOOKAHEAD))
        if delta > math.radians(10) or delta < -math.radians(10):
            desired_speed = 3
        else:
            desired_speed = 6
        delta = np.clip(delta, -MAX_STEER, MAX_STEER)
        throttle = 3 * (desired_speed - pose.v)
        self.commands.append(throttle)
        return throttle, delta, target


def effort(pose: Pose, targets: list[tuple[float, float]]) -> float:
    controller = Controller()
    total = 0.0
    for target in targets:
        throttle, delta, _ = controller.steer(target, pose)
        total += throttle**2 + 10.0 * delta**2
    return total
