from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]


class Controller:
    def __init__(self, kp, ki, kd, target):
        self.kp = kp
        self.ki = ki
        self.kd = kd
        self.target = target
        self.prev_error = np.array([0.0, 0.0, 0.0])
        self.integral = np.array([0.0, 0.0, 0.0])

    def update(self, position):
        error = self.target - position
        self.integral += error
        derivative = error - self.prev_error
        movement = self.kp * error + self.ki * self.integral + self.kd * derivative
        self.prev_error = error
        return movement


def smallest_error(start: Vec, target: Vec, scale: float) -> float:
    pid_gains = [(0.5, 0.05, 0.05), (1.0, 0.1, 0.1), (0.8, 0.05, 0.15)]
    best_error = float("inf")
    best_gains = None
    for gains in pid_gains:
        kp, ki, kd = gains
        print(f"Testing PID gains: kp = {kp}, ki = {ki}, kd = {kd}")
        controller = Controller(scale * kp, ki, kd, target)
        position = start.copy()
        for step in range(10):
            movement = controller.update(position)
            position += movement
            error = np.linalg.norm(target - position)
            if error < 0.01:
                print(f"Target position reached with gains: {kp}, {ki}, {kd}")
                break
        final_error = np.linalg.norm(target - position)
        print(f"Final error with gains {kp}, {ki}, {kd}: {final_error:.4f} meters\n")
        if final_error < best_error:
            best_error = final_error
            best_gains = gains
    print(f"Best PID Gains: kp = {best_gains[0]}, ki = {best_gains[1]}, kd = {best_gains[2]}")
    return best_error
