from typing import Annotated

import numpy as np
from numpy.typing import NDArray

Vec = Annotated[NDArray[np.float64], "_"]
Mat = Annotated[NDArray[np.float64], "_ _"]


class Odometry:
    def __init__(self):
        self.state = np.zeros(9)
        self.gravity = np.array([0, 0, -9.81])
        self.last_time = None

    def integrate_imu(self, accel, gyro, timestamp):
        if self.last_time is None:
            self.last_time = timestamp
            return

        dt = timestamp - self.last_time
        self.last_time = timestamp

        R = self._rotation(*self.state[6:9])
        accel_world = R @ accel + self.gravity

        self.state[3:6] += accel_world * dt
        self.state[0:3] += self.state[3:6] * dt
        self.state[6:9] += gyro * dt

    def update_visual(self, position, orientation):
        alpha = 0.95
        self.state[0:3] = alpha * self.state[0:3] + (1 - alpha) * position
        self.state[6:9] = alpha * self.state[6:9] + (1 - alpha) * orientation

    def _rotation(self, roll, pitch, yaw):
        cr, sr = np.cos(roll), np.sin(roll)
        cp, sp = np.cos(pitch), np.sin(pitch)
        cy, sy = np.cos(yaw), np.sin(yaw)
        return np.array(
            [
                [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
                [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
                [-sp, cp * sr, cp * cr],
            ]
        )


def track(times: Vec, accel: Mat, gyro: Mat, seen: Vec) -> Vec:
    odometry = Odometry()
    for t, a, w in zip(times, accel, gyro):
        odometry.integrate_imu(a, w, t)
    odometry.update_visual(seen[:3], seen[3:])
    return odometry.state
